"""What a run of a tournament would play, how long that takes, and how exact its ratings would be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

from arena.config import Tournament
from arena.executors.local import oversubscribed, processes
from arena.home import Home
from arena.ledger import Ledger
from arena.planning import Size, sizes
from arena.reading import opened
from arena.schedules.blocks import teams_of
from arena.spending import RECENT, seconds_a_game
from arena.tournament import Prepared, check_bots, prepare
from protocol.vocabulary import BotId

SIGMA = {(2, 1): 8.0, (3, 1): 6.3, (4, 1): 5.7, (2, 2): 11.2}
"""A bot's sigma times the root of its games, by sides and bots a side: measured with bots of about one strength."""


@dataclass(frozen=True, slots=True)
class VariantForecast:
    """What is to be played of one variant."""

    variant: str
    players: int
    games: int | None
    """Of the whole schedule, at most; None where the rules of [stop] alone bound it."""
    blocks: int | None
    """So, too."""
    games_a_block: int
    """Of the largest block: one of mixed teams has more games than one of copies."""
    kept: int
    """Games that are over."""
    seconds_a_game: float | None = None
    """That bots think, in the newest games of this variant, whoever played; None where there are none."""
    sigma: float | None = None
    """To be expected of a bot with an average number of these games, and no others; None: no rule of thumb has it."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """What is to be played of a tournament."""

    tournament: str
    bots: tuple[BotId, ...]
    left_out: tuple[str, ...]
    """Bots that do not build here, each with the reason."""
    games: int | None
    """At most; None where time, or what is found out, bounds them alone."""
    kept: int
    processes: int
    """That referee games at a time."""
    oversubscribed: bool
    """They are more than the cores: times are not comparable."""
    variants: tuple[VariantForecast, ...]
    schedule: str = "round_robin"
    """Its kind."""
    seconds: float | None = None
    """That the games to come may take, without the starts of bots; None where nothing tells."""


def forecast(tournament: Tournament, home: Home) -> Forecast:
    """What a run would play; takes bots in, starts none. Raises ArenaError, as `run` does before it plays."""
    with opened(home) as ledger:
        check_bots(tournament, home, ledger)
        prepared = prepare(tournament, home, ledger)
        course = prepared.course
        games, extent = course.most(), sizes(course)
        shares = _shares(extent, games)
        variants = tuple(
            _of_variant(variant, size, shares[variant], prepared, ledger) for variant, size in extent.items()
        )
    workers = processes(tournament.concurrency)
    return Forecast(
        tournament.name, tuple(prepared.bots), prepared.left_out, games, course.kept,
        workers, oversubscribed(tournament.concurrency), variants, tournament.schedule.kind,
        _seconds(variants, shares, workers),
    )  # fmt: skip


def _shares(extent: Mapping[str, Size], games: int | None) -> dict[str, int | None]:
    """Games of each variant: of as many as there can be its part of the schedule, or as many as of the others."""
    known = {variant: size.games for variant, size in extent.items() if size.games is not None}
    if games is None or not known:
        return dict.fromkeys(extent, None if games is None else games // len(extent))
    total = max(games, sum(known.values()))
    return {variant: own * games // total for variant, own in known.items()}


def _of_variant(
    variant: str, size: Size, share: int | None, prepared: Prepared, ledger: Ledger
) -> VariantForecast:
    kept, seconds = prepared.course.played[variant], seconds_a_game(ledger.newest(RECENT, variant=variant))
    tournament = prepared.tournament
    even = tournament.schedule.kind != "knockout"  # there the winner has most of the games
    sigma = _sigma(variant, share, len(prepared.bots), tournament.partners) if even else None
    players = len(teams_of(variant))
    return VariantForecast(variant, players, size.games, size.blocks, size.block, kept, seconds, sigma)


def _seconds(
    variants: tuple[VariantForecast, ...], shares: Mapping[str, int | None], workers: int
) -> float | None:
    """What is left of each variant, at its pace."""
    total = 0.0
    for one in variants:
        games = shares[one.variant]
        if games is None or one.seconds_a_game is None:
            return None
        total += max(0, games - one.kept) * one.seconds_a_game
    return total / workers


def _sigma(variant: str, games: int | None, bots: int, partners: str) -> float | None:
    """Teams of copies are one entity a side, as a bot that plays alone is."""
    teams = teams_of(variant)
    sides = len(set(teams))
    each = 1 if partners == "same" else len(teams) // sides
    factor = SIGMA.get((sides, each))
    if factor is None or not games:
        return None
    return factor / sqrt(games * sides * each / bots)
