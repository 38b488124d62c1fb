"""Each kind of schedule from the command line: played, looked at, taken out and checked."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.cli import main

Left = Callable[[], list[str]]
RANDOM = Path(__file__).parents[2] / "bots" / "python" / "random"
FILE = """\
name = "cup"
bots = {bots}
variants = ["claim"]
deals = 2
sandbox = "none"
concurrency = 2
[schedule]
kind = "{kind}"
{more}
"""


@pytest.fixture
def folder(short: Path) -> Path:
    """A third bot beside the two of the house."""
    third = short / "third"
    shutil.copytree(RANDOM, third, ignore=shutil.ignore_patterns("__pycache__"))
    text = (third / "bot.toml").read_text().replace('"random"', '"third"', 1)
    (third / "bot.toml").write_text(text)
    return short


def call(folder: Path, *words: str) -> Result:
    result = CliRunner().invoke(main, ["--home", str(folder / "home"), *words])
    assert result.exit_code == 0, result.stderr
    return result


def played(folder: Path, name: str, kind: str, bots: list[str], more: str = "") -> dict[str, Any]:
    """Play a tournament, or go on with it; its status, once what it exports was seen to hold."""
    file = folder / f"{name}.toml"
    text = FILE.format(kind=kind, bots=json.dumps(bots), more=more)
    file.write_text(text.replace('name = "cup"', f'name = "{name}"'))
    said = call(folder, "run", str(file)).stderr
    assert "done: " in said and "not balanced" not in said
    call(folder, "record", "export", name, "-o", str(folder / "out.jsonl"))
    call(folder, "verify", str(folder / "out.jsonl"))
    call(folder, "verify", name)
    status: dict[str, Any] = json.loads(call(folder, "status", name, "--json").stdout)
    assert status["ended"] and status["games"] == status["over"] and status["schedule"] == kind
    assert "complete" in call(folder, "status", name).stdout
    return status


@pytest.mark.long
def test_one_tournament_by_one_schedule_after_the_other(folder: Path, nothing_left: Left) -> None:
    few, all_three = ["random", "greedy"], ["random", "greedy", "./third"]
    assert played(folder, "cup", "round_robin", few)["over"] == 4
    newcomer = 'bots = ["third"]\nnewcomer_deals = 1'
    assert played(folder, "cup", "newcomer", all_three, newcomer)["over"] == 4 + 2 * 2
    assert played(folder, "cup", "gauntlet", all_three, 'bots = ["third"]')["over"] == 12
    final = played(folder, "cup", "finals", all_three, "[stop]\ngames = 16")
    assert (final["over"], final["ended"]) == (16, "16 games that count are played, of 16")
    rank = 'ask = "rank"\nbots = ["third"]\n[stop]\ngames = 20'
    assert played(folder, "cup", "adaptive", all_three, rank)["over"] == 20
    assert nothing_left() == []


@pytest.mark.long
def test_what_is_said_to_end_finals_ends_them(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their time was over at once, and they have to play more than their opening of 12 games, whatever stops them."""
    file, bots = folder / "cup.toml", ["random", "greedy", "./third"]
    file.write_text(FILE.format(kind="finals", bots=json.dumps(bots), more="[stop]\nminutes = 1"))
    with monkeypatch.context() as patch:
        patch.setattr(
            "arena.stopping.Stop.reached", lambda rule, progress, seconds, bots=(): seconds and "over"
        )
        call(folder, "run", str(file))
    said = call(folder, "record", "export", "cup", "-o", str(folder / "out.jsonl")).stderr
    found = re.search(r"games = (\d+) under \[stop\]", said)
    assert found is not None, said
    assert int(found[1]) == 13, "one game is as many as a block"
    assert played(folder, "cup", "finals", bots, f"[stop]\ngames = {found[1]}")["over"] == 14


def test_rounds_from_the_command_line(folder: Path) -> None:
    bots = ["greedy", "random", "./third"]
    assert len(played(folder, "swiss", "swiss", bots)["rounds"]) == 3
    assert played(folder, "out", "knockout", bots)["rounds"][0] == "round 1: greedy has a bye"
    assert "final: greedy" in call(folder, "status", "out").stdout
