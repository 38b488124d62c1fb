"""A file that is there whole or not at all: the one way in which one is written that a person asked for."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from stat import S_IMODE, S_ISREG


def replace(path: Path, chunks: Iterable[bytes], durable: bool = True) -> None:
    """Write these to `path`, safe on the disk once this returns, unless it need not be `durable`.

    Raises OSError; then, and where `chunks` raises, what was there is as it was. Who may read it stays as it is. What
    is no file (a pipe, /dev/stdout) is written to as it stands, a link leads to what is written.
    """
    place = path.resolve()
    mode = place.stat().st_mode if place.exists() else None
    if mode is not None and not S_ISREG(mode):
        with place.open("wb") as special:
            special.writelines(chunks)
        return
    beside = place.with_name(f".new-{token_hex(8)}")
    try:
        with beside.open("xb") as file:
            if mode is not None:
                os.fchmod(file.fileno(), S_IMODE(mode))
            file.writelines(chunks)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        beside.replace(place)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
    if durable:
        _sync(place.parent)


def _sync(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
