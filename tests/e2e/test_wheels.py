"""Wheels, made of the archive of sources and installed: compiled, plain where that fails, and never by a misspelt wish."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import hatch_build

ROOT = Path(__file__).parents[2]
OURS = Path(sys.prefix)
"""Where what wheels depend on is installed already, so that no test asks an index."""
BOT = """
from protocol.client import Bot, Turn, run
from referee.games import compiled, game_of

class Ruler(Bot):
    def choose(self, turn: Turn) -> str:
        game_of("claim")
        assert compiled() == COMPILED
        return turn["legal"][0]

run(Ruler())
"""
MANIFEST = (
    'name = "ruler"\nversion = "1.0"\nlanguage = "python"\ngames = ["claim"]\nrun = ["python3", "bot.py"]\n'
)


def called(
    *words: str | Path, cwd: Path = ROOT, env: Mapping[str, str] = {}
) -> subprocess.CompletedProcess[str]:
    """A program, with nothing of ours in its environment but `env`."""
    ours = ("KINGMAKER", "PYTHON")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    command = [str(word) for word in words]
    return subprocess.run(command, cwd=cwd, env={**clean, **env}, capture_output=True, text=True, check=False)


def made(sources: Path, folder: Path, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """pip, as it makes a wheel; it is left in `folder`."""
    quiet = ("--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check")
    return called(sys.executable, "-m", "pip", "wheel", "--verbose", *quiet, "-w", folder, sources, env=env)


class Installed:
    """A wheel in an environment of its own, beside the packages that it depends on."""

    def __init__(self, wheels: Path, folder: Path) -> None:
        (wheel,) = wheels.glob("*.whl")
        self.wheel, self.folder = wheel, folder
        venv.create(folder / "env", symlinks=True)
        self.bin = folder / "env/bin"
        (site,) = folder.glob("env/lib/python*/site-packages")
        (site / "others.pth").write_text(sysconfig.get_path("purelib"))
        done = called(
            sys.executable, "-m", "pip", "--python", self.bin / "python", "install",
            "--no-deps", "--no-index", "--ignore-installed", wheel,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr

    def arena(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        env = {"PATH": f"{self.bin}:{os.environ['PATH']}", "KINGMAKER_READABLE": str(OURS)}
        return called(self.bin / "arena", "--home", self.folder / "home", *words, cwd=self.folder, env=env)

    def engines(self) -> str:
        """What it says of its engines."""
        done = self.arena("doctor", "--json")
        assert done.returncode == 0, done.stderr
        findings = json.loads(done.stdout)["findings"]
        return next(str(one["text"]) for one in findings if one["name"] == "engines")

    def played(self, compiled: bool) -> Path:
        """The record of a game against a bot of whose rules the same holds."""
        bot = self.folder / "ruler"
        bot.mkdir()
        (bot / "bot.py").write_text(BOT.replace("COMPILED", str(compiled)))
        (bot / "bot.toml").write_text(MANIFEST)
        done = self.arena("play", bot, "greedy", "--variant", "claim", "--seed", "7")
        assert done.returncode == 0 and "finished" in done.stdout, done.stdout + done.stderr
        (record,) = self.folder.glob("home/games/*.json")
        return record


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("sdist")
    done = called(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder)
    assert done.returncode == 0, done.stderr
    (archive,) = folder.glob("*.tar.gz")
    yield archive


@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_wheel_is_compiled_and_one_without_a_working_compiler_plays_the_same(
    sources: Path, short: Path
) -> None:
    done = made(sources, short / "fast", {"KINGMAKER_COMPILE": "1"})
    assert done.returncode == 0, done.stdout + done.stderr
    fast = Installed(short / "fast", short / "a")
    assert "warning:" not in done.stdout + done.stderr
    assert "none-any" not in fast.wheel.name and fast.engines() == "compiled (mypyc)"
    done = made(sources, short / "slow", {"CC": "false"})
    assert done.returncode == 0, done.stdout + done.stderr
    slow = Installed(short / "slow", short / "b")
    assert slow.wheel.name.endswith("-py3-none-any.whl")
    assert slow.engines().startswith(
        "plain Python: it could not be compiled when it was built: error: command"
    )
    assert slow.engines().endswith(f"({hatch_build.REMEDY})")
    for record, other in ((fast.played(True), slow), (slow.played(False), fast)):
        verified = other.arena("verify", record)
        assert verified.returncode == 0, verified.stdout + verified.stderr


@pytest.mark.long
@pytest.mark.parametrize(
    ("env", "says"),
    [
        ({"KINGMAKER_COMPILE": "no"}, "KINGMAKER_COMPILE is 'no': 0 makes a plain wheel"),
        ({"KINGMAKER_COMPILE": "1", "CC": "no-such-cc"}, "but there was no C compiler (no-such-cc)"),
    ],
    ids=["misspelt", "impossible"],
)
def test_no_wheel_where_what_is_wished_cannot_be(
    sources: Path, short: Path, env: dict[str, str], says: str
) -> None:
    done = made(sources, short, env)
    assert done.returncode == 1 and says in done.stdout + done.stderr
    assert not list(short.glob("*.whl"))


# what needs no compiler


@pytest.mark.parametrize(("said", "obstacle"), [("", False), ("1", False), ("0", True)])
def test_a_wish(monkeypatch: pytest.MonkeyPatch, said: str, obstacle: bool) -> None:
    monkeypatch.setenv("KINGMAKER_COMPILE", said)
    monkeypatch.setenv("CC", sys.executable)
    assert bool(hatch_build.obstacle()) == obstacle


@pytest.mark.parametrize("said", ["no", "false", "true", "yes", "01", " "])
def test_a_misspelt_wish_is_refused(monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    monkeypatch.setenv("KINGMAKER_COMPILE", said)
    with pytest.raises(RuntimeError, match=f"KINGMAKER_COMPILE is '{said}'"):
        hatch_build.obstacle()


def test_another_mypyc_than_is_tested_compiles_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(hatch_build, "MYPY", "0.1")
    with pytest.raises(RuntimeError, match=r"mypy 0\.1 compiles them, and there was mypy 2"):
        hatch_build.compiled(tmp_path)


@pytest.mark.parametrize(
    ("output", "line"),
    [
        ("gcc -c\na.c:1:10: fatal error: Python.h: No such file\ncompilation terminated.\n", "a.c:1:10: fatal error: Python.h: No such file"),
        ("Traceback:\n  x\nModuleNotFoundError: No module named 'setuptools'\n", "ModuleNotFoundError: No module named 'setuptools'"),
        ("killed\n", "killed"),
        ("", "it ended without a word"),
    ],
    ids=["header", "module", "other", "nothing"],
)  # fmt: skip
def test_the_line_that_says_why(output: str, line: str) -> None:
    assert hatch_build.complaint(output) == line


def test_what_a_killed_one_left_is_removed_and_a_failure_leaves_what_was(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tree = tmp_path / "compiled"
    for name in (".compiled-kingmaker-x", "compiled", "compiled-mine"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").touch()

    def fail(scratch: Path) -> dict[str, Path]:
        assert not (tmp_path / ".compiled-kingmaker-x").exists()
        raise RuntimeError("no")

    monkeypatch.setattr(hatch_build, "compiled", fail)
    with pytest.raises(RuntimeError, match="no"):
        hatch_build.lay_out(tree)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["compiled", "compiled-mine"]
    assert (tree / "file").exists()
