"""A bot as it was handed in: taken in, built, and kept under the digest of its files.

A bot is named by a path (see `arena.manifests`), by a name that was added with `arena bot add`, by
`name@digest`, or by the name of one of the house's bots.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NoReturn

from pydantic import ValidationError

from arena import archives, building, sealing
from arena.config import DAY, is_path
from arena.errors import ArenaError, InputError, StorageError, did_you_mean
from arena.home import Home
from arena.inputs import complaint
from arena.ledger import KnownBot, Ledger
from arena.manifests import Source, house_bots, is_script, read_manifest, source
from protocol.manifest import Manifest
from protocol.vocabulary import BotId
from referee.clocks import Limits
from referee.jobs import Launch
from referee.processes import NONE, Sandbox


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot version that can be started."""

    id: BotId
    manifest: Manifest
    folder: Path
    """Its files, under the home folder."""
    sandbox: Callable[[], Sandbox] = lambda: NONE
    """What it is kept in; asked for when it is started, since that is found out by doing."""

    @property
    def launch(self) -> Launch:
        """How the referee starts it."""
        argv = list(self.manifest.run)
        if argv[0] in ("python", "python3"):
            argv[0] = sys.executable
        said = self.manifest
        return Launch(self.id, tuple(argv), str(self.folder), dict(said.env), said.transport, self.sandbox())

    def plays(self, variant: str) -> bool:
        """Whether it says that it plays `variant` (an id)."""
        names = (variant, variant.split("/")[0], variant.rsplit("/", 1)[0])
        return any(fnmatchcase(name, pattern) for pattern in self.manifest.games for name in names)


@dataclass(frozen=True, slots=True)
class BotInfo:
    """A bot that a name means."""

    name: str
    digest: str | None
    """None for a house's bot, whose version is made when it is first used."""
    added: str | None
    """When; None for a house's bot."""
    manifest: Manifest


@dataclass(frozen=True, slots=True)
class BotVersion:
    """A version of a name that was ever taken in."""

    digest: str
    added: str


@dataclass(frozen=True, slots=True)
class BotDetail:
    """A bot in the version that was asked for."""

    name: str
    digest: str
    folder: str
    """Its files, built."""
    manifest: Manifest
    versions: list[BotVersion]
    """All of its name, the newest first."""


def known_bots(ledger: Ledger) -> list[BotInfo]:
    """What each name means, by name: the newest version that was added, else the house's bot."""
    house = (read_manifest(path) for path in house_bots().values())
    found = {manifest.name: BotInfo(manifest.name, None, None, manifest) for manifest in house}
    for known in reversed(ledger.bots()):
        manifest = Manifest.model_validate(known.manifest)
        found[known.id.name] = BotInfo(known.id.name, known.id.digest, known.added, manifest)
    return [found[name] for name in sorted(found)]


def resolve(home: Home, ledger: Ledger, reference: str) -> Bot:
    """The bot that `reference` means, taken in where it is a path.

    Raises InputError where there is none or its manifest is wrong, CannotStart where it can't be built.
    """
    meant = _meant(ledger, reference)
    return take_in(home, ledger, meant, listed=False) if isinstance(meant, Path) else _kept(home, meant)


def look_at(home: Home, ledger: Ledger, reference: str) -> Bot:
    """The same, but what `resolve` would take in stands where it is. Raises InputError."""
    meant = _meant(ledger, reference)
    if not isinstance(meant, Path):
        return _kept(home, meant)
    with found_at(home, meant) as found:
        return Bot(BotId(found.manifest.name, sealing.digest(found.files())), found.manifest, meant)


def _meant(ledger: Ledger, reference: str) -> Path | KnownBot:
    """A path, also of a house's bot, or a version that was taken in. Raises InputError."""
    if is_path(reference):
        return Path(reference)
    name, _, digest = reference.partition("@")
    known = [k for k in ledger.bots(name, listed=not digest) if k.id.digest.startswith(digest)]
    if known:
        return known[0]
    houses = house_bots()
    if name in houses and not digest:
        return houses[name]
    names = {k.id.name for k in ledger.bots()} | set(houses)
    raise InputError(
        f"no bot {reference!r}", did_you_mean(name, names) + "; a path has a / in it: ./" + name, "E210"
    )


def take_in(
    home: Home, ledger: Ledger, path: Path, listed: bool, trial: Callable[[Bot], None] = lambda bot: None
) -> Bot:
    """Copy a bot's files into the home folder and build them there, unless that version is there.

    Raises InputError (no such path, wrong manifest, files that can't be taken), CannotStart (build), and what
    `trial` raises when it is shown the bot, a new version before it has its place: then nothing of it is kept.
    """
    with found_at(home, path) as found:
        files = found.files()
        id = BotId(found.manifest.name, sealing.digest(files))
        folder = home.folder("bots") / id.digest
        with home.using_bots():
            with building.built(files, found.manifest, folder, home.sandbox) as place:
                trial(Bot(id, found.manifest, place, home.sandbox))
            ledger.add_bot(id, found.manifest.model_dump(exclude_defaults=True), listed)
    return Bot(id, found.manifest, folder, home.sandbox)


@contextlib.contextmanager
def found_at(home: Home, path: Path) -> Iterator[Source]:
    """The bot at `path`, out of its archive where it is in one."""
    if not archives.is_archive(path):
        yield source(path)
        return
    with building.temporary(home.folder("bots")) as into:
        root = archives.unpacked(path, into)
        inside = list(root.iterdir())
        yield source(inside[0] if len(inside) == 1 and is_script(inside[0]) else root, shown=str(path))


