"""Which folders of the machine a bot is shown for its program: enough to run, and nothing that is not for it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from referee.processes.readable import SYSTEM, readable


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of a user who has an arena there, with two bots."""
    home = tmp_path / "home" / "user"
    for bot in ("ours", "rival"):
        (home / ".local/share/kingmaker/bots" / bot).mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("KINGMAKER_READABLE", raising=False)
    return home


@pytest.fixture
def files(home: Path) -> Path:
    return home / ".local/share/kingmaker/bots/ours"


def program(path: Path, first: str = "#!/bin/sh") -> Path:
    """One that can be executed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(first + "\n")
    path.chmod(0o755)
    return path


def link(path: Path, target: Path | str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)
    return path


def shown(name: str | Path, files: Path, path: str = "/usr/bin:/bin") -> set[str]:
    """Beside what every bot is shown."""
    whole = readable((str(name),), files, {"PATH": path})
    assert whole[: len(SYSTEM)] == list(SYSTEM)
    return {found for found in whole[len(SYSTEM) :] if not found.startswith(("/etc/", *SYSTEM))}


def test_a_program_of_the_system_needs_no_more(files: Path) -> None:
    assert shown("sh", files) == shown("/usr/bin/env", files) == set()


def test_a_program_of_its_own_needs_no_more(files: Path) -> None:
    program(files / "bot")
    assert shown("./bot", files) == shown(files / "bot", files) == set()


def test_no_secret_of_the_system_is_shown(files: Path) -> None:
    settings = [path for path in readable(("sh",), files, {}) if path.startswith("/etc")]
    secret = ("shadow", "passwd", "ssh", "ssl", "sudoers", "hosts", "resolv.conf", "machine-id")
    assert settings and not {f"/etc/{name}" for name in secret} & set(settings) and "/etc" not in settings


def test_an_installation_is_shown_whole(files: Path, tmp_path: Path) -> None:
    program(tmp_path / "tools/lang-1.2/bin/lang")
    assert shown("lang", files, f"{tmp_path}/tools/lang-1.2/bin") == {f"{tmp_path}/tools/lang-1.2"}


def test_a_virtual_environment_is_shown_with_what_it_is_made_of(files: Path, tmp_path: Path) -> None:
    real = program(tmp_path / "python-3.12/bin/python3.12")
    link(real.parent / "python3", real.name)
    link(tmp_path / "venv/bin/python", "python3")
    link(tmp_path / "venv/bin/python3", real.parent / "python3")
    assert shown(tmp_path / "venv/bin/python", files) == {f"{tmp_path}/venv", f"{tmp_path}/python-3.12"}


def test_this_interpreter_can_run_there(files: Path) -> None:
    real = Path(sys.executable).resolve()
    found = [Path(path) for path in readable((sys.executable,), files, {})]
    assert any(path == real or path in real.parents for path in found)
    assert Path.home() not in found


def test_who_runs_a_script_is_followed(files: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "one/bin/first", tmp_path / "two/bin/second"
    program(first, f"#!{second} -x")
    program(second, "#!/usr/bin/env -S A=1 third --flag")
    program(tmp_path / "three/bin/third")
    path = f"{first.parent}:{tmp_path}/three/bin:/usr/bin"
    assert shown("first", files, path) == {f"{tmp_path}/{name}" for name in ("one", "two", "three")}


def test_links_and_scripts_in_a_circle_end(files: Path, tmp_path: Path) -> None:
    program(tmp_path / "a/bin/x", f"#!{tmp_path}/b/bin/y")
    program(tmp_path / "b/bin/y", f"#!{tmp_path}/a/bin/x")
    link(tmp_path / "loop", tmp_path / "loop")
    assert len(shown(tmp_path / "a/bin/x", files)) == 2
    assert str(tmp_path / "home") not in shown(tmp_path / "loop", files)


@pytest.mark.parametrize("manager", [".pyenv/shims", ".nvm/versions/node/v20/bin", ".local/share/mise/shims"])
def test_a_version_manager_is_shown_without_its_home(home: Path, files: Path, manager: str) -> None:
    program(home / manager / "lang")
    (folder,) = shown("lang", files, str(home / manager))
    assert (
        (home / manager).is_relative_to(folder)
        and Path(folder) != home
        and Path(folder).parent != home.parent
    )


@pytest.mark.parametrize(
    ("where", "only"),
    [("bin", "bin"), (".local/bin", ".local/bin"), (".cargo/bin", ".cargo/bin"), ("", "tool")],
)
def test_of_a_home_only_what_holds_programs(home: Path, files: Path, where: str, only: str) -> None:
    program(home / where / "tool")
    assert shown("tool", files, str(home / where)) == {str(home / only)}


def test_an_unreadable_program_is_no_error(files: Path, tmp_path: Path) -> None:
    assert shown("no-such-program", files) == set()
    assert shown("./gone", files) == set()


def test_the_operator_names_more(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KINGMAKER_READABLE", "/srv/lang:relative::/srv/more")
    assert shown("sh", files) == {"/srv/lang", "/srv/more"}


# what a bot says leads to nothing that is not a program's

believed = pytest.mark.xfail(strict=True, reason="what a bot says of its program is believed")


def private(home: Path, files: Path, name: str | Path) -> list[str]:
    """What is shown of a home, that of the bot itself left out."""
    return [path for path in shown(name, files) if Path(path).is_relative_to(home) and path != str(files)]


@believed
def test_another_bots_folder_is_never_shown(home: Path, files: Path) -> None:
    rival = program(files.parent / "rival/bot")
    link(files / "link", rival)
    program(files / "script", f"#!{rival}")
    for name in ("../rival/bot", rival, "./link", "./script"):
        assert private(home, files, name) == []


@believed
def test_a_folder_of_the_users_is_never_shown(home: Path, files: Path) -> None:
    tool = program(home / "project/gradlew")
    link(files / "link", tool)
    program(files / "script", f"#!/usr/bin/env -S -u {tool} sh")
    for name in ("./link", "./script"):
        assert private(home, files, name) == []


@believed
def test_a_script_that_is_never_run_leads_nowhere(home: Path, files: Path) -> None:
    key = home / ".ssh/id"
    key.parent.mkdir()
    key.write_text("secret")
    link(files / "link", key)
    program(files / "tool", f"#!{key}")
    program(files / "script", f"#!/usr/bin/env -S -u {files}/tool sh")
    for name in ("./link", "./tool", "./script"):
        assert private(home, files, name) == []
