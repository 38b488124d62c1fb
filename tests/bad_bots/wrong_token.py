# expect: no_start/no_hello
# over stdio: protocol_error/bad_token
# evidence over tcp: a hello with another token came and was cut off: is it the value of ARENA_TOKEN?
"""Says hello with a token of its own."""

import os

from protocol.client import Bot, run

os.environ["ARENA_TOKEN"] = "0" * 32
run(Bot())
