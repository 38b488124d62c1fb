"""A full table that agrees with a view: every world that could be, each equally likely (Claim 8).

What a seat does not know is which of the unseen cards lie where: in the other hands, which lack the
factions that they showed to lack, or in the free places (followers taken unseen, the deck), where
anything may lie. Factions that the same hands lack are one class; how many cards of a class go to which
hand is drawn in proportion to the exact number of worlds, and then the cards are dealt at random.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import factorial
from typing import Any

from referee.games.claim.cards import LETTERS, Card, card_of
from referee.games.claim.powers import count_captured
from referee.games.claim.rules import forget
from referee.games.claim.state import (
    DECISIONS,
    NOBODY,
    PLAY,
    RECRUIT,
    UNSEEN,
    Hidden,
    Left,
    Private,
    Public,
    Table,
    Trick,
)
from referee.games.claim.tricks import factions_of, next_leader, winner_looks
from referee.games.claim.variants import ClaimVariant, variant_of

Split = tuple[int, ...]
"""How many cards of a class go to each hand."""


def sample(view: Mapping[str, Any], rng: random.Random) -> Table:
    """A table whose view from the same seat equals `view`, drawn with `rng`; its log is empty."""
    public = _public_of(view)
    own = _own_zone(view)
    hands, free = _draw_hands(public, own, view["seat"], rng)
    deck = [free.pop() for _ in range(public.deck - (own.look != UNSEEN))]
    if own.look != UNSEEN:
        deck.append(own.look)
    private = [
        own if seat == view["seat"] else Private.holding(sorted(hand)) for seat, hand in enumerate(hands)
    ]  # fmt: skip
    _give_recruits(public, private, view["seat"], free, rng)
    _give_looks(public, private, view["seat"])
    if public.decision == RECRUIT and _looking(public):
        private[public.turn].look = deck[-1]
    return Table(public, private, Hidden(deck), [])


def _cards(names: Sequence[str]) -> list[Card]:
    return [card_of(name) for name in names]


def _card(name: str | None) -> Card:
    return UNSEEN if name is None else card_of(name)


def _public_of(view: Mapping[str, Any]) -> Public:
    public = Public.new(variant_of(view["variant"]))
    variant = public.variant
    public.tricks = [_trick_of(trick) for trick in view["tricks"]]
    public.favour = view["phase"] == "favour"
    public.number = len(public.tricks) - variant.each * public.favour
    public.turn = view["to_act"][0] if view["to_act"] else NOBODY
    public.decision = DECISIONS.index(view["decision"])
    now = _trick_of(view["trick"])
    public.leader, public.plays, public.ranking = now.leader, now.cards, now.ranking
    public.recruits = now.recruits or public.recruits
    if public.ranking:
        last = public.number + 1 == variant.each and not public.favour
        public.leads = next_leader(public, factions_of(public.plays), last)
    if public.decision == RECRUIT:
        public.taken = public.ranking.index(public.turn)
    public.faceup, public.deck = _cards(view["faceup"]), view["deck"]
    public.out, public.giants, public.removed = (_cards(view[key]) for key in ("out", "giants", "removed"))
    public.known, public.piles, public.rows = (
        [_cards(cards) for cards in view[key]] for key in ("known", "piles", "rows")
    )
    public.voids = list(view["voids"])
    for seat in range(variant.players):
        count_captured(public, seat, public.piles[seat] + public.rows[seat])
    return public


def _trick_of(trick: Mapping[str, Any]) -> Trick:
    cards = [card_of(name) for _, name in trick["plays"]]
    recruits = [_card(name) for name in trick.get("recruits", ())]
    return Trick(trick["leader"], cards, tuple(trick["ranking"]), recruits)


def _own_zone(view: Mapping[str, Any]) -> Private:
    own = Private.holding(_cards(view["hand"]))
    own.recruited = _cards(view["recruited"])
    own.look = _card(view["look"])
    own.left = [Left(trick, card_of(name), seat) for trick, name, seat in view["left"]]
    return own


def _draw_hands(
    public: Public, own: Private, me: int, rng: random.Random
) -> tuple[list[list[Card]], list[Card]]:
    """By seat a full hand (the own one empty), and the unseen cards for the free places, shuffled."""
    seats = range(public.players)
    fixed: list[list[Card]] = [[] for _ in seats]
    if public.favour:
        fixed = [public.known[seat] + _left_with(own, seat) for seat in seats]
    fixed[me] = []
    sizes = [0 if seat == me else _hand_size(public, seat) - len(fixed[seat]) for seat in seats]
    unseen = _unseen(public, own, me)
    drawn, free = draw(unseen, sizes, public.voids, rng)
    return [fixed[seat] + drawn[seat] for seat in seats], free


def _left_with(own: Private, seat: int) -> list[Card]:
    return [left.card for left in own.left if left.seat == seat]


def _hand_size(public: Public, seat: int) -> int:
    played = (seat - public.leader) % public.players < len(public.plays)
    return public.variant.each - public.number - played


def _unseen(public: Public, own: Private, me: int) -> list[Card]:
    """The cards whose place the seat does not know, ascending."""
    seen = Counter(own.hand)
    for trick in public.tricks:
        seen.update(trick.cards)
    seen.update(public.plays)
    seen.update(public.faceup)
    seen.update(left.card for left in own.left)
    if not public.favour:
        seen.update(own.recruited)
    if own.look != UNSEEN:
        seen[own.look] += 1
    for seat, cards in enumerate(public.known):
        if seat != me:
            seen.update(cards)
    return sorted((Counter(public.variant.deck) - seen).elements())


def draw(
    unseen: Sequence[Card], sizes: Sequence[int], voids: Sequence[str], rng: random.Random
) -> tuple[list[list[Card]], list[Card]]:
    """Deal `unseen` evenly over all ways to fill hands of these sizes, and the rest, in random order.

    `voids` are the letters of the factions that each hand lacks. Raises ValueError where there is no way.
    """
    classes: dict[tuple[bool, ...], list[Card]] = {}
    for card in unseen:
        barred = tuple(
            LETTERS[card // 10] in void or not size for void, size in zip(voids, sizes, strict=True)
        )
        classes.setdefault(barred, []).append(card)
    ordered = sorted(classes.items(), reverse=True)
    splits = _draw_splits([(barred, len(cards)) for barred, cards in ordered], tuple(sizes), rng)
    hands: list[list[Card]] = [[] for _ in sizes]
    free: list[Card] = []
    for (_, cards), split in zip(ordered, splits, strict=True):
        rng.shuffle(cards)
        for hand, count in zip(hands, split, strict=True):
            hand += [cards.pop() for _ in range(count)]
        free += cards
    rng.shuffle(free)
    return hands, free


def _draw_splits(
    classes: list[tuple[tuple[bool, ...], int]], sizes: Split, rng: random.Random
) -> list[Split]:
    """How each class is shared out among the hands, drawn in proportion to the number of worlds."""

    @cache
    def ways(at: int, room: Split) -> int:
        if at == len(classes):
            return int(not any(room))
        return sum(weight(at, split) * ways(at + 1, _minus(room, split)) for split in options(at, room))

    def options(at: int, room: Split) -> Iterator[Split]:
        # The last class has to fill what is left: one way, or none.
        if at + 1 == len(classes):
            barred, count = classes[at]
            fits = sum(room) <= count and not any(need for need, bar in zip(room, barred, strict=True) if bar)
            return iter([room] if fits else [])
        return _splits(*classes[at], room)

    def weight(at: int, split: Split) -> int:
        return _multinomial(classes[at][1], split)

    chosen: list[Split] = []
    room = sizes
    for at in range(len(classes)):
        found = list(options(at, room))
        weights = [weight(at, split) * ways(at + 1, _minus(room, split)) for split in found]
        split = found[_pick(weights, rng)]
        chosen.append(split)
        room = _minus(room, split)
    return chosen


def _splits(barred: Sequence[bool], count: int, room: Split) -> Iterator[Split]:
    """All ways to give up to `count` cards to hands that have room and are not barred."""
    if not room:
        yield ()
        return
    most = 0 if barred[0] else min(count, room[0])
    for given in range(most + 1):
        for rest in _splits(barred[1:], count - given, room[1:]):
            yield (given, *rest)


def _minus(room: Split, split: Split) -> Split:
    return tuple(size - given for size, given in zip(room, split, strict=True))


def _multinomial(count: int, split: Split) -> int:
    """In how many ways distinct cards can be split so, the rest going to the free places."""
    result = factorial(count) // factorial(count - sum(split))
    for given in split:
        result //= factorial(given)
    return result


def _pick(weights: Sequence[int], rng: random.Random) -> int:
    """An index, with the exact odds of these (large) whole numbers. ValueError where all are 0."""
    if not any(weights):
        raise ValueError("no world agrees with the view: it was made by no game")
    at = rng.randrange(sum(weights))
    for index, weight in enumerate(weights):
        if at < weight:
            return index
        at -= weight
    raise AssertionError("a number below the sum lies in one of the parts")


def _give_recruits(
    public: Public, private: list[Private], me: int, free: list[Card], rng: random.Random
) -> None:
    """Fill in what the others recruited: as seen, as looked at by `me`, else what is left for them."""
    looked = {(left.trick, left.seat): left.card for left in private[me].left}
    for seat, zone in enumerate(private):
        if seat == me:
            continue
        taken = _recruits_of(public, seat)
        taken = [looked.get((at, seat), card) if card == UNSEEN else card for at, card in enumerate(taken)]
        others = _other_followers(public, zone, seat, taken, rng) if public.favour else free
        zone.recruited = [others.pop() if card == UNSEEN else card for card in taken]


def _recruits_of(public: Public, seat: int) -> list[Card]:
    """What `seat` recruited after each trick so far, or UNSEEN."""
    taken = [trick.recruits[seat] for trick in public.tricks if trick.recruits]
    if seat in public.ranking[: public.taken]:
        taken.append(public.recruits[seat])
    return taken


def _other_followers(
    public: Public, zone: Private, seat: int, taken: Sequence[Card], rng: random.Random
) -> list[Card]:
    """In the favour phase, those of the seat's followers that it is not known when it recruited."""
    followers = Counter(zone.hand)
    followers.update(played_by(public, seat))
    followers.subtract(card for card in taken if card != UNSEEN)
    others = list(followers.elements())
    rng.shuffle(others)
    return others


