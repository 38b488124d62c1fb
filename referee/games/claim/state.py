"""The three zones of a game of Claim, and the log of what happened in it.

Cards are faces (see `cards`), seats are small ints. Nothing here decides anything: the rules change a
`Table` in place, and whatever faces a player is handed `Public` and one `Private`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from referee.games.claim.cards import Card
from referee.games.claim.variants import ClaimVariant

NOBODY: Final = -1
UNSEEN: Final = -1
"""Stands for a card that others may not know, and for no card."""

IDLE: Final = 0
PLAY: Final = 1
RECRUIT: Final = 2
SMASH: Final = 3
DECISIONS: Final = (None, "play", "recruit", "smash")
"""The kinds of decision; none at the end."""

NOTHING_SHOWN: Final = dict.fromkeys(
    (
        "variant", "seat", "to_act", "decision", "phase", "trick_number", "trick", "hand", "recruited",
        "look", "left", "faceup", "deck", "hands", "followers", "known", "voids", "piles", "rows", "out",
        "giants", "removed", "votes", "tricks",
    )
) | {"piles": [[], [], [], []], "tricks": []}  # fmt: skip
"""The fields of a view in their order, before anything was shown."""


class Trick(NamedTuple):
    """A finished trick, as everybody knows it."""

    leader: int
    cards: list[Card]
    """In order of play, the leader's first; never changed."""
    ranking: tuple[int, ...]
    """Seats, the winner first (Claim 3.6)."""
    recruits: list[Card]
    """By seat, what each recruited or UNSEEN; empty in the favour phase. Never changed."""


class Left(NamedTuple):
    """A card that a Seer's winner looked at and left (Claim 5.4)."""

    trick: int
    """Number of the trick, from 0."""
    card: Card
    seat: int
    """Who recruited it."""


Entry = tuple[int, tuple[int, ...], int, tuple[int, ...]]
"""A line of the log: kind (see `events`), seats that know (empty: all), seat concerned, data."""


class Public:
    """What everybody may know. `leader`'s card is `plays[0]`; the others follow in seat order."""

    __slots__ = (
        "captured",
        "decision",
        "deck",
        "faceup",
        "favour",
        "giants",
        "known",
        "leader",
        "leads",
        "number",
        "out",
        "piles",
        "players",
        "plays",
        "ranking",
        "recruits",
        "removed",
        "rows",
        "shown",
        "stale",
        "taken",
        "tally",
        "tricks",
        "turn",
        "variant",
        "voids",
    )

    variant: ClaimVariant
    players: int
    favour: bool
    """Whether the second phase has begun."""
    number: int
    """Tricks finished in this phase."""
    leader: int
    turn: int
    """Who decides; NOBODY at the end."""
    decision: int
    plays: list[Card]
    """The trick under way, in order of play."""
    ranking: tuple[int, ...]
    """Of the trick under way; empty until all have played."""
    leads: int
    """Who will lead the next trick, once that is known."""
    recruits: list[Card]
    """By seat, what was recruited after this trick for all to see."""
    taken: int
    """How many seats, in order of rank, have recruited after this trick."""
    faceup: list[Card]
    deck: int
    """Cards left in the deck."""
    out: list[Card]
    """Trolls that lie out (Claim 5.6), ascending."""
    giants: list[Card]
    """Giants of this trick that have still to smash, in order of play."""
    removed: list[Card]
    """Gnomes out of the game."""
    piles: list[list[Card]]
    rows: list[list[Card]]
    """Gnomes face up before their captors."""
    known: list[list[Card]]
    """By seat, recruits taken face up and not played since."""
    voids: list[str]
    """By seat, letters of the factions that its hand has shown to lack, in the order shown."""
    tally: list[int]
    """By team and faction, the strength in the vote (see `scoring`)."""
    tricks: list[Trick]
    shown: dict[str, Any]
    """What views last showed to all (see `view`); made anew, never changed, so copies share it."""
    stale: bool
    """Whether more than cards played to the trick has happened since."""
    captured: bool
    """Whether a card has found a place off the table since, or Giants wait to smash."""

    def __init__(self, variant: ClaimVariant) -> None:
        players = variant.players
        self.variant = variant
        self.players = players
        self.favour = False
        self.number = 0
        self.leader = 0
        self.turn = 0
        self.decision = PLAY
        self.plays = []
        self.ranking = ()
        self.leads = NOBODY
        self.recruits = [UNSEEN] * players
        self.taken = 0
        self.faceup = []
        self.deck = 0
        self.out = []
        self.giants = []
        self.removed = []
        self.piles = [[] for _ in range(players)]
        self.rows = [[] for _ in range(players)]
        self.known = [[] for _ in range(players)]
        self.voids = [""] * players
        self.tally = [0] * (10 * variant.sides)
        self.tricks = []
        self.shown = NOTHING_SHOWN
        self.stale = self.captured = True

    def clone(self) -> Public:
        """An independent copy; what never changes is shared."""
        copy = Public(self.variant)
        copy.favour, copy.number = self.favour, self.number
        copy.leader, copy.turn, copy.decision = self.leader, self.turn, self.decision
        copy.ranking, copy.leads, copy.taken, copy.deck = self.ranking, self.leads, self.taken, self.deck
        copy.plays, copy.recruits, copy.faceup = self.plays[:], self.recruits[:], self.faceup[:]
        copy.out, copy.giants, copy.removed = self.out[:], self.giants[:], self.removed[:]
        copy.piles = [pile[:] for pile in self.piles]
        copy.rows = [row[:] for row in self.rows]
        copy.known = [cards[:] for cards in self.known]
        copy.voids, copy.tally, copy.tricks = self.voids[:], self.tally[:], self.tricks[:]
        copy.shown, copy.stale, copy.captured = self.shown, self.stale, self.captured
        return copy


