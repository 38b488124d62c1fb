# expect: no_start/no_hello
"""Starts and says nothing."""

import time

time.sleep(3600)
