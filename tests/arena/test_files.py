"""Files that a person asked for: there whole or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from threading import Thread

import pytest

from arena import files
from arena.cli.output import write
from arena.errors import InputError


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(fd: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = tmp_path / "report.html"
    write(path, "old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="No space left") as caught:
        write(path, "new")
    assert caught.value.code == "E209"
    assert path.read_text() == "old" and [one.name for one in tmp_path.iterdir()] == ["report.html"]


def test_who_may_read_a_file_stays_as_it_is(tmp_path: Path) -> None:
    plain, kept = tmp_path / "plain", tmp_path / "kept"
    kept.write_bytes(b"old")
    kept.chmod(0o604)
    before = os.umask(0o027)
    try:
        files.replace(plain, [b"1"])
        files.replace(kept, [b"2"])
    finally:
        os.umask(before)
    assert [path.stat().st_mode & 0o777 for path in (plain, kept)] == [0o640, 0o604]
    files.replace(kept, [b"3"])
    assert kept.read_bytes() == b"3" and kept.stat().st_mode & 0o777 == 0o604


def test_a_link_leads_to_what_is_written(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    files.replace(tmp_path / "link", [b"new"])
    assert (tmp_path / "link").is_symlink() and (tmp_path / "real").read_bytes() == b"new"


def test_a_pipe_stays_a_pipe(tmp_path: Path) -> None:
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    files.replace(pipe, [b"all ", b"of it"])
    reader.join()
    assert read == [b"all of it"] and pipe.is_fifo()
