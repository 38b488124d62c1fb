"""Which folders of the machine bots are shown: enough to run, and nothing that is not for them."""

from __future__ import annotations

import marshal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.processes import Sandbox
from referee.processes.command import Command, order_of
from referee.processes.readable import SYSTEM, readable

Shown = Callable[[str | Path], set[str]]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home" / "user"
    home.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("KINGMAKER_READABLE", raising=False)
    return home


@pytest.fixture
def shown(home: Path, monkeypatch: pytest.MonkeyPatch) -> Shown:
    """What a PATH adds to what every bot is shown."""

    def look(path: str | Path) -> set[str]:
        monkeypatch.setenv("PATH", f"{path}:/usr/bin:/bin")
        whole = readable()
        assert whole[: len(SYSTEM)] == list(SYSTEM)
        return {found for found in whole if found.startswith(str(home.parents[1]))}

    return look


def program(path: Path, first: str = "#!/bin/sh") -> Path:
    """One that can be executed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(first + "\n")
    path.chmod(0o755)
    return path


def test_no_secret_of_the_system_is_shown(shown: Shown) -> None:
    assert shown("/usr/bin") == set()
    settings = [path for path in readable() if path.startswith("/etc")]
    secret = ("shadow", "passwd", "ssh", "ssl", "sudoers", "hosts", "resolv.conf", "machine-id")
    assert settings and not {f"/etc/{name}" for name in secret} & set(settings) and "/etc" not in settings


def test_this_interpreter_can_run_there(home: Path) -> None:
    real = Path(sys.executable).resolve()
    assert any(path == real or path in real.parents for path in map(Path, readable()))


def test_an_installation_is_shown_whole(shown: Shown, tmp_path: Path) -> None:
    program(tmp_path / "tools/node-20/bin/node")
    (tmp_path / "tools/node-20/lib").mkdir()
    assert shown(tmp_path / "tools/node-20/bin") == {f"{tmp_path}/tools/node-20"}


def test_links_are_followed_and_end(shown: Shown, tmp_path: Path) -> None:
    real = program(tmp_path / "java-21/bin/java")
    (tmp_path / "java-21/lib").mkdir()
    (tmp_path / "links").mkdir()
    (tmp_path / "links/java").symlink_to(real)
    (tmp_path / "links/ruby").symlink_to(tmp_path / "links/ruby")
    assert shown(tmp_path / "links") == {f"{tmp_path}/links", f"{tmp_path}/java-21"}


@pytest.mark.parametrize(
    ("where", "whole"),
    [
        (".pyenv/shims", ".pyenv"),
        (".nvm/versions/node/v20/bin", ".nvm"),
        (".local/share/mise/shims", ".local/share/mise"),
    ],
)
def test_a_version_manager_is_shown_whole(home: Path, shown: Shown, where: str, whole: str) -> None:
    program(home / where / "node")
    assert shown(home / where) == {str(home / whole)}


@pytest.mark.parametrize(
    ("where", "only"),
    [("bin", "bin"), (".local/bin", ".local/bin"), (".cargo/bin", ".cargo/bin"), ("", "node")],
)
def test_of_a_home_only_what_holds_programs(home: Path, shown: Shown, where: str, only: str) -> None:
    program(home / where / "node")
    assert shown(home / where) == {str(home / only)}


def test_a_folder_without_an_interpreter_is_not_shown(home: Path, shown: Shown) -> None:
    program(home / "bin/backup")
    assert shown(home / "bin") == set()


def test_the_operator_names_more(shown: Shown, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KINGMAKER_READABLE", f"{home}/lang:relative::{home}/more")
    assert shown("/usr/bin") == {f"{home}/lang", f"{home}/more"}


def test_nothing_that_a_bot_says_leads_anywhere(home: Path) -> None:
    """Neither its program, nor a link or a first line in it, nor its environment."""
    files, rival = home / "bots/ours", program(home / "bots/rival/node")
    program(files / "script", f"#!{rival}")
    (files / "link").symlink_to(rival)

    def seen(name: str | Path, path: str = "/bin") -> list[bytes]:
        box = Sandbox("default", ("landlock",))
        order = order_of(Command((str(name),), files, {"PATH": path}, files, files, sandbox=box))
        return list(marshal.loads(order)["cage"]["readable"])

    for name in ("../rival/node", rival, "./script", "./link"):
        assert seen(name) == seen("sh")
    assert seen("sh", str(rival.parent)) == seen("sh")


def test_a_folder_with_programs_and_other_things_is_not_shown_whole(shown: Shown, tmp_path: Path) -> None:
    program(tmp_path / "contest/bin/jq")
    assert shown(tmp_path / "contest/bin") == {f"{tmp_path}/contest/bin"}
