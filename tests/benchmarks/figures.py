"""What games of Aristoocrazy are like among copies of one bot: the table in the game's README.

    python tests/benchmarks/figures.py grow-and-fight --games 200

A decision is whatever a seat decides, also what is done for it because all can see that it has no choice;
those that are asked are in brackets. Options are the lengths of the legal lists that are asked.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from statistics import mean, quantiles
from time import process_time
from typing import Any
from unittest.mock import patch

from protocol.client import Bot
from referee.chance import deal_seed
from referee.game import Outcome
from referee.games import game_of
from referee.games.aristoocrazy import rules
from tests.benchmarks.ladder import PYTHON_BOTS, load, play

IDS = (
    "aristoocrazy/2p/classic",
    "aristoocrazy/3p/classic",
    "aristoocrazy/4p/classic",
    "aristoocrazy/4p/classic+rounds=8",
    "aristoocrazy/2p/classic+trait_set=rulebook9",
    "aristoocrazy/2p/quick2013",
    "aristoocrazy/3p/quick2013",
    "aristoocrazy/4p/quick2013",
)


class Watched(Bot):
    """A bot whose choices are counted."""

    def __init__(self, bot: Bot, options: list[int]) -> None:
        self.bot, self.options = bot, options

    def started(self, start: Any) -> None:
        self.bot.rng = self.rng
        self.bot.started(start)

    def choose(self, turn: Any) -> str | tuple[str, str]:
        self.options.append(len(turn["legal"]))
        return self.bot.choose(turn)


def line(id: str, kind: type[Bot], games: int) -> str:
    """A row of the table."""
    game = game_of(id)
    variant = game.variant(id)
    options: list[int] = []
    began = process_time()
    with patch.object(rules, "_do", wraps=rules._do) as done:
        outcomes = [
            play(game, variant, deal_seed("figures", id, number), _seated(kind, variant.players, options))
            for number in range(games)
        ]
    seconds = (process_time() - began) / games
    points = [sum(outcome.scores) for outcome in outcomes]
    cells = [
        id.removeprefix("aristoocrazy/"),
        f"{games}",
        " ".join(f"{share:.2f}".lstrip("0") for share in _wins(outcomes)),
        f"{mean(points):.1f} ({max(points):.0f})",
        f"{mean(outcome.ranks.count(0) > 1 for outcome in outcomes):.3f}",
        f"{done.call_count / games:.0f} ({len(options) / games:.0f})",
        f"{mean(options):.1f} / {quantiles(options, n=20)[-1]:.0f} / {max(options)}",
        f"{seconds * 1000:.0f} ms",
    ]
    return f"| {' | '.join(cells)} |"


def _seated(kind: type[Bot], players: int, options: list[int]) -> list[Bot]:
    return [Watched(kind(), options) for _ in range(players)]


def _wins(outcomes: Sequence[Outcome]) -> list[float]:
    """By seat, its share of first places; a shared one counts in parts."""
    seats = range(len(outcomes[0].ranks))
    return [
        mean((outcome.ranks[seat] == 0) / outcome.ranks.count(0) for outcome in outcomes) for seat in seats
    ]


def main() -> None:
    """See the module's docstring."""
    parser = argparse.ArgumentParser(description="figures of Aristoocrazy's games")
    parser.add_argument("bot", help="a bot of bots/python")
    parser.add_argument("--games", type=int, default=200, help="of each variant (200)")
    options = parser.parse_args()
    print("| setting | games | wins by seat | VP (most) | ties | decisions (asked) | options | CPU a game |")
    print("|---|---|---|---|---|---|---|---|")
    for id in IDS:
        print(line(id, load(PYTHON_BOTS / options.bot), options.games), flush=True)


if __name__ == "__main__":
    main()
