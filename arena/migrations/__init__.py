"""Ledgers of older versions, brought up by Alembic: a module of `versions` each, one after the other.

The versions are those of `arena.tables`. Imported only where something has to be brought up. A new one is a
module in `versions` that says what it follows, and VERSION; the tables are changed in both places, and
tests/arena/test_migrations.py compares them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.script import ScriptDirectory

from arena.tables import STAMP, VERSION


def upgrade(db: sa.Connection, found: int) -> None:
    """Bring tables of version `found` (0: none) up to VERSION, in the transaction that `db` is in.

    Up to version 2 a ledger did not have Alembic's table, so it is told where it stands.
    """
    script = ScriptDirectory(str(Path(__file__).parent))

    def steps(at: Any, _: Any) -> list[Any]:
        return script._upgrade_revs(str(VERSION), at or str(found or "base"))

    with EnvironmentContext(Config(), script, fn=steps) as environment:
        environment.configure(connection=db, version_table=STAMP.name)
        if found and not sa.inspect(db).has_table(STAMP.name):
            environment.get_context().stamp(script, str(found))
        environment.run_migrations()
