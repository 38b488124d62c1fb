"""The rules, and what a referee does with each move, compiled with mypyc: into wheels, and into a folder that
`PYTHONPATH` may name.

    python hatch_build.py build/compiled

A wheel is compiled where mypyc and a C compiler are there, else it is plain Python and says why (`arena doctor`).
`KINGMAKER_COMPILE=0` makes a plain one anywhere, `KINGMAKER_COMPILE=1` an error of what would make one plain;
empty is as unset, and anything else is refused.
Editable installs are always plain: a compiled module beside a source that is edited would hide the edits.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
MYPY = "2.4.1"
"""mypyc comes with mypy. The C that it writes differs from version to version, so that one is tested and used."""
REQUIRES = [f"mypy=={MYPY}", "setuptools>=65"]
REMEDY = "on Debian: apt-get install gcc python3-dev, then build it again"
LIBRARY = "kingmaker_engines"
"""All modules are compiled into one library; what stands beside each source only leads there."""
HARMLESS = "warning: Treating generator comprehension as list"
"""What mypyc notes where it evaluates at once what Python would bit by bit; ours do nothing but make values."""
FLAGS = ["-fvisibility=hidden", "-fno-semantic-interposition"]
"""Calls within the library stay within it, and what is short is inlined; each module's entry is public as ever."""
CONTRACT = ("referee/chance.py", "referee/game.py")
ROUND = (
    "referee/match.py",
    "referee/players/remote.py",
    "referee/players/usage.py",
    "referee/transports/endpoints.py",
    "referee/transports/lines.py",
    "referee/transports/peer.py",
    "referee/transports/zmtp.py",
    "referee/worker.py",
)
"""What a referee does with each move."""
PLAIN = frozenset({"__init__", "data", "deals", "draw", "rulebook", "tasks", "terms", "variants", "wire"})
"""Modules of a game that no search waits for, and those of dataclasses, which are best left to Python."""
NOTE = "referee/games/built.txt"
"""What a wheel says of itself: empty where it is compiled, else why it is not."""


def engines() -> list[str]:
    """The sources that are compiled, from the root."""
    games = sorted(path for path in (ROOT / "referee/games").glob("*/*.py") if path.stem not in PLAIN)
    return [*CONTRACT, *ROUND, *(path.relative_to(ROOT).as_posix() for path in games)]


def wish() -> str:
    """What KINGMAKER_COMPILE says: 0, 1, or nothing. Raises RuntimeError for anything else."""
    said = os.environ.get("KINGMAKER_COMPILE", "")
    if said not in ("", "0", "1"):
        raise RuntimeError(
            f"KINGMAKER_COMPILE is {said!r}: 0 makes a plain wheel, 1 a compiled one or an error; unset, it depends"
        )
    return said


def obstacle() -> str:
    """Why nothing can be compiled here, as far as it can be known before it is tried; empty where it can."""
    if wish() == "0":
        return "KINGMAKER_COMPILE=0 was set when it was built"
    compiler = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    if shutil.which(compiler.split()[0]) is None:
        return f"there was no C compiler ({compiler.split()[0]}) when it was built ({REMEDY})"
    return ""


