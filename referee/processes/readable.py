"""What a bot that is kept apart may read of the machine: the system's programs, and interpreters elsewhere.

A published list, and the folders in which the interpreters are installed that the arena's own PATH leads to.
Nothing that a bot says of itself adds to it: it could name another bot's folder as its program's. No home
folder, and none of the arena's. Whoever keeps programs elsewhere names the place in KINGMAKER_READABLE.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

SYSTEM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store",
)  # fmt: skip
SETTINGS = (
    "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime", "timezone", "nsswitch.conf",
    "java*", "maven", "mono", "perl", "python3*", "ruby*", "lua*", "nodejs", "debian_version", "os-release",
)  # fmt: skip
"""Patterns of names in /etc: what runtimes want of it."""
INTERPRETERS = (
    "python3", "python", "node", "npm", "deno", "bun", "java", "mvn", "go", "cargo", "rustc", "ruby", "perl", "lua",
    "lua5.4", "mono", "mcs", "dotnet", "php", "julia", "Rscript", "swipl", "racket", "guile", "sbcl", "ocaml",
    "elixir", "erl", "runghc", "tclsh", "jq", "make", "gcc", "g++", "cmake",
)  # fmt: skip
MANAGERS = (".pyenv", ".nvm", ".rbenv", ".sdkman", ".asdf", ".volta", ".deno", ".bun", ".local/share/mise")
"""Folders in which version managers keep interpreters."""
HOPS = 8
"""Links that are followed from a program."""


def readable() -> list[str]:
    """Absolute paths; some may not exist."""
    settings = [str(path) for pattern in SETTINGS for path in Path("/etc").glob(pattern)]
    named = [path for path in os.environ.get("KINGMAKER_READABLE", "").split(":") if path.startswith("/")]
    return [*SYSTEM, *settings, *named, *_installed(os.environ.get("PATH", os.defpath))]


@cache
def _installed(path: str) -> tuple[str, ...]:
    """Where the interpreters are that `path` leads to, and the one that runs this."""
    found = (shutil.which(name, path=path) for name in INTERPRETERS)
    programs = [sys.executable, *filter(None, found)]
    return tuple(dict.fromkeys(folder for program in programs for folder in _around(Path(program))))


def _around(program: Path) -> Iterator[str]:
    """The folders that a program is installed in, with those that its links lead to."""
    for _ in range(HOPS):
        if not str(program).startswith(tuple(f"{folder}/" for folder in SYSTEM)):
            yield str(_installation(program))
        if not program.is_symlink():
            return
        program = Path(os.path.normpath(program.parent / program.readlink()))


def _installation(program: Path) -> Path:
    """The folder that goes with a program: never one in which the user keeps other things."""
    for manager in MANAGERS:
        if f"/{manager}/" in str(program):
            return Path(str(program).split(f"/{manager}/")[0], manager)
    home = Path.home()
    private = {home, home / ".local", home / ".cargo", home / "go", *home.parents}
    whole = program.parents[1] if (program.parents[1] / "lib").is_dir() else program.parent
    return next(place for place in (whole, program.parent, program) if place not in private)
