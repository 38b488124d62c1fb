"""Games and tournaments made in memory: as the arena makes them, without a process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from arena.bundles import Bot, take_in
from arena.config import Tournament
from arena.home import Home
from arena.ledger import Ledger
from arena.planning import plan_of
from arena.schedules.blocks import Field, Pairing, Plan, Progress, pairings_of
from arena.schedules.round_robin import RoundRobin
from protocol.record import unpack
from protocol.vocabulary import BotId
from referee.clocks import Limits
from referee.jobs import GameDone, Job, Launch, PlannedGame
from referee.score import finished, spec_of
from tests.referee.driving import Player, bot_ids, drive, planned, random_player

SEED = "0123456789abcdef0123456789abcdef"
MANIFEST = 'name = "mybot"\nrun = ["python3", "bot.py"]\n'
"""Of `a_bot`."""


def a_bot(folder: Path) -> Path:
    """A bot of two files, as somebody hands it in."""
    (folder / "lib").mkdir(parents=True)
    (folder / "bot.toml").write_text(MANIFEST)
    (folder / "bot.py").write_text("print()\n")
    (folder / "lib" / "more.py").write_text("x = 1\n")
    return folder


def taken(home: Home, ledger: Ledger, path: Path) -> Bot:
    return take_in(home, ledger, path, listed=True)


def round_robin(plan: Plan, bots: Sequence[BotId]) -> Iterator[Pairing]:
    """All games of a round robin, as the arena plays them."""
    return pairings_of(plan, RoundRobin(plan.deals).step(Field(plan, tuple(bots)), Progress()))


def job_for(variant: str, bots: Sequence[BotId], games: tuple[PlannedGame, ...], secret: str = SEED) -> Job:
    launches = tuple(Launch(bot, ("x",), "/") for bot in bots)
    return Job("job", variant, launches, games, Limits(), secret, "/")


def played(job: Job, game: PlannedGame, **faulty: Player) -> GameDone:
    """One of the games of a job; `seat1=player` puts a player of its own in a seat."""
    players = [faulty.get(f"seat{n}", random_player(n)) for n in range(len(job.seating))]
    return finished(job, game, drive(spec_of(job, game), players)[0])


def record(variant: str, **faulty: Player) -> bytes:
    """The record of a game, JSON."""
    from referee.games import game_of

    bots = bot_ids(game_of(variant).variant(variant).players)
    return unpack(played(job_for(variant, bots, (planned(),)), planned(), **faulty).record)


def keep(ledger: Ledger, name: str, games: Sequence[GameDone]) -> list[GameDone]:
    """Enter games in a tournament, as a run does that hands them out and hears of them; those kept."""
    run = ledger.take_up(name)
    run.lease(done.planned for done in games)
    return run.keep(games)


def is_alive(pid: int) -> bool:
    """Whether a process runs: what is only not buried yet has no command line."""
    try:
        return bool(Path(f"/proc/{pid}/cmdline").read_bytes())
    except OSError:
        return False


def tournament(
    home: Home, name: str = "cup", without: Callable[[int, Pairing], bool] | None = None, **config: Any
) -> None:
    """A tournament in the ledger. `without`: games to leave out, by number of the deal and pairing."""
    bots = bot_ids(2)
    fields = {"name": name, "bots": ["bot0", "bot1"], "variants": ["claim"], "deals": 2, **config}
    said = Tournament.model_validate(fields)
    plan = plan_of(said, SEED)
    home.folder()
    with closing(Ledger(home.ledger)) as ledger:
        ledger.begin(name, SEED, said.model_dump(mode="json"), bots)
        for pairing in round_robin(plan, bots):
            job = job_for(pairing.variant, pairing.seating, pairing.games)
            games = [
                game for n, game in enumerate(pairing.games) if without is None or not without(n, pairing)
            ]
            keep(ledger, name, [played(job, game) for game in games])
