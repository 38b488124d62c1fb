"""`arena bot check`: everything that a bot must do before a tournament, each thing with its fix."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from arena.bundles import Bot, resolve
from arena.config import is_path
from arena.errors import ArenaError
from arena.home import Home
from arena.manifests import known_games, read_manifest
from arena.notation import cause, evidence
from arena.preflight import greet, hello_log
from arena.reading import opened
from arena.single import log_folder, play_one
from protocol.record import unpack
from protocol.vocabulary import FaultKind
from referee.clocks import Limits
from referee.games import GAMES
from referee.replay import read

OPPONENT = "random"
SEED = "check"
EVIDENCE = 15
"""Lines of it that are shown once."""
FIXES = {
    FaultKind.CRASH: "mend what its last lines name",
    FaultKind.ILLEGAL_MOVE: "answer with one of `legal`, character for character",
    FaultKind.PROTOCOL_ERROR: "answer each message in the form that the protocol gives",
    FaultKind.TIMEOUT: "answer sooner; `clock` in each turn says what is left",
    FaultKind.NO_START: "say `hello` sooner, and load what takes long later",
}
"""What to do about each kind of fault that a bot can make in a game."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was checked."""

    name: str
    """`manifest`, `files and build`, `start and hello`, or a variant's id."""
    ok: bool
    detail: str
    fix: str = ""
    """What to do where it is not ok; where it is, a warning."""


@dataclass(frozen=True, slots=True)
class CheckUp:
    """All of `arena bot check`."""

    ok: bool
    checks: list[Step]


def check_up(home: Home, reference: str) -> Iterator[Step]:
    """Check the bot that `reference` means, one step at a time; nothing comes after a step that fails
    before the games, of which all are tried."""
    try:
        if is_path(reference):
            yield _manifest(Path(reference))
        bot = _taken_in(home, reference)
        yield Step("files and build", True, f"{bot.id}, kept in {bot.folder}")
    except ArenaError as error:
        yield Step(_stage(error), False, str(error), error.fix)
        return
    yield (started := _start(home, bot))
    if started.ok:
        yield from _games(home, bot)


def one_of_each(bot: Bot) -> list[str]:
    """Of each game that a bot plays one variant for each number of players."""
    found: dict[tuple[str, int], str] = {}
    for game in GAMES.values():
        for id in filter(bot.plays, game.variants()):
            found.setdefault((game.name, game.variant(id).players), id)
    return list(found.values())


def _manifest(path: Path) -> Step:
    manifest = read_manifest(path)
    said = " ".join(filter(None, [manifest.name, manifest.version, manifest.language]))
    return Step("manifest", True, f"{said}; plays {', '.join(manifest.games)}")


def _taken_in(home: Home, reference: str) -> Bot:
    with opened(home) as ledger:
        return resolve(home, ledger, reference)


def _stage(error: ArenaError) -> str:
    stages = {"E202": "manifest", "E212": "manifest", "E210": "name"}
    return stages.get(error.code, "files and build")


def _start(home: Home, bot: Bot) -> Step:
    try:
        with tempfile.TemporaryDirectory(prefix="kingmaker-") as folder:
            greet([bot], Path(folder), Limits(), log_folder(home))
    except ArenaError as error:
        return Step("start and hello", False, str(error), _fix(home, bot, error))
    return Step("start and hello", True, f"runs {' '.join(bot.manifest.run)}")


def _fix(home: Home, bot: Bot, error: ArenaError) -> str:
    """What an error says to do, unless that is what is being done here."""
    if f"arena bot check {bot.id}" not in error.fix:
        return error.fix
    log = hello_log(log_folder(home), bot)
    return f"mend what its log names: {log}" if log.exists() else "let it print on stderr how far it comes"


def _games(home: Home, bot: Bot) -> Iterator[Step]:
    """A game of each size. The first that fails shows all of its evidence, the others what it comes to."""
    variants, said = one_of_each(bot), bot.manifest.games
    if not variants:
        yield Step(
            "games", False, f"no variant here is one of {', '.join(said)}", "arena variants lists them"
        )
    elif strange := [game for game in said if game not in known_games(bot.manifest)]:
        yield Step(
            "games", True, f"unknown here: {', '.join(strange)}", "arena games lists those that are known"
        )
    lines = EVIDENCE
    for variant in variants:
        step = _game(home, bot, variant, lines)
        yield step
        lines = lines if step.ok else 1


def _game(home: Home, bot: Bot, variant: str, lines: int) -> Step:
    """One game against the house's bot; ours in seat 0. Of a fault's evidence the last `lines` are told."""
    game = GAMES[variant.split("/")[0]]
    seats = [f"{bot.id.name}@{bot.id.digest}"] + [OPPONENT] * (game.variant(variant).players - 1)
    try:
        done = play_one(variant, seats, SEED, home=home)
    except ArenaError as error:
        return Step(variant, False, str(error), _fix(home, bot, error))
    record = read(unpack(done.record))
    for number, fault in enumerate(record.play.faults):
        if fault.seat == 0:
            said = [f"  | {line}" for line in evidence(record, number)[-lines:]]
            text = "\n".join([f"{cause(record, fault)} in its turn {fault.turn}", *said])
            where = f"arena replay {done.planned.id[:12]} --step {fault.at} --seat 0"
            return Step(variant, False, text, f"{FIXES.get(fault.kind, 'mend it')}; the position: {where}")
    if done.trouble:
        return Step(variant, False, f"our own mistake, not the bot's:\n{done.trouble}", "report it")
    times = [ms for ms, (seat, _) in zip(record.account.ms, record.play.actions, strict=True) if seat == 0]
    if not times:
        return Step(variant, True, "no move")
    pace = f"median {median(times):,.1f} ms, most {max(times):,.1f} ms"
    return Step(variant, True, f"{len(times)} moves, {pace}")
