"""A worker that plays hostile bots: what came of their games, when, and what it cost the referee.

duel    the bot against a witness, which says how long it waited for the verdict
brawl   the bot and two innocents, three for themselves: they are ranked among themselves
side    another match in the same worker meanwhile: its records are what they always are
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from types import TracebackType

import psutil

from arena.executors.local import LocalExecutor
from protocol.vocabulary import BotId, DealId, FaultKind, GameId
from referee.clocks import Limits
from referee.jobs import GameDone, Job, JobDone, Launch, PlannedGame
from referee.processes.sandbox import Sandbox
from tests.hostile.accounts import Account, allowed, fault_of, harm, hashes, matches, verdict
from tests.hostile.bait import Bait
from tests.hostile.footprint import footprint, left, peak, settle, starved, sweep
from tests.hostile.threats import PROBE, Attack

ROOT = Path(__file__).parents[2]
WITNESS, SLEEPER = Attack("", "", "hostile/witness"), Attack("", "", "hostile/sleeper")
IMPORTED = ("tests/bad_bots/bare/__init__.py", "tests/bad_bots/hostile/raw/__init__.py", "protocol/client.py")
DUEL, BRAWL = "claim", "claim/3p/GK-UWXTD"
STARTUP = 2.0
"""Seconds for hello."""
PATIENCE = 60.0
"""Seconds without a word of the worker after which it is given up."""
OF_PROCESSES = ("process", "descriptor", "thread")
APPEARS = 1.0
"""Seconds in which a bot's process is looked for."""
LOG_CAP = 300_000
"""Bytes that a bot's log may have."""


