"""`arena bot check`: everything that a bot must do before a tournament, each thing with its fix.

The bot is taken in and started; plays a game of every variant that it says it plays, against house players
that try any legal action; and is treated as a tournament may treat it (`arena.probes`).
"""

from __future__ import annotations

import os
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from time import monotonic

from arena.bundles import Bot, found_at, limits_of, resolve
from arena.config import is_path
from arena.errors import ArenaError, CannotStart
from arena.home import Home
from arena.manifests import known_games
from arena.preflight import LINES, greet, hello_log
from arena.probes import DETERMINISTIC, PROBES, Trial, advice
from arena.reading import opened
from arena.single import log_folder
from referee.clocks import Limits
from referee.games import GAMES
from referee.processes import Command, StartError, become_subreaper, clean_environment, keep
from referee.transports import lines

SECONDS = 60.0
"""For the games of all variants; then those that are left are named."""
PATIENCE = 3.0
"""Seconds for a bot to leave when its input is over."""
STARTED = "it has started before: look for what its last process has left, or what it only sometimes finds"
"""What to do about a bot that does not start again."""
FAILURES = 3
"""Of a number of players, after which its other variants are not tried."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was checked."""

    name: str
    """`manifest`, `files and build`, `start and hello`, `claim/2p` or a variant's id, a probe, `timing`."""
    ok: bool
    detail: str
    fix: str = ""
    """What to do where it is not ok; where it is, a warning."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How long a bot took; milliseconds of wall time, but for the last."""

    startup_ms: float
    """From the start of the program to its `hello`."""
    moves: int
    median_ms: float
    p95_ms: float
    worst_ms: float
    cpu_ms: float
    """CPU time of its processes, all moves and games together, for each move."""


@dataclass(frozen=True, slots=True)
class CheckUp:
    """All of `arena bot check`."""

    ok: bool
    checks: list[Step]
    timing: Timing | None


@dataclass(slots=True)
class Times:
    """What is measured on the way."""

    startup_ms: float = 0.0
    moves_ms: list[float] = field(default_factory=list)
    cpu_seconds: float = 0.0
    played: str = ""
    """The first variant that it played without a fault."""

    def report(self) -> Timing | None:
        """None where it has not moved."""
        if len(self.moves_ms) < 2:
            return None
        return Timing(
            round(self.startup_ms, 1), len(self.moves_ms), round(median(self.moves_ms), 3),
            round(quantiles(self.moves_ms, n=20)[-1], 3), round(max(self.moves_ms), 3),
            round(1000 * self.cpu_seconds / len(self.moves_ms), 3),
        )  # fmt: skip


def check_up(home: Home, reference: str, times: Times, seconds: float = SECONDS) -> Iterator[Step]:
    """Check the bot that `reference` means, one step at a time, and fill in `times`.

    Nothing comes after a step that fails before the games, of which all are tried. Raises InputError where
    there is nothing at a path.
    """
    try:
        if is_path(reference):
            yield _manifest(home, Path(reference))
        with opened(home) as ledger:
            bot = resolve(home, ledger, reference)
        yield Step("files and build", True, f"{bot.id}, kept in {bot.folder}")
    except ArenaError as error:
        if is_path(reference) and not Path(reference).exists():
            raise
        yield Step(_stage(error), False, str(error), error.fix)
        return
    yield (started := _start(home, bot, times))
    if not started.ok:
        return
    with _trial(home, bot) as trial:
        yield from _games(trial, times, seconds)
    if times.played:  # else a probe would only say the same in other words
        for name, probe in (PROBES | (DETERMINISTIC if bot.manifest.deterministic else {})).items():
            with _trial(home, bot) as trial:
                try:
                    complaint = probe(trial, times.played)
                except CannotStart as error:
                    complaint = str(error), STARTED
            yield Step(
                name, complaint is None, *(complaint or (probe.__doc__ or "").strip().splitlines()[:1])
            )
    if timing := times.report():
        yield _timing(timing)


