"""`arena play` and `arena bot check` as a user runs them: real bots, real referee."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.home import Home
from referee.games import GAMES
from referee.replay import check

ROOT = Path(__file__).parents[2]
KIT = "from protocol.client import Bot, run\nclass Mine(Bot):\n    def choose(self, turn):\n        {choose}\nrun(Mine())\n"
Left = Callable[[], list[str]]


def begin(home: Home, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", "from arena.cli import main; main()", "--home", str(home.path), *words]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=env, cwd=home.path.parent)


@pytest.fixture(autouse=True)
def here(short: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(short)


def arena(home: Home, *words: str) -> Result:
    """The command in this process; bots are processes all the same."""
    return CliRunner().invoke(main, ["--home", str(home.path), *words])


def script(home: Home, name: str, text: str) -> str:
    path = home.path.parent / name
    path.write_text(text)
    return f"./{name}"


def record_of(home: Home) -> bytes:
    (path,) = (home.path / "games").iterdir()
    return path.read_bytes()


def test_a_game_is_shown_kept_and_can_be_seen_again(home: Home, nothing_left: Left) -> None:
    done = arena(home, "play", "random", "greedy", "--variant", "claim", "--seed", "7")
    assert done.exit_code == 0, done.stderr
    record = record_of(home)
    assert check(record) == []
    play = json.loads(record)["play"]
    assert play["seed"] == "7" and [seat["bot"] for seat in play["seats"]] == ["random", "greedy"]
    assert all(f"{seat}:{action}" in done.stdout for seat, action in play["actions"])
    assert "the game is over" in done.stdout and f"score {max(play['scores'])}" in done.stdout
    path, command = (line.split(maxsplit=1)[1] for line in done.stderr.splitlines()[-2:])
    assert Path(path).read_bytes() == record
    assert arena(home, *command.split()[1:], "--step", "0").exit_code == 0
    assert arena(home, "verify", path).exit_code == 0
    assert nothing_left() == []


def test_the_same_seed_is_the_same_game(home: Home) -> None:
    first = arena(home, "play", "random", "random", "--seed", "x", "--json")
    again = arena(home, "play", "random", "random", "--seed", "x", "--quiet")
    assert json.loads(first.stdout)["play_hash"] == json.loads(record_of(home))["play_hash"]
    assert len(again.stdout.splitlines()) == 3 and "seed" not in again.stdout


def test_two_bots_play_four_seats_as_teams_on_a_literal_deal(home: Home) -> None:
    game = GAMES["claim"]
    cards = game.literal(game.variant("claim/4p/GK-UWXTD"), "any")
    (home.path.parent / "deal.txt").write_text("\n".join(cards))
    done = arena(
        home,
        "play",
        "random",
        "greedy",
        "--variant",
        "claim/4p/GK-UWXTD",
        "--deal",
        "@deal.txt",
        "--no-clocks",
    )
    assert done.exit_code == 0, done.stderr
    record = json.loads(record_of(home))
    assert record["play"]["cards"] == cards and check(record_of(home)) == []
    assert [seat["bot"] for seat in record["play"]["seats"]] == ["random", "greedy"] * 2
    assert record["account"]["limits"]["move_ms"] is None


def test_a_bot_that_does_not_start_is_exit_3_with_its_last_words(home: Home, nothing_left: Left) -> None:
    broken = script(home, "broken.py", "import no_such_module\n")
    done = arena(home, "play", broken, "random")
    assert done.exit_code == 3 and "No module named 'no_such_module'" in done.stderr
    checked = arena(home, "bot", "check", broken)
    assert checked.exit_code == 1
    assert "FAILED  start and hello" in checked.stdout and "no_such_module" in checked.stdout
    assert "arena bot check" not in checked.stdout
    log = re.search(r"fix: .*: (/.*)$", checked.stdout, re.MULTILINE)
    assert log and "no_such_module" in Path(log[1]).read_text()
    assert nothing_left() == []


def test_the_fix_of_a_bot_that_ends_in_silence_is_no_log(home: Home) -> None:
    text = script(home, "loud.py", "raise SystemExit('loud')\n")
    arena(home, "bot", "check", text)
    (home.path.parent / "loud.py").write_text("")
    checked = arena(home, "bot", "check", text)
    assert "fix: let it print" in checked.stdout and "loud.log" not in checked.stdout


@pytest.mark.parametrize(
    ("end", "words"), [(signal.SIGTERM, ["play", "random"]), (signal.SIGKILL, ["bot", "check"])]
)
def test_a_command_killed_while_a_bot_starts_leaves_nothing(
    home: Home, nothing_left: Left, end: signal.Signals, words: list[str]
) -> None:
    here = home.path.parent / "here"
    text = "import sys, time\nprint('x', file=sys.stderr, flush=True)\nopen({!r}, 'w')\ntime.sleep(60)\n"
    process = begin(home, *words, "--sandbox", "none", script(home, "stay.py", text.format(str(here))))
    while not here.exists() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(end)
    process.communicate()
    assert process.returncode == -end and nothing_left() == []


def test_a_check_of_each_size_shows_the_evidence_of_a_fault_once(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.probes.SILENCE", 0.0)
    folder = home.path.parent / "mine"
    folder.mkdir()
    choose = 'return turn["legal"][0] if len(turn["view"].get("hands", ())) < 4 else 1 / 0'
    (folder / "bot.py").write_text(KIT.format(choose=choose))
    games = '["claim/2p/GK-UWX", "claim/4p", "chess"]'
    (folder / "bot.toml").write_text(f'name = "mine"\nrun = ["python3", "bot.py"]\ngames = {games}\n')
    done = arena(home, "bot", "check", "./mine")
    lines = done.stdout.splitlines()
    starts = (
        "ok      manifest: mine",
        "ok      files and build: mine@",
        "ok      start and hello",
        "warning games: unknown here: chess",
        "ok      claim/2p: 1 of 1 variants without a fault, 26 moves",
        "FAILED  claim/4p/GK-UWXTD: crash",
        "FAILED  claim/4p: 0 of 3 variants without a fault, 0 moves; 9 more not tried",
        "ok      unknown fields",
    )
    assert [start for start in starts if not any(line.startswith(start) for line in lines)] == []
    assert (
        done.exit_code == 1 and done.stdout.count("ZeroDivisionError") == done.stdout.count("in choose") == 1
    )
    assert "fix: mend" in done.stdout and "2 checks failed" in done.stderr
    again = re.search(r"arena (repro .* --seat \d)$", done.stdout, re.MULTILINE)
    assert again and "ZeroDivisionError" in arena(home, *again[1].split(), "--quiet").stdout


def test_a_fault_is_explained_also_where_only_the_result_is_shown(home: Home) -> None:
    cheat = script(
        home, "cheat.py", KIT.format(choose='import sys; print("hm", file=sys.stderr); return "K99"')
    )
    done = arena(home, "play", cheat, "random", "--quiet")
    assert "(cheat): illegal_move, its turn 1" in done.stdout and "| played 'K99'; legal were" in done.stdout
    said = dict(line.split(maxsplit=1) for line in done.stderr.splitlines())
    assert list(said) == ["seed", "record", "log", "next"] and done.stdout.endswith("\n")
    assert Path(said["log"]).read_text().startswith("hm")
