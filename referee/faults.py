"""From what a bot did wrong to how the game ends (the verdicts of SPEC.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from protocol.escape import visible
from protocol.vocabulary import Fault, FaultKind, Outcome, Seat, Team

EVIDENCE = 2048
"""Bytes of an offending message that are kept."""
SUSPENDED = "suspended"
"""Reason of a fault that a bot made in games before this one: for this one it was not started."""


class Misstep(NamedTuple):
    """What came back from a bot in place of an answer."""

    kind: FaultKind
    reason: str = ""
    evidence: str = ""

    def at(self, seat: Seat, turn: int) -> Fault:
        """The fault that it is in a game."""
        return Fault(self.kind, seat, turn, self.reason, self.evidence)


def printable(data: bytes) -> str:
    """The first bytes of a message, in one visible line."""
    shown = visible(data[:EVIDENCE].decode("utf-8", "backslashreplace"))
    return shown + ("…" if len(data) > EVIDENCE else "")


def is_free_for_all(teams: Sequence[Team]) -> bool:
    """Whether more than two sides play: there a fault does not end the game."""
    return len(set(teams)) > 2


def plays_on(teams: Sequence[Team], faulty: set[Seat]) -> bool:
    """Whether a game goes on with house players in the `faulty` seats."""
    return not faulty or (is_free_for_all(teams) and len(teams) - len(faulty) > 1)


def forfeited(teams: Sequence[Team], faulty: set[Seat]) -> Outcome:
    """The outcome where a fault ended the game: a side with a faulty seat is behind one without."""
    lost = {teams[seat] for seat in faulty}
    behind = len(set(teams) - lost)
    ranks = tuple(behind if team in lost else 0 for team in teams)
    return Outcome(ranks, (0,) * len(teams), tuple(teams))


def demoted(outcome: Outcome, faulty: set[Seat]) -> Outcome:
    """A free-for-all played to its end by house players: faulty seats share the last place."""
    good = sorted(rank for seat, rank in enumerate(outcome.ranks) if seat not in faulty)
    ranks = tuple(
        len(good) if seat in faulty else good.index(rank) for seat, rank in enumerate(outcome.ranks)
    )
    return Outcome(ranks, outcome.scores, outcome.teams)
