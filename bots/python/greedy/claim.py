"""Claim from one trick to the next: wins each as cheaply as it can, and plans nothing.

Leads its highest card. Takes a trick with the lowest card that beats what lies there, without a thought
for who is still to play or what there is to win; where it can't, it throws its lowest. Takes the higher
recruit, and the first Gnome that it may.
"""

from collections.abc import Mapping, Sequence
from typing import Any

DOPPELGANGERS = "X"


def choose(view: Mapping[str, Any], legal: Sequence[str]) -> str:
    if view["decision"] == "play":
        return play(view["trick"], legal)
    if view["decision"] == "recruit":
        return max(legal, key=lambda take: value(view["look"] if take == "take deck" else take[5:]))
    return legal[0]


def play(trick: Mapping[str, Any], legal: Sequence[str]) -> str:
    """The cheapest card that takes the trick as it lies, else the lowest; leading, the highest."""
    if not trick["plays"]:
        return max(legal, key=value)
    led = trick["led"]
    best = max(strength(card, led) for _, card in trick["plays"])
    winning = [card for card in legal if strength(card, led) > best]
    return min(winning or legal, key=value)


def value(card: str) -> int:
    """`K7` is 7."""
    return int(card[1])


def strength(card: str, led: str) -> tuple[int, int]:
    """What the higher of wins a trick: Knights on Goblins, then what follows, then the rest (Claim 3)."""
    if (led, card[0]) == ("G", "K"):
        return 2, value(card)
    return int(card[0] in (led, DOPPELGANGERS)), value(card)
