"""Games under way, as far as whoever watches a run may see them: what is public of them, and old.

    who watches                        the run's folder            the runner
    touches, every second or so   ──►  watched    ──►  while that is fresh: asks its workers how far their games
                                                       are (Peek), twice a second, and plays that again
    reads, checked                ◄──  feed.json  ◄──  as far as it is old enough

Where nobody watches nothing is asked, played again or written. An action leaves the memory of the runner once it
was taken the tournament's `spectator_delay_ms` ago, and of it only what somebody sees who sits in no seat
(`State.public`): no hand, no deck, no seed. Both files are the user's alone. A bot that is kept apart does not see the run's folder; games of bots that are
not are not shown.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from arena.database import now as stamp
from protocol.codec import encode, read_strictly
from protocol.record import unpack
from protocol.vocabulary import GameId, Seat
from referee.game import State
from referee.jobs import GameDone, Glimpse, Job, PlannedGame
from referee.processes.sandbox import Sandbox
from referee.replay import Step
from referee.score import spec_of
from referee.telling import FORMAT, Teller, Told

if TYPE_CHECKING:
    from pydantic import TypeAdapter

Actions = tuple[tuple[Seat, str, float], ...]
WATCHED, SHOWN = "watched", "feed.json"
FRESH = 10.0
"""Seconds for which a touch says that somebody watches."""
PERIOD = 0.5
EFFORT = 20
"""Games are played again for at most one part in so many of the time; what is left over is shown later."""
GONE = 2.0
"""Seconds after which a game that no worker speaks of any more is taken to be over,"""
SHORT = 2.0
"""and one that was spoken of for less than this is not shown at all: it can be replayed sooner."""
MOST = 16
"""Games that are shown, those that were found first."""
TRUSTED = (
    "bots of this tournament could read what is shown of their games, since nothing on this machine keeps them from "
    "it (sandbox none): games under way are not shown"
)


@dataclass(frozen=True, slots=True)
class Shown:
    """A game under way, as it was `delay_seconds` ago."""

    seconds: float
    """Since it was dealt, at least."""
    replay: dict[str, Any]
    """A replay file (`referee.telling`) without its end, of public events alone, and without the deal's name."""

    @property
    def told(self) -> list[Told]:
        """Its events."""
        return [Told(*event) for event in self.replay["events"]]


@dataclass(frozen=True, slots=True)
class Feed:
    """What a run shows."""

    at: str
    """UTC, ISO 8601; so `began`."""
    began: str
    """The run."""
    delay_seconds: float
    notes: list[str] = field(default_factory=list)
    """Why something is not shown."""
    games: list[Shown] = field(default_factory=list)


class Peekable(Protocol):
    """Who can say how far games under way are: `arena.executors.local`."""

    def peek(self) -> None:
        """Ask the workers."""

    def glimpses(self) -> list[tuple[Job, Glimpse]]:
        """What they have said since."""


