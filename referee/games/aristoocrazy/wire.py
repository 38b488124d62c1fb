"""The JSON of Aristoocrazy as pydantic models: view, setup and event bodies, for schemas and typed bots.

Nothing in the game imports this; a test holds that what the game makes is what these models allow. Characters
are `0M1`, fields `a1`, cards `E17` and `A07`; seats are numbers from 0. Numbers by trait leave out what is 0.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

Seat = Annotated[int, Field(ge=0, le=3)]
Count = Annotated[int, Field(ge=0)]
Char = Annotated[str, Field(pattern="^[0-3][MF][1-5]$")]
Place = Annotated[str, Field(pattern="^[a-e][1-5]$")]
Sex = Literal["M", "F"]
Trait = Literal["bow", "sword", "magic", "valour", "rule", "learning", "economy", "money", "luck", "folly"]
Combat = Literal["bow", "sword", "magic"]
Three = Annotated[list[Trait], Field(min_length=3, max_length=3)]
Dice = Annotated[list[Annotated[int, Field(ge=1, le=6)]], Field(min_length=3, max_length=3)]
EventId = Annotated[str, Field(pattern="^(E[0-9]{2}|[a-z]+)$")]
CardId = Annotated[str, Field(pattern="^A[0-9]{2}$")]
Tokens = dict[Trait, Annotated[int, Field(ge=1)]]
Stake = dict[Combat, Annotated[int, Field(ge=1, le=9)]]
Entry = Annotated[list[str | int], Field(min_length=3)]
"""A word, then places and kinds (README, "Traces")."""
Sides = Annotated[list[Count], Field(min_length=2, max_length=2)]
"""The attacker's, then the defender's."""


class Wire(BaseModel):
    """Strict types; fields that a model does not know are ignored, as a later rules number may add some."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True, use_attribute_docstrings=True)


# the view


class RowCard(Wire):
    """A card of the row; one face down has no id."""

    id: EventId | None
    up: bool


class FieldView(Wire):
    """A field of the board."""

    owner: Seat | None
    """Null: neutral."""
    palisade: bool
    """Nobody can attack or court there until its owner's next turn."""


class CharacterView(Wire):
    """A character on the board."""

    id: Char
    field: Place
    traits: Three
    """By slot."""
    red: Annotated[int, Field(ge=0, le=4)]
    """Red chips; the fifth is death."""
    acted: bool
    """It can do nothing more before its owner's next turn."""
    new: bool
    """Come since its owner's last turn began: it cannot be courted or betrothed."""


class Known(Wire):
    """What a seat can tell of another house."""

    stash: Tokens
    """Tokens seen to come and not to go; those committed to a battle are in here until it ends."""
    unknown: int
    """Tokens of unseen kinds; below 0: so many of those in `stash` have gone unseen."""
    vp: Count
    """All that it was awarded; every seat has seen it."""
    hand: list[CardId]
    """Cards that a spy saw and that are still there."""


class House(Wire):
    """What all see of a house."""

    seat: Seat
    stash_size: Count
    """Tokens behind its screen."""
    hand_size: Annotated[int, Field(ge=0, le=3)]
    trophies: Count
    """Opponents' characters whose death is credited to it."""
    wounds: Count
    """Red chips that it gave to opponents' characters."""
    battles_won: Count
    """Counted in quick2013 only."""
    crests_left: Annotated[int, Field(ge=0, le=5)]
    attacked: bool
    """This round."""
    gained_land: bool
    """This round."""
    heirs_born: Count
    """This round; a cousin is no heir."""


class OwnHouse(House):
    """The house of the view's seat."""

    vp: Count
    """Victory points so far."""
    stash: Tokens
    hand: list[CardId]


class OtherHouse(House):
    """Any other house."""

    vp: Count | None = None
    """With vp_visibility=public, and of all at the end; else not there."""
    known: Known


class Deck(Wire):
    """The action cards."""

    deck: Count
    """Cards left to draw."""
    discard: list[CardId]
    """The last played first."""


