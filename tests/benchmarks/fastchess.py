"""fastchess, where FASTCHESS names a binary of it: what it takes a ply, with engines that answer at once.

Each game is the same 200 plies (`programs/uci.c`). It looks only once a second whether all is over, so time is taken
from when it reports games as finished: from the first to the last.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from tests.benchmarks.harness import Figures, NotMeasured
from tests.benchmarks.programs import built

MOVES = 100
"""Of each side, in a game that is then stopped as drawn."""
GAMES = 40


def plies(concurrency: int) -> Figures:
    """Microseconds a ply on the clock, and plies a second. Raises NotMeasured where there is none."""
    named = os.environ.get("FASTCHESS")
    if not named:
        raise NotMeasured("FASTCHESS names no binary")
    program = Path(named).resolve()
    if not os.access(program, os.X_OK):
        raise NotMeasured(f"there is no such program: FASTCHESS={named}")
    with TemporaryDirectory() as folder:
        command = [*_command(program, concurrency), "-pgnout", f"file={folder}/games.pgn"]
        with subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as process:
            assert process.stdout is not None
            ended = [monotonic() for line in process.stdout if line.startswith("Finished game")]
    if process.returncode or len(ended) != GAMES:
        raise NotMeasured(f"fastchess ended with {process.returncode} after {len(ended)} of {GAMES} games")
    each = (ended[-1] - ended[0]) / (GAMES - 1) / (2 * MOVES)
    return {"µs": each * 1e6, "plies/s": 1 / each}


def _command(program: Path, concurrency: int) -> list[str]:
    engines = [word for name in "ab" for word in ("-engine", f"cmd={built('uci')}", f"name={name}")]
    return [
        str(program), *engines, "-each", "proto=uci", "tc=60+1", "-rounds", str(GAMES // 2), "-games", "2",
        "-maxmoves", str(MOVES), "-concurrency", str(concurrency),
    ]  # fmt: skip
