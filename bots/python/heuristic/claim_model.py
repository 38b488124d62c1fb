"""A light model of Claim: what a full trick does, and how good a position is for a team.

Knows nothing of messages and views. Numbers in brackets are those of the rules of Claim. A card is its
text, `K7`; a faction is its letter. The options `faction_tie`, `game_tie`, `troll_leftover`, `seer_multi`
and `dragon_over_phase` are left out of account: they decide too few games to be worth a line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb

Card = str

ONE_CARD = 1 << 40
"""In a strength: cards stand in the high bits and the copies of each value below, the highest value first,
four bits each. So the greater strength has the faction's vote (7.1)."""

# The five weights were tuned by hand, one at a time, on 60 to 110 mirrored deals of a few variants: enough to
# tell them from half or twice as much, and not from what lies between.
DOPPELGANGER = 0.15
"""What following every faction adds to a card's power (3.3)."""
HANDS = 0.5
"""How much of the open cards the stronger hands bring, were they all nines against zeros."""
SUITS = 0.5
"""The same of one faction's open cards, by the powers of those cards themselves."""
PLAYED_FIRST = 0.5
"""Worth of a hand card of the recruit phase, which only wins a recruit, beside a follower like it."""

LEAD = 0.15
"""What leading the next trick is worth, in cards of full power."""


def value(card: Card) -> int:
    """The number on it."""
    return int(card[1])


def power(card: Card) -> float:
    """How good it is at taking tricks: 0 to 1, a Doppelganger somewhat more than others of its value."""
    return int(card[1]) / 9 + (DOPPELGANGER if card[0] == "X" else 0.0)


def strength(card: Card) -> int:
    """What it adds to its faction's strength in a pile."""
    return ONE_CARD + (1 << 4 * int(card[1]))


@dataclass(frozen=True, slots=True)
class Rules:
    """What stays the same all game long."""

    teams: Sequence[int]
    """By seat."""
    factions: str
    """Those in the deck."""
    options: Mapping[str, str]
    tricks: int
    """Of each phase."""


@dataclass(slots=True)
class Table:
    """A position as a trick begins, as far as it is known or supposed."""

    rules: Rules
    favour: bool
    leader: int
    hands: list[list[Card]]
    """By seat; cards in the trick under way, too, until `after`."""
    tally: list[dict[str, int]]
    """By team, its strength in each faction; Gnomes in rows count, as they will."""
    open: dict[str, float]
    """By faction, how many cards somebody will still capture."""
    rows: list[list[Card]]
    """By seat."""
    out: list[Card]
    """Trolls that lie out, ascending."""
    followers: list[float]
    """By seat, the power of its followers in the recruit phase, those still to come included."""
    prizes: list[float]
    """By rank in this trick, how much more power than the average the recruit has."""

    def fork(self) -> Table:
        """A copy to go on from."""
        return Table(
            self.rules, self.favour, self.leader, [hand.copy() for hand in self.hands],
            [team.copy() for team in self.tally], self.open.copy(), [row.copy() for row in self.rows],
            self.out, self.followers.copy(), self.prizes,
        )  # fmt: skip

    def give(self, seat: int, card: Card) -> None:
        """Put a card on the pile of a seat's team."""
        self.tally[self.rules.teams[seat]][card[0]] += strength(card)
        self.open[card[0]] -= 1


def legal(hand: Sequence[Card], plays: Sequence[Card]) -> list[Card]:
    """What may be played, equal cards once (3.2)."""
    cards = list(dict.fromkeys(hand))
    if plays and any(card[0] == plays[0][0] for card in cards):
        return [card for card in cards if card[0] in (plays[0][0], "X")]
    return cards


def ranked(rules: Rules, plays: Sequence[Card]) -> list[int]:
    """Places in the trick as it lies, the winner's first (3.4 to 3.6)."""
    follow = (plays[0][0], "X")
    order = sorted(
        range(len(plays)), key=lambda at: 10 * (plays[at][0] in follow) + value(plays[at]), reverse=True
    )
    if plays[0][0] == "G":
        knights = [at for at in order if plays[at][0] == "K"][:1]
        if rules.options.get("knight_vs_doppelganger") != "no" or plays[order[0]][0] == "G":
            return knights + [at for at in order if at not in knights]
    return order


def wins(rules: Rules, plays: Sequence[Card], card: Card) -> bool:
    """Whether `card`, played next, takes the trick as it lies."""
    return ranked(rules, [*plays, card])[0] == len(plays)


def after(table: Table, plays: Sequence[Card]) -> Table:
    """The position after a full trick: who has captured or recruited what, who leads."""
    new = table.fork()
    seats = [(table.leader + at) % len(plays) for at in ranked(table.rules, plays)]
    new.leader = seats[0]
    for at, card in enumerate(plays):
        seat = (table.leader + at) % len(plays)
        new.hands[seat].remove(card)
        if card[0] == "D":
            new.leader = seat
    if table.favour:
        _capture(new, plays, seats)
    else:
        _recruit(new, plays, seats)
    return new


def _recruit(table: Table, plays: Sequence[Card], seats: Sequence[int]) -> None:
    """Undead to the winner, recruits by rank; who won with a Seer takes the best (5.2, 5.4)."""
    for card in plays:
        if card[0] == "U":
            table.give(seats[0], card)
    seer = plays[(seats[0] - table.leader) % len(plays)][0] == "S"
    for seat, prize in zip(seats, sorted(table.prizes, reverse=True) if seer else table.prizes, strict=True):
        table.followers[seat] += prize


