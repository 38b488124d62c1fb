# expect: no_start/no_hello
# over stdio: protocol_error/flood
"""Says anything but hello, without an end."""

from tests.bad_bots.bare import say

while True:
    say(b"hello? " * 100)
