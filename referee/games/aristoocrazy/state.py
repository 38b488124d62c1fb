"""The three zones of a game of Aristoocrazy, what is under way in it, and the log.

Nothing here decides anything: the rules change a `Table` in place, and whatever faces a player is handed
`Public` and one `Private`. What is under way (`task`) is a frozen tuple, so copies share it.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

from referee.games.aristoocrazy.data import CHARACTERS, FIELDS, TRAITS
from referee.games.aristoocrazy.luck import Luck
from referee.games.aristoocrazy.traces import Ledger
from referee.games.aristoocrazy.variants import AristoocrazyVariant

NOBODY: Final = -1
SUPPLY: Final = -1
"""Where a character stands that is on no field."""
UNSEEN: Final = -1
"""Stands for a card face down, and for an answer not given."""

PHASES: Final = ("setup", "move", "use", "event", "end")
SETUP: Final = 0
MOVING: Final = 1
USING: Final = 2
EVENT: Final = 3
OVER: Final = 4

DECISIONS: Final = (
    None, "setup_man", "setup_woman", "restore", "move", "use", "reroll", "heir", "consent", "dowry",
    "commit", "lay", "aftermath", "retreat", "bid", "pay", "hazard", "victim",
)  # fmt: skip
GO_ON: Final = 0
"""Nobody decides, the phase goes on by itself."""
MAN: Final = 1
WOMAN: Final = 2
RESTORE: Final = 3
MOVE_PHASE: Final = 4
USE_PHASE: Final = 5
REROLL: Final = 6
HEIR_PLACE: Final = 7
CONSENT: Final = 8
DOWRY: Final = 9
STAKE: Final = 10
LAYING: Final = 11
AFTERMATH: Final = 12
RETREAT: Final = 13
BIDDING: Final = 14
PAYING: Final = 15
RELIEF: Final = 16
VICTIM: Final = 17

RED: Final = 0
BLACK: Final = 1
THIEF: Final = 2
OCCASIONS: Final = ("red", "black", "thief")
"""What luck decides (Aristoocrazy R38)."""


class Roll(NamedTuple):
    """Three dice on the table (Aristoocrazy R8), and what they are for."""

    purpose: str
    """`partner`, `cousin`, `restored` (red dice), `heir` (black)."""
    die: int
    """RED or BLACK."""
    number: int
    """Of the occasion in this turn, from 1."""
    dice: tuple[int, ...]
    """Faces, 1 to 6."""
    drawn: int
    """Dice that have fallen on this occasion, re-rolls among them."""
    slots: tuple[int, ...]
    """Black dice: the six traits of both parents."""
    char: int
    """The suitor, or NOBODY."""
    partner: int
    """The other parent where it is a character, or NOBODY."""
    field: int
    """Of conception, or where who comes will stand."""
    sex: int
    """Of who comes by red dice."""


class Courtship(NamedTuple):
    """A suitor before a character of another house (Aristoocrazy R19)."""

    char: int
    partner: int
    field: int


class Birth(NamedTuple):
    """An heir whose sex and field are to be chosen (Aristoocrazy R18)."""

    char: int
    partner: int
    field: int
    traits: tuple[int, ...]


class Battle(NamedTuple):
    """A battle (Aristoocrazy R21 to R26); pairs are the attacker's and the defender's."""

    char: int
    field: int
    seats: tuple[int, int]
    defenders: tuple[int, ...]
    """Those who stood on the field when it was attacked."""
    bonus: int = 0
    """Wins that mercenaries add to the attacker's."""
    taught: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    playable: tuple[int, int] = (0, 0)
    """Tokens of each side not yet laid."""
    laid: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    wins: tuple[int, int] = (0, 0)
    fleeing: tuple[int, ...] = ()
    """Defenders who have still to leave."""


class Hazard(NamedTuple):
    """A famine or plague after payment: who has still to age (Aristoocrazy R32)."""

    missing: tuple[int, ...]
    """By seat, tokens that were not paid and have not been suffered for."""
    aged: tuple[int, ...]
    """Characters that have suffered."""


