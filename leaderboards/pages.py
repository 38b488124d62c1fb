"""What each template is given: texts ready to print, the raw values that tables are sorted by, links.

Nothing here knows HTML or a file. An `href` is relative to the root of the site, so a template puts the `root` of
its page before it; an empty one is no link. Texts are plain: the environment of the templates has autoescape on, and
`finalize` is `protocol.escape.visible` for whatever is a text and no markup, so that no template escapes by itself.

    board.html  BoardPage     index.html, boards/<board>.html
    charts.html ChartsPage    boards/<board>-charts.html
    bot.html    BotPage       bots/<bot>.html
    pairing.html PairingPage  pairings/<a>--<b>.html
    games.html  GamesPage     games.html
    game.html   GamePage      game.html
    report.html ReportPage    report.html, and the report that is a file of its own

Each template is given `site` (Site) and `page` (one of these).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

ChartKind = Literal["matrix", "history", "intervals", "seats", "luck", "faults", "timing"]


class Link(NamedTuple):
    """Where something is."""

    text: str
    href: str


class Fact(NamedTuple):
    """A name and what it stands for: a line of a list of facts."""

    name: str
    text: str
    href: str = ""
    says: str = ""
    """A short explanation, or nothing."""


class Cell(NamedTuple):
    """A cell of a table."""

    text: str
    value: float | str | None = None
    """To be sorted by (data-value); None: the text is."""
    href: str = ""
    says: str = ""
    """What the text is short for, in words (a title), or nothing."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    key: str
    """Names it in the address of the page: letters, digits and `-`."""
    title: str
    says: str = ""
    """What it shows, or nothing."""
    number: bool = True
    """Stands to the right, and is sorted as a number."""
    wraps: bool = False
    """Long texts, that may take several lines."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table, each row with a cell for each column; without rows there is nothing to show but `empty`."""

    id: str
    """Unique in its page."""
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    """Below it."""
    empty: str = ""
    """What is said in its place where it has no rows."""


@dataclass(frozen=True, slots=True)
class Board:
    """A leaderboard as an entry of the navigation."""

    key: str
    """`overall`, or the slug of a game or a variant."""
    title: str
    href: str
    charts: str
    """Its page of charts."""
    sort: Literal["overall", "game", "variant"]


@dataclass(frozen=True, slots=True)
class Site:
    """What all pages share."""

    title: str
    """The tournament's name."""
    lang: str
    """Of the terms of games (data-lang); the pages themselves are in English."""
    shard: int
    """Digits of a game's id that name the file with its result (data-shard): 0, 1 or 2."""
    generated: str
    """When the newest game ended, `2026-11-30 17:04 UTC`; empty where there is none."""
    version: str
    """`kingmaker 0.1.0`."""
    boards: tuple[Board, ...]
    """The first is `index.html`."""
    facts: tuple[Fact, ...]
    """Of the tournament, in short: games, bots, variants, schedule, isolation."""
    state: str
    """How far the tournament is, a sentence."""
    over: bool
    live: str = ""
    """Where the live page is, from the root of the site; empty in a site of files."""
    marks: tuple[Fact, ...] = ()
    """What all of it can be checked against, for the foot of each page: the head of the chain, digests."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What every page has."""

    title: str
    """Of the page, without that of the site."""
    path: str
    """Of its file, from the root of the site."""
    root: str
    """From the page back to the root: empty, or `../`."""
    csp: str
    """The content security policy."""
    summary: str = ""
    """A sentence for whoever is shown a link to it (description, Open Graph)."""
    style: str = ""
    """The whole style sheet, where the page is to stand alone; else it is linked."""


class Span(NamedTuple):
    """An interval as a share of the axis of its board, in percent from the left."""

    low: float
    mid: float
    high: float


class Tick(NamedTuple):
    """A mark on an axis, in percent from the left."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of a leaderboard."""

    rank: Cell
    """`–` where there is none."""
    ranks: Cell
    """The ranks that it may have: `2–5`."""
    bot: Cell
    mu: Cell
    sigma: Cell
    interval: Cell
    """`24.10 … 26.02`."""
    span: Span | None
    """The same to be drawn; None where nothing is known."""
    exposure: Cell
    first: Cell
    """Chance to be the best."""
    top3: Cell
    games: Cell
    record: Cell
    """`12-0-3`: won, drawn, lost."""
    share: Cell
    """Of the first places."""
    fair: Cell
    """That of an equal."""
    faults: Cell
    apart: Cell
    """Letters: bots without one in common are told apart."""
    group: int | None
    """Ranks are those in it; None without a rating."""
    provisional: bool
    missing: str = ""
    """The variants that it has no rated game of, in words."""


