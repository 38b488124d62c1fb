"""Battles of Aristoocrazy: what each side may stake, who is likely to win, and what follows.

A side is expected to hold what is known of its stash, and to stake nothing, half or all of it, each as
likely; in quick2013 nothing, or half or all of a kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import exp
from statistics import mean
from typing import NamedTuple

from house_model import BEATS, COMBAT, LIFE, House, Person, Table

Stake = tuple[float, float, float]
"""Tokens by combat trait."""
NOTHING: Stake = (0, 0, 0)
SHARES = (0.0, 0.5, 1.0)
EDGE = 2
"""What the kind that beats the other counts more in quick2013 (Aristoocrazy Q4)."""
EXPECTED = ("?", "??", "folly")
"""Of traits that dice have still to choose, one is folly as a rule."""


class Fight(NamedTuple):
    """An attack by `char` on those on `field`."""

    char: str
    field: str
    attacker: int
    defender: int
    bonus: int
    """Wins by mercenaries."""

    def side(self, table: Table, seat: int) -> list[Person]:
        people = table.houses[seat].people
        if seat == self.attacker:
            return [people[self.char]]
        return [person for person in people.values() if person.field == self.field]


def playable(stake: Stake, side: Iterable[Person]) -> Stake:
    """What is left of a stake once untaught traits are paid for (Aristoocrazy R23)."""
    known = {trait for person in side for trait in person.traits}
    bow, sword, magic = (
        count if trait in known else max(count - 1, 0) for trait, count in zip(COMBAT, stake, strict=True)
    )
    return bow, sword, magic


def held(house: House) -> Stake:
    bow, sword, magic = (house.tokens.get(trait, 0) for trait in COMBAT)
    return bow, sword, magic


def stakes_of(house: House, side: Sequence[Person], quick: bool) -> list[Stake]:
    """What a side of which little is known may put up, each as likely."""
    full = held(house)
    known = {trait for person in side for trait in person.traits}
    if quick:
        kinds = [at for at, trait in enumerate(COMBAT) if trait in known and full[at] >= 0.5]
        return [NOTHING, *(only(at, share * full[at]) for at in kinds for share in SHARES[1:])]
    if all("folly" in person.traits for person in side):
        full = (full[0] * ("bow" in known), full[1] * ("sword" in known), full[2] * ("magic" in known))
    full = playable(full, side)
    return [(full[0] * share, full[1] * share, full[2] * share) for share in SHARES]


def only(at: int, count: float) -> Stake:
    """A stake of one kind."""
    bow, sword, magic = (count if kind == at else 0 for kind in range(3))
    return bow, sword, magic


def edge(one: Stake, other: Stake) -> float:
    """How often a token of `one` beats one of `other`, less how often it is beaten."""
    pairs = sum(one) * sum(other)
    if not pairs:
        return 0.0
    beaten = [COMBAT.index(BEATS[trait]) for trait in COMBAT]
    return sum(one[at] * other[to] - other[at] * one[to] for at, to in enumerate(beaten)) / pairs


def chances(one: Stake, other: Stake, bonus: int, quick: bool) -> tuple[float, float]:
    """The chances that the attacker, who has `one` to play, wins, and that it loses."""
    margin = sum(one) - sum(other)
    if quick:
        margin += EDGE * edge(one, other)
        return float(margin > 0), float(margin <= 0 < sum(other))
    clashes = min(sum(one), sum(other))
    margin += bonus + clashes * edge(one, other)
    spread = 0.1 + 0.35 * clashes**0.5
    return more(margin, spread), more(-margin, spread)


def more(margin: float, spread: float) -> float:
    return 1 / (1 + exp(min((0.5 - margin) / spread, 50)))


class Results(NamedTuple):
    """What it would change for the seat that looks, if the attacker wins or loses."""

    won: float
    lost: float


def results(table: Table, fight: Fight) -> Results:
    """For either side; the attacker will choose what is best for itself."""
    base = table.prospects()
    best = max if fight.attacker == table.seat else min
    won = best(table.prospects(*after) for after in aftermaths(table, fight).values())
    attacker, defender = table.houses[fight.attacker], table.houses[fight.defender]
    attacker = replace(attacker, attacked=True)
    defender = replace(defender, won=defender.won + 1)
    if not table.land.quick:
        attacker, defender = attacker.aged(fight.char), replace(defender, wounds=defender.wounds + 1)
    return Results(won - base, table.prospects(attacker, defender) - base)


def aftermaths(table: Table, fight: Fight) -> dict[str, tuple[House, House]]:
    """The attacker's and the defender's house after a won battle, by what the attacker does (Aristoocrazy R25)."""
    own, other = table.houses[fight.attacker], table.houses[fight.defender]
    there = [name for name, person in other.people.items() if person.field == fight.field]
    own = replace(own, attacked=True, won=own.won + bool(there))
    if there and not table.land.quick:
        own = replace(own, wounds=own.wounds + len(there))
        for name in there:
            own = replace(own, trophies=own.trophies + (other.people[name].red == LIFE - 1))
            other = other.aged(name)
    after = {
        f"betroth:{name}": (expected_heir(own, own.people[fight.char], fight.field), other)
        for name in there
        if name in other.people and name[1] != fight.char[1]
    }
    if fight.field in table.land.homes:
        return after | {"plunder": (robbed(own, other), other)}
    return after | {"expel": conquest(own, other, fight, table)}


def robbed(own: House, other: House) -> House:
    """`own` with a token of `other`'s, each as likely."""
    total = sum(other.tokens.values())
    for trait, count in other.tokens.items():
        if count:
            own = own.token(trait, count / max(total, 1))
    return own


def conquest(own: House, other: House, fight: Fight, table: Table) -> tuple[House, House]:
    """The field changes hands, those on it flee, or die where they have nowhere to go (Aristoocrazy R26)."""
    other = replace(other, crests=other.crests + 1)
    for name, person in list(other.people.items()):
        if person.field == fight.field:
            refuge = cradle(other, fight.field)
            other = other.with_person(name, person._replace(field=refuge) if refuge else None)
            own = own if refuge else replace(own, trophies=own.trophies + 1)
    owner = own.seat if own.crests else None
    owners = {**own.owners, fight.field: owner}
    own, other = replace(own, owners=owners), replace(other, owners=owners)
    if owner is None:
        return own, other
    person = own.people[fight.char]._replace(field=fight.field)
    return replace(own, crests=own.crests - 1, gained=True).with_person(fight.char, person), other


def cradle(house: House, field: str) -> str | None:
    """An own field next to `field` with a free place."""
    free = (
        near
        for near in house.land.adjacent[field]
        if house.owners[near] == house.seat and house.standing[near] < house.land.places[near]
    )
    return next(free, None)


def expected_heir(house: House, parent: Person, field: str) -> House:
    """`house` with the heir that a conception on `field` may bring: of the sex that is rarer in it."""
    place, men = cradle(house, field), house.men()
    name = house.supply("M" if men < len(house.people) - men else "F") or house.supply("M")
    if place is None or name is None:
        return house
    traits = EXPECTED if "folly" not in parent.traits else (EXPECTED[0], "folly", "folly")
    return replace(house.with_person(name, Person(place, traits)), born=house.born + 1)


def likely_win(stake: Stake, theirs: Sequence[Stake], bonus: int, quick: bool) -> tuple[float, float]:
    """The attacker's chances to win and to lose with a stake of its own, already without what teaching costs."""
    odds = [chances(stake, other, bonus, quick) for other in theirs]
    return mean(won for won, _ in odds), mean(lost for _, lost in odds)
