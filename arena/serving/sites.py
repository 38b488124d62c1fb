"""The static site of each tournament, in the home folder, built anew when its chain has moved.

Another process builds it, at low priority, so that neither games nor pages wait; one at a time. A site is written
whole or not at all, so the old one is served until the new one is there.
"""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from arena.errors import ArenaError, CannotStart
from arena.home import Home
from arena.place import address_of
from arena.serving import building
from arena.serving.remaking import Remade
from arena.serving.shown import State
from leaderboards.site.addresses import INDEX

LAST_WORDS = 2.0
"""Seconds that a build has to clear up in when it is ended."""
Build = Callable[[Home, str, Path], Awaitable[None]]
"""Writes the site of a tournament into a folder. Raises ArenaError."""


async def build(home: Home, name: str, folder: Path) -> None:
    """Run `arena.serving.building`, whose modules are ours wherever this was started. Raises CannotStart: it failed."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", building.__name__, str(home.path), name, str(folder),
        stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE, start_new_session=True,
        env=os.environ | {"KINGMAKER_LEDGER": address_of(home.ledger)},  # a password is no word of a command
    )  # fmt: skip
    try:
        _, said = await process.communicate()
    except asyncio.CancelledError:
        await _end(process)
        raise
    if process.returncode or not (folder / INDEX).is_file():
        raise _not_built(name, said.decode("utf-8", "replace"))


async def _end(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.terminate()
        with suppress(TimeoutError):
            await asyncio.wait_for(process.communicate(), LAST_WORDS)
            return
        process.kill()


def _not_built(name: str, said: str) -> CannotStart:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    why = next((line for line in lines if line.startswith("error: ")), lines[-1] if lines else "killed")
    return CannotStart(
        f"the site of {name} cannot be built: {why.removeprefix('error: ')}",
        f"see all of it: arena site build {name} -o FOLDER; what was built before is served on",
        "E321",
    )


class Sites:
    """The sites of a home folder. Raises StorageError where nothing can be written there."""

    def __init__(self, home: Home, failed: Callable[[ArenaError], None], build: Build) -> None:
        self._home, self._failed, self._build = home, failed, build
        self._root = home.folder("sites")
        self._sites: dict[str, Remade[Path]] = {}
        self._one = asyncio.Lock()

    def folder(self, state: State) -> Path | None:
        """Where the site of a tournament is, as of some time ago; None where there is none yet."""
        name = state.begun.name
        if name not in self._sites:
            self._sites[name] = Remade(partial(self._built, name), self._failed)
        if state.head:
            self._sites[name].look(state)
        folder = self._root / name
        return folder if (folder / "index.html").is_file() else None

    async def close(self) -> None:
        """End what is being built."""
        await asyncio.gather(*(site.close() for site in self._sites.values()))

    async def _built(self, name: str) -> Path:
        async with self._one:
            await self._build(self._home, name, self._root / name)
        return self._root / name
