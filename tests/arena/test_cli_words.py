"""The frame of the command line, and the commands that only look things up."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

import arena
from arena.cli import COMMANDS, main
from arena.cli.completion import INSTALL
from arena.cli.output import complain
from arena.errors import ArenaError, Busy, CannotStart, InputError, StorageError, did_you_mean
from arena.explained import EXPLAINED
from arena.home import Home
from referee.game import VariantError, WrongDeal
from referee.games import GAMES
from referee.replay import Broken
from tests.arena.filled import fill

ESCAPE = "\x1b["


def call(*words: str, env: dict[str, str] | None = None) -> Result:
    return CliRunner(env=env or {}).invoke(main, list(words))


def codes() -> Iterator[str]:
    for file in Path(arena.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and re.fullmatch(r"E\d{3}", str(node.value)):
                yield str(node.value)


def test_every_code_that_is_raised_is_explained_and_no_other() -> None:
    used = [code for code in codes() if code != "E999"]
    assert set(used) == set(EXPLAINED)
    assert not [code for code in EXPLAINED if used.count(code) < 2], "explained, but raised nowhere"


def test_a_code_begins_with_the_exit_code_of_its_error() -> None:
    for error in (InputError("x"), CannotStart("x"), StorageError("x"), Busy("x")):
        assert error.code[1] == str(error.exit_code)


def test_explain() -> None:
    assert "Cure:" in call("explain", "e301").stdout
    assert set(json.loads(call("explain", "--json").stdout)["codes"]) == set(EXPLAINED)
    assert set(re.findall(r"^E\d+", call("explain").stdout, re.MULTILINE)) == set(EXPLAINED)
    unknown = call("explain", "E3O1")
    assert unknown.exit_code == 2 and "did you mean 'E3" in unknown.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_help_teaches_with_an_example(name: str) -> None:
    result = call(name, "--help")
    assert result.exit_code == 0
    assert f"  arena {name}" in result.stdout


def test_help_fits_80_columns() -> None:
    for words in ([], *([name] for name in COMMANDS), ["record", "show"], ["bot", "check"]):
        lines = call(*words, "--help").stdout.splitlines()
        assert max(map(len, lines)) <= 80, words
        assert not any(line.endswith("...") and not line.startswith("Usage") for line in lines), words


def test_help_needs_no_heavy_package() -> None:
    code = "import sys, arena.cli as c; c.main(['--help'], standalone_mode=False); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & {"pydantic", "sqlalchemy", "rich", "zmq", "trueskill", "tabulate", "psutil"}


def test_a_hint_names_the_nearest_or_a_few() -> None:
    names = [f"bot{n:03}" for n in range(500)]
    assert did_you_mean("boot123", names) == "did you mean 'bot123'?"
    assert did_you_mean("xyz", names[:2]) == "there are: bot000, bot001"
    assert did_you_mean("xyz", names).endswith("bot018, bot019, …")


def test_an_unknown_command_gets_the_nearest() -> None:
    result = call("stauts")
    assert result.exit_code == 2
    assert "did you mean 'status'?" in result.stderr


@pytest.mark.parametrize(
    ("words", "env", "coloured"),
    [
        ([], {}, False),
        ([], {"FORCE_COLOR": "1"}, True),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ([], {"FORCE_COLOR": "1", "TERM": "dumb"}, True),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
        (["--color", "never"], {"FORCE_COLOR": "1"}, False),
    ],
)
def test_colour_is_as_asked_for(words: list[str], env: dict[str, str], coloured: bool) -> None:
    result = call(*words, "explain", "E999", env={"NO_COLOR": "", "FORCE_COLOR": "", **env})
    assert (ESCAPE in result.stderr) is coloured


def test_what_comes_from_outside_does_not_reach_the_terminal_raw() -> None:
    result = call("explain", "\x1b]0;owned\x07", env={"NO_COLOR": "1"})
    assert "\x1b" not in result.stderr and "\x07" not in result.stderr


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ArenaError("x"), 1),
        (InputError("x"), 2),
        (CannotStart("x"), 3),
        (StorageError("x"), 4),
        (Busy("x"), 5),
        (OSError(28, "No space left on device"), 4),
        (VariantError("x"), 2),
        (WrongDeal("x"), 2),
        (Broken("x", "y"), 2),
        (KeyboardInterrupt(), 130),
    ],
)
def test_exit_codes(error: BaseException, code: int) -> None:
    with click.Context(main):
        assert complain(error) == code


def test_a_mistake_of_ours_is_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError):
        complain(ZeroDivisionError())


def test_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    code = "import sys; from arena.cli import main; sys.argv[0] = 'arena'; main()"
    read, write = os.pipe()
    os.close(read)
    process = subprocess.run(
        [sys.executable, "-c", code, "--home", str(tmp_path), "variants"],
        stdout=write, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    os.close(write)
    assert (process.returncode, process.stderr) == (0, "")


def test_games_shows_each_with_its_options() -> None:
    for game in GAMES.values():
        assert game.title in call("games").stdout
        text = call("games", game.name).stdout
        for option, values in game.options().items():
            assert option in text and values[0] in text
    document = json.loads(call("games", "--json").stdout)
    assert [game["name"] for game in document["games"]] == list(GAMES)
    assert document["schema"] == "kingmaker/catalogue/1"


def test_an_example_of_an_option_means_something() -> None:
    for game in GAMES.values():
        if game.options():
            assert game.matching(call("games", game.name).stdout.split()[-1])


def test_variants_of_a_pattern() -> None:
    everything = json.loads(call("variants", "--json").stdout)["variants"]
    assert len(everything) == sum(len(game.variants()) for game in GAMES.values())
    four = json.loads(call("variants", "claim/4p/*", "--json").stdout)["variants"]
    assert {(one["players"], one["sides"]) for one in four} == {(4, 2)}
    assert "claim-2" in call("variants", "claim-2").stdout
    unknown = call("variants", "clam")
    assert unknown.exit_code == 2 and "claim" in unknown.stderr


@pytest.mark.parametrize("shell", INSTALL)
def test_completion_is_a_script_and_a_way_to_install_it(shell: str) -> None:
    result = call("completion", shell)
    assert result.exit_code == 0
    assert "_ARENA_COMPLETE" in result.stdout and "install" in result.stderr


def complete(line: str) -> list[str]:
    env = {"_ARENA_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    told = CliRunner(env=env).invoke(main, prog_name="arena").stdout
    return [item.removeprefix("plain,") for item in told.split()]


def test_completion_of_commands_and_variants() -> None:
    assert complete("arena leaderb") == ["leaderboard"]
    assert complete("arena variants claim/4p/GK-UWXT") == ["claim/4p/GK-UWXTD", "claim/4p/GK-UWXTS"]


def test_completion_of_tournaments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cupola.toml").touch()
    Path("home").mkdir()
    assert complete("arena --home home status cup") == ["cupola.toml"]
    assert complete("arena --home home status ./cup") == ["./cupola.toml"]
    assert list(Path("home").iterdir()) == [], "to ask for completion makes nothing"
    fill(Home("home"), "cup", ["claim"], games=1)
    assert complete("arena --home home status cup") == ["cup", "cupola.toml"]
