# expect: protocol_error/int_range
"""A number of 5,000 digits."""

import json

from tests.bad_bots.bare import follow, hello, move, say


def answer(heard):
    said = json.dumps(move(heard) | {"turn": 0}).encode()
    say(said.replace(b'"turn": 0', b'"turn": ' + b"9" * 5000))


say(hello())
follow(answer)
