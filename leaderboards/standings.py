"""Who stands where: ratings and tallies of every variant, and the mean over the variants.

Every variant is rated by itself, and games are never pooled: the overall rating is the mean of the variants'
ratings, with equal weights, so that a variant that was played more often does not count for more.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256

from leaderboards import ratings
from leaderboards.boards import Board, Row, grouped
from leaderboards.confidence import FEW_DEALS, Group, confidence
from leaderboards.estimates import Estimate, combined
from leaderboards.games import games_of
from leaderboards.ratings import Rating
from leaderboards.results import Results
from leaderboards.selection import Kind, Selection, digest, select
from leaderboards.settings import Settings
from leaderboards.tallies import tallies, total
from protocol.result import GameResult
from protocol.vocabulary import BotId


class AnchorError(ValueError):
    """There is no such anchor; the message says which bots there are, or what it lacks."""


@dataclass(frozen=True)
class Standings:
    """The overall table, the table of each variant, and all that made them."""

    rows: tuple[Row, ...]
    """Best first, one group after the other; bots without a rating (they lack a variant of others) at the end."""
    boards: tuple[Board, ...]
    """Sorted by kind."""
    settings: Settings
    isolation: str
    """What kept the bots apart, in the caller's words; empty if it did not say."""
    notes: tuple[str, ...]
    """The caller's: suspended bots, for example."""
    selection: Selection = field(compare=False, repr=False)
    """The games that are rated, and how many are not for which reason."""
    unrated: tuple[str, ...] = ()
    """Labels of variants of which nobody has a rated game: the overall table is without them."""

    @property
    def idle(self) -> tuple[BotId, ...]:
        """Bots that there are results of, but no rated game: they are in no table."""
        rated = {row.bot for row in self.rows}
        return tuple(bot for bot in self.selection.bots if bot not in rated)

    @cached_property
    def games_digest(self) -> str:
        """SHA-256 of the rated games, whatever their order."""
        return digest(Results.joined([board.results for board in self.boards]))

    @property
    def digest(self) -> str:
        """SHA-256 of the digests of the settings and of the games, a line each: equal for equal ratings."""
        return sha256(f"{self.settings.digest}\n{self.games_digest}".encode()).hexdigest()

    @cached_property
    def confidence(self) -> tuple[Group, ...]:
        """Of each group of several bots that several deals tell of, in every variant. Raises NotConverged."""
        weights = _equal(self.boards)
        several = [mus for mus in grouped(self.rows) if len(mus) > 1]
        known = [(combined(self._parts(mus), weights), mus) for mus in several]
        return tuple(
            confidence(estimate, mus, self.boards[0].anchor, self.settings)
            for estimate, mus in known
            if estimate.deals >= FEW_DEALS
        )

    def part(self, kinds: Collection[Kind], results: Iterable[GameResult]) -> Standings:
        """The standings of some kinds of games alone, of which these are all results, out of the same boards."""
        boards = tuple(board for board in self.boards if board.kind in kinds)
        chosen = select(results, without_forfeits=self.settings.without_forfeits)
        return replace(self, rows=_overall(boards), boards=boards, selection=chosen, unrated=())

    def _parts(self, group: Mapping[BotId, float]) -> list[Estimate]:
        """What each variant knows of the bots of a group, which all met in each."""
        one = next(iter(group))
        return [next(part for part in board.estimates if one in part.bots) for board in self.boards]


def standings(
    results: Iterable[GameResult],
    *,
    settings: Settings | None = None,
    isolation: str = "",
    notes: Sequence[str] = (),
    variants: Iterable[str] = (),
) -> Standings:
    """The standings of all games, in which neither their order nor repeats can be seen.

    `variants` are those that there are to be games of, so that one without any is named.

    Raises ResultsError where results contradict each other, NotConverged where a rating does not settle,
    AnchorError where the anchor of the settings has not played every variant.
    """
    settings = settings or Settings()
    chosen = select(results, without_forfeits=settings.without_forfeits)
    labels = _labels(chosen.kinds)
    boards = _boards(chosen, labels, settings)
    unrated = [label for kind, label in labels.items() if kind not in chosen.games]
    unrated += sorted(set(variants) - {kind.variant for kind in chosen.kinds})
    return Standings(_overall(boards), boards, settings, isolation, tuple(notes), chosen, tuple(unrated))


def _labels(kinds: Sequence[Kind]) -> dict[Kind, str]:
    """What to call each: its variant, and what else it takes to tell it from the others."""
    found = {}
    for kind in kinds:
        alike = [one for one in kinds if (one.game, one.variant) == (kind.game, kind.variant)]
        rules = f" (rules {kind.rules})" if len({one.rules for one in alike}) > 1 else ""
        beside = len({one.partners for one in alike}) > 1
        found[kind] = f"{kind.variant}{rules}{' (partners)' if beside and kind.partners else ''}"
    return found


