# expect: nothing or resource_pids
# in none: crash/exit 7
# without namespaces: nothing or crash/exit 7
"""Starts 1,000 threads; exit 7 where it got them."""

import os
import threading
import time

from tests.bad_bots.bare import follow, hello, move, say


def answer(heard):
    if heard["turn"] == 2:
        threading.stack_size(1 << 16)
        try:
            for _ in range(1000):
                threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
            os._exit(7)
        except (RuntimeError, MemoryError):
            pass
    say(move(heard))


say(hello())
follow(answer)
os._exit(0)
