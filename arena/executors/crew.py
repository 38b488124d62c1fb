"""The workers of a cluster: who is there, who may play, and who not, and why.

    met ──► looked at ──► enlisted ──► ready ──► gone
     │          │             │          │
     └──────────┴── refused ◄─┴──────────┘     looked at again, where it may be better by then

Whatever its stage, one that is silent is asked nothing and plays nothing until it is heard of again.

Decides, and does nothing: orders are asked for by `orders`, and what came of them is told by `take`. Knows no engine
and no clock.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import inf
from typing import Literal

from arena.executors.fitness import poor, unfit
from arena.executors.orders import Enlist, Enlisted, Foreign, Look, Order, Report, Speed, Terms, Trouble, Word
from protocol.vocabulary import BotId

STRIKES = 3
"""How often in a row a worker may lose what it was given."""
ODD = 2
"""How often two others may contradict it: once that can be by a bot that is not deterministic. It is for good, unless
that bot turns out to be the reason."""
LOOK_AGAIN = 30.0
"""Seconds after which one is looked at again that was too slow, too loaded or in trouble."""
LOOK = 120.0
"""Seconds in which it must say what it is: it may be about another tournament's unit when it is asked,"""
ENLIST = 900.0
"""and in which it must have taken bots in, which compilers build."""
UNDER_WAY = 256 * 1024**2
"""Bytes of bots after which nobody else is sent any until one has taken them in: they are in our memory, and the
scheduler's."""
BEAT = 3.0
"""Seconds that pass at most between two answers of the scheduler, or two looks of ours: what a longer gap hides (a
runner that was stopped and goes on) is nobody's silence, and nobody is late for it."""
log = logging.getLogger("arena.cluster")


@dataclass(frozen=True, slots=True)
class Care:
    """How careful one is with workers."""

    slowest: float = 0.5
    """Of the median's speed, which a worker must have at least."""
    busiest: float = 0.3
    """Of a core's time, which a worker must get at least."""
    audit: float = 0.02
    """The share of units, of bots that say they are deterministic, which are played twice."""
    silent_seconds: float = 15.0
    """After which a worker that the scheduler does not hear is taken for lost."""
    lease_seconds: float = 60.0
    """That a unit may take, beside some times what such units took."""
    wait_seconds: float | None = 60.0
    """For which one waits for a worker that can play; None: for ever."""
    unit_seconds: float = 10.0
    """That a unit is to take."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A worker as the scheduler has it."""

    name: str
    host: str
    threads: int
    """That it has for us: each takes an order at a time."""
    heard: float
    """When it was last heard of, on whatever clock."""


@dataclass(slots=True)
class Worker:
    """One of the crew."""

    address: str
    seen: Seen
    stage: Literal["met", "asked", "looked", "ready", "refused"] = "met"
    silence: float = 0.0
    """Seconds for which the scheduler, which we heard, did not hear it."""
    is_silent: bool = False
    """For too long."""
    why: str = ""
    """It is refused, or was last."""
    again: float = inf
    """When it is looked at again."""
    until: float = inf
    """When what it was asked must be answered."""
    sent: int = 0
    """Bytes of bots with what it was asked last."""
    report: Report | None = None
    strikes: int = 0
    """Since a unit came of it."""
    struck: float = -inf
    """When the last of them was."""
    flaws: int = 0
    """How often something there kept it from playing that may pass: a disk that is full, a compiler that fails."""
    odd: list[BotId] = field(default_factory=list)
    """Whose play two others contradict, once for each time it was compared."""

    @property
    def slots(self) -> int:
        """Units that it can play at a time: no two on one core."""
        return min(self.seen.threads, self.report.cores) if self.report else self.seen.threads

    def __str__(self) -> str:
        host = self.report.host if self.report else self.seen.host
        name = "" if self.seen.name == self.address else f"{self.seen.name}, "
        return f"worker {name}{self.address} on {host}"


