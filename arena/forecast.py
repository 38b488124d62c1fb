"""What a run of a tournament would play."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from arena.config import Tournament
from arena.executors.local import oversubscribed, processes
from arena.home import Home
from arena.planning import sizes
from arena.reading import opened
from arena.tournament import check_bots, prepare
from protocol.vocabulary import BotId
from referee.games import game_of


@dataclass(frozen=True, slots=True)
class VariantForecast:
    """What is to be played of one variant."""

    variant: str
    players: int
    games: int
    """Of the whole schedule."""
    blocks: int
    games_a_block: int
    """Of the largest block: one of mixed teams has more games than one of copies."""
    kept: int
    """Games that are over."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """What is to be played of a tournament."""

    tournament: str
    bots: tuple[BotId, ...]
    left_out: tuple[str, ...]
    """Bots that do not build here, each with the reason."""
    games: int
    kept: int
    processes: int
    """That referee games at a time."""
    oversubscribed: bool
    """They are more than the cores: times are not comparable."""
    variants: tuple[VariantForecast, ...]


def forecast(tournament: Tournament, home: Home) -> Forecast:
    """What a run would play; takes bots in, starts none. Raises ArenaError, as `run` does before it plays."""
    with opened(home) as ledger:
        check_bots(tournament, home, ledger)
        prepared = prepare(tournament, home, ledger)
        kept: Counter[str] = Counter()
        for (variant, _), number in ledger.verdicts(tournament.name).items():
            kept[variant] += number
    bots = tuple(prepared.bots)
    variants = tuple(
        VariantForecast(
            variant, game_of(variant).variant(variant).players, size.games, size.blocks, size.block,
            kept[variant],
        )
        for variant, size in sizes(prepared.plan, bots).items()
    )  # fmt: skip
    return Forecast(
        tournament.name, bots, prepared.left_out, prepared.count(), len(prepared.kept),
        processes(tournament.concurrency), oversubscribed(tournament.concurrency), variants,
    )  # fmt: skip
