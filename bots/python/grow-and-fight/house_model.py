"""What a position of Aristoocrazy is worth to a house: the victory points that it may hope for.

Each event that is still to come counts by the chance that the house leads in it, or can pay for it: those
that lie face up for sure, the others as likely as they are left in the deck. To that comes what people,
places and tokens are good for later. So a token is worth much where a bid is close and soon, and little
where it is won, lost or far, and nobody writes down what is worth what.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp, sqrt
from typing import Any, NamedTuple

COMBAT = ("bow", "sword", "magic")
BEATS = {"magic": "sword", "sword": "bow", "bow": "magic"}
LIFE = 5

BIDS = {
    "E16": "valour", "E17": "rule", "E18": "learning", "E19": "bow", "E20": "sword", "E21": "magic",
    "E22": "economy", "E23": "luck", "E24": "folly", "valour": "valour", "rule": "rule", "learning": "learning",
}  # fmt: skip
"""Events in which the most tokens of a trait win (Aristoocrazy R33, Q3)."""
COSTS = {"E25": ("valour", "rule", "learning"), "E26": COMBAT}
HAZARDS = {"E28": ("economy", 2), "E29": ("economy", 2), "E30": ("learning", 3)}
"""The trait that averts it, and characters for each token due."""

ACTION = 0.15
"""Victory points that one later action of a character may bring; and, from it, one more place for an heir."""
ROOM = 0.4
"""Of an heir's worth, a place where one could come."""
ARMS = 0.3
"""The worth of the first combat token for a fight; the next ones are worth less."""
CARD = 0.3
LUCK = 0.03
"""A token of luck, kept for dice."""
MONEY = 0.6
"""What a token of money counts as one of another trait, before an event that is not yet this round's."""


class Person(NamedTuple):
    """A character on the board, or one that is to be expected."""

    field: str
    traits: tuple[str, ...]
    red: int = 0
    ready: bool = False

    @property
    def worth(self) -> float:
        """How useful its actions are, from 0.4 to 1."""
        return 0.4 + 0.2 * len(set(self.traits) - {"folly"})


class Land:
    """What a game's setup says of board and decks."""

    def __init__(self, setup: Mapping[str, Any]) -> None:
        board = setup["board"]
        self.adjacent = {name: field["adjacent"] for name, field in board["fields"].items()}
        self.places = {name: field["places"] for name, field in board["fields"].items()}
        self.homes: list[str] = board["homes"]
        self.traits: list[str] = setup["traits"]
        self.dice: list[list[str]] = setup["red_dice"]
        self.deck = Counter(setup["events"])
        self.quick = not setup["actions"]
        self.bids = BIDS if "luck" in self.traits else BIDS | {"E23": "money"}


