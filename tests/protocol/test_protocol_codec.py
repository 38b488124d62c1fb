"""Any bytes are a message or a ProtocolError, and the fast reader never overrules the strict one.

`KINGMAKER_EXAMPLES=1000 pytest tests/protocol/test_protocol_codec.py` tries more of them, `make fuzz` goes on from there.
"""

import json
import os
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocol import codec
from protocol.errors import ProtocolError
from protocol.messages import Hello, Move, Ready

MESSAGES = [
    {"type": "move", "game_id": "g", "turn": 3, "action": "1"},
    {"type": "move", "game_id": "g", "turn": 3, "action": 'Ž "x" \\', "note": "[[[ {\u2028"},
    {"type": "ready", "game_id": "0123456789abcdef0123456789abcdef"},
    {"type": "hello", "protocol": [1, 2**53], "token": "t", "name": None, "features": ["a"]},
]
ODD = [
    b"NaN", b"-Infinity", b"1e999", b"1e2", b"-0", b"3.0", b"01", b"9007199254740993", b"9" * 30, b"true",
    b"null", b'"\\ud800"', b'"\\ud83d\\ude00"', b'"\xff"', b'"\xed\xa0\x80"', b'"\x00"', b'"\\u0000"', b'"\x7f"',
    b'"a":1,', b'"turn":3,', b'"type":"ready",', b"[" * 9, b"]" * 9, b'{"a":' * 9, b" ", b"\xef\xbb\xbf", b'"', b"\\",
    b",", b"{", b"}", b"\n",
]  # fmt: skip
Verdict = object
# The first text that hypothesis makes on a machine takes it a second.
EXAMPLES = int(os.environ.get("KINGMAKER_EXAMPLES", "300"))
THOROUGH = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def verdict(read: Callable[[bytes], Verdict], data: bytes) -> Verdict:
    try:
        return read(data)
    except ProtocolError as error:
        return error.reason, error.detail, error.path


def strictly(data: bytes) -> Verdict:
    """As `decode`, without the fast reader."""
    if len(data) > codec.MAX_MESSAGE:
        return codec.decode(data)
    return codec._validated(codec.read_strictly(data))


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A valid message with a few bytes of it cut out or put in."""
    data = codec.encode(draw(st.sampled_from(MESSAGES)))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(data)))
        upto = at + draw(st.integers(0, 3))
        data = data[:at] + draw(st.sampled_from([b"", *ODD]) | st.binary(max_size=2)) + data[upto:]
    return data


@st.composite
def rewritten(draw: st.DrawFn) -> bytes:
    """A valid message with one field set to any JSON value, or left out."""
    message: dict[str, object] = dict(draw(st.sampled_from(MESSAGES)))
    leaf = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
    value = st.recursive(
        leaf, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=4
    )
    key = draw(
        st.sampled_from(["type", "turn", "action", "note", "token", "protocol", "features"]) | st.text()
    )
    if draw(st.booleans()):
        message.pop(key, None)
    else:
        message[key] = draw(value)
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


@settings(THOROUGH)
@given(mutated() | rewritten() | st.binary(max_size=40))
def test_both_readers_give_one_verdict(data: bytes) -> None:
    assert verdict(codec.decode, data) == verdict(strictly, data)


@settings(THOROUGH)
@given(mutated() | rewritten() | st.binary())
def test_a_refusal_can_be_shown(data: bytes) -> None:
    found = verdict(codec.decode, data)
    if isinstance(found, tuple):
        assert all(text.isprintable() and len(text.encode()) <= 2000 for text in found)
    else:
        assert isinstance(found, Hello | Ready | Move)


@settings(THOROUGH, max_examples=100)
@given(rewritten())
def test_spaces_and_escapes_change_no_verdict(data: bytes) -> None:
    try:
        value = json.loads(data)
    except UnicodeDecodeError:
        return
    spaced = json.dumps(value, indent=1).encode()
    assert verdict(codec.decode, spaced) == verdict(codec.decode, data)


@pytest.mark.parametrize("message", MESSAGES)
def test_canonical_bytes_come_back(message: dict[str, object]) -> None:
    read = codec.decode(codec.encode(message))
    assert read.model_dump(exclude_unset=True) == message


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"[" * 60_000, "too_deep"),
        (b'{"a":' * 12_000, "too_deep"),
        (b'"' + b'\\"' * 30_000 + b"\\", "not_json"),
        (b'"' * 60_001, "not_json"),
        (b"9" * 60_000, "int_range"),
        (b"0." + b"1" * 60_000, "wrong_type"),
        (b"{" + b",".join(b'"%d":1' % i for i in range(6000)) + b',"5999":1}', "duplicate_key"),
        (b" " * (1 << 20), "too_large"),
    ],
    ids=["arrays", "objects", "quotes", "empty_texts", "digits", "fraction", "keys", "spaces"],
)
def test_a_message_made_to_be_slow_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        codec.decode(data)
    assert caught.value.reason == reason


def test_the_texts_of_an_error_stay_short_and_printable() -> None:
    message = {"type": "ready", "game_id": "g", "\x1b[2J" + "k" * 60_000: 1}
    with pytest.raises(ProtocolError) as caught:
        codec.decode(codec.encode(message))
    assert caught.value.reason == "unknown_field"
    assert caught.value.path.startswith("ready.\\x1b[2Jkkk")
    assert len(str(caught.value)) < 500
