"""Version 5: the index of ids is in parts, so that a game that is kept touches the pages of the last one alone."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "5"
down_revision = "4"


def upgrade() -> None:
    """Make the index anew."""
    op.drop_index("games_named", "games")
    op.create_index("games_named", "games", [sa.text("(key / 1024)"), "id"], unique=True)
