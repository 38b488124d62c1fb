"""Do records hold? An export, a tournament in the ledger, or one record, played again and compared.

Besides what `referee.replay` checks of each: the chain, the count, a game twice, and, where the
tournament's seed is known, the id, deal, seats and block of every game, and what is missing, recomputed. In the
ledger every place of its chain, and every row that is rated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple

from arena.chain import Entry, chained, entry, heads
from arena.config import Tournament
from arena.errors import InputError
from arena.ledger import Begun, Ledger, Link
from arena.planning import Course, course_of
from arena.records import course, id_of, read_line
from protocol.codec import encode
from protocol.record import GameRecord, RecordPlay, unpack
from protocol.result import GameResult, SeatResult
from protocol.vocabulary import BotId, DealId, FaultKind, GameId, Team
from referee.jobs import PlannedGame
from referee.processes.sandbox import Sandbox
from referee.replay import Break, check


class Flaw(NamedTuple):
    """Something that does not hold, and where."""

    line: int
    """Of the file, from 1; 0 in a ledger or a single record."""
    game: str
    """The game's id, as the record says it; empty where it is about the file."""
    place: Break

    def __str__(self) -> str:
        line = [f"line {self.line}"] if self.line else []
        return ", ".join([*line, *([f"game {self.game[:12]}"] if self.game else []), str(self.place)])


@dataclass(frozen=True, slots=True)
class FlawInfo:
    """A Flaw for programs."""

    line: int | None
    game: str | None
    where: str
    what: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What `arena verify` found."""

    what: str
    """The file, tournament or game."""
    holds: bool
    games: int
    """How many were checked."""
    planned: int | None
    """How many the tournament has."""
    chain: str | None
    """Of an export: the digest of the whole file."""
    head: str | None
    """Of an export or a tournament: the last link of the ledger's chain."""
    flaws_in_all: int
    flaws: list[FlawInfo]
    """The first of them."""


@dataclass(slots=True)
class Tally:
    """What has been checked so far; filled in as a check goes on."""

    games: int = 0
    flaws: int = 0
    planned: int | None = None
    chain: str = ""
    """Of an export, its last value: it names the content of the whole file."""
    head: str = ""
    """The last link of the ledger's chain."""
    seen: dict[str, int] = field(default_factory=dict)
    """The line, or number, of each game."""


def verify_export(lines: Iterable[bytes], tally: Tally, head: str = "") -> Iterator[Flaw]:
    """Everything that does not hold in an export, as it is found; `tally` is filled in meanwhile.

    `head`: a value that the ledger's chain had once, and so must have passed through.
    """
    reader = _Reader(tally, head)
    for number, line in enumerate(lines, 1):
        yield from (_counted(tally, Flaw(number, game, place)) for game, place in reader.take(number, line))
    yield from (_counted(tally, Flaw(reader.number, "", place)) for place in reader.end())


def verify_ledger(ledger: Ledger, begun: Begun, tally: Tally, head: str = "") -> Iterator[Flaw]:
    """Everything that does not hold in a tournament of the ledger: its chain, records, ids and rated rows.

    `head`: a value that its chain had once, and so must have passed through.
    """
    plan = course_of(Tournament.model_validate(begun.config), begun.seed, begun.bots)
    rows = ledger.rows(begun.name)
    passed = {""}
    for number, link in enumerate(ledger.links(begun.name), 1):
        breaks: list[Break] = []
        if link.game in rows:
            breaks += _kept_breaks(link, rows.pop(GameId(link.game)), plan, tally)
        breaks += _link_breaks(number, link, tally.head)
        yield from (_counted(tally, Flaw(0, link.game, place)) for place in breaks)
        tally.head = link.link
        passed.add(link.link)
    tally.planned = _planned(plan, tally.games)
    whole = [Break("database", damage) for damage in ledger.damage()]
    if head not in passed:
        whole.append(_astray(head))
    added = [
        Flaw(0, id, Break("chain", "the game is not in it: it was added, or its link is lost")) for id in rows
    ]
    yield from (_counted(tally, flaw) for flaw in (*added, *(Flaw(0, "", place) for place in whole)))


def _planned(plan: Course, games: int) -> int | None:
    """Games of a whole schedule, some of which may have been another's before; None: it hangs on results."""
    if not plan.whole.static:
        return None
    return max(games, sum(number for number, _ in plan.whole.most(plan.field).values()))


def _astray(head: str) -> Break:
    return Break("head", f"the chain does not pass through {head}: what was kept by then is not what is here")


def _link_breaks(number: int, link: Link, head: str) -> Iterator[Break]:
    """What is wrong with the next place of a chain that so far ends with `head`."""
    if link.number != number:
        yield Break("chain", f"its place is {link.number}, and {number} is next")
    if link.finished is None:
        yield Break("chain", "it is in the chain, and not among the games")
    elif link.link != chained(head, entry(link.game, link.finished, link.record or b"")):
        yield Break(
            "chain", "at this place the game, its time, its record or what was before it is another now"
        )