class Traces(Wire):
    """What the seat saw of things of which some are unseen, in order; for `sample`."""

    tokens: list[Entry]
    """Places are seats."""
    cards: list[Entry]
    """Places are seats, and the number of seats for the deck."""


class Simple(Wire):
    """A decision about which nothing more is to be said."""

    kind: Literal["setup_man", "restore", "move", "use"]


class Woman(Wire):
    """The second draft."""

    kind: Literal["setup_woman"]
    man: Three
    """What this seat has chosen for its man."""


class Reroll(Wire):
    """Three dice lie; the roller has luck."""

    kind: Literal["reroll"]
    die: Literal["red", "black"]
    dice: Dice
    traits: Three
    """What each die shows, duplicates as they are."""
    slots: Annotated[list[Trait], Field(min_length=6, max_length=6)] | None
    """Black dice: the traits of both parents."""
    purpose: Annotated[Literal["partner", "cousin", "restored", "heir"], Field(alias="for")]
    sex: Sex | None
    """Red dice: of whom they make."""
    char: Char | None
    """The suitor; null for a cousin and one restored."""
    partner: Char | None
    """The other parent where it is a character of the board."""
    field: Place
    """Of conception, or where who comes will stand."""


class Heir(Wire):
    """Where an heir comes, and of which sex."""

    kind: Literal["heir"]
    traits: Three
    """The heir's, repeats folded into folly."""
    char: Char
    """The parent of the heir's house."""
    partner: Char | None
    """Null where red dice made it."""
    field: Place
    """Of conception."""


class Courtship(Wire):
    """A suitor before a character of another house."""

    kind: Literal["consent", "dowry"]
    char: Char
    partner: Char
    field: Place


class Fight(Wire):
    """What all decisions of a battle have."""

    char: Char
    """Who attacked."""
    attacker: Seat
    defender: Seat
    field: Place


class Commit(Fight):
    """Tokens are committed in secret."""

    kind: Literal["commit"]
    defenders: list[Char]
    """All that stood on the field when it was attacked."""
    mercenaries: bool
    """One win more for the attacker."""


class Lay(Fight):
    """A token is laid in secret; pairs are the attacker's and the defender's."""

    kind: Literal["lay"]
    defenders: list[Char]
    """All that stood on the field when it was attacked."""
    mercenaries: bool
    """One win more for the attacker."""
    taught: list[list[Combat]]
    playable: Sides
    """Tokens left to lay."""
    laid: list[list[Combat]]
    """In order."""
    wins: Sides
    """So far, without mercenaries."""


class Aftermath(Fight):
    """The attacker has won."""

    kind: Literal["aftermath"]
    survivors: list[Char]
    """Defenders that live."""


class Retreat(Fight):
    """A defender has to leave."""

    kind: Literal["retreat"]
    fleeing: list[Char]
    """The first of them now."""


class Bid(Wire):
    """Tokens are bid in secret."""

    kind: Literal["bid"]
    event: EventId
    trait: Trait


class Pay(Wire):
    """A price is paid in secret, or not."""

    kind: Literal["pay"]
    event: EventId
    cost: Tokens | None
    """What `pay` gives away."""
    different: Count | None
    """Instead of a cost: how many different tokens, none folly."""


class Relief(Wire):
    """A hazard is averted in secret, as far as one can and will."""

    kind: Literal["hazard"]
    event: EventId
    trait: Trait
    due: list[Count]
    """By seat."""


class Victim(Wire):
    """Somebody ages."""

    kind: Literal["victim"]
    event: EventId
    missing: list[Count]
    """By seat, characters that have still to age."""
    aged: list[Char]
    """Those that have, in order; none ages twice."""


Decision = Annotated[
    Simple
    | Woman
    | Reroll
    | Heir
    | Courtship
    | Commit
    | Lay
    | Aftermath
    | Retreat
    | Bid
    | Pay
    | Relief
    | Victim,
    Field(discriminator="kind"),
]