Task: TypeAlias = Roll | Courtship | Birth | Battle | Hazard | None

Entry: TypeAlias = tuple[int, tuple[int, ...], Any]
"""A line of the log: kind (see `events`), seats that know (empty: all), data."""


class Public:
    """What everybody may know. Lists are by seat, by field (`FIELDS`) or by character (`CHARACTERS`).

    `new` and `clone` give it all its fields; what is made without them is half made.
    """

    __slots__ = (
        "acted", "at", "attacked", "battles_won", "card_played", "cards_held", "crests", "decision", "deck",
        "discard", "evaluated", "fresh", "gained_land", "heirs_born", "hired", "occasions", "order", "owner",
        "palisades", "pending", "phase", "place", "players", "red", "round", "row", "size", "task", "traits",
        "trophies", "turn", "variant", "vp", "where", "wounds",
    )  # fmt: skip

    variant: AristoocrazyVariant
    players: int
    phase: int
    round: int
    """From 1; during the set-up 1."""
    order: tuple[int, ...]
    """Seats as they take their turns this round."""
    place: int
    """How many turns of this round are over."""
    turn: int
    """Whose turn it is; NOBODY outside turns."""
    decision: int
    pending: tuple[int, ...]
    """Seats that owe an answer, ascending."""
    task: Task
    owner: list[int]
    at: list[tuple[int, ...]]
    """By field, the characters on it, ascending."""
    palisades: list[int]
    """Fields with a palisade, ascending."""
    where: list[int]
    traits: list[tuple[int, ...]]
    """By character; empty in supply."""
    red: list[int]
    acted: list[bool]
    fresh: list[bool]
    """By character, the flag `new`."""
    crests: list[int]
    """Crests left."""
    vp: list[int]
    trophies: list[int]
    wounds: list[int]
    """Red chips given to opponents."""
    battles_won: list[int]
    heirs_born: list[int]
    """This round."""
    attacked: list[bool]
    gained_land: list[bool]
    size: list[int]
    """Tokens in the stash."""
    cards_held: list[int]
    card_played: bool
    """This turn."""
    hired: int
    """Mercenaries that wait for a battle of this turn."""
    occasions: list[int]
    """By kind of occasion (RED, BLACK, THIEF), how many there were this turn."""
    row: list[int]
    """Indexes into the variant's events, or UNSEEN; the first is this round's."""
    evaluated: list[int]
    discard: list[int]
    """Action cards, the last played first."""
    deck: int
    """Action cards left to draw."""

    def __init__(self, variant: AristoocrazyVariant) -> None:
        self.variant, self.players = variant, variant.players

    @classmethod
    def new(cls, variant: AristoocrazyVariant) -> Public:
        """As it is before anything is set up."""
        public, players = cls(variant), variant.players
        public.phase, public.round, public.order, public.place = SETUP, 1, tuple(range(players)), 0
        public.turn, public.decision, public.pending, public.task = NOBODY, GO_ON, (), None
        public.owner, public.at = [NOBODY] * len(FIELDS), [()] * len(FIELDS)
        public.palisades = []
        public.where, public.traits = [SUPPLY] * len(CHARACTERS), [()] * len(CHARACTERS)
        public.red = [0] * len(CHARACTERS)
        public.acted, public.fresh = [False] * len(CHARACTERS), [False] * len(CHARACTERS)
        public.crests = [CRESTS] * players
        (
            public.vp,
            public.trophies,
            public.wounds,
            public.battles_won,
            public.heirs_born,
            public.size,
            public.cards_held,
        ) = ([0] * players for _ in range(7))
        public.attacked, public.gained_land = [False] * players, [False] * players
        public.card_played, public.hired, public.occasions = False, 0, [0, 0, 0]
        public.row, public.evaluated, public.discard, public.deck = [], [], [], len(variant.actions)
        return public

    def clone(self) -> Public:
        """An independent copy."""
        copy = Public(self.variant)
        copy.variant, copy.players, copy.phase, copy.round = (
            self.variant,
            self.players,
            self.phase,
            self.round,
        )
        copy.order, copy.place, copy.turn, copy.decision = self.order, self.place, self.turn, self.decision
        copy.pending, copy.task, copy.card_played = self.pending, self.task, self.card_played
        copy.hired, copy.deck = self.hired, self.deck
        copy.owner, copy.at, copy.palisades = self.owner[:], self.at[:], self.palisades[:]
        copy.where, copy.traits, copy.red = self.where[:], self.traits[:], self.red[:]
        copy.acted, copy.fresh, copy.crests, copy.vp = (
            self.acted[:],
            self.fresh[:],
            self.crests[:],
            self.vp[:],
        )
        copy.trophies, copy.wounds, copy.battles_won = self.trophies[:], self.wounds[:], self.battles_won[:]
        copy.heirs_born, copy.attacked = self.heirs_born[:], self.attacked[:]
        copy.gained_land = self.gained_land[:]
        copy.size, copy.cards_held, copy.occasions = self.size[:], self.cards_held[:], self.occasions[:]
        copy.row, copy.evaluated, copy.discard = self.row[:], self.evaluated[:], self.discard[:]
        return copy


