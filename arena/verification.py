"""Do records hold? A tournament in the ledger, or one record, played again and compared; exports: `exported`.

Besides what `referee.replay` checks of each: the chain, the count, a game twice, and, where the
tournament's seed is known, the id, deal, seats and block of every game, and what is missing, recomputed. In the
ledger every place of its chain, and every row that is rated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from arena.chain import chained, entry
from arena.config import Tournament
from arena.ledger import Begun, Ledger, Link
from arena.meetings import meeting_of
from arena.planning import Course, course_of
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
        yield from (counted(tally, Flaw(0, _name_of(link), place)) for place in breaks)
        tally.head = link.link
        passed.add(link.link)
    tally.planned = _planned(plan, tally.games)
    whole = [Break("database", damage) for damage in ledger.damage()]
    if head not in passed:
        whole.append(astray(head))
    added = [
        Flaw(0, id, Break("chain", "the game is not in it: it was added, or its link is lost")) for id in rows
    ]
    yield from (counted(tally, flaw) for flaw in (*added, *(Flaw(0, "", place) for place in whole)))


def _name_of(link: Link) -> str:
    """The id of a link's game, which its record still has where the game is gone."""
    try:
        return link.game or GameRecord.model_validate_json(unpack(link.record or b"")).play.id
    except ValueError:
        return ""


def _planned(plan: Course, games: int) -> int | None:
    """Games of a whole schedule, some of which may have been another's before; None: it hangs on results."""
    if not plan.whole.static:
        return None
    return max(games, sum(number for number, _ in plan.whole.most(plan.field).values()))


def astray(head: str) -> Break:
    """What is wrong where a head that is known is not in the chain."""
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
    _, breaks = game_breaks(data, plan, tally, 0)
    yield from breaks
    if row is None or (
        not breaks and (*rows_of(data), meeting_of(row)) != (row, link.isolation, link.meeting)
    ):
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
        yield counted(tally, Flaw(0, "", Break("format", "the file is empty")))
        return
    play, breaks = game_breaks(data, None, tally, 0)
    yield from (counted(tally, Flaw(0, play.id if play else "", place)) for place in breaks)


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


def counted(tally: Tally, flaw: Flaw) -> Flaw:
    """The flaw, once it is counted."""
    tally.flaws += 1
    return flaw


def game_breaks(
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
