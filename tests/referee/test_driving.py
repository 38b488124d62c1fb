"""A game is the same game whoever asks the questions; a bot that is waited for leaves nothing behind."""

from __future__ import annotations

import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import timedelta
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from protocol.record import RecordPlay, unpack
from protocol.vocabulary import BotId, FaultKind, Verdict
from referee.clocks import Limits
from referee.driving import drive
from referee.faults import Misstep
from referee.game import GameError
from referee.games import game_of
from referee.jobs import GameDone, Job, JobDone, Launch, Stop
from referee.match import Played
from referee.players import Player
from referee.players.local import LocalPlayer
from referee.players.remote import OTHER_TOKEN
from referee.players.waiting import WaitingPlayer, waiting
from referee.processes import trees
from referee.replay import read
from referee.score import finished, spec_of
from tests.referee.dialing import dial
from tests.referee.driving import planned, spec_for

ROOT = Path(__file__).parents[2]
BAD = ROOT / "tests" / "bad_bots"
ANY = """
from protocol.client import Bot, run

class Any(Bot):
    wants_events = False
    def choose(self, turn):
        assert not turn["events"]
        return self.rng.choice(turn["legal"])

run(Any())
"""
LIMITS = Limits(timedelta(seconds=20), None, timedelta(0), timedelta(seconds=20))


WAYS = ("ipc", "tcp", "stdio")
Sit = Callable[[Launch], AbstractContextManager[WaitingPlayer]]


class Anything(LocalPlayer):
    """In this process what ANY is in one of its own."""

    wants_events = False

    def __init__(self) -> None:
        super().__init__(self._any, self._told)
        self._rng = random.Random()

    def _told(self, message: dict[str, Any]) -> None:
        if message["type"] == "start":
            self._rng = random.Random(message["bot_seed"])

    def _any(self, turn: dict[str, Any]) -> str:
        assert not turn["events"]
        return str(self._rng.choice(turn["legal"]))


@pytest.fixture
def folder() -> Iterator[Path]:
    """With a short path: sockets lie in it."""
    path = Path(tempfile.mkdtemp(prefix="km", dir="/tmp"))
    yield path
    shutil.rmtree(path)


@pytest.fixture
def nothing_left(folder: Path) -> Iterator[None]:
    """Neither process, folder nor descriptor, of players with the folder `run`."""
    before = trees.children(os.getpid()), descriptors()
    yield
    assert not (folder / "run").exists()
    assert (trees.children(os.getpid()), descriptors()) == before


def descriptors() -> set[str]:
    """Without that of the listing itself."""
    return {path.name for path in list(Path("/proc/self/fd").iterdir()) if path.is_symlink()}


def of(script: Path, transport: str = "stdio") -> Launch:
    argv = (sys.executable, str(script))
    return Launch(BotId(script.stem, "0" * 40), argv, str(ROOT), {"PYTHONPATH": str(ROOT)}, transport)


@pytest.fixture
def anything(folder: Path) -> Callable[[str], Launch]:
    """The bot ANY over a transport."""
    script = folder / "any.py"
    script.write_text(ANY)
    return lambda transport: of(script, transport)


def settled(done: GameDone) -> RecordPlay:
    """What is the same on every machine."""
    play = read(unpack(done.record)).play
    assert play.verdict is Verdict.FINISHED and play.actions
    return play


def driven(job: Job, players: list[Player]) -> list[RecordPlay]:
    return [settled(finished(job, game, drive(spec_of(job, game), players))) for game in job.games]


