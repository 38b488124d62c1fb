"""`arena compare` with real bots: its verdicts and exit codes, two versions of one name, Ctrl-C, going on."""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

import arena
from arena.cli import main
from arena.documents import schema
from arena.home import Home
from tests.e2e.test_cli_run import command

BOT = "from protocol.client import Bot, run\n\n\nclass Mine(Bot):\n    def choose(self, turn):\n        return {}\n\n\nrun(Mine())\n"
SURE = ("--s0", "0.3", "--s1", "0.7")
"""Far apart, so that few rounds decide."""
SURER = (*SURE, "--alpha", "0.001", "--beta", "0.001")
"""Three rounds cannot decide that, whatever the deals are."""


@pytest.fixture(autouse=True)
def here(short: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(short)


def version(folder: str, move: str) -> str:
    path = Path(folder, "mine.py")
    path.parent.mkdir()
    path.write_text(BOT.format(move))
    return f"./{path}"


def call(*words: str) -> Result:
    return CliRunner().invoke(main, ["--home", "home", *words])


def paste(said: str, pattern: str) -> Result:
    """Type the command line that was printed where `pattern` has its group."""
    found = re.search(pattern, said)
    assert found is not None, said
    arena, *words = shlex.split(found[1])
    assert arena == "arena"
    return CliRunner().invoke(main, words)


def test_a_version_that_always_loses_is_not_better(nothing_left: Callable[[], list[str]]) -> None:
    old, new = version("old", "turn['legal'][0]"), version("new", "'nothing'")
    worse = call("compare", new, old, *SURE)
    assert worse.exit_code == 1, worse.stderr
    names = re.findall(r"mine@[0-9a-f]{12}", worse.stdout.splitlines()[0])
    assert len(set(names)) == 2 and "is not better than" in worse.stdout
    assert "score  0.000" in worse.stdout and "without an interval, which takes 4 rounds" in worse.stdout
    assert "illegal_move" in worse.stdout and "is suspended" in worse.stderr
    assert not set("\r\x1b") & set(worse.stdout + worse.stderr), "no terminal, so nothing for one"

    again = call("compare", new, old, *SURE)
    assert (again.exit_code, again.stdout) == (1, worse.stdout)
    assert "0 games in" in again.stderr
    (known,) = arena.statuses(home=Home("home"))
    assert known.name.startswith("compare-") and known.ended
    assert call("verify", known.name).exit_code == 0
    assert all(name in call("leaderboard", known.name).stdout for name in names)
    assert nothing_left() == []


@pytest.mark.long
def test_an_undecided_comparison_goes_on_with_more_games(nothing_left: Callable[[], list[str]]) -> None:
    first = call("compare", "greedy", "random", *SURER, "--max-games", "3", "--json", "--sandbox", "none")
    assert first.exit_code == 6, first.stderr
    known = json.loads(first.stdout)
    assert list(Draft202012Validator(schema("comparison")).iter_errors(known)) == []
    assert (known["better"], known["standing"]["games"]) == (None, 2)
    assert known["standing"] == {key: value and round(value, 4) for key, value in known["standing"].items()}
    more = paste(first.stderr, r"(arena .* --max-games 6 .*)")
    assert (more.exit_code, json.loads(more.stdout)["tournament"]) == (6, known["tournament"]), more.stderr
    assert "2 of them kept" in more.stderr
    same = paste(first.stderr, "the same deals again: (.*)")
    assert (same.exit_code, json.loads(same.stdout)["seed"]) == (6, known["seed"]), same.stderr
    assert paste(first.stderr, "next: (.*)").exit_code == 0

    more = call("compare", "greedy", "random", *SURER, "--max-games", "400")
    assert more.exit_code in (0, 1), more.stderr
    assert (
        known["tournament"] in more.stderr
        and "6 of them kept" in more.stderr
        and known["seed"] in more.stderr
    )
    assert nothing_left() == []


def test_the_line_of_an_interrupted_comparison_goes_on_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("compare", "greedy", "random", *SURE, "--max-games", "2", "--sandbox", "none", "--json")
    with monkeypatch.context() as patch:
        patch.setattr("arena.cli.watching.Watch.__call__", interrupt)
        stopped = call(*words)
    assert (stopped.exit_code, stopped.stdout) == (130, "")
    (begun,) = arena.statuses(home=Home("home"))
    on = paste(stopped.stderr, "go on with: (.*)")
    assert (on.exit_code, json.loads(on.stdout)["tournament"]) == (6, begun.name), on.stderr
    assert len(arena.statuses(home=Home("home"))) == 1


def interrupt(watch: object, event: object) -> None:
    raise KeyboardInterrupt


def test_it_can_be_watched_and_stopped(nothing_left: Callable[[], list[str]]) -> None:
    words = ("compare", "greedy", "random", "--s0", "0.6", "--s1", "0.601")
    ours, theirs = pty.openpty()
    env = os.environ | {"TERM": "xterm"}
    process = subprocess.Popen(command(*words), stdout=subprocess.PIPE, stderr=theirs, env=env, text=True)
    os.close(theirs)
    screen = b""
    try:
        while part := os.read(ours, 65536):
            if b"score" not in screen and b"score" in screen + part:
                process.send_signal(signal.SIGINT)
            screen += part
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    assert (process.communicate(timeout=30)[0], process.returncode) == ("", 130)
    assert re.search(rb"\r\x1b\[K\d+ rounds?, score [01]\.\d{3}.*, LLR -?0\.\d\d \(-2\.94 to 2\.94\)", screen)
    assert b"go on with: arena --home home compare greedy random --s0 0.6 --s1 0.601" in screen
    (known,) = arena.statuses(home=Home("home"))
    assert known.over and not known.ended
    assert nothing_left() == []
