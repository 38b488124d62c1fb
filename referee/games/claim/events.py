"""What happened, as a compact log inside and as `Event`s for those who ask.

Whoever changes the table appends an `Entry`; nothing is rendered before `render`. What only some may
know is logged twice, once with the card for those who know it and once without for the others, so that
every seat sees as many events as every other and their number tells nothing.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from referee.game import Event, Seat
from referee.games.claim.actions import GNOME_OF_GIANT
from referee.games.claim.cards import LETTERS, NAMES, names
from referee.games.claim.state import NOBODY, Entry, Table
from referee.games.claim.variants import ClaimVariant

DEAL: Final = 0
TURNED: Final = 1
PLAYED: Final = 2
TRICK: Final = 3
LOOK: Final = 4
LOOK_UNSEEN: Final = 5
RECRUIT: Final = 6
DREW: Final = 7
DREW_UNSEEN: Final = 8
CAPTURE: Final = 9
ROW: Final = 10
OUT: Final = 11
SMASHED: Final = 12
PHASE: Final = 13
END: Final = 14

KINDS: Final = (
    "deal", "turned", "play", "trick", "look", "look", "recruit", "recruit",
    "recruit", "capture", "capture", "trolls_out", "smash", "phase", "end",
)  # fmt: skip
"""The kind of event that each kind of entry becomes."""


PLAYS: Final[list[list[Entry]]] = [[(PLAYED, seat, card) for card in range(100)] for seat in range(4)]
"""By seat, by card: the entries of most decisions, made once for all games;"""
RECRUITS: Final[list[list[Entry]]] = [[(RECRUIT, seat, card) for card in range(100)] for seat in range(4)]
"""and those of cards taken face up."""


def log_look(table: Table, seat: int, card: int) -> None:
    """Log that `seat` looks at the deck's top card: which it is for itself, and without it for the others."""
    table.log += [(LOOK, seat, card), (LOOK_UNSEEN, seat)]


def log_draw(table: Table, seat: int, card: int, knowers: tuple[int, ...]) -> None:
    """Log that `seat` recruits the deck's top card, for those who know it, and without it for the others."""
    table.log.append((DREW, seat, card) + knowers)
    if len(knowers) < table.public.players:
        table.log.append((DREW_UNSEEN, seat) + knowers)


def render(variant: ClaimVariant, entry: Entry) -> Event:
    """The event that an entry of the log stands for; its body may be shared by many games."""
    if len(entry) < 4 or entry[0] in _FEW:
        return _often(len(variant.teams), entry)
    if entry[0] == END:
        return Event(KINDS[END], _end_body(variant, entry[2:]))
    return _event(len(variant.teams), entry)


def _event(players: int, entry: Entry) -> Event:
    kind, seat, data = entry[0], entry[1], entry[2:]
    audience: list[int] | None = None
    if kind in (DEAL, LOOK):
        audience = [seat]
    elif kind == DREW:
        audience = [*data[1:]]
    elif kind in (LOOK_UNSEEN, DREW_UNSEEN):
        knowers = data or (seat,)
        audience = [other for other in range(players) if other not in knowers]
    seats = None if audience is None else tuple([Seat(knower) for knower in audience])
    return Event(KINDS[kind], _body(kind, seat, data), seats)


_FEW: Final = frozenset((TRICK, DREW, DREW_UNSEEN, SMASHED))
"""Kinds whose data say more than a card, and yet little: of few cards there are few thousand events."""

_often = cache(_event)


def _body(kind: int, seat: int, data: tuple[int, ...]) -> dict[str, Any]:
    if kind in (PLAYED, LOOK):
        return {"seat": seat, "card": NAMES[data[0]]}
    if kind == LOOK_UNSEEN:
        return {"seat": seat, "card": None}
    if kind == RECRUIT:
        return {"seat": seat, "card": NAMES[data[0]], "source": "faceup"}
    if kind == DREW:
        return {"seat": seat, "card": NAMES[data[0]], "source": "deck"}
    if kind == DREW_UNSEEN:
        return {"seat": seat, "card": None, "source": "deck"}
    if kind == DEAL:
        return {"seat": seat, "hand": names(data)}
    if kind in (TURNED, OUT):
        return {"cards": names(data)}
    if kind == TRICK:
        return {"ranking": list(data), "leads": None if seat == NOBODY else seat}
    if kind in (CAPTURE, ROW):
        return {"seat": seat, "cards": names(data), "to": "row" if kind == ROW else "pile"}
    if kind == SMASHED:
        giant, victim = data
        return {"seat": seat, "giant": NAMES[giant], "victim": victim, "gnome": NAMES[giant + GNOME_OF_GIANT]}
    return {"phase": "favour", "leads": seat}


def _end_body(variant: ClaimVariant, data: tuple[int, ...]) -> dict[str, Any]:
    """`data` is the owner of each faction's vote, then each seat's score, then each seat's rank."""
    count = len(variant.factions)
    results = list(data[count:])
    return {
        "votes": votes_by_letter(variant, data[:count]),
        "scores": results[: variant.players],
        "ranks": results[variant.players :],
    }


def votes_by_letter(variant: ClaimVariant, owners: tuple[int, ...]) -> dict[str, int | None]:
    """The team that has each faction's vote, None where nobody has."""
    return {LETTERS[faction]: _TEAM[owners[at]] for at, faction in enumerate(variant.factions)}


_TEAM: Final = (0, 1, 2, None)
"""A team as it is told; index NOBODY is the last."""
