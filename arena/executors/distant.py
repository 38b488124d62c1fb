"""An executor whose workers are on other machines, over a link that some engine gives.

    jobs ──► Cutter: units ──► leased ──► link ──► worker ──► link ──► games, void ones again, some played twice
                                 ▲                   │
                                 └── lost: silent, gone, late, in trouble

The engine carries bytes and says who is there; all else is decided here. What a worker does not bring back while its
lease holds is leased again, as the next attempt, and given to another; what comes of the attempt before is stale.
"""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Self

from arena import files
from arena.errors import CannotStart
from arena.executors import ATTEMPTS, MEND, Lease, Revise, unfenced, unrevised
from arena.executors.audit import Audit, Play, Settled, Trial
from arena.executors.crew import BEAT, Care, Crew, Worker, counted, reason
from arena.executors.leases import THOUGHT, Out, first_lease
from arena.executors.link import Link
from arena.executors.orders import Came, Speed, Terms, Unit, Word, packed, unpacked
from arena.executors.units import Cutter, Pace, later, named, without
from protocol.vocabulary import GameId, Verdict, VoidReason
from referee import score
from referee.jobs import GameDone, Glimpse, Job

IN_HAND = 2
"""Units at a time for each core of a worker: while one is played the next is there."""
LOSSES = 10
"""How often a game may be lost with its worker before it is void."""
BOX = 3
"""How much longer than expected a unit may take before no other game of it is begun,"""
LEAST_BOX = 20.0
"""in seconds at least."""
log = logging.getLogger("arena.cluster")


