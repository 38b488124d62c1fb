"""The referee process: many matches on one poller, on one core with their bots.

Bots of a match think in turn, so a worker and its bots share a core and nothing is lost by it: a core has
one bot thinking at a time, whose clock no other bot's thinking can touch.
"""

from __future__ import annotations

import traceback
from collections import deque
from collections.abc import Generator
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic, process_time

from protocol.messages import Hello, Move, Ready
from protocol.record import LogPart
from protocol.vocabulary import Seat, VoidReason
from referee import score
from referee.absent import forfeits, is_lost
from referee.faults import Misstep
from referee.jobs import (
    FromWorker,
    Glimpse,
    Glimpses,
    Job,
    JobDone,
    Peek,
    PlannedGame,
    Recall,
    Stop,
    Wanting,
)
from referee.match import Action, Ask, Played, Reply, play
from referee.players.remote import GRACE, RemotePlayer, turn_away
from referee.processes import Kept, reap_strays
from referee.transports import TICK, Parcel, Transport

IN_HAND = 4
"""Jobs at a time, where all their bots are quick: matches take turns, a game at a time, and while bots of one
start another is played."""


class Bench:
    """A job under way: its players, and the one game that they are in."""

    def __init__(self, job: Job, worker: Worker) -> None:
        self.job = job
        self.players = [
            RemotePlayer(
                launch,
                worker.transport,
                worker.folder,
                Path(job.logs, f"{job.id}-{seat}.log"),
                job.limits.pondering,
            )
            for seat, launch in enumerate(job.seating)
        ]
        self._worker = worker
        self._games = deque(job.games)
        self._match: Generator[Ask, Reply, Played] | None = None
        self._score: list[Action] = []
        """Of that game, so far."""
        self._ask: Ask | None = None
        self.asked: RemotePlayer | None = None
        """Who is to be asked, or is thinking."""
        self._lag = 0.0
        """The worst of this game."""
        self._startup = job.limits.startup_seconds
        for player in self.players:
            player.start(self._startup)

    @property
    def planned(self) -> PlannedGame:
        """The game that is played, or the next one."""
        return self._games[0]

    @property
    def done(self) -> bool:
        """Whether all games have been played."""
        return not self._games

    @property
    def glimpse(self) -> Glimpse | None:
        """How far its game is; None between two games."""
        if self._match is None:
            return None
        actions = tuple((action.seat, action.text, action.ms) for action in self._score)
        return Glimpse(self.job.id, self.planned, actions)

    def begin_if_ready(self) -> None:
        """Start the next game once every player has said hello, or failed to."""
        if self._match is None and not self.done and not any(p.greeting for p in self.players):
            deaf = [Seat(seat) for seat, player in enumerate(self.players) if not player.wants_events]
            self._lag, self._score = 0.0, []
            self._match = play(score.spec_of(self.job, self.planned), deaf, self._score)
            self._advance(None)

    def send(self) -> bool:
        """Put the question that waits to its player; False where the answer is there at once."""
        assert self._ask is not None and self.asked is not None
        misstep = self.asked.ask(self._ask, self._ask.message["game_id"])
        if misstep is not None:
            self.answer(misstep, 0.0)
        return misstep is None

    def answer(self, answer: Move | Ready | Misstep, seconds: float) -> None:
        """Give the match what it asked for; where a misstep is not the bot's own, there is no match any more."""
        player = self.asked
        assert player is not None
        if player.alibi:
            self._spoil(*player.alibi)
        else:
            self._lag = max(self._lag, player.lag)
            self._advance(Reply(answer, seconds, player.cpu))

    def _advance(self, reply: Reply | None) -> None:
        assert self._match is not None
        self._ask = self.asked = None
        try:
            self._ask = ask = self._match.send(reply) if reply else next(self._match)
            self.asked = self.players[ask.seat]
        except StopIteration as stop:
            played: Played = stop.value
            played.faults = [self.players[fault.seat].testify(fault) for fault in played.faults]
            done = score.finished(self.job, self.planned, played, self._lag, self._printed())
            self._close(done, fresh=self.job.fresh)
        except Exception:  # our own mistake: the game is void, the others go on
            self._spoil(VoidReason.REFEREE_ERROR, traceback.format_exc())
        else:
            self._worker.wants_to_ask(self, at_once=reply is not None)

    def _printed(self) -> dict[Seat, LogPart]:
        """By seat, where what its bot printed in the game that has ended stands."""
        last = len(self._games) == 1 or self.job.fresh
        parts = {
            Seat(at): player.printed(last or player.misstep is not None)
            for at, player in enumerate(self.players)
        }
        return {seat: part for seat, part in parts.items() if part}

    def _spoil(self, reason: VoidReason, trouble: str) -> None:
        """The game is void, and none of its processes is used again."""
        self._ask = self.asked = None
        self._close(score.void(self.job, self.planned, reason, trouble), fresh=True)

    def recall(self) -> None:
        """Begin no other game."""
        self._games = deque([self.planned] if self._match else [])
        if self.done:
            for player in self.players:
                self._worker.part_with(player)

    def _close(self, result: FromWorker, fresh: bool) -> None:
        self._match = None
        self._games.popleft()
        self._worker.tell(result)
        for player in self.players:
            if self.done or fresh or player.misstep is not None:
                self._worker.part_with(player)
                if not self.done:
                    player.start(self._startup)
        self.begin_if_ready()


