"""Others that do something of the kind, each in an environment of its own under `build/peers`.

An environment is made when it is first needed and kept. A script beside this module runs in it, knows nothing of this
project, and prints one JSON object of figures.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.build import DISK
from tests.benchmarks.harness import Case, Figures, NotMeasured

HERE = Path(__file__).parent
HOUSES = DISK / "peers"
PACKAGES = {
    "open_spiel": ("open_spiel==2.0.2",),
    "raters": ("openskill==6.2.0", "choix==0.4.1", "trueskill==0.4.5"),
    "kaggle": ("kaggle-environments==1.33.2",),
    "pelita": ("pelita==2.7.0",),
    "pettingzoo": ("pettingzoo==1.27.0", "pygame", "rlcard==1.2.0"),
    "rlcard": ("rlcard==1.2.0",),
}
INSTALLING, MEASURING = 900, 120
"""Seconds that these may take."""


def peer(
    name: str, house: str, script: str, *words: str, told: Callable[[], str] = str, pinned: bool = False
) -> Case:
    """What `script` finds in an environment, which is made now; in ours where none is named.

    `told` makes what the script reads from standard input.
    """
    lack = installed(house) if house else ""
    python = str(HOUSES / house / "bin/python" if house else sys.executable)

    def measure() -> Figures:
        if lack:
            raise NotMeasured(lack)
        command = [python, "-P", str(HERE / script), *words]
        try:
            done = subprocess.run(
                command, input=told().encode(), check=True, capture_output=True, timeout=MEASURING
            )
            found: Figures = json.loads(done.stdout.splitlines()[-1])
        except (subprocess.SubprocessError, ValueError, IndexError) as error:
            raise NotMeasured(f"{house or script}: {_last(error)}") from error
        return found

    return Case(name, measure, pinned)


def installed(house: str) -> str:
    """Make an environment where it is not there; why it cannot be had, or nothing."""
    folder, packages = HOUSES / house, PACKAGES[house]
    python, done = folder / "bin/python", folder / "installed.txt"
    if done.exists() and done.read_text().split() == list(packages):
        return ""
    print(f"installing {' '.join(packages)} in {folder}", file=sys.stderr)
    try:
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True, capture_output=True)
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages],
            check=True, capture_output=True, timeout=INSTALLING,
        )  # fmt: skip
    except (subprocess.SubprocessError, OSError) as error:
        return f"{' '.join(packages)} cannot be installed: {_last(error)}"
    done.write_text(" ".join(packages))
    return ""


def _last(error: Exception) -> str:
    """The last line of what a program said, or what happened."""
    said = getattr(error, "stderr", None) or b""
    lines = said.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else f"{type(error).__name__}: {error}"
