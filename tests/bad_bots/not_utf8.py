# expect: protocol_error/bad_utf8
"""Speaks Latin-1."""

import json

from tests.bad_bots.bare import follow, hello, move, say

say(hello())
follow(lambda heard: say(json.dumps(move(heard) | {"note": "Trůn"}, ensure_ascii=False).encode("iso-8859-2")))
