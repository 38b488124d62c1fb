"""The processes that play on a worker: whose they are, when they leave, and what they refuse."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from arena.executors import remote
from arena.executors.orders import Enlist, Entrant, Look, Terms, packed, unpacked
from arena.executors.remote import SeatLost
from arena.executors.stage import LEAST
from protocol.vocabulary import BotId
from referee.clocks import Limits

ECHO = """
import os, sys, time
from multiprocessing.connection import Connection
there = Connection(int(sys.argv[1]))
while True:
    order = there.recv_bytes()
    if order == b"hang":
        there.recv_bytes()
    if order == b"crash":
        os._exit(7)
    if order == b"alone":
        there.send_bytes(b"")
        time.sleep(0.2)
    if order.startswith(b"open"):
        there.send_bytes(b"")
        follower = there.recv_bytes()
        if order == b"open crash":
            os._exit(7)
        if order == b"open trouble":
            there.send_bytes(b"trouble")
            os._exit(0)
        there.send_bytes(b"first of %d" % os.getpid())
        there.send_bytes(b"second of %d" % os.getpid())
        continue
    there.send_bytes(str(os.getpid()).encode())
    if order == b"leave":
        there.recv_bytes()
        os._exit(0)
"""


@pytest.fixture
def real(monkeypatch: pytest.MonkeyPatch) -> Iterator[remote._Seats]:
    """Those of a worker."""
    started = []

    class Seat(remote._Seat):
        def __init__(self) -> None:
            super().__init__()
            started.append(self)

    monkeypatch.setattr(remote, "_Seat", Seat)
    yield remote._Seats()
    for seat in started:
        seat.end()
        seat._process.wait()
        seat._connection.close()


@pytest.fixture
def seats(real: remote._Seats, monkeypatch: pytest.MonkeyPatch) -> remote._Seats:
    """With another program in place of the one that plays."""
    monkeypatch.setattr(remote, "PROGRAM", ("-c", ECHO))
    return real


def busy(seats: remote._Seats, pool: ThreadPoolExecutor, run: str) -> Future[bytes]:
    """A run whose order takes without end; once it is under way."""
    before = len(seats._busy)
    asked = pool.submit(seats.ask, run, b"hang")
    while len(seats._busy) == before:
        time.sleep(0.01)
    return asked


def test_a_seat_is_kept_for_the_next_order_of_whatever_run(seats: remote._Seats) -> None:
    assert seats.ask("a", b"") == seats.ask("b", b"")


def test_a_run_that_ends_ends_its_own_orders_and_no_others(seats: remote._Seats) -> None:
    with ThreadPoolExecutor(2) as pool:
        mine, theirs = busy(seats, pool, "a"), busy(seats, pool, "b")
        seats.dismiss("a")
        with pytest.raises(SeatLost):
            mine.result(10)
        assert [(held.run, held.seat.lives) for held in seats._busy] == [("b", True)]
        seats.dismiss("b")
        with pytest.raises(SeatLost):
            theirs.result(10)


def followed(
    seats: remote._Seats, pool: ThreadPoolExecutor, order: bytes, run: str = "a"
) -> tuple[Future[bytes], Future[bytes]]:
    """An order of run a whose seat can take another, and one of `run` that comes then."""
    opened = threading.Event()
    first = pool.submit(seats.ask, "a", order, opened.set)
    assert opened.wait(10)
    return first, pool.submit(seats.ask, run, b"next")


def test_a_seat_that_is_nearly_done_takes_the_next_order_of_its_run(seats: remote._Seats) -> None:
    with ThreadPoolExecutor(2) as pool:
        first, second = (one.result(10) for one in followed(seats, pool, b"open"))
    assert first.startswith(b"first of ") and second == first.replace(b"first", b"second")
    assert len(seats._idle) == 1 and not seats._busy, "and is there once"


def test_another_run_waits_until_it_is_done(seats: remote._Seats) -> None:
    """It is nobody's business what becomes of that run, and a second seat would share the core."""
    with ThreadPoolExecutor(2) as pool:
        first, theirs = followed(seats, pool, b"alone", run="b")
        assert first.result(10) == theirs.result(10), "the same process"


def test_what_follows_is_lost_with_its_seat_but_not_by_the_trouble_of_the_one_before(
    seats: remote._Seats,
) -> None:
    with ThreadPoolExecutor(2) as pool:
        for lost in followed(seats, pool, b"open crash"):
            with pytest.raises(SeatLost, match="ended with 7"):
                lost.result(10)
        first, second = (one.result(10) for one in followed(seats, pool, b"open trouble"))
    assert first == b"trouble" and second.isdigit(), "another seat did it"


def test_one_that_leaves_as_an_order_comes_is_replaced_and_one_that_crashes_is_not(
    seats: remote._Seats,
) -> None:
    first = seats.ask("a", b"leave")  # it takes one more, and is gone
    second = seats.ask("a", b"")
    assert first != second
    with pytest.raises(SeatLost, match="ended with 7"):
        seats.ask("a", b"crash")


@pytest.mark.parametrize(
    ("least", "says"),
    [("default", "bots are kept in mode default at least there"), ("defualt", "'defualt' there")],
)
def test_what_a_worker_does_not_play(
    real: remote._Seats, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, least: str, says: str
) -> None:
    """Bots in a mode below its own least, and what another version asks: that it says, and does not hang."""
    monkeypatch.setenv("KINGMAKER_HOME", str(tmp_path))
    monkeypatch.setenv(LEAST, least)
    terms = Terms({}, (Entrant(BotId("a", "d" * 40), {"name": "a", "run": ["./a"]}),), Limits(), "none")
    report = unpacked(real.ask("a", packed(Look(terms))))
    assert says in report.flaw
    (flaw,) = unpacked(real.ask("a", packed(Enlist(terms, {})))).flaws
    assert says in flaw, "nor if it was not looked at before"
    trouble = unpacked(real.ask("a", b"kingmaker 0.0.1 with Python 3.9\n\x80"))
    assert "it has kingmaker 0.0.1" in trouble.why
    assert unpacked(real.ask("a", packed(Enlist(terms, {})))).flaws, "and goes on"
