"""Floors: what it takes to send a game's turns and to hear its moves, the very bytes, with nobody in between.

An echo has the transport's own means on the referee's side (a bare pyzmq ROUTER; pipes and a poll) and on the
other a process for each seat that answers at once, out of a file: in C (`programs/peer.c`, with libzmq's REQ), or in
Python with pyzmq. As many matches as are said take turns, a game at a time, as they do on a worker's core.
"""

from __future__ import annotations

import json
import select
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import clock_gettime, monotonic, process_time

import zmq

from referee.players.usage import cpu_clock
from tests.benchmarks.harness import Case, Figures
from tests.benchmarks.programs import built
from tests.benchmarks.wire import Exchange

GAMES = 64
"""Of one sample, shared by the matches."""
PYZMQ = (sys.executable, "-I", str(Path(__file__).with_name("echo_peer.py")))
Ask = Callable[[int, bytes], None]
"""Send that peer a question, and take its answer. Match m has peers 2m and 2m + 1."""


def pipe_floor(name: str, turns: Sequence[Exchange]) -> Case:
    """Two programs in C over pipes."""
    return Case(name, partial(_pipes, turns), pinned=True)


def _pipes(turns: Sequence[Exchange]) -> Figures:
    with TemporaryDirectory() as name:
        questions, answers = Path(name, "questions"), Path(name, "answers")
        questions.write_bytes(b"".join(turn.question + b"\n" for turn in turns))
        answers.write_bytes(b"".join(turn.answer + b"\n" for turn in turns))
        done = subprocess.run(
            [built("pipe"), questions, answers, str(6 * GAMES)], check=True, capture_output=True
        )
    found: Figures = json.loads(done.stdout)
    return found


def echo(name: str, turns: Sequence[Exchange], kind: str, matches: int = 1, peer: Sequence[str] = ()) -> Case:
    """Over `kind`, "ipc" or "stdio"; the peers are in C where no other program is given."""
    return Case(name, partial(_echo, turns, kind, matches, tuple(peer)), pinned=True)


def _echo(turns: Sequence[Exchange], kind: str, matches: int, peer: Sequence[str]) -> Figures:
    argv = peer or (str(built("peer")),)
    with (
        TemporaryDirectory() as folder,
        (_zeromq if kind == "ipc" else _lines)(Path(folder), turns, argv, 2 * matches) as (ask, peers),
    ):
        for match in range(matches):
            _game(ask, turns, match)
        own, theirs, began = process_time(), _cpu(peers), monotonic()
        for game in range(GAMES):
            _game(ask, turns, game % matches)
        seconds, own, theirs = monotonic() - began, process_time() - own, _cpu(peers) - theirs
    each = 1e6 / GAMES / len(turns)
    return {
        "µs": seconds * each,
        "CPU µs": (own + theirs) * each,
        "referee CPU µs": own * each,
        "bots CPU µs": theirs * each,
    }


def _game(ask: Ask, turns: Sequence[Exchange], match: int) -> None:
    for turn in turns:
        ask(2 * match + turn.seat, turn.question)


def _cpu(peers: Sequence[subprocess.Popen[bytes]]) -> float:
    return sum(clock_gettime(cpu_clock(peer.pid)) for peer in peers)


def _answers(folder: Path, turns: Sequence[Exchange]) -> list[Path]:
    """A file for each seat."""
    files = [folder / f"seat{seat}" for seat in (0, 1)]
    for seat, file in enumerate(files):
        file.write_bytes(b"".join(turn.answer + b"\n" for turn in turns if turn.seat == seat))
    return files


@contextmanager
def _zeromq(
    folder: Path, turns: Sequence[Exchange], argv: Sequence[str], count: int
) -> Iterator[tuple[Ask, list[subprocess.Popen[bytes]]]]:
    files, endpoint = _answers(folder, turns), f"ipc://{folder}/s"
    with zmq.Context() as context, context.socket(zmq.ROUTER) as router:
        router.bind(endpoint)
        peers = [subprocess.Popen([*argv, endpoint, files[n % 2], str(n)]) for n in range(count)]
        greetings = [router.recv_multipart() for _ in peers]
        ids = {int(number): id for id, _, number in greetings}

        def ask(peer: int, question: bytes) -> None:
            router.send_multipart((ids[peer], b"", question))
            router.recv_multipart()

        yield ask, peers
        for id in ids.values():
            router.send_multipart((id, b"", b""))
        for peer in peers:
            peer.wait()


@contextmanager
def _lines(
    folder: Path, turns: Sequence[Exchange], argv: Sequence[str], count: int
) -> Iterator[tuple[Ask, list[subprocess.Popen[bytes]]]]:
    files = _answers(folder, turns)
    peers = [
        subprocess.Popen(
            [*argv, "stdio:", files[n % 2], str(n)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        for n in range(count)
    ]
    pipes = [(peer.stdin, peer.stdout) for peer in peers]
    poller = select.poll()
    for _, out in pipes:
        assert out is not None
        out.readline()
        poller.register(out, select.POLLIN)

    def ask(peer: int, question: bytes) -> None:
        down, out = pipes[peer]
        assert down is not None and out is not None
        down.write(question + b"\n")
        answer = b""
        while not answer.endswith(b"\n"):
            poller.poll(1000)
            answer += out.read(65536)

    yield ask, peers
    for peer in peers:
        peer.communicate()
