"""The same duels rated by others. Runs in an environment of its own, made by `make bench`.

`rating_peers.py` reads one JSON array of [winner, loser, drawn] from standard input and prints one JSON object:
the seconds of CPU for 100,000 games of

    trueskill     game after game; from the first 20,000, as every game costs the same
    openskill     Plackett-Luce, game after game; likewise
    choix         Bradley-Terry by I-LSR, all at once; a draw is taken for a win of the first, as it knows none
"""

import json
import sys
from time import process_time
from typing import Any

import choix  # type: ignore[import-not-found, unused-ignore]
from openskill.models import PlackettLuce  # type: ignore[import-not-found, unused-ignore]
from trueskill import TrueSkill  # type: ignore[import-untyped, import-not-found, unused-ignore]

WHOLE, PART = 100_000, 20_000
Duel = tuple[int, int, bool]


def one_by_one(duels: list[Duel], bots: int, fresh: Any, rate: Any) -> float:
    """Seconds for WHOLE games, out of those of PART."""
    ratings = [fresh() for _ in range(bots)]
    began = process_time()
    for first, second, drawn in duels[:PART]:
        (ratings[first],), (ratings[second],) = rate(
            [[ratings[first]], [ratings[second]]], [0, int(not drawn)]
        )
    return (process_time() - began) * WHOLE / PART


def main() -> None:
    """Measure all three."""
    duels: list[Duel] = json.load(sys.stdin)
    bots = 1 + max(max(first, second) for first, second, _ in duels)
    known, model = TrueSkill(tau=0, draw_probability=0.1), PlackettLuce()
    began = process_time()
    choix.ilsr_pairwise(bots, [(first, second) for first, second, _ in duels], alpha=1e-3)
    seconds = {
        "choix": process_time() - began,
        "trueskill": one_by_one(duels, bots, known.create_rating, known.rate),
        "openskill": one_by_one(
            duels, bots, model.rating, lambda teams, ranks: model.rate(teams, ranks=ranks)
        ),
    }
    print(json.dumps(seconds))


if __name__ == "__main__":
    main()
