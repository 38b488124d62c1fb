"""`arena doctor`: it finds what is missing, and only what the arena needs makes it fail."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena import attempts, machine, toolchains
from arena.cli import main
from arena.executors.local import processes
from arena.home import Home
from arena.isolation import examined
from arena.manifests import kits


def call(home: str | Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["--home", str(home), "doctor", *words])


def findings(result: Result) -> dict[str, str]:
    return {one["name"]: one["state"] for one in json.loads(result.stdout)["findings"]}


def test_a_machine_that_runs_these_tests_is_good_enough(tmp_path: Path) -> None:
    result = call(tmp_path, "--json")
    assert result.exit_code == 0
    assert "failed" not in findings(result).values()


def test_it_says_which_engines_run_and_why(monkeypatch: pytest.MonkeyPatch) -> None:
    said = []
    for why in ("there was no C compiler when it was built", ""):
        monkeypatch.setattr("referee.games.why_plain", lambda why=why: why)
        said.append(machine.engines())
    assert said == ["plain Python: there was no C compiler when it was built", "compiled (mypyc)"]


def test_a_home_that_cannot_be_written_fails() -> None:
    result = call("/dev/null/home", "--json")
    assert result.exit_code == 3
    assert findings(result)["home folder"] == "failed"
    assert "home folder" in result.stderr


def test_languages_without_a_toolchain_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    result = call(tmp_path)
    assert "can be built and run in python; not in bash (bash, jq)" in result.stdout
    assert "rust (cargo)" in result.stdout
    assert {line.split()[0] for line in result.stdout.splitlines()} <= {"ok", "warning", "fix:"}


def test_a_missing_header_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(toolchains.HEADERS, "c", ("stdio.h", "no_such_header.h"))
    assert toolchains.missing("c") in (["no_such_header.h"], ["gcc", "make"], ["gcc"], ["make"])


def test_every_kit_has_its_tools_listed() -> None:
    assert sorted(toolchains.PROGRAMS) == sorted(kits())


def test_it_says_of_each_mode_what_holds_and_what_lacks(tmp_path: Path) -> None:
    found = {one["name"]: one for one in json.loads(call(tmp_path, "--json").stdout)["findings"]}
    for mode in ("default", "strict"):
        box, lacks = examined(mode)
        finding = found[f"mode {mode}"]
        assert finding["state"] == ("warning" if lacks else "ok")
        assert all(layer in finding["text"] for layer in box.layers)
        assert all(f"({lack.layer})" in finding["text"] and lack.remedy in finding["cure"] for lack in lacks)
        tried = len(attempts.attempts("", 0, 0, ""))
        assert f"of a fixed set of {tried} attempts to get out {tried} failed" in finding["text"]


def test_a_sandbox_that_can_be_got_out_of_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    box, _ = examined("default")
    without = replace(box, layers=tuple(layer for layer in box.layers if layer != "seccomp"))
    monkeypatch.setattr(machine, "examined", lambda mode: (without, ()))
    with pytest.raises(
        machine.Missing, match=r"default does not hold: a program in it could .*join a keyring"
    ) as found:
        machine.kept_apart("default")
    assert found.value.cure == "see SECURITY.md"


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
