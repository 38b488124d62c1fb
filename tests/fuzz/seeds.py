"""Good input for each target, to begin from: mostly what the published vectors have."""

from __future__ import annotations

import io
import json
import random
import tarfile
import zipfile
from base64 import b64decode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import protocol
from protocol.codec import MAX_MESSAGE, encode
from referee.games import GAMES
from referee.transports.zmtp import GREETING, frame
from tests.referee.driving import drive, random_player, spec_for

VECTORS = Path(protocol.__file__).parent / "vectors"
BOTS = VECTORS.parents[1] / "bots"
READY = frame(4, b"\x05READY\x0bSocket-Type\x00\x00\x00\x03REQ\x08Identity\x00\x00\x00\x00")
CUTS = (b"\xff" * 8, b"\0" * 8, b"\x3f\0\x01\x07\x02\x20\0\x05")
"""How a stream is cut (see `targets`): not at all, into bytes, anyhow."""


def _conversations() -> Iterator[list[dict[str, Any]]]:
    for file in sorted((VECTORS / "conversations").glob("*.json")):
        yield json.loads(file.read_text("utf-8"))["steps"]


def _said(steps: list[dict[str, Any]]) -> list[bytes]:
    return [encode(step["bot"]) for step in steps if "bot" in step]


def codec() -> Iterator[bytes]:
    """Every published message, good and bad."""
    for line in (VECTORS / "messages.jsonl").read_text("utf-8").splitlines():
        said = json.loads(line)
        yield b64decode(said["base64"]) if "base64" in said else said["text"].encode()
    for steps in _conversations():
        yield from _said(steps)


def session() -> Iterator[bytes]:
    """Every published conversation."""
    for steps in _conversations():
        yield b"\n".join(map(_as_line, steps))


def _as_line(step: dict[str, Any]) -> bytes:
    if "bot" in step:
        return encode(step["bot"])
    said = step["referee"]
    if said["type"] in ("bye", "error"):
        return b"close"
    return f"ask {said['game_id']} {said.get('turn', 0)}".encode()


def zmtp() -> Iterator[bytes]:
    """What bots say, as REQ and as DEALER sockets send it, and a PING."""
    ping = frame(4, b"\x04PING\x00\x0acontext")
    for number, steps in enumerate(_conversations()):
        shape = b"\x01\x00" if number % 2 else b""
        frames = b"".join(shape + frame(0, said) for said in _said(steps))
        yield CUTS[number % len(CUTS)] + GREETING + READY + ping + frames
    answer, start = b"\x01\0\0\x05{    ", GREETING + READY
    for cut in CUTS:
        yield cut + start + frame(0, b"{" * 300) + frame(0, b"x" * (MAX_MESSAGE + 1)) + answer
    # a piece that is exactly an answer, or looks like one in the middle of another message
    yield bytes((len(start) - 1, len(answer) - 1)) * 4 + start + answer
    yield bytes((len(start) + 5, len(answer) - 1)) * 4 + start + frame(0, b"{   " + answer + b"}")


def lines() -> Iterator[bytes]:
    """What bots say, and print in between."""
    for number, steps in enumerate(_conversations()):
        ends = (b"\n", b"\r\n", b"\nTraceback: none\n\n", b"\n \xef\xbb\xbf {\n")
        yield CUTS[number % len(CUTS)] + b"".join(said + ends[number % 4] for said in _said(steps))


def wire() -> Iterator[bytes]:
    """Views, setups and events of a game of each kind."""
    for name, game in GAMES.items():
        variant = game.variants()[0]
        players = [random_player(seat) for seat in range(game.variant(variant).players)]
        _, received = drive(spec_for(variant), players)
        parts = {
            encode(part) for heard in received for message in heard for part in _parts(json.loads(message))
        }
        yield from random.Random(name).sample(sorted(parts), 60)


def _parts(message: dict[str, Any]) -> Iterator[Any]:
    yield from (message[key] for key in ("view", "setup") if key in message)
    yield from (event["body"] for event in message.get("events", []))


def archive() -> Iterator[bytes]:
    """A folder in every packing."""
    files = {"bot/bot.toml": b'name = "x"\n', "bot/run.sh": b"#!/bin/sh\n" * 20, "bot/a/é": b""}
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        with zipfile.ZipFile(packed := io.BytesIO(), "w", method) as file:
            for name, data in files.items():
                file.writestr(name, data)
        yield packed.getvalue()
    for mode in ("w:", "w:gz", "w:bz2", "w:xz"):
        with tarfile.open(fileobj=(packed := io.BytesIO()), mode=mode, format=tarfile.PAX_FORMAT) as tar:
            for name, data in files.items():
                info = tarfile.TarInfo(name)
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
        yield packed.getvalue()


def manifest() -> Iterator[bytes]:
    """The manifests of the house's bots."""
    for file in sorted(BOTS.glob("*/*.toml")):
        yield file.read_bytes()
    yield b'name = "x"\nauthors = ["y"]\nversion = "1"\nrun = ["z"]\n[limits]\nmove_ms = 1\n[env]\n"A" = "1"\n'
    yield b'name = "x"\nrun = ["\\u007f"]\n'
    yield 'name = "x"\nrun = ["y"]\nenv = { "é" = "1" }\n'.encode()
    yield b"run = " + b"[" * 3000


def text() -> Iterator[bytes]:
    """The example of the page on records, alone and twice."""
    page = (BOTS.parent / "docs" / "records.md").read_text("utf-8")
    game = page.partition("```text title=game.kgn\n")[2].partition("```")[0].encode()
    yield from (game, game + game, b'KGN 1\nmoves\n 1. 0:K7 1:"K 7" ! {seat 1} "x" +\n "\\u202e"\naccount\n')


SEEDS: dict[str, Callable[[], Iterator[bytes]]] = {
    "codec": codec, "session": session, "zmtp": zmtp, "lines": lines, "wire": wire, "archive": archive,
    "manifest": manifest, "text": text,
}  # fmt: skip
"""By the name of the target."""
