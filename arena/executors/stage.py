"""A seat under the terms of one tournament: what its machine is, the bots taken in, units as they are played there."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from time import get_clock_info
from typing import TYPE_CHECKING

from arena import building, preflight, sealing, shipping
from arena.bundles import Bot
from arena.errors import ArenaError, CannotStart
from arena.executors import calibration
from arena.executors.orders import Came, Enlist, Enlisted, Entrant, Report, Terms, Unit
from arena.executors.stints import Stint
from arena.home import Home
from arena.isolation import words
from arena.manifests import house_bots, source
from protocol.manifest import Manifest
from protocol.vocabulary import BotId
from referee.games import game_of
from referee.jobs import Job, Launch
from referee.processes import MODES, Sandbox

if TYPE_CHECKING:
    from arena.executors.seat import Seat

LEAST = "KINGMAKER_WORKER_SANDBOX"
"""The variable with the mode that bots are kept in at least, whatever a runner asks for, and without any lack."""
LOGS = 64 * 1024**2
"""Bytes of what bots printed that come back with a unit at most: all of it goes through the scheduler."""
HOUSE = "random"
"""The bot that plays for calibration."""


class Stage:
    """A seat under the terms of one tournament."""

    def __init__(self, seat: Seat, terms: Terms) -> None:
        self._seat, self._terms = seat, terms

    @cached_property
    def _home(self) -> Home:
        """Where bots are kept, in the mode of the terms. Raises CannotStart where that is below what is wanted here."""
        least, mode = os.environ.get(LEAST) or MODES[0], self._terms.mode
        if least not in MODES:
            raise CannotStart(f"{LEAST} is {least!r} there", f"one of {', '.join(MODES)}", "E303")
        if MODES.index(mode) < MODES.index(least):
            raise CannotStart(f"bots are kept in mode {least} at least there ({LEAST})", "", "E303")
        home = Home(self._seat.home.path, mode, self._terms.allow_missing)
        if least != MODES[0] and (lacks := home.sandbox().missing):
            raise CannotStart(
                f"it lacks {', '.join(lacks)}, and nothing may lack there ({LEAST})", "", "E303"
            )
        return home

    @cached_property
    def _sandbox(self) -> Sandbox:
        """What bots are kept in on this machine. Raises CannotStart."""
        return replace(self._home.sandbox(), memory_mb=self._terms.memory_mb)

    def report(self) -> Report:
        """What this machine is, with a look at how quick it is."""
        flaw, layers, sandbox, speed = "", tuple[str, ...](), "nothing", calibration.computing()
        try:
            layers, sandbox = words(self._sandbox), str(self._sandbox)
            speed = calibration.measured(self._seat.executor("zmtp"), self._house_bot(), self._seat.logs)
        except (ArenaError, OSError) as error:
            flaw = str(error)
        here = self._seat.home.path / "bots"
        return Report(
            os.uname().nodename, self._seat.claim.cores, self._rules(),
            get_clock_info("monotonic").resolution, sandbox, layers, speed, flaw,
            frozenset(one.id.digest for one in self._terms.bots if not (here / one.id.digest).is_dir()),
        )  # fmt: skip

    def _rules(self) -> dict[str, str]:
        found = {}
        for variant in self._terms.rules:
            with suppress(ValueError):  # a game that is not known here
                game = game_of(variant)
                found[variant] = game.rules_id(game.variant(variant))
        return found

    def _house_bot(self) -> Bot:
        """One that comes with the arena, as it is here."""
        found = source(house_bots()[HOUSE])
        files = found.files()
        id = BotId(found.manifest.name, sealing.digest(files))
        folder = self._home.folder("bots") / id.digest
        with building.built(files, found.manifest, folder, self._home.sandbox):
            return Bot(id, found.manifest, folder, lambda: self._sandbox)

    def enlisted(self, order: Enlist) -> Enlisted:
        """Take bots in, and start each once."""
        flaws, bots = [], []
        for entrant in self._terms.bots:
            try:
                bots.append(self._bot(entrant, order.bundles.get(entrant.id.digest, b"")))
            except ArenaError as error:
                flaws.append(f"{entrant.id.name}: {error}")
        failed = preflight.failures(bots, self._seat.claim.folder, self._terms.limits, self._seat.logs)
        for log in self._seat.logs.iterdir():
            log.unlink()
        return Enlisted((*flaws, *map(str, failed.values())))

    def _bot(self, entrant: Entrant, archive: bytes = b"") -> Bot:
        manifest = Manifest.model_validate(entrant.manifest)
        bot = shipping.installed(self._home, entrant.id, manifest, archive)
        return replace(bot, sandbox=lambda: self._sandbox)

    @property
    def terms(self) -> Terms:
        """Of that tournament."""
        return self._terms

    def begun(self, unit: Unit) -> Stint:
        """A unit, to be played here."""
        return Stint(unit, tuple(self._here(unit.jobs)))

    def came(self, stint: Stint, seconds: float) -> Came:
        """What came of a unit which took so long."""
        logs = self._printed(stint.jobs)
        return Came(tuple(stint.games), seconds, stint.watch.hot, stint.watch.start, logs, self._seat.news())

    def _here(self, jobs: tuple[Job, ...]) -> Iterator[Job]:
        """Jobs as they are played here: files, interpreters and layers are this machine's."""
        there = {launch.bot for job in jobs for launch in job.seating if not launch.suspended}
        launches = {one.id: self._bot(one).launch for one in self._terms.bots if one.id in there}

        def placed(launch: Launch) -> Launch:
            return replace(
                launches.get(launch.bot, launch), sandbox=self._sandbox
            )  # who is suspended is not started

        shared = self._seat.claim.is_shared
        for job in jobs:
            seating = tuple(map(placed, job.seating))
            yield replace(job, seating=seating, logs=str(self._seat.logs), oversubscribed=shared)

    def _printed(self, jobs: Sequence[Job]) -> dict[str, bytes]:
        """What bots printed in these, also those that were started anew; no log of them is left."""
        ids, found, room = {job.id for job in jobs}, {}, LOGS
        for log in self._seat.logs.iterdir():
            if log.name.rpartition("-")[0] in ids:
                said = log.read_bytes()
                if len(said) <= room:
                    found[log.name] = said
                    room -= len(said)
                log.unlink()
        return found
