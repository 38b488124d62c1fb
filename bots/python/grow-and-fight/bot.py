"""Aristoocrazy by growing and fighting: does what raises the prospects of its house most, one action at a time.

Every action is tried on a model of the houses (`house_model`), attacks with the odds that what is known of
stashes gives (`fight_model`). A character acts in the move phase where that is worth more than its best
ability. Dice, bids, payments and stakes are weighed against what the tokens are good for later. The same
view gives the same move.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import mean
from typing import Any

from fight_model import (
    EXPECTED,
    NOTHING,
    Fight,
    Stake,
    aftermaths,
    conquest,
    expected_heir,
    held,
    likely_win,
    only,
    playable,
    results,
    robbed,
    stakes_of,
)
from house_model import ACTION, COMBAT, LIFE, LUCK, House, Land, Person, Table, read

from protocol.client import Bot, Start, Turn, run

View = Mapping[str, Any]
Legal = Sequence[str]

CONSENT = 0.25
"""How likely another house is to consent to a suitor."""
SPYING = 0.03
"""What it is worth to know one more token."""
FENCE = 0.1
"""What a palisade is worth for each character behind it."""
LEAST = 0.01
"""Gains below that are not worth an action."""


class GrowAndFight(Bot):
    wants_events = False

    def started(self, start: Start) -> None:
        self.land = Land(start["setup"])

    def choose(self, turn: Turn) -> str:
        view, legal = turn["view"], turn["legal"]
        if len(legal) == 1:
            return legal[0]
        return DECISIONS[view["decision"]["kind"]](read(view, self.land), view, legal)


class Gains:
    """What tokens, and years, are worth at a table; each is worked out once."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.base = table.prospects()
        self._tokens: dict[tuple[str, float], float] = {}

    def of(self, *changed: House) -> float:
        """What it would change if some houses were so."""
        return self.table.prospects(*changed) - self.base

    def token(self, trait: str, count: float = 1) -> float:
        """What `count` tokens more, or fewer, change."""
        if (trait, count) not in self._tokens:
            self._tokens[trait, count] = self.of(self.table.own.token(trait, count)) if count else 0.0
        return self._tokens[trait, count]

    def cost(self, stake: Stake) -> float:
        return -sum(self.token(trait, -count) for trait, count in zip(COMBAT, stake, strict=True))


# a turn


def take_turn(table: Table, view: View, legal: Legal) -> str:
    """The action that gains most, less what its character could gain by an ability instead."""
    gains = Gains(table)
    instead = {}
    for name, person in table.own.people.items():
        if person.ready:
            used = gains.of(table.own.aged(name)) + max(map(gains.token, person.traits))
            instead[name] = max(used, 0) if view["phase"] == "move" else 0.0
    best, most = "end", LEAST
    for action in legal:
        kind, *names = action.split(":")
        if kind == "end":
            continue
        gain = ACTIONS[kind](gains, view, *names) - (instead[names[0]] if kind in BY_CHARACTER else 0)
        if gain > most:
            best, most = action, gain
    return best


def settled(house: House, name: str, field: str, ready: bool = False) -> House:
    """`house` once its `name` has gone to `field`."""
    return house.with_person(name, house.people[name]._replace(field=field, ready=ready))


def claimed(house: House, field: str) -> House:
    owners = {**house.owners, field: house.seat}
    return replace(house, owners=owners, crests=house.crests - 1, gained=True)


def move(gains: Gains, view: View, name: str, field: str) -> float:
    return gains.of(settled(gains.table.own, name, field))


def occupy(gains: Gains, view: View, name: str, field: str) -> float:
    return gains.of(settled(claimed(gains.table.own, field), name, field))


def court_neutral(gains: Gains, view: View, name: str, field: str) -> float:
    own = gains.table.own
    return gains.of(expected_heir(own, own.people[name], field))


def court(gains: Gains, view: View, name: str, field: str, host: str) -> float:
    return CONSENT * court_neutral(gains, view, name, field)


def attack(gains: Gains, view: View, name: str, field: str, hired: bool = False) -> float:
    """What the best stake may bring, cheapest tokens first."""
    table, own = gains.table, gains.table.own
    bonus = int(hired or view["mercenaries"])
    fight = Fight(name, field, table.seat, int(view["fields"][field]["owner"]), bonus)
    defenders = fight.side(table, fight.defender)
    if not defenders:
        return gains.of(*conquest(replace(own, attacked=True), table.houses[fight.defender], fight, table))
    won, lost = results(table, fight)
    theirs = stakes_of(table.houses[fight.defender], defenders, table.land.quick)
    return max(
        stake_gain(gains, fight, stake, theirs, won, lost)
        for stake in rising(gains, fight.side(table, own.seat))
    )