class Stage:
    """A context manager. One worker in a mode of isolation, in a short `folder` of its own."""

    def __init__(self, folder: Path, sandbox: Sandbox, bait: Bait) -> None:
        self.sandbox = sandbox
        self._folder = folder
        self._run = folder / "run"
        self._logs = folder / "logs"
        self._bait = bait
        self._usual: list[str] = []
        """The hashes of the games at the side, played alone."""

    def __enter__(self) -> Stage:
        self._logs.mkdir(parents=True, exist_ok=True)
        self._open()
        self._usual = hashes([game for _, game in self._play(self._side(WITNESS))])
        return self

    def _open(self) -> None:
        self._executor = LocalExecutor(self._run, 1).__enter__()
        self._executor._start()
        (self._worker,) = self._executor._workers

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._executor.__exit__(kind, error, trace)

    def attack(self, attack: Attack) -> Account:
        """Play a duel beside other games, then a brawl; look at what is left. A dead worker is replaced."""
        try:
            return self._attack(attack)
        except (EOFError, OSError) as error:
            self._executor.__exit__(None, None, None)
            self._open()
            mode, transport = self.sandbox.mode, attack.transports[0]
            expected = attack.expected(mode, transport, self.sandbox.layers)
            return Account(name(attack), mode, expected, f"a dead referee: {error}", 0, 0, 0, 0, [], [])

    def _attack(self, attack: Attack) -> Account:
        pid, ways = self._worker.process.pid, attack.transports
        look = partial(self._look, everything=not attack.litters(self.sandbox.mode))
        before, held, waited = look(), settle(pid), starved(pid)
        duel = self._job("duel", DUEL, [attack, WITNESS], attack, ways[0])
        brawl = self._job("brawl", BRAWL, [attack, WITNESS, WITNESS], attack, ways[-1])
        self._worker.connection.send(duel)
        begun = self._find(attack)[1]
        played = self._play(self._side(WITNESS), waiting=[duel])
        waited = starved(pid) - waited
        played += self._play(brawl)
        grew = peak(pid) - held
        account = self._judged(attack, ways, [game for _, game in played], left(before, look))
        account.grew, account.seconds = grew, self._seconds(played, begun)
        account.lag = max(account.lag, waited)
        self._clear()
        return account

    def probe(self) -> list[Account]:
        """What a bot can do here, over each transport: the games of the probe beside a bot that starts late."""
        return [self._probe(transport) for transport in PROBE.transports]

    def _probe(self, transport: str) -> Account:
        before = self._look()
        late = self._side(SLEEPER)
        self._worker.connection.send(late)
        other, _ = self._find(SLEEPER)
        assert other, "a bot that starts late is there"
        facts = json.dumps(self._bait.facts(other, self._worker.process.pid))
        duel = self._job("duel", DUEL, [PROBE, WITNESS], PROBE, transport, {"HOSTILE_FACTS": facts})
        played = [game for _, game in self._play(duel, waiting=[late])]
        account = self._judged(PROBE, [transport], played, left(before, self._look))
        account.did = self._attempts(duel.id)
        self._clear()
        return account

    def _find(self, bot: Attack) -> tuple[int, float]:
        """The process of a bot (0 where it was gone too soon), and when it was there."""
        begun = time.monotonic()
        while (now := time.monotonic()) < begun + APPEARS:
            for process in psutil.Process(self._worker.process.pid).children(recursive=True):
                with suppress(psutil.NoSuchProcess):
                    if bot.path.name in process.cmdline()[1:2]:
                        return process.pid, now
            time.sleep(0.002)
        return 0, begun

    # games

    def _job(
        self, kind: str, variant: str, seats: Sequence[Attack], attack: Attack, transport: str,
        env: dict[str, str] | None = None,
    ) -> Job:  # fmt: skip
        bank = timedelta(milliseconds=attack.bank_ms) or None
        limits = Limits(
            timedelta(seconds=STARTUP), bank, timedelta(0), timedelta(milliseconds=attack.move_ms) or None
        )
        games = tuple(planned(f"{kind}{number}") for number in range(attack.games))
        launches = tuple(self._launch(bot, seat, transport, env or {}) for seat, bot in enumerate(seats))
        return Job(kind, variant, launches, games, limits, self._bait.seed, str(self._logs), fresh=True)

    def _side(self, bot: Attack) -> Job:
        """A match of two honest bots: games that are always the same."""
        job = self._job("side", DUEL, [bot, bot], replace(bot, games=2, move_ms=5000), "stdio")
        return replace(job, fresh=False)

    def _launch(self, bot: Attack, seat: int, transport: str, env: dict[str, str]) -> Launch:
        folder = furnish(bot.path, self._folder / "bots" / bot.path.stem)
        told = {"HOSTILE_TAG": self._bait.tag, "HOSTILE_KEY": str(self._bait.key), **env}
        argv = (sys.executable, bot.path.name, *bot.arguments)
        return Launch(BotId(f"bot{seat}", ""), argv, str(folder), told, transport, self.sandbox)

    def _play(self, *jobs: Job, waiting: Sequence[Job] = ()) -> list[tuple[float, GameDone]]:
        """All games of `jobs`, and of those that the worker has already, each with the time of its end."""
        for job in jobs:
            self._worker.connection.send(job)
        open = {job.id for job in [*jobs, *waiting]}
        games: list[tuple[float, GameDone]] = []
        while open:
            if not self._worker.connection.poll(PATIENCE):
                raise TimeoutError(f"the worker says no more of {sorted(open)}")
            message = self._worker.connection.recv()
            if isinstance(message, GameDone):
                games.append((time.monotonic(), message))
            elif isinstance(message, JobDone):
                open.remove(message.job)
        return games

    # what came of them

    def _judged(self, attack: Attack, ways: list[str], games: list[GameDone], remains: set[str]) -> Account:
        by_job = {job: [game for game in games if game.job == job] for job in ("duel", "brawl", "side")}
        duels, brawls = by_job["duel"][-1:], by_job["brawl"][-1:]
        verdicts = [(verdict(game), ways[0]) for game in duels] + [
            (verdict(game), ways[-1]) for game in brawls
        ]
        mode, layers = self.sandbox.mode, self.sandbox.layers
        wrong = [pair for pair in verdicts if not matches(pair[0], attack.expected(mode, pair[1], layers))]
        got, transport = (wrong or verdicts)[0]
        trouble = [text for game in by_job["duel"] + by_job["brawl"] if (text := harm(game))]
        if hashes(by_job["side"]) != self._usual:
            trouble.append(f"the match at the side: {[verdict(game) for game in by_job['side']]}")
        trouble += [f"a log of {size} bytes" for size in self._sizes() if size > LOG_CAP]
        expected = attack.expected(mode, transport, layers)
        had, lag = allowed(duels[0])
        account = Account(name(attack), mode, expected, got, 0.0, had, lag, 0, sorted(remains), trouble)
        account.whole = "namespaces" in layers
        return account

    def _seconds(self, played: list[tuple[float, GameDone]], begun: float) -> float:
        """From the moment that the bot was asked, as the witness knows it, to the news of the verdict."""
        at, duel = [(at, game) for at, game in played if game.job == "duel"][-1]
        last, longest = self._waited(duel.job)
        fault = fault_of(duel)
        if fault is None or fault["turn"]:
            return last
        return at - begun if fault["kind"] == FaultKind.NO_START else longest

    def _sizes(self) -> list[int]:
        return [path.stat().st_size for path in self._logs.iterdir()]

    def _waited(self, job: str) -> tuple[float, float]:
        """What the witness in seat 1 said last: for the end of the game, and at most."""
        said = [path.read_text().split() for path in sorted(self._logs.glob(f"{job}-1*.log"))]
        last, longest = said[-1][-2:]
        return float(last), float(longest)

    def _attempts(self, job: str) -> dict[str, str]:
        lines = self._logs.joinpath(f"{job}-0.log").read_text().splitlines()
        said = (line.partition(": ") for line in lines if line.startswith("attempt "))
        return {what.removeprefix("attempt "): outcome for what, _, outcome in said}

    def _look(self, everything: bool = True) -> set[str]:
        """`everything`: also what is not of processes."""
        found = footprint(os.getpid(), self._worker.process.pid, self._run, self._bait.tag)
        return {one for one in found if everything or one.startswith(OF_PROCESSES)}

    def _clear(self) -> None:
        """Of what is not promised to go."""
        for log in self._logs.iterdir():
            log.unlink()
        sweep(self._bait.tag, range(self._bait.key + 1, self._bait.key + 3), keep="mark")


def name(attack: Attack) -> str:
    """As accounts have it."""
    return f"{attack.threat} {attack.bot}"


def furnish(script: Path, folder: Path) -> Path:
    """A folder with a bot and all that it imports, as its author would hand it in; `folder`."""
    sources = {script.name: script} | {path: ROOT / path for path in IMPORTED}
    for path, source in sources.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            shutil.copy(source, target)
    return folder


def planned(name: str) -> PlannedGame:
    return PlannedGame(GameId(name), DealId(f"deal of {name}"), f"seed of {name}", name, 1)
