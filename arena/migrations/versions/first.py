"""Version 1: tournaments, bots, games with their seats and records."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from arena.tables import NUMBER, TEXT

revision = "1"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "bots",
        sa.Column("name", TEXT, primary_key=True),
        sa.Column("digest", TEXT, primary_key=True),
        sa.Column("manifest", sa.JSON, nullable=False),
        sa.Column("added", TEXT, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
    )
    op.create_table(
        "tournaments",
        sa.Column("name", TEXT, primary_key=True),
        sa.Column("seed", TEXT, nullable=False),
        sa.Column("config", sa.JSON, nullable=False),
        sa.Column("bots", sa.JSON, nullable=False),
        sa.Column("notes", sa.JSON, nullable=False),
        sa.Column("begun", TEXT, nullable=False),
    )
    _games()


def _games() -> None:
    op.create_table(
        "games",
        sa.Column("id", TEXT, primary_key=True),
        sa.Column("tournament", TEXT, sa.ForeignKey("tournaments.name"), nullable=False, index=True),
        sa.Column("game", TEXT, nullable=False),
        sa.Column("variant", TEXT, nullable=False),
        sa.Column("rules", TEXT, nullable=False),
        sa.Column("deal", TEXT, nullable=False),
        sa.Column("block", TEXT, nullable=False),
        sa.Column("block_size", NUMBER, nullable=False),
        sa.Column("verdict", TEXT, nullable=False),
        sa.Column("finished", TEXT, nullable=False),
    )
    op.create_table(
        "seats",
        sa.Column("game", TEXT, sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("seat", NUMBER, primary_key=True, autoincrement=False),
        sa.Column("bot", TEXT, nullable=False),
        sa.Column("digest", TEXT, nullable=False),
        sa.Column("team", NUMBER, nullable=False),
        sa.Column("rank", NUMBER, nullable=False),
        sa.Column("score", NUMBER, nullable=False),
        sa.Column("fault", TEXT),
    )
    op.create_table(
        "records",
        sa.Column("game", TEXT, sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("record", sa.LargeBinary, nullable=False),
    )