def try_out(home: Home, bot: Bot) -> None:
    """The least that is asked of a bot that is added: it starts, and plays a game of each size without a fault.

    Raises CannotStart with what was wrong.
    """
    with _trial(home, bot, keeps=False) as trial:
        try:
            trial.player()  # also where it plays nothing that is known here
        except CannotStart as error:  # nothing of it will be kept, so its path is what can be checked
            fix = _over_lines(bot, error) or error.fix.replace(str(bot.id), "PATH")
            raise CannotStart(str(error), fix, error.code) from None
        for variant, *_ in groups_of(bot).values():
            seat, done = trial.play(variant)
            if complaint := advice(done, seat, LINES):
                text, fix = complaint
                raise CannotStart(
                    f"{bot.id.name}: {variant}: {text}", f"{fix}; arena bot check tries more", "E302"
                )


def groups_of(bot: Bot) -> dict[str, list[str]]:
    """The variants that a bot plays, by game and number of players (`claim/2p`)."""
    found: dict[str, list[str]] = defaultdict(list)
    for game in GAMES.values():
        for id in filter(bot.plays, game.variants()):
            found[f"{game.name}/{game.variant(id).players}p"].append(id)
    return found


def _manifest(home: Home, path: Path) -> Step:
    with found_at(home, path) as found:
        manifest = found.manifest
    said = " ".join(filter(None, [manifest.name, manifest.version, manifest.language]))
    return Step("manifest", True, f"{said}; plays {', '.join(manifest.games)}; talks {manifest.transport}")


def _stage(error: ArenaError) -> str:
    stages = {"E202": "manifest", "E212": "manifest", "E210": "name"}
    return stages.get(error.code, "files and build")


@contextmanager
def _trial(home: Home, bot: Bot, keeps: bool = True) -> Iterator[Trial]:
    become_subreaper()
    with tempfile.TemporaryDirectory(prefix="kingmaker-") as folder:
        trial = Trial(home, bot, Path(folder), keeps)
        try:
            yield trial
        finally:
            trial.end()


def _start(home: Home, bot: Bot, times: Times) -> Step:
    name = "start and hello"
    try:
        with tempfile.TemporaryDirectory(prefix="kingmaker-") as folder:
            begin = monotonic()
            greet([bot], Path(folder), limits_of([bot]), log_folder(home))
            times.startup_ms = 1000 * (monotonic() - begin)
    except ArenaError as error:
        return Step(name, False, *_not_started(home, bot, error))
    return Step(name, True, f"runs {' '.join(bot.manifest.run)}")


def _not_started(home: Home, bot: Bot, error: ArenaError) -> tuple[str, str]:
    """What an error says and says to do, unless that is what is being done here."""
    if fix := _over_lines(bot, error):
        return str(error), fix
    if f"arena bot check {bot.id}" not in error.fix:
        return str(error), error.fix
    if bot.manifest.transport == "stdio" and _speaks_at_its_end(bot):
        return str(error), "it says hello only when it ends: flush standard output after each line"
    log = hello_log(log_folder(home), bot)
    return str(error), f"mend what its log names: {log}" if log.exists() else (
        "let it print on stderr how far it comes"
    )


def _over_lines(bot: Bot, error: ArenaError) -> str:
    """What to do about a bot that talks over lines and does not say so; empty where it is none."""
    if bot.manifest.transport == "stdio" or '"hello"' not in str(error):
        return ""
    return 'it says hello on standard output: write transport = "stdio" in its bot.toml'


