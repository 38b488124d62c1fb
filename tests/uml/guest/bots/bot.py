"""A bot that needs no kit, so that it starts quickly; from its second turn on it is as its argument says."""

import json
import os
import signal
import sys
from typing import Any

MIB = b"x" * (1 << 20)


def hog() -> None:
    """Takes more and more memory, by children and by files of memory."""
    os.fork()
    file = os.memfd_create("hog")
    held = []
    while True:
        os.write(file, MIB)
        held.append(MIB + b"")


def bomb() -> None:
    """Forks until it may no more, each child in a session of its own, and fails."""
    while True:
        if os.fork() == 0:
            os.setsid()
            signal.pause()


def honest() -> None:
    """Just plays."""


def say(kind: str, **more: Any) -> None:
    print(json.dumps({"type": kind} | more), flush=True)


def main() -> None:
    say("hello", protocol=[1], token=os.environ["ARENA_TOKEN"])
    while (heard := json.loads(input()))["type"] != "bye":
        if heard["type"] != "turn":
            say("ready", game_id=heard["game_id"])
            continue
        if heard["turn"] > 1:
            {"hog": hog, "bomb": bomb, "honest": honest}[sys.argv[1]]()
        say("move", game_id=heard["game_id"], turn=heard["turn"], action=heard["legal"][0])


if __name__ == "__main__":
    main()
