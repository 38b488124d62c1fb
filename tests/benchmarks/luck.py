"""How much luck there is in the games between Python bots: mirrored blocks, played in this process.

    python -m tests.benchmarks.luck claim/2p/GK-UWX heuristic heuristic/10 --blocks 1000
    python -m tests.benchmarks.luck --all

As many bots are named as the variant has teams. `greedy/10` is greedy with 10 moves in a hundred drawn at
random: that is how there come to be bots that are nearly as good as each other. Bots draw other numbers in
each game, as in a tournament, and nobody is timed: the same command gives the same games. `--all` makes the
table of docs/luck.md.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

from arena.schedules.blocks import Block, Meeting, Pairing, Plan, pairings_of, teams_of
from leaderboards.luck import luck
from leaderboards.seats import seated, seats
from protocol.client import Bot, answer
from protocol.result import GameResult, SeatResult
from protocol.vocabulary import BotId, Verdict
from referee.clocks import Limits
from referee.driving import drive
from referee.games import game_of
from referee.match import MatchSpec
from referee.players.local import LocalPlayer
from tests.benchmarks.ladder import PYTHON_BOTS, load

SEED = "luck"
SHARES = (0.55, 0.6, 0.7)
COLUMNS = (
    "variant", "bots: share of first places", "blocks", "bot", "seat", "deal", "rest", "ρ", "saving", "first seat",
    "block sd", *(f"blocks for {share:.0%}" for share in SHARES),
)  # fmt: skip
HOUSES = "aristoocrazy/2p/classic"
ALL = [
    *((variant, bots, 1000) for variant in ("claim/2p/GK-UWX", "claim/2p/NA-TDS") for bots in (
        "greedy greedy/0", "greedy greedy/10", "greedy random", "heuristic heuristic/10", "heuristic greedy")),
    ("claim/3p/GK-UWXTD", "greedy greedy/10 greedy/25", 600),
    ("claim/3p/GK-UWXTD", "heuristic greedy random", 200),
    ("claim/4p/GK-UWXTD", "greedy greedy/10", 600),
    ("claim/4p/GK-UWXTD", "heuristic greedy", 200),
    (HOUSES, "greedy greedy/10", 300),
    (HOUSES, "greedy random", 300),
    (HOUSES, "grow-and-fight grow-and-fight/10", 150),
]  # fmt: skip


class Careless(Bot):
    """A bot that draws some of its moves at random."""

    def __init__(self, bot: Bot, percent: int) -> None:
        self._bot = bot
        self._percent = percent

    def started(self, start: Any) -> None:
        self._bot.rng = random.Random(self.rng.random())
        self._bot.started(start)

    def choose(self, turn: Any) -> str | tuple[str, str]:
        own = self._bot.choose(turn)
        return self.rng.choice(turn["legal"]) if self.rng.random() * 100 < self._percent else own


def player(name: str) -> LocalPlayer:
    """The bot of that name, ready to sit down."""
    folder, _, percent = name.partition("/")
    bot: Bot = load(PYTHON_BOTS / folder)()
    if percent:
        bot = Careless(bot, int(percent))

    def choose(turn: dict[str, Any]) -> str:
        move = answer(bot, turn)
        assert move is not None
        return str(move["action"])

    def told(message: dict[str, Any]) -> None:
        answer(bot, message)

    return LocalPlayer(choose, told)


def blocks(variant: str, names: Sequence[str], count: int) -> Iterator[GameResult]:
    """The games of so many deals between these bots; a bot of several seats has a copy in each."""
    teams = teams_of(variant)
    size = len(teams) // len(set(teams))
    sides = tuple(sorted((BotId(name, ""),) * size for name in names))
    plan = Plan(SEED, SEED, (variant,), count)
    for pairing in pairings_of(plan, (Block(Meeting(variant, sides), deal) for deal in range(count))):
        yield from _played(pairing)


def _played(pairing: Pairing) -> Iterator[GameResult]:
    game = game_of(pairing.variant)
    variant = game.variant(pairing.variant)
    players = [player(bot.name) for bot in pairing.seating]
    for planned in pairing.games:
        spec = MatchSpec(planned.id, game, variant, pairing.seating, Limits(), SEED, planned.seed)
        played = drive(spec, players)
        assert not played.faults, played.detail
        table = zip(pairing.seating, variant.teams, played.outcome.ranks, played.outcome.scores, strict=True)
        seated = tuple(SeatResult(*seat) for seat in table)
        yield GameResult(
            planned.id, game.name, variant.id, game.rules_id(variant), planned.deal, planned.block,
            planned.block_size, seated, Verdict.FINISHED,
        )  # fmt: skip


def row(variant: str, names: Sequence[str], count: int) -> str:
    """One line of the table; what the report says in words comes after it."""
    results = list(blocks(variant, names, count))
    found, first = luck(results), seats(results)[0]
    cells = [
        f"`{variant}`",
        ", ".join(f"`{name}` {_share(results, name):.3f}" for name in names),
        f"{found.blocks:,}",
        *(_or_none(part, "{:.1%}") for part in (found.bot, found.seat, found.deal, found.rest)),
        _or_none(found.correlation, "{:+.2f}"),
        _or_none(found.saving, "× {:.2f}"),
        f"{first.share:.3f} [{_or_none(first.low, '{:.3f}')}, {_or_none(first.high, '{:.3f}')}]",
        _or_none(found.block_sd, "{:.3f}"),
        *(_or_none(found.needed(share), "{:,}") for share in SHARES),
    ]
    return "\n  ".join([_line(cells), *found.notes])


def _share(results: Sequence[GameResult], name: str) -> float:
    shares = [place.share for result in results for place in seated(result) if place.bots[0].name == name]
    return sum(shares) / len(results)


def _or_none(figure: float | None, form: str) -> str:
    return "none" if figure is None else form.format(figure)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """See the module's docstring."""
    parser = argparse.ArgumentParser(description="luck and skill in the games between Python bots")
    parser.add_argument("variant", nargs="?", help="its id")
    parser.add_argument("bots", nargs="*", help="as many as it has teams: greedy, greedy/10, ...")
    parser.add_argument("--blocks", type=int, default=1000)
    parser.add_argument("--all", action="store_true", help="the rows of docs/luck.md")
    options = parser.parse_args()
    if not options.all and not options.bots:
        parser.error("name a variant and its bots, or give --all")
    rows = ALL if options.all else [(options.variant, " ".join(options.bots), options.blocks)]
    print(_line(COLUMNS), _line(["---"] * len(COLUMNS)), sep="\n")
    for variant, names, count in rows:
        began = time.process_time()
        print(row(variant, names.split(), count), flush=True)
        print(f"{names}: {time.process_time() - began:.0f} s of CPU", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
