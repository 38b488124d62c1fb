"""How everything here is measured.

All cases run once a round, in a random order, so that what drifts meets all of them alike; a figure is
the median over rounds, a ratio the median of the ratios within a round. A round in which others used more
than a tenth of the machine, or in which its own pace changed by more than a quarter, is not counted. Knows
nothing of what is measured.
"""

from __future__ import annotations

import os
import random
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from time import monotonic, thread_time
from typing import Any

import psutil

FOREIGN = 0.10
"""The share of the machine's CPU that others may use in a round that counts."""
DRIFT = 0.25
"""How much longer the same work may take at one time of a round that counts than at another. What else the host
of a virtual machine does is seen in nothing but this."""
LEAST = 5
"""Rounds that a figure needs."""

Figures = dict[str, float]
"""What a case found, by unit."""


class NotMeasured(Exception):
    """This can't be measured here; the message says why."""


@dataclass(frozen=True, slots=True)
class Case:
    """Something to measure. Its figures are known by its name and their unit: `echo µs`."""

    name: str
    measure: Callable[[], Figures]
    """Raises NotMeasured where this machine lacks what it needs."""
    pinned: bool = False
    """On one core, with all processes that it starts."""

    def figures(self) -> Figures:
        """Measure it once."""
        if self.pinned:
            with pinned():
                found = self.measure()
        else:
            found = self.measure()
        return {f"{self.name} {unit}".strip(): value for unit, value in found.items()}


@dataclass(frozen=True, slots=True)
class Round:
    """Every case once."""

    figures: Figures
    foreign: float
    """The share of the machine's CPU that went to others, 0 to 1."""
    drift: float = 0.0
    """How much longer the same work took at its slow times than at its quick ones, 0 for not at all."""
    lacks: dict[str, str] = field(default_factory=dict)
    """Why there is nothing of a case, by its name."""
    broken: bool = False
    """One of them failed, where it should not have."""

    @property
    def counts(self) -> bool:
        """Whether the machine was ours, and the same all the time."""
        return self.foreign <= FOREIGN and self.drift <= DRIFT


@dataclass(frozen=True, slots=True)
class Bar:
    """What a figure must reach."""

    limit: float
    at_least: bool = False

    def passed(self, value: float) -> bool:
        """Whether `value` reaches it."""
        return value >= self.limit if self.at_least else value <= self.limit

    def __str__(self) -> str:
        return f"{'>=' if self.at_least else '<='} {self.limit:g}"


