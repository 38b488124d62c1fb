"""How everything here is measured.

All cases run once a round, in a random order, so that what drifts meets all of them alike; a figure is
the median over rounds, a ratio the median of the ratios within a round. A round in which others used
more than a tenth of the machine is not counted. Knows nothing of what is measured.
"""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from time import monotonic
from typing import Any

import psutil

FOREIGN = 0.10
"""The share of the machine's CPU that others may use in a round that counts."""
LEAST = 5
"""Rounds that a figure needs."""

Figures = dict[str, float]
Case = Callable[[], Figures]


@dataclass(frozen=True, slots=True)
class Round:
    """Every case once."""

    figures: Figures
    foreign: float
    """The share of the machine's CPU that went to others, 0 to 1."""

    @property
    def counts(self) -> bool:
        """Whether the machine was ours."""
        return self.foreign <= FOREIGN


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

    @property
    def status(self) -> str:
        """Only `pass` is a pass: what was not measured, or not in quiet, is none."""
        if not self.values:
            return "not measured"
        if not self.quiet:
            return "too noisy"
        if self.bar is None:
            return ""
        return "pass" if self.bar.passed(median(self.values)) else "FAIL"

    def cells(self) -> tuple[str, str, str, str, str]:
        """What was measured, its median, its range, the bar, how it stands to it."""
        bar = str(self.bar or "")
        if not self.values:
            return self.what, "-", "-", bar, self.status
        low, high = min(self.values), max(self.values)
        return self.what, f"{median(self.values):.4g}", f"{low:.4g} to {high:.4g}", bar, self.status

    def json(self) -> dict[str, Any]:
        """The same for machines."""
        found: dict[str, Any] = {
            "rounds": len(self.values),
            "bar": str(self.bar or ""),
            "status": self.status,
        }
        if self.values:
            found |= {"median": median(self.values), "low": min(self.values), "high": max(self.values)}
        return found


class Session:
    """The rounds of one run. A figure comes from those that count, or from all where they are too few."""

    def __init__(self, rounds: Sequence[Round], least: int = LEAST) -> None:
        good = [round for round in rounds if round.counts]
        self.quiet = len(good) >= least
        self.rounds = good if self.quiet else list(rounds)
        self.said = f"{len(rounds)} rounds, {len(good)} with at most {FOREIGN:.0%} of foreign CPU"

    def row(self, key: str, figure: str, what: str, bar: Bar | None = None) -> Row:
        """One figure of each round."""
        values = [round.figures[figure] for round in self.rounds if figure in round.figures]
        return Row(key, what, values, self.quiet, bar)

    def ratio(self, key: str, above: str, below: str, what: str, bar: Bar | None = None) -> Row:
        """`above` over `below`, round by round; none where one of them was not measured."""
        both = [r.figures for r in self.rounds if above in r.figures and below in r.figures]
        return Row(key, what, [figures[above] / figures[below] for figures in both], self.quiet, bar)


def measure(cases: Sequence[Case], seconds: float, least: int = LEAST) -> Session:
    """Rounds until `least` of them count; none is begun that would probably end after `seconds`."""
    rounds: list[Round] = []
    begun = monotonic()
    while sum(round.counts for round in rounds) < least:
        used = monotonic() - begun
        if rounds and used + used / len(rounds) > seconds:
            break
        rounds.append(_round(cases))
        print(f"round {len(rounds)}: foreign CPU {rounds[-1].foreign:.0%}", file=sys.stderr)
    return Session(rounds, least)


def _round(cases: Sequence[Case]) -> Round:
    figures: Figures = {}
    started, busy, own = monotonic(), _busy_seconds(), cpu_seconds()
    for case in random.sample(cases, len(cases)):
        figures |= case()
    others = (_busy_seconds() - busy) - (cpu_seconds() - own)
    return Round(figures, max(0.0, others / (monotonic() - started) / (os.cpu_count() or 1)))


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
def pinned(cpu: int) -> Iterator[None]:
    """Keep this process, and what it starts, on one core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {cpu})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def table(rows: Sequence[Row]) -> str:
    """The report in Markdown."""
    lines = [("what", "median", "range", "bar", ""), ("---", "---:", "---:", "---", "---")]
    lines += [row.cells() for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def as_json(rows: Sequence[Row]) -> str:
    """The report as one JSON object in one line."""
    return json.dumps({row.key: row.json() for row in rows})
