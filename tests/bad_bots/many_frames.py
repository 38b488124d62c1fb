# expect: protocol_error/not_json
"""A message of many frames."""

from tests.bad_bots.bare import follow, hello, say, socket

say(hello())
follow(lambda heard: socket().send_multipart([b"a", b"b", b"c"]))
