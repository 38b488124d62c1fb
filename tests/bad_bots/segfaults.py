# expect: crash/signal 11 (SIGSEGV)
"""Ends by a signal."""

import os
import signal

from protocol.client import Bot, run


class Faults(Bot):
    def choose(self, turn):
        os.kill(os.getpid(), signal.SIGSEGV)
        return ""


run(Faults())
