"""Who stands where: ratings and tallies of every variant, and the mean over the variants.

A standing carries all that made it, so that two boards can be compared. Every variant is rated by
itself, and games are never pooled: the overall rating is the mean of the variants' ratings, with equal
weights, so that a variant that was played more often does not count for more.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from leaderboards import ratings
from leaderboards.ratings import Fit, Rating
from leaderboards.selection import Kind, Selection, digest, select, sides
from protocol.result import GameResult
from protocol.vocabulary import BotId, FaultKind

FEW_GAMES = 100
"""Below it a rating is provisional."""
WIDE_SIGMA = 0.8
"""Above it a rating is provisional."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What a bot did in its rated games. A game counts once, however many seats it had there."""

    games: int = 0
    wins: int = 0
    """First place, alone (with its team)."""
    draws: int = 0
    """First place, shared with another side."""
    losses: int = 0
    firsts: float = 0.0
    """First places, a shared one divided by the sides that share it."""
    expected: float = 0.0
    """First places that a bot gets which is as good as its opponents: 1/k of a game of k sides."""
    faults: tuple[tuple[FaultKind, int], ...] = ()
    """How many seats ended in a fault, by its kind; sorted, none of them 0."""

    @property
    def win_share(self) -> float:
        """`firsts` of all games; compare it with `expected_share`."""
        return self.firsts / self.games

    @property
    def expected_share(self) -> float:
        """`expected` of all games: 1/2 in a duel, 1/k where k play for themselves."""
        return self.expected / self.games


@dataclass(frozen=True, slots=True)
class Row:
    """One bot in one table."""

    rank: int | None
    """1 is best, ties share the better place; None without a rating."""
    bot: BotId
    rating: Rating | None
    """Its mu is the headline; rounded to 1e-4. None in the overall table: a variant is missing."""
    tally: Tally
    missing: tuple[str, ...] = ()
    """Labels of the variants that it has no rated game of."""

    @property
    def provisional(self) -> bool:
        """Fewer than 100 games, or a sigma above 0.8: too little to go by."""
        return self.tally.games < FEW_GAMES or self.rating is None or self.rating.sigma > WIDE_SIGMA


@dataclass(frozen=True, slots=True)
class Board:
    """The table of one variant under one set of rules."""

    label: str
    """The variant, with the rules where the standings have it under several."""
    kind: Kind
    weight: float
    """Its share of the overall rating."""
    games: int
    draw_probability: float
    """Observed share of ties among adjacent places, rounded to 1e-4."""
    draw_margin: float
    """That follows for two bots, in units of mu, rounded to 1e-4."""
    groups: tuple[tuple[BotId, ...], ...]
    """Bots that met, directly or through others; ratings compare only inside a group."""
    rows: tuple[Row, ...]
    """Best first."""


@dataclass(frozen=True, slots=True)
class Standings:
    """The overall table, the table of each variant, and all that made them."""

    rows: tuple[Row, ...]
    """Best first; bots without a rating (a variant is missing) at the end."""
    boards: tuple[Board, ...]
    """Sorted by kind."""
    games: int
    """Rated games."""
    blocks: int
    """Whole blocks."""
    incomplete_blocks: int
    incomplete_games: int
    """Games left out because their block lacks others."""
    void: int
    """Games that have no result yet but a void or an aborted one."""
    unratable: int
    """Games in which a bot met itself, or sides that are not on one scale."""
    isolation: str
    """What kept the bots apart, in the caller's words; empty if it did not say."""
    notes: tuple[str, ...]
    """The caller's: suspended bots, for example."""
    digest: str
    """SHA-256 of the rated games and the settings: equal for equal boards."""
    tau: float = ratings.TAU
    """Drift of a skill from game to game: none, a bot in one version does not change."""
    interval: str = "mu ± 1.96 sigma"


def standings(
    results: Iterable[GameResult],
    *,
    game: str | None = None,
    variant: str | None = None,
    isolation: str = "",
    notes: Sequence[str] = (),
) -> Standings:
    """The standings of all games, of one `game`, or of the variants that a pattern (`claim/2p/*`) means.

    Raises ValueError where there are results but none of that game and variant, ResultsError where
    results contradict each other, NotConverged where a rating does not settle.
    """
    chosen = select(_chosen(list(results), game, variant))
    boards = _boards(chosen)
    return Standings(
        rows=_overall(boards),
        boards=boards,
        games=chosen.rated,
        blocks=chosen.blocks,
        incomplete_blocks=chosen.incomplete_blocks,
        incomplete_games=chosen.incomplete_games,
        void=chosen.void,
        unratable=chosen.unratable,
        isolation=isolation,
        notes=tuple(notes),
        digest=digest((result for games in chosen.games.values() for result in games), ratings.CONFIG),
    )


def by_variant(
    results: Iterable[GameResult],
    *,
    variant: str | None = None,
    isolation: str = "",
    notes: Sequence[str] = (),
) -> dict[str, Standings]:
    """The standings of every variant by itself, by variant; raises what `standings` does."""
    known = _chosen(list(results), None, variant)
    return _each(known, lambda result: result.variant, isolation, notes)


