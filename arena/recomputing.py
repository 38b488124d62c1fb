"""Ratings out of an export alone, which is not trusted: does its chain hold, and what is rated in it?

Whether its games were played by the rules is for `arena verify` to say, which plays them again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from arena.chain import Entry, chained
from arena.errors import InputError
from arena.reading import of_variants, ratable, said_of
from arena.records import read_line
from arena.verification import rows_of
from leaderboards.selection import ResultsError
from leaderboards.settings import Settings
from leaderboards.standings import Standings, standings
from protocol.codec import encode
from protocol.result import GameResult
from referee.game import VariantError
from referee.games import game_of


@dataclass(slots=True)
class Export:
    """What an export says of a tournament, as far as it is read."""

    results: list[GameResult] = field(default_factory=list)
    isolations: Counter[str] = field(default_factory=Counter)
    """In how many games bots were kept in what."""
    notes: list[str] = field(default_factory=list)
    """What whoever reads a table must know."""
    planned: list[str] = field(default_factory=list)
    """The variants of the tournament."""
    held: int = 0
    """Games that are over and not in it: others are still to be played on their deals."""
    _digests: dict[str, str] = field(default_factory=dict)

    def header(self, body: dict[str, Any]) -> None:
        """Take the first line in. Raises ValueError."""
        said = body.get("notes", [])
        if not isinstance(said, list) or not all(isinstance(note, str) for note in said):
            raise ValueError("its notes are no texts")
        self.notes = said
        try:
            patterns = [str(one) for one in body["settings"]["variants"]]
            self.planned = [id for pattern in patterns for id in game_of(pattern).matching(pattern)]
        except (KeyError, TypeError, VariantError) as error:
            raise ValueError(f"its settings name no variants: {error}") from None

    def record(self, body: dict[str, Any]) -> None:
        """Take a game in. Raises ValueError."""
        data = encode(body)
        try:
            result, isolation = rows_of(data)
        except IndexError:
            raise ValueError("it has not got a rank and a score for each seat") from None
        if result.id in self._digests:
            raise ValueError(f"game {result.id[:12]} was there already")
        self._digests[result.id] = sha256(data).hexdigest()
        self.results.append(result)
        self.isolations[isolation] += 1

    def trailer(self, body: dict[str, Any]) -> None:
        """Take the last line in. Raises ValueError."""
        if body.get("records") != len(self.results):
            raise ValueError(f"it counts {body.get('records')} records, and there are {len(self.results):,}")
        try:
            kept = {one.game: one.record for one in (Entry(*map(str, said)) for said in body["kept"])}
        except (KeyError, TypeError):
            raise ValueError("it has not got the entries of the ledger's chain") from None
        odd = [id for id, digest in self._digests.items() if kept.get(id) != digest]
        if odd:
            raise ValueError(f"it has no entry of game {odd[0][:12]} as it is here")
        self.held = len(kept) - len(self.results)


def read_export(lines: Iterable[bytes], name: str, check: str) -> Export:
    """The games of an export. Raises InputError where it does not hold together.

    `name` is what to call it, and `check` says how to see all that is wrong.
    """
    found, head, last, number = Export(), "", "", 0
    for number, line in enumerate(lines, 1):
        try:
            last, head = _read(found, line, head, last)
        except ValueError as error:
            why = f"line {number}: {str(error).partition(chr(10))[0]}"
            raise InputError(f"{name} does not hold: {why}", check, "E247") from None
    if last != "trailer":
        why = f"line {number}: the file ends here, without a trailer: it is cut off"
        raise InputError(f"{name} does not hold: {why}", check, "E247")
    return found


def _read(found: Export, line: bytes, head: str, last: str) -> tuple[str, str]:
    """Take the next line in; its part, and the chain so far. Raises ValueError."""
    part, body, chain = read_line(line)
    if chain != chained(head, body):
        raise ValueError("this line was changed, or one is missing, added or moved before it")
    if (part == "header") != (last == "") or last == "trailer":
        raise ValueError(f"a {part} has no place here")
    {"header": found.header, "record": found.record, "trailer": found.trailer}[part](body)
    return part, chain


def recomputed(export: Export, variant: str | None = None, settings: Settings | None = None) -> Standings:
    """The standings of the games of an export, or of the variants of it that a pattern or alias means.

    Raises ArenaError: no such variant or anchor, games that contradict each other.
    """
    results, variants = of_variants(export.results, variant, export.planned)
    isolation = said_of(export.isolations)
    with ratable():
        try:
            return standings(
                results, settings=settings, isolation=isolation, notes=export.notes, variants=variants
            )
        except ResultsError as error:
            why = f"the games do not go together: {error}"
            raise InputError(why, "arena verify FILE says what else is wrong with it", "E247") from None
