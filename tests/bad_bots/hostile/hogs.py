# expect: resource_memory or nothing
# in none: crash/exit 7
"""Takes 384 MiB in the way that its argument says; exit 7 where it got them."""

import mmap
import os
import socket
import sys
import time
from pathlib import Path

from tests.bad_bots.bare import follow, hello, move, say

MIB = 1 << 20
PIECE = b"x" * (8 * MIB)
BUFFER = 128 << 10
"""Bytes that a socket holds for one that does not read."""
OPEN = 400
"""Descriptors that a process may have, or less."""
held, held_sockets = [], []


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


def sockets():
    """What waits in a socket is the kernel's, and no process's."""
    for _ in range(len(PIECE) // BUFFER):
        pair = socket.socketpair()
        pair[0].setblocking(False)
        if pair[0].send(PIECE[:BUFFER]) < BUFFER:
            raise MemoryError
        held_sockets.extend(pair)
        if len(held_sockets) >= OPEN and os.fork() == 0:
            time.sleep(3600)
        if len(held_sockets) >= OPEN:
            while held_sockets:
                held_sockets.pop().close()
    held.append(None)


def answer(heard):
    if heard["turn"] == 2:
        try:
            while len(held) * len(PIECE) < 384 * MIB:
                {f.__name__: f for f in (anonymous, shared, memfd, file, children, sockets)}[sys.argv[1]]()
            time.sleep(0.3)
            os._exit(7)
        except (OSError, MemoryError):
            held.clear()
    say(move(heard))


say(hello())
follow(answer)
