"""Other worlds of Aristoocrazy: what a seat may not know of a game is made another.

Face-down and coming events, coming dice, thefts among others and cards in the deck or in other hands are of
the deal. The others' secret choices are plays: tokens taken under closed takes, and what is sealed or
committed and not yet revealed (R36). A world is tried out: it will do if all its plays are legal and what
lies on the table (`aristoocrazy_observed`) and what each play shows (`aristoocrazy_happened`) is the same at
every step; neither reads views or events.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from referee.game import Game, Seat, State
from referee.games.aristoocrazy import deals
from referee.games.aristoocrazy.actions import text as written
from referee.games.aristoocrazy.game import AristoocrazyState
from referee.games.aristoocrazy.luck import Luck
from referee.games.aristoocrazy.state import (
    BLACK,
    DECISIONS,
    OCCASIONS,
    RED,
    THIEF,
    UNSEEN,
    Battle,
    Public,
    Roll,
    Table,
)
from referee.games.aristoocrazy.variants import AristoocrazyVariant

Play = tuple[Seat, str]

ATTEMPTS = 12
CLOSED = ("use:", "exchange:", "take:", "card:tithe:")
SIMULTANEOUS = ("setup_man", "setup_woman", "commit", "lay", "bid", "pay", "hazard")
"""Decisions whose answers all see together, when the last has come (R36, R39)."""


def aristoocrazy_other_world(
    game: Game, id: str, literal: Sequence[str], plays: Sequence[Play], seat: Seat, rng: random.Random
) -> tuple[list[str], list[Play]]:
    """A deal and plays that show `seat` the same; the more daring ones are tried first."""
    variant = game.variant(id)
    assert isinstance(variant, AristoocrazyVariant)
    walk = list(_walk(game, variant, literal, plays))
    for attempt in range(ATTEMPTS):
        deal = _other_deal(variant, literal, walk, seat, rng, daring=attempt < ATTEMPTS - 2)
        changes = rng.randrange(1, 4) if attempt < ATTEMPTS - 2 else 0
        other = _other_plays(variant, walk, plays, seat, rng, changes)
        if _looks_the_same(game, variant, deal, other, walk, plays, seat):
            return deal, other
    raise LookupError("no other world was found")


def _walk(
    game: Game, variant: AristoocrazyVariant, literal: Sequence[str], plays: Sequence[Play]
) -> Iterator[AristoocrazyState]:
    """The state before each play and at the end; stops where a play is not legal."""
    state = game.deal(variant, literal)
    assert isinstance(state, AristoocrazyState)
    yield state.clone()
    for seat, text in plays:
        if text not in state.legal_text(seat):
            return
        state.apply(seat, state.parse(seat, text))
        yield state.clone()


def _other_deal(
    variant: AristoocrazyVariant,
    literal: Sequence[str],
    walk: Sequence[AristoocrazyState],
    seat: Seat,
    rng: random.Random,
    daring: bool,
) -> list[str]:
    """Other events that nobody has seen, other luck to come, and some cards in other places of the deck."""
    events, actions, luck = deals.read(variant, literal)
    shown = {at for state in walk for at in _shown_events(state.table.public)}
    unseen = list(variant.deck)
    for at in shown:
        unseen.remove(events[at])
    rng.shuffle(unseen)
    events = [card if at in shown else unseen.pop() for at, card in enumerate(events)]
    if daring and actions:
        _swap_cards(actions, walk[-1].table, seat, rng)
    fixed = dict(_to_come(walk[-1].table, rng))
    if daring:
        fixed |= {name: (rng.randrange(60),) for name in _thefts_among_others(walk[-1], seat)}
    return deals.written(variant, events, actions, Luck(luck.seed, fixed))


def _swap_cards(actions: list[int], table: Table, seat: Seat, rng: random.Random) -> None:
    """Cards in other hands change places with cards of the deck, and the deck is in another order."""
    deck = table.public.deck
    held = [card for other, zone in enumerate(table.private) if other != seat for card in zone.hand]
    for card in held:
        places = [at for at in range(deck, len(actions)) if actions[at] == card]
        if deck and places and rng.random() < 0.7:
            one, other = rng.choice(places), rng.randrange(deck)
            actions[one], actions[other] = actions[other], actions[one]
    bottom = actions[:deck]
    rng.shuffle(bottom)
    actions[:deck] = bottom


def _shown_events(public: Public) -> list[int]:
    """The places, in the order of the deck as it was dealt, of the cards that lie open now."""
    first = public.round - 1
    return [first + at for at, card in enumerate(public.row) if card != UNSEEN]


def _to_come(table: Table, rng: random.Random) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Dice and thefts that have not fallen yet; of a throw under way, the re-rolls."""
    public = table.public
    for round in range(public.round, public.variant.rounds + 1):
        for seat in range(public.players):
            place = public.order.index(seat)
            if round == public.round and place < public.place:
                continue
            now = round == public.round and place == public.place
            for kind, name in enumerate(OCCASIONS):
                for number in range(1 + (public.occasions[kind] if now else 0), 8):
                    faces = tuple(rng.randrange(1, 7) for _ in range(1 if kind == THIEF else 6))
                    yield f"{name}/{round}/{seat}/{number}", faces
    if isinstance(roll := public.task, Roll):
        name = f"{OCCASIONS[roll.die]}/{public.round}/{public.turn}/{roll.number}"
        fallen = table.hidden.luck.faces(name, 0, roll.drawn)
        yield name, (*fallen, *(rng.randrange(1, 7) for _ in range(9)))


