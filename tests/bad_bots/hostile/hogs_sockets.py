# expect: resource_memory or nothing
# in none: crash/exit 7
# without memory-cgroup: crash/exit 7 or nothing
"""Has 384 MiB wait in sockets, memory of the kernel and of no process; exit 7 where it got them."""

import os
import socket
import time

from tests.bad_bots.bare import follow, hello, move, say

PIECE = bytes(128 << 10)
"""What a socket holds for one that does not read."""
PIECES = (384 << 20) // len(PIECE)
held = []


def pair():
    """Where no more can be open, a child goes on holding what there is."""
    try:
        return socket.socketpair()
    except OSError:
        if os.fork() == 0:
            time.sleep(3600)
        held.clear()
        return socket.socketpair()


def fill():
    for _ in range(PIECES):
        held.append(pair())
        held[-1][0].setblocking(False)
        if held[-1][0].send(PIECE) < len(PIECE):
            raise BlockingIOError


def answer(heard):
    if heard["turn"] == 2:
        try:
            fill()
            time.sleep(0.3)
            os._exit(7)
        except OSError:
            held.clear()
    say(move(heard))


say(hello())
follow(answer)