class View(Wire):
    """All that a seat may know."""

    variant: str
    seat: Seat
    to_act: list[Seat]
    """Who decides; in a secret set, those who have not answered yet."""
    decision: Decision | None
    """What those in `to_act` decide; null at the end."""
    phase: Literal["setup", "move", "use", "event", "end"]
    round: Annotated[int, Field(ge=1, le=12)]
    rounds: Annotated[int, Field(ge=8, le=12)]
    order: list[Seat]
    """Of this round."""
    turn: Seat | None
    """Null outside turns: in the set-up, while an event is evaluated, at the end."""
    row: list[RowCard]
    """This round's card first."""
    evaluated: list[EventId]
    """In order."""
    fields: dict[Place, FieldView]
    characters: list[CharacterView]
    """Those on the board: by seat, men before women, then number."""
    houses: list[OwnHouse | OtherHouse]
    """By seat."""
    card_played: bool
    """This turn."""
    mercenaries: bool
    """Hired this turn, and waiting for a battle."""
    actions: Deck
    sealed: str | None
    """The own answer as text, while others still owe theirs; only this seat sees it."""
    committed: Stake | None
    """In a battle, own tokens not yet laid, only this seat sees which."""
    traces: Traces


# the setup


class BoardField(Wire):
    """A field as printed."""

    places: Annotated[int, Field(ge=1)]
    """How many characters can stand there."""
    adjacent: list[Place]


class Board(Wire):
    """The board."""

    id: str
    homes: list[Place]
    """By seat."""
    fields: dict[Place, BoardField]


class Setup(Wire):
    """What every seat knows before the first decision."""

    variant: str
    options: dict[str, str]
    """The value of every option that means something with it."""
    rounds: Count
    board: Board
    traits: list[Trait]
    """Those in the game."""
    red_dice: list[list[Trait]]
    """Three dice of six faces."""
    events: list[EventId]
    """The deck, of which `rounds` cards come up."""
    actions: list[CardId]
    """The action deck; empty in quick2013."""
    fixed: list[Three] | None
    """The traits of each house's man, then woman, where they are not drafted."""


# the events


class Pair(Wire):
    """The first two characters of a house."""

    man: Three
    woman: Three


class SetupDone(Wire):
    """All starting traits, by seat."""

    houses: list[Pair]


class Round(Wire):
    """A round begins."""

    round: Count
    order: list[Seat]
    row: list[RowCard]


class Turn(Wire):
    """`turn`: a turn begins, the seat's characters are free to act. `use_phase`: so does its second phase."""

    seat: Seat


class Moved(Wire):
    """A character went to another field."""

    char: Char
    start: Annotated[Place, Field(alias="from")]
    to: Place
    why: Literal["move", "march", "occupy", "conquest", "retreat"]


class Crest(Wire):
    """A field has a new owner, or none."""

    field: Place
    owner: Seat | None


class Courts(Wire):
    """A suitor; `partner` is null on a neutral field."""

    char: Char
    field: Place
    partner: Char | None


class Consent(Wire):
    """A host has answered."""

    seat: Seat
    consent: bool


class Taken(Wire):
    """Tokens came from the bank; `traits` is null for those who have not seen which (closed takes)."""

    seat: Seat
    why: Literal["use", "dowry", "exchange", "tithe"]
    char: Char | None
    """Whose ability it was; null for all but `use`."""
    count: Count
    traits: list[Trait] | None


class Spent(Wire):
    """Tokens went to the bank; `why` is `reroll`, `exchange` or an event's id."""

    seat: Seat
    why: str
    tokens: Tokens


class Rolled(Wire):
    """Three dice were thrown."""

    seat: Seat
    die: Literal["red", "black"]
    dice: Dice
    traits: Three


class Rerolled(Wire):
    """One of them again: `number`, from 1."""

    seat: Seat
    number: Annotated[int, Field(ge=1, le=3)]
    dice: Dice
    traits: Three


