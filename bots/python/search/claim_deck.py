"""The cards of a variant as bits, and what is decided by the cards of a trick alone.

Numbers in brackets are those of the rules of Claim. A card is its place in the deck of the `setup`, which is
sorted by faction and value; a set of cards is an int with the bits of those places. Equal copies have a
place each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

Card = int
Cards = int
"""A set of cards, bit by bit."""


def bits(cards: Cards) -> Iterator[Card]:
    """The cards of a set, ascending."""
    while cards:
        low = cards & -cards
        yield low.bit_length() - 1
        cards ^= low


class Deck:
    """What stays the same all game long."""

    def __init__(self, setup: Mapping[str, Any]) -> None:
        self.names: list[str] = setup["deck"]
        self.teams: list[int] = setup["teams"]
        self.options: dict[str, str] = setup["options"]
        self.turned: int = setup["faceup"]
        self.value = [int(name[1]) for name in self.names]
        masks = {name[0]: self._cards(name[0]) for name in self.names}
        self.lanes = list(masks.values())
        """By faction, all its cards."""
        self.lane = [masks[name[0]] for name in self.names]
        """By card, all cards of its faction."""
        self.valued = [self._cards(str(value)) for value in range(10)]
        """By value, all cards of it."""
        self.first = {name: self.names.index(name) for name in self.names}
        """By name, the first copy."""
        self.all = (1 << len(self.names)) - 1
        self.same = [self._cards(name) for name in self.names]
        """By card, all copies of it."""
        self.goblins, self.knights, self.undead, self.dwarves, self.doppelgangers = (
            masks.get(letter, 0) for letter in "GKUWX"
        )
        self.gnomes, self.giants, self.trolls, self.dragons, self.seers = (
            masks.get(letter, 0) for letter in "NATDS"
        )
        self.special = self.dwarves | self.trolls | self.giants
        """What in a trick of the favour phase does not simply go to its winner."""
        self.follows = [lane | self.doppelgangers for lane in self.lane]
        """By card led, what follows it (3.3)."""
        self.beaten = self.options.get("knight_vs_doppelganger") == "no"
        """Whether a Doppelganger may beat Knights on a led Goblin (3.6)."""
        self.pairs: dict[tuple[Card, Card], Cards] = {}
        self.gaps = Gaps(self)

    def _cards(self, part: str) -> Cards:
        """All cards of which this is the letter, the digit or the name."""
        return sum(1 << at for at, name in enumerate(self.names) if part in name)

    def place(self, names: Iterable[str], free: Cards) -> Cards:
        """A card for each name out of those that are `free`."""
        found = 0
        for name in names:
            copies = self.same[self.first[name]] & free & ~found
            found |= copies & -copies
        return found

    def ranking(self, plays: Sequence[Card]) -> list[int]:
        """Places in the trick, the winner's first (3.4 to 3.6)."""
        follows, value = self.follows[plays[0]], self.value
        strengths = [-value[card] - 10 * (follows >> card & 1) for card in plays]
        order = sorted(range(len(plays)), key=strengths.__getitem__)
        if self.goblins >> plays[0] & 1:
            knights = [at for at in order if self.knights >> plays[at] & 1][:1]
            if not self.beaten or self.goblins >> plays[order[0]] & 1:
                return knights + [at for at in order if at not in knights]
        return order

    def takers(self, led: Card, best: Card) -> Cards:
        """What takes a trick from `best`, the card that is winning it."""
        found = self.pairs.get((led, best))
        if found is None:
            plays = [led] if led == best else [led, best]
            found = sum(
                1 << card for card in range(len(self.names)) if self.ranking([*plays, card])[0] == len(plays)
            )
            self.pairs[led, best] = found
        return found

    def legal(self, hand: Cards, plays: Sequence[Card]) -> Cards:
        """What may be played (3.2)."""
        if plays and hand & self.lane[plays[0]]:
            return hand & self.follows[plays[0]]
        return hand

    def compare(self, own: Cards, other: Cards) -> int:
        """1 where `own` has the vote of its faction against `other`, -1 where it has not, 0: nobody (7.1)."""
        one, two = (
            [cards.bit_count(), *sorted((self.value[card] for card in bits(cards)), reverse=True)]
            for cards in (own, other)
        )
        if self.options["faction_tie"] == "void":
            one, two = one[:2], two[:2]
        return (one > two) - (one < two)


class Gaps(dict[tuple[Card, Card], Cards]):
    """For two cards of a hand, the lower one first: which cards of one opponent tell them apart; -1: all.

    Cards of one faction are told apart by what lies between them, and by what ties with the lower one, if
    their value matters for nothing else, as it does for Giants and Gnomes.
    """

    def __init__(self, deck: Deck) -> None:
        super().__init__()
        self.deck = deck

    def __missing__(self, pair: tuple[Card, Card]) -> Cards:
        deck, (low, high) = self.deck, pair
        if deck.same[low] == deck.same[high]:
            gap = 0
        elif deck.lane[low] != deck.lane[high] or 1 << low & (deck.giants | deck.gnomes | deck.doppelgangers):
            gap = -1
        else:
            values = range(deck.value[low] + 1, deck.value[high] + 1)
            gap = (1 << high) - (1 << low) | deck.same[low]
            gap |= sum(deck.valued[value] for value in values) & deck.doppelgangers
        self[pair] = gap
        return gap
