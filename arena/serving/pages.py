"""The pages that are no files of a site: the list of tournaments, the live page, and those that say what is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from http import HTTPStatus
from importlib.metadata import version
from typing import Any

from arena.config import Tournament
from arena.ledger import Begun
from arena.reading import Status
from arena.serving.guard import POLICY
from arena.snapshots import Snapshot, entry
from leaderboards.pages import Frame, Link, Site
from leaderboards.sheets import shortened
from leaderboards.site import addresses, data
from leaderboards.site.contest import entries
from leaderboards.site.frames import CSP
from leaderboards.site.printing import Printer
from protocol.codec import encode
from protocol.escape import label
from protocol.vocabulary import BotId
from referee.games import GAMES, game_of

LANG, VERSION = "en", f"kingmaker {version('kingmaker')}"
LIVE = "live"
"""The address of the live page, from the root of a tournament's site."""
LIVE_POLICY = f"{POLICY}; connect-src 'self'"
"""Of the live page, which listens and asks."""
TEXT = 400
"""Characters of a text from outside."""
NEWEST = 12
"""Results, and faults, that the live page shows at most."""
WIDE, NARROW = 22, 12
"""Columns of a name that is cut, on a wide page and on a narrow one."""
NOT_BEGUN, NO_GAME = "It has not begun yet.", "No game is over yet."
MAKING = "The pages are being made for the first time."
_SORRY = {
    404: ("There is no such page", "It may not be built yet, or tell of a game of which nothing may be shown yet."),
    503: ("This cannot be shown now", "Try again in a moment. Whoever runs arena serve sees there what is wrong."),
}  # fmt: skip
_PRINTER = Printer()


def told(snapshot: Snapshot) -> Mapping[str, Any]:
    """A snapshot for the live page: kingmaker/live/1, with its texts as they are to be seen."""
    said = asdict(entry(snapshot))
    shorter = {"newest": said["newest"][:NEWEST], "faults": said["faults"][:NEWEST]}
    return {"schema": "kingmaker/live/1", **visible({**said, **shorter})}


def visible(value: Any) -> Any:
    """JSON-able values, each text in them as it is to be seen, and cut."""
    if isinstance(value, str):
        return label(value, TEXT)
    if isinstance(value, dict):
        return {key: visible(one) for key, one in value.items()}
    return [visible(one) for one in value] if isinstance(value, list | tuple) else value


# pages


@dataclass(frozen=True, slots=True)
class Entry:
    """A tournament in the list of them."""

    name: str
    state: str
    says: str
    share: float | None
    """Of its games that is over, in percent; None where nobody knows."""


@dataclass(frozen=True, slots=True)
class ServePage:
    """A page that belongs to no site."""

    title: str
    root: str
    """The way from its address to the first page, `./` or `../` and so on: who is before us may have put us deeper."""
    lines: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    tournaments: tuple[Entry, ...] = ()
    again: int = 0
    """Seconds after which a browser asks again; 0: it does not."""
    version: str = VERSION


@dataclass(frozen=True, slots=True)
class LivePage:
    """A tournament as it is played."""

    frame: Frame
    bots: str
    """JSON: `name`, `digest` and `href` of each, and its name as it is where there is room and where there is less."""


def tournaments(statuses: Sequence[Status], root: str) -> bytes:
    """All tournaments, and how far they are."""
    if not statuses:
        lines = ("No tournament has begun. Make one with arena init cup.toml, and play it with arena run cup.toml; it is listed here then.",)  # fmt: skip
        return _printed(ServePage("Tournaments", root, lines, again=10))
    return _printed(ServePage("Tournaments", root, tournaments=tuple(map(_entry, statuses))))


def _entry(one: Status) -> Entry:
    games = f"{one.over:,} games" if one.games is None else f"{one.over:,} of {one.games:,} games"
    state = "running" if one.running else "complete" if one.ended else "stopped"
    share = None if not one.games else round(100 * min(1.0, one.over / one.games), 2)
    says = f"{games} · {len(one.bots):,} bots · {one.schedule.replace('_', ' ')} · begun {one.begun[:10]}"
    return Entry(one.name, state, says, share)


def waiting(name: str, why: str, root: str) -> bytes:
    """A tournament whose site is not there yet; it comes up by itself."""
    links = (Link("See it live", f"{root}{name}/{LIVE}"), Link("All tournaments", root))
    lines = (why, "This page turns into the leaderboard by itself.")
    return _printed(ServePage(name, root, lines, links if why != NOT_BEGUN else links[1:], again=2))


def sorry(status: int, root: str) -> bytes:
    """What cannot be shown, and what may be done."""
    title, line = _SORRY.get(status, (HTTPStatus(status).phrase, ""))
    return _printed(ServePage(title, root, (line,), (Link("All tournaments", root),)))


def live(site: Site, slugs: Mapping[BotId, str]) -> bytes:
    """The page that is sent snapshots; `slugs` name the pages of bots.

    It says itself what it is as of: the foot that other pages have is of the time when they were made.
    """
    names = [label(bot.name, TEXT) for bot in slugs]
    bots = [
        {"name": name, "digest": bot.digest, "href": addresses.bot_page(slug), "wide": wide, "narrow": narrow}
        for (bot, slug), name, wide, narrow in zip(
            slugs.items(), names, *(shortened(names, room) for room in (WIDE, NARROW)), strict=True
        )
    ]
    frame = Frame(
        "live", "live.html", "", f"{CSP}; connect-src 'self'", f"{site.title}, a tournament as it is played"
    )
    now = replace(site, marks=(), generated="")
    return _PRINTER.render("live.html", page=LivePage(frame, encode(bots).decode()), site=now)


def early(begun: Begun) -> bytes:
    """The same before there is a site, whose pages the links on it will lead to."""
    variants = Tournament.model_validate(begun.config).variant_ids
    boards = entries(sorted({game_of(variant).name for variant in variants}), sorted(variants))
    site = Site(begun.name, LANG, 0, "", VERSION, tuple(boards), (), "", False, LIVE)
    return live(site, addresses.bot_slugs(begun.bots))


def _printed(page: ServePage) -> bytes:
    return _PRINTER.render("serve.html", page=page)


def terms() -> bytes:
    """The words of all games, as the viewer loads them."""
    return data.script("terms", LANG, {game.name: game.terms(LANG) for game in GAMES.values()})
