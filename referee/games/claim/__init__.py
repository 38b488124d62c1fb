"""Claim and Claim 2: trick taking in two phases. The README has the rules by number."""

from referee.games.claim.game import Claim

__all__ = ["Claim"]