def rising(gains: Gains, side: Sequence[Person]) -> list[Stake]:
    """Stakes of more and more tokens, cheapest first; in quick2013 of one kind each."""
    tokens = held(gains.table.own)
    known = {trait for person in side for trait in person.traits}
    if gains.table.land.quick:
        kinds = [at for at, trait in enumerate(COMBAT) if trait in known]
        return [NOTHING, *(only(at, count + 1.0) for at in kinds for count in range(int(tokens[at])))]
    stakes, stake = [NOTHING], list(NOTHING)
    order = sorted(range(3), key=lambda at: (COMBAT[at] not in known, -gains.token(COMBAT[at], -1)))
    for at in order:
        for _ in range(int(tokens[at])):
            stake[at] += 1
            stakes.append((stake[0], stake[1], stake[2]))
    return stakes


def stake_gain(
    gains: Gains, fight: Fight, stake: Stake, theirs: Sequence[Stake], won: float, lost: float
) -> float:
    """What a stake is to bring to the side that this seat is on, less what it costs."""
    table = gains.table
    ours = stake if table.land.quick else playable(stake, fight.side(table, table.seat))
    if table.seat == fight.attacker:
        win, lose = likely_win(ours, theirs, fight.bonus, table.land.quick)
    else:
        odds = [likely_win(other, [ours], fight.bonus, table.land.quick) for other in theirs]
        win, lose = mean(one for one, _ in odds), mean(one for _, one in odds)
    return win * won + lose * lost - gains.cost(stake)


def exchange(gains: Gains, view: View, trait: str) -> float:
    return gains.of(gains.table.own.token("money", -1).token(trait))


def use(gains: Gains, view: View, name: str, trait: str) -> float:
    own = gains.table.own
    aged = own.aged(name)
    if name in aged.people:
        aged = aged.with_person(name, aged.people[name]._replace(ready=False))
    return gains.of(aged.token(trait))


# action cards


def card(gains: Gains, view: View, kind: str, *names: str) -> float:
    """What a card brings, less what it is worth in hand (Aristoocrazy R30)."""
    spent = replace(gains.table.own, cards=gains.table.own.cards - 1)
    return CARDS[kind](gains, view, *names) + gains.of(spent)


def march(gains: Gains, view: View, name: str, field: str) -> float:
    return gains.of(settled(gains.table.own, name, field, ready=True))


def elixir(gains: Gains, view: View, name: str) -> float:
    return gains.of(gains.table.own.aged(name, -2))


def tutor(gains: Gains, view: View, name: str, trait: str) -> float:
    person = gains.table.own.people[name]
    traits = list(person.traits)
    traits[traits.index("folly")] = trait
    return gains.of(gains.table.own.with_person(name, person._replace(traits=tuple(traits))))


def tithe(gains: Gains, view: View, trait: str) -> float:
    return gains.token(trait, 2)


def spy(gains: Gains, view: View, seat: str) -> float:
    return SPYING * abs(int(view["houses"][int(seat)]["known"]["unknown"]))


def pickpocket(gains: Gains, view: View, seat: str) -> float:
    return gains.of(robbed(gains.table.own, gains.table.houses[int(seat)]))


def mercenaries(gains: Gains, view: View) -> float:
    """What the best attack gains by them."""
    table = gains.table
    attacks = [
        (name, field)
        for name, person in table.own.people.items()
        for field in table.land.adjacent[person.field]
        if person.ready
        and table.own.owners[field] not in (None, table.seat)
        and not view["fields"][field]["palisade"]
        and table.houses[int(view["fields"][field]["owner"])].standing[field]
    ]
    without = max((attack(gains, view, *one) for one in attacks), default=0.0)
    hired = max((attack(gains, view, *one, hired=True) for one in attacks), default=0.0)
    return hired - max(without, 0)


def palisade(gains: Gains, view: View, field: str) -> float:
    owners, near = gains.table.own.owners, gains.table.land.adjacent[field]
    exposed = any(owners[other] not in (None, gains.table.seat) for other in near)
    return FENCE * exposed * gains.table.own.standing[field]


