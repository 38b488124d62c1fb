# expect: nothing
# leaves in none: files and memory outside its folder
"""Plays well, and leaves a file in each public folder, shared memory, sockets, a deep folder and a daemon."""

import ctypes
import os
import socket
import time
from contextlib import suppress
from pathlib import Path

from tests.bad_bots.bare import follow, hello, move, say

TAG = os.environ["HOSTILE_TAG"]


def litter():
    for folder in ("/tmp", "/var/tmp", "/dev/shm", os.environ["HOME"], "."):
        with suppress(OSError):
            Path(folder, f"{TAG}-litter").write_text("x")
        with suppress(OSError):
            socket.socket(socket.AF_UNIX).bind(f"{folder}/{TAG}-s")
    with suppress(OSError):
        socket.socket(socket.AF_UNIX).bind(f"\0{TAG}")
    ctypes.CDLL(None).shmget(int(os.environ["HOSTILE_KEY"]) + 1, 4096, 0o1666)
    deep = Path(os.environ["HOME"])
    for _ in range(40):
        deep /= "d" * 40
        with suppress(OSError):
            deep.mkdir()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(3600)
        os._exit(0)


litter()
say(hello())
follow(lambda heard: say(move(heard)))
