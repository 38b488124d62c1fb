"""What stands in the ledger about a tournament: how far it is, and who leads. Changes nothing.

A tournament is meant by its file (a path that ends in .toml or has a / in it) or by its name.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from arena.bracket import rounds
from arena.config import Tournament, load
from arena.errors import InputError, StorageError
from arena.home import Home
from arena.ledger import Begun, Ledger
from arena.planning import course_in
from arena.suspension import Suspension, drops, note, suspended
from leaderboards.nash import NoEquilibrium
from leaderboards.ratings import NotConverged
from leaderboards.results import Results
from leaderboards.selection import ResultsError
from leaderboards.settings import Settings
from leaderboards.standings import AnchorError, Standings, standings
from protocol.result import GameResult
from protocol.vocabulary import BotId, FaultKind, Verdict
from referee.game import VariantError
from referee.games import game_of


@dataclass(frozen=True, slots=True)
class VariantStatus:
    """How far one variant is."""

    variant: str
    games: int | None
    """Of the whole schedule, at most; None where no number bounds them."""
    over: int
    forfeit: int
    """Of those: ended by a bot's fault."""
    void: int
    """Of those: spoilt by the arena, and not rated."""


@dataclass(frozen=True, slots=True)
class FaultCount:
    """How often a bot made a fault of some kind."""

    bot: BotId
    kind: FaultKind
    seats: int
    """That ended so; never 0."""


@dataclass(frozen=True, slots=True)
class Status:
    """How far a tournament is."""

    name: str
    begun: str
    """UTC, ISO 8601."""
    running: bool
    """Some process plays it at this instant."""
    games: int | None
    """Of the whole schedule, at most; None where no number bounds them."""
    over: int
    """Games that are over."""
    bots: tuple[BotId, ...]
    variants: tuple[VariantStatus, ...]
    faults: tuple[FaultCount, ...]
    """Sorted by bot and kind."""
    notes: tuple[str, ...]
    """Bots that were left out or are suspended, and why."""
    suspended: tuple[BotId, ...] = ()
    """Bots that play no more."""
    dropped: int = 0
    """Games that are not to be played, because a bot is suspended."""
    head: str = ""
    """Of the chain over all games that are kept: 64 hex digits, or nothing where there is none."""
    schedule: str = "round_robin"
    """Its kind."""
    ended: str = ""
    """Why nothing is to come any more, in words; empty while something is."""
    rounds: tuple[str, ...] = ()
    """Of a Swiss or knockout: a line for each round or match, with its score."""


@contextmanager
def opened(home: Home) -> Iterator[Ledger]:
    """The ledger of a home folder, for as long as it is needed. Raises StorageError.

    Where there is one it can be read, also if nothing there can be written.
    """
    if isinstance(home.ledger, Path) and not os.access(home.ledger, os.R_OK):
        home.folder()
    ledger = Ledger(home.ledger)
    try:
        yield ledger
    finally:
        ledger.close()


def is_file(reference: str) -> bool:
    """Whether a tournament is meant by its file."""
    return "/" in reference or reference.endswith(".toml")


def begun(reference: str, ledger: Ledger) -> Begun:
    """The tournament meant, which has begun. Raises InputError."""
    if is_file(reference):
        name = load(reference).name
        if (found := ledger.find(name)) is None:
            raise InputError(f"tournament {name!r} has not begun", f"arena run {reference}", "E204")
        return found
    try:
        return ledger.tournament(reference)
    except InputError as error:
        if Path(f"{reference}.toml").is_file():
            error.fix = f"did you mean the file {reference}.toml?"
        error.fix = error.fix or "arena status lists those that have begun"
        raise


def to_play(reference: str, home: Home) -> Tournament:
    """The tournament of a file, or the one in the ledger with the very bot versions that it has there."""
    if is_file(reference):
        return load(reference)
    with opened(home) as ledger:
        known = begun(reference, ledger)
    config = Tournament.model_validate(known.config)
    return config.model_copy(update={"bots": [f"{bot.name}@{bot.digest}" for bot in known.bots]})


def status(reference: str, home: Home | None = None) -> Status:
    """How far a tournament is. Raises ArenaError."""
    home = home or Home.default()
    with opened(home) as ledger:
        known = begun(reference, ledger)
        return _status(known, ledger, known.name in home.running(ledger, [known.name]))


def statuses(home: Home | None = None) -> list[Status]:
    """How far every tournament is, the newest last."""
    home = home or Home.default()
    with opened(home) as ledger:
        names = ledger.names()
        running = home.running(ledger, names)
        return [_status(ledger.tournament(name), ledger, name in running) for name in names]


