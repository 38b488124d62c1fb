"""A record as text that people read, of at most 80 columns: who, what was played, how it ended.

    seat:action  seat:action        a line for what was decided together (a trick); * is a house player

Texts from outside (names, notes, evidence) are made visible before they are folded; whoever prints a line keeps
it one line (`escape.visible`), since a record's other fields may come from outside, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from statistics import median
from textwrap import wrap
from typing import Any

from protocol.escape import label, visible
from protocol.record import GameRecord, RecordFault, RecordPlay
from protocol.vocabulary import LANGS, FaultKind, Seat
from referee.game import Event
from referee.games import GAMES
from referee.replay import Broken, Step, replay
from referee.wording import Terms, sentence

WIDTH = 80


@dataclass(frozen=True, slots=True)
class EventInfo:
    """Something that happened."""

    kind: str
    body: dict[str, Any]
    audience: list[int] | None
    """The seats that saw it; None: everybody."""


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """A line of `arena replay --json`."""

    step: int
    """Actions taken so far."""
    seat: int | None
    """Who took the last of them; None for the deal."""
    action: str | None
    """None for the deal, and for another seat's action where one seat's view is asked for."""
    house: bool
    """Whether a house player took it, in a faulty bot's place."""
    ms: float | None
    note: str | None
    events: list[EventInfo]
    """Since the step before."""
    faults: list[RecordFault]
    """Before the next action."""
    to_act: list[int]
    board: str
    view: dict[str, Any] | None
    """What the seat that is asked for knows."""
    printed: dict[Seat, str] = field(default_factory=dict)
    """By seat, what its bot printed in the game; in the last step, where that is asked for."""


def step_for(record: GameRecord, step: Step, seat: Seat | None = None, lang: str = LANGS[0]) -> ReplayStep:
    """A step as a program takes it: everything, or what `seat` knows."""
    own = bool(step.number) and seat in (None, step.seat)
    ms = record.account.ms[step.number - 1 : step.number] if own else []
    events = [
        EventInfo(e.kind, dict(e.body), None if e.audience is None else list(e.audience))
        for e in seen(step, seat)
    ]
    return ReplayStep(
        step=step.number, seat=step.seat, action=step.action if own else None, house=step.house,
        ms=ms[0] if ms else None, note=note_of(record, step.number) if own else None, events=events,
        faults=[fault for _, fault in step.faults], to_act=list(step.state.to_act),
        board=GAMES[record.play.game].render(step.state, seat, lang),
        view=None if seat is None else step.state.view(seat),
    )  # fmt: skip


def seen(step: Step, seat: Seat | None) -> list[Event]:
    """What happened in a step, as far as `seat` saw it (None: everything)."""
    return [event for event in step.events if seat is None or event.seen_by(seat)]


def heading(play: RecordPlay) -> Iterator[str]:
    """What was settled before the game."""
    yield f"game     {play.id}"
    yield from wrap(f"variant  {play.variant}", WIDTH, break_on_hyphens=False, subsequent_indent=" " * 9)
    yield f"rules    {play.rules}"
    if play.seed:
        yield f"seed     {play.seed}"
    else:
        yield from wrap(f"deal     {' '.join(play.cards)}", WIDTH, subsequent_indent=" " * 9)
    for n, seat in enumerate(play.seats):
        digest = f"@{seat.digest[:12]}" if seat.digest else ""
        yield f"seat {n}   {label(seat.bot)}{digest}" + (f", team {seat.team}" if has_teams(play) else "")


def moves(record: GameRecord) -> Iterator[str]:
    """The actions, a line for each thing decided, with notes and faults below it."""
    line: list[str] = []
    notes: list[str] = []
    first = 1
    try:
        for step in replay(record.play):
            if step.number:
                line.append(f"{step.seat}:{step.action}{'*' if step.house else ''}")
                notes += _note(record, step)
            if line and (step.faults or len(step.events) > 1 or not step.state.to_act):
                yield from [*_moves(first, line), *notes]
                line, notes, first = [], [], step.number + 1
            yield from faults(record, step.faults)
    except Broken as broken:
        yield f"     it cannot be played on: {broken}"
        line += [f"{seat}:{text}" for seat, text in record.play.actions[first + len(line) - 1 :]]
    if line:
        yield from [*_moves(first, line), *notes]


def faults(record: GameRecord, found: Iterable[tuple[int, RecordFault]], lines: int = 8) -> Iterator[str]:
    """What went wrong, with the first line of the evidence and the last ones, which say what a traceback comes to."""
    for number, fault in found:
        yield from folded(failing(record, fault), " " * 5 + "! ")
        said = evidence(record, number)
        for line in said[:1] + said[1:][-lines:]:
            yield from folded(line, " " * 7 + "| ")


def failing(record: GameRecord, fault: RecordFault) -> str:
    """A fault in a line: `seat 1 (rook): crash/exit 1, its turn 5`."""
    who = f"seat {fault.seat} ({label(record.play.seats[fault.seat].bot)})"
    return f"{who}: {cause(record, fault)}, its turn {fault.turn}"


