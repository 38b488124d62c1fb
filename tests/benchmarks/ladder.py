"""How much stronger one Python bot is than another: mirrored deals, played in this process.

    python tests/benchmarks/ladder.py heuristic greedy claim --deals 400

Each deal is a block: the first bot plays each team in turn, and the second bot all others. So with two
and four players a block is the deal played both ways, with three it is the deal played from each seat.
A pattern (`claim/2p/*`) means the given number of deals of each of its variants. Printed are the games
won, shared and lost by the first bot, the blocks in which it took more, as much and less than its share,
its share of first places (a place shared by two counts a half), and the likelihood that it is the
stronger one, from the mean and the spread of the blocks' scores (normal approximation).
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from statistics import NormalDist, mean, stdev
from typing import Any

from protocol.client import Bot, answer
from referee.chance import deal_seed
from referee.game import Game, Outcome, Variant
from referee.games import game_of

PYTHON_BOTS = Path(__file__).parents[2] / "bots" / "python"


@dataclass(slots=True)
class Tally:
    """What came of the games so far, from the first bot's side."""

    wins: int = 0
    shared: int = 0
    losses: int = 0
    blocks: list[float] = field(default_factory=list)
    """For each block the mean share of first place, less the share that equal bots would have."""
    times_ms: list[float] = field(default_factory=list)
    """For each decision of the first bot."""


class Timed(Bot):
    """A bot whose decisions are timed."""

    def __init__(self, bot: Bot, times_ms: list[float]) -> None:
        self.bot = bot
        self.times_ms = times_ms

    def started(self, start: Any) -> None:
        self.bot.rng = self.rng
        self.bot.started(start)

    def choose(self, turn: Any) -> str | tuple[str, str]:
        begin = time.thread_time()
        choice = self.bot.choose(turn)
        self.times_ms.append((time.thread_time() - begin) * 1000)
        return choice


def load(folder: Path) -> type[Bot]:
    """The bot class of `folder/bot.py`, imported with the files beside it as a started bot would."""
    name = f"bot_{folder.name}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, folder / "bot.py")
        if spec is None or spec.loader is None:
            raise ImportError(f"no bot.py in {folder}")
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        sys.path.insert(0, str(folder))
        try:
            spec.loader.exec_module(module)
        finally:
            sys.path.remove(str(folder))
    own = [value for value in vars(sys.modules[name]).values() if isinstance(value, type)]
    return next(value for value in own if issubclass(value, Bot) and value.__module__ == name)


def play(game: Game, variant: Variant, seed: str, bots: Sequence[Bot]) -> Outcome:
    """One game of the deal of `seed`, `bots` by seat. Raises IllegalAction as soon as one makes a mistake."""
    state = game.setup(variant, seed)
    setup = game.setup_info(variant)
    for seat, bot in enumerate(bots):
        start = {"type": "start", "game_id": "0", "game": game.name, "variant": variant.id, "seat": seat}
        answer(bot, start | {"setup": setup, "bot_seed": f"{seed[:32]}{seat}"})
    while state.to_act:
        seat = state.to_act[0]
        turn = {"type": "turn", "game_id": "0", "turn": 1, "view": state.view(seat), "events": []}
        move = answer(bots[seat], turn | {"legal": state.legal_text(seat)})
        state.apply(seat, state.parse(seat, _action(move)))
    outcome = state.outcome
    assert outcome is not None
    return outcome


def _action(move: Mapping[str, Any] | None) -> str:
    assert move is not None
    return str(move["action"])


def play_block(
    game: Game, variant: Variant, seed: str, first: type[Bot], second: type[Bot], tally: Tally
) -> None:
    """One deal, the first bot as each team in turn."""
    sides = sorted(set(variant.teams))
    shares = []
    for side in sides:
        bots = [Timed(first(), tally.times_ms) if team == side else second() for team in variant.teams]
        outcome = play(game, variant, seed, bots)
        best = {team for team, rank in zip(outcome.teams, outcome.ranks, strict=True) if rank == 0}
        shares.append((side in best) / len(best))
        tally.wins += best == {side}
        tally.shared += side in best and len(best) > 1
        tally.losses += side not in best
    tally.blocks.append(mean(shares) - 1 / len(sides))


def report(tally: Tally, fair: float) -> str:
    """One line for the games of variants with the same number of teams; `fair` is one over it."""
    better, worse = sum(block > 1e-9 for block in tally.blocks), sum(block < -1e-9 for block in tally.blocks)
    error = stdev(tally.blocks) / sqrt(len(tally.blocks))
    edge = mean(tally.blocks)
    superiority = NormalDist().cdf(edge / error) if error else float(edge > 0)
    return (
        f"games {tally.wins} won, {tally.shared} shared, {tally.losses} lost; "
        f"blocks {better}-{len(tally.blocks) - better - worse}-{worse}; "
        f"share {fair + edge:.3f} ± {error:.3f} (equal: {fair:.3f}); superiority {superiority:.4f}; "
        f"{mean(tally.times_ms):.2f} ms of CPU a move, at most {max(tally.times_ms):.0f}"
    )


def _folder(bot: str) -> Path:
    return Path(bot).resolve() if "/" in bot else PYTHON_BOTS / bot


def main() -> None:
    """See the module's docstring."""
    parser = argparse.ArgumentParser(description="play two Python bots against each other")
    parser.add_argument("first", help="a bot of bots/python, or the path of a folder: ./mybot")
    parser.add_argument("second")
    parser.add_argument("variants", nargs="+", help="ids, aliases or patterns, each with a line of its own")
    parser.add_argument("--deals", type=int, default=400, help="of each variant (400)")
    parser.add_argument("--seed", default="ladder", help="what the deals come from")
    options = parser.parse_args()
    first, second = load(_folder(options.first)), load(_folder(options.second))
    for pattern in options.variants:
        tally = Tally()
        game = game_of(pattern)
        for variant in map(game.variant, game.matching(pattern)):
            for number in range(options.deals):
                seed = deal_seed(options.seed, variant.id, number)
                play_block(game, variant, seed, first, second, tally)
        print(f"{pattern}: {report(tally, 1 / len(set(variant.teams)))}", flush=True)


if __name__ == "__main__":
    main()