def _status(known: Begun, ledger: Ledger, running: bool) -> Status:
    course, away = course_in(ledger, known), suspended(ledger, known)
    planned, verdicts = course.games(), ledger.verdicts(known.name)
    variants = tuple(
        VariantStatus(
            variant,
            games,
            sum(verdicts[variant, verdict] for verdict in Verdict),
            verdicts[variant, Verdict.FORFEIT],
            verdicts[variant, Verdict.VOID],
        )
        for variant, games in planned.items()
    )
    faults = sorted(ledger.faults(known.name).items())
    return Status(
        name=known.name,
        begun=known.begun,
        running=running,
        games=course.most(),
        over=sum(variant.over for variant in variants),
        bots=known.bots,
        variants=variants,
        faults=tuple(FaultCount(bot, kind, seats) for (bot, kind), seats in faults),
        notes=_notes(known, away),
        suspended=tuple(away),
        dropped=course.dropped(),
        head=ledger.head(known.name),
        schedule=Tournament.model_validate(known.config).schedule.kind,
        ended=course.over(),
        rounds=rounds(course.schedule, course.field, course.progress),
    )


def _notes(known: Begun, away: Mapping[BotId, Suspension]) -> tuple[str, ...]:
    return known.notes + tuple(note(one, drops(known)) for one in away.values())


def leaderboard(
    reference: str, variant: str | None = None, home: Home | None = None, settings: Settings | None = None
) -> Standings:
    """The standings of a tournament, or of the variants of it that a pattern or alias means.

    Raises ArenaError: no such tournament, variant or anchor, a ledger that fails.
    """
    with opened(home or Home.default()) as ledger:
        known = begun(reference, ledger)
        results, isolations = ledger.results(known.name), ledger.isolations(known.name)
        said = notes(ledger, known)
    planned = Tournament.model_validate(known.config).variant_ids
    chosen, variants = of_variants(results, variant, planned)
    return rate(chosen, said, said_of(isolations), settings, variants)


def notes(ledger: Ledger, known: Begun) -> tuple[str, ...]:
    """What whoever reads a table must know of a tournament: bots that were left out or are suspended, and why."""
    return _notes(known, suspended(ledger, known))


def said_of(isolations: Counter[str]) -> str:
    """What bots of a tournament were kept in, with the number of games where it was not always the same.

    >>> said_of(Counter({"default (seccomp)": 12, "none, so bots were trusted": 3}))
    'default (seccomp) in 12 games; none, so bots were trusted in 3 games'
    """
    if len(isolations) < 2:
        return "".join(isolations)
    most_first = sorted(isolations.items(), key=lambda found: (-found[1], found[0]))
    return "; ".join(f"{kept} in {games} games" for kept, games in most_first)


def rate(
    results: Sequence[GameResult],
    notes: Sequence[str] = (),
    isolation: str = "",
    settings: Settings | None = None,
    planned: Iterable[str] = (),
) -> Standings:
    """The standings of a tournament's results; `planned` are its variants.

    Raises StorageError; InputError: there is no such anchor.
    """
    with ratable():
        return standings(results, settings=settings, isolation=isolation, notes=notes, variants=planned)


@contextmanager
def ratable() -> Iterator[None]:
    """What goes wrong where standings are made, or shown, as errors of the arena; see `rate`."""
    try:
        yield
    except (ResultsError, NotConverged, NoEquilibrium) as error:
        raise StorageError(f"the results cannot be rated: {error}", code="E405") from None
    except AnchorError as error:
        raise InputError(str(error), "name one that has played every variant that is shown", "E248") from None


def of_variants(
    results: Sequence[GameResult], pattern: str | None, planned: Sequence[str]
) -> tuple[Sequence[GameResult], Sequence[str]]:
    """Results and planned variants that a pattern or alias means; all without one.

    Raises InputError where there are no such results.
    """
    if pattern is None:
        return results, planned
    try:
        ids = set(game_of(pattern).matching(pattern))
    except VariantError as error:
        raise InputError(str(error), "arena status TOURNAMENT lists its variants", "E207") from None

    def is_meant(variant: str) -> bool:
        return variant in ids or fnmatchcase(variant, pattern)

    results = Results.of(results)
    chosen = results.only(lambda shape: is_meant(shape.variant))
    if not chosen:
        known = ", ".join(sorted({shape.variant for shape, _ in results.counted()})) or "nothing yet"
        raise InputError(f"no finished game is of {pattern}", f"there are games of: {known}", "E207")
    return chosen, list(filter(is_meant, planned))
