"""A full state that agrees with all that a seat knows, drawn from its view alone (Aristoocrazy R37a).

Stashes, hands and the action deck come from the seat's ledgers; what is sealed, face down or still to be
rolled is drawn. What the others can tell of each other is known to nobody here: in a drawn state they know
for certain what this seat does, and of the rest the number.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any, Final

from referee.games.aristoocrazy.actions import numbers, text
from referee.games.aristoocrazy.battles import battle_of, known_traits
from referee.games.aristoocrazy.data import (
    CHARACTERS,
    LUCK,
    SEXES,
    TRAITS,
    data,
    field_of,
)
from referee.games.aristoocrazy.events import card_ids
from referee.games.aristoocrazy.luck import Luck
from referee.games.aristoocrazy.people import put
from referee.games.aristoocrazy.rules import DECISIONS_BY_KIND
from referee.games.aristoocrazy.state import (
    DECISIONS,
    LAYING,
    NOBODY,
    OCCASIONS,
    PHASES,
    REROLL,
    UNSEEN,
    WOMAN,
    Battle,
    Birth,
    Courtship,
    Hazard,
    Hidden,
    Private,
    Public,
    Roll,
    Table,
    Task,
)
from referee.games.aristoocrazy.traces import Ledger
from referee.games.aristoocrazy.turns import legal_draft
from referee.games.aristoocrazy.variants import variant_of

Seen = Mapping[str, Any]
_EVERYTHING: Final = (1 << len(TRAITS)) - 1


def sample(view: Seen, rng: random.Random) -> Table:
    """Draw a state. Raises ValueError where no world agrees with the view: it was made by no game."""
    public, me = _public(view), view["seat"]
    own = _own(public, view, me)
    stashes, staked = _stashes(public, own, me, rng)
    *hands, deck = own.cards.draw(rng)
    private = [Private(own.tokens, own.cards) for _ in range(public.players)]
    private[me] = own
    for seat, zone in enumerate(private):
        if seat != me:
            zone.stash, zone.hand, zone.staked = stashes[seat], _things(hands[seat]), staked.get(seat)
    for seat, zone in enumerate(private):
        if seat != me:
            zone.tokens, zone.cards = _ledgers(public, private, me, seat, deck)
            _answer(public, zone, seat, rng)
    cards = _things(deck)
    rng.shuffle(cards)
    luck = Luck(f"drawn {rng.getrandbits(64):016x}")
    return Table(public, private, Hidden(_events(public, rng), cards, luck))


def _things(counts: Sequence[int]) -> list[int]:
    """Counts by kind as a list of kinds, ascending."""
    return [kind for kind, count in enumerate(counts) for _ in range(count)]


# what all know


def _public(view: Seen) -> Public:
    public = Public.new(variant_of(view["variant"]))
    public.phase, public.round = PHASES.index(view["phase"]), view["round"]
    public.order, public.pending = tuple(view["order"]), tuple(view["to_act"])
    public.turn = NOBODY if view["turn"] is None else view["turn"]
    public.place = public.players if view["turn"] is None else public.order.index(public.turn)
    events = _event_numbers(public)
    public.row = [UNSEEN if card["id"] is None else events[card["id"]] for card in view["row"]]
    public.evaluated = [events[name] for name in view["evaluated"]]
    for name, field in view["fields"].items():
        public.owner[field_of(name)] = NOBODY if field["owner"] is None else field["owner"]
    public.palisades = [field_of(name) for name, field in view["fields"].items() if field["palisade"]]
    for entry in view["characters"]:
        char = _char(entry["id"])
        put(public, char, field_of(entry["field"]), _traits(entry["traits"]))
        public.red[char], public.acted[char], public.fresh[char] = entry["red"], entry["acted"], entry["new"]
    for seat, house in enumerate(view["houses"]):
        _house(public, seat, house)
    public.card_played, public.hired = view["card_played"], int(view["mercenaries"])
    public.discard, public.deck = _cards(view["actions"]["discard"]), view["actions"]["deck"]
    decision = view["decision"]
    if decision:
        public.decision = DECISIONS.index(decision["kind"])
        public.task = _TASKS[decision["kind"]](decision) if decision["kind"] in _TASKS else None
    return public


def _house(public: Public, seat: int, house: Seen) -> None:
    public.vp[seat] = house["vp"] if "vp" in house else house["known"]["vp"]
    public.size[seat], public.cards_held[seat] = house["stash_size"], house["hand_size"]
    public.trophies[seat], public.wounds[seat] = house["trophies"], house["wounds"]
    public.battles_won[seat], public.crests[seat] = house["battles_won"], house["crests_left"]
    public.attacked[seat], public.gained_land[seat] = house["attacked"], house["gained_land"]
    public.heirs_born[seat] = house["heirs_born"]


def _event_numbers(public: Public) -> dict[str, int]:
    return {card.id: number for number, card in enumerate(public.variant.events)}


def _char(name: str | None) -> int:
    return NOBODY if name is None else CHARACTERS.index(name)


def _chars(names: Iterable[str]) -> tuple[int, ...]:
    return tuple(CHARACTERS.index(name) for name in names)


def _traits(names: Iterable[str]) -> tuple[int, ...]:
    return tuple(TRAITS.index(name) for name in names)


def _cards(names: Iterable[str]) -> list[int]:
    return [card_ids().index(name) for name in names]


def _counts(tokens: Mapping[str, int]) -> list[int]:
    return [tokens.get(trait, 0) for trait in TRAITS]


def _roll(decision: Seen) -> Roll:
    """Its luck is drawn anew, so that its number and how often it was thrown don't matter."""
    dice = tuple(decision["dice"])
    slots = _traits(decision["slots"] or ())
    sex = SEXES.index(decision["sex"]) if decision["sex"] else 0
    die = OCCASIONS.index(decision["die"])
    place = (_char(decision["char"]), _char(decision["partner"]), field_of(decision["field"]))
    return Roll(decision["for"], die, 0, dice, len(dice), slots, *place, sex)


