"""Records as text: read back byte for byte, of any content; what is edited is refused or found out."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocol.codec import encode
from protocol.escape import visible
from protocol.kgn import Malformed, is_kgn, read, write
from protocol.kgn.reading import FIELDS
from protocol.record import GameRecord, seal
from protocol.vocabulary import FaultKind, Verdict
from referee.replay import check
from tests.arena.made import record
from tests.referee.driving import random_player

ODD = (
    "", "+", "!", "1.", "0:K7", "7", "-0", "1e5", "null", "true", "KGN", "account", "a b", " a", "a ;b", '"', "\\", "{",
    "x\n\ny", "x" * 300, "\u0301" * 9, "take deck", "smash 2 N5", "go 1. x", "go -1:K7", "go !", "go + on", "go !far",
    "two  spaces", "tail ", "a\x1b[31m\u202e\u200b\ufe0f", "a\r\nb", 'say \\"no\\"', "-", "\ufeff", "漢字", "take K7 " * 9,
)  # fmt: skip
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.sampled_from(ODD)
SHORT = st.text(max_size=9).map(lambda text: text.encode("utf-8", "replace").decode())
INTS = st.integers(-(2**53), 2**53)
VALUES = st.recursive(
    st.none() | st.booleans() | INTS | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(SHORT, inner, max_size=3),
    max_leaves=5,
)
NUMBERED = st.dictionaries(st.integers(0, 4).map(str) | SHORT, TEXTS, max_size=4)


@st.composite
def records(draw: st.DrawFn) -> dict[str, Any]:
    """Any record that is one by its form, whether or not it could be played."""
    strings = {name: draw(TEXTS) for name in ("id", "game", "variant", "rules", "deal", "seed")}
    seats = st.fixed_dictionaries({"bot": TEXTS, "digest": SHORT, "team": INTS})
    fault = {"seat": INTS, "kind": st.sampled_from([str(kind) for kind in FaultKind]), "reason": TEXTS}
    faults = st.fixed_dictionaries(fault | {"turn": INTS, "at": st.integers(-1, 6)})
    actions = st.tuples(st.integers(-1, 4), TEXTS).map(list)
    play = {
        **strings, "cards": draw(st.lists(TEXTS, max_size=3)),
        **{name: draw(SHORT) for name in ("nonce", "commitment", "block")}, "block_size": draw(INTS),
        "seats": draw(st.lists(seats, max_size=3)), "actions": draw(st.lists(actions, max_size=5)),
        "verdict": str(draw(st.sampled_from(Verdict))), **draw(st.sampled_from([{}, {"void": None}])),
        "ranks": draw(st.lists(INTS, max_size=3)), "scores": [], "faults": draw(st.lists(faults, max_size=3)),
    }  # fmt: skip
    account = {
        "isolation": "none", "attempt": 1, "limits": {"move_ms": None}, **draw(st.dictionaries(TEXTS, VALUES, max_size=2)),
        "ms": draw(st.lists(st.floats(0, 9), max_size=3)),
        "notes": draw(NUMBERED), "evidence": draw(NUMBERED), "versions": {},
    }  # fmt: skip
    return seal(play, account)


@settings(max_examples=60, deadline=None)
@given(records(), st.sets(st.integers(0, 4)), st.lists(TEXTS, max_size=2))
def test_any_record_is_read_back_byte_for_byte(
    made: dict[str, Any], breaks: set[int], remarks: list[str]
) -> None:
    GameRecord.model_validate_json(encode(made))
    text = write(made, breaks, remarks)
    assert [encode(again) for _, again in read(text.encode())] == [encode(made)]
    assert all(visible(line) == line for line in text.split("\n"))


@pytest.mark.parametrize("text", ODD)
def test_an_odd_text_stands_anywhere(text: str) -> None:
    made = json.loads(GAME)
    play, account = made["play"], made["account"]
    play["seats"][0]["bot"] = play["variant"] = text
    play["actions"][1:3] = [[1, text], [0, text]]
    play["faults"] = [{"seat": 1, "kind": "crash", "reason": text, "turn": 1, "at": 2}]
    account |= {"notes": {"1": text}, "evidence": {"0": text}, text: {text: [text, text]}}
    made = seal(play, account)
    written = write(made)
    assert [encode(again) for _, again in read(written.encode())] == [encode(made)]
    assert max(map(len, written.split("\n"))) <= 80


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(records(), max_size=3))
def test_games_of_a_file_come_in_order_each_with_its_line(made: list[dict[str, Any]]) -> None:
    texts = [write(one) for one in made]
    found = list(read("".join(texts).encode()))
    assert [encode(again) for _, again in found] == [encode(one) for one in made]
    assert [line for line, _ in found] == [1 + "".join(texts[:n]).count("\n") for n in range(len(texts))]


def a_game() -> tuple[bytes, str]:
    """A real one with a fault, its evidence and notes."""
    made = json.loads(record("claim-2", seat1=random_player(1)))
    made["account"]["notes"] = {"0": 'I lead "high"\n\u202e', "3": "and then …"}
    made = seal(made["play"], made["account"])
    return encode(made), write(made)


GAME, TEXT = a_game()


@settings(deadline=None)
@given(st.data())
def test_one_character_edited_is_refused_or_says_the_same_or_does_not_hold(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(TEXT)))
    letter = data.draw(
        st.sampled_from(["", " ", "\n", '"', "\\", "0", "7", "+", ";", "[", "]", "}", "K", "\x1b"])
        | st.characters(exclude_categories=["Cs"])
    )
    edited = TEXT[:at] + letter + TEXT[at + data.draw(st.integers(0, 1)) :]
    try:
        found = [encode(one) for _, one in read(edited.encode())]
    except Malformed as error:
        assert error.line <= edited.count("\n") + 1 and error.what and error.fix
        return
    assert found == [GAME] or not found or any(map(check, found))


def test_a_game_reads_like_one() -> None:
    assert "\nvariant  claim/2p/NA-TDS\n" in TEXT
    first, second = TEXT[TEXT.index("moves\n") + 6 :].split("\n")[:2]
    assert first.startswith("    1. 0:") and second == '       "I lead \\"high\\"\\n" + "\\u202e"'
    assert max(map(len, TEXT.split("\n"))) <= 80
    assert check(GAME) == []


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ("KGN 1", "KGN 2", 1, "another version"),
        ("KGN 1\n", "", 1, "no game has begun"),
        ("game ", "gamme ", 3, "no field 'gamme'"),
        ("game     claim", "game     claim two", 3, "'two' is one value too many"),
        ("game     claim", "game     [claim", 3, "'game' has no end"),
        ("game     claim", "game     ]", 3, "] closes nothing"),
        ("game     claim", 'game     "claim', 3, "is no word, text or bracket"),
        ("game     claim", 'game     "cl\\aim"', 3, "\\a stands for nothing"),
        ("game     claim", 'game     "cl" + aim', 3, "'aim' behind a +"),
        ("game     claim", "game     cl\u202eaim", 3, "U+202E"),
        ("game     claim", "id x", 3, "'id' is there already"),
        ("game     claim", "game     " + "[" * 10, 3, "too deep"),
        ("block_size 1", "block_size 1e999", 0, "beyond numbers"),
        ("block_size 1", "block_size 9007199254740993", 0, "beyond numbers"),
        ("{bot ", "{bot bot bot ", 0, "'bot' is no name, or there already"),
        ("    1. 0:", "    2. 0:", 0, "2. stands before action 1"),
        ("    1. 0:", "    1. x:", 0, "is no move"),
        ("    1. 0:", '    1. "x" 0:', 0, "belongs to no action"),
        ("    1. 0:", "    1. 0: ", 0, "no action behind a seat"),
        ("verdict  finished\n", "", 1, "has no verdict"),
        ("\nnotes\n", "\n", 0, "there are notes among the moves"),
        ("\naccount\n", "\naccount x\n", 0, "account has no value"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_line(old: str, new: str, line: int, what: str) -> None:
    assert TEXT.count(old) >= 1
    with pytest.raises(Malformed, match=r"line \d+: ") as error:
        list(read(TEXT.replace(old, new, 1).encode()))
    assert what in error.value.what and line in (0, error.value.line)


@settings(deadline=None)
@given(
    st.binary(max_size=40)
    | st.lists(st.sampled_from(TEXT.split(" ")), max_size=30).map(lambda parts: " ".join(parts).encode())
)
def test_whatever_the_bytes_they_are_refused_in_words_or_read(data: bytes) -> None:
    for begin in (b"", b"KGN 1\n", b"KGN 1\nmoves\n "):
        try:
            found = [encode(one) for _, one in read(begin + data)]
        except Malformed as error:
            assert error.line and error.what and error.fix and visible(str(error)) == str(error)
        else:
            assert all(isinstance(one, bytes) for one in found)


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(Malformed, match="line 3: a byte that is no UTF-8"):
        list(read(b"; x\n\n\xff"))
    assert list(read(b"")) == list(read(b"; nothing\r\n")) == []
    assert [encode(one) for _, one in read(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())] == [GAME]


def test_text_is_told_from_json() -> None:
    assert is_kgn(TEXT.encode()) and is_kgn(b"\n; a remark") and not is_kgn(GAME) and not is_kgn(b"[1]")


def test_a_record_whose_fields_stand_otherwise_has_no_text() -> None:
    made = json.loads(GAME)
    made["play"] = dict(reversed(made["play"].items()))
    with pytest.raises(ValueError, match="in this order"):
        write(made)


def test_the_example_of_the_page_is_a_record_that_holds_and_its_fields_are_those_that_are_read() -> None:
    page = (Path(__file__).parents[2] / "docs/records.md").read_text("utf-8")
    example = page.partition("```text title=game.kgn\n")[2].partition("```")[0]
    [(line, made)] = read(example.encode())
    assert line == 1 and check(encode(made)) == []
    named = page.partition("The fields of a game are ")[2].partition(", each once")[0]
    assert set(re.findall(r"\w+", named.replace(" and ", ", "))) == set(FIELDS)
