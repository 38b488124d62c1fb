"""`arena bot check`: everything that a bot must do before a tournament, each thing with its fix."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from arena.bundles import Bot, read_manifest, resolve
from arena.config import is_path
from arena.errors import ArenaError
from arena.home import Home
from arena.preflight import greet
from arena.reading import opened
from arena.single import play_one
from protocol.record import unpack
from referee.clocks import Limits
from referee.games import GAMES
from referee.replay import read

OPPONENT = "random"
SEED = "check"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was checked."""

    name: str
    """`manifest`, `files and build`, `start and hello`, or a variant's id."""
    ok: bool
    detail: str
    fix: str = ""
    """What to do where it is not ok."""


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
        with tempfile.TemporaryDirectory(prefix="kingmaker-") as folder:
            greet([bot], Path(folder), Limits())
        yield Step("start and hello", True, f"runs {' '.join(bot.manifest.run)}")
    except ArenaError as error:
        yield Step(_stage(error), False, str(error), error.fix)
        return
    exact = f"{bot.id.name}@{bot.id.digest}"
    variants = one_of_each(bot)
    if not variants:
        patterns = ", ".join(bot.manifest.games)
        yield Step(
            "games", False, f"it plays no variant that is known here ({patterns})", "see: arena variants"
        )
    for variant in variants:
        yield _game(home, exact, variant)


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
    stages = {"E202": "manifest", "E212": "manifest", "E210": "name", "E301": "start and hello"}
    return stages.get(error.code, "files and build")


def _game(home: Home, bot: str, variant: str) -> Step:
    """One game against the house's bot; ours in seat 0."""
    game = GAMES[variant.split("/")[0]]
    others = game.variant(variant).players - 1
    try:
        done = play_one(variant, [bot, *[OPPONENT] * others], SEED, home=home)
    except ArenaError as error:
        return Step(variant, False, str(error), error.fix)
    record = read(unpack(done.record))
    again = f"see it: arena replay {done.planned.id[:12]}"
    for number, fault in enumerate(record.play.faults):
        if fault.seat == 0:
            evidence = record.account.evidence.get(str(number), "").strip().splitlines()[-15:]
            kind = f"{fault.kind}/{fault.reason}" if fault.reason else f"{fault.kind}"
            said = "\n".join([f"{kind} in its turn {fault.turn}", *(f"  | {line}" for line in evidence)])
            return Step(variant, False, said, again)
    if done.trouble:
        return Step(variant, False, f"our own mistake, not the bot's:\n{done.trouble}", "report it")
    times = [ms for ms, (seat, _) in zip(record.account.ms, record.play.actions, strict=True) if seat == 0]
    pace = (
        f"{len(times)} moves, median {median(times):.1f} ms, most {max(times):.1f} ms" if times else "no move"
    )
    return Step(variant, True, pace)
