# expect: sandbox_violation or nothing
# in none: nothing
"""Calls the kernel by another way than its own, round filters that know only one."""

import ctypes
import platform

from tests.bad_bots.bare import follow, hello, move, say

X32 = 0x40000000


def answer(heard):
    if heard["turn"] == 2 and platform.machine() == "x86_64":
        ctypes.CDLL(None).syscall(X32 + 39)
    say(move(heard))


say(hello())
follow(answer)