def _capture(table: Table, plays: Sequence[Card], seats: Sequence[int]) -> None:
    """Giants smash, then everything goes where it belongs; `seats` by rank (5.3, 5.6 to 5.8)."""
    winner = seats[0]
    for card in plays:
        if card[0] == "A":
            _smash(table, winner, "N" + card[1])
    for card in plays:
        if card[0] != "T":
            table.give(_dwarf_taker(table.rules, seats) if card[0] == "W" else winner, card)
        if card[0] == "N":
            table.rows[winner].append(card)
    trolls = sorted(card for card in plays if card[0] == "T")
    if trolls or table.out:
        taken, table.out = _divide_trolls(table.rules.options["troll_carry"], trolls, table.out)
        for card in taken:
            table.give(winner, card)


def _smash(table: Table, winner: int, gnome: Card) -> None:
    teams = table.rules.teams
    for seat, row in enumerate(table.rows):
        if gnome in row and teams[seat] != teams[winner]:
            row.remove(gnome)
            table.tally[teams[seat]]["N"] -= strength(gnome)
            return


def _dwarf_taker(rules: Rules, seats: Sequence[int]) -> int:
    match rules.options["dwarf_taker"]:
        case "second_ranked":
            return seats[1]
        case "last_losing_side":
            return next(seat for seat in reversed(seats) if rules.teams[seat] != rules.teams[seats[0]])
    return seats[-1]


def _divide_trolls(carry: str, trolls: list[Card], out: list[Card]) -> tuple[list[Card], list[Card]]:
    """What the winner gets of a trick's Trolls and those out, and what stays out."""
    if carry == "cap":
        trolls, out = sorted(trolls + out), []
    if len(trolls) < 2:
        return trolls + out, []
    if carry == "bonus":
        return [*out, trolls[-1]], trolls[:-1]
    return trolls[-1:], out + trolls[:-1]


def prospects(table: Table, team: int) -> float:
    """The chance that `team` comes first, if the open cards fall as the hands promise; also counts votes.

    A hundredth of the value is for the expected share of votes, so that a lost game is still played well.
    """
    hands, suits = _edges(table, team)
    votes = []
    for faction in table.rules.factions:
        share = 0.5 + HANDS * hands + SUITS * suits[faction] / max(table.open[faction], 1)
        votes.append(_vote(table, team, faction, min(max(share, 0.02), 0.98)))
    return _first(votes, len(table.tally)) + 0.01 * sum(votes) / len(votes)


def settled(table: Table, team: int) -> float | None:
    """What a game of two surely brings `team`: 1, 0, for a draw a half; None while that is open."""
    won = lost = 0
    for faction in table.rules.factions:
        open_cards = table.open[faction] * ONE_CARD if table.hands[0] else 0
        margin = table.tally[team][faction] - table.tally[1 - team][faction]
        won += margin > open_cards
        lost += -margin > open_cards
    majority = len(table.rules.factions) // 2 + 1
    if table.hands[0] and max(won, lost) < majority:
        return None
    return (won > lost) + (won == lost) / 2


def _edges(table: Table, team: int) -> tuple[float, dict[str, float]]:
    """How much more power a seat of `team` has than a rival's: a trick to come, and in each faction.

    The second is all 0 in the recruit phase, in which most cards of the hands are discarded.
    """
    suits = dict.fromkeys(table.rules.factions, 0.0)
    teams, sides = table.rules.teams, len(table.tally)
    size = len(teams) / sides
    weights = [1 / size if side == team else -1 / size / (sides - 1) for side in range(sides)]
    total = LEAD * weights[teams[table.leader]]
    for side, hand, followers in zip(teams, table.hands, table.followers, strict=True):
        powers = [power(card) for card in hand]
        total += weights[side] * (sum(powers) if table.favour else PLAYED_FIRST * sum(powers) + followers)
        if table.favour:
            for card, worth in zip(hand, powers, strict=True):
                suits[card[0]] += weights[side] * worth
    tricks = len(table.hands[0]) if table.favour else table.rules.tricks
    return total / max(tricks, 1), suits


def _vote(table: Table, team: int, faction: str, share: float) -> float:
    """The chance that `team` gets the faction's vote, against the strongest of its rivals."""
    own = table.tally[team][faction]
    rival = max(tally[faction] for side, tally in enumerate(table.tally) if side != team)
    left = round(table.open[faction] * 2 / len(table.tally)) if table.hands[0] or not table.favour else 0
    if left <= 0:
        return 0.5 + (own > rival) / 2 - (own < rival) / 2
    return _race(own // ONE_CARD - rival // ONE_CARD, left, round(share, 2))


@lru_cache(maxsize=1 << 16)
def _race(lead: int, left: int, share: float) -> float:
    """The chance to be ahead after `left` more cards, each ours with probability `share`; level: a half."""
    if abs(lead) > left:
        return float(lead > 0)
    if left == 0:
        return 0.5
    return share * _race(lead + 1, left - 1, share) + (1 - share) * _race(lead - 1, left - 1, share)


def _first(votes: Sequence[float], teams: int) -> float:
    """The chance of the most votes, each won with its own probability; a shared place counts a half."""
    chances = [1.0]
    for vote in votes:
        won, lost = [0.0, *chances], [*chances, 0.0]
        chances = [vote * one + (1 - vote) * other for one, other in zip(won, lost, strict=True)]
    weights = _first_with(len(votes), teams)
    return sum(chance * weight for chance, weight in zip(chances, weights, strict=True))


@lru_cache
def _first_with(votes: int, teams: int) -> tuple[float, ...]:
    """By votes won: the chance that no rival has more, where chance shares the others among the rivals."""
    return tuple(
        sum(
            comb(votes - own, one) / 2 ** (votes - own) * _places(own, max(one, votes - own - one))
            for one in range(votes - own + 1)
        )
        if teams == 3
        else _places(own, votes - own)
        for own in range(votes + 1)
    )


def _places(own: int, rival: int) -> float:
    return (own > rival) + (own == rival) / 2
