"""Aristoocrazy through everything: real bots, a game shown, a tournament with a bot that dies, one that is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import arena
from arena.cli import main
from arena.config import parse
from arena.home import Home
from arena.ledger import Ledger
from arena.tournament import prepare
from protocol.result import GameResult
from protocol.vocabulary import FaultKind, Verdict
from referee.games import GAMES
from referee.replay import check
from tests.arena.made import round_robin

ROOT = Path(__file__).parents[2]
DIES = ROOT / "tests/bad_bots/dies.py"
SHOWN = ("aristoocrazy/2p/quick2013", "aristoocrazy/4p/classic")
VARIANTS = [
    id if id in SHOWN else pytest.param(id, marks=pytest.mark.long) for id in GAMES["aristoocrazy"].variants()
]
Left = Callable[[], list[str]]


@pytest.fixture(autouse=True)
def here(short: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(short)
    monkeypatch.setenv("COLUMNS", "80")


def call(home: Home, *words: str) -> Result:
    return CliRunner().invoke(main, ["--home", str(home.path), *words])


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_is_played_shown_and_verified(variant: str, home: Home, nothing_left: Left) -> None:
    bots = (["grow-and-fight", "greedy", "random", "random"])[: int(variant.split("/")[1][0])]
    done = call(home, "play", *bots, "--variant", variant, "--seed", "7")
    assert done.exit_code == 0, done.stderr
    (path,) = (home.path / "games").iterdir()
    assert check(path.read_bytes()) == []
    assert call(home, "verify", str(path)).exit_code == 0
    play = json.loads(path.read_bytes())["play"]
    assert all(f"{seat}:{action}" in done.stdout for seat, action in play["actions"])
    for words in ((), ("--seat", "1")):
        shown = call(home, "replay", str(path), *words)
        assert shown.exit_code == 0, shown.stderr
        assert max(map(len, shown.stdout.splitlines())) <= 80
        assert f"[{len(play['actions'])}/{len(play['actions'])}]" in shown.stdout
    assert nothing_left() == []


def test_a_literal_deal_is_played(home: Home) -> None:
    game = GAMES["aristoocrazy"]
    words = game.literal(game.variant("aristoocrazy"), "any")
    deal = " ".join([*words, "red/1/0/1=123"])
    done = call(home, "play", "random", "random", "--variant", "aristoocrazy", "--deal", deal, "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["play"]["cards"] == deal.split()


def kept(home: Home) -> Sequence[GameResult]:
    with closing(Ledger(home.ledger)) as ledger:
        return ledger.results("cup")


def test_houses_go_on_without_the_one_whose_bot_dies(home: Home, nothing_left: Left) -> None:
    fields = {
        "name": "cup",
        "bots": [str(DIES), "random", "greedy"],
        "variants": ["aristoocrazy/3p/*"],
        "deals": 2,
    }
    arena.run(parse(fields | {"seed": "s"}, "test"), home)
    results = kept(home)
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
    arena.run(parse(fields, "test"), home)
    results = kept(home)
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
