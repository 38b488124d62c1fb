"""The page on ZeroMQ over a bare socket: its bot conforms, and its bytes are those of the wire."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.conformance import conform, vectors
from protocol.vocabulary import BotId
from referee.jobs import Launch
from referee.transports.zmtp import COMMAND, DELIMITER, GREETING, SIGNATURE, frame

PAGE = (Path(__file__).parents[2] / "docs" / "bare-socket.md").read_text("utf-8")
FOUND = re.search(r"^```python title=bare.py\n(.*?)^```$", PAGE, re.M | re.S)
BOT = FOUND[1] if FOUND else ""


def run(text: str, folder: Path, transport: str) -> list[str]:
    """What of the conversations does not go well."""
    script = folder / "bare.py"
    script.write_text(text, "utf-8")
    launch = Launch(BotId("bare", ""), (sys.executable, "-I", "-S", str(script)), str(folder), {}, transport)
    return [f"{held.name}: {held.why}" for held in conform(launch, vectors()) if not held.ok]


@pytest.mark.parametrize("transport", ["ipc", pytest.param("tcp", marks=pytest.mark.long)])
def test_the_bot_of_the_page_conforms(
    transport: str, short: Path, nothing_left: Callable[[], list[str]]
) -> None:
    assert run(BOT, short, transport) == []
    assert nothing_left() == []


def test_it_conforms_as_a_req_too(short: Path) -> None:
    """With the changes that the page describes."""
    text = BOT.replace(r"\x06DEALER", r"\x03REQ")
    text = text.replace("    write(stream, json", '    write(stream, b"", 1)\n    write(stream, json')
    text = text.replace("    heard = read", "    stream.read(2)\n    heard = read")
    text = text.replace(
        "stream.read(len(GREETING))", "stream.read(len(GREETING))\nstream.read(stream.read(2)[1])"
    )
    assert run(text, short, "ipc") == []


def spelled(*words: str) -> bytes:
    """Bytes of a page, given in hex."""
    return bytes.fromhex("".join(words))


def test_the_bytes_of_the_page_are_those_of_the_wire() -> None:
    (ready,) = re.findall(r"^04 19 .*?(?=```)", PAGE, re.M | re.S)
    req = spelled(*re.findall(r"(?:^|^   )((?:[0-9a-f]{2} ?)+)(?:  |$)", ready, re.M))
    assert req == frame(COMMAND, b"\x05READY\x0bSocket-Type\x00\x00\x00\x03REQ")
    assert spelled("ff 00 00 00 00 00 00 00 00 7f", "03 00") == GREETING[:12]
    assert GREETING[12:32] == b"NULL" + bytes(16) and GREETING[32:] == bytes(32)
    first, rest = len(SIGNATURE), len(GREETING) - len(SIGNATURE)
    assert f"the first {first} of its own at once, and the other {rest} when\n{first} of the bot's" in PAGE
    message = b'{"type":"ready","game_id":"5b1e0d"}'
    assert frame(0, message)[:8] == spelled("00 23 7b 22 74 79 70 65") and spelled("01 00") == DELIMITER
    for part in ("ff 00 00 00 00 00 00 00 00 7f", "01 00   00 23 7b 22 74 79 70 65", "44 45 41 4c 45 52"):
        assert part in PAGE
