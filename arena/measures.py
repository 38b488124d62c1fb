"""What the records of a tournament tell beside its results: thinking times, faults with their evidence, and what
the games were played with.

Records are read for a few of their fields alone, so that a hundred thousand of them take seconds.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from arena.errors import StorageError
from arena.ledger import Ledger, Link
from leaderboards.measured import FaultSeen, Timing, Timings
from protocol.codec import reader
from protocol.record import unpack
from protocol.vocabulary import BotId, DealId, FaultKind, GameId
from referee.faults import SUSPENDED


class Account(NamedTuple):
    """What a game was played with."""

    isolation: str
    layers: tuple[str, ...]
    missing: tuple[str, ...]
    limits: tuple[tuple[str, int | None], ...]
    """In milliseconds; None: no limit."""
    versions: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Measures:
    """All of that."""

    timing: Timings
    by_variant: Mapping[str, Timings]
    """The same of each variant."""
    faults: tuple[FaultSeen, ...]
    """In the order in which they were kept."""
    accounts: Counter[Account]
    """How many games were played with what."""


def measures(ledger: Ledger, tournament: str) -> Measures:
    """Read all records of a tournament. Raises StorageError where one is damaged."""
    return measured(ledger.links(tournament), tournament)


def measured(links: Iterable[Link], tournament: str) -> Measures:
    """The same of the games of a chain; those without a record are passed over."""
    times: defaultdict[tuple[str, BotId], array[float]] = defaultdict(lambda: array("f"))
    faults: list[FaultSeen] = []
    accounts = Counter[Account]()
    for link, record in _read(links, tournament):
        accounts[record.account.told()] += 1
        faults += _faults(link, record)
        variant = record.play.variant
        own = [times[variant, BotId(seat.bot, seat.digest)] for seat in record.play.seats]
        for seat, spent in record.moves():
            own[seat].append(spent)
    return Measures(*_timing(times), tuple(faults), accounts)


@dataclass(frozen=True, slots=True)
class _Seat:
    bot: str
    digest: str


@dataclass(frozen=True, slots=True)
class _Fault:
    seat: int
    kind: FaultKind
    reason: str
    turn: int
    at: int


@dataclass(frozen=True, slots=True)
class _Play:
    variant: str
    deal: str
    seats: list[_Seat]
    actions: list[tuple[int, str]]
    faults: list[_Fault]


@dataclass(frozen=True, slots=True)
class _Account:
    isolation: str
    limits: dict[str, int | None]
    ms: list[float]
    evidence: dict[str, str]
    versions: dict[str, str]
    layers: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def told(self) -> Account:
        limits, versions = tuple(self.limits.items()), tuple(self.versions.items())
        return Account(self.isolation, tuple(self.layers), tuple(self.missing), limits, versions)


@dataclass(frozen=True, slots=True)
class _Record:
    """The fields of protocol.record.GameRecord that are asked for here."""

    play: _Play
    account: _Account

    def moves(self) -> Iterator[tuple[int, float]]:
        """Seat and milliseconds of each action that was the bot's own."""
        gone = {fault.seat: fault.at for fault in reversed(self.play.faults)}
        pairs = zip(self.play.actions, self.account.ms, strict=False)
        if not gone:
            return ((seat, ms) for (seat, _), ms in pairs)
        return ((seat, ms) for n, ((seat, _), ms) in enumerate(pairs) if n < gone.get(seat, n + 1))


def _read(links: Iterable[Link], tournament: str) -> Iterator[tuple[Link, _Record]]:
    decode = reader(_Record)
    for link in links:
        if not link.record:
            continue
        try:
            record = decode(unpack(link.record))
        except ValueError as error:
            fix = f"see which others: arena verify {tournament}"
            raise StorageError(f"the record of game {link.game} is damaged: {error}", fix, "E407") from None
        yield link, record


def _faults(link: Link, record: _Record) -> Iterator[FaultSeen]:
    for number, fault in enumerate(record.play.faults):
        seat = record.play.seats[fault.seat]
        yield FaultSeen(
            GameId(link.game), DealId(record.play.deal), record.play.variant, link.finished or "",
            BotId(seat.bot, seat.digest), fault.kind, fault.reason, fault.turn,
            record.account.evidence.get(str(number), ""), fault.reason == SUSPENDED,
        )  # fmt: skip


def _timing(
    times: Mapping[tuple[str, BotId], array[float]],
) -> tuple[Timings, Mapping[str, Timings]]:
    whole: defaultdict[BotId, array[float]] = defaultdict(lambda: array("f"))
    by_variant: dict[str, dict[BotId, Timing]] = {}
    for (variant, bot), spent in sorted((key, spent) for key, spent in times.items() if spent):
        by_variant.setdefault(variant, {})[bot] = _summary(spent)
        whole[bot].extend(spent)
    return {bot: _summary(whole[bot]) for bot in sorted(whole)}, by_variant


def _summary(spent: array[float]) -> Timing:
    """Quantiles in the sense of Hyndman & Fan 1996, definition 7, rounded to a microsecond."""
    values = np.frombuffer(spent, np.float32).astype(np.float64)
    middle, p95, p99 = np.quantile(values, (0.5, 0.95, 0.99)).tolist()
    return Timing(len(values), round(middle, 3), round(p95, 3), round(p99, 3), round(float(values.max()), 3))
