"""Records as KGN (`protocol.kgn`): files of them read, and records written as this version's rules read them.

What the text itself does not say, where a trick or a turn ends and how long who thought, is taken from the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import wrap

from arena import notation
from arena.errors import InputError
from arena.notation import WIDTH
from arena.verification import Flaw, Tally, counted, game_breaks
from protocol import kgn
from protocol.codec import encode, read_strictly
from protocol.record import GameRecord, RecordPlay
from referee.replay import Broken, read, replay


def records_in(path: Path, data: bytes) -> Iterator[tuple[int, bytes]]:
    """The records (JSON) of a file of KGN, each with its first line (from 1). Raises InputError."""
    try:
        for line, record in kgn.read(data):
            yield line, encode(record)
    except kgn.Malformed as error:
        raise InputError(f"{path}, {error}", error.fix, "E268") from None


def text_of(data: bytes) -> str:
    """A record (JSON) as KGN, its result told in comments. Raises InputError; Broken where it is no record."""
    record = read(data)
    breaks, broken = _played(record.play)
    try:
        return kgn.write(read_strictly(data), breaks, _remarks(record, broken))
    except ValueError as error:
        fix = "its JSON is its only form: arena record show FILE --json"
        raise InputError(f"the record has no text form: {error}", fix, "E269") from None


def _played(play: RecordPlay) -> tuple[set[int], list[str]]:
    """The actions (from 0) before which something was decided, a trick or a turn; and why it does not go on."""
    breaks = set()
    try:
        for step in replay(play):
            if step.faults or len(step.events) > 1 or not step.state.to_act:
                breaks.add(step.number)
    except Broken as broken:
        return breaks, [f"it cannot be played on: {broken}"]
    return breaks, []


def _remarks(record: GameRecord, broken: Iterable[str]) -> Iterator[str]:
    """How it ended, in words: by seat, what went wrong, and where the rules do not go on with it."""
    _, *seats = notation.ending(record)
    faults = (notation.failing(record, fault) for fault in record.play.faults)
    for line in (*seats, *faults, *broken):
        yield from wrap(line.strip(), WIDTH - 2, subsequent_indent=" " * 3, break_on_hyphens=False)


def verify_text(path: Path, data: bytes, tally: Tally) -> Iterator[Flaw]:
    """Everything that does not hold in the games of a file of KGN. Raises InputError where it is none."""
    for line, record in records_in(path, data):
        play, breaks = game_breaks(record, None, tally, line)
        yield from (counted(tally, Flaw(line, play.id if play else "", place)) for place in breaks)
    if not tally.games:
        raise InputError(f"{path} has no game", "a game begins with: KGN 1", "E268")
