# expect: protocol_error/bad_utf8
# transports: ipc tcp
"""Speaks UTF-16."""

import json

from tests.bad_bots.bare import follow, hello, move, say

say(hello())
follow(lambda heard: say(json.dumps(move(heard)).encode("utf-16")))
