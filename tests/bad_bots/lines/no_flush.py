# expect: no_start/no_hello
# evidence: did it forget to flush?
"""Leaves its hello in the buffer of its library, as print does."""

import json
import sys

from tests.bad_bots.bare import hello

print(json.dumps(hello()))
sys.stdin.readline()  # input() would flush