def played_by(public: Public, seat: int) -> list[Card]:
    """What `seat` has played in the favour phase, in order."""
    players = public.players
    now = Trick(public.leader, public.plays, (), [])
    tricks = [*public.tricks[public.variant.each :], now]
    places = [(trick, (seat - trick.leader) % players) for trick in tricks]
    return [trick.cards[place] for trick, place in places if place < len(trick.cards)]


def _give_looks(public: Public, private: list[Private], me: int) -> None:
    """What the other Seers' winners looked at and left, as far as it has not been played since."""
    own, private[me].left = private[me].left, []
    for number, trick in enumerate(public.tricks[: public.variant.each]):
        winner = trick.ranking[0]
        if _looked(public.variant, trick) and trick.recruits[winner] != UNSEEN:
            seat = next(seat for seat in trick.ranking if trick.recruits[seat] == UNSEEN)
            private[winner].left.append(Left(number, private[seat].recruited[number], seat))
    known = [[card for card in _recruits_of(public, seat) if card != UNSEEN] for seat in range(len(private))]
    if public.favour:
        for seat in range(len(private)):
            for card in played_by(public, seat):
                forget(known, private, seat, card)
    private[me].left = own


def _looked(variant: ClaimVariant, trick: Trick) -> bool:
    return winner_looks(variant, trick.leader, trick.cards, trick.ranking[0])


def _looking(public: Public) -> bool:
    """Whether the seat that recruits now is a Seer's winner who has the top card before it."""
    now = Trick(public.leader, public.plays, public.ranking, [])
    return public.decision != PLAY and public.taken == 0 and _looked(public.variant, now)