def _thefts_among_others(state: AristoocrazyState, seat: Seat) -> Iterator[str]:
    """The occasions of the thefts so far of which the seat has not seen what was stolen."""
    round = turn = count = 0
    for event in state.events():
        if event.kind == "round":
            round = event.body["round"]
        elif event.kind == "turn":
            turn, count = event.body["seat"], 0
        elif event.kind == "stolen" and event.body["trait"] is not None:
            count += 1
            if seat not in (event.body["seat"], event.body["from"]):
                yield f"thief/{round}/{turn}/{count}"


def _other_plays(
    variant: AristoocrazyVariant,
    walk: Sequence[AristoocrazyState],
    plays: Sequence[Play],
    seat: Seat,
    rng: random.Random,
    changes: int,
) -> list[Play]:
    """The plays, some of the others' secret choices made another way."""
    secret = [
        at for at, (actor, text) in enumerate(plays) if actor != seat and _is_secret(variant, walk, at, text)
    ]
    sealed = [at for at in secret if not plays[at][1].startswith(CLOSED) and rng.random() < 0.7]
    other = list(plays)
    for at in {*sealed, *rng.sample(secret, min(changes, len(secret)))} if changes else ():
        actor, text = plays[at]
        head = text.rsplit(":", 1)[0]
        choices = [
            choice
            for choice in walk[at].legal_text(actor)
            if choice != text and (walk[at].table.public.pending != (actor,) or choice.startswith(head + ":"))
        ]
        if choices:
            other[at] = (actor, rng.choice(choices))
    return other


def _is_secret(variant: AristoocrazyVariant, walk: Sequence[AristoocrazyState], at: int, text: str) -> bool:
    """Whether nobody else has come to know the play by the end of the walk (R36, R37)."""
    if text.startswith(CLOSED):
        return not variant.open_takes
    kind = DECISIONS[walk[at].table.public.decision]
    now = walk[-1].table.public
    if kind in ("setup_man", "setup_woman"):
        return DECISIONS[now.decision] in ("setup_man", "setup_woman")
    if kind == "commit":
        same = all(DECISIONS[state.table.public.decision] in ("commit", "lay") for state in walk[at:])
        return same and not variant.quick
    if kind in ("lay", "bid", "pay", "hazard"):
        revealed = any(DECISIONS[state.table.public.decision] != kind for state in walk[at:])
        return not revealed and _sealed(walk, at)
    return False


def _sealed(walk: Sequence[AristoocrazyState], at: int) -> bool:
    """Whether the answers of the set of play `at` are still sealed at the end."""
    sizes = [len(state.table.public.pending) for state in walk[at:]]
    return all(after < before for before, after in pairwise(sizes))


def _looks_the_same(
    game: Game,
    variant: AristoocrazyVariant,
    literal: Sequence[str],
    plays: Sequence[Play],
    walk: Sequence[AristoocrazyState],
    true: Sequence[Play],
    seat: Seat,
) -> bool:
    other = list(_walk(game, variant, literal, plays))
    return len(other) == len(walk) and list(_sights(walk, true, seat)) == list(_sights(other, plays, seat))


def _sights(walk: Sequence[AristoocrazyState], plays: Sequence[Play], seat: Seat) -> Iterator[Any]:
    yield aristoocrazy_observed(walk[0], seat)
    for play, (before, after) in zip(plays, pairwise(walk), strict=True):
        yield aristoocrazy_happened(before, play, after, seat), aristoocrazy_observed(after, seat)