class DistantExecutor:
    """An `Executor`. `bundle` gives the files of a bot by its digest; `logs`: where what bots print is kept."""

    parallel = 1

    def __init__(
        self,
        link: Link,
        terms: Terms,
        bundle: Callable[[str], bytes],
        logs: Path,
        care: Care,
        own: Speed,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._link, self._terms, self._logs, self._care, self._clock = link, terms, logs, care, clock
        self._crew = Crew(terms, care, own, bundle)
        deterministic = (one.id for one in terms.bots if one.manifest.get("deterministic"))
        self._audit = Audit(care.audit, deterministic)
        self._pace, self._longest = Pace(), 0.0
        self._asked: dict[int, str] = {}
        """Workers that were asked something else than to play."""
        self._out: dict[int, Out] = {}
        self._late: dict[int, str] = {}
        """Units that may still come of a worker, whose games are others' by now."""
        self._looked = clock()
        self._cutter = Cutter((), self._pace)
        self._again: deque[tuple[Job, ...]] = deque()
        self._trials: deque[Trial] = deque()
        self._losses: Counter[GameId] = Counter()
        self._idle_since: float | None = None
        self._given_again = 0
        self.units = 0
        """That came back in time."""
        self.spent = 0.0
        """Seconds that workers were about units which came back, all cores together."""
        self._revise: Revise = unrevised
        self._lease: Lease = unfenced

    def __enter__(self) -> Self:
        self._link.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._link.__exit__(kind, error, trace)
        for line in self._summary():
            log.info("%s", line)

    def recall(self, concerned: Callable[[Job], bool]) -> None:
        """Nothing: what waits here is revised when it is handed out, and what is out is over within seconds."""

    def peek(self) -> None:
        """Nothing: games are not seen from here before they are over."""

    def glimpses(self) -> list[tuple[Job, Glimpse]]:
        """None."""
        return []

    def run(
        self,
        jobs: Iterable[Job],
        revise: Revise = unrevised,
        lease: Lease = unfenced,
        timeout: float = 0.5,
    ) -> Iterator[list[GameDone]]:
        """As `Executor.run`."""
        self._revise, self._lease = revise, lease
        self._cutter = Cutter(jobs, self._pace, self._care.unit_seconds)
        while not self._is_over():
            games = list(self._muster())
            self._hand_out()
            games += [
                done for number, said in self._link.answers(timeout) for done in self._take(number, said)
            ]
            yield games

    def _is_over(self) -> bool:
        waiting = self._again or self._trials or not self._cutter.empty
        return not waiting and not self._out

    # who plays

    def _muster(self) -> Iterator[GameDone]:
        """Look who is there, have newcomers tell what they are, and take back from those that are lost or late."""
        now, there = self._clock(), self._link.workers()
        gap, self._looked = now - self._looked, now
        for out in self._out.values():
            out.since += max(0.0, gap - BEAT)
        lost = set(self._crew.meet(there, now - self._link.since_heard()))
        for number, out in list(self._out.items()):
            if out.worker in lost or out.worker not in there:
                yield from self._lose(number, "its worker is lost", late=True)
            elif now > out.since + self._term(out):
                self._crew.strike(out.worker, "it did not bring a unit back in time", out.since, now)
                yield from self._lose(number, "its worker did not bring it back in time", late=True)
        for number in [number for number, worker in self._late.items() if worker not in there]:
            del self._late[number]
            self._link.forget(number)
        self._ask_newcomers(now)
        self._check_anybody(now)
        for trial in [trial for trial in self._trials if not any(self._may_try(trial))]:
            self._trials.remove(trial)
            yield from self._settle(trial, trial.undecided())

    def _ask_newcomers(self, now: float) -> None:
        orders = list(self._crew.orders(now))
        for number in [number for number, worker in self._asked.items() if not self._crew.awaits(worker)]:
            del self._asked[number]  # of one that is gone, or late with it
            self._link.forget(number)
        for worker, order in orders:
            self._asked[self._link.ask(worker.address, packed(order))] = worker.address

    def _check_anybody(self, now: float) -> None:
        """Raise CannotStart where nobody can play, and one has waited for somebody long enough."""
        if self._crew.ready:
            self._idle_since = None
            return
        self._idle_since = now if self._idle_since is None else self._idle_since
        wait, reasons = self._care.wait_seconds, self._crew.absent
        if wait is not None and now - self._idle_since >= wait and not self._crew.hoped_for:
            why = "\n".join(f"  {worker}: {why}" for worker, why in reasons.items()) or "  none has come"
            raise CannotStart(f"no worker of the cluster can play:\n{why}", MEND, "E332")

    # what is played

    def _hand_out(self) -> None:
        busy = Counter(out.worker for out in self._out.values())
        ready = self._crew.ready
        while free := [w for w in ready if busy[w.address] < IN_HAND * w.slots]:
            free.sort(key=lambda w: (w.strikes, busy[w.address] / w.slots))
            tries = ((w, trial) for trial in self._trials for w in free if w in self._may_try(trial))
            if found := next(tries, None):
                worker, trial = found
                self._trials.remove(trial)
                self._give(worker, trial.jobs, busy, trial)
            elif jobs := self._next():
                self._give(free[0], jobs, busy)
            else:
                return

    def _may_try(self, trial: Trial) -> list[Worker]:
        """Who could play it once more: of other machines where there are any, and of no party where two differ."""
        others = [worker for worker in self._crew.ready if worker.address not in trial.workers]
        elsewhere = [worker for worker in others if worker.seen.host not in trial.hosts]
        return elsewhere or (others if len(trial.hosts) < 2 else [])

    def _next(self) -> tuple[Job, ...]:
        """What is to be played next, as it is to be played now; nothing where all is given out."""
        while self._again or not self._cutter.empty:
            jobs = self._again.popleft() if self._again else self._cutter.next(self._crew.slots)
            if revised := tuple(job for one in jobs if (job := self._revise(one))):
                return revised
        return ()

    def _give(
        self, worker: Worker, jobs: tuple[Job, ...], busy: Counter[str], trial: Trial | None = None
    ) -> None:
        if trial is None:
            self._lease(game for job in jobs for game in job.games)
        startup = max(job.limits.startup_seconds or THOUGHT for job in jobs)
        box = startup + max(LEAST_BOX, BOX * self._pace.seconds(jobs), BOX * self._care.unit_seconds)
        ahead = busy[worker.address] // worker.slots + 1
        number = self._link.ask(worker.address, packed(Unit(self._terms, jobs, box)))
        self._out[number] = Out(worker.address, worker.seen.host, jobs, self._clock(), ahead, box, trial)
        busy[worker.address] += 1

    def _term(self, out: Out) -> float:
        """Seconds for which a lease holds: twice as long after each loss, should games only be slow."""
        lost = max(self._losses[game.id] for job in out.jobs for game in job.games)
        usual = self._care.lease_seconds + out.ahead * max(out.box, self._longest)
        return (usual if self._longest else first_lease(out)) * 2**lost  # type: ignore[no-any-return]

    # what comes of it

    def _take(self, number: int, said: bytes | Exception) -> Iterator[GameDone]:
        word = said if isinstance(said, Exception) else _read(said)
        if address := self._asked.pop(number, ""):
            self._crew.take(address, word, self._clock())
            return
        out = self._out.get(number)
        if out is None:
            if self._late.pop(number, "") and isinstance(word, Came):
                yield from word.games  # their lease tells, and whoever listens is told
            return
        if isinstance(word, Came) and (games := out.own(word.games)):
            del self._out[number]
            yield from self._came(out, replace(word, games=games))
        else:
            why = "no game began in the time of a unit" if isinstance(word, Came) else reason(word)
            self._crew.strike(out.worker, why, out.since, self._clock())
            yield from self._lose(number, why)

    def _came(self, out: Out, came: Came) -> Iterator[GameDone]:
        self._longest = max(self._longest, came.seconds)
        self._crew.praise(out.worker)
        if came.speed:
            self._crew.weigh(out.worker, came.speed, self._clock())
        play = Play(out.worker, out.host, came)
        if out.trial:
            yield from self._settle(out.trial, out.trial.take(play))
            return
        self.units += 1
        self.spent += came.seconds
        variants = (done.result.variant for done in came.games)
        self._pace.learn(variants, came.seconds, came.hot, came.start)
        if left := without(out.jobs, came.ids):
            self._again.append(left)
        trial = self._audit.trial(out.jobs, play)
        held = set(trial.plays[0].games) if trial else set()
        if trial:
            self._trials.append(trial)
        yield from self._fit(out, play, [done for done in came.games if done.planned.id not in held])

    def _fit(self, out: Out, play: Play, games: Iterable[GameDone]) -> Iterator[GameDone]:
        """Those of `games` that stand; the void ones are played again, as often as they may be."""
        jobs = {game.lease: (job, game) for job in out.jobs for game in job.games}
        for done in games:
            planned = jobs.get(done.planned.lease)
            tried = done.planned.attempt - self._losses[done.planned.id]
            if planned and done.result.verdict is Verdict.VOID and tried < ATTEMPTS:
                self._play_again([named(planned[0], (planned[1],))])
            else:
                self._write_logs(play, done)
                yield done

    def _settle(self, trial: Trial, settled: Settled) -> Iterator[GameDone]:
        """What a trial has come to."""
        for line in self._audit.note(settled):
            log.warning("audit: %s", line)
        if trial.jobs:
            self._trials.append(trial)
        for worker, bot in settled.odd:
            if not self._audit.believes(bot):
                self._crew.absolve(bot)
            elif self._crew.contradict(worker, bot):
                yield from self._distrust(worker)
        self._play_again(settled.again)
        for play, done in settled.keep:
            self._write_logs(play, done)
            yield done

    def _distrust(self, worker: str) -> Iterator[GameDone]:
        """What it has, and what it said of games that are still compared, counts no more."""
        for number in [number for number, out in self._out.items() if out.worker == worker]:
            yield from self._lose(number, "its worker is contradicted")
        for trial in [*self._trials, *(out.trial for out in self._out.values() if out.trial)]:
            trial.forget(worker)

    def _lose(self, number: int, why: str, late: bool = False) -> Iterator[GameDone]:
        """What a worker has is given to others, in one piece: no block is cut. `late`: it may be about it still."""
        out = self._out.pop(number)
        if late and not out.trial:
            self._late[number] = out.worker
        else:
            self._link.forget(number)
        if out.trial:
            self._trials.append(out.trial)
            return
        self._losses.update(game.id for job in out.jobs for game in job.games)
        tired = {game.id for job in out.jobs for game in job.games if self._losses[game.id] >= LOSSES}
        for job in out.jobs:
            for game in job.games:
                if game.id in tired:
                    yield score.void(job, game, VoidReason.WORKER_LOST, why)
        self._play_again(without(out.jobs, tired))
        self._given_again += 1

    def _play_again(self, jobs: Iterable[Job]) -> None:
        """As the next attempt; what still comes of the one before is stale from now on."""
        if again := later(jobs):
            self._lease(game for job in again for game in job.games)
            self._again.append(again)

    def _write_logs(self, play: Play, done: GameDone) -> None:
        """What bots printed in its job, where records say that it is; with its first game that is kept."""
        for seat in range(len(done.result.seats)):
            for name in play.logs.pop(f"{done.job}-{seat}", ()):
                files.replace(self._logs / name, [play.came.logs[name]], durable=False)

    def _summary(self) -> Iterator[str]:
        crew, audit = self._crew, self._audit
        again = f", {self._given_again} given to another worker" if self._given_again else ""
        lost = f"; {counted(crew.lost, 'worker')} lost" if crew.lost else ""
        refused = f"; {len(crew.refusals)} refused" if crew.refusals else ""
        spent = f" in {self.spent:,.0f} s of their cores" if self.units else ""
        yield f"cluster: {counted(self.units, 'unit')} played{spent}{again}{lost}{refused}"
        if audit.sampled:
            yield f"audit: {audit}"


def _read(said: bytes) -> Word | Exception:
    try:
        return unpacked(said)  # type: ignore[no-any-return]
    except Exception as error:  # whatever somebody else's pickle leads to
        return error
