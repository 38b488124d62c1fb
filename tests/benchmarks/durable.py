"""(d) The ledger as it fills, and tournaments handed to a cluster: what the programs `ledger` and `cluster` measure."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tests.benchmarks import ledger
from tests.benchmarks.harness import Bar, Case, Figures, Row, Session
from tests.benchmarks.report import Grid, Part
from tests.benchmarks.stage import Stages

LEAST, MOST = ledger.SIZES[0], ledger.SIZES[-1]
COLUMNS = {
    "kept": "games/s kept",
    "kept µs": "µs of CPU a game",
    "resume s": "resume, s",
    "resume MiB": "MiB",
    "status s": "`status`, s",
    "leaderboard s": "`leaderboard`, s",
    "leaderboard MiB": "MiB of it",
    "watch s": "`watch`, s",
    "end s": "end of a run, s",
}
ABOUT = """
`python -m tests.benchmarks.ledger` has more to say of it. A ledger is written once, into `build/ledgers`, and is used again:
a round robin that is over, with records as large as real ones. *Kept*: more games beside those that are there, a
transaction for each hundred, synced to disk. *Resume* is all from the start of a run to the first game that it hands out. Each
of the readers is a process of its own; its memory is the most that it had. *A whole run* is that of two bots in C beside
the games that are there: runner, referee (plain) and bots, without the start and the end.

The ledgers take up to 5 GB of disk, nearly all of it the largest. What a round adds it takes out again.
"""


def part(stages: Stages) -> Part:
    """What is kept in every round, at the least size and the most; all else once, when the ledgers have been written."""
    cases = [Case("", partial(_kept, games)) for games in (LEAST, MOST)]
    cases += [
        Case(f"run at {games}", partial(_whole, games, stages.folder / "ledger")) for games in (LEAST, MOST)
    ]
    return Part("(d) The ledger", ABOUT, cases, _rows, _grids, [Case("", _once)])


def _kept(games: int) -> Figures:
    return ledger.kept(ledger.ledger_of(ledger.FOLDER, games), games)


def _whole(games: int, folder: Path) -> Figures:
    return ledger.whole(ledger.ledger_of(ledger.FOLDER, games), folder)


def _once() -> Figures:
    for games in ledger.SIZES:  # the largest takes some minutes to write
        ledger.ledger_of(ledger.FOLDER, games)
    return ledger.once(ledger.FOLDER, ledger.SIZES)


def _rows(session: Session) -> list[Row]:
    row, ratio = session.row, session.ratio
    return [
        ratio("kept_flat", f"kept µs {MOST}", f"kept µs {LEAST}", f"CPU a game kept, the ledger's alone, at {MOST:,} games / at {LEAST:,}", Bar(1.1)),
        ratio("run_flat", f"run at {MOST} µs", f"run at {LEAST} µs", f"CPU a game of a whole run, runner, referee and bots, at {MOST:,} games / at {LEAST:,}", Bar(1.1)),
        row("resume_s", f"resume s {MOST}", f"s to resume a tournament of {MOST:,} games", Bar(10)),
        ratio("resume_memory", f"resume MiB {MOST}", f"resume MiB {LEAST}", f"memory of the runner at {MOST:,} games / at {LEAST:,}", Bar(1.1)),
        row("kept_games", f"kept {MOST}", f"games/s durably written at {MOST:,} games"),
        row("run_us", f"run at {MOST} µs", f"µs of CPU a game of a whole run at {MOST:,} games"),
        row("leaderboard_s", f"leaderboard s {MOST}", f"s for the leaderboard of {MOST:,} games"),
    ]  # fmt: skip


def _grids(session: Session) -> list[Grid]:
    lines = [
        (
            f"{games:,}",
            [
                session.row(
                    f"ledger {unit} {games}".replace(" ", "_"), f"{unit} {games}", f"{what} at {games:,}"
                )
                for unit, what in COLUMNS.items()
            ],
        )
        for games in ledger.SIZES
    ]
    return [Grid("games in the ledger", list(COLUMNS.values()), lines)]
