"""What bytes from outside must never bring about, for whatever throws bytes: hypothesis, or a fuzzer.

A target takes any bytes and raises where something is wrong. What a bot, an archive or a manifest may do wrong is
a value or an error of its own kind, and that is not wrong.
"""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import BaseModel, ValidationError

from arena.archives import unpacked
from arena.errors import InputError
from arena.inputs import toml
from arena.manifests import MANIFEST, as_toml, read_manifest
from protocol import kgn
from protocol.codec import decode, encode, read_strictly
from protocol.errors import ProtocolError
from protocol.manifest import Manifest
from protocol.record import GameRecord
from protocol.session import Phase, Session
from referee.games import GAMES
from referee.transports.lines import Pipes
from referee.transports.peer import Malformed, Peer
from referee.transports.zmtp import Socket
from tests.protocol.outside import unsafe

TOKEN = "000102030405060708090a0b0c0d0e0f"
"""Of the published conversations."""


def codec(data: bytes) -> None:
    """A message that comes back the same, or a refusal that can be shown."""
    try:
        message = decode(data)
    except ProtocolError as error:
        assert not unsafe(str(error)) and "\n" not in str(error)
        return
    assert decode(encode(message.model_dump(exclude_unset=True))) == message


def session(data: bytes) -> None:
    """Lines: `ask GAME TURN`, `drop` and `close` of the referee, else a message of the bot."""
    talk = Session(TOKEN)
    for line in data.split(b"\n"):
        word, *rest = line.split(b" ")
        before = talk.phase
        try:
            if word == b"close":
                talk.close()
            elif word == b"drop":
                talk.drop()
                assert before is Phase.ASKED
            elif word == b"ask" and len(rest) == 2 and rest[1][:9].isdigit():
                talk.ask(rest[0].decode("latin-1"), int(rest[1][:9]))
                assert before is Phase.IDLE
            else:
                message = talk.receive(line)
                assert (before is Phase.GREETING) == (message.type == "hello")
                assert before in (Phase.GREETING, Phase.ASKED) and talk.phase is Phase.IDLE
        except ProtocolError:
            assert talk.phase is before, "a message that is refused changes nothing"
        except RuntimeError:
            assert talk.phase is before and before is not (Phase.ASKED if word == b"drop" else Phase.IDLE)


def _cut(data: bytes) -> Iterator[bytes]:
    """The rest of `data` in pieces of as many bytes as its first 8 say, over and over; none is empty."""
    sizes, rest = data[:8], data[8:]
    at = turn = 0
    while at < len(rest):
        size = sizes[turn % len(sizes)] + 1
        yield rest[at : at + size]
        at, turn = at + size, turn + 1


def _heard(peer: Peer, pieces: Iterator[bytes]) -> tuple[list[tuple[bytes, str]], bool]:
    """The messages, and whether the peer is cut off."""
    found: list[tuple[bytes, str]] = []
    try:
        for piece in pieces:
            for message in peer.feed(piece):
                found.append(message)  # one by one: it counts even where what follows is malformed
    except Malformed:
        return found, True
    return found, False


def _zmtp(pieces: Iterator[bytes]) -> object:
    """All that a socket takes from `pieces`, and all that it says."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        theirs.settimeout(0)
        peer = Socket(ours, "")
        heard = _heard(peer, pieces)
        said = b""
        with suppress(BlockingIOError):
            while chunk := theirs.recv(1 << 16):
                said += chunk
        return heard, said + peer.unsent, peer.wrap(b"answer")


def zmtp(data: bytes) -> None:
    """The same messages and answers however the stream is cut, or malformed at the same place."""
    assert _zmtp(_cut(data)) == _zmtp(iter([data[8:]]))


def _lines(pieces: Iterator[bytes]) -> object:
    (reader, one), (other, writer) = os.pipe(), os.pipe()
    printed: list[bytes] = []
    peer = Pipes(reader, writer, "", printed.append)
    try:
        heard = _heard(peer, pieces)
        return heard, None if heard[1] else (b"".join(printed), peer.unfinished())
    finally:
        for end in (one, other):
            os.close(end)
        peer.close()


def lines(data: bytes) -> None:
    """The same messages and prints however the stream is cut, or malformed at the same place."""
    whole = [data[8:]] if data[8:] else []
    assert _lines(_cut(data)) == _lines(iter(whole))


def _models() -> Iterator[type[BaseModel]]:
    for game in GAMES.values():
        module = import_module(f"{type(game).__module__.rpartition('.')[0]}.wire")
        yield from (module.View, module.Setup, *module.EVENTS.values())


def wire(data: bytes) -> None:
    """Every model of every game takes it and gives it back the same, or refuses it."""
    for model in _models():
        try:
            read = model.model_validate_json(data)
        except ValidationError:
            continue
        assert model.model_validate_json(read.model_dump_json(by_alias=True)) == read


def archive(data: bytes) -> None:
    """Regular files in the folder that is meant, and nothing else anywhere; or a refusal, and nothing at all."""
    with TemporaryDirectory() as folder:
        into, file = Path(folder, "into"), Path(folder, "bot")
        into.mkdir()
        file.write_bytes(data)
        try:
            found = unpacked(file, into)
        except InputError as error:
            assert not list(into.iterdir())
            assert not unsafe(str(error).replace(folder, ""))
        else:
            assert found == into or found.parent == into
        assert sorted(path.name for path in Path(folder).iterdir()) == ["bot", "into"]
        for path in into.rglob("*"):
            mode = path.lstat().st_mode
            assert stat.S_ISDIR(mode) or (stat.S_ISREG(mode) and not mode & 0o7022)


def manifest(data: bytes) -> None:
    """A manifest that comes back the same when it is written, or an error of its author."""
    with TemporaryDirectory() as folder:
        Path(folder, MANIFEST).write_bytes(data)
        try:
            read = read_manifest(Path(folder))
        except InputError:
            return
    assert Manifest.model_validate(toml(as_toml(read), "")) == read


def text(data: bytes) -> None:
    """Records that come back the same when they are written, or a refusal that can be shown."""
    try:
        found = [encode(record) for _, record in kgn.read(data)]
    except kgn.Malformed as error:
        assert error.what and error.fix and not unsafe(str(error)) and "\n" not in str(error)
        return
    for record in found:
        with suppress(ValidationError, ProtocolError):
            GameRecord.model_validate_json(record)
            written = kgn.write(read_strictly(record))
            assert not any(unsafe(line) for line in written.split("\n"))
            assert [encode(again) for _, again in kgn.read(written.encode())] == [record]


TARGETS: dict[str, Callable[[bytes], None]] = {
    "codec": codec, "session": session, "zmtp": zmtp, "lines": lines, "wire": wire, "archive": archive,
    "manifest": manifest, "text": text,
}  # fmt: skip
