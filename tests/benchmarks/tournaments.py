"""(b) Whole tournaments with bots that think of nothing, and how they grow with the workers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tests.benchmarks.harness import Case, Row, Session, at_least
from tests.benchmarks.report import Grid, Part
from tests.benchmarks.stage import VARIANT, Stages

CLAIM = "Claim for two"
VARIANTS = {
    CLAIM: (VARIANT, 100),
    "Claim for three": ("claim/3p/GK-UWXTD", 12),
    "Claim for four": ("claim/4p/GK-UWXTD", 15),
    "Aristoocrazy for two": ("aristoocrazy/2p/classic", 4),
}
"""Each with the deals of a meeting."""
WORKERS = (1, 2)
BOTS = 4
ABOUT = """
Four copies of the bot in C, over stdio, meet in a round robin, in mode `none`, under the compiled referee. The rate is taken from the first games
that are kept to when 85 % are, so that neither starts count nor the end, when one worker has nothing more to do. With
two workers on two cores, the runner and its ledger share these with them. *Ledger off*: the same games, dropped as they
come in. *Fresh*: new processes for each game, on one core.
"""


def part(stages: Stages, quick: bool = False) -> Part:
    """All of it, or what `make bench-quick` has time for."""
    stage = stages["none"]
    bots, deals = stage.trivial("stdio", 3 if quick else BOTS), 100
    cases = [
        Case("two unkept", partial(stage.unkept, bots, deals, 2)),
        Case("one unkept", partial(stage.unkept, bots, deals // 2, 1)),
    ]
    if quick:
        cases.append(Case(f"{CLAIM} 2", partial(stage.kept, bots, deals, 2)))
    else:
        python = stage.pair("python/random")
        cases += [
            *_tournaments(stages),
            Case("python two", partial(stage.kept, python, 80, 2)),
            Case("reused", partial(stage.kept, python, 30), pinned=True),
            Case("fresh", partial(stage.kept, python, 4, fresh=True), pinned=True),
            Case("start", partial(stages["default"].started, stages["default"].pair("cpp"))),
        ]
    return Part("(b) Whole tournaments", ABOUT, cases, _rows, _grids)


def _tournaments(stages: Stages) -> Iterator[Case]:
    stage = stages["none"]
    bots = stage.trivial("stdio", BOTS)
    for name, (variant, deals) in VARIANTS.items():
        for workers in WORKERS:
            kept = partial(stage.kept, bots, deals, workers, variant=variant)
            yield Case(f"{name} {workers}", kept)


def _rows(session: Session) -> list[Row]:
    row, ratio = session.row, session.ratio
    two = f"{CLAIM} 2"
    return [
        ratio("workers", "two unkept games/s", "one unkept games/s", "2 workers / 1, games/s, ledger off", at_least(1.85)),
        ratio("storage", f"{two} games/s", "two unkept games/s", "ledger on / off, games/s, 2 workers", at_least(0.7)),
        ratio("reuse", "reused games/s", "fresh games/s", "reused / fresh Python processes, games/s, one core", at_least(10)),
        row("two_games", f"{two} games/s", "games/s: Claim for two, C bots, 2 workers"),
        row("two_moves", f"{two} moves/s", "moves/s of it"),
        row("python_games", "python two games/s", "games/s: the same with Python bots"),
        row("python_moves", "python two moves/s", "moves/s of it"),
        row("start_ms", "start ms", "ms of CPU to start a bot in `default` and end it, as each job does"),
    ]  # fmt: skip


def _grids(session: Session) -> list[Grid]:
    def line(name: str) -> list[Row]:
        key = name.lower().replace(" ", "_")
        rows = [
            session.row(f"{key}_{workers}", f"{name} {workers} games/s", f"games/s: {name}, {workers}")
            for workers in WORKERS
        ]
        return [*rows, session.ratio(f"{key}_scale", f"{name} 2 games/s", f"{name} 1 games/s", "2 / 1")]

    columns = ["1 worker", "2 workers", "2 / 1"]
    return [Grid("games/s, kept", columns, [(name, line(name)) for name in VARIANTS])]
