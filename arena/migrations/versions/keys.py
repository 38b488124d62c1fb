"""Version 4: games have growing numbers as keys, by which their seats, records and links find them.

Tables are made anew and filled by the database itself: nothing of them is in our memory. That takes as much room
again as the ledger has, until it is done.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from arena.database import RESTORE
from arena.errors import StorageError
from arena.tables import NUMBER, TEXT

revision = "4"
down_revision = "3"

GAME = ("id", "tournament", "game", "variant", "rules", "deal", "block", "block_size", "verdict", "isolation",
        "finished", "meeting")  # fmt: skip
SEAT = ("seat", "bot", "digest", "team", "rank", "score", "fault")
LINK = ("tournament", "number", "link")
CHILDREN = {"seats": SEAT, "records": ("record",), "links": LINK}
"""What belongs to games, with its columns beside the game."""


def upgrade() -> None:
    """Make the tables anew. Raises StorageError: rows belong to no game."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute("PRAGMA secure_delete = OFF")  # zeros over all that is dropped take as long as the rest
    for table in ("games", *CHILDREN):
        op.rename_table(table, f"old_{table}")
    op.drop_index("games_counted", "old_games")
    op.drop_index("seats_with_fault", "old_seats")
    _games()
    _children()
    for table, columns in CHILDREN.items():
        _fill(table, columns)
    for table in (*CHILDREN, "games"):
        op.drop_table(f"old_{table}")
    with_fault = sa.text("fault IS NOT NULL")
    op.create_index(
        "seats_with_fault", "seats", ["game"], sqlite_where=with_fault, postgresql_where=with_fault
    )
    op.create_index("links_numbered", "links", ["tournament", "number"], unique=True)
    counted = ["tournament", "variant", "meeting", "deal", "verdict", "block_size"]
    op.create_index("games_counted", "games", counted)


def _games() -> None:
    """The games in the order of their chains, so that what was kept together stays together."""
    op.create_table(
        "games",
        sa.Column("key", NUMBER, primary_key=True, autoincrement=False),
        sa.Column("id", TEXT, nullable=False),
        sa.Column("tournament", TEXT, sa.ForeignKey("tournaments.name"), nullable=False),
        *(sa.Column(name, TEXT, nullable=False) for name in ("game", "variant", "rules", "deal", "block")),
        sa.Column("block_size", NUMBER, nullable=False),
        *(sa.Column(name, TEXT, nullable=False) for name in ("verdict", "isolation", "finished", "meeting")),
    )
    old = ", ".join(f"old.{name}" for name in GAME)
    op.execute(
        f"INSERT INTO games (key, {', '.join(GAME)}) "
        f"SELECT row_number() OVER (ORDER BY links.tournament, links.number, old.id), {old} "
        "FROM old_games AS old LEFT JOIN old_links AS links ON links.game = old.id"
    )
    op.create_index("games_named", "games", ["id"], unique=True)


def _children() -> None:
    def game() -> sa.Column[int]:
        return sa.Column("game", NUMBER, sa.ForeignKey("games.key"), primary_key=True, autoincrement=False)

    op.create_table(
        "seats",
        game(),
        sa.Column("seat", NUMBER, primary_key=True, autoincrement=False),
        sa.Column("bot", TEXT, nullable=False),
        sa.Column("digest", TEXT, nullable=False),
        *(sa.Column(name, NUMBER, nullable=False) for name in ("team", "rank", "score")),
        sa.Column("fault", TEXT),
        sqlite_with_rowid=False,
    )
    op.create_table("records", game(), sa.Column("record", sa.LargeBinary, nullable=False))
    op.create_table(
        "links",
        game(),
        sa.Column("tournament", TEXT, sa.ForeignKey("tournaments.name"), nullable=False),
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("link", TEXT, nullable=False),
    )


def _fill(table: str, columns: tuple[str, ...]) -> None:
    """In the order of the keys, so that each row is written at the end."""
    db, old = op.get_bind(), ", ".join(f"old.{name}" for name in columns)
    there = db.exec_driver_sql(f"SELECT count(*) FROM old_{table}").scalar_one()
    filled = db.exec_driver_sql(
        f"INSERT INTO {table} (game, {', '.join(columns)}) SELECT games.key, {old} "
        f"FROM games JOIN old_{table} AS old ON old.game = games.id ORDER BY games.key"
    ).rowcount
    if filled != there:
        raise StorageError(
            f"the ledger {db.engine.url.database} is of an older version, and damaged: "
            f"{there - filled:,} rows of {table} belong to no game",
            f"{RESTORE}; nothing was changed",
            "E409",
        )
