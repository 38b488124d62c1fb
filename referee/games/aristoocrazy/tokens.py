"""Tokens and action cards that come and go, and what the others can tell of it (Aristoocrazy R36, R37).

Every change of a stash or a hand goes through here, so that no ledger misses it.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence

from referee.games.aristoocrazy.data import TRAITS, data
from referee.games.aristoocrazy.events import DREW, RESHUFFLED, SPENT, SPIED, STOLEN, TAKEN, log, log_secret
from referee.games.aristoocrazy.state import OCCASIONS, THIEF, UNSEEN, Table


def domain(traits: Sequence[int]) -> int:
    """A set of kinds as bits, as ledgers take it."""
    bits = 0
    for trait in traits:
        bits |= 1 << trait
    return bits


def take(
    table: Table, seat: int, trait: int, among: Sequence[int], why: str, char: int = -1, count: int = 1
) -> None:
    """`seat` takes one or two tokens of `trait` from the bank; closed takes tell only that it is `among`."""
    public = table.public
    table.private[seat].stash[trait] += count
    public.size[seat] += count
    seen = public.variant.open_takes
    for other, zone in enumerate(table.private):
        if other == seat:
            continue
        if seen:
            for _ in range(count):
                zone.tokens.came(seat, 1 << trait)
        elif count == 2:
            zone.tokens.twins(seat, domain(among))
        else:
            zone.tokens.came(seat, domain(among))
    full = (seat, why, char, count, (trait,) * count)
    if seen:
        log(table, TAKEN, full)
    else:
        log_secret(table, TAKEN, (seat,), full, (seat, why, char, count, ()))


def part_with(table: Table, seat: int, tokens: Sequence[int]) -> None:
    """Take tokens (counts by trait) out of a stash; who may know of it is told by `tell_parted`."""
    stash = table.private[seat].stash
    for trait, count in enumerate(tokens):
        stash[trait] -= count
    table.public.size[seat] -= sum(tokens)


def tell_parted(table: Table, seat: int, tokens: Sequence[int]) -> None:
    """The others see which tokens `seat` has given."""
    for other, zone in enumerate(table.private):
        if other != seat:
            for trait, count in enumerate(tokens):
                for _ in range(count):
                    zone.tokens.went(seat, 1 << trait)


def spend(table: Table, seat: int, tokens: Sequence[int], why: str) -> None:
    """`seat` gives tokens (counts by trait) to the bank before all eyes."""
    if any(tokens):
        part_with(table, seat, tokens)
        tell_parted(table, seat, tokens)
        log(table, SPENT, (seat, why, tuple(tokens)))


def single(trait: int, count: int = 1) -> list[int]:
    """`count` tokens of one trait, as counts by trait."""
    tokens = [0] * len(TRAITS)
    tokens[trait] = count
    return tokens


def occasion(table: Table, kind: int) -> str:
    """The name of the turn's next occasion of that kind (Aristoocrazy R38)."""
    public = table.public
    public.occasions[kind] += 1
    return occasion_name(table, kind, public.occasions[kind])


def occasion_name(table: Table, kind: int, number: int) -> str:
    """The name of an occasion of this turn."""
    public = table.public
    return f"{OCCASIONS[kind]}/{public.round}/{public.turn}/{number}"


def steal(table: Table, thief: int, victim: int) -> None:
    """A token of `victim`'s, each as likely, goes to `thief`, if there is any; the two see which."""
    stash = table.private[victim].stash
    if not any(stash):
        return
    at = table.hidden.luck.pick(occasion(table, THIEF), sum(stash))
    trait = next(trait for trait in range(len(TRAITS)) if sum(stash[: trait + 1]) > at)
    for seat, change in ((victim, -1), (thief, 1)):
        table.private[seat].stash[trait] += change
        table.public.size[seat] += change
    for seat, zone in enumerate(table.private):
        if seat == thief:
            zone.tokens.went(victim, 1 << trait)
        elif seat == victim:
            zone.tokens.came(thief, 1 << trait)
        else:
            zone.tokens.moved(victim, thief)
    log_secret(table, STOLEN, (thief, victim), (thief, victim, trait), (thief, victim, UNSEEN))


def spy(table: Table, seat: int, of: int) -> None:
    """`seat` sees the stash and the hand of `of` as they are now (card A05)."""
    own, other = table.private[seat], table.private[of]
    own.tokens.seen(of, other.stash)
    own.cards.seen(of, [other.hand.count(card) for card in range(len(data().actions))])
    log_secret(
        table, SPIED, (seat,), (seat, of, tuple(other.stash), tuple(other.hand)), (seat, of, None, None)
    )


def draw(table: Table, seat: int) -> None:
    """`seat` draws an action card; none at the hand limit or where no card is left (Aristoocrazy R30)."""
    public, hidden = table.public, table.hidden
    if public.cards_held[seat] >= data().hand_limit:
        return
    if not hidden.actions and public.discard:
        _reshuffle(table)
    if not hidden.actions:
        return
    card = hidden.actions.pop()
    insort(table.private[seat].hand, card)
    public.cards_held[seat] += 1
    public.deck -= 1
    for other, zone in enumerate(table.private):
        if other == seat:
            zone.cards.went(public.players, 1 << card)
        else:
            zone.cards.moved(public.players, seat)
    log_secret(table, DREW, (seat,), (seat, card), (seat, UNSEEN))


def _reshuffle(table: Table) -> None:
    public, hidden = table.public, table.hidden
    hidden.actions = hidden.luck.reshuffled(public.discard, hidden.shuffles)
    hidden.shuffles.append(len(hidden.actions))
    for zone in table.private:
        for card in public.discard:
            zone.cards.came(public.players, 1 << card)
    public.discard, public.deck = [], len(hidden.actions)
    log(table, RESHUFFLED, public.deck)


def discard(table: Table, seat: int, card: int) -> None:
    """A card that `seat` plays leaves its hand."""
    table.private[seat].hand.remove(card)
    table.public.cards_held[seat] -= 1
    table.public.discard.insert(0, card)
    for other, zone in enumerate(table.private):
        if other != seat:
            zone.cards.went(seat, 1 << card)