def _speaks_at_its_end(bot: Bot) -> bool:
    """Whether a bot over lines says `hello` when its input is over: then it has not flushed it before."""
    launch = bot.launch
    arena = {"ARENA_ENDPOINT": lines.ENDPOINT, "ARENA_TOKEN": "0" * 32, "ARENA_PROTOCOL": "1"}
    with tempfile.TemporaryDirectory(prefix="kingmaker-") as folder:
        own = Path(folder, "bot")
        own.mkdir()
        env = clean_environment(own, {**launch.env, **arena})
        try:
            command = Command(
                launch.argv, Path(launch.cwd), env, own, Path(folder, "log"),
                piped=True, sandbox=launch.sandbox,
            )  # fmt: skip
            kept = keep(command)
        except StartError:
            return False
        output, input = kept.pipes
        os.close(input)
        kept.stop(PATIENCE)
        with os.fdopen(output, "rb") as said:
            return b'"hello"' in said.read()


def _games(trial: Trial, times: Times, seconds: float) -> Iterator[Step]:
    """The variants by number of players, and whatever is wrong with what the bot says that it plays."""
    if strange := strange_games(trial.bot):
        yield strange
    groups, told, until = groups_of(trial.bot), set[str](), monotonic() + seconds
    for before, (name, ids) in enumerate(groups.items()):
        share = (until - monotonic()) / (len(groups) - before)
        yield from _group(trial, name, ids, times, share, told)


def strange_games(bot: Bot) -> Step | None:
    """What is wrong with what a bot says that it plays: a failure where it plays nothing here."""
    said = bot.manifest.games
    if not groups_of(bot):
        return Step(
            "games", False, f"no variant here is one of {', '.join(said)}", "arena variants lists them"
        )
    if strange := [game for game in said if game not in known_games(bot.manifest)]:
        return Step(
            "games", True, f"unknown here: {', '.join(strange)}", "arena games lists those that are known"
        )
    return None


def _group(
    trial: Trial, name: str, ids: list[str], times: Times, seconds: float, told: set[str]
) -> Iterator[Step]:
    """One number of players. Of what goes wrong each thing is told once: what its evidence comes to."""
    begin, failed, played, first = monotonic(), 0, 0, len(times.moves_ms)
    for id in ids:
        step = _game(trial, id, times, LINES)
        played, failed = played + 1, failed + (not step.ok)
        if not step.ok and (gist := step.detail.splitlines()[-1]) not in told:
            told.add(gist)
            yield step
        if failed == FAILURES or monotonic() - begin > seconds:
            break
    moves = len(times.moves_ms) - first
    left = f"; {len(ids) - played} more not tried" if played < len(ids) else ""
    fix = "mend it, and check again" if failed else "it is slow: --seconds gives it longer" if left else ""
    text = f"{played - failed} of {played} variants without a fault, {moves:,} moves{left}"
    yield Step(name, not failed, text, fix)


def _game(trial: Trial, variant: str, times: Times, lines: int) -> Step:
    """One game. Of a fault's evidence the last `lines` are told."""
    before = trial.cpu_seconds()
    try:
        seat, done = trial.play(variant)
    except CannotStart as error:
        return Step(variant, False, str(error), STARTED)
    times.moves_ms += trial.times_of(done, seat)
    times.cpu_seconds += max(0.0, trial.cpu_seconds() - before)
    if complaint := advice(done, seat, lines):
        text, fix = complaint
        again = f"message by message: arena repro {done.planned.id[:12]} --seat {seat}"
        return Step(variant, False, text, f"{fix}; {again}")
    times.played = times.played or variant
    return Step(variant, True, "")


def _timing(timing: Timing) -> Step:
    text = (
        f"start to hello {timing.startup_ms:,.0f} ms; {timing.moves:,} moves: median {timing.median_ms:,.2f} ms, "
        f"95 % within {timing.p95_ms:,.2f} ms, worst {timing.worst_ms:,.1f} ms; {timing.cpu_ms:,.2f} ms of CPU a move"
    )
    cap = (Limits().move or Limits().bank).total_seconds() * 1000  # type: ignore[union-attr]
    late = timing.worst_ms > cap / 2
    return Step(
        "timing", True, text, f"a move may take {cap:,.0f} ms by default: leave it a margin" if late else ""
    )