@dataclass(frozen=True, slots=True)
class BoardPage:
    """A leaderboard."""

    frame: Frame
    board: Board
    above: tuple[str, ...]
    """How true the order is to be taken: sentences."""
    leaders: tuple[Cell, ...]
    """Who is first, several where they are level; none where there are several groups, or a bot alone."""
    leads: str
    """What is to be said of them, to follow their names."""
    groups: bool
    """There are several groups of bots that never met."""
    columns: tuple[Column, ...]
    """Those to be shown and explained, in order, `says` in full: a key is a field of Standing. `ranks` is shown with
    `rank`, `span` with `interval`, `sigma` with `mu`, `record` with `games` and `fair` with `share`."""
    rows: tuple[Standing, ...]
    """Best first, one group after the other."""
    ticks: tuple[Tick, ...]
    """Of the axis of all spans."""
    empty: str
    """What is said where there are no rows."""
    below: tuple[str, ...]
    """What was rated and how: sentences."""
    downloads: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A figure, drawn by charts.js, and its numbers."""

    kind: ChartKind
    title: str
    says: str
    """What it shows and how it is read: the caption."""
    table: Table
    href: str
    """The numbers as CSV."""


@dataclass(frozen=True, slots=True)
class ChartsPage:
    """The charts of a leaderboard; those that there is nothing to show of are left out."""

    frame: Frame
    board: Board
    src: str
    """The script with the data, from the root of the site."""
    charts: tuple[Chart, ...]
    notes: tuple[str, ...]
    """What is left out, and why: sentences."""


@dataclass(frozen=True, slots=True)
class BotPage:
    """A bot in one version."""

    frame: Frame
    name: str
    digest: str
    """In full; empty where it has no files."""
    facts: tuple[Fact, ...]
    """What its manifest says of it: authors, language, version; suspended since; games, faults."""
    tables: tuple[Table, ...]
    """Places by leaderboard, opponents of each variant, faults with links to games, timing, versions, newest games."""


@dataclass(frozen=True, slots=True)
class PairingPage:
    """Two bots that met."""

    frame: Frame
    bots: tuple[Link, Link]
    facts: tuple[Fact, ...]
    tables: tuple[Table, ...]
    """By variant, and their games, the newest first."""


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game in a list of them."""

    id: Cell
    """The first digits; leads to the game."""
    variant: Cell
    seats: tuple[Cell, ...]
    """The bots by seat; the `value` is the score, `says` tells a fault."""
    first: tuple[bool, ...]
    """By seat: it won, or shares the first place."""
    verdict: Cell
    """`finished`, `forfeit: timeout`, `forfeit: suspended`, `void`."""
    finished: Cell
    """UTC."""
    replay: bool
    """There is one in the site."""


@dataclass(frozen=True, slots=True)
class GamesPage:
    """The newest games."""

    frame: Frame
    rows: tuple[GameRow, ...]
    """Newest first."""
    notes: tuple[str, ...]
    """How many there are besides, where all of them are, what is held back: sentences."""
    variants: tuple[Cell, ...]
    """To filter by: with how many are shown, the `value` is the variant."""
    verdicts: tuple[Cell, ...]
    bots: tuple[Cell, ...]
    """The `value` is what its files are called."""
    downloads: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class GamePage:
    """Any game: the script of the page takes its id from the address, and loads what is known of it."""

    frame: Frame


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report."""

    id: str
    title: str
    paragraphs: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    tables: tuple[Table, ...] = ()
    commands: tuple[str, ...] = ()
    """Lines for a shell, to be shown as they are."""


@dataclass(frozen=True, slots=True)
class ReportPage:
    """The report of a tournament, one page that prints well."""

    frame: Frame
    lead: tuple[str, ...]
    """What came out, first: sentences."""
    sections: tuple[Section, ...]


Page = BoardPage | ChartsPage | BotPage | PairingPage | GamesPage | GamePage | ReportPage
