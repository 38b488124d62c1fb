"""Whatever a bot is blamed for, the evidence tells its author what happened."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing import Pipe
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from arena.bundles import Bot
from arena.errors import CannotStart
from arena.preflight import REASONS, failures
from arena.suspension import Suspension
from protocol.codec import MAX_MESSAGE, encode
from protocol.record import LogPart, unpack
from protocol.vocabulary import BotId, Fault, FaultKind, GameId, Seat, Verdict, VoidReason
from referee import worker
from referee.clocks import Limits
from referee.faults import EVIDENCE, Misstep
from referee.jobs import Job, Launch
from referee.match import Ask
from referee.players import remote
from referee.players.evidence import WORDS
from referee.players.remote import OTHER_TOKEN, RemotePlayer
from referee.processes import NONE, Exit, Kept, Sandbox, SandboxError, StartError
from referee.replay import read
from referee.transports import Parcel, Transport
from tests.referee.driving import bot_ids, drive, planned, random_player, spec_for

STRICT = Sandbox("strict", memory_mb=256, pids=32)
HERE = cast(Any, "its connection")


class Wire:
    """A transport that carries nothing; `connected`: whether the bot's connection is there."""

    def __init__(self) -> None:
        self.connected = True
        self.half = b""

    def open(self, folder: Path, scheme: str) -> str:
        return "ipc:///x"

    def holds(self, address: object) -> bool:
        return self.connected

    def unfinished(self, address: object) -> bytes:
        return self.half

    def endpoint(self, address: object) -> str:
        return "ipc:///x"

    def nothing(self, *_: object) -> None:
        return None

    join = send = settle = shut = cut = nothing


class Process:
    """A process that has printed something, and perhaps ended."""

    def __init__(self, how: Exit | None, printed: str = "") -> None:
        self.how, self.printed = how, printed
        self.command = cast(Any, type("", (), {"log": Path("logs/x-0.log")}))

    def poll(self) -> Exit | None:
        return self.how

    def tail(self) -> str:
        return self.printed


def a_player(tmp_path: Path, process: Process | None = None, **launch: Any) -> RemotePlayer:
    """One that is to say hello by the time 10, with 2.5 s for it."""
    fields = {"argv": ("x",), "cwd": "/", **launch}
    player = RemotePlayer(Launch(BotId("ann", ""), **fields), cast(Transport, Wire()), tmp_path, Path("log"))
    player.expect()
    player._kept = cast(Kept, process)
    player.asked_at, player.deadline = 7.5, 10.0
    return player


def an_asked(tmp_path: Path, process: Process | None = None, **launch: Any) -> RemotePlayer:
    """One that owes a move to turn 3 of game g by the time 10, with 0.7 s for it."""
    player = a_player(tmp_path, **launch)
    assert not isinstance(player.take(said(player, hello(player.token)), 8.0), Misstep)
    player.ask(Ask(Seat(0), {"type": "turn"}, 3, None), "g")
    player._kept = cast(Kept, process)
    player.asked_at, player.deadline = 9.3, 10.0
    return player


def said(player: RemotePlayer, message: object, flaw: str = "") -> Parcel:
    return Parcel(HERE, message if isinstance(message, bytes) else encode(message), flaw)


def hello(token: str, version: int = 1) -> dict[str, object]:
    return {"type": "hello", "protocol": [version], "token": token}


MOVE = {"type": "move", "game_id": "g", "turn": 3, "action": "K7"}
ANSWERS: dict[str, tuple[object, str]] = {
    "not_json": (b"{oops\x1b[2J", "{oops\\x1b[2J"),
    "bad_utf8": (b'{"type": "caf\xe9"}', "caf\\xe9"),
    "too_large": (b"x" * (MAX_MESSAGE + 1), "65537 bytes; the limit is 65536"),
    "too_deep": (b"[" * 9, "deeper than 8 levels"),
    "not_finite": (b'{"turn": NaN}', '{"turn": NaN}'),
    "int_range": (b'{"turn": 9007199254740993}', "9007199254740993 is not within"),
    "duplicate_key": (b'{"turn": 3, "turn": 4}', "'turn' stands twice"),
    "wrong_type": (MOVE | {"turn": "3"}, "move.turn"),
    "unknown_field": (MOVE | {"card": "K7"}, "no such field (at move.card)"),
    "out_of_turn": (MOVE | {"turn": 2}, "turn 2 where 3 was asked"),
}
GREETINGS: dict[str, tuple[Callable[[str], object], str]] = {
    "bad_token": (lambda token: hello("0" * 32), "not the token of ARENA_TOKEN"),
    "bad_version": (lambda token: hello(token, version=7), "this arena speaks version 1"),
}


