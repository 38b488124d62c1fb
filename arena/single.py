"""One game at once, outside any tournament: `arena play`, and the games of `arena bot check`.

The same seed, variant, rules and bots are the same game: it has the same id and replaces the record of
the time before.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from arena.bundles import Bot, limits_of, resolve, unfit
from arena.config import draw_seed
from arena.errors import InputError
from arena.executors.local import LocalExecutor
from arena.home import Home
from arena.preflight import greet
from arena.reading import opened
from arena.records import write_whole
from protocol.record import unpack
from protocol.vocabulary import BotId, DealId, GameId
from referee import score
from referee.clocks import NO_LIMITS, Limits
from referee.driving import drive
from referee.game import Game, Variant
from referee.games import game_of
from referee.jobs import GameDone, Job, Launch, PlannedGame
from referee.players import Player
from referee.players.waiting import waiting


def play_one(
    variant: str,
    bots: list[str],
    seed: str | None = None,
    cards: tuple[str, ...] = (),
    clock: Limits | None = None,
    home: Home | None = None,
    begin: Callable[[str], None] = lambda seed: None,
    guests: Mapping[str, Player] = MappingProxyType({}),
) -> GameDone:
    """Play one game and keep its record (`record_path`).

    `bots`: one a seat, or one a team. `seed`: the deal's, drawn where None; with `cards`, a literal deal,
    only the bots' own luck comes from it. `clock`: `limits_of` the bots where None. `begin` is told the
    seed when all bots have started. `guests`: names among `bots` that mean a player in this process; then there
    are no clocks. Raises InputError (an empty seed, bots, their number), CannotStart, what a guest raises, and
    GameError for a variant or a deal that does not fit.
    """
    if seed == "":
        raise InputError("the seed is empty", "leave it out to have one drawn")
    home = home or Home.default()
    game = game_of(variant)
    kind = game.variant(variant)
    if cards:
        game.deal(kind, cards)
    known, seats = _lineup(home, kind, bots, guests)
    with tempfile.TemporaryDirectory(prefix="kingmaker-") as folder:
        limits = clock or limits_of(known.values())
        greet(list(known.values()), Path(folder), limits, log_folder(home))
        seed = draw_seed() if seed is None else seed
        begin(seed)
        launches = [known[ref].launch if ref in known else Launch(BotId(ref, ""), (), "") for ref in seats]
        job = single_job(game, kind, launches, seed, cards, NO_LIMITS if guests else limits, home)
        if guests:
            sitting = {seats.index(name): guest for name, guest in guests.items()}
            done = _played_with(sitting, job, Path(folder), home, limits.startup_seconds)
        else:
            done = _played(job, Path(folder))
    keep_record(done, home)
    return done


def _lineup(
    home: Home, kind: Variant, names: list[str], guests: Collection[str]
) -> tuple[dict[str, Bot], list[str]]:
    """The bots by their names, and the name in each seat. Raises InputError and CannotStart."""
    with opened(home) as ledger:
        known = {name: resolve(home, ledger, name) for name in names if name not in guests}
    seats = seated(kind, names)
    for guest in guests:
        if seats.count(guest) > 1:
            raise InputError(f"{guest} has one seat", f"name one for each of {kind.players} seats", "E231")
    for bot, id in unfit(list(known.values()), [kind.id]):
        raise InputError(f"{bot.id.name} does not play {id}", f"it plays {_list(bot.manifest.games)}", "E232")
    return known, seats


def _played_with(
    guests: Mapping[int, Player], job: Job, folder: Path, home: Home, startup: float | None
) -> GameDone:
    """A game with guests, by seat; the others are bots, waited for in this process, `startup` seconds to start."""
    with ExitStack() as stack:
        players: list[Player] = []
        for seat, launch in enumerate(job.seating):
            if seat in guests:
                players.append(guests[seat])
                continue
            player = stack.enter_context(waiting(launch, folder, log_folder(home) / f"{job.id}-{seat}.log"))
            player.start(startup)
            players.append(player)
        return play_here(job, players)


def record_path(home: Home, id: GameId) -> Path:
    """Where the record of a single game lies."""
    return home.folder("games") / f"{id}.json"


def log_folder(home: Home) -> Path:
    """Where lies what bots print outside any tournament."""
    return home.folder("logs", "single")


def log_paths(home: Home, id: GameId) -> list[Path]:
    """What the bots of a single game printed: a file for each seat that did."""
    return sorted((home.path / "logs" / "single").glob(f"{id[:12]}-*.log"))


def seated(variant: Variant, bots: list[str]) -> list[str]:
    """The bot of each seat: as given, or one a team. Raises InputError."""
    teams = sorted(set(variant.teams))
    if len(bots) == variant.players:
        return bots
    if len(bots) == len(teams):
        return [bots[teams.index(team)] for team in variant.teams]
    ways = f"{variant.players} bots" + (
        f", or {len(teams)} (one a team)" if len(teams) < variant.players else ""
    )
    raise InputError(
        f"{variant.id} is for {variant.players} players, not {len(bots)}",
        f"name {ways}; house bots fill seats: random",
        "E231",
    )


def single_job(
    game: Game,
    kind: Variant,
    seats: Sequence[Launch],
    seed: str,
    cards: tuple[str, ...],
    limits: Limits,
    home: Home,
) -> Job:
    """One game as a job; its id says which game it is."""
    rules = game.rules_id(kind)
    who = (f"{launch.bot.name}@{launch.bot.digest}" for launch in seats)
    id = sha256("\n".join(("single", seed, *cards, kind.id, rules, *who)).encode()).hexdigest()[:32]
    deal = DealId(sha256((" ".join(cards) or seed).encode()).hexdigest()[:16])
    planned = PlannedGame(GameId(id), deal, "" if cards else seed, id, 1, cards)
    return Job(id[:12], kind.id, tuple(seats), (planned,), limits, seed, str(log_folder(home)))


def play_here(job: Job, players: Sequence[Player]) -> GameDone:
    """Play a job of one game with `players` by seat in this process."""
    (planned,) = job.games
    return score.finished(job, planned, drive(score.spec_of(job, planned), players))


def keep_record(done: GameDone, home: Home) -> None:
    """Write the record of a single game (`record_path`). Raises StorageError."""
    write_whole(record_path(home, done.planned.id), [unpack(done.record)])


def _played(job: Job, folder: Path) -> GameDone:
    with LocalExecutor(folder, 1) as executor:
        return [done for batch in executor.run([job]) for done in batch][-1]


def _list(patterns: list[str]) -> str:
    return ", ".join(patterns)
