"""A position of Claim with all cards known or supposed, quick to copy and to play on.

Follows the rules (numbers in brackets) but for what asks nobody here: who may choose a recruit takes the
one of most worth, whose Giant may choose smashes the longer row, and `seer_loser=draw` is played as
`faceup`.
"""

from __future__ import annotations

from collections.abc import Sequence

from claim_deck import Card, Cards, Deck, bits


class Position:
    """Seats are ints; all lists but `plays`, `faceup` and `stock` have an entry for each seat."""

    __slots__ = (
        "best",
        "caps",
        "deck",
        "faceup",
        "favour",
        "followers",
        "hands",
        "leader",
        "out",
        "plays",
        "stock",
        "worth",
    )

    def __init__(self, deck: Deck, worth: Sequence[float] = ()) -> None:
        self.deck = deck
        self.worth = worth
        """By card, as a follower."""
        self.favour = False
        self.leader = 0
        self.plays: list[Card] = []
        self.best = 0
        """Place in `plays` of the card that is winning."""
        self.hands: list[Cards] = []
        self.followers: list[Cards] = []
        self.caps: list[Cards] = []
        """Captured; Gnomes among them are alive in the row."""
        self.out: Cards = 0
        """Trolls that lie out."""
        self.faceup: list[Card] = []
        self.stock: list[Card] = []
        """The deck, its top last."""

    def clone(self) -> Position:
        """An independent copy."""
        copy = Position.__new__(Position)
        copy.deck, copy.worth, copy.favour, copy.leader = self.deck, self.worth, self.favour, self.leader
        copy.best, copy.out = self.best, self.out
        copy.plays, copy.hands, copy.followers = self.plays[:], self.hands[:], self.followers[:]
        copy.caps, copy.faceup, copy.stock = self.caps[:], self.faceup[:], self.stock[:]
        return copy

    @property
    def turn(self) -> int:
        """The seat that plays next."""
        return (self.leader + len(self.plays)) % len(self.hands)

    @property
    def over(self) -> bool:
        """Whether all tricks of the favour phase are played."""
        return self.favour and not any(self.hands)

    def legal(self) -> Cards:
        """What the seat may play whose turn it is, each copy."""
        return self.deck.legal(self.hands[self.turn], self.plays)

    def hand_card(self, name: str) -> Card:
        """A card of that name of the seat whose turn it is."""
        copies: Cards = self.deck.same[self.deck.first[name]] & self.hands[self.turn]
        return copies.bit_length() - 1

    def play(self, card: Card) -> None:
        """Play a card; after the last of a trick the trick is settled and the next one begins."""
        self.hands[self.turn] ^= 1 << card
        self.lay(card)
        if len(self.plays) == len(self.hands):
            self._settle()

    def lay(self, card: Card) -> None:
        """Put a card to the trick."""
        plays = self.plays
        if plays and self.deck.takers(plays[0], plays[self.best]) >> card & 1:
            self.best = len(plays)
        plays.append(card)

    def _settle(self) -> None:
        """What the end of a trick brings (6)."""
        deck, plays, players = self.deck, self.plays, len(self.hands)
        winner = leads = (self.leader + self.best) % players
        for at, card in enumerate(plays):
            if deck.dragons >> card & 1:
                leads = (self.leader + at) % players
        if self.favour:
            self.capture(winner)
        else:
            self._recruit()
            if not self.hands[winner]:
                self._take_up()
                leads = winner if deck.options.get("dragon_over_phase") == "no" else leads
        self.leader, self.best, self.plays = leads, 0, []

    def _ranking(self) -> list[int]:
        """Seats by rank in the full trick."""
        players = len(self.hands)
        return [(self.leader + at) % players for at in self.deck.ranking(self.plays)]

    def _recruit(self) -> None:
        """Undead to the winner, then recruits by rank (5.2, 4.1, 5.4)."""
        deck, stock, worth = self.deck, self.stock, self.worth
        ranking = self._ranking()
        for card in self.plays:
            if deck.undead >> card & 1:
                self.caps[ranking[0]] |= 1 << card
        offered = sorted(self.faceup, key=worth.__getitem__)
        seer = deck.seers >> self.plays[self.best] & 1
        if (
            seer
            and (len(ranking) == 2 or deck.options["seer_multi"] == "three_way")
            and worth[stock[-1]] > worth[offered[-1]]
        ):
            offered.append(stock.pop())
        for seat in ranking:
            self.followers[seat] |= 1 << (offered.pop() if offered else stock.pop())
        self.faceup = [stock.pop() for _ in range(min(deck.turned, len(stock)))]

    def _take_up(self) -> None:
        """The followers become the hands (4.2)."""
        self.hands, self.followers, self.favour = self.followers, [0] * len(self.hands), True

    def capture(self, winner: int) -> None:
        """Everything of the trick goes where it belongs (5.3, 5.6 to 5.8)."""
        deck = self.deck
        trick = 0
        for card in self.plays:
            trick |= 1 << card
        if trick & deck.special or self.out:
            if dwarves := trick & deck.dwarves:
                self.caps[self._dwarf_taker()] |= dwarves
            trolls = self._divide_trolls(trick & deck.trolls)
            for card in self.plays:
                if deck.giants >> card & 1:
                    self._smash(winner, deck.value[card])
            trick = trick & ~(deck.dwarves | deck.trolls) | trolls
            if not self.hands[winner] and deck.options.get("troll_leftover") == "last_winner":
                trick, self.out = trick | self.out, 0
        self.caps[winner] |= trick

    def _dwarf_taker(self) -> int:
        teams, ranking = self.deck.teams, self._ranking()
        match self.deck.options["dwarf_taker"]:
            case "second_ranked":
                return ranking[1]
            case "last_losing_side":
                return next(seat for seat in reversed(ranking) if teams[seat] != teams[ranking[0]])
        return ranking[-1]

    def _divide_trolls(self, trolls: Cards) -> Cards:
        """What the winner gets of the trick's Trolls and those out; sets what stays out."""
        carry = self.deck.options.get("troll_carry")
        if carry == "cap":
            trolls, self.out = trolls | self.out, 0
        highest = 1 << trolls.bit_length() - 1 if trolls else 0
        if trolls == highest:
            taken, self.out = trolls | self.out, 0
        elif carry == "bonus":
            taken, self.out = highest | self.out, trolls ^ highest
        else:
            taken, self.out = highest, self.out | trolls ^ highest
        return taken

    def _smash(self, winner: int, value: int) -> None:
        """A Giant of this value, captured by `winner`, removes Gnomes of others."""
        deck = self.deck
        gnomes = deck.gnomes & deck.valued[value]
        rows = [
            (self.caps[seat] & deck.gnomes, seat)
            for seat, team in enumerate(deck.teams)
            if team != deck.teams[winner] and self.caps[seat] & gnomes
        ]
        if deck.options["giant_multi"] == "choose":
            rows = sorted(rows, key=lambda row: -row[0].bit_count())[:1]
        for row, seat in rows:
            self.caps[seat] ^= 1 << next(bits(row & gnomes))