def compiled(scratch: Path) -> dict[str, Path]:
    """Compile the engines: by the place of each library in a package, where it was made.

    A process of its own does it, so that what compilers print can be told. Raises RuntimeError where mypyc is not
    there, or another than is tested, or where something does not compile.
    """
    _check_mypy()
    run = subprocess.run(
        [sys.executable, __file__, "--only", scratch],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    said = run.stdout.replace(f"{scratch}/", "")
    sys.stderr.writelines(line for line in said.splitlines(keepends=True) if HARMLESS not in line)
    if run.returncode:
        raise RuntimeError(f"{complaint(said)} ({REMEDY})")
    libraries = scratch / "lib"
    return {path.relative_to(libraries).as_posix(): path for path in libraries.rglob("*.so")}


def _check_mypy() -> None:
    try:
        found = f"mypy {version('mypy')}"
    except PackageNotFoundError:
        found = "none"
    if found != f"mypy {MYPY}":
        raise RuntimeError(f"mypy {MYPY} compiles them, and there was {found} (pip install mypy=={MYPY})")


def complaint(output: str) -> str:
    """The line of compilers' output that says most of what went wrong: the first error, else the last line."""
    lines = output.split("\n") if (output := output.strip()) else ["it ended without a word"]
    return next((line for line in lines if "error:" in line.lower()), lines[-1]).strip()


def make(scratch: Path) -> None:
    """Compile the engines into `lib` of `scratch`. Exits with 1 where that fails, and the reason is printed."""
    from mypyc.build import mypycify
    from setuptools import Distribution
    from setuptools.errors import CompileError, LinkError, PlatformError

    modules = mypycify(
        ["--config-file=", "--python-executable", sys.executable, *engines()],
        debug_level="0",
        target_dir=str(scratch / "c"),
        group_name=LIBRARY,
    )
    for module in modules:
        module.extra_compile_args += FLAGS
    command = Distribution({"name": LIBRARY, "ext_modules": modules}).get_command_obj("build_ext")
    command.build_lib, command.build_temp = str(scratch / "lib"), str(scratch / "o")
    command.ensure_finalized()
    try:
        command.run()
    except (CompileError, LinkError, PlatformError) as error:
        sys.exit(f"error: {error}")


class Engines(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the compiled engines, or why there are none, into a wheel."""

    def dependencies(self) -> list[str]:
        """What compiling needs; nothing where there is no compiling."""
        return [] if obstacle() else REQUIRES

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, unless it is an editable install."""
        if version == "editable":
            return
        scratch = Path(self.directory, "engines")
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir(parents=True)
        reason = obstacle()
        if not reason:
            try:
                libraries = compiled(scratch)
                build_data["force_include"] |= {str(path): place for place, path in libraries.items()}
                build_data |= {"pure_python": False, "infer_tag": True}
            except RuntimeError as error:
                reason = f"it could not be compiled when it was built: {error}"
        if reason and wish() == "1":
            raise RuntimeError(f"KINGMAKER_COMPILE=1, but {reason}")
        if reason:
            self.app.display_warning(f"the engines of this wheel are plain Python: {reason}")
        note = scratch / "built.txt"
        note.write_text(reason, "utf-8")
        build_data["force_include"][str(note)] = NOTE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Leave nothing but the wheel."""
        shutil.rmtree(Path(self.directory, "engines"), ignore_errors=True)


def lay_out(tree: Path) -> None:
    """Make `tree` a folder of the package `referee` with compiled engines; all else in it links to the sources.

    So does `protocol`: a referee's helpers find both packages in one folder, and look nowhere else.
    """
    with _scratch(tree) as folder:
        new, old = folder / "new", folder / "old"
        for source in (ROOT / "referee").rglob("*"):
            if source.is_file() and "__pycache__" not in source.parts:
                place = new / source.relative_to(ROOT)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.symlink_to(source)
        (new / "protocol").symlink_to(ROOT / "protocol")
        for name, library in compiled(folder).items():
            shutil.move(library, new / name)
        if tree.exists():
            tree.rename(old)
        new.rename(tree)


@contextmanager
def _scratch(tree: Path) -> Iterator[Path]:
    """A folder beside `tree`; those that killed ones left are removed. Who comes meanwhile waits."""
    tree.parent.mkdir(parents=True, exist_ok=True)
    prefix = f".{tree.name}-kingmaker-"
    lock = os.open(tree.parent, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for left in tree.parent.glob(f"{prefix}*"):
            shutil.rmtree(left, ignore_errors=True)
        with tempfile.TemporaryDirectory(prefix=prefix, dir=tree.parent) as folder:
            yield Path(folder)
    finally:
        os.close(lock)


if __name__ == "__main__":
    if sys.argv[1] == "--only":
        make(Path(sys.argv[2]))
    else:
        try:
            lay_out(Path(sys.argv[1]).resolve())
        except RuntimeError as error:
            sys.exit(f"nothing is compiled: {error}")
