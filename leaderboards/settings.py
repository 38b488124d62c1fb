"""All that a leaderboard depends on besides the games: a value that is published with it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from hashlib import sha256

from leaderboards.ratings import BETA, DRAW_FLOOR, METHOD, MU, SIGMA, TAU, TOLERANCE

DRAWS = 4000
FARTHEST = 1e6
"""Of an anchor's mu from 0: beyond, ratings with four digits would run into each other."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What may be chosen, and what the method is; equal settings and equal games make equal boards."""

    anchor: tuple[str, float] | None = None
    """A bot (its name, or name@digits of its digest) and the mu that it has: all others are shifted with it."""
    without_forfeits: bool = False
    """Blocks in which a bot made a fault are left out."""
    method: str = field(default=METHOD, init=False)
    mu: float = field(default=MU, init=False)
    """The middle of a field without an anchor, and the mean of a skill before any game."""
    sigma: float = field(default=SIGMA, init=False)
    """The standard deviation of a skill before any game."""
    beta: float = field(default=BETA, init=False)
    """The standard deviation of a performance around its skill."""
    tau: float = field(default=TAU, init=False)
    """Drift of a skill from game to game: none, a bot in one version does not change."""
    draw_floor: float = field(default=DRAW_FLOOR, init=False)
    """The least share of ties that is taken for possible."""
    tolerance: float = field(default=TOLERANCE, init=False)
    """The ratings have settled when none moves by more."""
    weights: str = field(default="equal", init=False)
    """Of the variants in the overall rating."""
    draws: int = field(default=DRAWS, init=False)
    """Of the fields of strengths that P(first) is counted in."""
    seed: int = field(default=1, init=False)
    """Of these draws (numpy's RandomState, whose numbers stay the same)."""

    def __post_init__(self) -> None:
        """Raises ValueError: the anchor is given no number, or one beyond a million."""
        if self.anchor and not abs(self.anchor[1]) <= FARTHEST:
            raise ValueError(f"an anchor's mu is within ±{FARTHEST:,.0f}, and not {self.anchor[1]!r}")

    @property
    def digest(self) -> str:
        """SHA-256, 64 hex digits, of the settings as JSON with sorted keys."""
        return sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()