def by_a_worker(job: Job, folder: Path) -> list[RecordPlay]:
    """The job as a referee process plays it."""
    ours, theirs = socket.socketpair()
    with theirs:
        words = (str(theirs.fileno()), "-1", str(folder), "zmtp")
        argv = [sys.executable, "-m", "referee", *words]
        worker = subprocess.Popen(argv, pass_fds=[theirs.fileno()], cwd=ROOT)
    said: list[Any] = []
    with worker, Connection(ours.detach()) as runner:
        runner.send(job)
        while not said or not isinstance(said[-1], JobDone):
            said.append(runner.recv())
        runner.send(Stop())
        assert worker.wait(20) == 0
    return [settled(message) for message in said if isinstance(message, GameDone)]


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize("variant", ["claim/2p/NA-TDS", "claim/3p/GK-UWXTD", "aristoocrazy/2p/quick2013"])
def test_local_players_play_the_games_of_a_worker(
    variant: str, anything: Callable[[str], Launch], folder: Path
) -> None:
    seats = game_of(variant).variant(variant).players
    bots = tuple(anything(WAYS[seat % 3]) for seat in range(seats))
    games = tuple(planned(number, f"deal {number}") for number in range(2))
    job = Job("job", variant, bots, games, LIMITS, "secret", str(folder))
    played = driven(job, [Anything() for _ in bots])
    assert played == by_a_worker(job, folder / "run")
    assert played[0].actions != played[1].actions


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize("way", WAYS)
def test_a_bot_that_is_waited_for_plays_the_same_games(
    way: str, anything: Callable[[str], Launch], folder: Path
) -> None:
    bots = (anything(way), anything(way))
    games = tuple(planned(number, f"deal {number}") for number in range(2))
    job = Job("job", "claim/2p/GK-UWX", bots, games, LIMITS, "secret", str(folder))
    with waiting(bots[0], folder / "run", folder / "log") as player:
        assert player.start(20) is None
        assert driven(job, [player, Anything()]) == driven(job, [Anything(), Anything()])


def test_a_deal_that_does_not_fit_is_an_error_of_ours() -> None:
    with pytest.raises(GameError):
        drive(spec_for("claim", literal=("K7", "K7")), [Anything(), Anything()])


def test_each_seat_is_told_events_or_not_as_it_wants() -> None:
    heard: list[dict[str, Any]] = []

    def choose(turn: dict[str, Any]) -> str:
        heard.extend(turn["events"])
        return str(turn["legal"][0])

    drive(spec_for("claim"), [LocalPlayer(choose), Anything()])
    assert [event["n"] for event in heard] == list(range(1, len(heard) + 1)) != []


def test_a_player_that_runs_dry_is_not_the_end_of_the_game() -> None:
    nothing: Iterator[str] = iter(())
    dry = LocalPlayer(lambda turn: next(nothing))
    with pytest.raises(StopIteration):
        drive(spec_for("claim"), [dry, Anything()])


# a bot that is waited for


@pytest.fixture
def sit(folder: Path, nothing_left: None) -> Sit:
    """A player that is not started yet, and of which nothing is left."""
    return lambda launch: waiting(launch, folder / "run", folder / "log")


def play_first(player: Player, limits: Limits = LIMITS) -> Played:
    """A game against one that plays the first card."""
    first = LocalPlayer(lambda turn: str(turn["legal"][0]))
    return drive(spec_for("claim", limits=limits), [player, first])


@pytest.mark.parametrize("way", WAYS)
def test_a_sound_bot_leaves_by_itself(way: str, sit: Sit, anything: Callable[[str], Launch]) -> None:
    before = descriptors()
    with sit(anything(way)) as player:
        assert player.start(20) is None
        assert play_first(player).verdict is Verdict.FINISHED
        ended = player.leave()
        assert ended is not None and (ended.code, ended.killed) == (0, False)
        assert player.leave() is None
        assert descriptors() == before


def test_one_that_does_not_leave_is_ended(sit: Sit, folder: Path) -> None:
    script = folder / "stays.py"
    script.write_text(ANY + "\nimport time\ntime.sleep(3600)\n")
    with sit(of(script)) as player:
        assert player.start(20) is None
        ended = player.leave()
        assert ended is not None and ended.killed


def test_a_daemon_goes_with_its_bot(sit: Sit) -> None:
    with sit(of(BAD / "daemon.py")) as player:
        assert player.start(20) is None
        assert play_first(player).verdict is Verdict.FINISHED


