"""One configuration of a game, as far as all games have it."""

from __future__ import annotations

from dataclasses import dataclass

from protocol.vocabulary import Team


@dataclass(frozen=True, slots=True)
class Variant:
    """One configuration of a game. Games subclass it with their options."""

    id: str
    """The one way to write it, default options left out: `claim/2p/GK-UWX+troll_carry=cap`."""
    teams: tuple[Team, ...]
    """Which team each seat plays for; its length is the number of seats."""

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.teams)