@pytest.mark.parametrize(("reason", "answer"), ANSWERS.items())
def test_a_message_that_is_none(reason: str, answer: tuple[object, str], tmp_path: Path) -> None:
    sent, expected = answer
    player = an_asked(tmp_path)
    misstep = player.take(said(player, sent), 9.5)
    assert isinstance(misstep, Misstep) and misstep[:2] == (FaultKind.PROTOCOL_ERROR, reason)
    assert expected in misstep.evidence
    came = misstep.evidence.splitlines()[-1]
    assert came.isprintable() and came[:1] == (sent if isinstance(sent, bytes) else encode(sent))[:1].decode()
    assert len(came) <= EVIDENCE + 1
    assert reason in REASONS


@pytest.mark.parametrize("reason", GREETINGS)
def test_a_hello_that_is_none(reason: str, tmp_path: Path) -> None:
    player = a_player(tmp_path)
    make, expected = GREETINGS[reason]
    misstep = player.take(said(player, make(player.token)), 9.5)
    assert isinstance(misstep, Misstep) and misstep[:2] == (FaultKind.PROTOCOL_ERROR, reason)
    assert expected in misstep.evidence and '"type":"hello"' in misstep.evidence


def test_noise_without_end(tmp_path: Path) -> None:
    player = an_asked(tmp_path)
    misstep = player.take(said(player, b"thinking " * 9000, "flood"), 9.5)
    assert isinstance(misstep, Misstep) and misstep[:2] == (FaultKind.PROTOCOL_ERROR, "flood")
    assert (
        "65536 bytes on its standard output" in misstep.evidence and "thinking thinking" in misstep.evidence
    )


def test_every_reason_of_a_protocol_error_is_in_this_table() -> None:
    assert {*ANSWERS, *GREETINGS, "flood"} == set(REASONS)


# what else may go wrong


def how(code: int | None = None, signal: int | None = None, tail: str = "", resource: str = "") -> Exit:
    return Exit(code, signal, False, tail, resource)


def after_its_end(player: RemotePlayer) -> Misstep | None:
    return player.look(9.9, True) or player.look(9.9, True)


def crashed(tmp_path: Path) -> Misstep | None:
    return after_its_end(an_asked(tmp_path, Process(how(1, tail="KeyError: 'leagl'\n"))))


def crashed_in_silence(tmp_path: Path) -> Misstep | None:
    return after_its_end(an_asked(tmp_path, Process(how(signal=11))))


def left_early(tmp_path: Path) -> Misstep | None:
    return after_its_end(a_player(tmp_path, Process(how(0, tail="usage: bot\n"))))


def late(tmp_path: Path) -> Misstep | None:
    return an_asked(tmp_path, Process(None, "thinking\n")).look(10.1, True)


def never_said_hello(tmp_path: Path) -> Misstep | None:
    return a_player(tmp_path, Process(None)).look(10.1, True)


def said_another_token(tmp_path: Path) -> Misstep | None:
    player = a_player(tmp_path)
    player.suspect(said(player, hello("0" * 32)))
    return player.look(10.1, True)


def forgot_the_newline(tmp_path: Path) -> Misstep | None:
    player = an_asked(tmp_path, transport="stdio")
    cast(Wire, player._transport).half = b'{"type":"mo'
    return player.look(10.1, True)


def hung_up(tmp_path: Path) -> Misstep | None:
    player = an_asked(tmp_path)
    cast(Wire, player._transport).connected = False
    player.look(9.5, True)
    return player.look(10.6, True)


def used_too_much(resource: str) -> Callable[[Path], Misstep | None]:
    return lambda path: after_its_end(
        an_asked(path, Process(how(signal=9, resource=resource)), sandbox=STRICT)
    )


def forbidden(tmp_path: Path) -> Misstep | None:
    return after_its_end(a_player(tmp_path, Process(how(signal=31)), sandbox=STRICT))


