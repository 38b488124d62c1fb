"""Version 3: who met whom stands beside each game, so that what is over is counted; and faults are found.

Games of version 1, whose bots were kept in nothing, get the words for it that are compared with their records.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

import sqlalchemy as sa
from alembic import op

from arena.meetings import meeting_id
from arena.tables import TEXT
from protocol.vocabulary import BotId
from referee.processes.sandbox import NONE

revision = "3"
down_revision = "2"
AT_ONCE = 1000

GAMES = sa.table("games", *(sa.column(name) for name in ("id", "variant", "meeting", "isolation")))
SEATS = sa.table("seats", *(sa.column(name) for name in ("game", "bot", "digest", "team")))


def upgrade() -> None:
    """Add the column, fill it, and make what is found by it."""
    op.add_column("games", sa.Column("meeting", TEXT, nullable=False, server_default=""))
    _fill(op.get_bind())
    # what version 2 said of games of version 1, whose records have no such word
    op.execute(GAMES.update().where(GAMES.c.isolation == "none").values(isolation=str(NONE)))
    op.drop_index("ix_games_tournament", "games")
    op.create_index(
        "games_counted", "games", ["tournament", "variant", "meeting", "deal", "verdict", "block_size"]
    )
    with_fault = sa.text("fault IS NOT NULL")
    op.create_index(
        "seats_with_fault", "seats", ["game"], sqlite_where=with_fault, postgresql_where=with_fault
    )


def _fill(db: sa.Connection) -> None:
    update = GAMES.update().where(GAMES.c.id == sa.bindparam("of"))
    update = update.values(meeting=sa.bindparam("met"))
    last = ""
    while games := _after(db, last):
        db.execute(update, games)
        last = games[-1]["of"]


def _after(db: sa.Connection, last: str) -> list[dict[str, str]]:
    """The meetings of the next games by id."""
    ids = sa.select(GAMES.c.id, GAMES.c.variant).where(GAMES.c.id > last).order_by(GAMES.c.id).limit(AT_ONCE)
    some = ids.subquery()
    columns = (some.c.id, some.c.variant, SEATS.c.team, SEATS.c.bot, SEATS.c.digest)
    query = sa.select(*columns).join_from(some, SEATS, SEATS.c.game == some.c.id, isouter=True)
    rows = db.execute(query.order_by(some.c.id)).all()
    return [
        {"of": id, "met": _met(variant, list(seats))}
        for (id, variant), seats in groupby(rows, lambda row: (row.id, row.variant))
    ]


def _met(variant: str, seats: list[Any]) -> str:
    return meeting_id(variant, ((seat.team, BotId(seat.bot, seat.digest)) for seat in seats if seat.bot))
