"""What lies on the table of a game of the reference (see `claim`), and in its hands: strings, lists and dicts."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field

from tests.reference.claim_decks import TEAMS, rule_2_2_id, rule_2_6

Play = tuple[int, str]
"""A seat and the card that it played."""
Asked = tuple[int, str, list[str]]
"""Who decides, the kind of decision (rule 8), and what is legal, in the order of rule 8."""
Asking = Generator[Asked, str, None]


@dataclass
class Trick:
    """One trick, and who recruited what after it."""

    phase: str
    leader: int
    recruits: list[str | None]
    """By seat, what it took face up; None for what nobody else has seen."""
    plays: list[Play] = field(default_factory=list)
    ranking: list[int] = field(default_factory=list)
    """Seats, the winner first; empty until all have played."""


@dataclass
class Table:
    """Everything: what lies on the table, what is in hands, what has happened."""

    players: int
    letters: str
    """The deck's factions."""
    options: dict[str, str]
    teams: list[int]
    hands: list[list[str]]
    deck: list[str]
    """Its top first."""
    recruited: list[list[str]]
    """By seat, all recruits in order; the followers of the first phase, the hand of the second."""
    piles: list[list[str]]
    """By seat, the score pile in order of capture."""
    rows: list[list[str]]
    """By seat, Gnomes alive."""
    phase: str = "recruit"
    leader: int = 0
    """Claim 2.5: seat 0 leads first."""
    faceup: list[str] = field(default_factory=list)
    tricks: list[Trick] = field(default_factory=list)
    """All so far, the one under way last."""
    out: list[str] = field(default_factory=list)
    giants: list[str] = field(default_factory=list)
    """Giants that have still to smash, the first now."""
    removed: list[str] = field(default_factory=list)
    look: str = ""
    """The top of the deck, while a Seer's winner knows it."""
    left: list[tuple[int, int, str, int]] = field(default_factory=list)
    """What a Seer's winner saw and left: number of the trick from 0, who looked, the card, who got it."""


def laid(id: str, deal: list[str]) -> Table:
    """A table laid for a game of variant `id`; `deal` is a literal deal (rule 2.6)."""
    players, letters, options = rule_2_2_id(id)
    hands, deck = rule_2_6(deal, players)
    seats = range(players)
    return Table(
        players, letters, options, TEAMS[players], hands, deck,
        recruited=[[] for _ in seats], piles=[[] for _ in seats], rows=[[] for _ in seats],
    )  # fmt: skip


def played(table: Table) -> list[str]:
    """The cards of the trick, in order of play."""
    return [card for _, card in table.tricks[-1].plays]
