"""Who has the core: bots that think out of turn, bots that the host starves, and bots that claim it did.

With a real referee process, on one core with its bots.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from protocol.record import unpack
from protocol.vocabulary import BotId
from referee.clocks import Limits
from referee.jobs import GameDone, Job, JobDone, Launch, Stop
from tests.referee.driving import planned

ROOT = Path(__file__).parents[2]
CORE = min(os.sched_getaffinity(0))
LIMITS = Limits(timedelta(seconds=20), None, timedelta(0), timedelta(seconds=5))
HEAD = """
import os, select, signal, sys, threading, time
from tests.bad_bots.bare import follow, hello, move, say

def burn(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass

def first(heard):
    say(move(heard))
"""
FIRST = "say(hello()); follow(first)"
"""Plays the first card that it may, at once."""
THINKS = """
def think(heard):
    if heard["turn"] <= 5:
        burn(0.1)
    say(move(heard))
say(hello()); follow(think)
"""
"""Computes for a tenth of a second in each of its first moves."""
SPINS = """
def spin(heard):
    say(move(heard) | {"note": str(time.process_time())})
    while not select.select([0], [], [], 0)[0]:
        pass
say(hello()); follow(spin)
"""
"""Spins when it is not to move; each of its moves notes what it has used so far."""
CHILD_SPINS = """
child = os.fork()
while not child:
    pass
def tell(heard):
    say(move(heard) | {"note": str(time.clock_gettime(~child << 3 | 2))})
say(hello()); follow(tell)
"""
"""The same, by a process that it starts."""
ANSWERS_WHILE_NOBODY_LISTENS = """
def stop(heard):
    if heard["turn"] == 2:
        referee = int(os.environ["REFEREE"])
        os.kill(referee, signal.SIGSTOP)
        time.sleep(0.1)
        say(move(heard))
        time.sleep(0.9)
        os.kill(referee, signal.SIGCONT)
    else:
        say(move(heard))
say(hello()); follow(stop)
"""
NEEDS_ITS_TIME = """
def need(heard):
    if heard["turn"] == 2:
        thinks = threading.Thread(target=burn, args=(0.3,))
        thinks.start()
        thinks.join()
    say(move(heard))
say(hello()); follow(need)
"""
"""Well within half a second, on a core of its own."""
HANGS = """
def hang(heard):
    burn(0.01)
    time.sleep(3600)
say(hello()); follow(hang)
"""
IN_ITS_OWN_WAY = """
def crowd(heard):
    if heard["turn"] == 2:
        for _ in range(7):
            if not os.fork():
                while True:
                    pass
        burn(0.3)
    say(move(heard))
say(hello()); follow(crowd)
"""
"""The same with processes of its own that keep it from its core."""
HIDES_THEM = """
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
def hide(heard):
    if heard["turn"] == 2:
        burn(0.12)
        children = []
        for _ in range(7):
            children.append(os.fork())
            while not children[-1]:
                pass
        burn(0.02)
        for child in children:
            os.kill(child, 9)
        burn(0.14)
    say(move(heard))
say(hello()); follow(hide)
"""
"""The same with processes that begin when it is watched already, and end, unseen by their parent, in time."""


OVER_A_SOCKET = """
import json, socket
from referee.transports.zmtp import COMMAND, GREETING, frame
peer = socket.socket(socket.AF_UNIX)
peer.connect(os.environ["ARENA_ENDPOINT"].removeprefix("ipc://"))

def heard(what):
    data = b""
    while not data.endswith(what):
        data += peer.recv(1 << 16)
    return data

def greet():
    peer.sendall(GREETING + frame(COMMAND, b"\\x05READY\\x0bSocket-Type\\0\\0\\0\\x06DEALER"))
    peer.sendall(frame(0, json.dumps(hello()).encode()))
    start = heard(b'}')
    game_id = start.partition(b'"game_id":"')[2].partition(b'"')[0].decode()
    peer.sendall(frame(0, json.dumps({"type": "ready", "game_id": game_id}).encode()))
    heard(b'}')
    return {"type": "move", "game_id": game_id, "turn": 1, "action": "x" * 99}

def drip(data):
    for byte in data:
        peer.sendall(bytes([byte]))
        time.sleep(0.05)
"""
HALF_A_GREETING = OVER_A_SOCKET + "drip(GREETING)"
A_BYTE_AT_A_TIME = OVER_A_SOCKET + "drip(frame(0, json.dumps(greet()).encode()))"
PINGS = (
    OVER_A_SOCKET + "greet()\nwhile True: peer.sendall(frame(COMMAND, b'\\x04PING\\0\\0')); time.sleep(0.05)"
)


class Referee:
    """A worker process on CORE; its bots' folders lie below `folder`."""

    def __init__(self, folder: Path) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            words = (str(theirs.fileno()), str(CORE), str(folder / "run"), "zmtp")
            argv = [sys.executable, "-m", "referee", *words]
            self.process = subprocess.Popen(argv, pass_fds=[theirs.fileno()], cwd=ROOT)
        self.runner = Connection(ours.detach())
        self._folder = folder

    def play(self, limits: Limits, *programs: str, first: str = "stdio") -> dict[str, Any]:
        """The record of one game between bots of these programs; `first`: the transport of the first."""
        ways = (first, "stdio")
        seats = tuple(
            self._launch(f"bot{number}", text, ways[number]) for number, text in enumerate(programs)
        )
        job = Job("job", "claim/2p/NA-TDS", seats, (planned(),), limits, "secret", str(self._folder))
        self.runner.send(job)
        said: list[Any] = []
        while not said or not isinstance(said[-1], JobDone):
            said.append(self.runner.recv())
        (done,) = (message for message in said if isinstance(message, GameDone))
        record: dict[str, Any] = json.loads(unpack(done.record))
        return record

    def _launch(self, name: str, program: str, transport: str) -> Launch:
        script = self._folder / f"{name}.py"
        script.write_text(HEAD + program)
        env = {"PYTHONPATH": str(ROOT), "REFEREE": str(self.process.pid)}
        return Launch(BotId(name, "0" * 40), (sys.executable, str(script)), str(ROOT), env, transport)


@pytest.fixture
def referee(tmp_path: Path) -> Iterator[Referee]:
    referee = Referee(tmp_path)
    with referee.process, referee.runner:
        yield referee
        referee.runner.send(Stop())
        assert referee.process.wait(20) == 0
    assert not (tmp_path / "run").exists()


@contextmanager
def hogs(number: int) -> Iterator[None]:
    """So many processes of somebody else that spin on CORE; in a session of its own each has a full share of it."""
    spin = f"import os\nos.sched_setaffinity(0, {{{CORE}}})\nwhile True: pass"
    started = [subprocess.Popen([sys.executable, "-c", spin], start_new_session=True) for _ in range(number)]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


def moves(record: dict[str, Any], what: str, seat: int) -> list[Any]:
    """A list of the account, of one seat."""
    actions = record["play"]["actions"]
    return [value for value, (who, _) in zip(record["account"][what], actions, strict=True) if who == seat]


def spun(record: dict[str, Any]) -> float:
    """CPU seconds that the bot of seat 1 had used by its last move, as it noted itself, from its first move on."""
    notes = record["account"]["notes"]
    of_seat = [float(notes[str(n)]) for n, (who, _) in enumerate(record["play"]["actions"]) if who == 1]
    return of_seat[-1] - of_seat[0]


@pytest.mark.parametrize(
    ("program", "pondering"), [(SPINS, False), (CHILD_SPINS, False), (CHILD_SPINS, True)],
    ids=["itself", "by a child", "allowed"],
)  # fmt: skip
def test_a_bot_that_spins_out_of_turn_is_stopped_unless_it_may(
    program: str, pondering: bool, referee: Referee
) -> None:
    record = referee.play(replace(LIMITS, pondering=pondering), THINKS, program)
    assert record["play"]["verdict"] == "finished"
    assert (spun(record) > 0.25) == pondering
    assert record["account"]["pondering"] == ("on" if pondering else "off")


def test_the_cpu_time_of_a_move_is_in_its_record(referee: Referee) -> None:
    record = referee.play(LIMITS, THINKS, FIRST)
    long = [cpu_ms >= 100 for cpu_ms in moves(record, "cpu_ms", 0)]
    assert all(long[:5]) and not any(long[5:])
    assert max(moves(record, "cpu_ms", 1)) < 50


def test_a_referee_that_was_stopped_charges_nobody_for_it(referee: Referee) -> None:
    limits = replace(LIMITS, move=timedelta(seconds=0.8))
    record = referee.play(limits, ANSWERS_WHILE_NOBODY_LISTENS, FIRST)
    assert (record["play"]["verdict"], record["play"]["faults"]) == ("finished", [])
    assert record["account"]["lag_ms"] > 500


def test_a_bot_that_the_host_starved_has_not_lost(referee: Referee) -> None:
    limits = replace(LIMITS, move=timedelta(seconds=0.5))
    with hogs(2):
        record = referee.play(limits, NEEDS_ITS_TIME, FIRST)
    assert (record["play"]["verdict"], record["play"]["void"]) == ("void", "host_lag")
    assert "bot0 was late" in record["account"]["trouble"]


@pytest.mark.parametrize("program", [IN_ITS_OWN_WAY, HIDES_THEM], ids=["openly", "hidden"])
def test_a_bot_cannot_claim_what_its_own_processes_took(program: str, referee: Referee) -> None:
    record = referee.play(replace(LIMITS, move=timedelta(seconds=0.3)), program, FIRST)
    (fault,) = record["play"]["faults"]
    assert (fault["kind"], fault["seat"]) == ("timeout", 0)


def test_one_that_hangs_has_lost_whatever_the_host_does(referee: Referee) -> None:
    with hogs(2):
        record = referee.play(replace(LIMITS, move=timedelta(seconds=0.3)), FIRST, HANGS)
    (fault,) = record["play"]["faults"]
    assert (fault["kind"], fault["seat"]) == ("timeout", 1)


@pytest.mark.parametrize(
    ("program", "expected"),
    [(HALF_A_GREETING, "no_start"), (A_BYTE_AT_A_TIME, "timeout"), (PINGS, "timeout")],
    ids=["half a greeting", "a byte at a time", "pings"],
)
def test_there_is_one_deadline_whatever_comes_before_it(
    program: str, expected: str, referee: Referee
) -> None:
    limits = replace(LIMITS, startup=timedelta(seconds=1.5), move=timedelta(seconds=0.3))
    record = referee.play(limits, program, FIRST, first="ipc")
    (fault,) = record["play"]["faults"]
    assert (fault["kind"], fault["seat"]) == (expected, 0)
