# expect: resource_memory or nothing
# in none: crash/exit 7
"""Takes 384 MiB in the way that its argument says; exit 7 where it got them."""

import mmap
import os
import sys
import time
from pathlib import Path

from tests.bad_bots.bare import follow, hello, move, say

MIB = 1 << 20
PIECE = b"x" * (8 * MIB)
held = []


def anonymous():
    held.append(bytearray(PIECE))


def shared():
    piece = mmap.mmap(-1, len(PIECE))
    piece[:] = PIECE
    held.append(piece)


def memfd():
    held.append(os.memfd_create("hog"))
    if os.write(held[-1], PIECE) < len(PIECE):
        raise MemoryError


def file():
    path = Path("/dev/shm", f"{os.environ['HOSTILE_TAG']}-hog{len(held)}")
    path.write_bytes(PIECE)
    held.append(os.open(path, os.O_RDONLY))
    path.unlink()


def children():
    """Each takes its part of the whole."""
    held.append(None)
    if os.fork() == 0:
        anonymous()
        time.sleep(3600)


def answer(heard):
    if heard["turn"] == 2:
        try:
            while len(held) * len(PIECE) < 384 * MIB:
                {f.__name__: f for f in (anonymous, shared, memfd, file, children)}[sys.argv[1]]()
            time.sleep(0.3)
            os._exit(7)
        except (OSError, MemoryError):
            held.clear()
    say(move(heard))


say(hello())
follow(answer)
