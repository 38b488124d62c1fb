"""(a) What a move costs: over ZeroMQ and over lines, in every mode, with 1 to 16 matches in flight."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from tests.benchmarks.build import ran
from tests.benchmarks.echoes import PYZMQ, echo, pipe_floor
from tests.benchmarks.flights import flight
from tests.benchmarks.harness import Bar, Case, Figures, Row, Session
from tests.benchmarks.report import Grid, Part
from tests.benchmarks.stage import Stages
from tests.benchmarks.wire import Captured

TRANSPORTS = {"ipc": "ZeroMQ", "stdio": "stdio"}
MODES = ("none", "default", "strict")
MATCHES = (1, 2, 4, 8, 16)
FORMS = ("plain", "compiled")
WHOLE = (("none", "stdio"), ("default", "stdio"), ("none", "ipc"), ("default", "ipc"))
"""Whole tournaments on one core; a quick run has the first three."""
PARTS = {
    "match": "a match in memory (with the next three)",
    "engine": "rules",
    "view": "views",
    "legal text": "legal actions as text",
    "encode": "encoding of turns",
    "decode": "decoding of moves",
    "record": "record, hashed and packed",
}
ABOUT = """
The referee is the compiled one, as wheels have it, but where it says *plain*: as a checkout has it.
*Whole* is a tournament with runner, worker, ledger and records. Where it says *one core*, all of them and the bots share
one, as do both sides of each floor; else the worker has a core with its bots, and the runner the other. The bots are
a C program that takes a legal action at random and thinks of nothing else (`programs/bot.c`, for ZeroMQ with a stock
libzmq REQ socket), the kit's C++ bot, or the Python kit's.