class Private:
    """What one seat alone knows."""

    __slots__ = ("hand", "left", "look", "recruited", "twins")

    def __init__(self, hand: list[Card]) -> None:
        self.hand = hand
        """Ascending."""
        self.twins = len(hand) - len(set(hand))
        """How many cards of the hand are further copies; where there are none `legal` is quicker."""
        self.recruited: list[Card] = []
        """All that it recruited, one a trick; in the first phase these are its followers."""
        self.look = UNSEEN
        """The top card of the deck, while it decides as a Seer's winner."""
        self.left: list[Left] = []
        """What it looked at and left, until it is played."""

    def take_up(self) -> None:
        """The followers become the hand (Claim 4.2)."""
        self.hand = sorted(self.recruited)
        self.twins = len(self.hand) - len(set(self.hand))

    def clone(self) -> Private:
        """An independent copy."""
        copy = Private([])
        copy.hand, copy.twins, copy.recruited = self.hand[:], self.twins, self.recruited[:]
        copy.look, copy.left = self.look, self.left[:]
        return copy


class Hidden:
    """What nobody knows."""

    __slots__ = ("deck",)

    def __init__(self, deck: list[Card]) -> None:
        self.deck = deck
        """The top card last."""


class Table:
    """The three zones and the log. The cards in them are always the variant's deck."""

    __slots__ = ("hidden", "log", "private", "public")

    def __init__(self, public: Public, private: list[Private], hidden: Hidden, log: list[Entry]) -> None:
        self.public = public
        self.private = private
        self.hidden = hidden
        self.log = log

    def clone(self) -> Table:
        """An independent copy."""
        private = [zone.clone() for zone in self.private]
        return Table(self.public.clone(), private, Hidden(self.hidden.deck[:]), self.log[:])


def dealt(variant: ClaimVariant, cards: Sequence[Card]) -> Table:
    """The zones after the deal, nothing turned up yet: seat 0 has the first cards (Claim 2.6)."""
    each, players = variant.each, variant.players
    private = [Private(sorted(cards[seat * each : (seat + 1) * each])) for seat in range(players)]
    public = Public(variant)
    deck = list(reversed(cards[players * each :]))
    public.deck = len(deck)
    return Table(public, private, Hidden(deck), [])
