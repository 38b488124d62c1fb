"""How good a position of the favour phase is: the chance of each team to come first.

The numbers were fitted by logistic regression to who got which vote in 2,400 games of two players, all
decks, that `heuristic` played with itself; games of three and four gave much the same ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt

from claim_deck import Cards, Deck, bits

LEAD = 1.7
"""What a captured card counts in the race for its faction's vote."""
LEADING = 0.3
"""What leading the next trick adds to a team's power, for each opponent's seat."""
OWN_VOTE = {
    "G": (0.1, 1.2), "K": (0.8, 2.1), "U": (0.6, 1.8), "W": (1.0, -1.1), "X": (1.2, 2.2),
    "N": (0.3, 1.8), "A": (0.7, 1.9), "T": (0.4, 1.7), "D": (0.7, 1.9), "S": (0.6, 1.8),
}  # fmt: skip
"""What a card in hand counts in that race: one of middle value, and what one of the highest has more."""
ANY_VOTE = {
    "G": (-0.4, 0.5), "K": (0.0, 0.5), "U": (-0.1, 0.7), "W": (0.1, 0.0), "X": (1.0, 0.6),
    "N": (0.0, 1.0), "A": (-0.2, 0.7), "T": (-0.2, 0.3), "D": (0.1, 0.5), "S": (-0.2, 0.4),
}  # fmt: skip
"""The same for every open card of any faction, shared by the cards in hand."""
SPREAD = 0.5
"""Variance of such a race when no card is left, in open cards."""
SURE = 0.1
"""Variance of the votes of a decided game."""
VOTES = 1.1
"""From a lead in votes, in standard deviations, to the odds of the first place."""

MIDDLE = 4.5
HAND = 0.45
"""What the highest card in a hand of the recruit phase adds to a team's power, beside one of middle value."""


class Judge:
    """Judges positions of one deck."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.hold = self._by_card(OWN_VOTE)
        self.power = self._by_card(ANY_VOTE)
        self.sides = max(deck.teams) + 1
        self.size = len(deck.teams) // self.sides
        self.leading = LEADING * (len(deck.teams) - self.size)
        players = len(deck.teams) / self.size
        self.worth = [hold + players * power for hold, power in zip(self.hold, self.power, strict=True)]
        """By card, what it is worth as a follower, in units of LEAD."""
        self.average = sum(self.worth) / len(self.worth)
        self.sums: dict[Cards, tuple[float, float]] = {0: (0.0, 0.0)}
        self.scale = [1 / sqrt(left + SPREAD) for left in range(len(deck.names) + 1)]

    def _by_card(self, table: dict[str, tuple[float, float]]) -> list[float]:
        worths = []
        for name in self.deck.names:
            base, slope = table[name[0]]
            worths.append(base + slope * (int(name[1]) - MIDDLE) / MIDDLE)
        return worths

    def sum(self, cards: Cards) -> tuple[float, float]:
        """What cards of one faction count together for its own vote, and for any."""
        found = self.sums.get(cards)
        if found is None:
            hold = sum(self.hold[card] for card in bits(cards))
            found = self.sums[cards] = hold, sum(self.power[card] for card in bits(cards))
        return found

    def shares(
        self,
        hands: Sequence[Cards],
        caps: Sequence[Cards],
        out: Cards,
        leader: int,
        first: Sequence[Cards] = (),
    ) -> list[float]:
        """By team its chance of the first place as a trick begins, all in all 1.

        In the recruit phase `hands` are the followers that the seats may have in the end, and `first` is
        what they hold; else it is empty.
        """
        powers = self._powers(hands, leader, first)
        everything = sum(hands) | out
        tricks = max(hand.bit_count() for hand in hands) * self.size or 1
        votes, spread = [0.0] * self.sides, SURE
        for mask in self.deck.lanes:
            left = (everything & mask).bit_count()
            scores = [left * power / tricks for power in powers]
            for hand, cap, team in zip(hands, caps, self.deck.teams, strict=True):
                scores[team] += LEAD * (cap & mask).bit_count() + self.sum(hand & mask)[0]
            for team, chance in enumerate(odds(scores, self.scale[left])):
                votes[team] += chance
                spread += chance * (1 - chance)
        return odds(votes, VOTES / sqrt(spread))

    def _powers(self, hands: Sequence[Cards], leader: int, first: Sequence[Cards]) -> list[float]:
        """By team, how good its cards are at taking tricks."""
        deck, powers = self.deck, [0.0] * self.sides
        powers[deck.teams[leader]] = self.leading
        for hand, team in zip(hands, deck.teams, strict=True):
            for mask in deck.lanes:
                powers[team] += self.sum(hand & mask)[1]
        for hand, team in zip(first, deck.teams, strict=False):
            powers[team] += HAND * sum(deck.value[card] - MIDDLE for card in bits(hand)) / MIDDLE
        return powers


def odds(scores: Sequence[float], scale: float) -> list[float]:
    """Chances, each in proportion to the exponential of its scaled score."""
    best = max(scores)
    weights = [exp(scale * (score - best)) for score in scores]
    total = sum(weights)
    return [weight / total for weight in weights]