class Born(Wire):
    """A character came onto the board."""

    char: Char
    field: Place
    traits: Three
    why: Literal["heir", "cousin", "restored"]
    parents: list[Char | None]
    """Of an heir, the own parent first, then the other or null; else empty."""


class Attack(Wire):
    """An attack was declared."""

    char: Char
    field: Place
    defender: Seat
    defenders: list[Char]


class Committed(Wire):
    """Both sides have committed; what kinds, only they know."""

    taught: list[list[Combat]]
    playable: Sides


class Laid(Wire):
    """A clash: what each laid, and the wins so far."""

    traits: list[Combat]
    wins: Sides


class BattleOver(Wire):
    """A battle has ended; all that was committed is known."""

    winner: Seat | None
    """Null: a tie; in quick2013 no token on either side."""
    wins: Sides
    committed: list[Stake]
    """The attacker's, then the defender's."""


class Chip(Wire):
    """A character got a red chip and has so many now; `by`: the opponent who is credited."""

    char: Char
    red: Annotated[int, Field(ge=1, le=5)]
    by: Seat | None


class Died(Wire):
    """A character went back to supply."""

    char: Char
    by: Seat | None


class Chosen(Wire):
    """What the winner of a battle does."""

    seat: Seat
    action: str
    """`expel`, `plunder` or `betroth:1F2`."""


class Stolen(Wire):
    """A token changed houses; `trait` is null for those who have no part in it."""

    seat: Seat
    victim: Annotated[Seat, Field(alias="from")]
    trait: Trait | None


class Card(Wire):
    """A card was played; `action` is null for the others where it would tell a closed take."""

    seat: Seat
    card: CardId
    action: str | None


class Drew(Wire):
    """A card was drawn; null for the others."""

    seat: Seat
    card: CardId | None


class Reshuffled(Wire):
    """The discard is the deck now, of so many cards."""

    deck: Count


class Spied(Wire):
    """A spy saw a stash and a hand; null for all others."""

    seat: Seat
    of: Seat
    stash: Tokens | None
    hand: list[CardId] | None


class Healed(Wire):
    """A character has fewer red chips now."""

    char: Char
    red: Count


class Tutored(Wire):
    """A character has these traits now."""

    char: Char
    traits: Three


class Row(Wire):
    """The chancellor has changed the row."""

    row: list[RowCard]


class Evaluated(Wire):
    """An event is evaluated."""

    event: EventId


class Measures(Wire):
    """What it compares, by seat."""

    measures: list[Count]


class Bids(Wire):
    """By seat."""

    bids: list[Count]


class Due(Wire):
    """By seat."""

    due: list[Count]


class Paid(Wire):
    """By seat."""

    paid: list[Tokens]


class Award(Wire):
    """Victory points for an event."""

    event: EventId
    seat: Seat
    vp: Annotated[int, Field(ge=1)]


class End(Wire):
    """The game is over; by seat, ranks from 0."""

    vp: list[Count]
    ranks: list[Count]


EVENTS: Final[dict[str, type[Wire]]] = {
    "setup": SetupDone, "round": Round, "turn": Turn, "use_phase": Turn, "moved": Moved, "crest": Crest,
    "courtship": Courts, "consent": Consent, "taken": Taken, "spent": Spent, "rolled": Rolled,
    "rerolled": Rerolled, "born": Born, "attack": Attack, "committed": Committed, "laid": Laid,
    "battle": BattleOver, "chip": Chip, "died": Died, "aftermath": Chosen, "stolen": Stolen, "card": Card,
    "drew": Drew, "reshuffled": Reshuffled, "spied": Spied, "healed": Healed, "tutored": Tutored, "row": Row,
    "event": Evaluated, "measures": Measures, "bids": Bids, "due": Due, "paid": Paid, "award": Award,
    "end": End,
}  # fmt: skip
"""The body of each kind of event."""
