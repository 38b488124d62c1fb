"""The home folder: who may read it; the lock of a tournament: one process runs it, anybody may ask."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
from contextlib import closing
from pathlib import Path

import pytest

from arena.errors import Busy, StorageError
from arena.home import Home
from arena.ledger import Ledger
from arena.reading import leaderboard, opened, status
from tests.arena.made import SEED, tournament


def test_one_that_asks_at_this_instant_does_not_keep_a_run_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home(tmp_path)
    with home.lock("cup"):
        pass
    (file,) = home.path.glob("*locks/cup*.lock")
    asking = file.open("a+")
    fcntl.flock(asking, fcntl.LOCK_SH)
    monkeypatch.setattr("arena.home.sleep", lambda seconds: asking.close())
    with home.lock("cup"):
        assert asking.closed and home.held("cup")
    assert not home.held("cup")


def test_a_second_run_is_kept_away(tmp_path: Path) -> None:
    home = Home(tmp_path)
    with home.lock("cup"), pytest.raises(Busy), home.lock("cup"):
        pass
    with home.lock("cup"):
        assert home.held("cup")


def test_other_users_may_read_nothing_of_a_new_home(tmp_path: Path) -> None:
    Home(tmp_path / "a" / "home").folder("bots")
    (tmp_path / "given").mkdir(mode=0o755)
    Home(tmp_path / "given").folder("bots")
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("a/home", "given")]
    assert modes == [0o700, 0o755]


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for temporary files of its own."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    return tmp_path / "tmp"


def run_folder(home: Home) -> Path:
    with home.lock("cup") as folder:
        return folder


def test_each_run_of_a_tournament_has_one_folder_which_is_empty(tmp_path: Path, temporary: Path) -> None:
    home = Home(tmp_path / "home")
    folder = run_folder(home)
    (folder / "left" / "by a dead run").mkdir(parents=True)
    with home.lock("cup") as again:
        assert again == folder and not again.exists()
    assert run_folder(Home(tmp_path / "other")) != folder and list(temporary.iterdir()) == []


def test_a_home_that_was_copied_shares_no_folder(tmp_path: Path, temporary: Path) -> None:
    folder = run_folder(Home(tmp_path / "home"))
    shutil.copytree(tmp_path / "home", tmp_path / "copy")
    assert run_folder(Home(tmp_path / "copy")) != folder


def taken_by_another(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir()
    if os.getuid() == 0:
        os.chown(folder, 12345, -1)
    else:  # who may not give a folder away is another user for an instant
        user = os.getuid()
        monkeypatch.setattr(os, "getuid", lambda: user + 1)


@pytest.mark.parametrize("what", ["folder", "link", "file"])
def test_a_folder_that_another_user_has_taken_blocks_nobody(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    home = Home(tmp_path / "home")
    folder = run_folder(home)
    if what == "folder":
        taken_by_another(folder, monkeypatch)
    elif what == "link":
        (tmp_path / "elsewhere").mkdir()
        (tmp_path / "elsewhere" / "file").touch()
        folder.symlink_to(tmp_path / "elsewhere")
    else:
        folder.touch()
    other = run_folder(home)
    assert other != folder and run_folder(home) == other
    assert what != "link" or (tmp_path / "elsewhere" / "file").exists()


def test_who_knows_the_home_cannot_know_the_folder(tmp_path: Path, temporary: Path) -> None:
    home = Home(tmp_path / "home")
    folder = run_folder(home)
    shutil.rmtree(home.path)
    assert run_folder(home) != folder


def read_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a home is on a read-only disk: these tests may be root's, who may all."""
    monkeypatch.setattr(os, "access", lambda path, mode: not mode & os.W_OK)


@pytest.mark.file
def test_a_home_that_is_read_only_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home(tmp_path / "a home?")
    tournament(home)
    before = sorted(home.path.iterdir())
    table = leaderboard("cup", home=home)
    read_only(monkeypatch)
    assert leaderboard("cup", home=home) == table and status("cup", home).over == 4
    assert sorted(home.path.iterdir()) == before
    with closing(Ledger(home.ledger)) as ledger, pytest.raises(StorageError, match="readonly"):
        ledger.take_up("cup")


def test_a_home_that_is_read_only_shows_what_another_writes_just_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home(tmp_path)
    tournament(home)
    with closing(Ledger(home.ledger)) as writer:
        writer.begin("second", SEED, {}, [])
        read_only(monkeypatch)
        with opened(home) as ledger:
            assert ledger.names() == ["cup", "second"]
