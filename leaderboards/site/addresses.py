"""What the files of a site are called: names from outside are made harmless, and are told apart on every system."""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256

from protocol.vocabulary import BotId, GameId

INDEX, GAMES, GAME, REPORT = "index.html", "games.html", "game.html", "report.html"
TERMS = "data/terms.js"
_ROOM = 40
_DIGITS = 8
_SHARD = 600
"""Games in a file of them before there are sixteen times as many files."""
_HEX = re.compile(r"[0-9a-f]+")


def safe(text: str, room: int = _ROOM) -> str:
    """Letters, digits, `.`, `_` and single `-` of a text: no path, no hidden file, and never `--`.

    >>> safe("claim/2p/GK-UWX+troll_carry=cap", 80), safe("../../étc\\0"), safe("..")
    ('claim-2p-GK-UWX-troll_carry-cap', 'tc', 'x')
    """
    plain = re.sub(r"-{2,}", "-", re.sub(r"[^A-Za-z0-9._-]", "-", text))
    return plain.lstrip("-._")[:room].rstrip("-._") or "x"


def bot_slugs(bots: Iterable[BotId]) -> dict[BotId, str]:
    """A name for the files of each bot: its own, and the first digits of its digest."""
    order = sorted(bots)
    wanted = ((f"{safe(bot.name)}-{_digits(bot)}", f"{bot.name}\0{bot.digest}") for bot in order)
    return dict(zip(order, _unique(wanted), strict=True))


def _digits(bot: BotId) -> str:
    if _HEX.fullmatch(bot.digest) and len(bot.digest) >= _DIGITS:
        return bot.digest[:_DIGITS]
    return _hash(f"{bot.name}\0{bot.digest}")[:_DIGITS]


def board_slugs(titles: Iterable[str]) -> list[str]:
    """A name for the files of each leaderboard, in order; none is another's with `-charts` behind it."""
    return _unique((safe(title, 80), title) for title in titles)


def _unique(wanted: Iterable[tuple[str, str]]) -> list[str]:
    """The names that are wanted, with digits of what each stands for where somebody has that name already."""
    found: list[str] = []
    taken: set[str] = set()
    for name, identity in wanted:
        if name.lower() in taken or name.endswith("-charts"):
            name = f"{name}-{_hash(identity)[:16]}"
        taken.add(name.lower())
        found.append(name)
    return found


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def bot_page(slug: str) -> str:
    """The page of a bot."""
    return f"bots/{slug}.html"


def pairing_page(one: str, other: str) -> str:
    """The page of two bots, in whichever order they are named."""
    first, second = sorted((one, other))
    return f"pairings/{first}--{second}.html"


def game_page(game: GameId) -> str:
    """The page of a game."""
    return f"{GAME}#{game}"


def replay(game: GameId) -> str:
    """The script with a game's moves."""
    return f"replays/{game}.js"


def chart_data(board: str) -> str:
    """The script with the numbers of the charts of a leaderboard."""
    return f"data/charts/{board}.js"


def shard_digits(games: int) -> int:
    """How many digits of a game's id name the file that tells of it, so that none is large.

    >>> [shard_digits(games) for games in (0, 600, 601, 9_600, 100_000)]
    [0, 0, 1, 1, 2]
    """
    return (games > _SHARD) + (games > 16 * _SHARD)


def shard(game: GameId, digits: int) -> str:
    """The file that tells of a game."""
    return game[:digits] or "all"


def shard_script(name: str) -> str:
    """The script with the results of the games of a shard."""
    return f"data/games/{name}.js"