def _boards(chosen: Selection, labels: Mapping[Kind, str], settings: Settings) -> tuple[Board, ...]:
    weight = 1 / max(1, len(chosen.games))
    boards = [_board(labels[kind], kind, results, settings, weight) for kind, results in chosen.games.items()]
    anchor = _anchor(boards, settings)
    return tuple(_anchored(board, anchor) for board in boards)


def _board(label: str, kind: Kind, results: Results, settings: Settings, weight: float) -> Board:
    played = games_of(results)
    fit = ratings.fit(played)
    group = {bot: number for number, bots in enumerate(fit.groups, 1) for bot in bots}
    counted = tallies(played, results)
    return Board(
        label=label,
        kind=kind,
        weight=weight,
        draw_probability=round(fit.draw_probability, 4),
        draw_margin=round(ratings.draw_margin(fit.draw_probability, 2), 4),
        rows=_ranked(Row(bot, rating, counted[bot], group[bot]) for bot, rating in fit.ratings.items()),
        settings=settings,
        anchor=None,
        results=results,
        played=played,
    )


def _anchor(boards: Sequence[Board], settings: Settings) -> BotId | None:
    """The bot that is meant by the anchor's name. Raises AnchorError."""
    if settings.anchor is None or not boards:
        return None
    name, _ = settings.anchor
    known = sorted({bot for board in boards for bot in board.played.bots})
    meant = [bot for bot in known if bot.name == name or _is_version(bot, name)]
    if not meant:
        raise AnchorError(
            f"no bot is called {name!r}; there are {', '.join(sorted({bot.name for bot in known})[:20])}"
        )
    if len(meant) > 1:
        raise AnchorError(f"several bots are called {name!r}: {', '.join(map(str, meant[:20]))}")
    missing = [board.label for board in boards if meant[0] not in board.played.bots]
    if missing:
        raise AnchorError(
            f"{name!r} has no rated game of {', '.join(missing)}, so nothing there compares with it"
        )
    return meant[0]


def _is_version(bot: BotId, name: str) -> bool:
    """Whether a name is the bot's with the first digits of its digest."""
    own, _, digits = name.rpartition("@")
    return bool(digits) and own == bot.name and bot.digest.startswith(digits)


def _anchored(board: Board, anchor: BotId | None) -> Board:
    """The same, the group of the anchor shifted so that it has the mu that it is to have."""
    if anchor is None or board.settings.anchor is None:
        return board
    own = next(row for row in board.rows if row.bot == anchor)
    shift = board.settings.anchor[1] - (own.rating.mu if own.rating else 0)
    rows = (_shifted(row, shift) if row.group == own.group else row for row in board.rows)
    return replace(board, anchor=anchor, rows=tuple(rows))


def _shifted(row: Row, shift: float) -> Row:
    return replace(
        row, rating=Rating(row.rating.mu + shift, row.rating.sigma).rounded() if row.rating else None
    )


def _overall(boards: Sequence[Board]) -> tuple[Row, ...]:
    tables = [{row.bot: row for row in board.rows} for board in boards]
    rows, met = [], defaultdict[tuple[int | None, ...], list[BotId]](list)
    weights = _equal(boards)
    for bot in sorted({bot for table in tables for bot in table}):
        own = [table[bot] for table in tables if bot in table]
        missing = tuple(b.label for b, table in zip(boards, tables, strict=True) if bot not in table)
        found = [row.rating for row in own if row.rating]
        rating = None if missing else mean_rating(found, weights)
        rows.append(Row(bot, rating, total([row.tally for row in own]), missing=missing))
        if not missing:
            met[tuple(row.group for row in own)].append(bot)
    groups = sorted(met.values(), key=lambda bots: (-len(bots), bots))
    number = {bot: n for n, bots in enumerate(groups, 1) for bot in bots}
    return _ranked(replace(row, group=number.get(row.bot)) for row in rows)


def _equal(boards: Sequence[Board]) -> list[float]:
    """The weight of each."""
    return [1 / len(boards) for _ in boards]


def mean_rating(found: Sequence[Rating], weights: Sequence[float]) -> Rating:
    """Weighted mean of independent ratings, rounded: mu = sum w mu, sigma² = sum w² sigma²."""
    mu = math.fsum(w * rating.mu for w, rating in zip(weights, found, strict=True))
    variance = math.fsum((w * rating.sigma) ** 2 for w, rating in zip(weights, found, strict=True))
    return Rating(mu, math.sqrt(variance)).rounded()


def _ranked(rows: Iterable[Row]) -> tuple[Row, ...]:
    """Sorted, with a rounded rating and a rank in its group each."""
    groups: dict[int | None, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.group].append(replace(row, rating=row.rating.rounded()) if row.rating else row)
    found: list[Row] = []
    for number in sorted(groups, key=lambda number: number or math.inf):
        order = sorted(groups[number], key=lambda row: (-row.rating.mu if row.rating else 0, row.bot))
        mus = [row.rating.mu for row in order if row.rating]
        found += [replace(row, rank=mus.index(row.rating.mu) + 1 if row.rating else None) for row in order]
    return tuple(found)
