# expect: protocol_error/not_json
"""Moves twice on one line."""

import json

from tests.bad_bots.bare import follow, hello, move, say

say(hello())
follow(lambda heard: say(2 * json.dumps(move(heard)).encode()))
