"""Set-up, rounds and turns (Aristoocrazy R9 to R16, R29, R34, R35), as `rules` puts them in motion."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Final

from referee.games.aristoocrazy import battles, births, evaluation
from referee.games.aristoocrazy.actions import (
    ATTACK,
    COURT,
    COURT_NEUTRAL,
    DRAFT,
    END,
    EXCHANGE,
    MOVE,
    OCCUPY,
    SEX,
    USE,
    act,
    kind_of,
    numbers,
)
from referee.games.aristoocrazy.cards import CARD_KINDS, legal_cards, ordinary, play_card
from referee.games.aristoocrazy.data import EACH_SEX, FAMILY, FOLLY, MONEY, data
from referee.games.aristoocrazy.events import END as ENDED
from referee.games.aristoocrazy.events import ROUND, SETTLED, TURN, log
from referee.games.aristoocrazy.events import USE_PHASE as USE_BEGINS
from referee.games.aristoocrazy.people import (
    chip,
    claim,
    cradles,
    family,
    has_place,
    house_of,
    may_bear,
    move,
    put,
    sex_of,
    sexes_in_supply,
)
from referee.games.aristoocrazy.scoring import ranks
from referee.games.aristoocrazy.state import (
    EVENT,
    GO_ON,
    MOVE_PHASE,
    MOVING,
    NOBODY,
    OVER,
    RESTORE,
    UNSEEN,
    USE_PHASE,
    USING,
    WOMAN,
    Private,
    Public,
    Table,
)
from referee.games.aristoocrazy.tokens import single, spend, take

ROW: Final = 4
"""Cards that lie in the row (Aristoocrazy R10)."""
EACH: Final = 3
"""Traits of a character."""


def row_of(table: Table) -> list[int]:
    """The row of this round: the first cards of a game lie face down (Aristoocrazy R10)."""
    first = table.public.round - 1
    cards = table.hidden.events[first : first + ROW]
    return [UNSEEN if first + at < data().unscored else card for at, card in enumerate(cards)]


def legal_draft(public: Public, private: Private, seat: int) -> list[int]:
    """Any three of the tokens that are left, each trait once (Aristoocrazy R12)."""
    left = [trait for trait in public.variant.traits if trait != FOLLY and trait not in private.man]
    return [act(DRAFT, *traits) for traits in combinations(left, EACH)]


def men_chosen(table: Table) -> None:
    for zone in table.private:
        zone.man = numbers(zone.sealed)
    table.public.decision, table.public.pending = WOMAN, tuple(range(table.public.players))


def women_chosen(table: Table) -> None:
    settle(table, [(zone.man, numbers(zone.sealed)) for zone in table.private])
    for zone in table.private:
        zone.man = ()
    table.public.decision = GO_ON


def settle(table: Table, pairs: list[tuple[tuple[int, ...], ...]]) -> None:
    """The first man and the first woman of each house stand on its home (Aristoocrazy R11)."""
    public = table.public
    for seat, pair in enumerate(pairs):
        for char, traits in zip((FAMILY * seat, FAMILY * seat + EACH_SEX), pair, strict=True):
            put(public, char, public.variant.board.homes[seat], traits)
    log(table, SETTLED, tuple(pairs))
    public.phase = EVENT
    _begin_round(table)


# rounds and turns


def _begin_round(table: Table) -> None:
    public, players = table.public, table.public.players
    first = (public.round - 1) % players
    public.order = tuple((first + place) % players for place in range(players))
    public.heirs_born, public.attacked, public.gained_land = (
        [0] * players,
        [False] * players,
        [False] * players,
    )
    public.row = row_of(table)
    log(table, ROUND, (public.round, public.order, tuple(public.row)))
    public.place = 0
    _begin_turn(table, public.order[0])


def _begin_turn(table: Table, seat: int) -> None:
    """Aristoocrazy R15 (a) and (b)."""
    public = table.public
    public.turn, public.phase, public.decision = seat, MOVING, GO_ON
    public.card_played, public.hired, public.occasions = False, 0, [0, 0, 0]
    public.palisades = [field for field in public.palisades if public.owner[field] != seat]
    for char in range(FAMILY * seat, FAMILY * seat + FAMILY):
        public.acted[char] = public.fresh[char] = False
    log(table, TURN, seat)
    if not family(public, seat):
        public.decision, public.pending = RESTORE, (seat,)


def go_on(table: Table) -> None:
    """What comes next when nobody is asked."""
    public = table.public
    if public.phase == MOVING:
        public.decision, public.pending = MOVE_PHASE, (public.turn,)
    elif public.phase == USING:
        public.decision, public.pending = USE_PHASE, (public.turn,)
    elif public.phase == EVENT:
        _end_round(table)


def _end_phase(table: Table) -> None:
    public = table.public
    public.decision = GO_ON
    if public.phase == MOVING:
        public.phase = USING
        log(table, USE_BEGINS, public.turn)
        return
    public.place += 1
    if public.place < public.players:
        _begin_turn(table, public.order[public.place])
        return
    public.turn, public.phase = NOBODY, EVENT
    if public.round > data().unscored:
        evaluation.evaluate(table)


def _end_round(table: Table) -> None:
    """The evaluated card leaves the row; after the last the game is over (Aristoocrazy R14, R35)."""
    public = table.public
    if public.row[0] != UNSEEN:
        public.evaluated.append(public.row[0])
    if public.round == public.variant.rounds:
        public.row, public.phase, public.pending = [], OVER, ()
        log(table, ENDED, (tuple(public.vp), ranks(public)))
        return
    public.round += 1
    _begin_round(table)


# decisions of a turn


def legal_restore(public: Public, private: Private, seat: int) -> list[int]:
    """A man or a woman (Aristoocrazy R34)."""
    return [act(SEX, sex) for sex in sexes_in_supply(public, seat)]


def restore(table: Table, seat: int, action: int) -> None:
    table.public.decision = GO_ON
    births.call(table, "restored", numbers(action)[0])


def _asides(public: Public, private: Private, seat: int) -> list[int]:
    """What may be done in both phases of a turn: exchange, or play a card."""
    exchanges = ordinary(public) if private.stash[MONEY] else []
    return [
        *(act(EXCHANGE, trait) for trait in exchanges),
        *legal_cards(public, private.hand, seat),
    ]


def legal_move(public: Public, private: Private, seat: int) -> list[int]:
    """The actions of the move phase (Aristoocrazy R16)."""
    actions = [act(END)]
    adjacent, where, acted = public.variant.board.adjacent, public.where, public.acted
    fertile = may_bear(public, seat)
    for char in family(public, seat):
        if not acted[char]:
            for field in adjacent[where[char]]:
                actions += _moves(public, seat, char, field, fertile)
    return actions + _asides(public, private, seat)


def _moves(public: Public, seat: int, char: int, field: int, fertile: bool) -> list[int]:
    """What a character may do towards a neighbouring field; only a `fertile` house may court."""
    owner = public.owner[field]
    if owner == seat:
        return [act(MOVE, char, field)] if has_place(public, field) else []
    courts = fertile and bool(cradles(public, seat, field))
    if owner == NOBODY:
        occupy = [act(OCCUPY, char, field)] if public.crests[seat] else []
        return [*occupy, act(COURT_NEUTRAL, char, field)] if courts else occupy
    if field in public.palisades:
        return []
    actions = []
    if courts:
        hosts = [other for other in public.at[field] if sex_of(other) != sex_of(char)]
        actions = [act(COURT, char, field, host) for host in hosts if not public.fresh[host]]
    if public.at[field] or field not in public.variant.board.homes:
        actions.append(act(ATTACK, char, field))
    return actions


def legal_use(public: Public, private: Private, seat: int) -> list[int]:
    """The actions of the ability phase (Aristoocrazy R29)."""
    uses = [
        act(USE, char, trait)
        for char in family(public, seat)
        if not public.acted[char]
        for trait in sorted(set(public.traits[char]))
    ]
    return [act(END), *uses, *_asides(public, private, seat)]


def act_in_turn(table: Table, seat: int, action: int) -> None:
    """An action of either phase of a turn."""
    public, kind = table.public, kind_of(action)
    if kind == END:
        _end_phase(table)
        return
    public.decision = GO_ON
    if kind in CARD_KINDS:
        play_card(table, seat, action)
    elif kind == EXCHANGE:
        spend(table, seat, single(MONEY), "exchange")
        take(table, seat, numbers(action)[0], ordinary(public), "exchange")
    else:
        public.acted[numbers(action)[0]] = True
        _CHARACTER[kind](table, *numbers(action))


def _step(table: Table, char: int, field: int, _: int) -> None:
    move(table, char, field, "move")


def _occupy(table: Table, char: int, field: int, _: int) -> None:
    claim(table, field, house_of(char))
    move(table, char, field, "occupy")


def _court_neutral(table: Table, char: int, field: int, _: int) -> None:
    births.court_neutral(table, char, field)


def _attack(table: Table, char: int, field: int, _: int) -> None:
    battles.attack(table, char, field)


def _use(table: Table, char: int, trait: int, _: int) -> None:
    take(table, house_of(char), trait, table.public.traits[char], "use", char)
    chip(table, char)


_CHARACTER: Final[dict[int, Callable[[Table, int, int, int], None]]] = {
    MOVE: _step,
    OCCUPY: _occupy,
    COURT_NEUTRAL: _court_neutral,
    COURT: births.court,
    ATTACK: _attack,
    USE: _use,
}
"""What a character does, by kind of action; it has acted then."""