def cousin(gains: Gains, view: View, sex: str) -> float:
    own = gains.table.own
    home = gains.table.land.homes[own.seat]
    return gains.of(own.with_person(str(own.supply(sex)), Person(home, EXPECTED)))


def scandal(gains: Gains, view: View, name: str) -> float:
    own, other = gains.table.own, gains.table.houses[int(name[0])]
    died = other.people[name].red == LIFE - 1
    return gains.of(replace(own, wounds=own.wounds + 1, trophies=own.trophies + died), other.aged(name))


def chancellor(gains: Gains, view: View) -> float:
    swapped = {0: 1, 1: 0}
    agenda = [(event, swapped.get(ahead, ahead), likely) for event, ahead, likely in gains.table.agenda]
    return replace(gains.table, agenda=agenda).prospects() - gains.base


def deed(gains: Gains, view: View, field: str) -> float:
    return gains.of(claimed(gains.table.own, field))


# births, battles, events


def starting(table: Table, view: View, legal: Legal) -> str:
    """The three traits whose tokens are worth most."""
    gains = Gains(table)
    return max(legal, key=lambda draft: sum(map(gains.token, draft.split(":")[1].split("+"))))


def reroll(table: Table, view: View, legal: Legal) -> str:
    """The die that is to gain most by another throw, if that is worth a luck token."""
    decision = view["decision"]
    shown, red = decision["traits"], decision["die"] == "red"

    def worth(at: int, face: str) -> float:
        return Person("", folded([*shown[:at], face, *shown[at + 1 :]])).worth

    faces = table.land.dice if red else [decision["slots"]] * 3
    gain = [mean(worth(at, face) for face in faces[at]) - worth(at, shown[at]) for at in range(3)]
    useful = ACTION * min(table.rounds, LIFE) * (0.5 if decision["for"] == "partner" else 1)
    at = gain.index(max(gain))
    return f"die:{at + 1}" if gain[at] * useful > LUCK * min(table.rounds, 2) * 0.25 else "keep"


def folded(traits: Sequence[str]) -> tuple[str, ...]:
    """What repeats becomes folly (Aristoocrazy R6)."""
    return tuple("folly" if trait in traits[:at] else trait for at, trait in enumerate(traits))


def heir(table: Table, view: View, legal: Legal) -> str:
    """The sex and the field that help most."""
    own, traits = table.own, tuple(view["decision"]["traits"])

    def worth(action: str) -> float:
        _, sex, field = action.split(":")
        born = own.with_person(str(own.supply(sex)), Person(field, traits))
        return table.prospects(replace(born, born=own.born + 1))

    return max(legal, key=worth)


def consent(table: Table, view: View, legal: Legal) -> str:
    """Only if the dowry is worth more than the heir costs."""
    decision = view["decision"]
    suitors = table.houses[int(decision["char"][0])]
    suitor = suitors.people[decision["char"]]
    gains = Gains(table)
    heir = gains.of(expected_heir(suitors, suitor, decision["field"]))
    return "yes" if heir + max(map(gains.token, suitor.traits)) > 0 else "no"


def dowry(table: Table, view: View, legal: Legal) -> str:
    gains = Gains(table)
    return max(legal, key=lambda action: gains.token(action.split(":")[1]))


def fight_of(view: View) -> Fight:
    decision = view["decision"]
    hired = int(decision.get("mercenaries", False))
    return Fight(decision["char"], decision["field"], decision["attacker"], decision["defender"], hired)


def commit(table: Table, view: View, legal: Legal) -> str:
    """The stake that is to bring most."""
    gains, fight = Gains(table), fight_of(view)
    rival = fight.defender if table.seat == fight.attacker else fight.attacker
    theirs = stakes_of(table.houses[rival], fight.side(table, rival), table.land.quick)
    won, lost = results(table, fight)
    return max(legal, key=lambda action: stake_gain(gains, fight, stake_of(action), theirs, won, lost))


def stake_of(action: str) -> Stake:
    kind, *words = action.split(":")
    if kind == "commit":
        bow, sword, magic = map(int, words[0].split(","))
        return bow, sword, magic
    return NOTHING if words[0] == "none" else only(COMBAT.index(words[0]), int(words[1]))


