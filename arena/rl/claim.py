"""Claim in numbers. docs/learning.md lists the actions and the blocks of an observation.

Cards are planes of 100 counts, a count for each face (`10 * faction + value`), with the same places in every
variant: a network of one deck can go on with another.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from arena.rl.claim_past import Past
from arena.rl.coding import Encoding, Told, Vector, View
from arena.rl.layout import Layout
from referee.game import Variant
from referee.games.claim.cards import LETTERS, NAMES, VALUES
from referee.games.claim.tricks import ranking
from referee.games.claim.variants import ClaimVariant

TAKE: Final = 100
TAKE_DECK: Final = 200
SMASH: Final = 201
GNOMES: Final = tuple(f"N{value}" for value in sorted(set(VALUES[LETTERS.index("N")])))
"""The five faces of Gnomes, which a Giant may remove."""

_FACE: Final = {name: face for face, name in enumerate(NAMES)}
_LETTER: Final = {letter: faction for faction, letter in enumerate(LETTERS)}
_DECISIONS: Final = ("play", "recruit", "smash")
_MOST_COPIES: Final = 5.0
_KNOWN = (
    *NAMES,
    *(f"take {name}" for name in NAMES),
    "take deck",
)
_NUMBERS: Final = {text: number for number, text in enumerate(_KNOWN)}
_SMASHED: Final = {
    f"smash {seat} {gnome}": (seat, at) for seat in range(4) for at, gnome in enumerate(GNOMES)
}


class Encoded(Encoding):
    """An encoding of Claim: a function of the number of players, and of the deck that is played with."""

    low = -1.0
    high = _MOST_COPIES

    def __init__(self, variant: Variant) -> None:
        assert isinstance(variant, ClaimVariant)
        super().__init__(variant)
        self._ruled = variant
        self._each = variant.each
        self._after_deal = len(variant.deck) - variant.each * variant.players
        self._teams = variant.teams
        self._deck = [float(variant.deck.count(face)) for face in range(len(NAMES))]
        self._factions = variant.factions
        self.actions = SMASH + len(GNOMES) * (self.players - 1)
        layout = Layout()
        self._cards(layout)
        self._rest(layout)
        self.names = tuple(layout.names)
        past = Layout()
        self._past = Past(2 * variant.each, self.players, past)
        self.past = tuple(past.names)

    def _cards(self, layout: Layout) -> None:
        seats, others = range(self.players), range(1, self.players)
        self._hand, self._takes, self._look, self._faceup, self._followers, self._unseen = (
            layout.block(name, NAMES) for name in ("hand", "takes", "look", "faceup", "followers", "unseen")
        )
        self._known = layout.by_seat("known", others, NAMES)
        self._trick = layout.by_seat("trick", seats, NAMES)
        self._played = layout.by_seat("played", seats, NAMES)
        self._pile = layout.by_seat("pile", seats, NAMES)

    def _rest(self, layout: Layout) -> None:
        seats, others = range(self.players), range(1, self.players)
        self._row = layout.by_seat("row", seats, range(10))
        self._void = layout.by_seat("void", others, LETTERS)
        self._led, self._votes, self._faction = (
            layout.block(name, LETTERS) for name in ("led", "votes", "faction")
        )
        self._out, self._giants = layout.block("out", range(10)), layout.block("giants", range(10))
        self._leader, self._winner, self._hands, self._follower_counts = (
            layout.block(name, seats) for name in ("leader", "winner", "hand_size", "follower_count")
        )
        self._decision = layout.block("decision", _DECISIONS)
        self._favour, self._number, self._stock = (
            layout.block(name) for name in ("favour", "trick_number", "deck")
        )

    def label(self, number: int, seat: int) -> str:
        """`K7`, `take K7`, `take deck`, `smash 2 N5`; among the cards are some that no box has (`K0`)."""
        if number < SMASH:
            return _KNOWN[number]
        victim, gnome = divmod(number - SMASH, len(GNOMES))
        if number >= self.actions:
            raise IndexError(number)
        return f"smash {(seat + 1 + victim) % self.players} {GNOMES[gnome]}"

    def number(self, text: str, seat: int) -> int:
        """Plays from 0, takes from 100, the deck's top card 200, then Gnomes by seat and value."""
        if text in _NUMBERS:
            return _NUMBERS[text]
        victim, gnome = _SMASHED[text]
        if victim == seat or victim >= self.players:
            raise KeyError(text)
        return SMASH + len(GNOMES) * ((victim - seat - 1) % self.players) + gnome

    def fill(self, vector: array[float], view: View) -> None:
        """One pass over the view."""
        me: int = view["seat"]
        self._fill_own(vector, view)
        if view["decision"] == "play" and me in view["to_act"]:
            self._fill_takes(vector, view["hand"], view["trick"])
        for seat in range(self.players):
            self._fill_seat(vector, view, seat, (seat - me) % self.players)
        self._fill_tricks(vector, view, me)
        self._fill_unseen(vector, view)
        self._fill_state(vector, view, me)

    def recall(self, seat: int, events: Iterable[Told]) -> Vector:
        """The past, trick by trick (`claim_past`)."""
        vector = array("f", bytes(4 * len(self.past)))
        self._past.fill(vector, seat, events)
        return np.frombuffer(vector, np.float32)

    def _fill_own(self, vector: array[float], view: View) -> None:
        _count(vector, self._hand, view["hand"])
        _count(vector, self._faceup, view["faceup"])
        if view["look"]:
            vector[self._look + _FACE[view["look"]]] = 1
        if view["phase"] == "recruit":
            _count(vector, self._followers, view["recruited"])

    def _fill_takes(self, vector: array[float], hand: Iterable[str], trick: Mapping[str, Any]) -> None:
        """Which cards of the hand would win the trick if nobody played after them (Claim 3.4 to 3.6)."""
        table = [_FACE[card] for _, card in trick["plays"]]
        for card in hand:
            # Places in the order of play stand for seats: nobody else need have played yet.
            first = ranking(self._ruled, 0, [*table, _FACE[card]])[0] if table else 0
            vector[self._takes + _FACE[card]] = first == len(table)

    def _fill_seat(self, vector: array[float], view: View, seat: int, place: int) -> None:
        _count(vector, self._pile[place], view["piles"][seat])
        for gnome in view["rows"][seat]:
            vector[self._row[place] + int(gnome[1])] += 1
        vector[self._hands + place] = view["hands"][seat] / self._each
        vector[self._follower_counts + place] = view["followers"][seat] / self._each
        if place:
            _count(vector, self._known[place], view["known"][seat])
            _count(vector, self._known[place], [card for _, card, who in view["left"] if who == seat])
            for letter in view["voids"][seat]:
                vector[self._void[place] + _LETTER[letter]] = 1

    def _fill_tricks(self, vector: array[float], view: View, me: int) -> None:
        """The trick on the table, and what each seat has played before in this phase."""
        trick, players = view["trick"], self.players
        for seat, card in trick["plays"]:
            vector[self._trick[(seat - me) % players] + _FACE[card]] = 1
        if trick["led"]:
            vector[self._led + _LETTER[trick["led"]]] = 1
        vector[self._leader + (trick["leader"] - me) % players] = 1
        if trick["ranking"]:
            vector[self._winner + (trick["ranking"][0] - me) % players] = 1
        for past in view["tricks"] if view["phase"] == "recruit" else view["tricks"][self._each :]:
            for seat, card in past["plays"]:
                vector[self._played[(seat - me) % players] + _FACE[card]] += 1

    def _fill_unseen(self, vector: array[float], view: View) -> None:
        """What is left of the deck when all is taken off that the seat has seen: a card is played once a game."""
        start, me = self._unseen, view["seat"]
        vector[start : start + len(NAMES)] = array("f", self._deck)
        for trick in (*view["tricks"], view["trick"]):
            for _, card in trick["plays"]:
                vector[start + _FACE[card]] -= 1
        held = [view["hand"], view["faceup"], [view["look"]] if view["look"] else []]
        held += [known for seat, known in enumerate(view["known"]) if seat != me]
        held.append([card for _, card, _ in view["left"]])
        if view["phase"] == "recruit":
            held.append(view["recruited"])
        for cards in held:
            _count(vector, start, cards, -1)

    def _fill_state(self, vector: array[float], view: View, me: int) -> None:
        for letter, team in view["votes"].items():
            if team is not None:
                vector[self._votes + _LETTER[letter]] = 1 if team == self._teams[me] else -1
        for faction in self._factions:
            vector[self._faction + faction] = 1
        _values(vector, self._out, view["out"])
        _values(vector, self._giants, view["giants"])
        if view["decision"]:
            vector[self._decision + _DECISIONS.index(view["decision"])] = 1
        vector[self._favour] = view["phase"] == "favour"
        vector[self._number] = view["trick_number"] / self._each
        vector[self._stock] = view["deck"] / self._after_deal


def _count(vector: array[float], start: int, cards: Iterable[str], each: int = 1) -> None:
    for card in cards:
        vector[start + _FACE[card]] += each


def _values(vector: array[float], start: int, cards: Sequence[Any]) -> None:
    for card in cards:
        vector[start + int(card[1])] += 1
