"""What a site is made of: a tournament as values, which whoever knows the ledger hands over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from leaderboards.boards import Board, Row
from leaderboards.confidence import Confidence, Group, by_bot
from leaderboards.history import History
from leaderboards.measured import FaultSeen, Timings
from leaderboards.pages import Board as Entry
from leaderboards.pages import Fact, Section
from leaderboards.sheets import shortened, wide
from leaderboards.site import addresses
from leaderboards.standings import Standings
from leaderboards.words import names
from protocol.result import GameResult
from protocol.vocabulary import BotId, GameId

WIDE, NARROW = 22, 12
"""Letters of a name in a table or a picture: on a desk, and on a phone."""
Sort = Literal["overall", "game", "variant"]
Terms = Mapping[str, Mapping[str, str]]
"""By game: its words, by their keys."""


class Short(NamedTuple):
    """A long name where there is little room."""

    wide: str
    narrow: str


@dataclass(frozen=True, slots=True)
class Kept:
    """A game that is over."""

    result: GameResult
    finished: str
    """When it was kept: UTC, ISO 8601."""


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a bot beside its games."""

    facts: tuple[Fact, ...] = ()
    """What its manifest says: authors, language, version."""
    suspended: str = ""
    """Since when and why, or nothing."""


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a bot that was taken in."""

    bot: BotId
    version: str
    """Its manifest's, for people; or nothing."""
    added: str
    """UTC, ISO 8601."""


@dataclass(frozen=True, slots=True)
class Report:
    """What only the arena can say in the report of a tournament; the tables are made of the rest."""

    lead: tuple[str, ...]
    """What was played, and how it ended."""
    before: tuple[Section, ...]
    """How it was played: schedule, clock, isolation, versions."""
    after: tuple[Section, ...]
    """How it can be verified."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """A leaderboard of the site."""

    entry: Entry
    standings: Standings
    """Of its variants alone."""
    history: History

    @property
    def rows(self) -> tuple[Row, ...]:
        """Best first."""
        return self.standings.rows

    @property
    def board(self) -> Board | None:
        """The only variant; None where it is of several, or of none."""
        return self.standings.boards[0] if len(self.standings.boards) == 1 else None

    @property
    def groups(self) -> tuple[Group, ...]:
        """How sure the order is. Raises NotConverged."""
        return self.board.confidence if self.board else self.standings.confidence

    @property
    def confidence(self) -> dict[BotId, Confidence]:
        """The same by bot."""
        return by_bot(self.groups)


@dataclass(frozen=True)
class Contest:
    """A tournament, as far as it is."""

    name: str
    version: str
    """Of what made the site: `kingmaker 0.1.0`."""
    state: str
    """How far it is, a sentence."""
    over: bool
    facts: tuple[Fact, ...]
    marks: tuple[Fact, ...]
    """What it can be checked against: digests, the head of the chain."""
    rankings: tuple[Ranking, ...]
    """The first is that of the first page."""
    entered: tuple[BotId, ...]
    """Who was to play, in the order of the tournament's file."""
    games: tuple[Kept, ...] = field(repr=False)
    """In the order in which they were kept."""
    timing: Timings
    timing_by_variant: Mapping[str, Timings]
    faults: tuple[FaultSeen, ...]
    """In the order in which they were kept; what tells of deals that are to be played is left out."""
    about: Mapping[BotId, About]
    versions: Mapping[str, tuple[Version, ...]]
    """Of each name, the newest first."""
    replays: frozenset[GameId]
    """Games of which the site has the moves."""
    held: str
    """Why there is no replay of others: a sentence."""
    report: Report
    terms: Terms
    lang: str = "en"
    live: str = ""
    held_back: frozenset[GameId] = frozenset()
    """Games on deals that are still to be played with: nobody may see their moves."""

    @property
    def standings(self) -> Standings:
        """Of all variants."""
        return self.rankings[0].standings

    @property
    def variants(self) -> list[Ranking]:
        """Leaderboards of one variant."""
        return [ranking for ranking in self.rankings if ranking.entry.sort == "variant"]

    @cached_property
    def bots(self) -> tuple[BotId, ...]:
        """All that were to play, or have games, sorted."""
        return tuple(
            sorted({*self.entered, *(seat.bot for game in self.games for seat in game.result.seats)})
        )

    @cached_property
    def called(self) -> dict[BotId, str]:
        """What to call each of them."""
        return names(self.bots)

    @cached_property
    def short(self) -> dict[str, Short]:
        """Names that are long, shortened so that they stay apart."""
        called = list(self.called.values())
        cut = [dict(zip(called, shortened(called, room), strict=True)) for room in (WIDE, NARROW)]
        return {name: Short(*(texts[name] for texts in cut)) for name in called if wide(name) > NARROW}

    @cached_property
    def slugs(self) -> dict[BotId, str]:
        """What the files of each are called."""
        return addresses.bot_slugs(self.bots)

    @cached_property
    def unplayed(self) -> frozenset[tuple[GameId, BotId]]:
        """Who lost which games without being started, as it is suspended."""
        return frozenset((fault.game, fault.bot) for fault in self.faults if fault.unplayed)

    @property
    def shard(self) -> int:
        """Digits of a game's id that name the file which tells of it."""
        return addresses.shard_digits(len(self.games))


def entries(games: Sequence[str], variants: Sequence[str]) -> list[Entry]:
    """The leaderboards of a site: overall, those of `ranked_games`, of each variant; one where there is one variant.

    >>> [entry.href for entry in entries(["claim"], ["claim/2p/GK-UWX"])]
    ['index.html']
    >>> [entry.key for entry in entries(["claim"], ["claim/2p/GK-UWX", "claim/4p"])]
    ['overall', 'claim-2p-GK-UWX', 'claim-4p']
    """
    titles: list[tuple[Sort, str]] = [("overall", "overall")] if len(variants) != 1 else []
    titles += [("game", game) for game in ranked_games(games, variants)]
    titles += [("variant", variant) for variant in variants]
    slugs = addresses.board_slugs(title for _, title in titles)
    return [
        Entry(
            key=slug,
            title=title if sort == "variant" else title.capitalize(),
            href=f"boards/{slug}.html" if number else addresses.INDEX,
            charts=f"boards/{slug}-charts.html",
            sort=sort,
        )
        for number, (slug, (sort, title)) in enumerate(zip(slugs, titles, strict=True))
    ]


def ranked_games(games: Sequence[str], variants: Sequence[str]) -> list[str]:
    """Games with a leaderboard of their own: there are several, and it is that of no single variant.

    >>> ranked_games(["a", "b"], ["a/2p", "a/3p", "b/2p"])
    ['a']
    """
    own = Counter(variant.split("/")[0].split("+")[0] for variant in variants)
    return [game for game in games if own[game] > 1] if len(games) > 1 else []
