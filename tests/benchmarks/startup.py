"""(f) How long one waits: for the command's help, for the first move of a tournament, for its first result."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median
from time import monotonic

from tests.benchmarks.harness import Bar, Case, Figures, Row, Session
from tests.benchmarks.report import Part
from tests.benchmarks.stage import VARIANT

ARENA = Path(sys.executable).with_name("arena")
TIMES = 5
BOT = """
import sys
import time

from protocol.client import Bot, run


class First(Bot):
    told = False

    def choose(self, turn):
        if not self.told:
            print(time.monotonic(), file=sys.stderr, flush=True)
            self.told = True
        return self.rng.choice(turn["legal"])


run(First())
"""
"""Notes when it is asked for the first time, on the clock of the whole machine."""
ABOUT = """
On the clock, from the start of the command, its files in the machine's memory. *First*: `arena run FILE --events -` of a
tournament of two Python bots that were taken in before, kept apart (`default`): until one of them is asked for its first
move (it notes the time), and until the command says that a game is kept. In that time every bot is started twice: to see
whether it starts at all, and to play.
"""


def part(folder: Path) -> Part:
    """With bots and a home of their own in `folder`."""
    cases = [Case("help", _help), Case("first", partial(_first, folder, count()))]
    return Part("(f) Start-up", ABOUT, cases, _rows)


def _help() -> Figures:
    times = []
    for _ in range(TIMES):
        began = monotonic()
        subprocess.run([ARENA, "--help"], check=True, capture_output=True)
        times.append(monotonic() - began)
    return {"ms": median(times) * 1e3}


def _first(folder: Path, numbers: count[int]) -> Figures:
    number = next(numbers)
    if not number:
        _prepare(folder)
        _first(folder, numbers)  # what is only done once is not counted
    name = f"first{number}"
    file = folder / f"{name}.toml"
    file.write_text(f'bots = ["one.py", "two.py"]\nvariants = ["{VARIANT}"]\ndeals = 1\n')
    command = [str(ARENA), "--home", str(folder / "home"), "run", str(file), "--events", "-"]
    began = monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        kept = next(monotonic() for line in process.stdout if json.loads(line)["event"] == "games_kept")
        process.stdout.read()
    logs = (folder / "home/logs" / name).glob("*.log")
    asked = min(float(log.read_text().split()[0]) for log in logs)
    return {"move ms": (asked - began) * 1e3, "result ms": (kept - began) * 1e3}


def _prepare(folder: Path) -> None:
    folder.mkdir()
    for name in ("one.py", "two.py"):
        (folder / name).write_text(f"# {name}{BOT}")


def _rows(session: Session) -> list[Row]:
    return [
        session.row("help_ms", "help ms", "ms: `arena --help`", Bar(150)),
        session.row("first_move_ms", "first move ms", "ms to a tournament's first move"),
        session.row("first_result_ms", "first result ms", "ms to its first result"),
    ]
