"""A run as it goes on, on stderr: a live bar with the leaders on a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

import click

from arena.cli.output import count, duration, note
from arena.events import BotSuspended, GamesKept, RunEnded, RunEvent, RunStarted
from protocol.escape import label, visible

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

    from leaderboards.results import Results
    from protocol.result import GameResult

LINE_SECONDS = 10.0
LINE_SHARE = 0.05
"""A plain line comes after so many seconds or so much of the games, whichever is sooner,"""
LEAST_SECONDS = 1.0
"""but not sooner than this."""
RATE_SECONDS = 2.0
RATE_EFFORT = 20
"""The live table is rated at most so often, and takes at most one part in so many of the time."""
LEADERS = 8
EARLIER = 100_000
"""Games of earlier runs that are read for the live table: it takes a second or two."""
UNEVEN = 3
"""Lines of what is not balanced."""


class View(Protocol):
    """What shows a run."""

    def __call__(self, event: RunEvent) -> None:
        """Take an event in."""

    def close(self) -> None:
        """Leave the terminal as it was; may be called more than once."""


class Pace:
    """How far a run is and how fast."""

    def __init__(self, started: RunStarted, clock: Callable[[], float] = monotonic) -> None:
        self.games, self.kept = started.games, started.kept
        self._before, self._clock, self._began = started.kept, clock, clock()

    def __str__(self) -> str:
        """`120 of 400 games, 35.1 games/s, 8 s left`; without what is not known (yet)."""
        played, seconds = self.kept - self._before, self._clock() - self._began
        known = self.games is not None and self.games >= self.kept
        parts = [f"{self.kept:,} of {count(self.games or 0, 'game')}" if known else count(self.kept, "game")]
        if played and seconds > 0:
            parts.append(f"{played / seconds:,.1f} games/s")
            if self.games and (left := self.games - self.kept) > 0:
                parts.append(f"{duration(left * seconds / played)} left")
        return ", ".join(parts)


class PlainView:
    """Lines, for logs and terminals that cannot go back."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._pace: Pace | None = None
        self._said_at, self._said = 0.0, 0

    def __call__(self, event: RunEvent) -> None:
        """Say it where it is time to."""
        match event:
            case RunStarted():
                note(opening(event))
                self._pace = Pace(event, self._clock)
                self._said_at, self._said = self._clock(), event.kept
            case BotSuspended():
                note(event.note)
            case GamesKept() if self._pace:
                self._pace.kept = event.kept
                if self._is_due(event):
                    note(str(self._pace))
                    self._said_at, self._said = self._clock(), event.kept
            case RunEnded():
                note(closing(event))

    def _is_due(self, event: GamesKept) -> bool:
        since, news = self._clock() - self._said_at, event.kept - self._said
        share = LINE_SHARE * (event.games or event.kept)
        return since >= LINE_SECONDS or (since >= LEAST_SECONDS and news >= share)

    def close(self) -> None:
        """Nothing to put back."""


class LiveView:
    """A bar that is drawn again in its place, over a small table of the leaders."""

    def __init__(self, earlier: Callable[[str], Iterable[GameResult]]) -> None:
        self._earlier = earlier
        self._results: list[Results] = []
        self._new: list[GameResult] = []
        self._title = ""
        self._live: Live | None = None
        self._pace: Pace | None = None
        self._leaders: RenderableType = ""
        self._suspended: list[str] = []
        self._rate_at = 0.0

    def __call__(self, event: RunEvent) -> None:
        """Draw it."""
        match event:
            case RunStarted():
                note(opening(event))
                self._take_earlier(event)
                self._pace = Pace(event)
                self._open()
            case BotSuspended():
                self._suspended.append(event.note)
            case GamesKept() if self._pace and self._live:
                self._pace.kept = event.kept
                self._new.extend(event.results)
                self._rate()
                self._live.update(self._picture(self._pace), refresh=True)
            case RunEnded():
                self.close()
                note("\n".join((*self._suspended, closing(event))))

    def close(self) -> None:
        """Take the picture away and give the cursor back."""
        live, self._live = self._live, None
        if live is not None:
            live.stop()

    def _take_earlier(self, event: RunStarted) -> None:
        """A run goes on at once: where it would take long to read what was played before, leaders are of this run."""
        from leaderboards.results import Results

        if event.kept > EARLIER:
            self._title = f"leaders in the games of this run; {event.kept:,} were played before"
        elif event.kept:
            self._results = [Results.of(self._earlier(event.tournament))]

    def _open(self) -> None:
        from rich.console import Console
        from rich.live import Live

        # no thread: the executor tells something at least twice a second
        plain = click.get_current_context().color is False
        console = Console(stderr=True, no_color=plain or None, highlight=False)
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._live.start()

    def _rate(self) -> None:
        began = monotonic()
        if began < self._rate_at or not (self._results or self._new):
            return
        from arena.reading import rate
        from leaderboards.results import Results

        self._results = [results := Results.joined([*self._results, Results.of(self._new)])]
        self._new = []
        self._leaders = _table(rate(results), self._title)
        took = monotonic() - began
        self._rate_at = monotonic() + max(RATE_SECONDS, RATE_EFFORT * took)

    def _picture(self, pace: Pace) -> RenderableType:
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        picture = Table.grid()
        picture.add_row(self._leaders)
        for line in self._suspended:
            picture.add_row(Text(visible(line)))
        if pace.games is not None:
            picture.add_row(ProgressBar(total=pace.games, completed=pace.kept, width=60))
        picture.add_row(str(pace))
        return picture


def _table(standings: Any, title: str) -> RenderableType:
    from rich.table import Table
    from rich.text import Text

    table = Table("", "bot", "rating", "sigma", "games", "faults", box=None, title=title or None)
    for row in standings.rows[:LEADERS]:
        rating = row.rating
        numbers = (f"{rating.mu:.2f}", f"{rating.sigma:.2f}") if rating else ("partial", "")
        faults = sum(number for _, number in row.tally.faults)
        table.add_row(
            str(row.rank or ""), Text(label(row.bot.name)), *numbers, f"{row.tally.games:,}", f"{faults:,}"
        )
    return table


def opening(event: RunStarted) -> str:
    """The first lines of a run."""
    already = "all" if event.kept == event.games else f"{event.kept:,}"
    kept = f", {already} of them kept" if event.kept else ""
    games = "as many games as it takes" if event.games is None else count(event.games, "game")
    bots = f"{event.tournament}: {games}{kept}; bots: {', '.join(event.bots)}"
    return "\n".join((f"seed: {event.seed}", bots, *event.left_out))


def closing(event: RunEnded) -> str:
    """The last lines of a run."""
    faults = f"{count(event.faults, 'fault')} of bots" if event.faults else "no fault of a bot"
    left = f", {event.dropped:,} left out" if event.dropped else ""
    games = count(event.games - event.dropped, "game")
    why = f"; {event.stopped}" if event.stopped else ""
    uneven = [f"warning: not balanced: {line}" for line in event.unbalanced[:UNEVEN]]
    if more := len(event.unbalanced) - len(uneven):
        uneven.append(f"warning: not balanced: {more:,} more like these")
    return "\n".join(
        [f"done: {games}{left} in {duration(event.seconds)}, {faults} in this run{why}", *uneven]
    )
