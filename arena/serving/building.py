"""The site of a tournament, as it is served: a program of its own, so that building keeps nobody waiting.

    KINGMAKER_LEDGER=… python -m arena.serving.building HOME TOURNAMENT FOLDER

The live page is in it, and no replay: each is made when it is asked for (`shown`), and so pages say that there is one
of every game that may be seen. An error is one line on stderr, and exit code 1.
"""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import replace
from itertools import chain
from pathlib import Path

from arena.errors import ArenaError
from arena.home import Home
from arena.publishing import publish
from arena.reading import begun, opened, ratable
from arena.serving import pages
from arena.site import Source
from leaderboards.site import build as building

NICE = 10
LIVE = "live.html"
"""The live page, which leads to the others."""


def build(home: Home, name: str, folder: Path) -> None:
    """Write the site of a tournament into a folder, in the place of an older one. Raises ArenaError."""
    with opened(home) as ledger, ratable():
        source = Source(ledger, begun(name, ledger))
        contest = source.contest(frozenset(source.shown(None)))
        contest = replace(contest, live=pages.LIVE)
        files = building.files(contest, building.meetings_of(contest))
        page = pages.live(building.site_of(contest), contest.slugs)
        publish(folder, chain(files, [(LIVE, page)]))


def main(home: str, name: str, folder: str) -> int:
    """The program; its exit code."""
    os.nice(NICE)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that what is half written is cleared
    try:
        build(Home.named(home), name, Path(folder))
    except ArenaError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
