# expect: protocol_error/duplicate_key
"""Says a key twice."""

import json

from tests.bad_bots.bare import follow, hello, move, say

say(hello())
follow(lambda heard: say(json.dumps(move(heard)).encode().replace(b'"action"', b'"action": "K1", "action"')))