def _birth(decision: Seen) -> Birth:
    return Birth(*_courtship(decision), _traits(decision["traits"]))


def _courtship(decision: Seen) -> Courtship:
    return Courtship(_char(decision["char"]), _char(decision["partner"]), field_of(decision["field"]))


def _battle(decision: Seen) -> Battle:
    """Those who have fled or died already play no part any more."""
    seats = (decision["attacker"], decision["defender"])
    here = next(decision[key] for key in ("defenders", "survivors", "fleeing") if key in decision)
    battle = Battle(_char(decision["char"]), field_of(decision["field"]), seats, _chars(here))
    battle = battle._replace(bonus=int(decision.get("mercenaries", False)))
    if "laid" in decision:
        taught, laid = (
            (_traits(one), _traits(other)) for one, other in (decision["taught"], decision["laid"])
        )
        (mine, theirs), (won, lost) = decision["playable"], decision["wins"]
        return battle._replace(taught=taught, laid=laid, playable=(mine, theirs), wins=(won, lost))
    return battle._replace(fleeing=_chars(decision.get("fleeing", ())))


def _hazard(decision: Seen) -> Hazard:
    return Hazard(tuple(decision["missing"]), _chars(decision["aged"]))


_TASKS: Final[dict[str, Callable[[Seen], Task]]] = {
    "reroll": _roll,
    "heir": _birth,
    "consent": _courtship,
    "dowry": _courtship,
    "commit": _battle,
    "lay": _battle,
    "aftermath": _battle,
    "retreat": _battle,
    "victim": _hazard,
}
"""What is under way, by the decision that it waits for."""


# what the seat itself knows


def _own(public: Public, view: Seen, me: int) -> Private:
    known = [house.get("known") for house in view["houses"]]
    tokens = [_counts(one["stash"] if one else {}) for one in known]
    hands = [
        [_cards(one["hand"] if one else ()).count(card) for card in range(len(card_ids()))] for one in known
    ]
    own = Private(
        Ledger.rebuilt(tokens, view["traces"]["tokens"], TRAITS),
        _card_ledger(public, view, hands, me),
    )
    house = view["houses"][me]
    own.stash, own.hand = _counts(house["stash"]), _cards(house["hand"])
    if public.decision == WOMAN:
        own.man = _traits(view["decision"]["man"])
    if view["committed"] is not None:
        own.staked = _counts(view["committed"])
    if view["sealed"] is not None:
        legal = DECISIONS_BY_KIND[public.decision].legal(public, own, me)
        own.sealed = next(action for action in legal if text(action) == view["sealed"])
    return own


def _card_ledger(public: Public, view: Seen, hands: Sequence[Sequence[int]], me: int) -> Ledger:
    """While the deck is in no doubt it holds what has been seen nowhere else."""
    elsewhere = [*_cards(view["houses"][me]["hand"]), *public.discard]
    deck = [
        public.variant.actions.count(card) - elsewhere.count(card) - sum(hand[card] for hand in hands)
        for card in range(len(card_ids()))
    ]
    return Ledger.rebuilt([*hands, deck], view["traces"]["cards"], card_ids())


# what is drawn


