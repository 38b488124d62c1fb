"""Whatever a bot, a file or a record says or is called, a terminal shows it and does nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unicodedata import category

import pytest
from click.testing import CliRunner, Result

from arena.cli import main, output
from arena.home import Home
from tests.arena.made import record
from tests.protocol.outside import SURROGATE, TEXTS, unsafe

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")
FORGED = re.compile(r"^(error: lines|fix: )", re.MULTILINE)
"""Lines that a text makes up where its line ends are heeded."""
PATHS = [
    text for text in [*TEXTS, SURROGATE] if text not in ("", "..") and "/" not in text and "\0" not in text
]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def arena(home: Home, *words: str | Path) -> Result:
    """Call it; what it writes can be shown."""
    done = CliRunner().invoke(main, ["--home", str(home.path), *map(str, words)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert not unsafe(done.stdout) and not unsafe(done.stderr)
    return done


def quoted(text: str) -> str:
    """A text as TOML has it."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def bot(folder: Path, text: str = "", name: str = "mybot") -> Path:
    """A bot's folder whose manifest ends in `text`."""
    folder.mkdir()
    (folder / "bot.py").write_text("")
    (folder / "bot.toml").write_text(f'name = {quoted(name)}\nrun = ["python3", "bot.py"]\n{text}\n', "utf-8")
    return folder


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_a_bots_name_is_refused(text: str, home: Home, tmp_path: Path) -> None:
    done = arena(home, "bot", "add", "--no-check", bot(tmp_path / "bot", name=text))
    assert done.exit_code == 2 and "E212" in done.stderr
    assert "name: " in done.stderr and "cannot be one: a name has 1 to 63 of" in done.stderr


