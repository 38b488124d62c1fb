"""`arena bot add`, `list`, `show`, `remove`: no bot is started."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.cli import main

MANIFEST = 'name = "{name}"\nversion = "{version}"\nrun = ["python3", "bot.py"]\ngames = ["claim/2p/*"]\n'


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def made(tmp_path: Path, name: str = "mybot", version: str = "1") -> Path:
    folder = tmp_path / "work" / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.toml").write_text(MANIFEST.format(name=name, version=version))
    (folder / "bot.py").write_text("print()\n")
    return folder


def bot(home: Path, *words: str | Path) -> Result:
    return CliRunner().invoke(main, ["--home", str(home), "bot", *map(str, words)])


def listed(home: Path) -> dict[str, dict[str, Any]]:
    document = json.loads(bot(home, "list", "--json").stdout)
    assert document["schema"] == "kingmaker/bots/1"
    return {row["name"]: row for row in document["bots"]}


def test_the_houses_bots_are_there_from_the_start_and_marked(home: Path) -> None:
    rows = listed(home)
    assert rows["random"]["added"] is rows["greedy"]["added"] is None
    table = bot(home, "list").stdout
    assert table.splitlines()[0].split() == ["name", "digest", "version", "language", "plays", "from"]
    assert "random" in table and "house" in table


def test_games_that_are_not_known_here_are_not_listed(home: Path, tmp_path: Path) -> None:
    for name, games in (("some", '["chess", "claim/2p/*"]'), ("none", '["chess"]')):
        manifest = made(tmp_path, name) / "bot.toml"
        manifest.write_text(manifest.read_text().replace('["claim/2p/*"]', games))
        bot(home, "add", manifest.parent)
    rows = {line.split()[0]: line for line in bot(home, "list").stdout.splitlines()}
    assert "claim/2p/*" in rows["some"] and "nothing here" in rows["none"]
    assert "chess" not in rows["some"] + rows["none"]


def test_an_added_bot_is_listed_until_removed(home: Path, tmp_path: Path) -> None:
    added = bot(home, "add", made(tmp_path))
    assert (
        added.exit_code == 0 and "added: mybot@" in added.stderr and "arena bot check mybot" in added.stderr
    )
    row = listed(home)["mybot"]
    assert row["added"] and row["manifest"]["games"] == ["claim/2p/*"] and len(row["digest"]) == 40
    removed = bot(home, "remove", "mybot")
    assert removed.exit_code == 0 and "games that it played stay" in removed.stderr
    assert "mybot" not in listed(home)
    assert (home / "bots" / row["digest"]).is_dir()


def test_added_again_and_a_new_version(home: Path, tmp_path: Path) -> None:
    bot(home, "add", made(tmp_path))
    assert "was there already" in bot(home, "add", made(tmp_path)).stderr
    old = listed(home)["mybot"]["digest"]
    newer = bot(home, "add", made(tmp_path, version="2"))
    assert f"its name meant mybot@{old[:12]} until now" in newer.stderr
    document = json.loads(bot(home, "show", "mybot", "--json").stdout)
    assert document["manifest"]["version"] == "2"
    assert {one["digest"] for one in document["versions"]} == {old, document["digest"]}


def test_show_says_what_a_bot_says_of_itself(home: Path, tmp_path: Path) -> None:
    bot(home, "add", made(tmp_path))
    text = bot(home, "show", "mybot").stdout
    assert "games     claim/2p/*" in text and "run       python3 bot.py" in text and "kept in" in text
    assert bot(home, "show", "random").exit_code == 0


def test_a_bot_of_a_houses_name_gives_it_back(home: Path, tmp_path: Path) -> None:
    bot(home, "add", made(tmp_path, "random"))
    assert listed(home)["random"]["added"]
    assert "the name means the house's 'random' again" in bot(home, "remove", "random").stderr
    assert listed(home)["random"]["added"] is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["remove", "random"], "comes with the arena"),
        (["remove", "mybto"], "did you mean 'mybot'"),
        (["show", "mybto"], "did you mean 'mybot'"),
        (["add", "./missing"], "no file or folder missing"),
        (["add", "."], "there is no bot.toml"),
    ],
)
def test_mistakes_are_exit_2_with_a_hint(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    bot(home, "add", made(tmp_path))
    monkeypatch.chdir(tmp_path)
    result = bot(home, *words)
    assert result.exit_code == 2 and said in result.stderr and result.stdout == ""
    assert "fix: " in result.stderr


def test_a_build_that_fails_is_exit_3(home: Path, tmp_path: Path) -> None:
    folder = made(tmp_path)
    manifest = folder / "bot.toml"
    manifest.write_text(manifest.read_text() + 'build = ["sh", "-c", "echo no compiler; exit 1"]\n')
    result = bot(home, "add", folder)
    assert result.exit_code == 3 and "| no compiler" in result.stderr
    assert "mybot" not in listed(home)
