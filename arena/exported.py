"""Does an export hold? Read line by line, its games played again, and its schedule asked what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any

from arena.chain import Entry, chained, heads
from arena.errors import InputError
from arena.planning import Course
from arena.records import course, id_of, read_line
from arena.verification import Flaw, Tally, astray, counted, game_breaks, result_of
from protocol.codec import encode
from protocol.vocabulary import BotId, GameId
from referee.replay import Break


def verify_export(lines: Iterable[bytes], tally: Tally, head: str = "") -> Iterator[Flaw]:
    """Everything that does not hold in an export, as it is found; `tally` is filled in meanwhile.

    `head`: a value that the ledger's chain had once, and so must have passed through.
    """
    reader = _Reader(tally, head)
    for number, line in enumerate(lines, 1):
        yield from (counted(tally, Flaw(number, game, place)) for game, place in reader.take(number, line))
    yield from (counted(tally, Flaw(reader.number, "", place)) for place in reader.end())


class _Reader:
    """An export, line by line. Invariant: after a line that cannot be read the chain is not trusted."""

    def __init__(self, tally: Tally, passing: str) -> None:
        self.number = 0
        self._tally = tally
        self._passing = passing
        self._digests: dict[str, str] = {}
        self._head: str | None = ""
        self._plan: Course | None = None
        self._last = ""

    def take(self, number: int, line: bytes) -> Iterator[tuple[str, Break]]:
        """What is wrong with the next line, with the id of its game."""
        self.number = number
        try:
            part, body, chain = read_line(line)
        except ValueError as error:
            self._head = None
            yield "", Break("line", str(error))
            return
        game = id_of(body)
        if self._head is not None and chain != chained(self._head, body):
            yield game, Break("chain", "this line was changed, or one is missing, added or moved before it")
        self._head = chain
        if (part == "header") != (number == 1) or self._last == "trailer":
            yield game, Break("line", f"a {part} has no place here")
        self._last = part
        match part:
            case "header":
                yield from self._header(body)
            case "record":
                yield from self._record(body)
            case _:
                yield from self._trailer(body)

    def end(self) -> Iterator[Break]:
        """What is wrong with the file as a whole."""
        if self._last != "trailer":
            yield Break("end", "the file has no trailer: it is cut off")
        self._tally.chain = self._head or ""
        if self._plan:
            self._plan.progress.begun_games.update(map(GameId, self._tally.seen))
            missing = [game.id for pairing in self._plan.left() for game in pairing.games]
        if self._plan and missing:
            yield Break("plan", f"{len(missing):,} of its games are missing, the first is {missing[0][:12]}")

    def _header(self, body: dict[str, Any]) -> Iterator[tuple[str, Break]]:
        try:
            games = body["games"]
            self._tally.planned = None if games is None else int(games)
            bots = [BotId(str(name), str(digest)) for name, digest in body["bots"]]
            away = [BotId(str(name), str(digest)) for name, digest in body.get("left_out", ())]
            if body["seed"] is not None:
                self._plan = course(body["tournament"], body["seed"], body["settings"], bots, away)
        except (KeyError, TypeError, ValueError, InputError) as error:
            yield "", Break("header", f"it names no tournament: {error}")

    def _record(self, body: dict[str, Any]) -> Iterator[tuple[str, Break]]:
        data = encode(body)
        play, breaks = game_breaks(data, self._plan, self._tally, self.number)
        if play and not breaks:
            self._digests[play.id] = sha256(data).hexdigest()
            if self._plan:
                self._plan.take([result_of(play)])
        for place in breaks:
            yield play.id if play else "", place

    def _trailer(self, body: dict[str, Any]) -> Iterator[tuple[str, Break]]:
        if body.get("records") != self._tally.games:
            said = body.get("records")
            yield "", Break("trailer", f"it counts {said} records, there are {self._tally.games:,}")
        yield from self._kept(body.get("kept"))

    def _kept(self, said: Any) -> Iterator[tuple[str, Break]]:
        """Whether the entries of the ledger's chain are of the records, and pass through the head that is known."""
        try:
            entries = [Entry(*map(str, one)) for one in said]
        except TypeError:
            yield "", Break("trailer", "it has not got the entries of the ledger's chain")
            return
        links = list(heads(entries))
        self._tally.head = links[-1] if links else ""
        if self._passing not in ("", *links):
            yield "", astray(self._passing)
        kept = {one.game: one.record for one in entries}
        for id, digest in self._digests.items():
            if kept.get(id) != digest:
                yield (
                    id,
                    Break("trailer", "the record is not the one that the ledger's chain has an entry of"),
                )
