"""Places at the end (Aristoocrazy R35)."""

from __future__ import annotations

from referee.game import Outcome
from referee.games.aristoocrazy.measures import characters, fields
from referee.games.aristoocrazy.state import Public


def ranks(public: Public) -> tuple[int, ...]:
    """By seat, 0 best: victory points, then fields, then characters on the board; equals share a place."""
    keys = [
        (public.vp[seat], fields(public, seat), characters(public, seat)) for seat in range(public.players)
    ]
    return tuple(sum(other > key for other in keys) for key in keys)


def outcome(public: Public) -> Outcome:
    """Each house's place and victory points."""
    return Outcome(ranks(public), tuple(public.vp), public.variant.teams)
