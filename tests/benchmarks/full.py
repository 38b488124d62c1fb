"""`make bench`: everything that is measured, with the peers that are there; writes docs/performance.md.

Takes some minutes. The last line is a JSON object; the exit status is 1 where a figure misses its bar.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import zmq

from tests.benchmarks import quick
from tests.benchmarks.engine import PARTS, engines
from tests.benchmarks.harness import FOREIGN, LEAST, Case, Row, Session, as_json, measure, table
from tests.benchmarks.quick import at_least
from tests.benchmarks.rating import rating_rows, ratings
from tests.benchmarks.stage import DISK, ROOT, Stage

SECONDS = 400.0
REPORT = ROOT / "docs/performance.md"


def more_cases(stage: Stage) -> list[Case]:
    """What `quick` has no time for."""
    python, cpp = stage.pair("python/random"), stage.pair("cpp")
    return [
        *engines(),
        partial(quick.on_one_core, partial(stage.kept, "cramped", cpp, 200, 1)),
        partial(quick.on_one_core, partial(stage.kept, "reused", python, 30, 1)),
        partial(quick.on_one_core, partial(stage.kept, "fresh", python, 4, 1, fresh=True)),
        partial(stage.started, cpp),
        *ratings(),
    ]


def more_rows(session: Session) -> list[Row]:
    """What is reported of it."""
    row, ratio = session.row, session.ratio
    hearts = "OpenSpiel's hearts"
    return [
        ratio("cramped_per_echo", "cramped µs", "echo µs", "whole / echo, the runner on that core too"),
        ratio(
            "engine", "claim games/s", "hearts documented",
            f"Claim, all 64 variants / {hearts} in its documented loop, random games/s", at_least(1.5),
        ),
        ratio(
            "engine_two", "claim for two games/s", "hearts documented",
            f"the 40 variants for two / {hearts} in its documented loop", at_least(1.5),
        ),
        ratio("engine_lean", "claim games/s", "hearts lean", f"all 64 / {hearts}, dealt without numpy"),
        ratio("engine_dealt", "claim games/s", "hearts dealt", f"all 64 / {hearts}, both from given deals"),
        row("claim_games", "claim games/s", "games/s: all 64 variants, from given deals"),
        row("claim_step_us", "claim µs", "µs a decision of these"),
        row("claim_deal_us", "claim deal µs", "µs a deal, not counted in these"),
        row("claim_two_games", "claim for two games/s", "games/s: the 40 variants for two"),
        ratio("houses", "houses for two games/s", "claim for two games/s", "Aristoocrazy / Claim, for two, random games/s"),
        row("houses_two", "houses for two games/s", "games/s: Aristoocrazy, classic for two, dealing included"),
        row("houses_two_us", "houses for two µs", "µs a decision of these"),
        row("houses_four", "houses for four games/s", "games/s: Aristoocrazy, classic for four"),
        row("houses_four_us", "houses for four µs", "µs a decision of these"),
        row("houses_quick", "houses quick games/s", "games/s: Aristoocrazy, quick2013 for two"),
        *(row(f"houses_{at}", f"houses % {part}", f"% of the time for four, profiled: {part}") for at, part in enumerate(PARTS)),
        row("hearts_documented", "hearts documented", f"games/s: {hearts}, documented loop"),
        row("hearts_lean", "hearts lean", f"games/s: {hearts}, dealt without numpy"),
        row("hearts_dealt", "hearts dealt", f"games/s: {hearts}, from given deals"),
        ratio(
            "reuse", "reused games/s", "fresh games/s",
            "reused / fresh Python processes, games/s, pinned", at_least(10),
        ),
        row("start_ms", "start ms", "ms of CPU to start a C++ bot and end it, as each job does"),
        *rating_rows(session),
    ]  # fmt: skip


def report(session: Session, rows: Sequence[Row]) -> str:
    """docs/performance.md."""
    return f"""# Performance

Written by `make bench` on {datetime.now(UTC):%Y-%m-%d}: {session.said}.
{machine()}

All cases run once a round, in a random order. A figure is the median over rounds, a ratio the median of
the ratios within a round; the range is that of all rounds used. A round in which others used more than
{FOREIGN:.0%} of the machine does not count. With fewer than {LEAST} rounds that count no bar is passed: such
figures, of all rounds, are marked "too noisy". What could not be measured is marked so, and passes
nothing either. Absolute figures drift by a third from hour to hour; ratios hold.

{table(rows)}

*Pinned*: runner, worker, ledger and bots, or the echo and its peers, share one core. The echo is a bare
pyzmq ROUTER with a bare pyzmq REQ process for each seat; they exchange the very bytes of a game's turns
and moves. The parts are measured hot and alone, so they are faster there than between two other processes.

OpenSpiel deals hearts card by card. Its documentation draws each card with numpy from a list of
probabilities, which is most of that loop's time; a program that knows that all cards are alike can do
without. Both are shown, and both engines from given deals: a compiled engine behind a Python loop is
faster a step than one that is Python all through.
"""


def other_sections() -> str:
    """What stands there of other commands."""
    _, mark, rest = REPORT.read_text().partition("\n## ")
    return mark + rest


def machine() -> str:
    """What it was measured on."""
    models = (
        line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")
    )
    model = next(models, "unknown processor").partition(": ")[2]
    versions = f"Python {platform.python_version()}, pyzmq {zmq.__version__}, libzmq {zmq.zmq_version()}"
    return f"{os.cpu_count()} processors ({model}), Linux {platform.release()}, {versions}."


def main() -> int:
    """Measure, report, write."""
    with quick.cases() as cases, TemporaryDirectory(dir=DISK) as folder:
        session = measure([*cases, *more_cases(Stage(Path(folder)))], SECONDS)
    rows = [*quick.rows(session), *more_rows(session)]
    REPORT.write_text(report(session, rows) + other_sections())
    print(table(rows), as_json(rows), sep="\n\n")
    return int(any(row.status == "FAIL" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
