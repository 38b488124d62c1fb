# expect: nothing
"""Prints what looks like a message, with no newline, in another encoding, by itself and by a child; the kit minds."""

import os
import sys

from protocol.client import Bot, run


class Prints(Bot):
    def choose(self, turn):
        print("{thinking", end=" ", flush=True)
        os.system("echo '{from a child'")
        return turn["legal"][0], "Trůn"


sys.stdout.reconfigure(encoding="iso-8859-2")
print("{hello", end=" ")
run(Prints())
