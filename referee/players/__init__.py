"""Who sits in a seat: a bot's program (`remote`), waited for (`waiting`), or a Python function (`local`)."""

from __future__ import annotations

from typing import Protocol

from referee.match import Ask, Reply


class Player(Protocol):
    """Somebody who answers what a match asks of one seat."""

    @property
    def wants_events(self) -> bool:
        """Whether it is to be told what happens."""

    def reply(self, ask: Ask) -> Reply:
        """Its answer, or what it did wrong."""