def lost_its_keeper(tmp_path: Path) -> Misstep | None:
    return after_its_end(an_asked(tmp_path, Process(how())))


def suspended(tmp_path: Path) -> Misstep:
    return Suspension(
        BotId("ann", ""), FaultKind.CRASH, 3, GameId("3f2a9c"), "2026-01-01T00:00:00+00:00"
    ).misstep


Happened = tuple[Callable[[Path], Misstep | None], FaultKind, str, str]
HAPPENED: list[Happened] = [
    (crashed, FaultKind.CRASH, "exit 1", "KeyError: 'leagl'"),
    (crashed_in_silence, FaultKind.CRASH, "signal 11 (SIGSEGV)", "printed nothing"),
    (left_early, FaultKind.NO_START, "exit 0", "usage: bot"),
    (late, FaultKind.TIMEOUT, "", "nothing came within 700 ms\nthinking"),
    (never_said_hello, FaultKind.NO_START, "no_hello", "nothing came within 2,500 ms"),
    (said_another_token, FaultKind.NO_START, "no_hello", OTHER_TOKEN),
    (forgot_the_newline, FaultKind.TIMEOUT, "", "a line of 11 bytes came that did not end"),
    (hung_up, FaultKind.CRASH, "closed", "its connection is closed"),
    (used_too_much("memory"), FaultKind.RESOURCE_MEMORY, "signal 9 (SIGKILL)", "more than 256 MiB of memory"),
    (used_too_much("pids"), FaultKind.RESOURCE_PIDS, "signal 9 (SIGKILL)", "more than 32 processes"),
    (used_too_much("cpu"), FaultKind.RESOURCE_CPU, "signal 9 (SIGKILL)", "more than the CPU time"),
    (forbidden, FaultKind.SANDBOX_VIOLATION, "signal 31 (SIGSYS)", "its sandbox forbids"),
    (lost_its_keeper, FaultKind.CRASH, "keeper lost", "keeper lost"),
    (suspended, FaultKind.CRASH, "suspended", "3 times crash in a row, last in game 3f2a9c"),
]


@pytest.mark.parametrize(("happened", "kind", "reason", "expected"), HAPPENED)
def test_what_else_may_go_wrong(
    happened: Callable[[Path], Misstep | None], kind: FaultKind, reason: str, expected: str, tmp_path: Path
) -> None:
    misstep = happened(tmp_path)
    assert misstep is not None and misstep[:2] == (kind, reason)
    assert expected in misstep.evidence


def test_an_illegal_move_is_told_with_the_legal_ones() -> None:
    players = [lambda message: "G99", random_player()]
    (fault,) = drive(spec_for("claim"), players)[0].faults
    assert fault.kind is FaultKind.ILLEGAL_MOVE
    assert fault.evidence.startswith("played 'G99'; legal were: ") and len(fault.evidence.split()) > 5


def test_every_kind_of_fault_is_in_these_tables() -> None:
    others = {FaultKind.PROTOCOL_ERROR, FaultKind.ILLEGAL_MOVE}
    assert {kind for _, kind, _, _ in HAPPENED} | others == set(FaultKind)


def test_a_program_that_cannot_be_started(tmp_path: Path) -> None:
    player = RemotePlayer(Launch(BotId("ann", ""), ("no-such-program",), "/"), cast(Transport, Wire()), tmp_path, tmp_path / "log")  # fmt: skip
    with_keeper(player, StartError("cannot start 'no-such-program': No such file or directory"))
    assert player.misstep == (FaultKind.NO_START, "not_started", "cannot start 'no-such-program': No such file or directory")  # fmt: skip
    assert not player.alibi


def failing(error: OSError) -> Callable[[object], Kept]:
    def keep(command: object) -> Kept:
        raise error

    return keep


