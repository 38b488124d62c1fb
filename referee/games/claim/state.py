"""The three zones of a game of Claim, and the log of what happened in it.

Cards are faces (see `cards`), seats are small ints. Nothing here decides anything: the rules change a
`Table` in place, and whatever faces a player is handed `Public` and one `Private`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from mypy_extensions import mypyc_attr

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


@mypyc_attr(acyclic=True)
class Trick:
    """A finished trick, as everybody knows it; never changed."""

    __slots__ = ("cards", "leader", "ranking", "recruits")

    def __init__(
        self, leader: int, cards: list[Card], ranking: tuple[int, ...], recruits: list[Card]
    ) -> None:
        self.leader = leader
        self.cards = cards
        """In order of play, the leader's first."""
        self.ranking = ranking
        """Seats, the winner first (Claim 3.6)."""
        self.recruits = recruits
        """By seat, what each recruited or UNSEEN; empty in the favour phase."""


class Left(NamedTuple):
    """A card that a Seer's winner looked at and left (Claim 5.4)."""

    trick: int
    """Number of the trick, from 0."""
    card: Card
    seat: int
    """Who recruited it."""


Entry = tuple[int, ...]
"""A line of the log: kind (see `events`), seat concerned, data."""


@mypyc_attr(acyclic=True)
class Public:
    """What everybody may know. `leader`'s card is `plays[0]`; the others follow in seat order.

    `new` and `clone` give it all its fields; what is made without them is half made.
    """

    __slots__ = (
        "captured",
        "decision",
        "deck",
        "each",
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
        "teams",
        "tricks",
        "turn",
        "variant",
        "voids",
    )

    variant: ClaimVariant
    players: int
    each: int
    teams: tuple[int, ...]
    """These three as the variant has them, at hand for what asks often."""
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
        self.variant = variant
        self.players, self.each, self.teams = variant.players, variant.each, variant.teams

    @classmethod
    def new(cls, variant: ClaimVariant) -> Public:
        """As it is before the deal."""
        public, players = cls(variant), variant.players
        public.favour = False
        public.number = 0
        public.leader = 0
        public.turn = 0
        public.decision = PLAY
        public.plays = []
        public.ranking = ()
        public.leads = NOBODY
        public.recruits = [UNSEEN] * players
        public.taken = 0
        public.faceup = []
        public.deck = 0
        public.out = []
        public.giants = []
        public.removed = []
        public.piles = [[] for _ in range(players)]
        public.rows = [[] for _ in range(players)]
        public.known = [[] for _ in range(players)]
        public.voids = [""] * players
        public.tally = [0] * (10 * variant.sides)
        public.tricks = []
        public.shown = NOTHING_SHOWN
        public.stale = public.captured = True
        return public

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


@mypyc_attr(acyclic=True)
class Private:
    """What one seat alone knows. Its hand lies in two lists, so that what it may play is found without copies."""

    __slots__ = ("faces", "left", "look", "recruited", "twins")

    def __init__(
        self, faces: list[Card], twins: list[Card], recruited: list[Card], look: Card, left: list[Left]
    ) -> None:
        self.faces = faces
        """What it holds, each face once, ascending."""
        self.twins = twins
        """The further copies that it holds, ascending."""
        self.recruited = recruited
        """All that it recruited, one a trick; in the first phase these are its followers."""
        self.look = look
        """The top card of the deck, while it decides as a Seer's winner."""
        self.left = left
        """What it looked at and left, until it is played."""

    @classmethod
    def holding(cls, hand: list[Card]) -> Private:
        """A seat with this hand, ascending, and nothing else."""
        faces, twins = _apart(hand)
        return cls(faces, twins, [], UNSEEN, [])

    @property
    def hand(self) -> list[Card]:
        """All cards that it holds, ascending."""
        return sorted(self.faces + self.twins) if self.twins else self.faces[:]

    def lay(self, card: Card) -> None:
        """Take a card out of the hand."""
        (self.twins if card in self.twins else self.faces).remove(card)

    def take_up(self) -> None:
        """The followers become the hand (Claim 4.2)."""
        self.faces, self.twins = _apart(sorted(self.recruited))

    def clone(self) -> Private:
        """An independent copy."""
        return Private(self.faces[:], self.twins[:], self.recruited[:], self.look, self.left[:])


def _apart(cards: list[Card]) -> tuple[list[Card], list[Card]]:
    """Ascending cards as each face once, and the further copies."""
    faces: list[Card] = []
    twins: list[Card] = []
    last = UNSEEN
    for card in cards:
        (twins if card == last else faces).append(card)
        last = card
    return faces, twins


@mypyc_attr(acyclic=True)
class Hidden:
    """What nobody knows."""

    __slots__ = ("deck",)

    def __init__(self, deck: list[Card]) -> None:
        self.deck = deck
        """The top card last."""


@mypyc_attr(acyclic=True)
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
    private = [Private.holding(sorted(cards[seat * each : (seat + 1) * each])) for seat in range(players)]
    public = Public.new(variant)
    deck = list(reversed(cards[players * each :]))
    public.deck = len(deck)
    return Table(public, private, Hidden(deck), [])
