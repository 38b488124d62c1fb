"""How quick this machine is for games: work that is always the same, timed."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from arena.bundles import Bot
from arena.executors import Executor
from arena.executors.orders import Speed
from protocol.codec import read_strictly
from protocol.record import unpack
from protocol.vocabulary import DealId, GameId
from referee.chance import deal_seed
from referee.clocks import Limits
from referee.games import game_of
from referee.jobs import Job, PlannedGame

SLICES = 40
BRIEF = 10
"""In place of SLICES, between two units."""
STEPS = 60_000
"""Of a slice: some 4 ms."""
VARIANT = "claim"
GAMES = 2


def computing(slices: int = SLICES) -> Speed:
    """The core alone: the best of some slices, and how much of the core we got in all of them."""
    walls, cpu = [], time.process_time()
    for _ in range(slices):
        began = time.perf_counter()
        work()
        walls.append(time.perf_counter() - began)
    return Speed(min(walls), share=min(1.0, (time.process_time() - cpu) / sum(walls)))


def work() -> int:
    """A slice; no rules, which run compiled on some machines."""
    state = 1
    for _ in range(STEPS):
        state = (state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
    return state


def measured(executor: Executor, bot: Bot, logs: Path) -> Speed:
    """The core with a referee and `bot` on it, which plays itself. Raises OSError where it does not play."""
    speed = computing()
    variant = game_of(VARIANT).variant(VARIANT)
    games = tuple(
        PlannedGame(GameId(f"calibration-{n}"), DealId(f"{VARIANT}#{n}"), deal_seed("", VARIANT, n), "", 1)
        for n in range(GAMES)
    )
    job = Job("calibration", variant.id, (bot.launch,) * variant.players, games, Limits(), "", str(logs))
    done = [game for batch in executor.run([job]) for game in batch]
    times = [ms for game in done for ms in _times(game.record)]
    if not times:
        raise OSError(f"a game of two house bots came to nothing: {done[0].result.verdict if done else ''}")
    return speed._replace(exchange=median(times) / 1000)


def _times(record: bytes) -> Sequence[float]:
    """Of its moves, in ms."""
    return [ms for ms in read_strictly(unpack(record))["account"]["ms"] if ms]
