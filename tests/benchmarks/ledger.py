"""What a ledger costs as it fills: games kept a second, and what it takes to go on, to say how far a tournament is,
to watch it, to rate it and to end it, at 1,000 to 1,000,000 games.

    python -m tests.benchmarks.ledger [--folder FOLDER] [--most GAMES] [--rounds ROUNDS]

A ledger has a round robin that is over, with the ids, blocks and order of its schedule. Results come of a fixed
generator; records are those of a few real games, over and over, so they are as large as real ones. Ledgers stay in
the folder and are used again: a million games take some minutes to write, and 5 GB. What reads is measured in a
process of its own, so that its memory is its own, and its files are in the machine's memory.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from time import monotonic, process_time

import sqlalchemy as sa

from arena.bundles import take_in
from arena.config import Tournament, parse
from arena.database import Database
from arena.home import Home
from arena.ledger import Ledger
from arena.planning import plan_of
from arena.tables import GAMES, TABLES, TOURNAMENTS
from protocol.result import GameResult, SeatResult
from protocol.vocabulary import BotId, Verdict
from referee.games import game_of
from referee.jobs import GameDone, PlannedGame
from tests.arena.made import job_for, played, round_robin
from tests.benchmarks.build import DISK
from tests.benchmarks.stage import MOVES, VARIANT, Stage

SIZES = (1_000, 10_000, 100_000, 1_000_000)
BOTS = 20
A_DEAL = BOTS * (BOTS - 1)
"""Games."""
BATCH = 100
"""Games that are kept at once, as when they end by the thousand a second."""
RECORDS = 50
"""Different ones."""
MORE = 2_000
"""Games of another tournament, by which it is seen at each size how fast they are kept."""
PLAYED_DEALS = 250
"""Of two bots that really play, beside those that nobody played."""
SEED = "a seed"
FOLDER = DISK / "ledgers"
Figures = dict[str, float]


def said(name: str, deals: int) -> Tournament:
    """A round robin."""
    bots = [f"b{n:02}" for n in range(BOTS)]
    return parse({"name": name, "bots": bots, "variants": [VARIANT], "deals": deals, "seed": SEED}, "here")


def deals_for(games: int) -> int:
    """Whole ones, of about so many games."""
    return round(games / A_DEAL) or 1


# games that nobody played


@cache
def records() -> tuple[bytes, ...]:
    """Packed, of real games of two random bots."""
    one, two = (BotId(name, name * 40) for name in "ab")
    found = []
    for pairing in round_robin(plan_of(said("real", RECORDS // 2), SEED), [one, two]):
        job = job_for(VARIANT, pairing.seating, pairing.games)
        found += [played(job, game).record for game in pairing.games]
    return tuple(found)


def made(name: str, deals: int, bots: Sequence[BotId]) -> Iterator[GameDone]:
    """All games of a round robin, in its order."""
    rng, game = Random(1), game_of(VARIANT)
    rules = game.rules_id(game.variant(VARIANT))
    for pairing in round_robin(plan_of(said(name, deals), SEED), bots):
        for planned in pairing.games:
            yield _decided(planned, pairing.seating, rules, rng)


def _decided(planned: PlannedGame, seating: tuple[BotId, ...], rules: str, rng: Random) -> GameDone:
    """The tricks of thirteen go by chance; names that come early are better."""
    score = sum(rng.random() < 0.5 + (seating[1] > seating[0]) * 0.1 - 0.05 for _ in range(13))
    teams = game_of(VARIANT).variant(VARIANT).teams
    seats = tuple(
        SeatResult(bot, team, int(own < 7), own)
        for bot, team, own in zip(seating, teams, (score, 13 - score), strict=True)
    )
    result = GameResult(
        planned.id, "claim", VARIANT, rules, planned.deal, planned.block, planned.block_size, seats,
        Verdict.FINISHED,
    )  # fmt: skip
    return GameDone(planned, "job", result, records()[rng.randrange(RECORDS)], "default (seccomp)")


def keep(ledger: Ledger, name: str, games: Iterator[GameDone]) -> float:
    """Enter them as a run does. Gives the seconds that the ledger took."""
    run, took = ledger.take_up(name), 0.0
    while job := list(islice(games, 2 * BATCH)):
        began = monotonic()
        run.lease(done.planned for done in job)
        for first in range(0, len(job), BATCH):
            run.keep(job[first : first + BATCH])
        took += monotonic() - began
    return took


def ledger_of(folder: Path, games: int) -> Home:
    """A home folder whose ledger has about so many games; made unless it is there."""
    home, deals = Home(folder / str(games)), deals_for(games)
    if (home.path / "whole").exists():
        return home
    shutil.rmtree(home.path, ignore_errors=True)
    home.folder()
    print(f"writing {deals * A_DEAL:,} games to {home.path}", file=sys.stderr)
    with closing(Ledger(home.ledger)) as ledger:
        bots = _bots(home, ledger)
        ledger.begin("cup", SEED, said("cup", deals).model_dump(mode="json"), bots)
        keep(ledger, "cup", made("cup", deals, bots))
    (home.path / "whole").touch()
    return home


def _bots(home: Home, ledger: Ledger) -> list[BotId]:
    """Programs that are never started."""
    found = []
    for number in range(BOTS):
        bot = home.path / f"b{number:02}.py"
        bot.write_text(f"print({number})")
        found.append(take_in(home, ledger, bot, listed=True).id)
    return found


# what is measured


def kept(home: Home, games: int) -> Figures:
    """How fast more games are kept beside those that are there."""
    deals = deals_for(MORE)
    with alone(home), closing(Ledger(home.ledger)) as ledger:
        bots = ledger.tournament("cup").bots
        ledger.begin("more", SEED, said("more", deals).model_dump(mode="json"), bots)
        done = list(made("more", deals, bots))
        cpu = process_time()
        seconds = keep(ledger, "more", iter(done))
        cpu = process_time() - cpu
    return {f"kept {games}": len(done) / seconds, f"kept µs {games}": cpu / len(done) * 1e6}


def whole(home: Home, folder: Path) -> Figures:
    """Microseconds of CPU for a game of a run as users have it: runner, referee and bots in C."""
    with alone(home):
        stage = Stage(folder, "none", home.path)
        return {"µs": stage.kept(stage.trivial("stdio"), PLAYED_DEALS)["CPU µs"] * MOVES}


@contextmanager
def alone(home: Home) -> Iterator[None]:
    """Take out of a ledger what is there beside its round robin, before and after: it is used again, and must not grow."""
    _tidy(home)
    try:
        yield
    finally:
        _tidy(home)


def _tidy(home: Home) -> None:
    with closing(Database(home.ledger)) as database, database.writing() as db:
        names = db.scalars(sa.select(TOURNAMENTS.c.name).where(TOURNAMENTS.c.name != "cup")).all()
        games = GAMES.c.tournament.in_(names)
        for table in reversed(TABLES.sorted_tables):
            keys = [key for key in table.foreign_keys if key.column.table is GAMES]
            if keys:
                db.execute(table.delete().where(keys[0].parent.in_(sa.select(keys[0].column).where(games))))
            elif "tournament" in table.c:
                db.execute(table.delete().where(table.c.tournament.in_(names)))
        db.execute(TOURNAMENTS.delete().where(TOURNAMENTS.c.name.in_(names)))
    for name in names:
        shutil.rmtree(home.path / "logs" / name, ignore_errors=True)


def resume(home: Home, games: int) -> None:
    """Up to the first game that is handed out: one more deal is to be played."""
    from arena.tournament import prepare

    with closing(Ledger(home.ledger)) as ledger:
        ledger.check()
        prepared = prepare(said("cup", deals_for(games) + 1), home, ledger)
        ledger.take_up("cup")
        prepared.course.most()
        if prepared.course.stopped() or sum(1 for _ in prepared.course.next()) != A_DEAL:
            raise AssertionError("another game is missing")


def status(home: Home, games: int) -> None:
    """`arena status cup`."""
    from arena.reading import status as read

    if read("cup", home).over != deals_for(games) * A_DEAL:
        raise AssertionError("games are missing")


def leaderboard(home: Home, _: int) -> None:
    """`arena leaderboard cup`."""
    from arena.reading import leaderboard as read
    from leaderboards.tables import render

    render(read("cup", None, home), "table", width=100)


def watch(home: Home, _: int) -> None:
    """The first look of `arena watch cup`."""
    from arena.live import Watch

    with Watch("cup", home) as watching:
        watching.look()


class Idle:
    """An executor that is never asked to play."""

    def __enter__(self) -> Idle:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to end."""