class Worker:
    """One poller over all players of its jobs."""

    def __init__(self, runner: Connection, folder: Path, transport: Transport) -> None:
        self.transport = transport
        self.folder = folder
        self._runner = runner
        self._benches: list[Bench] = []
        self._asking: deque[Bench] = deque()
        """Whose question comes next."""
        self._thinking: Bench | None = None
        self._leaving: list[tuple[float, Kept]] = []
        self._ran = process_time()
        """Our CPU time at the last tick."""
        self._heard_all = False
        """Nothing that a bot has sent is unread."""
        self._wanting = False
        """The runner knows that a job can be taken."""
        self._stopping = False

    # what benches ask of it

    def tell(self, message: FromWorker) -> None:
        """Report to the runner."""
        self._runner.send(message)

    def wants_to_ask(self, bench: Bench, at_once: bool) -> None:
        """`bench` has a question; it is put when the core is free, `at_once` before those of others."""
        if at_once:
            self._asking.appendleft(bench)
        else:
            self._asking.append(bench)

    def part_with(self, player: RemotePlayer) -> None:
        """End a player's process, without waiting for it."""
        at_once = player.misstep is not None
        kept = player.leave("no more games for this process")
        if kept is not None:
            self._leaving.append((monotonic() + (0 if at_once else GRACE), kept))

    # the loop

    def run(self) -> None:
        """Until the runner says so, or is gone."""
        now = next_tick = monotonic()
        while not self._stopping:
            self._put_questions()
            listening = monotonic()
            self._excuse(now, listening - now)
            parcel = self.transport.receive()
            now = monotonic()
            # It waits no longer than a tick; work on what bots send, which is since the last look, is their time.
            if now - listening > 2 * TICK:
                self._excuse(listening, now - listening - TICK - (process_time() - self._ran))
            self._heard_all = parcel is None
            if parcel is not None:
                self._deliver(parcel, now)
            if parcel is None or now >= next_tick:
                self._tick(now)
                next_tick, self._ran = now + TICK, process_time()
        self._end_all()

    def _excuse(self, since: float, seconds: float) -> None:
        """Time in which this process did not listen (it started bots, had no core) is nobody else's."""
        if seconds > TICK:
            for bench in self._benches:
                for player in bench.players:
                    player.excuse(since, seconds)

    def _put_questions(self) -> None:
        while self._thinking is None and self._asking:
            bench = self._asking.popleft()
            if bench.send():
                self._thinking = bench

    def _deliver(self, parcel: Parcel, now: float) -> None:
        bench = self._thinking
        player = None if bench is None else bench.asked
        if bench is None or player is None or player.address != parcel.address:
            self._greet_or_blame(parcel, now)
            return
        self._thinking = None
        answer = player.take(parcel, now)
        assert not isinstance(answer, Hello)
        bench.answer(answer, now - player.asked_at)

    def _greet_or_blame(self, parcel: Parcel, now: float) -> None:
        """A message of somebody who was not asked: a greeting, one out of turn, or a stranger's."""
        for bench in self._benches:
            for player in bench.players:
                known = player.address == parcel.address
                if known or (player.greeting and player.token.encode() in parcel.payload):
                    player.take(parcel, now)
                    bench.begin_if_ready()
                    return
        turn_away(parcel, (player for bench in self._benches for player in bench.players), self.transport)

    def _tick(self, now: float) -> None:
        for bench in list(self._benches):
            for player in bench.players:
                asked, misstep = player.asked, player.look(now, self._heard_all)
                if misstep is not None and asked:
                    self._thinking = None
                    bench.answer(misstep, now - player.asked_at)
            bench.begin_if_ready()
            if bench.done:
                self._benches.remove(bench)
                self.tell(JobDone(bench.job.id))
        self._leaving = [(due, kept) for due, kept in self._leaving if not _gone(kept, due, now)]
        if not self._wanting and self._can_take_a_job():
            self._wanting = True
            self.tell(Wanting())
        self._hear_runner()

    def _can_take_a_job(self) -> bool:
        """Starting bots takes the core from those that think on it: only quick ones can bear that."""
        if len(self._benches) >= IN_HAND:
            return False
        return all(player.quick for bench in self._benches for player in bench.players)

    def _hear_runner(self) -> None:
        while not self._stopping and self._runner.poll():
            try:
                message = self._runner.recv()
            except (EOFError, OSError):
                self._stopping = True
                return
            match message:
                case Stop():
                    self._stopping = True
                case Recall():
                    self._recall(message.job)
                case Peek():
                    self.tell(Glimpses(tuple(g for bench in self._benches if (g := bench.glimpse))))
                case Job():
                    self._wanting = False
                    self._take(message)

    def _take(self, job: Job) -> None:
        if not is_lost(job):
            self._benches.append(Bench(job, self))
            return
        for done in forfeits(job):
            self.tell(done)
        self.tell(JobDone(job.id))

    def _recall(self, job: str) -> None:
        """Nothing where the job is done: it was when the runner had not heard of that yet."""
        for bench in self._benches:
            if bench.job.id == job:
                bench.recall()

    def _end_all(self) -> None:
        for bench in self._benches:
            for player in bench.players:
                self.part_with(player)
        while self._leaving:
            now = monotonic()
            self._leaving = [(due, kept) for due, kept in self._leaving if not _gone(kept, due, now)]
            self.transport.receive()
        reap_strays()
        self.transport.close()


def _gone(kept: Kept, due: float, now: float) -> bool:
    if kept.poll() is not None:
        return True
    if now >= due:
        kept.kill()
    return False