def lay(table: Table, view: View, legal: Legal) -> str:
    """The kind that beats most of what the other side may still have, and of equal ones the most frequent."""
    fight = fight_of(view)
    side = int(table.seat == fight.attacker)  # of the pairs, the other's
    rival = table.houses[(fight.attacker, fight.defender)[side]]
    gone = view["decision"]["laid"][side]
    bow, sword, magic = (
        max(count - gone.count(trait), 0) + 0.1 for trait, count in zip(COMBAT, held(rival), strict=True)
    )
    balance = {"bow": magic - sword, "sword": bow - magic, "magic": sword - bow}
    return max(legal, key=lambda action: (balance[action[4:]], view["committed"].get(action[4:], 0)))


def aftermath(table: Table, view: View, legal: Legal) -> str:
    """The wounds are dealt already; the ways are compared as if they were not."""
    after = aftermaths(table, fight_of(view))
    return max(legal, key=lambda action: table.prospects(*after[action]) if action in after else -1e9)


def retreat(table: Table, view: View, legal: Legal) -> str:
    name = view["decision"]["fleeing"][0]
    return max(legal, key=lambda action: table.prospects(settled(table.own, name, action.split(":")[1])))


def bid(table: Table, view: View, legal: Legal) -> str:
    """The bid whose prize is most above what its tokens are good for later."""
    trait, gains = view["decision"]["trait"], Gains(table)
    others = [house.tokens.get(trait, 0) for house in table.houses if house.seat != table.seat]

    def worth(action: str) -> float:
        count = int(action.split(":")[1])
        first = shared = float(count > 0)
        for most in others:
            below, equal = beaten(count, most)
            first, shared = first * below, shared * (below + equal)
        return 3 * first + (shared - first) + 0.3 * (count > 0) * (1 - shared) + gains.token(trait, -count)

    return max(legal, key=worth)


def beaten(count: int, most: float) -> tuple[float, float]:
    """The chances that a rival with up to `most` tokens bids less than `count`, and as much.

    Half of them bid all, and half any number of what they have.
    """
    any_number = 1 / (most + 1)
    all_of_it = float(abs(most - count) < 0.5)
    below = 0.5 * (most <= count - 0.5) + 0.5 * min(count * any_number, 1)
    return below, 0.5 * all_of_it + 0.5 * any_number * (count <= most)


def pay(table: Table, view: View, legal: Legal) -> str:
    """Pay with the tokens that are worth least, if those are worth less than two points."""
    gains = Gains(table)

    def worth(action: str) -> float:
        kind, *words = action.split(":")
        if kind == "pass":
            return 0.0
        traits = words[0].split("+") if words else view["decision"]["cost"]
        return 2 + sum(gains.token(trait, -1) for trait in traits)

    return max(legal, key=worth)


def hazard(table: Table, view: View, legal: Legal) -> str:
    """All that is due, or as many tokens as are worth less than the red chips that they avert."""
    trait, due, gains = view["decision"]["trait"], view["decision"]["due"][table.seat], Gains(table)

    def worth(action: str) -> float:
        paid = int(action.split(":")[1])
        return (paid == due) - ACTION * (due - paid) + gains.token(trait, -paid)

    return max(legal, key=worth)


def victim(table: Table, view: View, legal: Legal) -> str:
    return max(legal, key=lambda action: table.prospects(table.own.aged(action.split(":")[1])))


def first(table: Table, view: View, legal: Legal) -> str:
    return legal[0]


DECISIONS: Mapping[str, Callable[[Table, View, Legal], str]] = {
    "setup_man": starting,
    "setup_woman": starting,
    "restore": first,
    "move": take_turn,
    "use": take_turn,
    "reroll": reroll,
    "heir": heir,
    "consent": consent,
    "dowry": dowry,
    "commit": commit,
    "lay": lay,
    "aftermath": aftermath,
    "retreat": retreat,
    "bid": bid,
    "pay": pay,
    "hazard": hazard,
    "victim": victim,
}
BY_CHARACTER = ("move", "occupy", "court_neutral", "court", "attack")
ACTIONS: Mapping[str, Callable[..., float]] = {
    "move": move,
    "occupy": occupy,
    "court_neutral": court_neutral,
    "court": court,
    "attack": attack,
    "exchange": exchange,
    "use": use,
    "card": card,
}
CARDS: Mapping[str, Callable[..., float]] = {
    "march": march,
    "elixir": elixir,
    "tutor": tutor,
    "tithe": tithe,
    "spy": spy,
    "pickpocket": pickpocket,
    "mercenaries": mercenaries,
    "palisade": palisade,
    "cousin": cousin,
    "scandal": scandal,
    "chancellor": chancellor,
    "deed": deed,
}

if __name__ == "__main__":
    run(GrowAndFight())
