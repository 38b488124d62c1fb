"""`arena doctor`: it finds what is missing, and only what the arena needs makes it fail."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena import machine
from arena.cli import main
from arena.executors.local import processes
from arena.home import Home


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the headers that take seconds to compile."""
    monkeypatch.setattr(machine, "CPP_HEADERS", ())


def call(home: str | Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["--home", str(home), "doctor", *words])


def findings(result: Result) -> dict[str, str]:
    return {one["name"]: one["state"] for one in json.loads(result.stdout)["findings"]}


def test_a_machine_that_runs_these_tests_is_good_enough(tmp_path: Path) -> None:
    result = call(tmp_path, "--json")
    assert result.exit_code == 0
    assert "failed" not in findings(result).values()


@pytest.mark.usefixtures("quick")
def test_a_home_that_cannot_be_written_fails() -> None:
    result = call("/dev/null/home", "--json")
    assert result.exit_code == 3
    assert findings(result)["home folder"] == "failed"
    assert "home folder" in result.stderr


def test_no_compiler_is_a_warning_with_the_cure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    result = call(tmp_path)
    assert "missing: g++; make" in result.stdout and "apt-get install g++ make" in result.stdout
    assert "failed" not in result.stdout.split()


def test_a_missing_header_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "CPP_HEADERS", ("no_such_header.h",))
    with pytest.raises(machine.Missing, match=r"no_such_header\.h|g\+\+"):
        machine.toolchain()


@pytest.mark.usefixtures("quick")
def test_it_says_plainly_that_nothing_isolates_bots(tmp_path: Path) -> None:
    assert "a bot can read and change whatever you can" in call(tmp_path).stdout


def test_sockets_that_cannot_be_made_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = tmp_path / ("x" * 100)
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    with pytest.raises(machine.Missing, match="ipc"):
        machine.sockets()


def test_little_space_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "FREE_BYTES", 1 << 80)
    with pytest.raises(machine.Missing, match="GiB free"):
        machine.space(Home(tmp_path))


def test_processes_are_those_asked_for_or_one_a_core() -> None:
    assert processes(3) == 3
    assert processes() >= 1
