"""KGN read: the records of a file, each as it was written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from protocol.escape import visible
from protocol.kgn.tokens import FIRST, MARK, Line, Malformed, Token, lines
from protocol.record import FORMAT, RecordPlay

FIELDS: Final = (
    *(name for name in RecordPlay.model_fields if name not in ("actions", "faults")),
    "moves", "links", "play_hash", "account_hash",
)  # fmt: skip
"""Of a game, before its account; `void` may be missing."""


def is_kgn(data: bytes) -> bool:
    """Whether a file that begins so means to be KGN (JSON begins otherwise)."""
    return data.lstrip(b"\xef\xbb\xbf\r\n ")[:1] in (b"K", b";")


def read(data: bytes) -> Iterator[tuple[int, dict[str, Any]]]:
    """The records in a file of KGN, each with the line (from 1) at which it begins, JSON-able.

    Their form alone is checked, and that no field is missing. Raises Malformed.
    """
    game: list[Line] = []
    for line in lines(data):
        if line.opens and game:
            yield game[0].number, _record(game)
            game = []
        if not line.opens and not game:
            what = f"no game has begun before {visible(line.name)!r}"
            raise Malformed(line.number, what, f"a game begins with {FIRST}")
        game.append(line)
    if game:
        yield game[0].number, _record(game)


def _record(game: list[Line]) -> dict[str, Any]:
    """A game out of its lines, the first of them `KGN 1`."""
    first, *rest = game
    if [token.text for token in first.tokens] != ["1"]:
        raise Malformed(first.number, "it is another version of KGN", f"this version reads {FIRST}")
    at = next((n for n, line in enumerate(rest) if line.name == "account"), len(rest))
    fields = _named(rest[:at])
    _check_fields(first.number, fields, rest[at : at + 1])
    moves = Moves(fields.pop("moves"))
    links = "".join(token.text for token in fields.pop("links").tokens)
    known = {name: line.only() for name, line in fields.items()}
    known |= {"actions": moves.actions, "faults": moves.faults}
    return {
        "format": FORMAT,
        "play": {name: known[name] for name in RecordPlay.model_fields if name in known},
        "links": links,
        "play_hash": known["play_hash"],
        "account": _account(_named(rest[at + 1 :]), moves),
        "account_hash": known["account_hash"],
    }


def _named(found: list[Line]) -> dict[str, Line]:
    by_name: dict[str, Line] = {}
    for line in found:
        if line.name in by_name:
            raise Malformed(line.number, f"{visible(line.name)!r} is there already", "keep one of them")
        by_name[line.name] = line
    return by_name


def _check_fields(number: int, fields: Mapping[str, Line], account: list[Line]) -> None:
    """Raise Malformed where a field is none, or missing."""
    for name, line in fields.items():
        if name not in FIELDS:
            raise Malformed(
                line.number, f"no field {visible(name)!r}", f"known: {', '.join(FIELDS)}, account"
            )
    missing = [name for name in FIELDS if name not in fields and name != "void"]
    if missing or not account:
        what = f"the game that begins here has no {(missing or ['account'])[0]}"
        raise Malformed(number, what, "arena record show ID --format text writes all that a game needs")
    if account[0].tokens:
        raise Malformed(
            account[0].number, "account has no value", "its fields stand on lines of their own below it"
        )


def _account(fields: Mapping[str, Line], moves: Moves) -> dict[str, Any]:
    told = {"notes": moves.notes, "evidence": moves.evidence}
    for name, texts in told.items():
        if texts and (name not in fields or fields[name].tokens):
            raise Malformed(
                moves.number, f"there are {name} among the moves", f"name them below account: {name}"
            )
    return {name: told[name] if told.get(name) else line.only() for name, line in fields.items()}


class Moves:
    """What stands below `moves`: actions, notes and faults as a record has them."""

    def __init__(self, line: Line) -> None:
        self.number = line.number
        """Of the line."""
        self.actions: list[list[Any]] = []
        self.faults: list[dict[str, Any]] = []
        self.notes: dict[str, str] = {}
        self.evidence: dict[str, str] = {}
        while line.tokens:
            self._take(line, line.next())

    def _take(self, line: Line, token: Token) -> None:
        if token.kind == "text":
            self._note(token, line.text(token))
        elif token.text == "!" and line.begins("sign", "{"):
            self._fault(line)
        elif re.fullmatch(r"\d+\.", token.text, re.ASCII):
            self._number(token)
        elif token.kind == "word" and (found := re.fullmatch(r"(-?\d{1,9}):(.*)", token.text, re.ASCII)):
            self.actions.append([int(found[1]), self._action(line, found[2])])
        else:
            fix = 'a seat and an action are written 0:K7, a note "…", a fault ! {seat 0 …}'
            raise Malformed(token.line, f"{visible(token.text)!r} is no move", fix)

    def _note(self, token: Token, text: str) -> None:
        key = str(len(self.actions) - 1)
        if not self.actions or key in self.notes:
            raise Malformed(token.line, "a text that belongs to no action", "a note stands behind its action")
        self.notes[key] = text

    def _fault(self, line: Line) -> None:
        self.faults.append(line.value())
        if line.begins("text"):
            self.evidence[str(len(self.faults) - 1)] = line.text(line.next())

    def _number(self, token: Token) -> None:
        if token.text != f"{len(self.actions) + 1}.":
            what = f"{token.text} stands before action {len(self.actions) + 1}"
            raise Malformed(
                token.line, what, "an action is missing, or one too many; numbers count actions from 1"
            )

    def _action(self, line: Line, first: str) -> str:
        if not first:
            token = line.next()
            if token.kind != "text":
                raise Malformed(token.line, "no action behind a seat", 'write it without a space, or in "…"')
            return line.text(token)
        words = [first]
        while line.begins("word") and not MARK.match(line.tokens[0].text):
            words.append(line.next().text)
        return " ".join(words)
