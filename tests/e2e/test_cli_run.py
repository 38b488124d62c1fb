"""`arena run` with real bots: what is printed where, Ctrl-C, going on, bots that fail."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import arena
from arena.cli import main
from arena.home import Home

CUP = 'bots = ["random", "greedy"]\nvariants = ["claim"]\n'


@pytest.fixture(autouse=True)
def here(short: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(short)


def command(*words: str) -> list[str]:
    return [sys.executable, "-P", "-c", "import arena.cli; arena.cli.main()", "--home", "home", *words]


def call(*words: str) -> Result:
    """The command in this process; its workers and bots are processes all the same."""
    return CliRunner().invoke(main, ["--home", "home", *words])


def write(text: str) -> str:
    Path("cup.toml").write_text(text)
    return "cup.toml"


def test_a_whole_run_and_once_more(nothing_left: Callable[[], list[str]]) -> None:
    file = write(CUP + "deals = 4\n")
    first = subprocess.run(
        command("run", file, "--events", "events.jsonl"), capture_output=True, text=True, timeout=60
    )
    assert first.returncode == 0, first.stderr
    assert "greedy" in first.stdout and "Isolation: default (" in first.stdout
    assert "seed: " in first.stderr and "seed: " not in first.stdout
    assert not set("\r\x1b") & set(first.stdout + first.stderr), "no terminal, so nothing for one"

    told = [json.loads(line) for line in Path("events.jsonl").read_text().splitlines()]
    assert [told[0]["event"], told[-1]["event"]] == ["run_started", "run_ended"]
    games = {game["id"] for event in told for game in event.get("results", ())}
    assert len(games) == 8 == told[-1]["games"]

    again = call("run", "cup", "--json")
    assert again.exit_code == 0, again.stderr
    assert told[0]["seed"] in again.stderr, "the seed that was drawn is kept"
    assert json.loads(again.stdout)["games"] == 8
    assert nothing_left() == []


def test_a_bot_that_joins_a_finished_tournament_is_told_of(nothing_left: Callable[[], list[str]]) -> None:
    Path("late.py").write_text(
        "from protocol.client import Bot, run\n\n\nclass Late(Bot):\n"
        "    def choose(self, turn):\n        return turn['legal'][0]\n\n\nrun(Late())\n"
    )
    assert "warning" not in call("run", write(CUP + "deals = 1\n")).stderr
    assert "warning" not in call("run", write(CUP + "deals = 2\n")).stderr
    three = CUP.replace('"greedy"', '"greedy", "./late.py"')
    assert "warning: late@" in call("run", write(three + "deals = 2\n")).stderr
    assert "warning" not in call("run", "cup").stderr
    assert nothing_left() == []


@pytest.mark.parametrize("interrupts", [1, 2])
def test_ctrl_c_stops_and_the_next_run_goes_on(
    interrupts: int, nothing_left: Callable[[], list[str]]
) -> None:
    file = write(CUP + "deals = 2000\n")
    process = subprocess.Popen(
        command("run", file, "--events", "-"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stderr is not None
    told = [json.loads(process.stdout.readline()) for _ in range(3)]
    process.send_signal(signal.SIGINT)
    if interrupts == 2:
        while "once more" not in process.stderr.readline():
            pass
        process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert ("go on with: arena --home home run cup.toml --events -\n" in said) is (interrupts == 1)

    status = arena.status("cup", home=Home("home"))
    assert not status.running
    assert told[-1]["kept"] <= status.over < (status.games or 0)
    assert nothing_left() == []

    follow = call("run", "cup", "--dry-run", "--json")
    assert json.loads(follow.stdout)["kept"] == status.over


def test_a_reader_of_events_that_leaves_stops_the_run() -> None:
    file = write(CUP + "deals = 2000\n")
    process = subprocess.Popen(
        command("run", file, "--events", "-"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr is not None
    said = process.stderr.read()
    process.stderr.close()
    assert process.wait(30) == 130, "not all is played, so not 0"
    assert "has left" in said and "go on with" in said and "Traceback" not in said


def test_a_bot_that_does_not_start_shows_its_last_words() -> None:
    Path("broken.py").write_text("import nonesuch\n")
    result = call("run", write('bots = ["random", "./broken.py"]\nvariants = ["claim"]'))
    assert result.exit_code == 3
    assert "No module named 'nonesuch'" in result.stderr and "E301" in result.stderr
    assert arena.statuses(home=Home("home")) == [], "nothing begins with a bot that cannot play"


def test_a_bot_that_may_be_left_out_is_told_of_ever_after() -> None:
    Path("unbuilt").mkdir()
    Path("unbuilt", "bot.toml").write_text('name = "unbuilt"\nbuild = ["false"]\nrun = ["./x"]\n')
    bots = 'bots = ["random", "greedy", "./unbuilt"]\nvariants = ["claim"]\n'
    first = call("run", write(bots + 'deals = 1\nmissing_bots = "leave_out"\n'))
    assert first.exit_code == 0, first.stderr
    assert "unbuilt is left out" in first.stderr and "unbuilt is left out" in first.stdout
    assert "unbuilt is left out" in call("run", "cup").stdout, "to go on by name keeps the note"


def test_faults_can_fail_a_run() -> None:
    Path("cheat.py").write_text(
        "from protocol.client import Bot, run\n\n\nclass Cheat(Bot):\n"
        "    def choose(self, turn):\n        return 'nothing'\n\n\nrun(Cheat())\n"
    )
    file = write('bots = ["random", "./cheat.py"]\nvariants = ["claim"]\ndeals = 1\n')
    assert call("run", file).exit_code == 0
    result = call("run", file, "--fail-on", "bot-fault")
    assert result.exit_code == 1
    assert "illegal_move" in result.stdout
    assert "illegal_move" in call("status", "cup").stdout


def test_a_terminal_gets_a_live_view_and_its_cursor_back() -> None:
    file = write(CUP + "deals = 2\n")
    ours, theirs = pty.openpty()
    env = os.environ | {"TERM": "xterm", "COLUMNS": "90"}
    process = subprocess.Popen(
        command("run", file), stdout=subprocess.PIPE, stderr=theirs, env=env, text=True
    )
    os.close(theirs)
    screen = b""
    try:
        while part := os.read(ours, 65536):
            screen += part
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    table, _ = process.communicate(timeout=30)
    assert process.returncode == 0
    assert b"of 4 games" in screen
    assert screen.count(b"\x1b[?25l") == screen.count(b"\x1b[?25h") == 1
    assert "\x1b" not in table
