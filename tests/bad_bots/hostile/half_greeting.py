# expect: no_start/no_hello
# transports: ipc tcp
"""Stops in the middle of the handshake, on forty connections."""

import time

from tests.bad_bots.hostile.raw import GREETING, dial

lines = [dial(greeting=GREETING[:20]) for _ in range(40)]
time.sleep(3600)
