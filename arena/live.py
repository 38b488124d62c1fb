"""A tournament as it goes on, for whoever watches it: a snapshot at a time, and cheap.

What is kept is read out of the ledger, each game once; what is under way is what the run shows (`arena.feed`).
Nothing here changes a tournament, or hangs on who runs it: one that does not run is shown as it is, and one that
has not begun is waited for.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Callable, Hashable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from time import monotonic, time
from typing import Any, Generic, TypeVar

from arena.config import Tournament, load
from arena.database import now as stamp
from arena.errors import StorageError
from arena.feed import TRUSTED, Feed, Shown, Window
from arena.home import Home
from arena.ledger import Begun
from arena.planning import Course, course_of
from arena.reading import begun, is_file, opened, ratable, rate, said_of
from arena.snapshots import Away, RecentFault, Snapshot, Underway
from arena.stored import Kept
from arena.suspension import Conduct, drops, note
from leaderboards.results import Results
from leaderboards.standings import Standings
from protocol.result import GameResult
from protocol.vocabulary import BotId, GameId, Verdict
from referee.telling import Told

MINUTE = 60.0
FEWEST = 20
"""Games that throughput is measured over, where a minute has fewer."""
EFFORT = 20
"""What takes its time (standings) takes at most one part in so many of it."""
NEWEST, FAULTS = 20, 50
WAITING = "it has not begun: it is waited for"
STARTING = "its bots are taken in and started once: no game has begun yet"
AT_ONCE, PARTS = 10_000, 16
"""Games that are read at a time, and how many times they are before they are put together."""
T = TypeVar("T")


class Paced(Generic[T]):
    """A value that takes its time to find: found anew where it is due, at most one part in EFFORT of the time."""

    def __init__(self, find: Callable[[], T], first: T, clock: Callable[[], float] = monotonic) -> None:
        self._find, self._clock = find, clock
        self._value = first
        self._of: Hashable = None
        self._due = clock()

    def get(self, of: Hashable, at_once: bool = False) -> T:
        """The value, of `of` where it is due (or `at_once`), else of something before."""
        began = self._clock()
        if of != self._of and (at_once or began >= self._due):
            self._value, self._of = self._find(), of
            ended = self._clock()
            self._due = ended + EFFORT * (ended - began)
        return self._value


@dataclass(slots=True)
class _Kept:
    """What is read of a tournament, fed with its games as they are kept."""

    known: Begun
    config: Tournament
    course: Course
    conduct: Conduct
    results: list[Results] = field(default_factory=list)
    """In the order in which they were kept; in parts."""
    at: deque[float] = field(default_factory=deque)
    """When the games of the last minute were kept, or some more than FEWEST: seconds since 1970."""
    newest: deque[GameResult] = field(default_factory=lambda: deque(maxlen=NEWEST))
    """Of games that were played: newest first. So `faults`."""
    faults: deque[RecentFault] = field(default_factory=lambda: deque(maxlen=FAULTS))
    made: Counter[BotId] = field(default_factory=Counter)
    """Games with a fault, by the bot that made it;"""
    lost: Counter[BotId] = field(default_factory=Counter)
    """and that it was not started for, being suspended."""
    gone: deque[GameId] = field(default_factory=lambda: deque(maxlen=NEWEST))
    """The newest games that somebody was not started for, and that others played."""
    links: int = 0
    head: str = ""

    def take(self, games: Sequence[Kept]) -> None:
        """More of them."""
        for game in games:
            self._take(game)
        if results := [game.result for game in games]:
            self.results.append(Results.of(results))
            if len(self.results) > PARTS:
                self.results = [Results.joined(self.results)]
            self.course.take(results)
        if drops(self.known):
            self.course.away = frozenset(self.conduct.suspended)

    def _take(self, game: Kept) -> None:
        result, lost = game.result, self._lost(game.result)
        made = {seat.bot: seat.fault for seat in result.seats if seat.fault and seat.bot not in lost}
        self.faults.extendleft(RecentFault(result.id, *fault, game.finished) for fault in made.items())
        self.made.update(made.keys())
        self.lost.update(lost)
        if not (lost and result.verdict is Verdict.FORFEIT):
            self.newest.appendleft(result)
            if lost:
                self.gone.append(result.id)
        self._note(_seconds(game, self.known.name))
        seats = [] if result.verdict is Verdict.VOID else [(seat.bot, seat.fault) for seat in result.seats]
        self.conduct.take(result.id, game.finished, seats)
        self.links, self.head = game.number, game.link

    def _lost(self, result: GameResult) -> set[BotId]:
        """Who was not started for it: a fault that a bot is suspended for is no other since.

        Games that were begun before it was suspended end later; the few of them that ended in that fault are taken
        for lost unplayed, too, since only their records know better.
        """
        away = {} if self.config.on_suspend == "drop" else self.conduct.suspended
        faults = ((seat.bot, seat.fault) for seat in result.seats if seat.fault)
        return {bot for bot, kind in faults if bot in away and away[bot].kind == kind}

    def _note(self, at: float) -> None:
        self.at.append(at)
        while len(self.at) > FEWEST + 1 and self.at[1] < at - MINUTE:
            self.at.popleft()

    @property
    def away(self) -> tuple[Away, ...]:
        """Who is suspended."""
        return tuple(Away(one.bot, one.kind, self.lost[one.bot]) for one in self.conduct.suspended.values())

    def per_second(self, began: float | None, now: float) -> float | None:
        """Games of the last minute, or the FEWEST newest, of the run that began then; None: too few to tell."""
        first = bisect_left(self.at, now - MINUTE if began is None else began)
        recent = min(bisect_left(self.at, now - MINUTE), max(0, len(self.at) - FEWEST))
        start = max(first, recent)
        games = len(self.at) - start
        if games < 2:
            return None
        since = self.at[start - 1] if start > first else began or self.at[start]
        return games / max(1.0, now - since)

    def standings(self, isolations: Counter[str]) -> Standings | None:
        """As they are now, with how sure they are; None where no game is over."""
        if not self.results:
            return None
        self.results = [results := Results.joined(self.results)]
        with ratable():
            found = rate(results, self.notes, said_of(isolations), None, self.config.variant_ids)
            found.confidence  # noqa: B018 - it takes its time, here and not later
        return found

    @property
    def notes(self) -> tuple[str, ...]:
        """Bots that are left out or suspended, and why."""
        away = self.conduct.suspended.values()
        return self.known.notes + tuple(note(one, drops(self.known)) for one in away)


def _seconds(game: Kept, tournament: str) -> float:
    try:
        return datetime.fromisoformat(game.finished).timestamp()
    except ValueError:
        what = f"the row of game {game.result.id} is damaged: {game.finished!a} is no time"
        raise StorageError(what, f"arena verify {tournament}", "E407") from None


class Watch:
    """A context manager. `look` costs milliseconds, but where it makes standings anew."""

    def __init__(
        self, tournament: str, home: Home | None = None, clock: Callable[[], float] = monotonic
    ) -> None:
        """`tournament`: a file, whose tournament may begin later, or the name of one that has begun."""
        self._reference, self._home, self._clock = tournament, home or Home.default(), clock
        self._stack = ExitStack()
        self._kept: _Kept | None = None
        self._shown: dict[str, Shown] = {}

    def __enter__(self) -> Watch:
        """Raises ArenaError: no such file or tournament, a ledger that fails."""
        self._ledger = self._stack.enter_context(opened(self._home))
        reference = self._reference
        self.name = load(reference).name if is_file(reference) else reference
        if not is_file(reference) and not self._is_running():
            begun(reference, self._ledger)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def look(self) -> Snapshot:
        """The tournament now. Raises StorageError."""
        running, feed = self._is_running(), self._feed()
        self._shown = {game.replay["id"]: game for game in feed.games} if feed and running else {}
        known = self._ledger.find(self.name)
        if known is None:
            return self._waiting(running)
        kept = self._take(known)
        games = self._games.get(kept.links, not running)
        began = datetime.fromisoformat(feed.began).timestamp() if feed else None
        pace = kept.per_second(began, time()) if running else None
        left = None if games is None or pace is None else max(0, games - kept.links) / pace
        return Snapshot(
            tournament=self.name, running=running, games=games, over=kept.links, per_second=pace,
            left_seconds=left, ended="" if running else self._ended.get(kept.links, at_once=True),
            head=kept.head, standings=self._standings.get(kept.links, not running),
            faults=tuple(kept.faults), newest=tuple(kept.newest), made=dict(kept.made), away=kept.away,
            unplayed=frozenset(result.id for result in kept.newest if result.id in kept.gone),
            underway=tuple(map(_underway, self._shown.values())),
            notes=kept.notes + tuple(feed.notes if feed and running else ()), at=stamp(),
            delay_seconds=feed.delay_seconds if feed and running and _is_shown(feed) else None,
        )  # fmt: skip

    def _is_running(self) -> bool:
        return self.name in self._home.running(self._ledger, [self.name])

    def moves(self, game: str) -> list[Told] | None:
        """Events of a game under way that all may know, as of the last look; None where it is not shown."""
        return self._shown[game].told if game in self._shown else None

    def replay(self, game: str) -> dict[str, Any] | None:
        """The same as a replay file (`referee.telling`), of the part that is shown."""
        return self._shown[game].replay if game in self._shown else None

    def _feed(self) -> Feed | None:
        folder = self._home.run_folder(self.name)
        return Window(folder).look() if folder else None

    def _waiting(self, running: bool) -> Snapshot:
        return Snapshot(
            tournament=self.name, running=running, games=None, over=0, per_second=None, left_seconds=None,
            ended="", head="", standings=None, faults=(), newest=(), underway=(),
            notes=(STARTING if running else WAITING,), at=stamp(),
        )  # fmt: skip

    def _take(self, known: Begun) -> _Kept:
        """What there is, with what is new."""
        kept = self._kept
        if kept is None or kept.known != known:
            config = Tournament.model_validate(known.config)
            course = course_of(config, known.seed, known.bots)
            self._kept = kept = _Kept(known, config, course, Conduct(config.suspend_after))
            self._pace(kept)
        while games := self._ledger.kept_after(self.name, kept.links, AT_ONCE):
            kept.take(games)
            if len(games) < AT_ONCE:
                break
        return kept

    def _pace(self, kept: _Kept) -> None:
        """What takes its time."""
        self._games = Paced[int | None](kept.course.most, None, self._clock)
        self._ended = Paced(kept.course.over, "", self._clock)
        self._standings = Paced[Standings | None](
            lambda: kept.standings(self._ledger.isolations(self.name)), None, self._clock
        )


def _is_shown(feed: Feed) -> bool:
    """Whether games under way are to be seen at all, some time."""
    return bool(feed.games) or TRUSTED not in feed.notes


def _underway(game: Shown) -> Underway:
    replay = game.replay
    bots = tuple(seat["bot"] for seat in replay["seats"])
    return Underway(replay["id"], replay["variant"], bots, replay["steps"], game.seconds)
