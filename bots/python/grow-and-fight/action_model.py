"""What an action of Aristoocrazy makes of the houses, as far as it is certain, and else what may be expected."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from house_model import COMBAT, LIFE, House, Person, Table

EXPECTED = ("?", "??", "folly")
"""Of traits that dice have still to choose, one is folly as a rule."""
SPYING = 0.35
FENCE = 0.15
"""What it is worth to see a stash, and for each who stands there a palisade, in victory points."""
HIRED = 0.4
"""What mercenaries are worth to who is about to fight."""

After = tuple[House, ...]


def after(table: Table, action: str) -> After:
    """The houses that `action` of this seat changes, as they will be. KeyError for those that are not modelled."""
    kind, *names = action.split(":")
    return AFTER[kind](table, *names)


def stood(house: House, name: str, field: str, ready: bool = False) -> House:
    """`house` once its `name` has gone to `field`."""
    return house.person(name, house.people[name]._replace(field=field, ready=ready))


def claimed(house: House, field: str) -> House:
    owners = {**house.owners, field: house.seat}
    return replace(house, owners=owners, crests=house.crests - 1, gained=True)


def supply(house: House, sex: str) -> str | None:
    """Who of that sex would come next."""
    names = (f"{house.seat}{sex}{number}" for number in range(1, 6))
    return next((name for name in names if name not in house.people), None)


def cradle(house: House, field: str) -> str | None:
    """An own field next to `field` with a free place."""
    free = (
        near
        for near in house.land.adjacent[field]
        if house.owners[near] == house.seat and house.standing[near] < house.land.places[near]
    )
    return next(free, None)


def expected_heir(house: House, parent: str, field: str) -> House:
    """`house` with the heir that a conception on `field` may bring: of the sex that is rarer in it."""
    place, men = cradle(house, field), house.men()
    name = supply(house, "M" if men < len(house.people) - men else "F") or supply(house, "M")
    if place is None or name is None:
        return house
    traits = ("?", "folly", "folly") if "folly" in house.people[parent].traits else EXPECTED
    return replace(house.person(name, Person(place, traits)), born=house.born + 1)


def robbed(own: House, other: House) -> House:
    """`own` with a token of `other`'s, each as likely."""
    total = sum(other.tokens.values()) or 1
    for trait, count in other.tokens.items():
        own = own.token(trait, count / total) if count else own
    return own


def wounded(own: House, other: House, name: str) -> tuple[House, House]:
    """Both houses after `own` has given a red chip to `name` of `other` (Aristoocrazy R27)."""
    died = other.people[name].red == LIFE - 1
    return replace(own, wounds=own.wounds + 1, trophies=own.trophies + died), other.aged(name)


def use(table: Table, name: str, trait: str) -> After:
    own, person = table.own, table.own.people[name]
    return (own.person(name, person._replace(ready=False)).aged(name).token(trait),)


def heir(table: Table, sex: str, field: str, traits: tuple[str, ...]) -> After:
    own = table.own
    return (replace(own.person(str(supply(own, sex)), Person(field, traits)), born=own.born + 1),)


def card(table: Table, name: str, *names: str) -> After:
    """A card from the hand does its work (Aristoocrazy R30)."""
    return CARDS[name](table.with_own(cards=table.own.cards - 1), *names)


def tutor(table: Table, name: str, trait: str) -> After:
    person = table.own.people[name]
    at = person.traits.index("folly")
    traits = (*person.traits[:at], trait, *person.traits[at + 1 :])
    return (table.own.person(name, person._replace(traits=traits)),)


def mercenaries(table: Table) -> After:
    """Worth their card where somebody can attack, and has what to fight with."""
    own = table.own
    near = {
        field for person in own.people.values() if person.ready for field in own.land.adjacent[person.field]
    }
    target = any(house.standing[field] for house in table.houses if house is not own for field in near)
    armed = any(own.tokens.get(trait, 0) for trait in COMBAT)
    return (replace(own, boon=HIRED * (target and armed)),)


def palisade(table: Table, field: str) -> After:
    own = table.own
    exposed = any(own.owners[near] not in (None, own.seat) for near in own.land.adjacent[field])
    return (replace(own, boon=FENCE * exposed * own.standing[field]),)


def cousin(table: Table, sex: str) -> After:
    name, home = str(supply(table.own, sex)), table.land.homes[table.seat]
    return (table.own.person(name, Person(home, EXPECTED)),)


CARDS: Mapping[str, Callable[..., After]] = {
    "march": lambda table, name, field: (stood(table.own, name, field, ready=True),),
    "elixir": lambda table, name: (table.own.aged(name, -2),),
    "tutor": tutor,
    "tithe": lambda table, trait: (table.own.token(trait, 2),),
    "spy": lambda table, seat: (replace(table.own, boon=SPYING),),
    "pickpocket": lambda table, seat: (robbed(table.own, table.houses[int(seat)]),),
    "mercenaries": mercenaries,
    "palisade": palisade,
    "cousin": cousin,
    "scandal": lambda table, name: wounded(table.own, table.houses[int(name[0])], name),
    "chancellor": lambda table: (table.own,),
    "deed": lambda table, field: (claimed(table.own, field),),
}
AFTER: Mapping[str, Callable[..., After]] = {
    "move": lambda table, name, field: (stood(table.own, name, field),),
    "occupy": lambda table, name, field: (stood(claimed(table.own, field), name, field),),
    "court_neutral": lambda table, name, field: (expected_heir(table.own, name, field),),
    "court": lambda table, name, field, host: (expected_heir(table.own, name, field),),
    "exchange": lambda table, trait: (table.own.token("money", -1).token(trait),),
    "use": use,
    "card": card,
    "age": lambda table, name: (table.own.aged(name),),
}