class Feeder:
    """The runner's side. Invariant: what is written is at least `delay` seconds old."""

    def __init__(self, folder: Path, delay: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder, self._delay, self._clock = folder, delay, clock
        self._began = stamp()
        self._due = 0.0
        self._games: dict[GameId, _Game] = {}
        self._notes: list[str] = []

    def turn(self, workers: Peekable, over: Iterable[GameDone] = ()) -> None:
        """Do what is due; called as often as one likes, and with each game that is over."""
        now = self._clock()
        for done in over if self._games else ():
            game = self._games.get(done.planned.id)
            if game and game.attempt == done.planned.attempt:
                game.hear(_actions(done), now)
        if now < self._due:
            return
        self._due = now + PERIOD
        if not _is_fresh(self._folder / WATCHED):
            self._games.clear()
            return
        self._take(workers.glimpses(), now)
        workers.peek()
        with suppress(OSError):  # whoever watches sees nothing, and the run goes on
            _replace(self._folder / SHOWN, encode(self._feed(now)))

    def _take(self, found: Sequence[tuple[Job, Glimpse]], now: float) -> None:
        for job, glimpse in found:
            if not all(hides_files(launch.sandbox) for launch in job.seating):
                self._notes = [TRUSTED]
            elif game := self._game(job, glimpse.planned, now):
                game.hear(glimpse.actions, now)
        until = self._clock() + PERIOD / EFFORT
        for game in self._games.values():
            game.tell(now, self._delay, lambda: self._clock() > until)
        self._games = {id: game for id, game in self._games.items() if game.is_worth_it(now)}

    def _game(self, job: Job, planned: PlannedGame, now: float) -> _Game | None:
        """What is known of a game in this attempt; None where there are too many to show it."""
        known = self._games.get(planned.id)
        if known and known.attempt == planned.attempt:
            return known
        if known or len(self._games) < MOST:
            self._games[planned.id] = known = _Game(job, planned, now)
        return known

    def _feed(self, now: float) -> dict[str, Any]:
        games = [game.shown(now) for game in self._games.values() if game.told]
        return {
            "at": stamp(), "began": self._began, "delay_seconds": self._delay, "notes": self._notes,
            "games": games,
        }  # fmt: skip


class _Game:
    """One game, played again behind the workers, who play it."""

    def __init__(self, job: Job, planned: PlannedGame, now: float) -> None:
        self._spec, self.attempt = spec_of(job, planned), planned.attempt
        self._first = self._last = now
        """When it was spoken of;"""
        self._moved = now
        """and when something new of it was told."""
        self._actions: list[tuple[Seat, str, float]] = []
        self._at: list[float] = []
        """When, at the latest, the deal and then each action was made."""
        self._step = -1
        """Actions that are told of; -1: not even the deal."""
        self._teller = Teller(1)
        self._events = 0
        self.told: list[Told] = []

    @cached_property
    def _state(self) -> State:
        return self._spec.state()

    def hear(self, actions: Actions, now: float) -> None:
        """How far it is. An action is no younger than the thinking that came after it."""
        new = actions[len(self._actions) :]
        at = now - sum(ms for _, _, ms in new) / 1000
        if not self._at:
            self._at.append(at)
        for _, _, ms in new:
            at += ms / 1000
            self._at.append(at)
        self._actions += new
        self._last = now

    def tell(self, now: float, delay: float, enough: Callable[[], bool]) -> None:
        """Go on, a whole decision at a time, with what is as old as that, until it is enough for this time."""
        while self._step < (end := self._decided()) < len(self._at) and self._at[end] <= now - delay:
            if enough():
                return
            while self._step < end:
                self._advance()
            self._moved = now

    def _decided(self) -> int:
        """How many actions there are after the next decision; as many as now where there is none."""
        return 0 if self._step < 0 else self._step + len(self._state.to_act)

    def _advance(self) -> None:
        state, seat, house = self._state, None, False
        self._step += 1
        if self._step:
            seat, text, ms = self._actions[self._step - 1]
            house = ms == 0
            state.apply(seat, state.parse(seat, text))
            self.told.append(Told(self._step, None, "@turn", {"seat": seat, "house": house}))
        events = state.events(self._events)
        self._events += len(events)
        public = [event for event in events if event.audience is None]
        seen = cast(State, _Public(state))
        self.told += self._teller.tell(Step(self._step, seat, "", house, seen, public, []))

    def is_worth_it(self, now: float) -> bool:
        """Whether it goes on, or was long enough to be told to its end, which is to be seen for a moment."""
        if now - self._last < GONE:
            return True
        left = self._step + 1 < len(self._at) or now - self._moved < GONE
        return left and self._last - self._first >= SHORT

    def shown(self, now: float) -> dict[str, Any]:
        """The fields of `Shown`."""
        spec, variant = self._spec, self._spec.variant
        replay = {
            "format": FORMAT,
            "id": spec.id, "game": spec.game.name, "variant": variant.id, "rules": spec.game.rules_id(variant),
            "deal": "", "setup": spec.game.setup_info(variant),
            "seats": [
                {"bot": bot.name, "digest": bot.digest, "team": team}
                for bot, team in zip(spec.bots, variant.teams, strict=True)
            ],
            "steps": self._step, "limits": spec.limits.recorded(),
            "events": [list(event) for event in self.told],
        }  # fmt: skip
        return {"seconds": round(now - self._at[0], 1), "replay": replay}


def _actions(done: GameDone) -> Actions:
    """All of a game that is over, as glimpses have them."""
    record = read_strictly(unpack(done.record))
    taken = zip(record["play"]["actions"], record["account"]["ms"], strict=True)
    return tuple((Seat(seat), text, ms) for (seat, text), ms in taken)


class _Public:
    """A state as those see it who sit in no seat; as much of one as a `Teller` asks for."""

    to_act = ()

    def __init__(self, state: State) -> None:
        self._state = state

    def view(self, _: Seat) -> dict[str, Any]:
        return self._state.public()

    def unseen(self) -> dict[str, Any]:
        return {}


def hides_files(box: Sandbox) -> bool:
    """Whether a bot in there sees none of the user's files."""
    return any(layer == "namespaces" or layer.startswith("landlock") for layer in box.layers)


class Window:
    """The side of whoever watches: a run's folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def look(self) -> Feed | None:
        """Say that somebody watches; what is shown. None: nothing (yet), or not to this user."""
        from pydantic import ValidationError

        try:
            info = self._folder.lstat()
            if info.st_uid != os.getuid() or not stat.S_ISDIR(info.st_mode):
                return None
            _touch(self._folder / WATCHED)
            return _form().validate_json((self._folder / SHOWN).read_bytes())
        except (OSError, ValidationError):
            return None


@cache
def _form() -> TypeAdapter[Feed]:
    from pydantic import TypeAdapter

    return TypeAdapter(Feed)


def _is_fresh(marker: Path) -> bool:
    try:
        return abs(time.time() - marker.lstat().st_mtime) < FRESH
    except OSError:
        return False


def _touch(marker: Path) -> None:
    with os.fdopen(os.open(marker, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600)) as file:
        os.utime(file.fileno())


def _replace(path: Path, data: bytes) -> None:
    """The whole of a file at once, for its owner alone."""
    beside = path.with_suffix(".new")
    with os.fdopen(
        os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600), "wb"
    ) as file:
        file.write(data)
    beside.replace(path)
