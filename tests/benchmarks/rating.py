"""(e) How long it takes to rate many duels, beside others."""

from __future__ import annotations

import json
import random
from functools import cache
from time import process_time

from leaderboards.estimates import estimate
from leaderboards.games import Cell, of_sides
from leaderboards.ratings import fit
from leaderboards.selection import Side
from protocol.vocabulary import BotId
from tests.benchmarks.harness import Bar, Case, Figures, Row, Session
from tests.benchmarks.peers import peer
from tests.benchmarks.report import Part

GAMES, BOTS = 100_000, 200
OTHERS = {
    "trueskill": "`trueskill`, game after game",
    "openskill": "`openskill` (Plackett–Luce), game after game",
    "choix": "`choix` (I-LSR), all at once",
}
ABOUT = f"""
Made-up duels of {BOTS} bots of different strength, a tenth of them drawn, the same for all. *Batch TrueSkill* is what
`arena leaderboard` does with them, once they are out of the ledger. Those that go game after game are measured on a
fifth of them, as every game costs the same.
"""


def part() -> Part:
    """Ours, and the peers."""
    return Part(
        "(e) Ratings",
        ABOUT,
        [Case("rating", _ours), peer("raters", "raters", "raters.py", told=_plain)],
        _rows,
    )


@cache
def duels() -> tuple[Cell, ...]:
    """Games of one against one between bots of different strength, with some draws."""
    rng = random.Random(1)
    bots = [(BotId(f"bot{n}", f"{n:040x}"), rng.gauss(0.0, 1.0)) for n in range(BOTS)]

    def duel() -> Cell:
        (one, skill), (two, other) = rng.sample(bots, 2)
        lead = rng.gauss(skill - other, 1.0)
        best, last = (one, two) if lead > 0 else (two, one)
        return Side(0, (best,)), Side(int(abs(lead) > 0.1), (last,))

    return tuple(duel() for _ in range(GAMES))


def _ours() -> Figures:
    cells = duels()
    began = process_time()
    games = of_sides(cells)
    fit(games)
    rated = process_time()
    estimate(games)
    return {"s": rated - began, "covariance s": process_time() - rated}


@cache
def _plain() -> str:
    """As the peers read them: [winner, loser, drawn], bots as numbers."""
    numbers = {bot: n for n, bot in enumerate(sorted({side.bots[0] for duel in duels() for side in duel}))}
    return json.dumps([(numbers[a.bots[0]], numbers[b.bots[0]], a.rank == b.rank) for a, b in duels()])


def _rows(session: Session) -> list[Row]:
    of = f"{GAMES:,} games of {BOTS} bots"
    return [
        session.row("rating_s", "rating s", f"s of CPU to rate {of}: batch TrueSkill", Bar(1.0)),
        session.row("covariance_s", "rating covariance s", "s of CPU for their intervals, by deal"),
        *(
            session.row(f"rating_{name}", f"raters {name}", f"s of CPU to rate them: {said}")
            for name, said in OTHERS.items()
        ),
        session.ratio("rating_per_trueskill", "rating s", "raters trueskill", "batch / `trueskill`"),
    ]
