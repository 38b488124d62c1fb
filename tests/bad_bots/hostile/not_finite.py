# expect: protocol_error/not_finite
"""Numbers that JSON does not have, or a float can't hold."""

import json

from tests.bad_bots.bare import follow, hello, move, say


def answer(heard):
    number = (b"NaN", b"1e999", b"-Infinity")[heard["turn"] % 3]
    say(json.dumps(move(heard) | {"turn": 0}).encode().replace(b'"turn": 0', b'"turn": ' + number))


say(hello())
follow(answer)