@dataclass(frozen=True)
class House:
    """A house as far as it is known; tokens that are not known count as any."""

    seat: int
    land: Land
    rounds: int
    """That follow this one."""
    owners: Mapping[str, int | None]
    """Of all fields."""
    people: Mapping[str, Person]
    tokens: Mapping[str, float]
    cards: int
    trophies: int
    wounds: int
    won: int
    crests: int
    attacked: bool
    gained: bool
    born: int
    boon: float = 0.0
    """What else it has gained, in victory points."""

    @cached_property
    def fields(self) -> list[str]:
        return [field for field, owner in self.owners.items() if owner == self.seat]

    @cached_property
    def standing(self) -> Counter[str]:
        """How many stand on each field."""
        return Counter(person.field for person in self.people.values())

    def men(self) -> int:
        return sum(name[1] == "M" for name in self.people)

    @cached_property
    def measures(self) -> dict[str, int]:
        """What majorities compare (Aristoocrazy R33, Q3), by event."""
        people, men = list(self.people.values()), self.men()
        owners, near = self.owners, self.land.adjacent
        return {
            "E01": len(people),
            "E02": len(self.fields),
            "E03": self._realm(),
            "E04": len(people) - men,
            "E05": men,
            "E06": sum(person.red for person in people),
            "E07": sum(not person.red for person in people),
            "E08": len({trait for person in people for trait in person.traits} - {"folly"}),
            "E09": sum("folly" not in person.traits for person in people),
            "E10": sum(person.traits.count("folly") for person in people),
            "E11": self.trophies,
            "E12": self.wounds,
            "E13": sum(any(owners[to] not in (None, self.seat) for to in near[at]) for at in self.fields),
            "E14": self.born,
            "E15": len(people) - self.standing[self.land.homes[self.seat]],
            "crown": len(self.fields),
            "ring": len(people),
            "shield": self.won,
        }

    def _realm(self) -> int:
        left, largest = set(self.fields), 0
        while left:
            group = [left.pop()]
            for field in group:
                near = left.intersection(self.land.adjacent[field])
                left -= near
                group += near
            largest = max(largest, len(group))
        return largest

    def room(self) -> int:
        """Free places where an heir could come, as far as there are characters to come."""
        free = 0
        for field in self.fields:
            if any(self.owners[near] != self.seat for near in self.land.adjacent[field]):
                free += self.land.places[field] - self.standing[field]
        return min(free, 10 - len(self.people))

    @cached_property
    def later(self) -> float:
        """What people, places, tokens and cards may bring in the rounds after this one."""
        rounds = self.rounds
        lives = sum(person.worth * min(rounds, LIFE - person.red) for person in self.people.values())
        room = ROOM * self.room() * max(min(rounds - 1, LIFE), 0)
        ahead = min(rounds, 2) / 2
        arms = ARMS * sqrt(sum(self.tokens.get(trait, 0) for trait in COMBAT))
        kept = CARD * self.cards + LUCK * min(self.tokens.get("luck", 0), 3) + arms
        return ACTION * (lives + room) + ahead * kept + self.boon

    def token(self, trait: str, count: float = 1) -> House:
        """With so many tokens of `trait` more, or fewer."""
        return replace(self, tokens={**self.tokens, trait: max(self.tokens.get(trait, 0) + count, 0)})

    def person(self, name: str, person: Person | None) -> House:
        """With `name` as it will be; None: dead."""
        people = {other: one for other, one in self.people.items() if other != name}
        return replace(self, people=people if person is None else people | {name: person})

    def aged(self, name: str, chips: int = 1) -> House:
        """With red chips for `name`, or, below 0, without some."""
        red = max(self.people[name].red + chips, 0)
        return self.person(name, self.people[name]._replace(red=red) if red < LIFE else None)


