"""The table as plain text of at most 80 columns, from the public zone and the private ones it is given.

    what is going on, whose turn it is
    the trick under way and the last one, what lies face up or out
    votes and score piles, a line a faction
    seat by seat: hand, followers, and what all know of it

Colours (`referee.wording.Inks`) are found in the text afterwards, so nothing is said by a colour alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Final

from referee.games.claim.cards import LETTERS, NAMES, Card, names
from referee.games.claim.scoring import owners
from referee.games.claim.state import DECISIONS, NOBODY, UNSEEN, Private, Public
from referee.games.claim.view import follower_counts, hand_sizes
from referee.wording import Terms

_WIDTH: Final = 80
_LABEL: Final = 17
_DASH: Final = "-"

INKS: Final = {
    r"\b(?:seat|hráč\w*) \d\b": "strong",
    r"\bG\d+\b|\b(?:Goblins|skřeti)\b": "green",
    r"\bK\d+\b|\b(?:Knights|rytíři)\b": "bright blue",
    r"\bU\d+\b|\b(?:Undead|nemrtví)\b": "magenta",
    r"\bW\d+\b|\b(?:Dwarves|trpaslíci)\b": "yellow",
    r"\bX\d+\b|\b(?:Doppelgangers|dvojníci)\b": "cyan",
    r"\bN\d+\b|\b(?:Gnomes|gnómové)\b": "strong green",
    r"\bA\d+\b|\b(?:Giants|obři)\b": "strong yellow",
    r"\bT\d+\b|\b(?:Trolls|trollové)\b": "strong magenta",
    r"\bD\d+\b|\b(?:Dragons|draci)\b": "red",
    r"\bS\d+\b|\b(?:Seers|věštci)\b": "strong cyan",
}
"""Cards and factions; a deck has at most seven of them."""


def board(public: Public, shown: Mapping[int, Private], terms: Terms) -> str:
    """The position with the cards of the seats in `shown`, one line feed between lines."""
    lines = [*_heading(public, terms), "", *_middle(public, terms)]
    if any(public.piles) or any(public.rows):
        lines += ["", *_piles(public, terms)]
    for seat in range(public.players):
        lines += ["", *_seat(public, seat, shown.get(seat), terms)]
    return "\n".join(lines)


def _heading(public: Public, terms: Terms) -> list[str]:
    phase = terms["phase.favour" if public.favour else "phase.recruit"]
    number = min(public.number + 1, public.variant.each)
    decision = DECISIONS[public.decision]
    turn = terms["word.over"]
    if decision is not None:
        turn = terms["word.turn"].format(
            seat=_name(public.turn, terms), decision=terms[f"decision.{decision}"]
        )
    where = f"{phase}, {terms['word.trick']} {number}/{public.variant.each}; {turn}"
    return [*wrap(public.variant.id, _WIDTH, break_on_hyphens=False), where]


def _name(seat: int, terms: Terms) -> str:
    return f"{terms['word.seat']} {seat}"


def _middle(public: Public, terms: Terms) -> Iterator[str]:
    if public.tricks and not public.plays:
        last = public.tricks[-1]
        yield from _line(
            terms["word.last_trick"], _trick(public, last.leader, last.cards, last.ranking, terms)
        )
    if public.turn != NOBODY:
        plays = _trick(public, public.leader, public.plays, public.ranking, terms)
        leads = f"{_name(public.leader, terms)} {terms['word.leader']}"
        yield from _line(terms["word.trick"], plays or [leads])
    if not public.favour:
        yield from _line(
            terms["word.faceup"], [*names(public.faceup), f"({terms['word.deck']} {public.deck})"]
        )
    if public.out:
        yield from _line(terms["word.trolls_out"], names(public.out))
    if public.removed:
        yield from _line(terms["word.removed"], names(public.removed))


def _trick(
    public: Public, leader: int, cards: Sequence[Card], order: Sequence[int], terms: Terms
) -> list[str]:
    """In order of play: `seat 1 K7 (leads)`, `seat 0 K9 (wins)`; a trick under way has no winner yet."""
    plays = []
    for at, card in enumerate(cards):
        seat = (leader + at) % public.players
        marks = [terms["word.leader"]] * (at == 0) + [terms["word.winner"]] * (seat in order[:1])
        said = f" ({', '.join(marks)})" if marks else ""
        plays.append(f"{_name(seat, terms)} {NAMES[card]}{said} ")
    return plays


def _piles(public: Public, terms: Terms) -> Iterator[str]:
    """A line a faction: who has its vote, and its cards in each pile; in as many parts as the columns need."""
    factions = public.variant.factions
    holders = [_DASH if team == NOBODY else _holder(public, team, terms) for team in owners(public)]
    piles = [
        [f"{terms['word.pile']} {seat}", *(_digits(pile, faction) for faction in factions)]
        for seat, pile in enumerate(public.piles)
    ]
    names = ["", *(terms[f"faction.{LETTERS[faction]}"] for faction in factions)]
    label = max(_LABEL, *(len(name) + 4 for name in names))
    for part in _parts([[terms["word.votes"], *holders], *piles], _WIDTH - label):
        widths = [max(map(len, column)) for column in part]
        for name, *cells in zip(names, *part, strict=True):
            row = "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
            yield f"  {name}".ljust(label) + row.rstrip()


def _holder(public: Public, team: int, terms: Terms) -> str:
    """Who has a vote: a seat, or a team where several seats are one."""
    return f"{terms['word.team' if _has_teams(public) else 'word.seat']} {team}"


def _has_teams(public: Public) -> bool:
    return public.variant.sides < public.players


def _parts(columns: Sequence[list[str]], width: int) -> Iterator[list[list[str]]]:
    """Columns, as many together as are not wider than `width`."""
    part: list[list[str]] = []
    for column in columns:
        if part and sum(max(map(len, one)) + 2 for one in [*part, column]) - 2 > width:
            yield part
            part = []
        part.append(column)
    yield part


def _digits(cards: Iterable[Card], faction: int) -> str:
    """The cards of one faction, of which every value is one digit: `K27`."""
    values = "".join(str(card % 10) for card in sorted(cards) if card // 10 == faction)
    return LETTERS[faction] + values if values else _DASH


def _seat(public: Public, seat: int, private: Private | None, terms: Terms) -> Iterator[str]:
    mark = ">" if seat == public.turn else " "
    team = f", {terms['word.team']} {public.variant.teams[seat]}" if _has_teams(public) else ""
    counts = [
        (terms["word.hand"], hand_sizes(public)[seat]),
        (terms["word.followers"], follower_counts(public)[seat]),
    ]
    yield f"{mark}{_name(seat, terms)}{team}: {', '.join(f'{word} {count}' for word, count in counts)}"
    if private is not None:
        yield from _line(terms["word.hand"], _by_faction(private.hand))
        if not public.favour:
            yield from _line(terms["word.followers"], _by_faction(private.recruited))
        if private.look != UNSEEN:
            yield from _line(terms["word.look"], [NAMES[private.look]])
    elif public.known[seat]:
        yield from _line(terms["word.known"], _by_faction(public.known[seat]))
    if public.voids[seat]:
        yield from _line(
            terms["word.voids"], [terms[f"faction.{letter}"] + " " for letter in public.voids[seat]]
        )
    if public.rows[seat]:
        yield from _line(terms["word.gnomes"], names(public.rows[seat]))


def _by_faction(cards: Iterable[Card]) -> list[str]:
    """Cards, those of a faction close together."""
    groups: dict[int, list[str]] = {}
    for card in sorted(cards):
        groups.setdefault(card // 10, []).append(NAMES[card])
    return [" ".join(group) + " " for group in groups.values()]


def _line(label: str, items: Sequence[str]) -> list[str]:
    """Items behind a label, on as many lines as they need; none is torn."""
    text = " ".join(item.replace(" ", "\0", item.rstrip().count(" ")) for item in items) or _DASH
    head = f"  {label}".ljust(_LABEL)
    lines = wrap(text, _WIDTH, initial_indent=head, subsequent_indent=" " * _LABEL, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]
