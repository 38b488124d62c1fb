"""The favour phase of two players, in which nothing is hidden: alpha-beta search, exact where it reaches the end.

A node is a position as a trick begins, always seen from who leads it. Values are what the leader gets: 1
for a win, 0.5 for a shared first place, 0 for a loss, and between them estimates where the search stops.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from claim_budget import Budget
from claim_deck import Card, Cards, bits
from claim_position import Position
from claim_worth import Judge

Key = tuple[int, ...]


class Node(NamedTuple):
    """A position of two as a trick begins."""

    lead: Cards
    """The leader's hand."""
    hand: Cards
    """The other one's."""
    own: Cards
    """What the leader has captured."""
    other: Cards
    out: Cards
    """Trolls that lie out."""


class Found(NamedTuple):
    """What is known of a node."""

    depth: int
    """How many tricks were looked ahead."""
    low: float
    high: float
    """The value is not below `low` and not above `high`."""
    card: Card
    """The best lead."""


class TooLong(Exception):
    """The budget is used up."""


class Duel:
    """A search from one position. Whatever looks ahead raises TooLong once the budget is used up."""

    def __init__(self, judge: Judge, position: Position, budget: Budget) -> None:
        deck = self.deck = judge.deck
        self.judge = judge
        self.budget = budget
        self.found: dict[Key, Found] = {}
        self.beats = [deck.takers(card, card) for card in range(len(deck.names))]
        """By card led, what takes the trick from it."""
        self.cutoffs = [[float(value) for value in deck.value] for _ in range(2)]
        """For cards led and cards that answer: how often they made others needless to try."""
        self.root, self.plays = root_of(position)
        self.by_cards = deck.options["game_tie"] == "cards"
        self.votes = [self._vote(mask) for mask in deck.lanes]
        self.telling = sum(telling for _, telling, _ in self.votes)

    def _vote(self, mask: Cards) -> tuple[Cards, Cards, Cards]:
        """Of a faction: its cards, which of them tell more than their number, what may take captured ones away.

        Where all cards stay with their captors, equal numbers are decided by the highest, if that is unique.
        """
        deck, root = self.deck, self.root
        left = mask & (root.lead | root.hand | root.own | root.other)
        top = left.bit_length() - 1
        plain = left and mask not in (deck.gnomes, deck.trolls) and (left & deck.same[top]).bit_count() == 1
        return mask, 1 << top if plain else mask, deck.giants if mask == deck.gnomes else 0

    def ranked(self, options: Sequence[Card], depth: int) -> list[Card]:
        """`options` with the best first, looking `depth` tricks ahead; others as they were."""
        best, most = options[0], -1.0
        for card in options:
            worth = self.outcome(card, depth, most)
            if worth > most:
                best, most = card, worth
                if worth == 1:
                    break
        return [best, *(card for card in options if card != best)]

    def outcome(self, card: Card, depth: int, low: float = 0.0) -> float:
        """What the seat that is to play gets by `card`; at most `low`: only a bound."""
        if self.plays:
            return 1 - self.answered(self.root, self.plays[0], card, depth, 0.0, 1 - low)
        return self.led(self.root, card, depth, low, 1.0)

    def value(self, node: Node, depth: int, low: float, high: float) -> float:
        """What the leader gets, looking `depth` tricks ahead; outside of `low` to `high` only a bound."""
        if not self.budget.spend(1):
            raise TooLong
        key, result = self.standing(node)
        if result is not None:
            return result
        if depth == 0:
            return self.judge.shares(node[:2], node[2:4], node.out, 0)[0]
        known = self.found.get(key)
        if known and known.depth >= depth:
            if known.low >= high or known.low == known.high:
                return known.low
            if known.high <= low:
                return known.high
        best, chosen = -1.0, -1
        for card in self.leads(node, known):
            worth = self.led(node, card, depth, max(low, best), high)
            if worth > best:
                best, chosen = worth, card
                if best >= high:
                    self.cutoffs[0][card] += depth
                    break
        self.found[key] = Found(depth, best if best > low else 0.0, best if best < high else 1.0, chosen)
        return best

    def leads(self, node: Node, known: Found | None) -> list[Card]:
        """The leader's cards, the most promising first."""
        cards = sorted(self.distinct(node.lead, node.hand), key=self.cutoffs[0].__getitem__, reverse=True)
        if known:
            cards.remove(known.card)
            cards.insert(0, known.card)
        return cards

    def distinct(self, cards: Cards, against: Cards) -> list[Card]:
        """Cards of a set; of neighbours that nothing in the other hand tells apart, the lowest."""
        chosen, gaps, telling, last = [], self.deck.gaps, self.telling, -1
        for card in bits(cards):
            if last < 0 or telling >> card & 1 or gaps[last, card] & against:
                chosen.append(card)
            last = card
        return chosen

    def led(self, node: Node, card: Card, depth: int, low: float, high: float) -> float:
        """What the leader gets by leading `card`."""
        worst = 2.0
        answers = self.distinct(self.deck.legal(node.hand, (card,)), node.lead)
        for answer in sorted(answers, key=self.cutoffs[1].__getitem__, reverse=True):
            worth = self.answered(node, card, answer, depth, low, min(high, worst))
            if worth < worst:
                worst = worth
                if worst <= low:
                    self.cutoffs[1][answer] += depth
                    break
        return worst

    def answered(self, node: Node, card: Card, answer: Card, depth: int, low: float, high: float) -> float:
        """What the leader gets once both have played."""
        deck = self.deck
        lead, hand = node.lead ^ 1 << card, node.hand ^ 1 << answer
        beaten = self.beats[card] >> answer & 1
        trick = 1 << card | 1 << answer
        own, other, out = node.own, node.other, node.out
        if trick & deck.special or out:
            own, other, out = self.captured(node, card, answer, beaten)
        elif beaten:
            other |= trick
        else:
            own |= trick
        if deck.dragons & trick:
            beaten = deck.dragons >> answer & 1
        if beaten:
            return 1 - self.value(Node(hand, lead, other, own, out), depth - 1, 1 - high, 1 - low)
        return self.value(Node(lead, hand, own, other, out), depth - 1, low, high)

    def captured(self, node: Node, card: Card, answer: Card, beaten: int) -> tuple[Cards, Cards, Cards]:
        """What both have captured after a trick with powers, and the Trolls that lie out."""
        position = Position(self.deck)
        position.plays, position.best = [card, answer], beaten
        position.hands = [node.lead ^ 1 << card, node.hand ^ 1 << answer]
        position.caps, position.out = [node.own, node.other], node.out
        position.capture(beaten)
        own, other = position.caps
        return own, other, position.out

    def standing(self, node: Node) -> tuple[Key, float | None]:
        """What tells apart nodes that may end differently, and the value where it is certain."""
        lead, hand, own, other, out = node
        hands = lead | hand
        ahead = undecided = keep = margins = 0
        for mask, top, smashers in self.votes:
            margin = (own & mask).bit_count() - (other & mask).bit_count()
            left = ((hands | out) & mask).bit_count() + (hands & smashers).bit_count() if hands else 0
            margins *= 64
            if abs(margin) > left:
                ahead += 1 if margin > 0 else -1
                margins += margin > 0
            elif not left:
                sign = self.deck.compare(own & mask, other & mask)
                ahead += sign
                margins += 2 + sign
            else:
                undecided += 1
                keep |= top
                margins += margin + 32
        if abs(ahead) > undecided:
            return (), float(ahead > 0)
        if not undecided and not (self.by_cards and hands):
            ahead = own.bit_count() - other.bit_count() if self.by_cards else 0
            return (), 0.5 + (ahead > 0) / 2 - (ahead < 0) / 2
        if self.by_cards:
            keep = -1
        return (lead, hand, own & keep, other & keep, out, margins), None


def root_of(position: Position) -> tuple[Node, list[Card]]:
    """The node as the trick under way began, and what has been played to it since."""
    leader = position.leader
    hands, caps = position.hands.copy(), position.caps
    for at, card in enumerate(position.plays):
        hands[(leader + at) % 2] |= 1 << card
    other = 1 - leader
    return Node(hands[leader], hands[other], caps[leader], caps[other], position.out), position.plays
