"""What a bot leaves behind: its folder, which is removed, and its log, which is kept within its bounds."""
# pathlib would add milliseconds:
# ruff: noqa: PTH101, PTH104, PTH106, PTH108, PTH118, PTH120, PTH123

from __future__ import annotations

import os
from contextlib import suppress


def remove_folder(folder: bytes) -> None:
    """Remove `folder` with all in it, whatever its modes and depth, and its parent where that is empty.

    What the system refuses to remove stays. Follows no link.
    """
    pending = [folder]
    while pending:
        path = pending.pop()
        with suppress(OSError):
            os.chmod(path, 0o700)
            for entry in list(os.scandir(path)):
                with suppress(OSError):
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(_lift(entry.path, folder))
                    else:
                        os.unlink(entry.path)
            os.rmdir(path)
    for path in (folder, os.path.dirname(folder)):
        with suppress(OSError):
            os.rmdir(path)


def remove_alone(folder: bytes) -> None:
    """Remove `folder` with all in it, but never its parent."""
    with suppress(OSError):
        for entry in list(os.scandir(folder)):
            if entry.is_dir(follow_symlinks=False):
                remove_folder(entry.path)
            else:
                os.unlink(entry.path)
        os.rmdir(folder)


def _lift(path: bytes, folder: bytes) -> bytes:
    """Move a folder to right below `folder`, so that no nest is too deep for the length of a path."""
    os.chmod(path, 0o700)
    lifted = os.path.join(folder, os.urandom(16).hex().encode())
    os.rename(path, lifted)
    return lifted


class Log:
    """The first and the last part of what a bot wrote, in one file of bounded size; bounded in memory.

    The first half of the cap is written as it comes, the rest on `close`. No file before the first byte.
    A log that can't be written is lost, and the bot plays on: a full disk is not its fault.
    """

    MARK = b"\n[... %d bytes left out ...]\n"

    def __init__(self, path: bytes, cap: int) -> None:
        self._path = path
        self._first = cap // 2
        self._last = cap - cap // 2 - len(self.MARK) - 20
        self._tail = bytearray()
        self._left_out = 0
        self.written = 0
        """Bytes in the file."""
        with suppress(OSError):  # of another process that had that name
            os.unlink(path)

    def write(self, data: bytes) -> None:
        """Take in what the bot wrote."""
        room = max(0, self._first - self.written)
        if data[:room]:
            self._append(data[:room])
        self._tail += data[room:]
        over = max(0, len(self._tail) - self._last)
        del self._tail[:over]
        self._left_out += over

    def close(self) -> None:
        """Write the last part, after a line that says how many bytes are missing before it."""
        if self._left_out:
            self._append(self.MARK % self._left_out)
        if self._tail:
            self._append(self._tail)

    def _append(self, data: bytes | bytearray) -> None:
        with suppress(OSError), open(self._path, "ab" if self.written else "wb") as file:
            file.write(data)
        self.written += len(data)