@dataclass(frozen=True)
class Table:
    """A position as a seat sees it."""

    seat: int
    land: Land
    houses: Sequence[House]
    rounds: int
    """That follow this one."""
    agenda: Sequence[tuple[str, int, float]]
    """Events that may come: which, in how many rounds, how likely."""
    last: bool
    """Nobody else takes a turn before this round's event."""

    @property
    def own(self) -> House:
        return self.houses[self.seat]

    def with_own(self, **changes: Any) -> Table:
        """The table where fields of this seat's house are others."""
        houses = list(self.houses)
        houses[self.seat] = replace(self.own, **changes)
        return replace(self, houses=houses)

    def prospects(self, *changed: House) -> float:
        """The victory points to hope for, with some houses as they would be."""
        houses = list(self.houses)
        for house in changed:
            houses[house.seat] = house
        own = houses.pop(self.seat)
        later = own.later - sum(other.later for other in houses) / len(houses)
        return later + sum(
            likely * self.hope(event, ahead, own, houses) for event, ahead, likely in self.agenda
        )

    def hope(self, event: str, ahead: int, own: House, others: Sequence[House]) -> float:
        """What `own` may expect of an event in so many rounds."""
        if trait := self.land.bids.get(event):
            money = MONEY if ahead and trait not in ("folly", "money") else 0.0
            held = [
                house.tokens.get(trait, 0) + money * house.tokens.get("money", 0) for house in (own, *others)
            ]
            return (2 if self.land.quick else 3) * lead(held, 0.4 + 0.7 * ahead + 0.3 * (not self.last))
        if event in HAZARDS:
            trait, each = HAZARDS[event]
            due = -(-len(own.people) // each)
            cover = min(own.tokens.get(trait, 0) / due, 1) if due else 0
            return cover**2 + ACTION * due * cover
        if event in COSTS or event == "E27":
            return 2 * self.payable(event, ahead, own)
        if event == "E31":
            men, women = own.men(), len(own.people) - own.men()
            return float(2 * 0.4 ** (abs(men - women) + max(3 - men, 0) + max(3 - women, 0)))
        if event in ("E32", "E33"):
            return float(not ahead and (own.gained if event == "E33" else not own.attacked))
        if event == "E34" or (event == "E14" and ahead):
            return 0.0
        compared = [float(house.measures[event]) for house in (own, *others)]
        return 2 * lead(compared, 0.3 + 0.7 * ahead + 0.5 * (not self.last))

    def payable(self, event: str, ahead: int, own: House) -> float:
        """How near a house is to what an event costs, from 0 to 1; 0 where it cannot reach it in time."""
        if event in COSTS:
            missing = sum(own.tokens.get(trait, 0) < 1 for trait in COSTS[event])
        else:
            missing = 4 - min(sum(count >= 1 for trait, count in own.tokens.items() if trait != "folly"), 4)
        able = sum(person.ready for person in own.people.values()) + ahead * len(own.people)
        return (1 - missing / 5) * (1 - missing / 5) if missing <= able else 0.0


def lead(values: Sequence[float], spread: float) -> float:
    """The chance that the first of `values` will be the highest, if each may still change by about `spread`."""
    chance = 1.0
    for other in values[1:]:
        chance /= 1 + exp(min((other - values[0]) / spread, 50))
    return chance if values[0] > 0 or spread > 1 else 0.0


def read(view: Mapping[str, Any], land: Land) -> Table:
    """A table as `view` shows it."""
    owners = {name: field["owner"] for name, field in view["fields"].items()}
    rounds = view["rounds"] - view["round"]
    people: list[dict[str, Person]] = [{} for _ in view["houses"]]
    for one in view["characters"]:
        person = Person(one["field"], tuple(one["traits"]), one["red"], not one["acted"])
        people[int(one["id"][0])][one["id"]] = person
    return Table(
        seat=view["seat"],
        land=land,
        houses=[_house(house, land, rounds, owners, people[house["seat"]]) for house in view["houses"]],
        rounds=rounds,
        agenda=_agenda(view, land),
        last=view["turn"] is None or view["order"][-1] == view["seat"],
    )


def _house(
    house: Mapping[str, Any],
    land: Land,
    rounds: int,
    owners: Mapping[str, int | None],
    people: Mapping[str, Person],
) -> House:
    known, unknown = house.get("known", house)["stash"], 0.0
    if "known" in house:
        unknown = max(house["known"]["unknown"], 0) / len(land.traits)
    return House(
        seat=house["seat"],
        land=land,
        rounds=rounds,
        owners=owners,
        people=people,
        tokens={trait: known.get(trait, 0) + unknown for trait in land.traits},
        cards=house["hand_size"],
        trophies=house["trophies"],
        wounds=house["wounds"],
        won=house["battles_won"],
        crests=house["crests_left"],
        attacked=house["attacked"],
        gained=house["gained_land"],
        born=house["heirs_born"],
    )


def _agenda(view: Mapping[str, Any], land: Land) -> list[tuple[str, int, float]]:
    """The face-up events but one that is being decided, then those that may follow."""
    row = view["row"]
    shown = [(card["id"], ahead, 1.0) for ahead, card in enumerate(row) if card["up"]]
    unseen = land.deck - Counter(view["evaluated"]) - Counter(event for event, _, _ in shown)
    to_come = view["rounds"] - view["round"] + 1 - len(row)
    likely = to_come / max(unseen.total(), 1)
    deciding = view["phase"] == "event"
    soon = [one for one in shown if one[1] or not deciding]
    return soon + [(event, 4, count * likely) for event, count in unseen.items() if to_come > 0]
