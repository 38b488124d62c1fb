"""A record as text that people read, of at most 80 columns: who, what was played, how it ended.

    seat:action  seat:action        a line for what was decided together (a trick); * is a house player

Texts from outside (names, notes, evidence) are as they came: whoever prints them escapes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from textwrap import wrap

from protocol.record import GameRecord, RecordPlay
from referee.replay import Broken, Step, replay

WIDTH = 80


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
        yield f"seat {n}   {seat.bot}{digest}" + (f", team {seat.team}" if has_teams(play) else "")


def moves(record: GameRecord) -> Iterator[str]:
    """The actions, a line for each thing decided, with notes and faults where they belong."""
    line: list[str] = []
    first = 1
    try:
        for step in replay(record.play):
            if step.number:
                line.append(f"{step.seat}:{step.action}{'*' if step.house else ''}")
            aside = [*_note(record, step), *faults(record, step)]
            if line and (aside or len(step.events) > 1 or not step.state.to_act):
                yield from _moves(first, line)
                line, first = [], step.number + 1
            yield from aside
    except Broken as broken:
        yield f"     it cannot be played on: {broken}"
        line += [f"{seat}:{text}" for seat, text in record.play.actions[first + len(line) - 1 :]]
    if line:
        yield from _moves(first, line)


def faults(record: GameRecord, step: Step) -> Iterator[str]:
    """What went wrong before the next action, with the evidence's first lines."""
    for number, fault in step.faults:
        kind = f"{fault.kind}/{fault.reason}" if fault.reason else f"{fault.kind}"
        yield f"     ! seat {fault.seat} ({record.play.seats[fault.seat].bot}): {kind}, its turn {fault.turn}"
        evidence = record.account.evidence.get(str(number), "").strip().splitlines()
        yield from (f"       | {line}"[:WIDTH] for line in evidence[-8:])


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
    width = max(len(seat.bot) for seat in play.seats)
    faulty = {fault.seat: fault for fault in play.faults}
    for n in sorted(range(len(play.seats)), key=lambda n: (play.ranks[n], n)):
        times = [ms for ms, (seat, _) in zip(record.account.ms, play.actions, strict=False) if seat == n]
        pace = f", {len(times)} moves of {median(times):.1f} ms (most {max(times):.1f})" if times else ""
        fault = f", fault: {faulty[n].kind}" if n in faulty else ""
        yield f"  {play.ranks[n] + 1}. seat {n} {play.seats[n].bot:{width}}  score {play.scores[n]}{pace}{fault}"


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
        yield from wrap(f"“{note}”", WIDTH, initial_indent=" " * 5, subsequent_indent=" " * 5)
