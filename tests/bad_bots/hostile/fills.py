# expect: nothing
# in none: crash/exit 7
# without namespaces: nothing or crash/exit 7
"""Writes 96 MiB, in files of 8, to every folder that takes one; exit 7 where it got rid of them."""

import os
from contextlib import suppress
from itertools import cycle
from pathlib import Path

from tests.bad_bots.bare import follow, hello, move, say

TAG = os.environ["HOSTILE_TAG"]
PIECE = b"x" * (8 << 20)


def fill():
    """How many files were written whole."""
    folders = [os.environ["HOME"], Path.cwd()]
    written = 0
    for number, folder in zip(range(24), cycle(folders), strict=False):
        with suppress(OSError), Path(folder, f"{TAG}-fill{number}").open("wb", 0) as file:
            written += file.write(PIECE) == len(PIECE)
        if written == 12:
            break
    return written


def answer(heard):
    if heard["turn"] == 2 and fill() == 12:
        os._exit(7)
    say(move(heard))


say(hello())
follow(answer)
