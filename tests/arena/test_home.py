"""The lock of a tournament: one process runs it, anybody may ask."""

from __future__ import annotations

import fcntl
from pathlib import Path

import pytest

from arena.errors import Busy
from arena.home import Home


def test_one_that_asks_at_this_instant_does_not_keep_a_run_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home(tmp_path)
    asking = (home.folder("locks") / "cup.lock").open("a+")
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
