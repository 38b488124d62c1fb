"""Aristoocrazy: noble houses on a board. The README has the rules by number."""

from referee.games.aristoocrazy.game import Aristoocrazy

__all__ = ["Aristoocrazy"]
