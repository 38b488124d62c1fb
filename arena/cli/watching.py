"""A comparison as it goes on, on stderr: one line that is written again on a terminal, lines elsewhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from time import monotonic

import click

from arena.cli.output import count, duration, note
from arena.comparing import Comparing, Standing, standing
from arena.events import BotSuspended, GamesKept, RunEnded, RunEvent, RunStarted
from arena.schedules.blocks import Progress
from leaderboards.sprt import Sprt
from protocol.result import GameResult

LINE_SECONDS, LIVE_SECONDS = 10.0, 0.2
"""How often a line is written: below the others, or in the place of the one before."""
LINE_SHARE = 0.05
"""Of all games: after so many a line comes sooner,"""
LEAST_SECONDS = 1.0
"""but not sooner than this."""
EFFORT = 20
"""To count takes at most one part in so many of the time."""
WIDTH = 80
"""Of a terminal that does not know its own."""


class Watch:
    """What shows a comparison as it goes on, on stderr."""

    def __init__(
        self, comparing: Comparing, earlier: Callable[[str], Iterable[GameResult]], live: bool,
        clock: Callable[[], float] = monotonic,
    ) -> None:  # fmt: skip
        self._comparing, self._rounds, self._progress = comparing, comparing.rounds, Progress()
        self._earlier, self._live, self._clock = earlier, live, clock
        self._period = LIVE_SECONDS if live else LINE_SECONDS
        self._began = self._said_at = clock()
        self._played = self._said = 0
        self._open = False

    def __call__(self, event: RunEvent) -> None:
        """Take an event in."""
        match event:
            case RunStarted():
                note(_opening(event))
                self._progress.take(self._earlier(event.tournament) if event.kept else ())
                self._began = self._said_at = self._clock()
            case BotSuspended():
                self.close()
                note(event.note)
            case GamesKept():
                self._progress.take(event.results)
                self._played += len(event.results)
                if self._is_due(event):
                    self._say()
            case RunEnded():
                self.close()
                note(f"{count(self._played, 'game')} in {duration(event.seconds)}")

    def close(self) -> None:
        """End the line that is written again; may be called more than once."""
        if self._open:
            click.echo(err=True)
        self._open = False

    def _is_due(self, event: GamesKept) -> bool:
        since, news = self._clock() - self._said_at, self._played - self._said
        share = LINE_SHARE * (event.games or event.kept)
        return since >= self._period or (since >= LEAST_SECONDS and news >= share)

    def _say(self) -> None:
        began = self._clock()
        text = progress(standing(self._comparing, self._rounds, self._progress), self._comparing.test)
        self._write(f"{text}, {self._played / (began - self._began):,.1f} games/s")
        self._said_at, self._said = self._clock(), self._played
        self._period = max(LIVE_SECONDS if self._live else LINE_SECONDS, EFFORT * (self._said_at - began))

    def _write(self, text: str) -> None:
        if self._live:
            room = (os.get_terminal_size(sys.stderr.fileno()).columns or WIDTH) - 1
            click.echo(f"\r\x1b[K{text[:room]}", nl=False, err=True)
            self._open = True
        else:
            note(text)


def _opening(event: RunStarted) -> str:
    kept = f", {event.kept:,} of them kept" if event.kept else ""
    games = f"{event.tournament}: at most {count(event.games or 0, 'game')}{kept}"
    return f"seed: {event.seed}\n{games}; bots: {', '.join(event.bots)}"


def progress(now: Standing, test: Sprt) -> str:
    """How far it is, in a line.

    >>> progress(Standing(1000, 2000, 1.2345, 0.531, 0.5147, 0.5473, 0.9999, 21.6), Sprt())
    '1,000 rounds, score 0.531 ± 0.016, LLR 1.23 (-2.94 to 2.94), LOS above 99.9 %'
    >>> progress(Standing(0, 0, 0.0, None, None, None, None, None), Sprt())
    'no round is over yet, LLR 0.00 (-2.94 to 2.94)'
    """
    parts = [count(now.rounds, "round") if now.rounds else "no round is over yet"]
    if now.score is not None:
        width = "" if now.low is None or now.high is None else f" ± {(now.high - now.low) / 2:.3f}"
        parts.append(f"score {now.score:.3f}{width}")
    parts.append(f"LLR {signed(now.ratio)} ({test.lower:.2f} to {test.upper:.2f})")
    if now.los is not None:
        parts.append(f"LOS {percent(now.los)}")
    return ", ".join(parts)


def signed(ratio: float) -> str:
    """With two digits, and no minus before a nought.

    >>> signed(-0.001), signed(-1.5)
    ('0.00', '-1.50')
    """
    return f"{round(ratio, 2) + 0.0:.2f}"


def percent(chance: float) -> str:
    """A chance that is never quite 0 or 1.

    >>> percent(0.12345), percent(0.99999)
    ('12.3 %', 'above 99.9 %')
    """
    if 0.001 <= chance <= 0.999:
        return f"{100 * chance:.1f} %"
    return "below 0.1 %" if chance < 0.001 else "above 99.9 %"
