"""The newest games of each bot, looked for from the end of a tournament's chain: mostly it is near.

So it takes as long with a million games as with a thousand; only a bot that has played many, but not for long, is
looked for all the way back to them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import sqlalchemy as sa

from arena.runs import last_link
from arena.tables import GAMES, LINKS, RECORDS, SEATS, TOURNAMENTS
from protocol.vocabulary import BotId, Verdict

AT_ONCE = 2_000
"""Links that are looked at in one go."""
NEAR = 20_000
"""After so many links, those who have played hardly ever are looked for by themselves."""
MANY = 1_000
"""Seats of a bot that has played more than that."""


def newest_of_each(db: sa.Connection, games: int, tournament: str) -> list[bytes]:
    """Packed records of so many games of each bot that are not void, in the order in which they were kept."""
    bots = db.scalars(sa.select(TOURNAMENTS.c.bots).where(TOURNAMENTS.c.name == tournament)).first() or []
    lacking, found = {BotId(*bot) for bot in bots}, Counter[BotId]()
    last, parts = last_link(db, tournament)[0], list[list[bytes]]()
    near, since = last - NEAR, dict[BotId, int]()
    while last > 0 and lacking:
        chosen: set[int] = set()
        for number, bot in _played(db, tournament, last):
            if found[bot] < games:
                found[bot] += 1
                chosen.add(number)
        parts.append(_records(db, tournament, chosen))
        lacking -= {bot for bot, many in found.items() if many >= games}
        last -= AT_ONCE
        if last <= near and not since:
            since = {bot: _first(db, tournament, bot, last) for bot in lacking}
        lacking -= {bot for bot, first in since.items() if first > last}
    return [record for part in reversed(parts) for record in part]


def _played(db: sa.Connection, tournament: str, last: int) -> Iterator[tuple[int, BotId]]:
    """The numbers of links up to `last`, the newest first, with each bot of their games."""
    query = (
        sa.select(LINKS.c.number, SEATS.c.bot, SEATS.c.digest)
        .distinct()
        .join(GAMES, GAMES.c.key == LINKS.c.game)
        .join(SEATS, SEATS.c.game == LINKS.c.game)
        .where(LINKS.c.tournament == tournament, LINKS.c.number.between(last - AT_ONCE + 1, last))
        .where(GAMES.c.verdict != Verdict.VOID)
    )
    for number, name, digest in db.execute(query.order_by(LINKS.c.number.desc())).all():
        yield number, BotId(name, digest)


def _first(db: sa.Connection, tournament: str, bot: BotId, last: int) -> int:
    """The number of a bot's first link, beyond `last` where it has none; 0: it has too many seats to say."""
    is_it = (SEATS.c.bot == bot.name) & (SEATS.c.digest == bot.digest)
    games = db.scalars(sa.select(SEATS.c.game).where(is_it).limit(MANY)).all()
    first = sa.select(sa.func.min(LINKS.c.number)).where(
        LINKS.c.tournament == tournament, LINKS.c.game.in_(games)
    )
    return 0 if len(games) == MANY else db.scalars(first).one() or last + 1


def _records(db: sa.Connection, tournament: str, numbers: set[int]) -> list[bytes]:
    query = sa.select(RECORDS.c.record).join(LINKS, LINKS.c.game == RECORDS.c.game)
    mine = (LINKS.c.tournament == tournament) & LINKS.c.number.in_(sorted(numbers))
    return list(db.scalars(query.where(mine).order_by(LINKS.c.number))) if numbers else []
