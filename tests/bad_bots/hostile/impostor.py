# expect: nothing
# transports: ipc
"""Plays well, and speaks for every other bot whose endpoint it finds."""

import json
import re
from contextlib import suppress
from pathlib import Path

from tests.bad_bots.bare import follow, hello, move, say
from tests.bad_bots.hostile.raw import dial, frame, path


def endpoints():
    """Those of others, by the look of their folders and by what the kernel lists."""
    found = set(path().parent.parent.glob("*/s"))
    with suppress(OSError):
        found |= set(map(Path, re.findall(r"/\S+/s$", Path("/proc/net/unix").read_text(), re.MULTILINE)))
    return found - {path()}


def answer(heard):
    said = move(heard)
    for other in endpoints():
        with suppress(OSError):
            line = dial(other)
            line.sendall(b"".join(frame(json.dumps(words).encode()) for words in (hello(), said)))
            line.close()
    say(said)


say(hello())
follow(answer)
