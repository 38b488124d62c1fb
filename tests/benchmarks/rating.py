"""How long it takes to rate many duels, beside others."""

from __future__ import annotations

import json
import random
import subprocess
from functools import cache, partial
from pathlib import Path
from time import process_time

from leaderboards.estimates import estimate
from leaderboards.games import Cell, of_sides
from leaderboards.ratings import fit
from leaderboards.selection import Side
from protocol.vocabulary import BotId
from tests.benchmarks.engine import PEER, has_peers
from tests.benchmarks.harness import Bar, Case, Figures, Row, Session

GAMES, BOTS = 100_000, 200
PEERS = ("openskill==6.2.0", "choix==0.4.1", "trueskill==0.4.5")
OTHERS = {
    "trueskill": "`trueskill`, game after game",
    "openskill": "`openskill` (Plackett–Luce), game after game",
    "choix": "`choix` (I-LSR), all at once",
}


def ratings() -> list[Case]:
    """Ours, and the peers where they can be had."""
    return [partial(_ours, duels()), *([_others] if has_peers(*PEERS) else [])]


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


def _ours(duels: tuple[Cell, ...]) -> Figures:
    began = process_time()
    games = of_sides(duels)
    fit(games)
    rated = process_time()
    estimate(games)
    return {"rating s": rated - began, "covariance s": process_time() - rated}


def _others() -> Figures:
    numbers = {bot: n for n, bot in enumerate(sorted({side.bots[0] for duel in duels() for side in duel}))}
    plain = [(numbers[a.bots[0]], numbers[b.bots[0]], a.rank == b.rank) for a, b in duels()]
    script = Path(__file__).with_name("rating_peers.py")
    done = subprocess.run(
        [PEER / "bin/python", script], input=json.dumps(plain).encode(), check=True, capture_output=True
    )
    return {f"rating {name}": value for name, value in json.loads(done.stdout).items()}


def rating_rows(session: Session) -> list[Row]:
    """What is reported of it."""
    of = f"{GAMES:,} games of {BOTS} bots"
    return [
        session.row("rating_s", "rating s", f"s of CPU to rate {of}: batch TrueSkill", Bar(1.0)),
        session.row("covariance_s", "covariance s", "s of CPU for their intervals, by deal"),
        *(
            session.row(f"rating_{name}", f"rating {name}", f"s of CPU to rate {of}: {said}")
            for name, said in OTHERS.items()
        ),
    ]