def end(home: Home, games: int) -> None:
    """A run that finds nothing to play, from its start to its last word; `leaderboard` comes on top of it."""
    from arena.tournament import _Play, prepare

    with closing(Ledger(home.ledger)) as ledger:
        prepared = prepare(said("cup", deals_for(games)), home, ledger)
        hold = ledger.take_up("cup")
        _Play(prepared, ledger, hold, home.path, lambda _: None).all(Idle())  # type: ignore[arg-type]


READERS = {reader.__name__: reader for reader in (resume, status, leaderboard, watch, end)}


def read(reader: str, folder: Path, games: int) -> Figures:
    """One of READERS in a process of its own: seconds, and MiB at the most."""
    arguments = (reader, str(ledger_of(folder, games).path), str(games))
    command = [sys.executable, "-m", "tests.benchmarks.ledger", "--read", *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return {f"{reader} {unit} {games}": value for unit, value in json.loads(done.stdout).items()}


def _read(reader: str, home: str, games: str) -> None:
    began, cpu = monotonic(), process_time()
    READERS[reader](Home(Path(home)), int(games))
    found = {"s": monotonic() - began, "CPU s": process_time() - cpu}
    found["MiB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(found))


def once(folder: Path, sizes: Sequence[int]) -> Figures:
    """Everything at every size, the sizes in turn, so that what drifts meets all of them alike."""
    figures: Figures = {}
    for games in sizes:
        figures |= kept(ledger_of(folder, games), games)
    for reader in READERS:
        for games in sizes:
            figures |= read(reader, folder, games)
    return figures


def table(rounds: Sequence[Figures], sizes: Sequence[int]) -> str:
    """Medians in Markdown: a line a size."""

    def middle(figure: str, shape: str) -> str:
        return format(median(found[figure] for found in rounds), shape)

    head = ["games", "kept/s", "µs of CPU a game", *(f"{reader} s | CPU s | MiB" for reader in READERS)]
    lines = [f"| {' | '.join(head)} |", "|---:" * (3 + 3 * len(READERS)) + "|"]
    for games in sizes:
        cells = [f"{games:,}", middle(f"kept {games}", ",.0f"), middle(f"kept µs {games}", ".0f")]
        for reader in READERS:
            cells += [middle(f"{reader} {unit} {games}", ".2f") for unit in ("s", "CPU s")]
            cells.append(middle(f"{reader} MiB {games}", ",.0f"))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """See the module's docstring."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.ledger")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--most", type=int, default=SIZES[-1])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--read", nargs=3, help=argparse.SUPPRESS)
    said = parser.parse_args()
    if said.read:
        _read(*said.read)
        return
    sizes = [games for games in SIZES if games <= said.most]
    rounds = []
    for number in range(said.rounds):
        rounds.append(once(said.folder, sizes))
        print(f"round {number + 1} of {said.rounds}: load {os.getloadavg()[0]:.1f}", file=sys.stderr)
    print(table(rounds, sizes), json.dumps(rounds), sep="\n\n")


if __name__ == "__main__":
    main()
