r"""KGN written: lines of at most WIDTH characters, if no seat and no name is longer than that.

>>> print("\n".join(_field("note", ["a", "7", 7, "two words", "\u202e", {"k": None}])))
note [a "7" 7 "two words" "\u202e" {k null}]
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from math import inf
from typing import Any, Final

from protocol.codec import encode
from protocol.escape import visible
from protocol.kgn.tokens import BEGIN, CONSTANTS, FIRST, LONGEST, MARK, NUMBER, WORD
from protocol.record import LINK, RecordPlay

WIDTH: Final = 80
_PLAY: Final = tuple(RecordPlay.model_fields)
_HEAD: Final = ("id", "game", "variant", "rules", "deal", "seed", "cards", "seats")
_RESULT: Final = ("verdict", "ranks", "scores")
_TAIL: Final = ("void", "nonce", "commitment", "block", "block_size")
_PAD: Final = 9
"""Columns of a name and the space behind it, where names stand in a column."""


def write(record: Mapping[str, Any], breaks: Collection[int] = (), remarks: Iterable[str] = ()) -> str:
    """A record (JSON-able) as text that ends with a blank line.

    A line of moves ends before each action (from 0) in `breaks`; where none are given, where a seat acts again.
    `remarks` become comments below the result. Raises ValueError where the fields of its play are not all there, in
    their order.
    """
    play, account = record["play"], record["account"]
    if list(play) != [name for name in _PLAY if name in play] or not set(_PLAY) - set(play) <= {"void"}:
        raise ValueError(f"its play has not got {', '.join(_PLAY)}, in this order")
    notes, evidence = (_told(account.get(name, {}), play[of]) for name, of in _BELONG.items())
    links = [record["links"][at : at + LINK] for at in range(0, len(record["links"]), LINK)]
    lines = [
        FIRST, *_fields(play, _HEAD, _PAD), "", "moves", *_moves(play, notes, evidence, breaks), "",
        *_fields(play, _RESULT, _PAD), *(f"; {visible(remark)}".rstrip() for remark in remarks), "",
        *_fields(play, _TAIL), *_folded(["links", *links]), *_field("play_hash", record["play_hash"]),
        *_field("account_hash", record["account_hash"]), "", "account", *_account(account, notes, evidence),
    ]  # fmt: skip
    return "\n".join([*lines, "", ""])


_BELONG: Final = {"notes": "actions", "evidence": "faults"}


def _told(texts: Mapping[str, str], things: Collection[Any]) -> Mapping[str, str]:
    """Texts by number, if each can stand behind its thing: they are in order, and of things that there are."""
    numbers = {int(key) for key in texts if key.isascii() and key.isdecimal() and len(key) < 9}
    return texts if list(texts) == [str(n) for n in sorted(numbers) if n < len(things)] else {}


def _account(
    account: Mapping[str, Any], notes: Mapping[str, str], evidence: Mapping[str, str]
) -> Iterator[str]:
    above = {name for name, texts in (("notes", notes), ("evidence", evidence)) if texts}
    for name, value in account.items():
        yield from [name] if name in above else _field(name, value)


def _fields(values: Mapping[str, Any], names: Iterable[str], pad: int = 0) -> Iterator[str]:
    for name in names:
        if name in values:
            yield from _field(name, values[name], pad)


def _field(name: str, value: Any, pad: int = 0) -> Iterator[str]:
    """A name and its value, which begins at column `pad` or behind the name."""
    *begun, last = _quoted(name) if name == BEGIN else _string(name)
    return _folded([*begun, last.ljust(pad - 1), *_units(value)], indent=" " * (pad or 4))


def _moves(
    play: Mapping[str, Any], notes: Mapping[str, str], evidence: Mapping[str, str], breaks: Collection[int]
) -> Iterator[str]:
    """A line for what belongs together, its first number before it, and what is to be told behind it."""
    faults = deque(enumerate(play["faults"]))
    row: list[tuple[int, str]] = []
    for number, (seat, action) in enumerate(play["actions"]):
        told = [*_note(notes, number), *_faults(faults, number, evidence)]
        if told or (number in breaks if breaks else any(seat == other for other, _ in row)):
            yield from _row(number, row)
            row = []
        yield from told
        row.append((seat, action))
    taken = len(play["actions"])
    yield from [*_row(taken, row), *_note(notes, taken), *_faults(faults, inf, evidence)]


def _row(taken: int, row: list[tuple[int, str]]) -> Iterator[str]:
    """Actions, of which the last is number `taken` (from 1)."""
    units: list[str] = []
    for seat, action in row:
        first, *more = [action] if _is_plain(action) else _quoted(action)
        units += [f"{seat}:{first}", *more]
        units[-1] += " "
    return _folded(units, f"{taken - len(row) + 1:>5}. ", " " * 7)


def _is_plain(action: str) -> bool:
    first, *others = action.split(" ")
    words = all(WORD.fullmatch(word) for word in (first, *others))
    marks = any(MARK.match(word) for word in others)
    return words and not marks and len(action) <= LONGEST and visible(action) == action


def _note(notes: Mapping[str, str], taken: int) -> Iterator[str]:
    text = notes.get(str(taken - 1))
    return _folded([] if text is None else _quoted(text), " " * 7, " " * 7)


def _faults(faults: deque[tuple[int, Any]], taken: float, evidence: Mapping[str, str]) -> Iterator[str]:
    while faults and faults[0][1]["at"] <= taken:
        number, fault = faults.popleft()
        yield from _folded(["!", *_units(fault)], " " * 5, " " * 7)
        if (text := evidence.get(str(number))) is not None:
            yield from (" " * 7 + unit for unit in _quoted(text))


def _units(value: Any) -> Iterator[str]:
    """A value as pieces between which a line may end."""
    match value:
        case str():
            yield from _string(value)
        case Mapping():
            yield from _within(
                "{", [unit for pair in value.items() for one in pair for unit in _units(one)], "}"
            )
        case [{}, _, *_]:
            yield from _within(
                "[",
                [f"\n{unit}" if at == 0 else unit for one in value for at, unit in enumerate(_units(one))],
                "]",
            )
        case list() | tuple():
            yield from _within("[", [unit for one in value for unit in _units(one)], "]")
        case _:
            yield encode(value).decode()


def _within(begin: str, units: list[str], end: str) -> list[str]:
    if not units:
        return [begin + end]
    units[0] = begin + units[0].lstrip("\n")
    units[-1] += end
    return units


def _string(text: str) -> list[str]:
    bare = WORD.fullmatch(text) and visible(text) == text and len(text) <= LONGEST
    return [text] if bare and text not in (*CONSTANTS, "+") and not NUMBER.fullmatch(text) else _quoted(text)


def _quoted(text: str) -> list[str]:
    """A text in as many pieces as lines need; a piece ends behind a line of the text, or a word, if it can."""
    pieces = []
    while len(piece := _piece(text)) < len(text):
        pieces.append(f'"{_escaped(piece)}" +')
        text = text[len(piece) :]
    return [*pieces, f'"{_escaped(text)}"']


def _piece(text: str) -> str:
    piece = text[: text.find("\n") + 1 or len(text)][:LONGEST]
    while len(_escaped(piece)) > LONGEST and len(piece) > 1:
        piece = piece[:-1]
    at_word = piece.rfind(" ") + 1
    whole = len(piece) == len(text) or piece.endswith("\n") or at_word <= len(piece) // 2
    return piece if whole else piece[:at_word]


def _escaped(text: str) -> str:
    return visible(text.replace("\\", "\\\\").replace('"', '\\"'))


def _folded(units: Iterable[str], head: str = "", indent: str = " " * 4) -> Iterator[str]:
    """Lines of at most WIDTH characters, the first behind `head`; none where there is nothing to write."""
    line, empty = head, True
    for unit in units:
        if unit.startswith("\n") or (not empty and len(f"{line} {unit}".rstrip()) > WIDTH):
            yield line.rstrip()
            line, empty, unit = indent, True, unit.lstrip("\n")
        line, empty = line + unit if empty else f"{line} {unit}", False
    if not empty:
        yield line.rstrip()
