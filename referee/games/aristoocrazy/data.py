"""Boards, traits, dice and decks: the files of `data/` as frozen values, read once.

A card, a board or a die is a line of those files; what the lines may say is in `data/schema.json`. Names of
measures, conditions and effects are looked up by `rulebook.check`: one without a function fails at load.

Inside, traits, characters and fields are small ints:

>>> TRAITS.index("rule"), field_of("b3"), FIELDS[7], CHARACTERS[16]
(4, 7, 'b3', '1F2')
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

TRAITS: Final = ("bow", "sword", "magic", "valour", "rule", "learning", "economy", "money", "luck", "folly")
"""In canonical order (Aristoocrazy R5); a trait is its index here."""
BOW: Final = 0
SWORD: Final = 1
MAGIC: Final = 2
VALOUR: Final = 3
RULE: Final = 4
LEARNING: Final = 5
ECONOMY: Final = 6
MONEY: Final = 7
LUCK: Final = 8
FOLLY: Final = 9

EACH_SEX: Final = 5
"""Characters of each sex in a house (Aristoocrazy R1)."""
FAMILY: Final = 2 * EACH_SEX
CHARACTERS: Final = tuple(
    f"{seat}{sex}{number}" for seat in range(4) for sex in "MF" for number in range(1, EACH_SEX + 1)
)
"""How a character is written; inside it is its index: `10 * seat + 5 * sex + number - 1`."""

FIELDS: Final = tuple(f"{letter}{number}" for letter in "abcde" for number in range(1, 6))
"""How a field is written; inside it is its index, the same on every board."""

SEXES: Final = "MF"


def field_of(name: str) -> int:
    """The field that `name` writes. ValueError where it writes none."""
    return FIELDS.index(name)


@dataclass(frozen=True, slots=True)
class Board:
    """A board (Aristoocrazy R4). Tuples indexed by field have 25 entries; those of absent fields are empty."""

    id: str
    fields: tuple[int, ...]
    """Those on the board, in alphabetical order."""
    homes: tuple[int, ...]
    """By seat."""
    places: tuple[int, ...]
    """By field, how many characters may stand on it."""
    adjacent: tuple[tuple[int, ...], ...]
    """By field, its neighbours in alphabetical order."""


@dataclass(frozen=True, slots=True)
class TraitSet:
    """The traits in play and the red dice (Aristoocrazy R5, R7)."""

    traits: tuple[int, ...]
    dice: tuple[tuple[int, ...], ...]
    """Three dice of six faces."""


@dataclass(frozen=True, slots=True)
class Prize:
    """What a house gets from an event: victory points or drawn action cards."""

    vp: int = 0
    cards: int = 0


@dataclass(frozen=True, slots=True)
class EventCard:
    """An event (Aristoocrazy R33, Q3). Which fields matter is a question of its type."""

    id: str
    name: str
    type: str
    copies: int = 1
    measure: str = ""
    """MAJ, SYM: the name of what is compared."""
    trait: int = -1
    """BID, HAZ, SYM: the trait of its tokens; -1: none."""
    cost: tuple[tuple[int, int], ...] = ()
    """PAY: traits and numbers of tokens."""
    different: int = 0
    """PAY: instead, how many tokens of different traits, none folly."""
    divisor: int = 1
    """HAZ: characters for each token due, rounded up."""
    condition: str = ""
    """THR: the name of what is asked."""
    vp: int = 0
    """THR: what fulfilling it is worth."""


@dataclass(frozen=True, slots=True)
class ActionCard:
    """An action card (Aristoocrazy R30)."""

    id: str
    name: str
    copies: int
    phases: tuple[str, ...]
    """Of its player's turn: `move`, `use`."""


@dataclass(frozen=True, slots=True)
class Data:
    """All that the files say."""

    boards: Mapping[int, Board]
    """By number of players."""
    trait_sets: Mapping[str, TraitSet]
    combat: tuple[int, ...]
    """The traits that fight, ascending."""
    beats: Mapping[int, int]
    """Which combat trait each of them beats (Aristoocrazy R24)."""
    fixed: tuple[tuple[int, ...], ...]
    """Traits of the first man and the first woman where they are not drafted (Aristoocrazy R12)."""
    unscored: int
    """How many of the first cards are never evaluated (Aristoocrazy R10)."""
    prizes: Mapping[str, Mapping[str, Prize]]
    """By type of event, by what it is given for."""
    symbols: tuple[EventCard, ...]
    """The deck of quick2013."""
    actions: tuple[ActionCard, ...]
    hand_limit: int
    _events: tuple[Mapping[str, Any], ...]

    def events(self, trait_set: str) -> tuple[EventCard, ...]:
        """The classic deck as it is with that trait set."""
        return tuple(_event(card | card.get("by_trait_set", {}).get(trait_set, {})) for card in self._events)


@cache
def data() -> Data:
    """What the files say. Raises KeyError, TypeError or ValueError where they don't fit the schema."""
    boards, traits, events, actions = (_read(name) for name in ("boards", "traits", "events", "actions"))
    return Data(
        boards={board["players"]: _board(board) for board in boards["boards"]},
        trait_sets={name: _trait_set(entry) for name, entry in traits["trait_sets"].items()},
        combat=_traits(trait["id"] for trait in traits["traits"] if trait["group"] == "combat"),
        beats={TRAITS.index(winner): TRAITS.index(loser) for winner, loser in traits["beats"].items()},
        fixed=tuple(_traits(names) for names in traits["fixed"]),
        unscored=events["unscored"],
        prizes={
            type: {name: Prize(**prize) for name, prize in entry.items()}
            for type, entry in events["prizes"].items()
        },
        symbols=tuple(_event(card) for card in events["symbols"]),
        actions=tuple(ActionCard(**card | {"phases": tuple(card["phases"])}) for card in actions["actions"]),
        hand_limit=actions["hand_limit"],
        _events=tuple(events["events"]),
    )


def _read(name: str) -> dict[str, Any]:
    text = (files(__package__) / "data" / f"{name}.json").read_text("utf-8")
    return json.loads(text)  # type: ignore[no-any-return]


def _traits(names: Iterable[str]) -> tuple[int, ...]:
    return tuple(TRAITS.index(name) for name in names)


def _board(entry: Mapping[str, Any]) -> Board:
    fields = {field_of(field["id"]): field for field in entry["fields"]}
    places = [fields[field]["places"] if field in fields else 0 for field in range(len(FIELDS))]
    adjacent = [fields[field]["adjacent"] if field in fields else () for field in range(len(FIELDS))]
    return Board(
        id=entry["id"],
        fields=tuple(sorted(fields)),
        homes=tuple(field_of(home) for home in entry["homes"]),
        places=tuple(places),
        adjacent=tuple(tuple(sorted(map(field_of, names))) for names in adjacent),
    )


def _trait_set(entry: Mapping[str, Any]) -> TraitSet:
    return TraitSet(_traits(entry["traits"]), tuple(_traits(die) for die in entry["red_dice"]))


def _event(entry: Mapping[str, Any]) -> EventCard:
    known = {key: value for key, value in entry.items() if key != "by_trait_set"}
    if "trait" in known:
        known["trait"] = TRAITS.index(known["trait"])
    if "cost" in known:
        known["cost"] = tuple((TRAITS.index(name), count) for name, count in known["cost"].items())
    return EventCard(**known)