CRESTS: Final = 5
"""Of each house, beside the one printed on its home (Aristoocrazy R20)."""


class Private:
    """What one seat alone may know."""

    __slots__ = ("cards", "hand", "man", "sealed", "staked", "stash", "tokens")

    stash: list[int]
    """By trait, tokens behind the screen."""
    hand: list[int]
    """Action cards, ascending."""
    sealed: int
    """Its answer to a simultaneous decision that others still owe theirs, or UNSEEN."""
    man: tuple[int, ...]
    """The man's traits, from their choice until all are revealed."""
    staked: list[int] | None
    """By trait, its tokens of a battle that are not laid yet; None outside battles."""
    tokens: Ledger
    """What it can tell of the tokens of others, by seat."""
    cards: Ledger
    """What it can tell of the cards of others, by seat, and of the deck."""

    def __init__(self, tokens: Ledger, cards: Ledger) -> None:
        self.stash = [0] * len(TRAITS)
        self.hand = []
        self.sealed, self.man, self.staked = UNSEEN, (), None
        self.tokens, self.cards = tokens, cards

    def clone(self) -> Private:
        """An independent copy."""
        copy = Private(self.tokens.clone(), self.cards.clone())
        copy.stash, copy.hand = self.stash[:], self.hand[:]
        copy.sealed, copy.man = self.sealed, self.man
        copy.staked = None if self.staked is None else self.staked[:]
        return copy


class Hidden:
    """What nobody may know."""

    __slots__ = ("actions", "events", "luck", "shuffles")

    events: list[int]
    """All cards of the game in order, the two that are never evaluated first (Aristoocrazy R10)."""
    actions: list[int]
    """The deck of action cards, drawn from the end."""
    luck: Luck
    shuffles: list[int]
    """Sizes of the decks that stream `actions` has shuffled."""

    def __init__(self, events: list[int], actions: list[int], luck: Luck) -> None:
        self.events, self.actions, self.luck = events, actions, luck
        self.shuffles = [len(actions)]

    def clone(self) -> Hidden:
        """An independent copy."""
        copy = Hidden(self.events[:], self.actions[:], self.luck)
        copy.shuffles = self.shuffles[:]
        return copy


class Table:
    """A game under way: the three zones and the log."""

    __slots__ = ("hidden", "log", "private", "public")

    def __init__(self, public: Public, private: list[Private], hidden: Hidden) -> None:
        self.public, self.private, self.hidden = public, private, hidden
        self.log: list[Entry] = []

    def clone(self) -> Table:
        """An independent copy."""
        copy = Table(self.public.clone(), [zone.clone() for zone in self.private], self.hidden.clone())
        copy.log = self.log[:]
        return copy
