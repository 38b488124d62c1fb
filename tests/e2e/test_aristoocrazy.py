"""Aristoocrazy through everything: real bots, a game shown, a tournament with a bot that dies, one that is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import arena
from arena.config import parse
from arena.home import Home
from arena.ledger import Ledger
from arena.tournament import prepare
from protocol.vocabulary import FaultKind, Verdict
from referee.games import GAMES
from referee.replay import check
from tests.arena.made import round_robin

ROOT = Path(__file__).parents[2]
DIES = ROOT / "tests/bad_bots/dies.py"
VARIANTS = GAMES["aristoocrazy"].variants()
Left = Callable[[], list[str]]


def call(home: Home, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from arena.cli import main; main()", "--home", str(home.path), *words]
    env = os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "80"}
    return subprocess.run(command, capture_output=True, text=True, env=env, cwd=home.path.parent, timeout=60)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_is_played_shown_and_verified(variant: str, home: Home, nothing_left: Left) -> None:
    bots = (["grow-and-fight", "greedy", "random", "random"])[: int(variant.split("/")[1][0])]
    done = call(home, "play", *bots, "--variant", variant, "--seed", "7")
    assert done.returncode == 0, done.stderr
    (path,) = (home.path / "games").iterdir()
    assert check(path.read_bytes()) == []
    assert call(home, "verify", str(path)).returncode == 0
    play = json.loads(path.read_bytes())["play"]
    assert all(f"{seat}:{action}" in done.stdout for seat, action in play["actions"])
    for words in ((), ("--seat", "1")):
        shown = call(home, "replay", str(path), *words)
        assert shown.returncode == 0, shown.stderr
        assert max(map(len, shown.stdout.splitlines())) <= 80
        assert f"[{len(play['actions'])}/{len(play['actions'])}]" in shown.stdout
    assert nothing_left() == []


def test_a_literal_deal_is_played(home: Home) -> None:
    game = GAMES["aristoocrazy"]
    words = game.literal(game.variant("aristoocrazy"), "any")
    deal = " ".join([*words, "red/1/0/1=123"])
    done = call(home, "play", "random", "random", "--variant", "aristoocrazy", "--deal", deal, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["play"]["cards"] == deal.split()


def test_houses_go_on_without_the_one_whose_bot_dies(home: Home, nothing_left: Left) -> None:
    fields = {
        "name": "cup",
        "bots": [str(DIES), "random", "greedy"],
        "variants": ["aristoocrazy/3p/*"],
        "deals": 2,
    }
    results = arena.run(parse(fields | {"seed": "s"}, "test"), home)
    assert len(results) == 2 * 2 * 3
    for result in results:
        assert result.verdict is Verdict.FINISHED
        faults = {seat.bot.name: (seat.fault, seat.rank) for seat in result.seats if seat.fault}
        assert faults == {"dies": (FaultKind.CRASH, 2)}
    assert nothing_left() == []


def test_a_killed_tournament_goes_on_with_what_is_missing(home: Home, nothing_left: Left) -> None:
    variants = ["aristoocrazy", "aristoocrazy/2p/quick2013"]
    bots = ["random", "greedy"]
    fields = {"name": "cup", "bots": bots, "variants": variants, "deals": 30, "seed": "the same"}
    script = "import arena, arena.config as c, sys; arena.run(c.parse(eval(sys.argv[2]), 't'), arena.Home(sys.argv[1]))"
    for wait in (0.7, 1.1):
        running = subprocess.Popen(
            [sys.executable, "-c", script, str(home.path), repr(fields)], process_group=0
        )
        time.sleep(wait)
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
    results = arena.run(parse(fields, "test"), home)
    with closing(Ledger(home.ledger)) as ledger:
        plan = prepare(parse(fields, "test"), home, ledger)
    assert sorted(g.id for p in round_robin(plan.course.plan, list(plan.bots)) for g in p.games) == sorted(
        result.id for result in results
    )
    assert len(results) == 30 * 2 * 2
    assert nothing_left() == []


def test_a_record_names_every_answer_of_a_secret_set_in_seat_order(home: Home) -> None:
    done = call(home, "play", "random", "random", "random", "--variant", "aristoocrazy/3p/classic", "--json")
    actions = json.loads(done.stdout)["play"]["actions"]
    drafts = [seat for seat, text in actions if text.startswith("traits:")]
    assert drafts == [0, 1, 2, 0, 1, 2]