def _kept(home: Home, known: KnownBot) -> Bot:
    """A bot that was taken in before. Raises InputError where its files are gone."""
    folder = home.path / "bots" / known.id.digest
    if not folder.is_dir():
        _say_missing(home, known.id, folder)
    return Bot(known.id, Manifest.model_validate(known.manifest), folder, home.sandbox)


def _say_missing(home: Home, id: BotId, folder: Path) -> NoReturn:
    if isinstance(home.ledger, Path):
        text, fix = f"the files of {id} are gone from {folder}", "add it again: arena bot add PATH"
    else:
        text = (
            f"the files of {id} are not on this machine ({folder}): the ledger is shared, bots' files are not"
        )
        fix = (
            f"where they are: arena bot export {id} -o {id.name}.tar.gz; and here: arena bot add {id.name}.tar.gz, "
            "which is the same version again"
        )
    raise InputError(text, fix, "E211")


def unfit(bots: list[Bot], variants: list[str]) -> Iterator[tuple[Bot, str]]:
    """Each bot with a variant that it says it does not play."""
    for bot in bots:
        for variant in variants:
            if not bot.plays(variant):
                yield bot, variant


def machine_memory() -> int:
    """Of this machine, in MiB."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20


def short_of(bots: list[Bot], limits: Limits, memory_mb: int) -> Iterator[tuple[Bot, str, int, int]]:
    """Each bot that asks for more than it is given: the key of its manifest, what it asks for and is given."""
    said = limits.wire()
    given = {
        "startup_ms": said["startup_ms"],
        "move_ms": min((ms for ms in (said["move_ms"], said["bank_ms"]) if ms is not None), default=None),
        "memory_mb": memory_mb,
    }
    for bot in bots:
        for key, asked in bot.manifest.limits.model_dump(exclude_none=True).items():
            have = given[key]
            if have is not None and asked > have:
                yield bot, key, asked, have


def limits_of(bots: Iterable[Bot]) -> Limits:
    """Of a game outside tournaments: the defaults, but as long to start as the slowest of `bots` asks for.

    No longer than a day, which is the most that a tournament gives.
    """
    default = Limits()
    asked = [timedelta(milliseconds=min(bot.manifest.limits.startup_ms or 0, DAY)) for bot in bots]
    return replace(default, startup=max([default.startup or timedelta(0), *asked]))


def rename(ledger: Ledger, old: str, new: str) -> int:
    """Let the versions that `old` means answer to `new`; how many. Raises InputError."""
    versions = ledger.bots(old)
    taken = {known.id.name for known in ledger.bots()} | set(house_bots())
    if not versions:
        names = {known.id.name for known in ledger.bots()}
        raise InputError(
            f"no bot {old!r} was added", did_you_mean(old, names) or "see: arena bot list", "E210"
        )
    if new in taken:
        raise InputError(f"there is a bot {new!r} already", "choose another name", "E215")
    try:
        changed = [
            (
                k.id.digest,
                Manifest.model_validate(k.manifest | {"name": new}).model_dump(exclude_defaults=True),
            )
            for k in versions
        ]
    except ValidationError as error:
        raise InputError(*complaint(error, Manifest, "the new name"), "E212") from None
    ledger.rename_bot(old, new, changed)
    return len(versions)


@dataclass(frozen=True, slots=True)
class Pruned:
    """What was let go."""

    versions: tuple[BotId, ...]
    """Whose files nothing needed."""
    bytes: int
    """Of those files."""


def prune(home: Home, ledger: Ledger, dry_run: bool = False) -> Pruned:
    """Let go of the versions that no name means and no tournament of the ledger has; or only find them.

    Their files stay where another ledger of the home needs them. Raises Busy while a bot of the home is used: a
    tournament that is run may have taken in some that do not stand in a ledger yet. Raises StorageError where
    a ledger that may need them cannot be read.
    """
    home.check_idle()
    with home.pruning():
        needed = _needed(ledger)
        unused = [known.id for known in ledger.bots(listed=False) if known.id not in needed]
        shared = {bot.digest for bot in needed} | (_needed_elsewhere(home) if unused else set())
        going = {home.path / "bots" / bot.digest: bot for bot in unused if bot.digest not in shared}
        pruned = Pruned(tuple(going.values()), sum(map(sealing.size, going)))
        if not dry_run:
            for folder in going:
                building.discard(folder)
            ledger.forget_bots(unused)
    return pruned


def _needed(ledger: Ledger) -> set[BotId]:
    """What a name means, and what is in a tournament."""
    playing = {bot for name in ledger.names() for bot in ledger.tournament(name).bots}
    return {known.id for known in ledger.bots()} | playing


def _needed_elsewhere(home: Home) -> set[str]:
    """The digests that the other ledgers of a home need. Raises StorageError where one cannot be read."""
    found: set[str] = set()
    for place in home.other_ledgers():
        try:
            if isinstance(place, Path) and not place.exists():
                raise StorageError("it is not there")
            with contextlib.closing(Ledger(place)) as other:
                found |= {bot.digest for bot in _needed(other)}
        except ArenaError as error:
            fix = f"mend that; or, where it is gone for good, take its line out of {home.path / 'ledgers'}"
            what = f"the ledger {place} may need bots of this home, and cannot be read: {error}"
            raise StorageError(f"{what}; nothing was pruned", fix, "E419") from None
    return found
