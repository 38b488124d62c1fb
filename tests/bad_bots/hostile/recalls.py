# expect: nothing
# in none: crash/exit 7
# leaves in none: files and memory outside its folder
"""Leaves a mark everywhere, for its next process; exit 7 where that finds one."""

import ctypes
import os
import sys
from contextlib import suppress
from pathlib import Path

from tests.bad_bots.bare import follow, hello, move, say

KEY = int(os.environ["HOSTILE_KEY"]) + 2
shmget = ctypes.CDLL(None).shmget


def recall():
    """Where the process before has left a mark; leaves one there."""
    folders = {"/tmp", "/var/tmp", "/dev/shm", os.environ["HOME"], os.environ["TMPDIR"], "."}
    marks = [Path(folder, os.environ["HOSTILE_TAG"] + "-recall") for folder in folders]
    found = [str(mark) for mark in marks if mark.exists()]
    for mark in marks:
        with suppress(OSError):
            mark.write_text("here I was")
    if shmget(KEY, 4096, 0) >= 0:
        found.append("SysV")
    shmget(KEY, 4096, 0o1666)
    return found


def answer(heard):
    if found:
        os._exit(7)
    say(move(heard))


found = recall()
print("recalls", found, file=sys.stderr, flush=True)
say(hello())
follow(answer)