def by_game(
    results: Iterable[GameResult], *, isolation: str = "", notes: Sequence[str] = ()
) -> dict[str, Standings]:
    """The standings over the variants of every game, by game; raises what `standings` does."""
    return _each(list(results), lambda result: result.game, isolation, notes)


def _each(
    results: list[GameResult], key: Callable[[GameResult], str], isolation: str, notes: Sequence[str]
) -> dict[str, Standings]:
    return {
        name: standings((r for r in results if key(r) == name), isolation=isolation, notes=notes)
        for name in sorted(set(map(key, results)))
    }


def _chosen(results: list[GameResult], game: str | None, variant: str | None) -> list[GameResult]:
    chosen = [
        result
        for result in results
        if (game is None or result.game == game)
        and (variant is None or result.variant == variant or fnmatchcase(result.variant, variant))
    ]
    if results and not chosen:
        known = ", ".join(sorted({result.variant for result in results}))
        raise ValueError(f"no result is of {variant or game}; there are results of {known}")
    return chosen


def _boards(chosen: Selection) -> tuple[Board, ...]:
    variants = Counter((kind.game, kind.variant) for kind in chosen.games)
    boards = []
    for kind, games in chosen.games.items():
        label = kind.variant
        if variants[kind.game, kind.variant] > 1:
            label += f" (rules {kind.rules})"
        boards.append(_board(label, kind, games, 1 / len(chosen.games)))
    return tuple(boards)


def _board(label: str, kind: Kind, games: Sequence[GameResult], weight: float) -> Board:
    fit: Fit = ratings.fit(map(sides, games))
    tallies = _tallies(games)
    rows = [Row(None, bot, rating.rounded(), tallies[bot]) for bot, rating in fit.ratings.items()]
    return Board(
        label=label,
        kind=kind,
        weight=weight,
        games=len(games),
        draw_probability=round(fit.draw_probability, 4),
        draw_margin=round(ratings.draw_margin(fit.draw_probability, 2), 4),
        groups=fit.groups,
        rows=_ranked(rows),
    )


def _overall(boards: Sequence[Board]) -> tuple[Row, ...]:
    tables = [{row.bot: row for row in board.rows} for board in boards]
    rows = []
    for bot in sorted({bot for table in tables for bot in table}):
        own = [table[bot] for table in tables if bot in table]
        missing = tuple(b.label for b, table in zip(boards, tables, strict=True) if bot not in table)
        found = [row.rating for row in own if row.rating]
        rating = None if missing else mean_rating(found, [board.weight for board in boards])
        rows.append(Row(None, bot, rating, _sum([row.tally for row in own]), missing))
    return _ranked(rows)


def mean_rating(found: Sequence[Rating], weights: Sequence[float]) -> Rating:
    """Weighted mean of independent ratings, rounded: mu = sum w mu, sigma² = sum w² sigma²."""
    mu = math.fsum(w * rating.mu for w, rating in zip(weights, found, strict=True))
    variance = math.fsum((w * rating.sigma) ** 2 for w, rating in zip(weights, found, strict=True))
    return Rating(mu, math.sqrt(variance)).rounded()


def _ranked(rows: Iterable[Row]) -> tuple[Row, ...]:
    order = sorted(rows, key=lambda row: (row.rating is None, -row.rating.mu if row.rating else 0, row.bot))
    mus = [row.rating.mu for row in order if row.rating]
    return tuple(replace(row, rank=mus.index(row.rating.mu) + 1 if row.rating else None) for row in order)


def _tallies(games: Iterable[GameResult]) -> dict[BotId, Tally]:
    single: dict[BotId, list[Tally]] = defaultdict(list)
    for result in games:
        table = sides(result)
        firsts = sum(side.rank == 0 for side in table)
        for side in table:
            for bot in side.bots:
                single[bot].append(_single(result, bot, side.rank == 0, firsts, len(table)))
    return {bot: _sum(tallies) for bot, tallies in single.items()}


def _single(result: GameResult, bot: BotId, first: bool, firsts: int, k: int) -> Tally:
    return Tally(
        games=1,
        wins=int(first and firsts == 1),
        draws=int(first and firsts > 1),
        losses=int(not first),
        firsts=first / firsts,
        expected=1 / k,
        faults=tuple((seat.fault, 1) for seat in result.seats if seat.bot == bot and seat.fault),
    )


def _sum(tallies: Sequence[Tally]) -> Tally:
    faults = Counter(kind for tally in tallies for kind, count in tally.faults for _ in range(count))
    return Tally(
        games=sum(tally.games for tally in tallies),
        wins=sum(tally.wins for tally in tallies),
        draws=sum(tally.draws for tally in tallies),
        losses=sum(tally.losses for tally in tallies),
        firsts=math.fsum(tally.firsts for tally in tallies),
        expected=math.fsum(tally.expected for tally in tallies),
        faults=tuple(sorted(faults.items())),
    )
