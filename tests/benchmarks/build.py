"""What is measured in both its forms: as a wheel has it, compiled (`make compiled`), and plain, as a checkout has it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from tests.benchmarks.harness import Figures, NotMeasured

ROOT = Path(__file__).parents[2]
DISK = ROOT / "build"
"""Homes are made here: the folder for temporary files may be memory, where a commit costs nothing."""
COMPILED = DISK / "compiled"
"""What `make compiled` leaves."""
MADE = ".made"
"""There, when it is whole; of the time when it was begun."""


def lack(tree: Path = COMPILED, sources: Path = ROOT) -> str:
    """Why what is compiled cannot be measured; nothing where it is that of today's sources."""
    made = tree / MADE
    if not made.exists():
        return "there is no build/compiled: make compiled"
    libraries = (path.relative_to(tree) for path in tree.rglob("*.so"))
    named = [sources / path.with_name(f"{path.name.split('.')[0]}.py") for path in libraries]
    newest = max(path.stat().st_mtime for path in (*named, sources / "hatch_build.py") if path.exists())
    return "build/compiled is stale: make compiled" if newest > made.stat().st_mtime else ""


def path(compiled: bool) -> str:
    """What PYTHONPATH is to be. Raises NotMeasured where there is nothing compiled, or something old."""
    if compiled and (why := lack()):
        raise NotMeasured(why)
    return os.pathsep.join(map(str, (COMPILED, ROOT) if compiled else (ROOT,)))


@contextmanager
def children(compiled: bool) -> Iterator[None]:
    """Processes of Python that are started here import that form. Raises NotMeasured as `path`."""
    with patch.dict(os.environ, PYTHONPATH=path(compiled)):
        yield


def ran(module: str, compiled: bool, words: Sequence[str] = ()) -> Figures:
    """What a module prints: a JSON object of figures, and `compiled`, which of the forms it imported."""
    with children(compiled):
        done = subprocess.run(
            [sys.executable, "-m", module, *words], cwd="/", check=True, capture_output=True
        )
    found: Figures = json.loads(done.stdout)
    if bool(found.pop("compiled")) is not compiled:
        raise NotMeasured("what was imported is the other form")
    return found