The *pipe floor* is two C programs that send each other the very bytes of a game's turns and moves. The *bare echo* is
the same bytes between what the referee has on its side (a pyzmq ROUTER, or pipes and a poll, in Python) and C
programs that answer at once; the *pyzmq echo* has pyzmq on both sides. *In flight*: a worker alone is handed so many
matches at once, which take turns, a game at a time; records are dropped. The referee's CPU is that of the worker, the
spawner and the keepers. The parts are measured hot and alone, so they are faster there than between two processes.
"""


def part(stages: Stages, game: Captured, quick: bool = False) -> Part:
    """All of it, or what `make bench-quick` has time for."""
    cases = [*_whole(stages, quick), *_floors(game)]
    if not quick:
        cases += [*_flights(stages, game), *_pythons(stages), *_parts()]
    return Part("(a) The referee at the wire", ABOUT, cases, _rows, _grids)


def _whole(stages: Stages, quick: bool) -> Iterator[Case]:
    deals = 70 if quick else 160
    for mode, kind in WHOLE[: 3 if quick else None]:
        stage = stages[mode]
        yield Case(f"whole {kind} {mode}", partial(stage.kept, stage.trivial(kind), deals), pinned=True)
    stage = stages["plain"]
    yield Case("plain whole stdio", partial(stage.kept, stage.trivial("stdio"), deals), pinned=True)
    if not quick:
        yield Case("plain whole ipc", partial(stage.kept, stage.trivial("ipc"), deals), pinned=True)
        stage = stages["none"]
        yield Case("kit", partial(stage.kept, stage.pair("cpp"), deals))
        yield Case("spread", partial(stage.kept, stage.trivial("stdio"), deals))


def _floors(game: Captured) -> list[Case]:
    return [pipe_floor("pipes", game.turns), echo("pyzmq", game.turns, "ipc", peer=PYZMQ)]


def _flights(stages: Stages, game: Captured) -> Iterator[Case]:
    for kind in TRANSPORTS:
        for matches in MATCHES:
            yield echo(f"{kind} echo {matches}", game.turns, kind, matches)
            for mode in MODES:
                stage = stages[mode]
                aloft: Callable[[], Figures] = partial(flight, stage, stage.trivial(kind), matches)
                yield Case(f"{kind} {mode} {matches}", aloft)


def _pythons(stages: Stages) -> Iterator[Case]:
    for name, kind in (("python", "none"), ("plain python", "plain")):
        stage = stages[kind]
        yield Case(name, partial(flight, stage, stage.pair("python/random"), 1, 60))


def _parts() -> Iterator[Case]:
    for form in FORMS:
        yield Case(f"{form} part", partial(ran, "tests.benchmarks.wire", form == "compiled"))


def _rows(session: Session) -> list[Row]:
    row, ratio = session.row, session.ratio
    return [
        ratio("stdio_per_floor", "whole stdio none µs", "pipes µs", "whole referee, stdio, C bots / C-to-C pipe floor, each on one core", Bar(6)),
        ratio("stdio_plain_per_floor", "plain whole stdio µs", "pipes µs", "the same, plain"),
        ratio("isolation_stdio", "whole stdio default µs", "whole stdio none µs", "isolation `default` / `none`, µs a move, stdio", Bar(1.5)),
        ratio("isolation_ipc", "whole ipc default µs", "whole ipc none µs", "the same over ZeroMQ", Bar(1.5)),
        ratio("python_referee", "python referee CPU µs", "python bots CPU µs", "referee's CPU a move with Python bots / the bots'", Bar(1)),
        ratio("python_plain_referee", "plain python referee CPU µs", "plain python bots CPU µs", "the same, plain"),
        ratio("whole_per_echo", "kit µs", "pyzmq µs", "whole referee, ZeroMQ, the kit's C++ bots / pyzmq echo", Bar(1.8)),
        ratio("ipc_whole_per_echo", "whole ipc none µs", "pyzmq µs", "whole referee, ZeroMQ, C bots / pyzmq echo, each on one core"),
        ratio("ipc_per_echo", "ipc none 1 µs", "ipc echo 1 µs", "worker alone, ZeroMQ / its bare echo"),
        ratio("stdio_per_echo", "stdio none 1 µs", "stdio echo 1 µs", "worker alone, stdio / its bare echo"),
        row("stdio_us", "whole stdio none µs", "µs a move: whole, stdio, C bots, one core"),
        row("stdio_plain_us", "plain whole stdio µs", "µs a move: the same, plain"),
        row("stdio_cpu_us", "whole stdio none CPU µs", "CPU time of it, compiled"),
        row("stdio_spread_us", "spread µs", "µs a move: the same, the runner on the other core"),
        row("stdio_default_us", "whole stdio default µs", "µs a move: the same on one core, bots in `default`"),
        row("ipc_us", "whole ipc none µs", "µs a move: whole, ZeroMQ, C bots with libzmq, one core"),
        row("ipc_plain_us", "plain whole ipc µs", "µs a move: the same, plain"),
        row("ipc_default_us", "whole ipc default µs", "µs a move: the same, compiled, bots in `default`"),
        row("whole_us", "kit µs", "µs a move: whole, ZeroMQ, the kit's C++ bots, the runner on the other core"),
        row("whole_cpu_us", "kit CPU µs", "its CPU time"),
        row("python_referee_us", "python referee CPU µs", "µs of the referee's CPU a move with Python bots"),
        row("python_bots_us", "python bots CPU µs", "µs of those bots' CPU a move"),
        row("pipe_floor_us", "pipes µs", "µs an exchange: C-to-C pipe floor"),
        row("echo_us", "pyzmq µs", "µs an exchange: pyzmq echo"),
        row("echo_cpu_us", "pyzmq CPU µs", "its CPU time"),
    ]  # fmt: skip


def _grids(session: Session) -> list[Grid]:
    columns = [f"{matches} in flight" for matches in MATCHES]
    units = {
        "µs": "µs a move on the clock",
        "referee CPU µs": "µs of the referee's CPU a move",
        "bots CPU µs": "µs of the bots' CPU a move",
    }

    def line(kind: str, mode: str, unit: str) -> list[Row]:
        return [
            session.row(
                f"{kind}_{mode}_{matches}_{unit.split()[0].replace('µs', 'wall')}",
                f"{kind} {mode} {matches} {unit}",
                f"{units[unit]}, {kind}, {mode}, {matches} in flight",
            )
            for matches in MATCHES
        ]

    def split(name: str) -> list[Row]:
        key = f"part_{name.replace(' ', '_')}_us"
        return [
            session.row(f"{key}_{form}", f"{form} part {name} µs", f"{PARTS[name]}, {form}") for form in FORMS
        ]

    names = {"echo": "bare echo"} | {mode: f"`{mode}`" for mode in MODES}
    return [
        Grid(
            what,
            columns,
            [
                (f"{TRANSPORTS[kind]}, {name}", line(kind, mode, unit))
                for kind in TRANSPORTS
                for mode, name in names.items()
            ],
        )
        for unit, what in units.items()
    ] + [Grid("µs of CPU a move", list(FORMS), [(what, split(name)) for name, what in PARTS.items()])]
