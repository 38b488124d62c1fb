"""`make bench`: everything that is measured, with the peers that are there; writes docs/performance.md.

    python -m tests.benchmarks.full [--dry] [--seconds 600] [--rounds 5] [--part a ...]

Takes a quarter of an hour, and up to 8 GB of disk below build/, which stay there for the next time: a ledger of a
million games (up to 5) and the peers' environments (2.5). `make clean` removes them. The last line is a JSON object, also in build/bench.json; the exit status is 1 where a
figure misses its bar, or a case fails. `--dry` prints the page and writes nothing.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from tests.benchmarks import cluster, durable, engine, moves, others, rating, startup, tournaments
from tests.benchmarks.build import DISK, ROOT
from tests.benchmarks.harness import DRIFT, FOREIGN, LEAST, Session, measure
from tests.benchmarks.report import Part, Section, as_json, bars, command, machine, status, table, verdict
from tests.benchmarks.stage import Stages, stages
from tests.benchmarks.wire import capture

SECONDS = 600.0
"""For all rounds, beside what is measured once."""
PAGE = ROOT / "docs/performance.md"
JSON = DISK / "bench.json"


PARTS: dict[str, Callable[[Stages], Part]] = {
    "a": lambda home: moves.part(home, capture()),
    "b": tournaments.part,
    "c": lambda _: engine.part(),
    "d": durable.part,
    "e": lambda _: rating.part(),
    "f": lambda home: startup.part(home.folder / "startup"),
    "g": lambda _: others.part(),
    "h": lambda home: _clusters(home.folder / "cluster"),
}


def _clusters(folder: Path) -> Part:
    """Once: it takes minutes to see that an overhead is small."""
    part = cluster.part(folder)
    return replace(part, title=f"(h) {part.title}", cases=[], once=part.cases)


def page(session: Session, sections: Sequence[Section], load: float) -> str:
    """docs/performance.md, as far as it is ours. `load`: the machine's load average at the start."""
    everything = "\n\n".join(map(str, sections))
    return f"""# Performance

Written by `make bench` on {datetime.now(UTC):%Y-%m-%d}: {session.said}.
{machine()}; its load was {load:.2f} at the start.

All cases run once a round, in a random order. A figure is the median over rounds, a ratio the median of
the ratios within a round; the range is that of all rounds used. A round in which others used more than
{FOREIGN:.0%} of the machine does not count, nor one in which a piece of work that is always the same took over {DRIFT:.0%} longer
at some times (the ninth decile) than at others (the first). With fewer than {LEAST} rounds that count no bar is passed: such
figures, of all rounds, are marked "too noisy". A figure that was found in fewer rounds says in how many. What takes too long for every round is measured once, and marked so. What
could not be measured is marked so, too, and passes nothing. Up to 8 GB of disk are used below `build/`, and stay there for the
next time: ledgers (up to 5) and environments of peers (2.5). Absolute figures drift by a third from hour to hour, and ratios are those of this processor.

## Bars

{table(bars(sections))}

{everything}
"""


def main(words: Sequence[str] | None = None) -> int:
    """Measure, report, write."""
    said = _said(words)
    load = os.getloadavg()[0]
    with stages() as home:
        parts = [make(home) for letter, make in PARTS.items() if letter in said.part]
        cases = [case for part in parts for case in part.cases]
        once = [part.once for part in parts if part.once]
        session = measure(cases, said.seconds, said.rounds, once)
    sections = [Section.of(part, session) for part in parts]
    rows = [row for section in sections for row in section.all]
    result = as_json(rows, machine=machine(), load=load, rounds=session.said)
    text = page(session, sections, load)
    if said.dry:
        print(text)
    else:
        PAGE.write_text(text + others_of(PAGE))
        JSON.write_text(result + "\n")
        print(table(bars(sections)))
    print("", verdict(rows), "", result, sep="\n")
    return status(session, rows)


def _said(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.full")
    parser.add_argument("--dry", action="store_true", help="print the page; write nothing")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for all rounds")
    parser.add_argument(
        "--rounds", type=int, default=LEAST, help="when to stop; fewer than five pass no bar, and imply --dry"
    )
    parser.add_argument(
        "--part", nargs="+", choices=PARTS, default=list(PARTS), help="these sections alone; implies --dry"
    )
    said = parser.parse_args(words)
    said.dry |= len(said.part) < len(PARTS) or said.rounds < LEAST
    return said


def others_of(page: Path) -> str:
    """What stands there of other commands."""
    _, *theirs = page.read_text().split("\n## ")
    return "".join("\n## " + section for section in theirs if not section.startswith(("Bars", "(")))


if __name__ == "__main__":
    command(main)
