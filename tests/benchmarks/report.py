"""What was measured, as tables for people and as JSON for machines. Knows nothing of what is measured."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import zmq

from tests.benchmarks.harness import Case, Row, Session


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows that differ in two things: a line for each value of one, a column for each of the other."""

    what: str
    columns: Sequence[str]
    lines: Sequence[tuple[str, Sequence[Row]]]
    """A row for each column."""


@dataclass(frozen=True, slots=True)
class Part:
    """A section of the report: what is measured for it, and what is said of that."""

    title: str
    about: str
    """What stands below the tables, in Markdown."""
    cases: Sequence[Case]
    rows: Callable[[Session], list[Row]]
    grids: Callable[[Session], list[Grid]] = lambda _: []
    once: Sequence[Case] = field(default=())
    """Those that take too long for every round."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part, measured."""

    title: str
    about: str
    rows: list[Row]
    grids: list[Grid]

    @classmethod
    def of(cls, part: Part, session: Session) -> Section:
        """What was found of `part`."""
        return cls(part.title, part.about, part.rows(session), part.grids(session))

    @property
    def all(self) -> list[Row]:
        """Its rows, those of its grids too."""
        return self.rows + [row for grid in self.grids for _, line in grid.lines for row in line]

    def __str__(self) -> str:
        tables = [table(self.rows)] if self.rows else []
        return "\n\n".join([f"## {self.title}", *tables, *map(_grid, self.grids), self.about.strip()])


def bars(sections: Iterable[Section]) -> list[Row]:
    """All rows that have a bar."""
    return [row for section in sections for row in section.all if row.bar is not None]


def table(rows: Sequence[Row]) -> str:
    """Rows in Markdown."""
    return _markdown([("what", "median", "range", "bar", ""), *(row.cells() for row in rows)], "lrrll")


def _grid(grid: Grid) -> str:
    lines = [(name, *(row.middle for row in line)) for name, line in grid.lines]
    lacks = sorted({row.lack for _, line in grid.lines for row in line if row.lack})
    notes = [f"Not measured: {why}." for why in lacks]
    notes += [f"{row.status.capitalize()}: {row.what}." for _, line in grid.lines for row in line if row.of]
    return "\n\n".join(
        [_markdown([(grid.what, *grid.columns), *lines], "l" + "r" * len(grid.columns)), *notes]
    )


def _markdown(lines: Sequence[Sequence[str]], sides: str) -> str:
    rule = ["---:" if side == "r" else "---" for side in sides]
    return "\n".join("| " + " | ".join(line) + " |" for line in (lines[0], rule, *lines[1:]))


def as_json(rows: Iterable[Row], **about: Any) -> str:
    """The report as one JSON object in one line; `about` is what holds for all of it."""
    return json.dumps(about | {row.key: row.json() for row in rows})


def status(session: Session, rows: Iterable[Row]) -> int:
    """The exit status: 1 where a figure misses its bar, or where a case failed."""
    return int(session.broken or any(row.status == "FAIL" for row in rows))


def verdict(rows: Iterable[Row]) -> str:
    """How the bars came out, in a line: a status of 0 alone does not say that any of them was judged."""
    kinds = {
        "pass": "passed",
        "FAIL": "missed",
        "too": "too noisy",
        "only": "in too few rounds",
        "not": "not measured",
    }
    found = Counter(kinds[row.status.split()[0].rstrip(":")] for row in rows if row.bar is not None)
    said = ", ".join(f"{found[kind]} {kind}" for kind in kinds.values() if found[kind])
    return f"{found.total()} bars: {said or 'none was asked for'}"


def command(main: Callable[[], int]) -> NoReturn:
    """End with the status of `main`; where it is interrupted there is no report."""
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("interrupted: nothing is reported", file=sys.stderr)
        sys.exit(130)


def machine() -> str:
    """What it was measured on."""
    models = (
        line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")
    )
    model = next(models, "unknown processor").partition(": ")[2]
    versions = f"Python {platform.python_version()}, pyzmq {zmq.__version__}, libzmq {zmq.zmq_version()}"
    return f"{os.cpu_count()} processors ({model}), Linux {platform.release()}, {versions}"
