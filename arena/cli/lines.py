"""A tournament that is watched, in lines: for logs and terminals that cannot go back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from time import monotonic
from typing import TYPE_CHECKING

from arena.cli.output import count, duration
from protocol.escape import label

if TYPE_CHECKING:
    from arena.snapshots import RecentFault, Snapshot
    from protocol.vocabulary import BotId

PLAIN: Mapping[str, str] = {}
LINE_SECONDS = 10.0
LINE_SHARE = 0.05
"""A line comes after so many seconds or so much of the games, whichever is sooner."""


class Lines:
    """A run in lines: how far it is now and then, its faults at once."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._said_at = self._said = 0.0
        self._state = ""
        self._fault: RecentFault | None = None
        self._away: set[BotId] = set()

    def of(self, snapshot: Snapshot) -> Iterator[str]:
        """What is to be said after a look."""
        yield from map(fault_line, self._new_faults(snapshot))
        yield from self._new_away(snapshot)
        state, now = _state(snapshot), self._clock()
        if state != self._state or self._is_due(snapshot, now):
            yield f"{snapshot.tournament}: {state}, {pace(snapshot)}{_first(snapshot)}"
            self._state, self._said, self._said_at = state, snapshot.over, now

    def _new_away(self, snapshot: Snapshot) -> list[str]:
        """Who was suspended since the last look."""
        new = [away for away in snapshot.away if away.bot not in self._away]
        self._away |= {away.bot for away in new}
        return [f"{label(away.bot.name)} is suspended: {away.kind} too often in a row" for away in new]

    def _is_due(self, snapshot: Snapshot, now: float) -> bool:
        news = snapshot.over - self._said
        share = LINE_SHARE * (snapshot.games or snapshot.over)
        return news > 0 and (now - self._said_at >= LINE_SECONDS or news >= share)

    def _new_faults(self, snapshot: Snapshot) -> list[RecentFault]:
        """Since the last look, the oldest first; at the first look none."""
        known = self._fault if self._fault in snapshot.faults else None
        new = snapshot.faults[: snapshot.faults.index(known)] if known else snapshot.faults
        first = not self._state
        self._fault = snapshot.faults[0] if snapshot.faults else None
        return [] if first else list(new[::-1])


def _state(snapshot: Snapshot) -> str:
    if snapshot.running:
        return "running"
    if snapshot.ended:
        return f"over ({snapshot.ended})"
    return "stopped" if snapshot.over else "waiting for a run"


def pace(snapshot: Snapshot) -> str:
    """`120 of 400 games, 35.1 games/s, 8 s left`; without what is not known."""
    over, games = snapshot.over, snapshot.games
    parts = [f"{over:,} of {count(games, 'game')}" if games else count(over, "game")]
    if (speed := snapshot.per_second) is not None:
        parts.append(f"{speed:,.1f} games/s" if speed >= 1 else f"{60 * speed:,.1f} games/min")
    if snapshot.left_seconds:
        parts.append(f"{duration(snapshot.left_seconds)} left")
    return ", ".join(parts)


def _first(snapshot: Snapshot) -> str:
    rows = snapshot.standings.rows if snapshot.standings else ()
    if not rows or rows[0].rating is None:
        return ""
    return f"; first is {label(rows[0].bot.name)} with {rows[0].rating.mu:.2f}"


def fault_line(fault: RecentFault, names: Mapping[str, str] = PLAIN) -> str:
    """A fault in a line; `names`: what bots are called there."""
    return f"{fault.at[11:19]} {_name(fault.bot, names)}: {fault.kind} in game {fault.game[:12]}"


def lost_lines(snapshot: Snapshot, names: Mapping[str, str] = PLAIN) -> list[str]:
    """What suspended bots have lost without having been started, a line each."""
    return [
        f"{_name(away.bot, names)}: {count(away.unplayed, 'game')} lost unplayed, suspended"
        for away in snapshot.away
        if away.unplayed
    ]


def _name(bot: BotId, names: Mapping[str, str]) -> str:
    return names.get(bot.name) or label(bot.name)
