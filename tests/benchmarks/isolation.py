"""What isolation costs: the start of a program, a move, a tournament; in `none`, in `default`, in `strict`.

    python tests/benchmarks/isolation.py

A start is all from the order to the news of the end, of a program that ends at once; the spawner is warm. Beside
it stands what a fresh interpreter takes, as each keeper was one before there was a spawner. A move is what the
record charges a Python bot for one. Modes that this machine cannot have, and programs that it lacks, are left out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from unittest.mock import patch

from arena.isolation import examined
from referee.processes import MODES, NONE, Command, Sandbox, become_subreaper, clean_environment, keep
from tests.benchmarks.harness import Case, Figures, Session, cpu_seconds, measure
from tests.benchmarks.languages import moves
from tests.benchmarks.stage import Stage, scratch

SECONDS = 240.0
"""For all rounds."""
STARTS = 10
"""Of each program in each mode, in a round."""
DEALS = 80
PROGRAMS = {
    "C": ("./c",),
    "sh": ("sh", "-c", ":"),
    "Python": (sys.executable, "-I", "-S", "-c", ""),
    "Node": ("node", "-e", "0"),
    "Java": ("java", "-version"),
}
"""Each ends as soon as its runtime is up."""
INTERPRETER = "a fresh interpreter, `python -I -S -c pass`"


def sandboxes() -> dict[str, Sandbox]:
    """The modes that can be had here without anything missing."""
    found = {mode: examined(mode) for mode in MODES if mode != NONE.mode}
    return {NONE.mode: NONE} | {mode: box for mode, (box, lacks) in found.items() if not lacks}


def programs(files: Path) -> dict[str, tuple[str, ...]]:
    """Those that this machine has; the one in C is made in `files`."""
    if shutil.which("cc"):
        source = b"int main(void) { return 0; }"
        subprocess.run(["cc", "-O2", "-x", "c", "-", "-o", files / "c"], input=source, check=True)
    there = {name for name, argv in PROGRAMS.items() if (files / argv[0]).exists() or shutil.which(argv[0])}
    return {name: argv for name, argv in PROGRAMS.items() if name in there}


def started(name: str, argv: tuple[str, ...], box: Sandbox, folder: Path) -> Figures:
    """Milliseconds of a start: the median on the clock, the mean of the CPU's."""
    own = folder / "own"
    command = Command(argv, folder / "files", clean_environment(own, {}), own, folder / "log", sandbox=box)
    times = []
    before = cpu_seconds()
    for _ in range(STARTS):
        own.mkdir(mode=0o700)
        begun = perf_counter()
        ended = keep(command).stop(60)
        times.append(perf_counter() - begun)
        assert ended.code == 0, (name, box.mode, ended.tail)
    return _figures(times, cpu_seconds() - before)


def interpreter() -> Figures:
    """What every keeper cost before it was forked from a warm one, and more."""
    times = []
    before = cpu_seconds()
    for _ in range(STARTS):
        begun = perf_counter()
        subprocess.run([sys.executable, "-I", "-S", "-c", "pass"], check=True)
        times.append(perf_counter() - begun)
    return _figures(times, cpu_seconds() - before)


def _figures(times: list[float], cpu: float) -> Figures:
    return {"ms": median(times) * 1e3, "CPU ms": cpu / len(times) * 1e3}


def moved(mode: str, folder: Path) -> Figures:
    """Microseconds that a Python bot is charged for a move."""
    folder.mkdir(exist_ok=True)
    for file in (*folder.glob("home/ledger*"), *folder.glob("*.jsonl")):  # what was built stays
        file.unlink()
    with patch.dict(os.environ, KINGMAKER_SANDBOX=mode):
        return {"µs": median(moves(folder / "home", "random", DEALS)) * 1e3}


@contextmanager
def cases() -> Iterator[tuple[list[str], list[str], list[Case]]]:
    """Modes, programs, and what a round consists of."""
    with scratch() as folder:
        folder.chmod(0o755)
        (folder / "files").mkdir()
        boxes, found = sandboxes(), programs(folder / "files")
        todo = [Case(INTERPRETER, interpreter)]
        for mode, box in boxes.items():
            todo += [
                Case(f"{program} {mode}", partial(started, program, argv, box, folder))
                for program, argv in found.items()
            ]
            todo.append(Case(f"a move {mode}", partial(moved, mode, folder / f"moves-{mode}")))
            stage = Stage(folder / f"stage-{mode}", mode)
            todo.append(Case(mode, partial(stage.kept, stage.pair("python/random"), DEALS, 2)))
        yield list(boxes), list(found), todo


def report(session: Session, modes: list[str], found: list[str]) -> str:
    """A table in Markdown: a line a program, a column a mode; medians over rounds, and the least."""

    def cell(figure: str, shape: str = ",.1f") -> str:
        values = session.row("", figure, "").values
        return f"{median(values):{shape}} ({min(values):{shape}})"

    def line(what: str, *cells: str) -> str:
        return f"| {' | '.join((what, *cells))} |"

    starts = [(f"start of {program}, ms", f"{program} {{}} ms", ",.1f") for program in found]
    starts += [(f"start of {program}, ms of CPU", f"{program} {{}} CPU ms", ",.1f") for program in found]
    others = [
        ("a move of a Python bot, µs", "a move {} µs", ",.0f"),
        ("tournament, games/s", "{} games/s", ",.0f"),
    ]
    lines = [line("what", *modes), line("---", *("---:" for _ in modes))]
    lines += [
        line(what, *(cell(figure.format(mode), shape) for mode in modes))
        for what, figure, shape in starts + others
    ]
    old = f"{INTERPRETER}: {cell(f'{INTERPRETER} ms')} ms, {cell(f'{INTERPRETER} CPU ms')} of CPU"
    return "\n".join([*lines, "", old])


def main() -> None:
    """See the module's docstring."""
    become_subreaper()
    with cases() as (modes, found, todo):
        session = measure(todo, SECONDS)
    print(
        session.said + ("" if session.quiet else ", so all are shown"),
        report(session, modes, found),
        sep="\n\n",
    )


if __name__ == "__main__":
    main()
