"""The ledger's tables. How older versions come to be like this is in `arena.migrations`.

Texts are compared and ordered by their UTF-8 bytes in each database, so that what is read has one order.
Ids of games are hashes, and stand in `games` alone: by its key, a number that grows, whatever belongs to a game
is written at the end of its table, however many there are. The index of ids is in parts, of so many games that were
kept one after the other: so a game that is kept touches the few pages of the last part. Whoever looks for an id looks
in each part.
"""

from __future__ import annotations

import sqlalchemy as sa

VERSION = 5
"""Of the tables: the newest of `arena.migrations`."""

A_PART = 1024
"""Games, whose ids take some fifteen pages. A constant of the tables: the index has it."""

TEXT = sa.String().with_variant(sa.String(collation="C"), "postgresql")
NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")  # SQLite's have 64 bits as it is

TABLES = sa.MetaData()
BOTS = sa.Table(
    "bots", TABLES,
    sa.Column("name", TEXT, primary_key=True),
    sa.Column("digest", TEXT, primary_key=True),
    sa.Column("manifest", sa.JSON, nullable=False),
    sa.Column("added", TEXT, nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),
)  # fmt: skip
TOURNAMENTS = sa.Table(
    "tournaments", TABLES,
    sa.Column("name", TEXT, primary_key=True),
    sa.Column("seed", TEXT, nullable=False),
    sa.Column("config", sa.JSON, nullable=False),
    sa.Column("bots", sa.JSON, nullable=False),
    sa.Column("notes", sa.JSON, nullable=False),
    sa.Column("begun", TEXT, nullable=False),
    sa.Column("run", NUMBER, nullable=False, server_default="0"),  # grows with each that takes it up
)  # fmt: skip
GAMES = sa.Table(
    "games", TABLES,
    sa.Column("key", NUMBER, primary_key=True, autoincrement=False),  # grows from game to game
    sa.Column("id", TEXT, nullable=False),
    sa.Column("tournament", TEXT, sa.ForeignKey("tournaments.name"), nullable=False),
    sa.Column("game", TEXT, nullable=False),
    sa.Column("variant", TEXT, nullable=False),
    sa.Column("rules", TEXT, nullable=False),
    sa.Column("deal", TEXT, nullable=False),
    sa.Column("block", TEXT, nullable=False),
    sa.Column("block_size", NUMBER, nullable=False),
    sa.Column("verdict", TEXT, nullable=False),
    sa.Column("isolation", TEXT, nullable=False),
    sa.Column("finished", TEXT, nullable=False),
    sa.Column("meeting", TEXT, nullable=False),  # who met whom: `arena.meetings`
    sa.Index("games_named", sa.text(f"(key / {A_PART})"), "id", unique=True),
    sa.Index("games_counted", "tournament", "variant", "meeting", "deal", "verdict", "block_size"),
)  # fmt: skip
PART = GAMES.c.key // sa.literal_column(str(A_PART), NUMBER)
"""Where the id of a game is in the index, as the index says it."""
SEATS = sa.Table(
    "seats", TABLES,
    sa.Column("game", NUMBER, sa.ForeignKey("games.key"), primary_key=True, autoincrement=False),
    sa.Column("seat", NUMBER, primary_key=True, autoincrement=False),
    sa.Column("bot", TEXT, nullable=False),
    sa.Column("digest", TEXT, nullable=False),
    sa.Column("team", NUMBER, nullable=False),
    sa.Column("rank", NUMBER, nullable=False),
    sa.Column("score", NUMBER, nullable=False),
    sa.Column("fault", TEXT),
    sa.Index(
        "seats_with_fault", "game", sqlite_where=sa.text("fault IS NOT NULL"),
        postgresql_where=sa.text("fault IS NOT NULL"),
    ),
    sqlite_with_rowid=False,
)  # fmt: skip
RECORDS = sa.Table(
    "records", TABLES,
    sa.Column("game", NUMBER, sa.ForeignKey("games.key"), primary_key=True, autoincrement=False),
    sa.Column("record", sa.LargeBinary, nullable=False),
)  # fmt: skip
LINKS = sa.Table(
    "links", TABLES,
    sa.Column("game", NUMBER, sa.ForeignKey("games.key"), primary_key=True, autoincrement=False),
    sa.Column("tournament", TEXT, sa.ForeignKey("tournaments.name"), nullable=False),
    sa.Column("number", NUMBER, nullable=False),  # from 1, without gaps
    sa.Column("link", TEXT, nullable=False),
    sa.Index("links_numbered", "tournament", "number", unique=True),
)  # fmt: skip
LEASES = sa.Table(
    "leases", TABLES,
    sa.Column("game", TEXT, primary_key=True),  # the id of one that is not kept
    sa.Column("tournament", TEXT, sa.ForeignKey("tournaments.name"), nullable=False),
    sa.Column("run", NUMBER, nullable=False),
    sa.Column("attempt", NUMBER, nullable=False),
)  # fmt: skip
STAMP = sa.Table(
    "kingmaker_version", TABLES,  # Alembic's table, under a name that no other program of a database has
    sa.Column("version_num", sa.String(32), primary_key=True),
)  # fmt: skip
