"""How true rankings are, by schedule and number of games; and whether 95 % intervals hold it in 95 %.

    python -m tests.benchmarks.rankings                  every schedule at 1,000, 4,000 and 8,000 games
    python -m tests.benchmarks.rankings --intervals      intervals in simulated contests
    python -m tests.benchmarks.rankings --real           intervals on games of the real engine

20 bots of which the best beats the worst in 75 %, a luck share of 30 %, the same contests for all schedules.
`--real` plays a mirrored round robin of bots in this process, takes all of it for the truth, and draws
tournaments of fewer deals out of it, without putting back. What they share with the truth is allowed for: of n of
N deals, an estimate differs from that of all N by √(1 − n / N) of its own standard deviation.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import chain, combinations

import numpy as np

from arena.accuracy import Accuracy, outcome
from arena.config import parse
from arena.simulation import Odds, World, spread
from arena.trials import QUALITY, Entry, seeds, trials
from leaderboards.estimates import estimate
from leaderboards.games import Games, Index, games_of
from leaderboards.normal import LEVEL
from protocol.result import GameResult
from tests.benchmarks.luck import blocks

VARIANT = "claim/2p/GK-UWX"
BUDGETS = (1000, 4000, 8000)
SCHEDULES = (
    ("round_robin", 1_000_000, 1.0),
    ("adaptive", 5, 1.0),
    ("adaptive", 2, 0.25),
    ("finals", 5, 1.0),
    ("finals", 2, 0.25),
    (QUALITY, 1, 0.2),
)
"""With the deals of the opening, and the share of the contests that it is played in."""
CONTESTS = (("round_robin", 60, 12, 0.3), ("round_robin", 21, 20, 0.3), ("finals", 5, 20, 0.3),
            ("finals", 10, 10, 0.6), ("adaptive", 5, 20, 0.3), ("adaptive", 10, 10, 0.6))  # fmt: skip
"""For intervals: schedule, deals, bots and luck."""
BOTS = ("greedy", "greedy/10", "greedy/25", "greedy/50", "random")
COLUMNS = ("games", "tau", "best is first", "in the top 3", "rmse", "off by", "in 95 %", "tau claimed")


def entry(kind: str, deals: int, games: int, bots: int) -> Entry:
    """A schedule as `arena simulate` has it."""
    names = [f"bot-{n:02}" for n in range(1, bots + 1)]
    schedule = {} if kind == QUALITY else {"schedule": {"kind": kind}}
    data = {"name": "cup", "bots": names, "variants": [VARIANT], "deals": deals, "stop": {"games": games}}
    return Entry(kind, parse(data | schedule, "rankings"))


def world(bots: int, luck: float) -> World:
    """Of the field that the issue names."""
    return World(spread(bots, 0.75), {VARIANT: Odds(luck)})


def table(runs: int) -> Iterator[str]:
    """A row for each schedule and number of games; each schedule is played once, to the last of them."""
    yield _line(["schedule", "opening", "contests", *COLUMNS, "tau 0.9 at"])
    yield _line(["---"] * (len(COLUMNS) + 4))
    for kind, deals, share in SCHEDULES:
        began, tried_in = time.process_time(), round(runs * share)
        tried = trials([entry(kind, deals, max(BUDGETS), 20)], world(20, 0.3), seeds("rankings", tried_in))
        found = outcome([trial for (trial,) in tried])
        opening = f"{deals}" if kind in ("finals", "adaptive") else ""
        goal = f"{found.games_to_goal:,}" if found.games_to_goal else "not reached"
        for at in found.course:
            if at.games in BUDGETS:
                yield _line([kind, opening, f"{tried_in}", *_cells(at), goal])
        _note(f"{kind}: {(time.process_time() - began) / tried_in:.2f} s of CPU a contest")


def intervals(runs: int) -> Iterator[str]:
    """A row for each contest of CONTESTS."""
    yield _line(["schedule", "deals", "bots", "luck", *COLUMNS])
    yield _line(["---"] * (len(COLUMNS) + 4))
    for kind, deals, bots, luck in CONTESTS:
        games = bots * (bots - 1) * deals if kind == "round_robin" else 200 * bots
        tried = trials([entry(kind, deals, games, bots)], world(bots, luck), seeds("intervals", runs))
        end = outcome([trial for (trial,) in tried]).end
        yield _line([kind, f"{deals}", f"{bots}", f"{luck:.0%}", *_cells(end)])


def _cells(at: Accuracy) -> list[str]:
    figures = (at.tau, at.first, at.top3, at.rmse, at.rank_error, at.coverage)
    claimed = f"{at.claimed_tau.mean:.3f}" if at.claimed_tau else ""
    return [f"{at.games:,.0f}", *(f"{one.mean:.3f} ± {one.error or 0:.3f}" for one in figures), claimed]


def real(deals: int, drawn: int, runs: int) -> Iterator[str]:
    """The share of intervals of `runs` tournaments on `drawn` of `deals` deals that hold what all deals say."""
    pairs = combinations(BOTS, 2)
    results = list(chain.from_iterable(blocks(VARIANT, pair, deals) for pair in pairs))
    truth = estimate(games_of(results))
    held, close = held_by(results, deals, drawn, runs)
    names = ", ".join(
        f"{bot.name} {mu:.2f} ± {sd:.2f}"
        for bot, mu, sd in zip(truth.bots, truth.mean.tolist(), truth.sd.tolist(), strict=True)
    )
    yield f"{len(results):,} games on {deals:,} deals of {VARIANT}: {names}"
    yield f"{runs} tournaments of {drawn} deals: {held:.3f} of {runs * len(BOTS):,} intervals hold the truth"
    yield f"of the differences of two bots: {close:.3f}"


def held_by(results: Sequence[GameResult], deals: int, drawn: int, runs: int) -> tuple[float, float]:
    """Shares of the intervals, and of those of differences, that hold what all results say."""
    whole = games_of(results)
    truth = estimate(whole)
    random = np.random.RandomState(1)
    overlap = math.sqrt(1 - drawn / deals)
    first, second = np.triu_indices(len(truth.bots), 1)
    held, close = [], []
    for _ in range(runs):
        found = estimate(_on(whole, random.permutation(deals)[:drawn]))
        error = found.mean - truth.mean - (found.mean - truth.mean).mean()
        held.append(abs(error) <= LEVEL * found.sd * overlap)
        _, sd = found.differences()
        close.append(abs(error[first] - error[second]) <= LEVEL * sd[first, second] * overlap)
    return float(np.mean(held)), float(np.mean(close))


def _on(whole: Games, deals: Index) -> Games:
    """The games on some of the deals."""
    chosen = np.isin(whole.deal, deals)
    _, deal = np.unique(whole.deal[chosen], return_inverse=True)
    _, block = np.unique(whole.block[chosen], return_inverse=True)
    return Games(whole.bots, whole.cells, whole.cell[chosen], deal, block)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    """See the module's docstring."""
    parser = argparse.ArgumentParser(description="how true rankings are")
    parser.add_argument("--intervals", action="store_true")
    parser.add_argument("--real", action="store_true")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--deals", type=int, default=2000, help="of the round robin of --real")
    parser.add_argument("--drawn", type=int, default=100, help="of a tournament of --real")
    options = parser.parse_args()
    if options.real:
        lines = real(options.deals, options.drawn, options.runs)
    else:
        lines = intervals(options.runs) if options.intervals else table(options.runs)
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    main()