def test_a_fault_ends_it_and_it_is_asked_no_more(sit: Sit) -> None:
    with sit(of(BAD / "raises.py")) as player:
        assert player.start(20) is None
        for _ in range(2):
            (fault,) = play_first(player).faults
            assert (fault.kind, fault.reason) == (FaultKind.CRASH, "exit 1")
            assert "KeyError: 'leagl'" in fault.evidence
        ended = player.leave()
        assert ended is not None and ended.code == 1


@pytest.mark.parametrize("way", WAYS)
def test_one_that_hangs_up_is_not_waited_for_where_there_is_no_limit(way: str, sit: Sit) -> None:
    with sit(of(BAD / "hangs_up.py", way)) as player:
        assert player.start(None) is None
        (fault,) = play_first(player, Limits(timedelta(seconds=20), None, timedelta(0), None)).faults
        assert (fault.kind, fault.reason) == (FaultKind.CRASH, "closed")


def test_after_an_illegal_move_it_stays_and_is_told_the_end(sit: Sit) -> None:
    with sit(of(BAD / "cheats.py")) as player:
        assert player.start(20) is None
        for _ in range(2):
            (fault,) = play_first(player).faults
            assert fault.kind is FaultKind.ILLEGAL_MOVE
        ended = player.leave()
        assert ended is not None and (ended.code, ended.killed) == (0, False)


@pytest.mark.parametrize("way", WAYS)
def test_a_program_that_is_not_there_is_a_fault_of_every_game(way: str, sit: Sit) -> None:
    with sit(replace(of(BAD / "dies.py", way), argv=("no-such-program",))) as player:
        misstep = player.start(20)
        assert misstep is not None and (misstep.kind, misstep.reason) == (FaultKind.NO_START, "not_started")
        assert "no-such-program" in misstep.evidence
        (fault,) = play_first(player).faults
        assert fault.kind is FaultKind.NO_START
        assert player.leave() is None


def test_one_that_was_never_started_leaves_nothing(sit: Sit) -> None:
    with sit(of(BAD / "dies.py")) as player:
        assert player.leave() is None


STRANGE = """
import os, zmq

socket = zmq.Context().socket(zmq.REQ)
socket.linger = 0
socket.connect(os.environ["ARENA_ENDPOINT"])
socket.send_json({"type": "hello", "protocol": [1], "token": "my own"})
socket.poll(1000)
raise SystemExit("nobody answers")
"""


@pytest.mark.parametrize("way", ["ipc", "tcp"])
def test_one_that_leaves_since_its_token_is_wrong_is_told_so(way: str, sit: Sit, folder: Path) -> None:
    script = folder / "strange.py"
    script.write_text(STRANGE)
    with sit(of(script, way)) as player:
        misstep = player.start(20)
    assert misstep == Misstep(FaultKind.NO_START, "exit 1", f"nobody answers\n{OTHER_TOKEN}")


@pytest.mark.parametrize("way", ["ipc", "tcp"])
def test_a_program_that_somebody_else_starts(
    way: str, anything: Callable[[str], Launch], folder: Path
) -> None:
    """A stranger at its endpoint, whose token is wrong, gets no answer; who comes later is refused."""
    bot = anything(way)
    endpoints: list[str] = []
    started: list[subprocess.Popen[bytes]] = []

    def begin(told: dict[str, str]) -> None:
        assert set(told) == {"ARENA_ENDPOINT", "ARENA_TOKEN", "ARENA_PROTOCOL"}
        endpoints.append(told["ARENA_ENDPOINT"])
        for more in ({"ARENA_TOKEN": "0" * 32}, {}):
            started.append(subprocess.Popen(bot.argv, env={**bot.env, **told, **more}))

    with waiting(bot, folder / "run", folder / "log") as player:
        assert player.expect(begin) is None
        with pytest.raises(ConnectionRefusedError):
            dial(endpoints[0])
        assert play_first(player).verdict is Verdict.FINISHED
        assert player.leave() is None
    stranger, own = started
    assert own.wait(20) == 0
    assert stranger.poll() is None
    stranger.kill()
    stranger.wait()
