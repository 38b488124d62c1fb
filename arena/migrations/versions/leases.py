"""Version 2: runs, leases, what bots were kept in, and a chain over all games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from arena.chain import chained, entry
from arena.tables import NUMBER, TEXT

revision = "2"
down_revision = "1"

TOURNAMENTS = sa.table("tournaments", sa.column("name"))
GAMES = sa.table("games", sa.column("id"), sa.column("tournament"), sa.column("finished"))
RECORDS = sa.table("records", sa.column("game"), sa.column("record"))
LINKS = sa.table("links", sa.column("tournament"), sa.column("number"), sa.column("game"), sa.column("link"))


def upgrade() -> None:
    """Make and change the tables, and link the games that are there."""
    op.add_column("tournaments", sa.Column("run", NUMBER, nullable=False, server_default="0"))
    op.add_column("games", sa.Column("isolation", TEXT, nullable=False, server_default="none"))
    op.create_table(
        "links",
        sa.Column("tournament", TEXT, sa.ForeignKey("tournaments.name"), primary_key=True),
        sa.Column("number", NUMBER, primary_key=True, autoincrement=False),
        sa.Column("game", TEXT, sa.ForeignKey("games.id"), nullable=False, unique=True),
        sa.Column("link", TEXT, nullable=False),
    )
    op.create_table(
        "leases",
        sa.Column("game", TEXT, primary_key=True),
        sa.Column("tournament", TEXT, sa.ForeignKey("tournaments.name"), nullable=False),
        sa.Column("run", NUMBER, nullable=False),
        sa.Column("attempt", NUMBER, nullable=False),
    )
    db = op.get_bind()
    for name in db.scalars(sa.select(TOURNAMENTS.c.name)).all():
        _link_all(db, name)


def _link_all(db: sa.Connection, tournament: str) -> None:
    """The chain of a tournament, in the order in which its games were finished."""
    query = sa.select(GAMES.c.id, GAMES.c.finished).where(GAMES.c.tournament == tournament)
    head = ""
    for number, (game, finished) in enumerate(
        db.execute(query.order_by(GAMES.c.finished, GAMES.c.id)).all(), 1
    ):
        packed = db.scalars(sa.select(RECORDS.c.record).where(RECORDS.c.game == game)).one_or_none()
        head = chained(head, entry(game, finished, packed or b""))
        db.execute(LINKS.insert().values(tournament=tournament, number=number, game=game, link=head))