def _stashes(
    public: Public, own: Private, me: int, rng: random.Random
) -> tuple[list[list[int]], dict[int, list[int]]]:
    """The stash of each house, and by seat what others have committed and not yet laid."""
    ledger = own.tokens.clone()
    if public.decision == REROLL and public.turn != me:
        ledger.holds(public.turn, LUCK)
    if public.decision != LAYING:
        return ledger.draw(rng), {}
    battle = battle_of(public)
    sides = {seat: side for side, seat in enumerate(battle.seats) if seat != me}
    options = [_stakes(public, battle, side) for side in sides.values()]
    for option in options:
        rng.shuffle(option)
    for stakes in product(*options):
        left = ledger.clone()
        for (seat, side), stake in zip(sides.items(), stakes, strict=True):
            _commit(left, seat, _committed(battle, side, stake))
        if all(left.unknown[seat] == 0 for seat in sides if left.clear(seat)):
            try:
                return left.draw(rng), dict(zip(sides, map(list, stakes), strict=True))
            except ValueError:
                continue
    raise ValueError("no world agrees with the view: nothing could have been committed so")


def _stakes(public: Public, battle: Battle, side: int) -> list[tuple[int, ...]]:
    """All that a side may have left of what it committed, as counts by trait (Aristoocrazy R23, R24)."""
    chars = battle.defenders if side else (battle.char,)
    playable, laid, taught = battle.playable[side], battle.laid[side], battle.taught[side]
    allowed = known_traits(public, chars).union(taught)
    ranges = [
        range(playable + 1) if trait in allowed.intersection(data().combat) else (0,)
        for trait in range(len(TRAITS))
    ]
    return [
        stake
        for stake in product(*ranges)
        if sum(stake) == playable and all(stake[trait] or trait in laid for trait in taught)
    ]


def _committed(battle: Battle, side: int, stake: Sequence[int]) -> list[int]:
    """All that a side committed: what is left, what is laid, and what the lessons cost."""
    gone = (*battle.laid[side], *battle.taught[side])
    return [count + gone.count(trait) for trait, count in enumerate(stake)]


def _commit(ledger: Ledger, seat: int, tokens: Sequence[int]) -> None:
    for trait, count in enumerate(tokens):
        for _ in range(count):
            ledger.went(seat, 1 << trait)


def _events(public: Public, rng: random.Random) -> list[int]:
    """The order of the event cards: what was seen, and at random what was not."""
    seen = [*public.evaluated, *(card for card in public.row if card != UNSEEN)]
    unseen = list((Counter(public.variant.deck) - Counter(seen)).elements())
    rng.shuffle(unseen)
    hidden = [unseen.pop() for _ in range(data().unscored)]
    return (hidden + seen + unseen)[: public.variant.rounds]


def _ledgers(
    public: Public, private: Sequence[Private], me: int, seat: int, deck: Sequence[int]
) -> tuple[Ledger, Ledger]:
    """What `seat` is supposed to tell of the others."""
    tokens = Ledger(public.players, len(TRAITS))
    cards = Ledger(public.players + 1, len(card_ids()), [[0] * len(card_ids())] * public.players + [deck])
    for other, zone in enumerate(private):
        if other == seat:
            continue
        sure = public.variant.open_takes if other == me else private[me].tokens.clear(other)
        for trait in _things(_held(public, zone, other)):
            tokens.came(other, 1 << trait if sure else _EVERYTHING)
        for card in zone.hand:
            cards.came(public.players, 1 << card)
            cards.moved(public.players, other)
    return tokens, cards


def _held(public: Public, zone: Private, seat: int) -> list[int]:
    """The stash of a house and what it has in a battle, as others count it."""
    if public.decision != LAYING or zone.staked is None:
        return zone.stash
    battle = battle_of(public)
    committed = _committed(battle, battle.seats.index(seat), zone.staked)
    return [count + more for count, more in zip(zone.stash, committed, strict=True)]


def _answer(public: Public, zone: Private, seat: int, rng: random.Random) -> None:
    """What `seat` has chosen in secret, where it has answered already."""
    decision = DECISIONS_BY_KIND.get(public.decision)
    if public.decision == WOMAN:
        zone.man = numbers(rng.choice(legal_draft(public, zone, seat)))
    if decision and decision.reveal and seat not in public.pending and _takes_part(public, seat):
        zone.sealed = rng.choice(decision.legal(public, zone, seat))


def _takes_part(public: Public, seat: int) -> bool:
    """Whether a simultaneous decision is one of `seat`, too."""
    return seat in public.task.seats if isinstance(public.task, Battle) else True