def test_a_name_that_only_looks_right_is_shown_so_that_it_is_seen(home: Home, tmp_path: Path) -> None:
    done = arena(home, "bot", "add", "--no-check", bot(tmp_path / "bot", name="b\u043eb"))
    assert r"'b\u043eb' cannot be one" in done.stderr


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_a_tournaments_name_is_refused(text: str, home: Home, tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(f'name = {quoted(text)}\nbots = ["random", "greedy"]\nvariants = ["claim"]\n', "utf-8")
    done = arena(home, "config", "check", file)
    assert done.exit_code == 2 and "cannot be one: a name has" in done.stderr


@pytest.mark.parametrize("text", [text for text in TEXTS if len(text) <= 100], ids=ascii)
def test_what_a_bot_says_of_itself_is_shown(text: str, home: Home, tmp_path: Path) -> None:
    said = f'authors = [{quoted(text)}]\nneeds = {quoted(text)}\nversion = {quoted(text[:40])}\ngames = ["claim", {quoted("claim/" + text)}]'
    done = arena(home, "bot", "add", "--no-check", bot(tmp_path / "bot", said))
    if any(category(letter) == "Cc" for letter in text):
        assert done.exit_code == 2 and "authors.0: " in done.stderr and "control characters" in done.stderr
        return
    assert done.exit_code == 0
    for command in ("list", "show"):
        words = ["bot", command, *(["mybot"] if command == "show" else [])]
        assert not FORGED.search(arena(home, *words).stdout)
    manifest = json.loads(arena(home, "bot", "show", "mybot", "--json").stdout)["manifest"]
    assert (manifest["authors"], manifest["needs"]) == ([text], text)


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_an_unknown_key_or_variant_is_named(text: str, home: Home, tmp_path: Path) -> None:
    done = arena(home, "bot", "add", "--no-check", bot(tmp_path / "bot", f"{quoted(text)} = 1"))
    assert done.exit_code == 2 and "unknown key " in done.stderr and not FORGED.search(done.stderr)
    done = arena(home, "variants", "--", f"claim/{text}")
    assert done.exit_code == 2 and "E219" in done.stderr and not FORGED.search(done.stderr)


@pytest.mark.parametrize("text", ["a\0b", "\0"])
def test_a_word_that_no_program_can_be_given_is_refused(text: str, home: Home, tmp_path: Path) -> None:
    for number, said in enumerate([f"build = [{quoted(text)}]", f"env = {{ A = {quoted(text)} }}"]):
        done = arena(home, "bot", "add", "--no-check", bot(tmp_path / f"bot{number}", said))
        assert done.exit_code == 2 and "has a NUL" in done.stderr


@pytest.mark.parametrize("text", [text for text in PATHS if len(text) < 200], ids=ascii)
def test_a_path_is_shown(text: str, home: Home, tmp_path: Path) -> None:
    absent = tmp_path / text
    for words in (["config", "check"], ["verify"], ["replay"], ["bot", "check"], ["bot", "add"], ["run"]):
        done = arena(home, *words, absent)
        assert done.exit_code in (1, 2) and done.stderr + done.stdout
    assert arena(home, "status", "a", absent).exit_code == 2
    with_link = bot(absent)
    (with_link / f"{text}.link").symlink_to(tmp_path)
    done = arena(home, "bot", "add", "--no-check", with_link)
    assert done.exit_code == 2 and "is a link" in done.stderr and not FORGED.search(done.stderr)


def spoilt(text: str) -> dict[str, Any]:
    """The record of a game in which everything that a bot chooses, or a forger can, is `text`."""
    made: dict[str, Any] = json.loads(record("claim"))
    made["play"]["seats"][0]["bot"] = text
    made["play"]["faults"] = [{"seat": 0, "kind": "crash", "reason": text, "turn": 2, "at": 2}]
    made["account"]["notes"] = {str(number): text for number in range(4)}
    made["account"]["evidence"] = {"0": f"one\n{text}"}
    return made


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_names_notes_and_evidence_of_a_record_are_shown(text: str, home: Home, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(spoilt(text), ensure_ascii=False), "utf-8")
    for words in (
        ["replay"],
        ["replay", "--step", "2"],
        ["replay", "--seat", "0"],
        ["record", "show"],
        ["verify"],
    ):
        assert not FORGED.search(arena(home, *words, file).stdout)
    steps = arena(home, "replay", "--json", file).stdout.splitlines()
    assert json.loads(steps[1])["note"] == text


@pytest.mark.parametrize("of_a_terminal", [True, False])
def test_a_kept_record_is_printed_as_it_is_but_on_a_terminal(
    of_a_terminal: bool, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    data = json.dumps({"note": "\x9b2J\u202eé"}, ensure_ascii=False).encode()
    monkeypatch.setattr("sys.stdout.isatty", lambda: of_a_terminal, raising=False)
    output.raw(data)
    printed = capfdbinary.readouterr().out.rstrip(b"\n")
    assert json.loads(printed) == json.loads(data)
    assert (printed == data) is not of_a_terminal
    assert bool(unsafe(printed.decode())) is not of_a_terminal


def test_a_shell_is_offered_no_file_whose_name_it_would_obey(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("cup.toml", "\x1b[2Jcup.toml", "a\nplain,b.toml"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    env = {
        "_ARENA_COMPLETE": "bash_complete",
        "COMP_WORDS": "arena run ",
        "COMP_CWORD": "2",
        "KINGMAKER_HOME": str(home.path),
    }
    done = CliRunner(env=env).invoke(main, prog_name="arena")
    assert done.stdout.split() == ["plain,cup.toml"]


@pytest.mark.parametrize("text", PATHS[:8], ids=ascii)
@pytest.mark.parametrize("writer", [output.note, output.show, output.say])
def test_every_way_to_the_terminal_escapes(
    writer: Callable[[str], None], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    writer(text)
    assert not unsafe("".join(capsys.readouterr()))


@pytest.mark.parametrize(
    ("said", "limit"),
    [
        (f'env = {{ A = "{"x" * 10_001}" }}', "at most 10000 characters"),
        (f'env = {{ {"A" * 101} = "x" }}', "at most 100 characters"),
        (f"games = {['claim'] * 101}", "at most 100 items"),
        (f'games = ["claim/{"x" * 195}"]', "at most 200 characters"),
    ],
)
def test_a_manifest_is_bounded(said: str, limit: str, home: Home, tmp_path: Path) -> None:
    done = arena(home, "bot", "add", "--no-check", bot(tmp_path / "bot", said))
    assert done.exit_code == 2 and limit in done.stderr
