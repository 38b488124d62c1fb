# expect: sandbox_violation or nothing
# in none: nothing
"""Calls the kernel by another way than its own, round filters that know only one: x32, or that of i386."""

import ctypes
import mmap
import platform
import sys

from tests.bad_bots.bare import follow, hello, move, say

X32 = 0x40000000
GETPID = b"\xb8\x14\x00\x00\x00\xcd\x80\xc3"
"""mov eax, 20; int 0x80; ret"""


def i386():
    code = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(GETPID)
    ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()


def x32():
    ctypes.CDLL(None).syscall(X32 + 39)


def answer(heard):
    if heard["turn"] == 2 and platform.machine() == "x86_64":
        {"x32": x32, "i386": i386}[sys.argv[1]]()
    say(move(heard))


say(hello())
follow(answer)
