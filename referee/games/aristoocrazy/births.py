"""Dice for characters, courtship and heirs (Aristoocrazy R6 to R8, R17 to R19).

    court_neutral -> red dice (partner) ---> black dice -> heir
    court -> consent -> dowry ------------/            (betrothal after a battle: the same)
    cousin, restored -> red dice -> arrival

Each throw is open to re-rolls while its roller has luck; what it is for goes on in `_SETTLED`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from referee.games.aristoocrazy.actions import DIE, HEIR, KEEP, NO, TAKE, YES, act, kind_of, numbers
from referee.games.aristoocrazy.data import LUCK
from referee.games.aristoocrazy.events import CONSENT as CONSENTED
from referee.games.aristoocrazy.events import COURTSHIP, REROLLED, ROLLED, log
from referee.games.aristoocrazy.people import (
    arrive,
    cradles,
    fold,
    house_of,
    in_supply,
    sex_of,
    sexes_in_supply,
)
from referee.games.aristoocrazy.state import (
    BLACK,
    CONSENT,
    DOWRY,
    GO_ON,
    HEIR_PLACE,
    NOBODY,
    RED,
    REROLL,
    Birth,
    Courtship,
    Private,
    Public,
    Roll,
    Table,
)
from referee.games.aristoocrazy.tokens import occasion, occasion_name, single, spend, take


def rolled(public: Public, roll: Roll) -> tuple[int, ...]:
    """The trait that each of the three dice shows."""
    if roll.die == RED:
        dice = public.variant.dice
        return tuple(dice[at][face - 1] for at, face in enumerate(roll.dice))
    return tuple(roll.slots[face - 1] for face in roll.dice)


def court_neutral(table: Table, char: int, field: int) -> None:
    """A suitor finds a partner on a neutral field (Aristoocrazy R17)."""
    log(table, COURTSHIP, (char, field, NOBODY))
    _throw(table, Roll("partner", RED, 0, (), 0, (), char, NOBODY, field, 1 - sex_of(char)))


def court(table: Table, char: int, field: int, partner: int) -> None:
    """A suitor before a character of another house, which is asked (Aristoocrazy R19)."""
    log(table, COURTSHIP, (char, field, partner))
    table.public.task = Courtship(char, partner, field)
    _ask(table.public, CONSENT, house_of(partner))


def call(table: Table, purpose: str, sex: int) -> None:
    """A character made by red dice comes home: a `cousin`, or one that `restored` an extinct house."""
    home = table.public.variant.board.homes[table.public.turn]
    _throw(table, Roll(purpose, RED, 0, (), 0, (), NOBODY, NOBODY, home, sex))


def conceive(table: Table, char: int, partner: int, field: int, others: tuple[int, ...]) -> None:
    """Black dice choose among the traits of `char` and the `others` of its partner (Aristoocrazy R18)."""
    slots = table.public.traits[char] + others
    _throw(table, Roll("heir", BLACK, 0, (), 0, slots, char, partner, field, 0))


def _ask(public: Public, decision: int, seat: int) -> None:
    public.decision, public.pending = decision, (seat,)


def _throw(table: Table, roll: Roll) -> None:
    public = table.public
    faces = table.hidden.luck.faces(occasion(table, roll.die), 0, 3)
    roll = roll._replace(number=public.occasions[roll.die], dice=faces, drawn=3)
    log(table, ROLLED, (public.turn, roll.die, faces, rolled(public, roll)))
    _offer(table, roll)


def _offer(table: Table, roll: Roll) -> None:
    """Ask for a re-roll, while there is luck to pay it (Aristoocrazy R8)."""
    public = table.public
    if table.private[public.turn].stash[LUCK]:
        public.task = roll
        _ask(public, REROLL, public.turn)
        return
    public.task, public.decision = None, GO_ON
    _SETTLED[roll.purpose](table, roll, fold(rolled(public, roll)))


def legal_reroll(public: Public, private: Private, seat: int) -> list[int]:
    """Keep, or throw one die again (Aristoocrazy R8)."""
    return [act(KEEP), *(act(DIE, number) for number in (1, 2, 3))]


def reroll(table: Table, seat: int, action: int) -> None:
    """Keep what the dice show, or pay one luck and throw one again."""
    public, roll = table.public, table.public.task
    assert isinstance(roll, Roll)
    if kind_of(action) == KEEP:
        public.task, public.decision = None, GO_ON
        _SETTLED[roll.purpose](table, roll, fold(rolled(public, roll)))
        return
    spend(table, seat, single(LUCK), "reroll")
    at = numbers(action)[0] - 1
    face = table.hidden.luck.faces(occasion_name(table, roll.die, roll.number), roll.drawn, 1)
    roll = roll._replace(dice=roll.dice[:at] + face + roll.dice[at + 1 :], drawn=roll.drawn + 1)
    log(table, REROLLED, (seat, at, roll.dice, rolled(public, roll)))
    _offer(table, roll)


def _partner_found(table: Table, roll: Roll, traits: tuple[int, ...]) -> None:
    conceive(table, roll.char, NOBODY, roll.field, traits)


def _came(table: Table, roll: Roll, traits: tuple[int, ...]) -> None:
    char = in_supply(table.public, table.public.turn, roll.sex)
    arrive(table, char, roll.field, traits, roll.purpose, ())


def _conceived(table: Table, roll: Roll, traits: tuple[int, ...]) -> None:
    table.public.task = Birth(roll.char, roll.partner, roll.field, traits)
    _ask(table.public, HEIR_PLACE, table.public.turn)


_SETTLED: Final[dict[str, Callable[[Table, Roll, tuple[int, ...]], None]]] = {
    "partner": _partner_found,
    "cousin": _came,
    "restored": _came,
    "heir": _conceived,
}
"""What follows when the dice are final, by what they were thrown for."""


def legal_heir(public: Public, private: Private, seat: int) -> list[int]:
    """Every sex in supply on every own field next to that of conception (Aristoocrazy R18)."""
    birth = public.task
    assert isinstance(birth, Birth)
    fields = cradles(public, seat, birth.field)
    return [act(HEIR, sex, field) for sex in sexes_in_supply(public, seat) for field in fields]


def bear(table: Table, seat: int, action: int) -> None:
    """The heir comes; it cannot act before its owner's next turn."""
    public, birth = table.public, table.public.task
    assert isinstance(birth, Birth)
    sex, field, _ = numbers(action)
    public.task, public.decision = None, GO_ON
    public.heirs_born[seat] += 1
    arrive(table, in_supply(public, seat, sex), field, birth.traits, "heir", (birth.char, birth.partner))


def legal_consent(public: Public, private: Private, seat: int) -> list[int]:
    """No, or yes."""
    return [act(NO), act(YES)]


def consent(table: Table, seat: int, action: int) -> None:
    """The host of a suitor answers (Aristoocrazy R19)."""
    given = kind_of(action) == YES
    log(table, CONSENTED, (seat, given))
    if given:
        _ask(table.public, DOWRY, seat)
    else:
        table.public.task, table.public.decision = None, GO_ON


def legal_dowry(public: Public, private: Private, seat: int) -> list[int]:
    """A token of any trait of the suitor."""
    courtship = public.task
    assert isinstance(courtship, Courtship)
    return [act(TAKE, trait) for trait in sorted(set(public.traits[courtship.char]))]


def dowry(table: Table, seat: int, action: int) -> None:
    """The host takes its token, then an heir is conceived."""
    public, courtship = table.public, table.public.task
    assert isinstance(courtship, Courtship)
    char, partner, field = courtship
    take(table, seat, numbers(action)[0], public.traits[char], "dowry")
    conceive(table, char, partner, field, public.traits[partner])
