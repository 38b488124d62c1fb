"""What a seat of Aristoocrazy knows, in numbers: board, people, houses, and what is being decided.

Houses are counted from the seat's own, and so are characters: 0M1 is its own first man. Counts that may grow are
divided by TENS.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from arena.rl.coding import View
from arena.rl.layout import Layout
from referee.games.aristoocrazy.data import FAMILY, FIELDS, SEXES, TRAITS
from referee.games.aristoocrazy.events import card_ids
from referee.games.aristoocrazy.state import DECISIONS, OCCASIONS, PHASES
from referee.games.aristoocrazy.variants import AristoocrazyVariant

TENS: Final = 10.0
"""Tokens, victory points, trophies and wounds are told in tens."""
PLACES: Final = 4
"""In the row of events."""

_TRAIT: Final = {name: trait for trait, name in enumerate(TRAITS)}
_KIND: Final = {kind: at for at, kind in enumerate(filter(None, DECISIONS))}
_COUNTED: Final = ("stash_size", "trophies", "wounds", "battles_won", "heirs_born")
_PURPOSES: Final = ("partner", "cousin", "restored", "heir")
_ONE_CHARACTER: Final = ("char", "partner")
_ONE_HOUSE: Final = ("attacker", "defender")
_SIDES: Final = ("attacker", "defender")
_PEOPLE: Final = ("defenders", "survivors", "fleeing", "aged")


class Manor:
    """The blocks of an observation of one variant, and how a view fills them."""

    def __init__(self, variant: AristoocrazyVariant, layout: Layout) -> None:
        self._players = variant.players
        self._field = {FIELDS[field]: at for at, field in enumerate(variant.board.fields)}
        self._event = {event.id: at for at, event in enumerate(variant.events)}
        self._card = {id: at for at, id in enumerate(card_ids())}
        self._cards = len(variant.actions) or 1
        self._board_blocks(layout)
        self._house_blocks(layout)
        self._decision_blocks(layout)
        self._dice_blocks(layout)

    def _board_blocks(self, layout: Layout) -> None:
        seats = range(self._players)
        self._phase = layout.block("phase", PHASES)
        self._round = layout.block("round")
        self._place, self._turn, self._to_act = (
            layout.block(name, seats) for name in ("place", "turn", "to_act")
        )
        self._row = [layout.block(f"row[{at}]", (*self._event, "down")) for at in range(PLACES)]
        self._evaluated = layout.block("evaluated", self._event)
        self._owner = {name: layout.block(f"owner.{name}", seats) for name in self._field}
        self._palisade = layout.block("palisade", self._field)
        self._people = [self._person(layout, char) for char in self._characters()]

    def _person(self, layout: Layout, char: str) -> tuple[int, int, int]:
        """Field, traits, and age with the two flags; all 0 of who is in supply."""
        return (
            layout.block(f"{char}.field", self._field),
            layout.block(f"{char}.trait", TRAITS),
            layout.block(char, ("red", "acted", "new")),
        )

    def _characters(self) -> list[str]:
        return [
            f"{seat}{sex}{number}" for seat in range(self._players) for sex in SEXES for number in range(1, 6)
        ]

    def _house_blocks(self, layout: Layout) -> None:
        seats = range(self._players)
        self._counted = layout.by_seat("house", seats, (*_COUNTED, "vp", "hand_size", "crests_left"))
        self._flags = layout.by_seat("house", seats, ("attacked", "gained_land"))
        self._stash = layout.by_seat("stash", seats, (*TRAITS, "unknown"))
        self._hand = layout.by_seat("hand", seats, self._card)
        self._discard = layout.block("discard", self._card)
        self._turn_facts = layout.block("now", ("card_played", "mercenaries", "deck", "sealed"))
        self._committed = layout.block("committed", TRAITS)

    def _decision_blocks(self, layout: Layout) -> None:
        seats, people = range(self._players), self._characters()
        self._kind = layout.block("decision", _KIND)
        self._about = {name: layout.block(f"about.{name}", people) for name in _ONE_CHARACTER}
        self._about_house = {name: layout.block(f"about.{name}", seats) for name in _ONE_HOUSE}
        self._about_field = layout.block("about.field", self._field)
        self._about_people = layout.block("about.people", people)
        self._about_traits = layout.block("about.traits", TRAITS)
        self._cost = layout.block("about.cost", (*TRAITS, "different"))
        self._due, self._missing = layout.block("about.due", seats), layout.block("about.missing", seats)
        self._sides = [layout.block(f"about.{side}", ("playable", "wins")) for side in _SIDES]
        self._taught = [layout.block(f"about.{side}.taught", TRAITS) for side in _SIDES]
        self._laid = [layout.block(f"about.{side}.laid", TRAITS) for side in _SIDES]
        self._hired = layout.block("about.mercenaries")

    def _dice_blocks(self, layout: Layout) -> None:
        self._die = layout.block("dice", OCCASIONS[:2])
        self._faces = [layout.block(f"dice[{at}]", range(1, 7)) for at in range(3)]
        self._slots = [layout.block(f"slot[{at}]", TRAITS) for at in range(6)]
        self._purpose = layout.block("dice.for", _PURPOSES)
        self._sex = layout.block("dice.sex", SEXES)

    def fill(self, vector: array[float], view: View) -> None:
        """Write an observation of `view` over zeros."""
        me: int = view["seat"]
        self._fill_board(vector, view, me)
        for character in view["characters"]:
            self._fill_person(vector, character, me)
        for seat, house in enumerate(view["houses"]):
            self._fill_house(vector, house, (seat - me) % self._players)
        self._fill_turn(vector, view)
        if decision := view["decision"]:
            self._fill_decision(vector, decision, me)

    def _fill_board(self, vector: array[float], view: View, me: int) -> None:
        vector[self._phase + PHASES.index(view["phase"])] = 1
        vector[self._round] = view["round"] / view["rounds"]
        vector[self._place + view["order"].index(me)] = 1
        if view["turn"] is not None:
            vector[self._turn + (view["turn"] - me) % self._players] = 1
        for seat in view["to_act"]:
            vector[self._to_act + (seat - me) % self._players] = 1
        for start, card in zip(self._row, view["row"], strict=False):
            vector[start + (self._event[card["id"]] if card["up"] else len(self._event))] = 1
        for card in view["evaluated"]:
            vector[self._evaluated + self._event[card]] += 1
        for name, field in view["fields"].items():
            if field["owner"] is not None:
                vector[self._owner[name] + (field["owner"] - me) % self._players] = 1
            vector[self._palisade + self._field[name]] = field["palisade"]

    def _fill_person(self, vector: array[float], character: Mapping[str, Any], me: int) -> None:
        field, traits, state = self._people[self._number(character["id"], me)]
        vector[field + self._field[character["field"]]] = 1
        _count(vector, traits, character["traits"])
        vector[state] = character["red"] / 4
        vector[state + 1], vector[state + 2] = character["acted"], character["new"]

    def _number(self, char: str, me: int) -> int:
        """`1F2`, counted from the seat's own house."""
        house = (int(char[0]) - me) % self._players
        return FAMILY * house + 5 * SEXES.index(char[1]) + int(char[2]) - 1

    def _fill_house(self, vector: array[float], house: Mapping[str, Any], place: int) -> None:
        start, known = self._counted[place], house.get("known", {})
        points = house["vp"] if "vp" in house else known["vp"]
        for at, count in enumerate((*(house[name] for name in _COUNTED), points)):
            vector[start + at] = count / TENS
        vector[start + len(_COUNTED) + 1] = house["hand_size"] / 3
        vector[start + len(_COUNTED) + 2] = house["crests_left"] / 5
        vector[self._flags[place]] = house["attacked"]
        vector[self._flags[place] + 1] = house["gained_land"]
        for trait, count in (known or house)["stash"].items():
            vector[self._stash[place] + _TRAIT[trait]] = count / TENS
        vector[self._stash[place] + len(TRAITS)] = known.get("unknown", 0) / TENS
        for card in (known or house)["hand"]:
            vector[self._hand[place] + self._card[card]] += 1

    def _fill_turn(self, vector: array[float], view: View) -> None:
        facts = (view["card_played"], view["mercenaries"], view["actions"]["deck"] / self._cards)
        for at, value in enumerate((*facts, view["sealed"] is not None)):
            vector[self._turn_facts + at] = value
        for card in view["actions"]["discard"]:
            vector[self._discard + self._card[card]] += 1
        for trait, count in (view["committed"] or {}).items():
            vector[self._committed + _TRAIT[trait]] = count / TENS

    def _fill_decision(self, vector: array[float], decision: Mapping[str, Any], me: int) -> None:
        vector[self._kind + _KIND[decision["kind"]]] = 1
        for name, start in self._about.items():
            if decision.get(name):
                vector[start + self._number(decision[name], me)] = 1
        for name, start in self._about_house.items():
            if name in decision:
                vector[start + (decision[name] - me) % self._players] = 1
        if "field" in decision:
            vector[self._about_field + self._field[decision["field"]]] = 1
        for name in _PEOPLE:
            for char in decision.get(name, ()):
                vector[self._about_people + self._number(char, me)] = 1
        traits = decision.get("traits") or decision.get("man") or [decision.get("trait")]
        _count(vector, self._about_traits, filter(None, traits))
        self._fill_event(vector, decision, me)
        if "playable" in decision:
            self._fill_battle(vector, decision)
        if "dice" in decision:
            self._fill_dice(vector, decision)
        vector[self._hired] = decision.get("mercenaries", False)

    def _fill_event(self, vector: array[float], decision: Mapping[str, Any], me: int) -> None:
        for trait, count in (decision.get("cost") or {}).items():
            vector[self._cost + _TRAIT[trait]] = count
        vector[self._cost + len(TRAITS)] = decision.get("different") or 0
        for start, name in ((self._due, "due"), (self._missing, "missing")):
            for seat, count in enumerate(decision.get(name, ())):
                vector[start + (seat - me) % self._players] = count

    def _fill_battle(self, vector: array[float], decision: Mapping[str, Any]) -> None:
        for side in range(len(_SIDES)):
            vector[self._sides[side]] = decision["playable"][side] / TENS
            vector[self._sides[side] + 1] = decision["wins"][side] / TENS
            _count(vector, self._taught[side], decision["taught"][side])
            _count(vector, self._laid[side], decision["laid"][side])

    def _fill_dice(self, vector: array[float], decision: Mapping[str, Any]) -> None:
        vector[self._die + OCCASIONS.index(decision["die"])] = 1
        for start, face in zip(self._faces, decision["dice"], strict=True):
            vector[start + face - 1] = 1
        for start, trait in zip(self._slots, decision["slots"] or (), strict=False):
            vector[start + _TRAIT[trait]] = 1
        vector[self._purpose + _PURPOSES.index(decision["for"])] = 1
        if decision["sex"]:
            vector[self._sex + SEXES.index(decision["sex"])] = 1


def _count(vector: array[float], start: int, traits: Iterable[str] | Sequence[str]) -> None:
    for trait in traits:
        vector[start + _TRAIT[trait]] += 1
