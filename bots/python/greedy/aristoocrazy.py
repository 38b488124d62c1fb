"""Aristoocrazy one step at a time: takes what lies there, and plans nothing.

It takes land, then courts, then attacks who cannot answer; whoever is left uses the ability that the first
of the face-up events asks for. It plays a card as soon as it may, bids, stakes and pays all that it can,
never consents, and leaves every other question to the first legal action.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

View = Mapping[str, Any]

ASKED = {
    "E16": ["valour"],
    "E17": ["rule"],
    "E18": ["learning"],
    "E19": ["bow"],
    "E20": ["sword"],
    "E21": ["magic"],
    "E22": ["economy"],
    "E23": ["luck", "money"],
    "E24": ["folly"],
    "E25": ["valour", "rule", "learning"],
    "E26": ["bow", "sword", "magic"],
    "E28": ["economy"],
    "E29": ["economy"],
    "E30": ["learning"],
    "valour": ["valour"],
    "rule": ["rule"],
    "learning": ["learning"],
}
"""By event, the traits whose tokens it asks for (Aristoocrazy R33, Q3); E27 takes whatever there is."""


def choose(view: View, legal: Sequence[str]) -> str:
    decide = DECISIONS.get(view["decision"]["kind"])
    return decide(view, legal) if decide else legal[0]


def asked(view: View) -> list[str]:
    """The traits that face-up events ask for, this round's first."""
    return [trait for event in view["row"] if event["up"] for trait in ASKED.get(event["id"], [])]


def starting(view: View, legal: Sequence[str]) -> str:
    """The traits of which most are asked for (Aristoocrazy R12)."""
    wanted = asked(view)
    return max(legal, key=lambda draft: sum(trait in wanted for trait in words(draft)[1].split("+")))


def move(view: View, legal: Sequence[str]) -> str:
    """Land, a card, an heir, a fight that cannot be lost; else the end of the phase."""
    for kind in ("occupy", "card", "court_neutral"):
        for action in legal:
            if words(action)[0] == kind:
                return action
    return next((action for action in legal if sure_attack(view, action)), "end")


def sure_attack(view: View, action: str) -> bool:
    """Whether it is an attack on more tokens of combat than their owner has tokens at all (Aristoocrazy R23)."""
    kind, *names = words(action)
    if kind != "attack":
        return False
    owner = view["fields"][names[1]]["owner"]
    stash = view["houses"][view["seat"]]["stash"]
    empty = all(person["field"] != names[1] for person in view["characters"])
    armed = sum(stash.get(trait, 0) for trait in ("bow", "sword", "magic"))
    return empty or armed > view["houses"][owner]["stash_size"]


def use(view: View, legal: Sequence[str]) -> str:
    """The first trait that is asked for, of whoever is youngest; money for one that is lacking."""
    red = {person["id"]: person["red"] for person in view["characters"]}
    stash = view["houses"][view["seat"]]["stash"]
    for trait in asked(view):
        users = [action for action in legal if words(action)[0] == "use" and words(action)[2] == trait]
        if users:
            return min(users, key=lambda action: red[words(action)[1]])
        if f"exchange:{trait}" in legal and trait not in stash:
            return f"exchange:{trait}"
    return "end"


def all_of_it(view: View, legal: Sequence[str]) -> str:
    """The last action is that which gives most."""
    return legal[-1]


def words(action: str) -> list[str]:
    return action.split(":")


DECISIONS: Mapping[str, Callable[[View, Sequence[str]], str]] = {
    "setup_man": starting,
    "setup_woman": starting,
    "move": move,
    "use": use,
    "commit": all_of_it,
    "bid": all_of_it,
    "pay": all_of_it,
    "hazard": all_of_it,
}