def at_least(limit: float) -> Bar:
    """The bar of a figure of which more is better."""
    return Bar(limit, at_least=True)


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the report."""

    key: str
    what: str
    values: Sequence[float]
    """One a round; none: not measured."""
    quiet: bool = True
    """Whether they come from rounds that count."""
    bar: Bar | None = None
    lack: str = ""
    """Why it was not measured."""
    once: bool = False
    """It takes too long for every round."""
    of: int = 0
    """Rounds that it should have been measured in, where it was not in enough of them."""

    @property
    def status(self) -> str:
        """Only `pass` is a pass: what was not measured, or not in quiet, is none."""
        if not self.values:
            return f"not measured: {self.lack}" if self.lack else "not measured"
        if not self.quiet:
            return "too noisy"
        if self.of:
            return f"only {len(self.values)} of {self.of} rounds"
        if self.bar is None:
            return ""
        return "pass" if self.bar.passed(median(self.values)) else "FAIL"

    @property
    def middle(self) -> str:
        """The median in four digits, or a dash."""
        return f"{median(self.values):,.4g}" if self.values else "-"

    @property
    def range(self) -> str:
        """From the least to the most."""
        if not self.values:
            return "-"
        return "once" if self.once else f"{min(self.values):,.4g} to {max(self.values):,.4g}"

    def cells(self) -> tuple[str, str, str, str, str]:
        """What was measured, its median, its range, the bar, how it stands to it."""
        return self.what, self.middle, self.range, str(self.bar or ""), self.status

    def json(self) -> dict[str, Any]:
        """The same for machines."""
        found: dict[str, Any] = {
            "rounds": len(self.values),
            "bar": str(self.bar or ""),
            "status": self.status,
            "once": self.once,
        }
        if self.values:
            found |= {"median": median(self.values), "low": min(self.values), "high": max(self.values)}
        return found


class Session:
    """The rounds of one run. A figure comes from those that count, or from all where they are too few.

    `once`: what takes too long to be measured in every round; ratios are within one of these, too.
    """

    def __init__(self, rounds: Sequence[Round], once: Sequence[Round] = ()) -> None:
        good = [round for round in rounds if round.counts]
        self.quiet = len(good) >= LEAST
        self.rounds = good if self.quiet else list(rounds)
        self.once = list(once)
        self.said = f"{len(rounds)} rounds, {len(good)} with at most {FOREIGN:.0%} of foreign CPU and {DRIFT:.0%} of drift"
        self.broken = any(round.broken for round in (*rounds, *once))
        self._lacks = {name: why for round in (*rounds, *once) for name, why in round.lacks.items()}

    def row(self, key: str, figure: str, what: str, bar: Bar | None = None) -> Row:
        """One figure of each round."""
        return self._row(key, what, bar, [figure], lambda figures: figures[figure])

    def ratio(self, key: str, above: str, below: str, what: str, bar: Bar | None = None) -> Row:
        """`above` over `below`, round by round; none where one of them was not measured."""
        return self._row(key, what, bar, [above, below], lambda figures: figures[above] / figures[below])

    def _row(
        self, key: str, what: str, bar: Bar | None, needed: list[str], value: Callable[[Figures], float]
    ) -> Row:
        for rounds, quiet in ((self.rounds, self.quiet), *(([one], one.counts) for one in self.once)):
            there = [round.figures for round in rounds if all(name in round.figures for name in needed)]
            if there:
                values, once = [value(figures) for figures in there], rounds is not self.rounds
                of = 0 if once or len(there) >= LEAST else len(rounds)
                return Row(key, what, values, quiet, bar, once=once, of=of)
        return Row(key, what, [], bar=bar, lack=self._why(needed))

    def _why(self, needed: list[str]) -> str:
        """Why there is nothing of one of these figures."""
        whys = (why for name, why in self._lacks.items() for one in needed if one.startswith(f"{name} "))
        return next(whys, "")


def measure(
    cases: Sequence[Case], seconds: float, enough: int = LEAST, once: Sequence[Sequence[Case]] = ()
) -> Session:
    """Rounds until `enough` of them count; none is begun that would probably end after `seconds`. With fewer than
    LEAST no bar is passed.

    Those of `once` come first, those that belong together in one round, and their time is not counted.
    """
    alone = [_round(together) for together in once]
    rounds: list[Round] = []
    begun = monotonic()
    while cases and sum(round.counts for round in rounds) < enough:
        used = monotonic() - begun
        if rounds and used + used / len(rounds) > seconds:
            break
        rounds.append(_round(cases))
        took = monotonic() - begun - used
        foreign, drift = rounds[-1].foreign, rounds[-1].drift
        print(
            f"round {len(rounds)}: {took:.0f} s, foreign CPU {foreign:.0%}, drift {drift:.0%}",
            file=sys.stderr,
        )
    return Session(rounds, alone)


def _round(cases: Sequence[Case]) -> Round:
    figures, lacks, broken = Figures(), dict[str, str](), False
    started, busy, own = monotonic(), _busy_seconds(), cpu_seconds()
    paces = [_pace()]
    for case in random.sample(cases, len(cases)):
        try:
            figures |= case.figures()
        except NotMeasured as error:
            lacks[case.name] = str(error)
        except Exception as error:  # what others measure is worth minutes: it is told of, and passes nothing
            traceback.print_exc()
            lacks[case.name], broken = f"it failed with {type(error).__name__}", True
        paces.append(_pace())
    others = (_busy_seconds() - busy) - (cpu_seconds() - own)
    foreign = max(0.0, others / (monotonic() - started) / (os.cpu_count() or 1))
    return Round(figures, foreign, _drift(paces), lacks, broken)


def _pace() -> float:
    """Seconds of CPU that a piece of work takes which is always the same."""
    begun = thread_time()
    sum(number * number for number in range(200_000))
    return thread_time() - begun


def _drift(paces: Sequence[float]) -> float:
    """The ninth decile over the first, less one: one hiccup among many is none."""
    ranked = sorted(paces)
    return ranked[len(ranked) * 9 // 10] / ranked[len(ranked) // 10] - 1


def _busy_seconds() -> float:
    """CPU time of the whole machine, with what the hypervisor took from it."""
    times = psutil.cpu_times()
    return float(times.user + times.nice + times.system + times.irq + times.softirq + times.steal)


def cpu_seconds() -> float:
    """User and system time of this process and of all that came of it, ended ones too."""
    own = psutil.Process()
    total = 0.0
    for process in (own, *own.children(recursive=True)):
        try:
            total += sum(process.cpu_times()[:4])
        except psutil.NoSuchProcess:  # its parent has its time by now
            continue
    return total


@contextmanager
def pinned(cpu: int | None = None) -> Iterator[None]:
    """Keep this process, and what it starts, on one core: the first that it may use, or `cpu`."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before) if cpu is None else cpu})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
