"""Worlds that a view allows, and how they are played on: by cheap rules, to where the position is judged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from claim_deck import Card, Cards, bits
from claim_position import Position
from claim_worth import LEAD, Judge

from referee.game import Seat, State

HORIZON = 3
"""Tricks that are played on, the one under way included."""
UNDEAD = 4
"""How many points of value higher a card may be that is thrown instead of an Undead (5.2)."""
STEP = 0.12
"""What a point of value of a card is worth to a hand of the recruit phase, beside a follower's worth."""


def position_of(judge: Judge, state: State, order: Sequence[int]) -> Position:
    """The position of a state in which a card is to be played; its stock lies by `order`, a number a card."""
    deck = judge.deck
    views = [state.view(Seat(seat)) for seat in range(len(deck.teams))]
    view, position, free = views[0], Position(deck, judge.worth), deck.all

    def take(names: Iterable[str]) -> Cards:
        nonlocal free
        cards = deck.place(names, free)
        free ^= cards
        return cards

    position.favour, position.leader = view["phase"] == "favour", view["trick"]["leader"]
    position.caps = [take(pile + row) for pile, row in zip(view["piles"], view["rows"], strict=True)]
    position.hands = [take(own["hand"]) for own in views]
    position.out = take(view["out"])
    position.followers = [0] * len(views)
    for _, name in view["trick"]["plays"]:
        position.lay(take([name]).bit_length() - 1)
    if not position.favour:
        position.followers = [take(own["recruited"]) for own in views]
        position.faceup = [take([name]).bit_length() - 1 for name in view["faceup"]]
        take(name for trick in view["tricks"] for _, name in trick["plays"] if name[0] != "U")
        position.stock = sorted(bits(free), key=order.__getitem__)
    return position


def playout(position: Position, judge: Judge, team: int) -> float:
    """Play on in place for some tricks; the chance of `team` to come first."""
    favour = position.favour
    choose = favoured if favour else recruiting
    for _ in range(len(position.hands) * HORIZON - len(position.plays)):
        if position.over or position.favour != favour:
            break
        position.play(choose(position, judge))
    if position.favour:
        return judge.shares(position.hands, position.caps, position.out, position.leader)[team]
    followers = dealt(position)
    return judge.shares(followers, position.caps, 0, position.leader, position.hands)[team]


def dealt(position: Position) -> list[Cards]:
    """Followers as they would be if the recruits to come were dealt out in turn."""
    followers, seats = position.followers.copy(), len(position.hands)
    for at, card in enumerate([*position.faceup, *reversed(position.stock)]):
        followers[at % seats] |= 1 << card
    return followers


def recruiting(position: Position, judge: Judge) -> Card:
    """A card for the recruit phase: what takes the trick cheaply where that pays, else the lowest."""
    deck, plays, options = position.deck, position.plays, position.legal()
    value, undead = deck.value, deck.undead
    prize = max(judge.worth[card] for card in position.faceup) - judge.average
    prize += LEAD * sum(undead >> card & 1 for card in plays)
    if not plays and prize > 0:
        return max(bits(options), key=value.__getitem__)
    taking = options & deck.takers(plays[0], plays[position.best]) if plays else 0
    if taking:
        card = min(bits(taking), key=lambda card: value[card] - UNDEAD * (undead >> card & 1))
        if prize > STEP * value[card] or taking == options:
            return card
    return min(bits(options & ~taking), key=lambda card: value[card] + UNDEAD * (undead >> card & 1))


def favoured(position: Position, judge: Judge) -> Card:
    """A card for the favour phase: what takes the trick cheaply, but not from a partner, else the lowest."""
    deck, plays, options = position.deck, position.plays, position.legal()
    if not plays:
        return max(bits(options), key=judge.power.__getitem__)
    taking = options & deck.takers(plays[0], plays[position.best])
    winning = (position.leader + position.best) % len(deck.teams)
    if not taking or deck.teams[winning] == deck.teams[position.turn]:
        taking = options & ~taking or options
    return min(bits(taking), key=judge.power.__getitem__)