def aristoocrazy_observed(state: State, seat: Seat) -> Any:
    """What lies on the table, and what is behind the seat's own screen."""
    assert isinstance(state, AristoocrazyState)
    public, own = state.table.public, state.table.private[seat]
    table = [
        public.owner, public.where, public.traits, public.red, public.acted, public.fresh, public.crests,
        public.vp, public.trophies, public.wounds, public.battles_won, public.size, public.cards_held,
        public.discard, public.deck, public.row, public.round, public.turn, public.phase, public.decision,
        public.pending, public.task, public.hired, public.palisades, public.evaluated, public.order,
        public.attacked, public.gained_land, public.heirs_born, public.card_played,
    ]  # fmt: skip
    return [table, own.stash, own.hand, own.sealed, own.staked, own.man]


def aristoocrazy_happened(before: State, play: Play, after: State, seat: Seat) -> Any:
    """What a play shows the seat and leaves no trace on the table (R36, R37, Q3): computed, not read."""
    assert isinstance(before, AristoocrazyState) and isinstance(after, AristoocrazyState)
    one, two = before.table, after.table
    return [
        _said(one, play),
        list(_dice(one, play, two.public)),
        _revealed(one, play),
        _stakes(one, play, two.public),
        _counted(one, two.public),
        _spied(one, play, seat),
    ]


def _said(table: Table, play: Play) -> Play | Seat:
    """The play as all may hear it: nobody hears an answer of a set, nor what is taken under closed takes."""
    seat, text = play
    if DECISIONS[table.public.decision] in SIMULTANEOUS:
        return seat
    closed = text.startswith(CLOSED) and not table.public.variant.open_takes
    return (seat, text.rsplit(":", 1)[0]) if closed else play


def _dice(table: Table, play: Play, after: Public) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The faces that have fallen: of new throws, and of a die thrown again (R36: all see all rolls)."""
    public, luck = table.public, table.hidden.luck
    if isinstance(roll := public.task, Roll) and play[1].startswith("die:"):
        name = f"{OCCASIONS[roll.die]}/{public.round}/{public.turn}/{roll.number}"
        yield name, luck.faces(name, roll.drawn, 1)
    same_turn = (public.round, public.turn) == (after.round, after.turn)
    for die in (RED, BLACK):
        for number in range(public.occasions[die] if same_turn else 0, after.occasions[die]):
            name = f"{OCCASIONS[die]}/{after.round}/{after.turn}/{number + 1}"
            yield name, luck.faces(name, 0, 3)


def _is_last(public: Public) -> bool:
    """Whether one answer is still missing in a set."""
    return DECISIONS[public.decision] in SIMULTANEOUS and len(public.pending) == 1


def _answers(table: Table, play: Play) -> list[str]:
    """By seat, the answers of a set together with its last."""
    sealed = [written(zone.sealed) if zone.sealed != UNSEEN else "" for zone in table.private]
    return [play[1] if seat == play[0] else answer for seat, answer in enumerate(sealed)]


def _revealed(table: Table, play: Play) -> Any:
    """All answers, with the last of a set; of the set-up after the women, of a commitment see `_stakes`."""
    if not _is_last(table.public) or DECISIONS[table.public.decision] in ("setup_man", "commit"):
        return None
    return [zone.man for zone in table.private], _answers(table, play)


def _stakes(table: Table, play: Play, after: Public) -> Any:
    """What both have committed, once a battle is over (R36): what is laid, taught, and left."""
    battle, kind = table.public.task, DECISIONS[table.public.decision]
    over = kind in ("commit", "lay") and DECISIONS[after.decision] not in ("commit", "lay")
    if not over or not isinstance(battle, Battle):
        return None
    return [battle.laid, battle.taught, [zone.staked for zone in table.private], _answers(table, play)]


def _counted(table: Table, after: Public) -> list[int]:
    """The tokens of a symbol that was evaluated: they are counted openly (Q3)."""
    public = table.public
    if len(after.evaluated) == len(public.evaluated):
        return []
    event = public.variant.events[after.evaluated[-1]]
    return (
        [zone.stash[event.trait] for zone in table.private]
        if event.type == "SYM" and event.trait >= 0
        else []
    )


def _spied(table: Table, play: Play, seat: Seat) -> Any:
    """What is behind the screen of a house that the seat spies on (A05)."""
    if play[0] != seat or not play[1].startswith("card:spy:"):
        return None
    zone = table.private[int(play[1].rsplit(":", 1)[1])]
    return zone.stash, zone.hand
