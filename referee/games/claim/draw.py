"""The board as plain text of at most 80 columns, from the public zone and the private ones it is given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from textwrap import wrap
from typing import Final

from referee.games.claim.cards import LETTERS, NAMES, Card, names
from referee.games.claim.events import votes_by_letter
from referee.games.claim.scoring import owners
from referee.games.claim.state import DECISIONS, UNSEEN, Private, Public
from referee.games.claim.view import follower_counts, hand_sizes

_WIDTH: Final = 80
_LABEL: Final = 13


def board(public: Public, shown: Mapping[int, Private]) -> str:
    """The position with the cards of the seats in `shown`, one line feed between lines."""
    lines = [*_heading(public), *_middle(public)]
    for seat in range(public.players):
        lines += ["", *_seat(public, seat, shown.get(seat))]
    return "\n".join(lines)


def _heading(public: Public) -> list[str]:
    phase = "favour" if public.favour else "recruit"
    number = min(public.number + 1, public.variant.each)
    decision = DECISIONS[public.decision]
    turn = "the game is over" if decision is None else f"seat {public.turn} to {decision}"
    where = f"{phase} phase, trick {number} of {public.variant.each}; {turn}"
    return [*wrap(public.variant.id, _WIDTH, break_on_hyphens=False), where]


def _middle(public: Public) -> list[str]:
    players = public.players
    plays = [f"{(public.leader + at) % players}:{NAMES[card]}" for at, card in enumerate(public.plays)]
    lines = _line("trick", plays or [f"seat {public.leader} leads"])
    if not public.favour:
        lines += _line("face up", [*names(public.faceup), f"(deck {public.deck})"])
    if public.out:
        lines += _line("Trolls out", names(public.out))
    if public.removed:
        lines += _line("removed", names(public.removed))
    return lines + _line("votes", _votes(public))


def _votes(public: Public) -> list[str]:
    votes = votes_by_letter(public.variant, owners(public)).items()
    return [f"{letter}:{'-' if team is None else team}" for letter, team in votes]


def _seat(public: Public, seat: int, private: Private | None) -> list[str]:
    mark = ">" if seat == public.turn else " "
    team = f", team {public.variant.teams[seat]}" if public.variant.sides < public.players else ""
    counts = f"hand {hand_sizes(public)[seat]}, followers {follower_counts(public)[seat]}"
    lines = [f"{mark}seat {seat}{team}: {counts}"]
    if private is not None:
        lines += _line("hand", _by_faction(private.hand))
        if not public.favour:
            lines += _line("followers", names(private.recruited))
        if private.look != UNSEEN:
            lines += _line("top of deck", [NAMES[private.look]])
    else:
        lines += _line("known", names(public.known[seat]))
    if public.voids[seat]:
        lines += _line("lacks", list(public.voids[seat]))
    if public.rows[seat]:
        lines += _line("Gnomes", names(public.rows[seat]))
    return lines + _line("pile", _by_faction(public.piles[seat]))


def _by_faction(cards: Iterable[Card]) -> list[str]:
    """`K2 K7 U0` as `K27 U0`: every value is one digit."""
    values: dict[int, str] = {}
    for card in sorted(cards):
        values[card // 10] = values.get(card // 10, LETTERS[card // 10]) + str(card % 10)
    return list(values.values())


def _line(label: str, words: list[str]) -> list[str]:
    text = " ".join(words) or "-"
    head = f"  {label}".ljust(_LABEL)
    return wrap(text, _WIDTH, initial_indent=head, subsequent_indent=" " * _LABEL)