def cause(record: GameRecord, fault: RecordFault) -> str:
    """`crash/exit 1`; of a timeout the limit: `timeout (move_ms 5000, margin_ms 20)`."""
    kind = f"{fault.kind}/{fault.reason}" if fault.reason else f"{fault.kind}"
    return f"{kind} ({_limit(record, fault)})" if fault.kind is FaultKind.TIMEOUT else kind


def evidence(record: GameRecord, number: int) -> list[str]:
    """The lines of what is kept with fault `number` (from 0)."""
    return record.account.evidence.get(str(number), "").strip().splitlines()


def folded(text: str, mark: str) -> list[str]:
    """A text from outside behind a mark, all of it, over as many lines as it needs."""
    return wrap(
        visible(text), WIDTH, initial_indent=mark, subsequent_indent=mark + "  ", break_on_hyphens=False
    )  # fmt: skip


def _limit(record: GameRecord, fault: RecordFault) -> str:
    """Which limit was met, and the margin: that of the start, the cap on one move, or what was left in the bank."""
    limits = record.account.limits
    if not fault.turn:
        return f"startup_ms {limits.get('startup_ms')}"
    cap, bank = limits.get("move_ms"), limits.get("bank_ms")
    margin = f", margin_ms {limits['margin_ms']}" if limits.get("margin_ms") else ""
    left = float(bank or 0)
    for ms, (seat, _) in zip(record.account.ms, record.play.actions[: fault.at], strict=False):
        if seat == fault.seat:
            left = max(0.0, left - ms) + (limits.get("increment_ms") or 0)
    if bank is None or (cap is not None and cap <= left):
        return f"move_ms {cap}{margin}"
    return f"bank_ms {bank}, {left:,.0f} ms of it left{margin}"


def note_of(record: GameRecord, number: int) -> str | None:
    """What the bot noted with action `number` (from 1)."""
    return record.account.notes.get(str(number - 1))


def ending(record: GameRecord) -> Iterator[str]:
    """The result: a line for each seat, the best first, with its thinking times."""
    play = record.play
    if not play.ranks:
        yield f"result   {play.verdict}: {play.void}"
        return
    yield f"result   {play.verdict}"
    names = [label(seat.bot) for seat in play.seats]
    width = max(map(len, names))
    faulty = {fault.seat: fault for fault in play.faults}
    for n in sorted(range(len(play.seats)), key=lambda n: (play.ranks[n], n)):
        times = [ms for ms, (seat, _) in zip(record.account.ms, play.actions, strict=False) if seat == n]
        pace = (
            f", {len(times)} move{'s' * (len(times) > 1)} of {median(times):,.1f} ms (most {max(times):,.1f})"
            if times
            else ""
        )
        fault = f", fault: {cause(record, faulty[n])}" if n in faulty else ""
        yield f"  {play.ranks[n] + 1}. seat {n} {names[n]:{width}}  score {play.scores[n]}{pace}{fault}"


def printed(record: GameRecord, said: Mapping[Seat, str]) -> Iterator[str]:
    """What bots printed in a game, by seat, a line for each of theirs."""
    for seat, text in said.items():
        yield ""
        yield from folded(f"printed by seat {seat} ({label(record.play.seats[seat].bot)}) in this game:", "")
        for line in text.splitlines():
            yield from folded(line, "  | ") or ["  |"]


def event_line(terms: Terms, kind: str, body: Mapping[str, Any]) -> str:
    """Something that happened, in a line: the game's sentence, or all that is told of it.

    >>> event_line({}, "cards", {"seat": 1, "cards": ["G1", "K2"], "why": None})
    'cards: seat 1, cards G1 K2, why -'
    """
    told = ", ".join(f"{key} {plain(value)}" for key, value in body.items())
    return sentence(terms, kind, body) or f"{kind}: {told}"


def plain(value: Any, joint: str = " ") -> str:
    """A value of an event for people, a list in it joined by `joint`.

    >>> plain(["G1", {"id": None, "traits": ["bow", "rule"], "up": False}])
    'G1 (id:- traits:bow+rule up:no)'
    """
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case list() | tuple():
            items = (f"({plain(one, '+')})" if isinstance(one, dict | list) else plain(one) for one in value)
            return joint.join(items) or "none"
        case dict():
            return " ".join(f"{key}:{plain(one, '+')}" for key, one in value.items())
    return str(value)


def has_teams(play: RecordPlay) -> bool:
    """Whether seats play together."""
    return len({seat.team for seat in play.seats}) < len(play.seats)


def _moves(first: int, line: list[str]) -> Iterator[str]:
    indent = " " * 5
    text = "  ".join(action.replace(" ", "\0") for action in line)
    for part in wrap(text, WIDTH, initial_indent=f"{first:3}. ", subsequent_indent=indent):
        yield part.replace("\0", " ")


def _note(record: GameRecord, step: Step) -> Iterator[str]:
    note = note_of(record, step.number)
    if note:
        said = f"{step.seat} “{visible(note)}”"
        yield from wrap(said, WIDTH, initial_indent=" " * 5, subsequent_indent=" " * 5)
