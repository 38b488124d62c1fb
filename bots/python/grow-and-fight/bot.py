"""Aristoocrazy by growing and fighting: does what raises the prospects of its house most, one action at a time.

Each action is tried on a model of the houses (`action_model`), attacks with the odds that what is known of
stashes gives (`fight_model`), and judged by the points that may then be hoped for (`house_model`). A
character acts in the move phase where that is worth more than its best ability. Bids, payments and stakes
are weighed against what their tokens are good for later. It never consents. What is equally good is decided by
lot, as else seats far from the first field of the board would be treated otherwise than those near it; the
same view and `bot_seed` give the same move.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import mean
from typing import Any

from action_model import after, heir, stood
from fight_model import NOTHING, Battle, Fight, Stake, aftermaths, held, known, only
from house_model import ACTION, COMBAT, LIFE, House, Land, Person, Table, read

from protocol.client import Bot, Start, Turn, run

View = Mapping[str, Any]
Legal = Sequence[str]

BY_CHARACTER = ("move", "occupy", "court_neutral", "court", "attack")
CONSENT = 0.25
"""How likely another house is to consent to a suitor."""
LEAST = 0.01
"""Gains below that are not worth an action."""


class GrowAndFight(Bot):
    wants_events = False

    def started(self, start: Start) -> None:
        self.land = Land(start["setup"])
        self.bot_seed = start["bot_seed"]

    def choose(self, turn: Turn) -> str:
        view, legal = turn["view"], turn["legal"]
        decide = DECISIONS.get(view["decision"]["kind"])
        if len(legal) == 1 or decide is None:
            return legal[0]
        return decide(Gains(read(view, self.land)), view, self.shuffled(view, legal))

    def shuffled(self, view: View, legal: Legal) -> Legal:
        """The actions in another order; the first, which changes least, stays the first."""
        first, *rest = legal
        random.Random(f"{self.bot_seed} {view['round']} {rest}").shuffle(rest)
        return [first, *rest]


class Gains:
    """What changes are worth at a table, in victory points; tokens are priced once."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.base = table.prospects()
        self._tokens: dict[tuple[str, float], float] = {}

    def of(self, *changed: House) -> float:
        """What it is worth if some houses are so."""
        return self.table.prospects(*changed) - self.base

    def token(self, trait: str, count: float = 1) -> float:
        """What `count` tokens more, or fewer, are worth."""
        if (trait, count) not in self._tokens:
            self._tokens[trait, count] = self.of(self.table.own.token(trait, count)) if count else 0.0
        return self._tokens[trait, count]

    def stake(self, stake: Stake) -> float:
        """What it is worth to be without a stake."""
        return sum(self.token(trait, -count) for trait, count in zip(COMBAT, stake, strict=True))


def take_turn(gains: Gains, view: View, legal: Legal) -> str:
    """The action that gains most, less what its character would gain by its best ability instead."""
    best, most, abilities = "end", LEAST, {}
    for action in legal[1:]:
        kind, name, *_ = [*action.split(":"), ""]
        gain = gain_of(gains, view, action)
        if kind in BY_CHARACTER:
            if name not in abilities:
                abilities[name] = best_ability(gains, name)
            gain -= abilities[name]
        if gain > most:
            best, most = action, gain
    return best


def best_ability(gains: Gains, name: str) -> float:
    own = gains.table.own
    return max(gains.of(own.aged(name)) + max(map(gains.token, own.people[name].traits)), 0)


def gain_of(gains: Gains, view: View, action: str) -> float:
    """What an action in the own turn is worth."""
    table = gains.table
    match action.split(":"):
        case ["attack", name, field]:
            owner = int(view["fields"][field]["owner"])
            return attack(gains, Fight(name, field, table.seat, owner, view["mercenaries"]))
        case ["court", *_]:
            return CONSENT * gains.of(*after(table, action))
        case ["card", "chancellor"]:
            swapped = {0: 1, 1: 0}
            agenda = [(event, swapped.get(ahead, ahead), likely) for event, ahead, likely in table.agenda]
            return replace(table, agenda=agenda).prospects(*after(table, action)) - gains.base
    return gains.of(*after(table, action))


def attack(gains: Gains, fight: Fight) -> float:
    """What an attack is worth with the best stake."""
    side = fight.side(gains.table, fight.attacker)
    if not fight.side(gains.table, fight.defender):
        return gains.of(*aftermaths(gains.table, fight)["expel"])
    battle = Battle(gains.table, fight)
    stakes = rising(gains, known(side))
    return max(battle.gain(stake) + gains.stake(stake) for stake in stakes)


def rising(gains: Gains, knows: set[str]) -> list[Stake]:
    """Stakes of more and more tokens, cheapest first; in quick2013 each of one kind."""
    tokens = held(gains.table.own)
    if gains.table.land.quick:
        kinds = [at for at, trait in enumerate(COMBAT) if trait in knows]
        return [NOTHING, *(only(at, count + 1) for at in kinds for count in range(int(tokens[at])))]
    stakes = [NOTHING]
    for at in sorted(range(3), key=lambda at: (COMBAT[at] not in knows, -gains.token(COMBAT[at], -1))):
        for _ in range(int(tokens[at])):
            bow, sword, magic = (count + (kind == at) for kind, count in enumerate(stakes[-1]))
            stakes.append((bow, sword, magic))
    return stakes


def fight_of(view: View) -> Fight:
    decision = view["decision"]
    hired = decision.get("mercenaries", False)
    return Fight(decision["char"], decision["field"], decision["attacker"], decision["defender"], hired)


def commit(gains: Gains, view: View, legal: Legal) -> str:
    battle = Battle(gains.table, fight_of(view))
    return max(legal, key=lambda action: battle.gain(stake_of(action)) + gains.stake(stake_of(action)))