def with_keeper(player: RemotePlayer, error: OSError) -> None:
    """Start it where that fails so."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(remote, "keep", failing(error))
        player.start(1.0)


# what a bot printed


@pytest.mark.parametrize("kind", FaultKind)
def test_the_log_is_named_and_its_end_is_there_once(kind: FaultKind, tmp_path: Path) -> None:
    printed = "first\n" + "x" * WORDS + "\nlast\n"
    player = an_asked(tmp_path, Process(None, printed))
    heard = kind not in (FaultKind.PROTOCOL_ERROR, FaultKind.ILLEGAL_MOVE)
    fault = Fault(kind, Seat(0), 3, "", printed[-WORDS:] if heard else "why")
    told = player.testify(fault).evidence
    assert told.splitlines()[0] == "log of its process: x-0.log"
    assert told.count("last") == 1 and "first" not in told and len(told) < WORDS + 100
    assert heard or told.splitlines()[-1] == "why"


def test_no_log_is_named_where_nothing_was_printed(tmp_path: Path) -> None:
    fault = Fault(FaultKind.TIMEOUT, Seat(0), 3, "", "why")
    assert an_asked(tmp_path, Process(None)).testify(fault) == fault


# our own fault


@pytest.mark.parametrize(("box", "spoils"), [(NONE, False), (STRICT, True)])
def test_a_lost_keeper_is_ours_where_the_bot_cannot_reach_it(
    box: Sandbox, spoils: bool, tmp_path: Path
) -> None:
    player = an_asked(tmp_path, Process(how()), sandbox=box)
    after_its_end(player)
    ours = (VoidReason.SANDBOX_FAILED, "the keeper of ann was lost")
    assert player.alibi == (ours if spoils else None)
    assert an_asked(tmp_path).alibi is None


def test_a_sandbox_that_cannot_be_put_on_is_ours(tmp_path: Path) -> None:
    player = RemotePlayer(Launch(BotId("ann", ""), ("x",), "/"), cast(Transport, Wire()), tmp_path, tmp_path / "log")  # fmt: skip
    with_keeper(player, SandboxError("landlock", 1))
    assert player.alibi is not None and player.alibi[0] is VoidReason.SANDBOX_FAILED
    assert "landlock" in player.alibi[1] and player.misstep is not None


def test_no_bot_is_told_to_mend_what_the_sandbox_failed_in(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(remote, "keep", failing(SandboxError("landlock", 1)))
    bot = SimpleNamespace(id=BotId("ann", ""), launch=Launch(BotId("ann", ""), ("x",), "/"))
    with pytest.raises(CannotStart, match=r"no bot can be started: .*landlock") as error:
        failures([cast(Bot, bot)], tmp_path / "run", Limits(), tmp_path)
    assert error.value.code == "E303"


def test_a_game_with_an_alibi_is_void_and_the_next_begins_with_new_processes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    starts: list[object] = []

    def keep(command: object) -> Kept:
        starts.append(command)
        raise SandboxError("landlock", 1)

    monkeypatch.setattr(remote, "keep", keep)
    launches = tuple(Launch(bot, ("x",), "/") for bot in bot_ids(2))
    job = Job("job", "claim", launches, (planned(0), planned(1)), Limits(), "secret", str(tmp_path))
    ours, theirs = Pipe()
    with ours, theirs:
        bench = worker.Bench(job, worker.Worker(ours, tmp_path, cast(Transport, Wire())))
        bench.begin_if_ready()
        assert not bench.send()
        done = theirs.recv()
    play = read(unpack(done.record)).play
    assert (play.verdict, play.void) == (Verdict.VOID, VoidReason.SANDBOX_FAILED)
    assert "landlock" in done.trouble and not any(seat.fault for seat in done.result.seats)
    assert bench.planned.id == "g1" and len(starts) == 4


def test_a_game_has_the_part_of_the_log_that_came_in_it(tmp_path: Path) -> None:
    log = tmp_path / "job-0.log"
    player = RemotePlayer(Launch(BotId("ann", ""), ("x",), "/"), cast(Transport, Wire()), tmp_path, log)
    assert player.printed(leaves=True) is None, "it was not started"
    command = SimpleNamespace(log=log, log_cap=1024)
    player._kept = cast(Any, SimpleNamespace(command=command))
    assert player.printed(leaves=False) is None
    said = []
    for size in (100, 100, 512, 900):
        log.write_bytes(b"x" * size)
        said.append(player.printed(leaves=False))
    parts = [(part.start, part.end) if part else None for part in said]
    assert parts == [(0, 100), None, (100, 512), None], "the last began when the first half was full"
    assert player.printed(leaves=True) is None
    player._logged = 100
    last = player.printed(leaves=True)
    assert last == LogPart(file="job-0.log", start=100, end=None)
