# expect: nothing
"""Does not take note of the end of a game: no fault of that game."""

from tests.bad_bots.bare import hear, hello, move, ready, say

say(hello())
while (heard := hear())["type"] != "bye":
    if heard["type"] == "turn":
        say(move(heard))
    elif heard["type"] == "start":
        say(ready(heard))
