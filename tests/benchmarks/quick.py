"""`make bench-quick`: the ratios that need no peers, in under 40 seconds. The last line is a JSON object.

A worker pins itself and its bots to one core, as in every run; the runner, which writes the ledger, has the rest.
The floor and its peers are pinned to one core.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.harness import Bar, Case, Figures, Row, Session, as_json, measure, pinned, table
from tests.benchmarks.stage import DISK, Stage
from tests.benchmarks.wire import capture, echo, parts

SECONDS = 34.0
"""For all rounds; what comes before them takes the rest."""
PARTS = {
    "match": "a match in memory (with the next three)",
    "engine": "rules",
    "view": "views",
    "legal text": "legal actions as text",
    "encode": "encoding of turns",
    "decode": "decoding of moves",
    "record": "record, hashed and packed",
}
at_least = partial(Bar, at_least=True)


def on_one_core(case: Case) -> Figures:
    """`case`, all of whose processes share a core."""
    with pinned(0):
        return case()


@contextmanager
def cases() -> Iterator[list[Case]]:
    """What a round consists of."""
    game = capture()
    middle = [game.turns[len(game.turns) // 2 + seat] for seat in (0, 1)]
    DISK.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=DISK) as folder:
        # The floor has no sandbox, nor has what is held against it; what one costs is a row of its own.
        stage, apart = Stage(Path(folder, "none"), "none"), Stage(Path(folder, "default"), "default")
        cpp, python = stage.pair("cpp"), stage.pair("python/random")
        caged = apart.pair("cpp")
        stage.unkept("built", cpp, 1, 1)
        apart.unkept("built", caged, 1, 1)
        yield [
            partial(stage.kept, "whole", cpp, 200, 1),
            partial(apart.kept, "whole, kept apart", caged, 200, 1),
            partial(on_one_core, partial(echo, "echo", game.turns)),
            partial(on_one_core, partial(echo, "echo of the middle", middle * 13)),
            partial(on_one_core, partial(parts, game)),
            partial(stage.kept, "two", cpp, 80, 2),
            partial(stage.unkept, "two, unkept", cpp, 80, 2),
            partial(stage.unkept, "one, unkept", cpp, 50, 1),
            partial(stage.kept, "python", python, 30, 2),
        ]


def rows(session: Session) -> list[Row]:
    """What is reported."""
    row, ratio = session.row, session.ratio
    return [
        ratio("whole_per_echo", "whole µs", "echo µs", "whole referee / pyzmq echo, each pinned", Bar(1.8)),
        ratio("apart_per_echo", "whole, kept apart µs", "echo µs", "the same, bots in `default` / echo"),
        ratio("whole_per_echo_cpu", "whole CPU µs", "echo CPU µs", "whole / echo in CPU time"),
        row(
            "whole_us",
            "whole µs",
            "µs a move: whole referee with record and ledger, C++ bots, one pinned worker",
        ),
        row("whole_cpu_us", "whole CPU µs", "its CPU time"),
        row("echo_us", "echo µs", "µs an exchange: pyzmq echo of a game's turns and moves, pinned"),
        row("echo_middle_us", "echo of the middle µs", "the same with the turns of the game's middle"),
        row("echo_cpu_us", "echo CPU µs", "CPU time of the echo"),
        *(
            row(f"part_{part.replace(' ', '_')}_us", f"{part} µs", f"µs of CPU a move: {what}")
            for part, what in PARTS.items()
        ),
        row("two_games", "two games/s", "games/s: a tournament of C++ bots, 2 workers"),
        row("two_moves", "two moves/s", "moves/s of it"),
        row("python_games", "python games/s", "games/s: a tournament of Python bots, 2 workers"),
        row("python_moves", "python moves/s", "moves/s of it"),
        ratio("storage", "two games/s", "two, unkept games/s", "ledger on / off, 2 workers", at_least(0.7)),
        ratio("workers", "two, unkept games/s", "one, unkept games/s", "2 workers / 1", at_least(1.85)),
    ]


def main() -> int:
    """Measure and report; 1 where a figure misses its bar."""
    with cases() as all_cases:
        session = measure(all_cases, SECONDS)
    found = rows(session)
    print(session.said, table(found), as_json(found), sep="\n\n")
    return int(any(row.status == "FAIL" for row in found))


if __name__ == "__main__":
    sys.exit(main())