def _kept_breaks(link: Link, row: GameResult | None, plan: Course, tally: Tally) -> Iterator[Break]:
    """What is wrong with a game of the ledger, whatever the chain says."""
    try:
        data = unpack(link.record or b"")
    except ValueError as error:
        yield Break("record", f"it is damaged: {error}" if link.record else "it is missing")
        return
    _, breaks = _game_breaks(data, plan, tally, 0)
    yield from breaks
    if row is None or (not breaks and rows_of(data) != (row, link.isolation)):
        yield Break("row", "what is rated of this game is not what its record says")


def rows_of(data: bytes) -> tuple[GameResult, str]:
    """What the ledger's rows must say of a game: what is rated, and what its bots were kept in.

    Raises ValueError where that is no record.
    """
    record = GameRecord.model_validate_json(data)
    account = record.account
    kept_in = Sandbox(account.isolation, tuple(account.layers), tuple(account.missing))
    return result_of(record.play), str(kept_in)


def verify_record(data: bytes, tally: Tally) -> Iterator[Flaw]:
    """Everything that does not hold in a single record."""
    if not data:
        yield _counted(tally, Flaw(0, "", Break("format", "the file is empty")))
        return
    play, breaks = _game_breaks(data, None, tally, 0)
    yield from (_counted(tally, Flaw(0, play.id if play else "", place)) for place in breaks)


def result_of(play: RecordPlay) -> GameResult:
    """What is rated of a game, from its record."""
    kinds: dict[int, FaultKind] = {fault.seat: fault.kind for fault in reversed(play.faults)}
    nothing = [0] * len(play.seats)
    ranks, scores = play.ranks or nothing, play.scores or nothing
    seats = tuple(
        SeatResult(BotId(seat.bot, seat.digest), Team(seat.team), ranks[n], scores[n], kinds.get(n))
        for n, seat in enumerate(play.seats)
    )
    return GameResult(
        GameId(play.id), play.game, play.variant, play.rules, DealId(play.deal), play.block, play.block_size,
        seats, play.verdict,
    )  # fmt: skip


def _counted(tally: Tally, flaw: Flaw) -> Flaw:
    tally.flaws += 1
    return flaw


def _game_breaks(
    data: bytes, plan: Course | None, tally: Tally, number: int
) -> tuple[RecordPlay | None, list[Break]]:
    """What a record says was played, and all that is wrong with it."""
    tally.games += 1
    breaks = check(data)
    try:
        play = GameRecord.model_validate_json(data).play
    except ValueError:
        return None, breaks
    if play.id in tally.seen:
        breaks.append(Break("id", f"this game was there already, at {tally.seen[play.id]}"))
    tally.seen[play.id] = number
    if plan is not None and not any(place.where == "rules" for place in breaks):
        breaks += _plan_breaks(play, plan)
    return play, breaks


def _plan_breaks(play: RecordPlay, plan: Course) -> Iterator[Break]:
    """What is wrong with a game, whichever schedule asked for it: its id follows from variant, deal and seats."""
    seating = tuple(BotId(seat.bot, seat.digest) for seat in play.seats)
    number = play.deal.removeprefix(f"{play.variant}#")
    if play.variant not in plan.plan.variants:
        yield Break("variant", "this tournament does not play it")
    elif not set(seating) <= set(plan.bots):
        yield Break("seats", "there is a bot that is none of this tournament's")
    elif not (number.isascii() and number.isdigit()):
        yield Break("deal", "it is no deal of this tournament")
    elif (planned := plan.planned(play.variant, seating, int(number))) is None:
        yield Break("seats", "these bots do not meet so in this tournament")
    elif planned.id != play.id:
        yield Break("id", "it is not the one that this deal has with these seats in this tournament")
    else:
        yield from _other_luck(play, planned)


def _other_luck(play: RecordPlay, planned: PlannedGame) -> Iterator[Break]:
    for key, said, meant in (
        ("deal", play.deal, planned.deal),
        ("seed", play.seed, planned.seed),
        ("cards", play.cards, list(planned.literal)),
        ("block", (play.block, play.block_size), (planned.block, planned.block_size)),
    ):
        if said != meant:
            yield Break(key, "it is not what the tournament's plan says for this id")


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
            self._plan.kept.update(map(GameId, self._tally.seen))
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
        play, breaks = _game_breaks(data, self._plan, self._tally, self.number)
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
            yield "", _astray(self._passing)
        kept = {one.game: one.record for one in entries}
        for id, digest in self._digests.items():
            if kept.get(id) != digest:
                yield (
                    id,
                    Break("trailer", "the record is not the one that the ledger's chain has an entry of"),
                )