def stake_of(action: str) -> Stake:
    """`commit:1,0,2` or `qcommit:bow:2` by trait."""
    kind, *words = action.split(":")
    if kind == "commit":
        bow, sword, magic = map(int, words[0].split(","))
        return bow, sword, magic
    return NOTHING if words == ["none"] else only(COMBAT.index(words[0]), int(words[1]))


def lay(gains: Gains, view: View, legal: Legal) -> str:
    """The kind that beats most of what the other side may still have, and of equal ones the most frequent."""
    fight = fight_of(view)
    side = int(gains.table.seat == fight.attacker)  # of pairs, the other's
    gone = view["decision"]["laid"][side]
    full = held(gains.table.houses[(fight.attacker, fight.defender)[side]])
    bow, sword, magic = (max(n - gone.count(trait), 0) for trait, n in zip(COMBAT, full, strict=True))
    balance = {"bow": magic - sword, "sword": bow - magic, "magic": sword - bow}
    return max(legal, key=lambda action: (balance[action[4:]], view["committed"].get(action[4:], 0)))


def aftermath(gains: Gains, view: View, legal: Legal) -> str:
    """The best way out; that the wounds are dealt already is the same for each."""
    ways = aftermaths(gains.table, fight_of(view))
    return max(legal, key=lambda action: gains.of(*ways[action]) if action in ways else 0.0)


def retreat(gains: Gains, view: View, legal: Legal) -> str:
    name = view["decision"]["fleeing"][0]
    return max(legal, key=lambda action: gains.of(stood(gains.table.own, name, action[3:])))


def starting(gains: Gains, view: View, legal: Legal) -> str:
    """The three traits whose tokens are worth most."""
    return max(legal, key=lambda action: sum(map(gains.token, action[7:].split("+"))))


def reroll(gains: Gains, view: View, legal: Legal) -> str:
    """The die that is to gain most by another throw, if that is worth a luck token."""
    decision, table = view["decision"], gains.table
    shown = decision["traits"]
    faces = table.land.dice if decision["die"] == "red" else [decision["slots"]] * 3

    def worth(at: int, face: str) -> float:
        rolled = [*shown[:at], face, *shown[at + 1 :]]
        folded = tuple("folly" if trait in rolled[:place] else trait for place, trait in enumerate(rolled))
        return Person("", folded).worth

    gain = [mean(worth(at, face) for face in faces[at]) - worth(at, shown[at]) for at in range(3)]
    used = min(table.rounds, LIFE) * (0.5 if decision["for"] == "partner" else 1)
    worthwhile = ACTION * used * max(gain) + gains.token("luck", -1) > 0
    return f"die:{gain.index(max(gain)) + 1}" if worthwhile else "keep"


def born(gains: Gains, view: View, legal: Legal) -> str:
    """The sex and the field that help most."""
    traits = tuple(view["decision"]["traits"])

    def worth(action: str) -> float:
        _, sex, field = action.split(":")
        return gains.of(*heir(gains.table, sex, field, traits))

    return max(legal, key=worth)


def victim(gains: Gains, view: View, legal: Legal) -> str:
    return max(legal, key=lambda action: gains.of(*after(gains.table, action)))


def bid(gains: Gains, view: View, legal: Legal) -> str:
    """The bid whose prize is most above what its tokens are good for later; of equal ones the lowest."""
    trait, table = view["decision"]["trait"], gains.table
    rivals = [house.tokens.get(trait, 0) for house in table.houses if house.seat != table.seat]

    def worth(action: str) -> tuple[float, int]:
        count = int(action[4:])
        first = shared = float(count > 0)
        for most in rivals:
            below, equal = beaten(count, most)
            first, shared = first * below, shared * (below + equal)
        second = 0.3 * (count > 0) * (1 - shared)
        return 3 * first + (shared - first) + second + gains.token(trait, -count), -count

    return max(legal, key=worth)


def beaten(count: int, most: float) -> tuple[float, float]:
    """The chances that a rival with `most` tokens bids less than `count`, and as much.

    One rival in two bids all, the other any number.
    """
    some = 1 / (most + 1)
    below = (most <= count - 0.5) / 2 + min(count * some, 1) / 2
    return below, (abs(most - count) < 0.5) / 2 + some * (count <= most) / 2


def pay(gains: Gains, view: View, legal: Legal) -> str:
    """Two points for the tokens that are worth least, or nothing."""

    def worth(action: str) -> float:
        if action == "pass":
            return 0.0
        traits = view["decision"]["cost"] or action[4:].split("+")
        return 2 + sum(gains.token(trait, -1) for trait in traits)

    return max(legal, key=worth)


def hazard(gains: Gains, view: View, legal: Legal) -> str:
    """All that is due, or as many tokens as are worth less than the red chips that they avert."""
    trait: str = view["decision"]["trait"]
    due: int = view["decision"]["due"][view["seat"]]

    def worth(action: str) -> float:
        paid = int(action[4:])
        return (paid == due) - ACTION * (due - paid) + gains.token(trait, -paid)

    return max(legal, key=worth)


DECISIONS: Mapping[str, Callable[[Gains, View, Legal], str]] = {
    "setup_man": starting,
    "setup_woman": starting,
    "move": take_turn,
    "use": take_turn,
    "reroll": reroll,
    "heir": born,
    "commit": commit,
    "lay": lay,
    "aftermath": aftermath,
    "retreat": retreat,
    "bid": bid,
    "pay": pay,
    "hazard": hazard,
    "victim": victim,
}
"""Who is not asked here does what is first: does not consent, restores a man."""

if __name__ == "__main__":
    run(GrowAndFight())
