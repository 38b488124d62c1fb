"""The past of a game of Claim in numbers of a fixed length: with a view of now, all that a seat can remember."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from typing import Any

from arena.rl.layout import Layout
from referee.games.claim.cards import NAMES

_CODE = {name: (face + 1) / len(NAMES) for face, name in enumerate(NAMES)}
"""A card as one number, 0 being none."""


class Past:
    """Trick by trick, those of the first phase first: who led, and card by card what seats played and recruited, what
    the seat saw as a Seer's winner, and whose Gnomes went.
    """

    def __init__(self, tricks: int, players: int, layout: Layout) -> None:
        """`tricks` are those of both phases."""
        self._players = players
        seats = range(players)
        self._leader = [layout.block(f"past[{trick}].leader", seats) for trick in range(tricks)]
        self._cards = {
            kind: [layout.block(f"past[{trick}].{kind}", seats) for trick in range(tricks)]
            for kind in ("play", "recruit", "look", "smash")
        }

    def fill(self, vector: array[float], seat: int, events: Iterable[tuple[str, Mapping[str, Any]]]) -> None:
        """Write what `seat` was told, event after event, over zeros.

        An event `knows` has a view of the seat (`World.drawn`), from which comes what the seat alone was told before.
        """
        trick, plays = 0, 0
        for kind, body in events:
            if kind == "knows":
                self._known(vector, trick, body)
            if kind == "play":
                trick, nth = divmod(plays, self._players)
                plays += 1
                if not nth:
                    vector[self._leader[trick] + self._place(body["seat"], seat)] = 1
            if kind in self._cards:
                self._card(vector, trick, kind, body, seat)

    def _known(self, vector: array[float], trick: int, view: Mapping[str, Any]) -> None:
        """Own recruits, one a trick; what was seen as a Seer's winner, now or where the card left is not yet played."""
        looks, recruits = self._cards["look"], self._cards["recruit"]
        for number, card in enumerate(view["recruited"]):
            vector[recruits[number]] = _CODE[card]
        for number, card, got in view["left"]:
            vector[looks[number]] = _CODE[card]
            vector[recruits[number] + self._place(got, view["seat"])] = _CODE[card]
        if view["look"]:
            vector[looks[trick]] = _CODE[view["look"]]

    def _card(self, vector: array[float], trick: int, kind: str, body: Mapping[str, Any], seat: int) -> None:
        """A card that the seat may not know leaves 0; of Gnomes there may be several, whose numbers add up."""
        who = body["victim"] if kind == "smash" else body["seat"]
        card = body["gnome"] if kind == "smash" else body["card"]
        if card is not None:
            vector[self._cards[kind][trick] + self._place(who, seat)] += _CODE[card]

    def _place(self, other: int, seat: int) -> int:
        return (other - seat) % self._players
