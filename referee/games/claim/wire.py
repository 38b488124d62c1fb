"""The JSON of Claim as pydantic models: view, setup and event bodies, for schemas and typed bots.

Nothing in the game imports this; a test holds that what the game makes is what these models allow.
Cards are text (`K7`), factions are letters, seats and teams are numbers from 0.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

Card = Annotated[str, Field(pattern="^[GKUWXNATDS][0-9]$")]
Letter = Annotated[str, Field(pattern="^[GKUWXNATDS]$")]
Letters = Annotated[str, Field(pattern="^[GKUWXNATDS]*$")]
Seat = Annotated[int, Field(ge=0, le=3)]
Team = Annotated[int, Field(ge=0, le=3)]
Count = Annotated[int, Field(ge=0)]


class Wire(BaseModel):
    """Strict types; fields that a model does not know are ignored, as a later rules number may add some."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True, use_attribute_docstrings=True)


class TrickView(Wire):
    """A trick, finished or under way."""

    leader: Seat
    led: Letter | None
    """Letter of the led faction; null before the lead."""
    plays: list[Annotated[list[Seat | Card], Field(min_length=2, max_length=2)]]
    """Seat and card, in order of play."""
    ranking: list[Seat]
    """The winner first; empty until all have played."""
    recruits: list[Card | None] | None = None
    """In the recruit phase only, by seat: the card recruited face up, null where unseen or not yet."""


class View(Wire):
    """All that a seat may know. Lists "by seat" have one entry a seat, seat 0 first."""

    variant: str
    seat: Seat
    to_act: list[Seat]
    decision: Literal["play", "recruit", "smash"] | None
    """What the seat in `to_act` decides; null at the end."""
    phase: Literal["recruit", "favour"]
    trick_number: Annotated[int, Field(ge=1, le=13)]
    """Of the trick under way, from 1 in each phase."""
    trick: TrickView
    hand: list[Card]
    recruited: list[Card]
    """What the seat itself recruited, one card a trick; in the recruit phase its followers."""
    look: Card | None
    """The top of the deck, while this seat decides as a Seer's winner."""
    left: list[Annotated[list[Count | Card], Field(min_length=3, max_length=3)]]
    """Cards that it looked at and left: number of the trick from 0, card, seat that got it; until played."""
    faceup: list[Card]
    deck: Count
    """Cards left in the deck."""
    hands: list[Count]
    """By seat, cards in hand."""
    followers: list[Count]
    """By seat, followers; 0 in the favour phase, where they are the hand."""
    known: list[list[Card]]
    """By seat, cards recruited face up and not played since."""
    voids: list[Letters]
    """By seat, factions that the hand has shown to lack, since the phase began."""
    piles: list[list[Card]]
    """By seat, the score pile in order of capture."""
    rows: list[list[Card]]
    """By seat, Gnomes captured and alive."""
    out: list[Card]
    """Trolls that lie out."""
    giants: list[Card]
    """Giants of this trick that have still to smash; the first is the one being decided."""
    removed: list[Card]
    """Gnomes out of the game."""
    votes: dict[Letter, Team | None]
    """By faction, the team that has its vote as things stand."""
    tricks: list[TrickView]
    """All finished tricks of both phases."""


class Setup(Wire):
    """What every seat knows before the deal."""

    variant: str
    teams: list[Team]
    """By seat."""
    deck: list[Card]
    """Every card, in the order of the table."""
    cards_each: Count
    faceup: Count
    """Cards turned up for each trick of the recruit phase."""
    options: dict[str, str]
    """The value of every option that means something with this deck."""


class Deal(Wire):
    """A seat's hand; only that seat is told."""

    seat: Seat
    hand: list[Card]


class Cards(Wire):
    """`turned`: the cards to win. `trolls_out`: all Trolls that now lie out."""

    cards: list[Card]


class Play(Wire):
    """A card was played."""

    seat: Seat
    card: Card


class Trick(Wire):
    """All have played."""

    ranking: list[Seat]
    leads: Seat | None
    """Who leads the next trick; null after the last."""


class Look(Wire):
    """A Seer's winner looked at the top of the deck; `card` is null for the others."""

    seat: Seat
    card: Card | None


class Recruit(Wire):
    """A seat recruited; `card` is null for those who have not seen it."""

    seat: Seat
    card: Card | None
    source: Literal["faceup", "deck"]


class Capture(Wire):
    """Cards went to a score pile or, for Gnomes, to the row before the seat."""

    seat: Seat
    cards: list[Card]
    to: Literal["pile", "row"]


class Smash(Wire):
    """The seat's Giant removed the victim's Gnome from the game."""

    seat: Seat
    giant: Card
    victim: Seat
    gnome: Card


class Phase(Wire):
    """The favour phase begins."""

    phase: Literal["favour"]
    leads: Seat


class End(Wire):
    """The game is over."""

    votes: dict[Letter, Team | None]
    scores: list[Count]
    """By seat, the votes of its team."""
    ranks: list[Count]
    """By seat, 0 best."""


EVENTS: Final[dict[str, type[Wire]]] = {
    "deal": Deal,
    "turned": Cards,
    "play": Play,
    "trick": Trick,
    "look": Look,
    "recruit": Recruit,
    "capture": Capture,
    "trolls_out": Cards,
    "smash": Smash,
    "phase": Phase,
    "end": End,
}
"""The body of each kind of event."""
