"""Battles of Aristoocrazy: what each side may stake, who is likely to win, and what follows.

A side is expected to hold what is known of its stash, and to stake nothing, half or all of it, each as
likely; in quick2013 nothing, or half or all of a kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import exp
from statistics import mean
from typing import NamedTuple

from action_model import cradle, expected_heir, robbed, stood, wounded
from house_model import BEATS, COMBAT, House, Person, Table

Stake = tuple[float, float, float]
"""Tokens by combat trait."""
NOTHING: Stake = (0, 0, 0)
EDGE = 2
"""What the kind that beats the other counts more in quick2013 (Aristoocrazy Q4)."""
BEATEN = tuple(COMBAT.index(BEATS[trait]) for trait in COMBAT)


class Fight(NamedTuple):
    """An attack by `char` on those on `field`."""

    char: str
    field: str
    attacker: int
    defender: int
    hired: bool
    """Mercenaries help the attacker."""

    def side(self, table: Table, seat: int) -> dict[str, Person]:
        """Who fights for `seat`."""
        people = table.houses[seat].people
        if seat == self.attacker:
            return {self.char: people[self.char]}
        return {name: person for name, person in people.items() if person.field == self.field}


def known(side: Mapping[str, Person]) -> set[str]:
    return {trait for person in side.values() for trait in person.traits}


def playable(stake: Stake, side: Mapping[str, Person]) -> Stake:
    """What is left of a stake once untaught traits are paid for (Aristoocrazy R23)."""
    bow, sword, magic = (
        count if trait in known(side) else max(count - 1, 0)
        for trait, count in zip(COMBAT, stake, strict=True)
    )
    return bow, sword, magic


def held(house: House) -> Stake:
    bow, sword, magic = (house.tokens.get(trait, 0) for trait in COMBAT)
    return bow, sword, magic


def only(at: int, count: float) -> Stake:
    """A stake of one kind."""
    bow, sword, magic = (count if kind == at else 0 for kind in range(3))
    return bow, sword, magic


def stakes_of(house: House, side: Mapping[str, Person], quick: bool) -> list[Stake]:
    """What a side of which little is known may have to play, each as likely."""
    full, knows = held(house), known(side)
    if quick:
        kinds = [at for at, trait in enumerate(COMBAT) if trait in knows and full[at] >= 0.5]
        return [NOTHING, *(only(at, share * full[at]) for at in kinds for share in (0.5, 1))]
    if all("folly" in person.traits for person in side.values()):
        full = (full[0] * ("bow" in knows), full[1] * ("sword" in knows), full[2] * ("magic" in knows))
    full = playable(full, side)
    return [NOTHING, (full[0] / 2, full[1] / 2, full[2] / 2), full]


def chances(one: Stake, other: Stake, bonus: int, quick: bool) -> tuple[float, float]:
    """The chances that the attacker, who has `one` to play, wins, and that it loses (Aristoocrazy R24, Q4)."""
    pairs = sum(one) * sum(other)
    edge = sum(one[at] * other[to] - other[at] * one[to] for at, to in enumerate(BEATEN)) / (pairs or 1)
    margin, clashes = sum(one) - sum(other), min(sum(one), sum(other))
    if quick:
        margin += EDGE * edge
        return float(margin > 0), float(margin <= 0 < sum(other))
    margin += bonus + clashes * edge
    spread = 0.1 + 0.35 * clashes**0.5
    return _above(margin, spread), _above(-margin, spread)


def _above(margin: float, spread: float) -> float:
    return 1 / (1 + exp(min((0.5 - margin) / spread, 50)))


class Battle:
    """A battle that this seat may fight, and what each end of it would change for the seat."""

    def __init__(self, table: Table, fight: Fight) -> None:
        self.table, self.fight = table, fight
        self.attacking = table.seat == fight.attacker
        rival = fight.defender if self.attacking else fight.attacker
        self.own = fight.side(table, table.seat)
        self.theirs = stakes_of(table.houses[rival], fight.side(table, rival), table.land.quick)
        best = max if self.attacking else min
        base = table.prospects()
        self.won = best(table.prospects(*houses) for houses in aftermaths(table, fight).values()) - base
        self.lost = table.prospects(*defeat(table, fight)) - base

    def gain(self, stake: Stake) -> float:
        """What a stake of this seat is to bring, without what it costs."""
        quick, bonus = self.table.land.quick, int(self.fight.hired)
        ours = stake if quick else playable(stake, self.own)
        pairs = [(ours, other) if self.attacking else (other, ours) for other in self.theirs]
        odds = [chances(one, other, bonus, quick) for one, other in pairs]
        return mean(won * self.won + lost * self.lost for won, lost in odds)


def defeat(table: Table, fight: Fight) -> tuple[House, House]:
    """Both houses after an attack that has failed."""
    attacker = replace(table.houses[fight.attacker], attacked=True)
    defender = table.houses[fight.defender]
    if not table.land.quick:
        defender, attacker = wounded(defender, attacker, fight.char)
    return attacker, replace(defender, won=defender.won + 1)


def aftermaths(table: Table, fight: Fight) -> dict[str, tuple[House, House]]:
    """Both houses after a won battle, by what the attacker does; its wounds are dealt here (Aristoocrazy R25)."""
    own, other = table.houses[fight.attacker], table.houses[fight.defender]
    there = fight.side(table, fight.defender)
    own = replace(own, attacked=True, won=own.won + bool(there))
    for name in there if not table.land.quick else ():
        own, other = wounded(own, other, name)
    after = {
        f"betroth:{name}": (expected_heir(own, fight.char, fight.field), other)
        for name in there
        if name in other.people and name[1] != fight.char[1]
    }
    if fight.field in table.land.homes:
        return after | {"plunder": (robbed(own, other), other)}
    return after | {"expel": conquest(own, other, fight)}


def conquest(own: House, other: House, fight: Fight) -> tuple[House, House]:
    """The field changes hands; those on it flee, or die where they have nowhere to go (Aristoocrazy R26)."""
    for name in [name for name, person in other.people.items() if person.field == fight.field]:
        refuge = cradle(other, fight.field)
        other = stood(other, name, refuge) if refuge else other.person(name, None)
        own = replace(own, trophies=own.trophies + (refuge is None))
    owners = {**own.owners, fight.field: own.seat if own.crests else None}
    other = replace(other, owners=owners, crests=other.crests + 1)
    if not own.crests:
        return replace(own, owners=owners), other
    own = replace(own, owners=owners, crests=own.crests - 1, gained=True)
    return stood(own, fight.char, fight.field), other