class Crew:
    """All workers that were ever seen. Invariant: only who is `ready` has passed every test of the terms."""

    def __init__(self, terms: Terms, care: Care, own: Speed, bundle: Callable[[str], bytes]) -> None:
        self._terms, self._care, self._own, self._bundle = terms, care, own, bundle
        self._workers: dict[str, Worker] = {}
        self._met = -inf
        """When the scheduler last said who is there."""
        self.refusals: dict[str, str] = {}
        """By worker, the last reason; also of those that are gone or play by now."""
        self.lost = 0
        """Workers that were gone, or silent, while they could have played."""

    @property
    def ready(self) -> list[Worker]:
        """Who may play."""
        return [one for one in self._workers.values() if one.stage == "ready" and not one.is_silent]

    @property
    def hoped_for(self) -> bool:
        """Whether somebody may be ready soon who was not refused before."""
        return any(
            one.stage in ("met", "asked", "looked") and not (one.is_silent or one.why)
            for one in self._workers.values()
        )

    @property
    def slots(self) -> int:
        """Units that can be played at a time."""
        return sum(worker.slots for worker in self.ready)

    @property
    def absent(self) -> dict[str, str]:
        """Those that cannot play now, with the reason: what they were last refused for, or that they are silent."""
        silent = (one for one in self._workers.values() if one.is_silent)
        return self.refusals | {str(one): self._unheard() for one in silent}

    def __getitem__(self, address: str) -> Worker:
        return self._workers[address]

    def meet(self, there: Mapping[str, Seen], at: float) -> list[str]:
        """Whom the scheduler had when it last said so. Gives those that are lost, with all that they were given."""
        gap, self._met = min(at - self._met, BEAT), at
        lost = [self._part(self._workers[address]) for address in self._workers.keys() - there.keys()]
        for address, seen in there.items():
            worker = self._workers.get(address)
            if worker is None:
                self._workers[address] = Worker(address, seen)
            elif seen.heard != worker.seen.heard:
                worker.seen = seen
                self._hear(worker)
            else:
                worker.silence += gap
        too_long = [one for one in self._workers.values() if one.silence > self._care.silent_seconds]
        return lost + [self._miss(worker) for worker in too_long if not worker.is_silent]

    def _hear(self, worker: Worker) -> None:
        if worker.is_silent:
            self._tell(f"{worker} is heard of again")
        worker.silence, worker.is_silent = 0.0, False

    def _miss(self, worker: Worker) -> str:
        worker.is_silent = True
        self.lost += worker.stage == "ready"
        self._tell(f"{worker} {self._unheard()}: others go on")
        return worker.address

    def _unheard(self) -> str:
        return f"was not heard of for {self._care.silent_seconds:g} s"

    def _part(self, worker: Worker) -> str:
        """Strike off one that is gone."""
        del self._workers[worker.address]
        if worker.stage != "refused":
            self.lost += worker.stage == "ready" and not worker.is_silent
            self._tell(f"{worker} is gone")
        return worker.address

    def awaits(self, address: str) -> bool:
        """Whether an answer of it is still of use to anybody."""
        worker = self._workers.get(address)
        return worker is not None and worker.stage == "asked"

    def orders(self, now: float) -> Iterator[tuple[Worker, Order]]:
        """What is to be asked of whom now; it counts as asked then. Who has not answered in time is refused."""
        for worker in list(self._workers.values()):
            if worker.stage == "asked" and worker.until <= now:
                why = "it was asked what it is, or to take bots in, and did not answer in time"
                self.refuse(worker.address, why, now + LOOK_AGAIN)
            elif worker.is_silent:
                continue
            elif worker.stage == "met" or (worker.stage == "refused" and worker.again <= now):
                worker.stage, worker.again, worker.until, worker.sent = "asked", inf, now + LOOK, 0
                yield worker, Look(self._terms)
            elif worker.stage == "looked" and worker.report and self._under_way < UNDER_WAY:
                bundles = {one: self._bundle(one) for one in worker.report.missing}
                worker.stage, worker.until, worker.sent = (
                    "asked",
                    now + ENLIST,
                    sum(map(len, bundles.values())),
                )
                yield worker, Enlist(self._terms, bundles)

    @property
    def _under_way(self) -> int:
        return sum(one.sent for one in self._workers.values() if one.stage == "asked")

    def take(self, address: str, said: Word | Exception, now: float) -> None:
        """What came of an order."""
        worker = self._workers.get(address)
        if worker is None or worker.stage != "asked":
            return
        if isinstance(said, Report):
            worker.report = said
            if why := unfit(self._terms, said):
                if said.flaw:
                    self._refuse_for_now(worker, why, now)
                else:
                    self.refuse(address, why)
            else:
                worker.stage = "looked"
                self._compare(now)
        elif isinstance(said, Enlisted):
            if said.flaws:
                self._refuse_for_now(worker, f"bots do not start there: {'; '.join(said.flaws)}", now)
            else:
                self._welcome(worker)
        else:
            self.refuse(address, reason(said), now + LOOK_AGAIN)

    def strike(self, address: str, why: str, since: float, now: float) -> None:
        """It has lost what it was given at `since`; all that it had when it last lost something is that same loss."""
        worker = self._workers.get(address)
        if worker is None or since < worker.struck:
            return
        worker.strikes, worker.struck = worker.strikes + 1, now
        if worker.strikes >= STRIKES and worker.stage != "refused":
            later = LOOK_AGAIN * 2 ** (worker.strikes - STRIKES)
            self.refuse(address, f"{worker.strikes} times in a row: {why}", now + later)

    def praise(self, address: str) -> None:
        """A unit came of it."""
        if worker := self._workers.get(address):
            worker.strikes = 0

    def weigh(self, address: str, speed: Speed, now: float) -> None:
        """How quick its core was after a unit: as much as all that was known before of its computing and its load."""
        worker = self._workers.get(address)
        if worker and worker.report:
            old = worker.report.speed
            mean = Speed((old.work + speed.work) / 2, old.exchange, (old.share + speed.share) / 2)
            worker.report = replace(worker.report, speed=mean)
            self._compare(now)

    def contradict(self, address: str, bot: BotId) -> bool:
        """Two others agree that `bot` did something else than there. Whether it is refused for that."""
        worker = self._workers.get(address)
        if worker is None:
            return False
        worker.odd.append(bot)
        if len(worker.odd) == ODD:
            why = f"{ODD} times what it played is not what two other workers played"
            self.refuse(address, f"{why}; what it brought before, and nobody compared, counts")
        return len(worker.odd) == ODD

    def absolve(self, bot: BotId) -> None:
        """What was said of workers because of a bot was the bot's doing: who was refused for it may come again."""
        for worker in self._workers.values():
            was, worker.odd = len(worker.odd), [one for one in worker.odd if one != bot]
            if len(worker.odd) < ODD <= was and worker.stage == "refused":
                worker.again = -inf
                self._tell(f"{worker} is looked at again: it was {bot.name} that played differently")

    def _refuse_for_now(self, worker: Worker, why: str, now: float) -> None:
        """Each time for twice as long."""
        self.refuse(worker.address, why, now + LOOK_AGAIN * 2**worker.flaws)
        worker.flaws += 1

    def refuse(self, address: str, why: str, again: float = inf) -> None:
        """Use it no more."""
        worker = self._workers[address]
        worker.stage, worker.why, worker.again = "refused", why, again
        if self.refusals.get(str(worker)) != why:
            self.refusals[str(worker)] = why
            log.warning("%s is not used: %s", worker, why)

    def _welcome(self, worker: Worker) -> None:
        worker.stage, worker.why = "ready", ""
        if worker.slots < worker.seen.threads:
            had = f"{counted(worker.seen.threads, 'thread')} and {counted(worker.slots, 'core')}"
            log.warning("%s has %s: it plays %d at a time", worker, had, worker.slots)
        hosts = {one.report.host for one in self.ready if one.report}
        box = worker.report.sandbox if worker.report else ""
        self._tell(
            f"{worker} plays, bots kept in {box}; now {counted(len(self.ready), 'worker')} with "
            f"{counted(self.slots, 'core')} on {counted(len(hosts), 'machine')}"
        )

    def _compare(self, now: float) -> None:
        """Refuse who is too slow beside the others, or too loaded, as far as is known by now."""
        known = [
            one for one in self._workers.values() if one.report and one.stage in ("looked", "asked", "ready")
        ]
        speeds = [one.report.speed for one in known if one.report]
        for worker in known:
            assert worker.report
            if why := poor(worker.report.speed, [self._own, *speeds], self._care.slowest, self._care.busiest):
                self.refuse(worker.address, why, now + LOOK_AGAIN)

    def _tell(self, line: str) -> None:
        log.info("%s", line)


def reason(error: Word | Exception) -> str:
    """What came in place of an answer, in words."""
    if isinstance(error, Trouble):
        return error.why
    if isinstance(error, Foreign):
        return str(error)
    if isinstance(error, ModuleNotFoundError):
        return f"what is needed is not installed there: {error}"
    return f"{type(error).__name__}: {error}"


def counted(number: int, what: str) -> str:
    """As it is said.

    >>> counted(1, "worker"), counted(2, "core")
    ('1 worker', '2 cores')
    """
    return f"{number} {what}{'' if number == 1 else 's'}"
