# expect: nothing
"""Ends its lines as Windows does."""

from tests.bad_bots.bare import hear, hello, move, ready, say

said = hello()
while True:
    say(said, end=b"\r\n")
    heard = hear()
    if heard["type"] == "bye":
        break
    said = move(heard) if heard["type"] == "turn" else ready(heard)
