"""How long the site of a large tournament takes, and how light its first page is: python -m tests.benchmarks.site

A ledger of 108,900 games of Claim between 100 bots is made (the newest 1,000 are really played, by bots that choose at
random; the records of the others are copies of those under their own names), then its site is built by the command
line. `--keep FOLDER` leaves ledger and site there, and takes a ledger that is there already.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Any

from arena.config import Tournament
from arena.home import Home
from arena.ledger import Ledger
from arena.planning import plan_of
from protocol.record import pack, unpack
from protocol.result import GameResult, SeatResult
from protocol.vocabulary import BotId, Verdict
from referee.clocks import Limits
from referee.driving import drive
from referee.games import game_of
from referee.jobs import GameDone, Job, Launch, PlannedGame
from referee.players.local import LocalPlayer
from referee.score import finished, spec_of
from tests.arena.made import keep, round_robin

VARIANT, BOTS, DEALS, PLAYED = "claim/2p/GK-UWX", 100, 11, 1000
SEED = "5eed" * 16
BATCH = 2000
CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
Planned = tuple[tuple[BotId, ...], PlannedGame]


def main(words: Sequence[str]) -> int:
    """Prints the figures; 1 where one is beyond its bar."""
    if words[:1] == ["--keep"]:
        return _measure(Path(words[1]))
    with tempfile.TemporaryDirectory() as folder:
        return _measure(Path(folder))


def _measure(folder: Path) -> int:
    home = Home(folder / "home")
    if not (home.path / "ledger.sqlite").exists():
        began = monotonic()
        fill(home)
        print(f"ledger made in {monotonic() - began:.0f} s")
    began = monotonic()
    run = "import arena.cli; arena.cli.main()"
    words = ["--home", str(home.path), "site", "build", "big", "-o", str(folder / "site")]
    subprocess.run([sys.executable, "-c", run, *words], check=True, stdout=subprocess.DEVNULL)
    seconds = monotonic() - began
    files = [file for file in (folder / "site").rglob("*") if file.is_file()]
    weight = sum(
        (folder / "site" / name).stat().st_size
        for name in ("index.html", "assets/site.css", "assets/site.js")
    )
    print(f"site built in {seconds:.1f} s (bar: 120 s)")
    print(f"{len(files):,} files, {sum(file.stat().st_size for file in files) / 1e6:,.1f} MB")
    print(f"index.html with its style and script: {weight / 1e3:.1f} kB (bar: 300 kB)")
    print(f"first contentful paint: {first_paint(folder / 'site' / 'index.html'):.0f} ms")
    return int(seconds > 120 or weight > 300_000)


def fill(home: Home) -> None:
    """Tournament `big`, all of it over."""
    config = Tournament(name="big", bots=[bot.name for bot in _bots()], variants=[VARIANT], deals=DEALS)
    home.folder()
    games = _planned(config)
    copies = [json.loads(unpack(play(*one).record)) for one in games[-PLAYED:]]
    with closing(Ledger(home.ledger)) as ledger:
        ledger.begin("big", SEED, config.model_dump(mode="json"), _bots())
        done = (_copied(*one, copies[n % PLAYED]) for n, one in enumerate(games[:-PLAYED]))
        while batch := list(islice(done, BATCH)):
            keep(ledger, "big", batch)
        keep(ledger, "big", [play(*one) for one in games[-PLAYED:]])


def _bots() -> list[BotId]:
    return [BotId(f"bot{n:02}", f"{n * 0x9E3779B97F4A7C15 % 2**160:040x}") for n in range(BOTS)]


def _planned(config: Tournament) -> list[Planned]:
    """Whole blocks, deal after deal."""
    pairings = round_robin(plan_of(config, SEED), _bots())
    return [(pairing.seating, game) for pairing in pairings for game in pairing.games]


def play(seating: Sequence[BotId], planned: PlannedGame) -> GameDone:
    """A game, really played."""
    rng = random.Random(planned.id)
    job = Job(
        "job", VARIANT, tuple(Launch(bot, ("x",), "/") for bot in seating), (planned,), Limits(), SEED, "/"
    )
    players = [LocalPlayer(lambda turn: rng.choice(turn["legal"])) for _ in seating]
    return finished(job, planned, drive(spec_of(job, planned), players))


def _copied(seating: Sequence[BotId], planned: PlannedGame, record: dict[str, Any]) -> GameDone:
    """A game that ended as the strengths of its bots have it, with the moves of another."""
    seats = [{"bot": bot.name, "digest": bot.digest, "team": team} for team, bot in enumerate(seating)]
    play = record["play"] | {"id": planned.id, "deal": planned.deal, "block": planned.block, "seats": seats}
    game = game_of(VARIANT)
    rules = game.rules_id(game.variant(VARIANT))
    result = GameResult(
        planned.id, "claim", VARIANT, rules, planned.deal, planned.block, planned.block_size,
        tuple(_seats(seating, planned)), Verdict.FINISHED,
    )  # fmt: skip
    return GameDone(planned, "job", result, pack(record | {"play": play}))


def _seats(seating: Sequence[BotId], planned: PlannedGame) -> Iterator[SeatResult]:
    rng = random.Random(planned.id)
    shown = [rng.gauss(-int(bot.name[3:]) / 25, 1.0) for bot in seating]
    order = sorted(shown, reverse=True)
    for team, (bot, value) in enumerate(zip(seating, shown, strict=True)):
        yield SeatResult(bot, team, order.index(value), 3 if value == order[0] else 2)  # type: ignore[arg-type]


def first_paint(page: Path) -> float:
    """Milliseconds from its first byte until something is seen: the median of five in a new browser context."""
    from playwright.sync_api import sync_playwright

    paint = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"
    found = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for _ in range(5):
            context = browser.new_context()
            tab = context.new_page()
            tab.goto(page.as_uri())
            found.append(float(tab.wait_for_function(paint).json_value()))
            context.close()
        browser.close()
    return sorted(found)[2]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
