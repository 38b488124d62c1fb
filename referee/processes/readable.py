"""What a bot that is kept apart may read of the machine: the system's programs, and those that run it.

No home folder, no other bot, no arena: a published list, and around the program itself the folder that it is
installed in. Whoever keeps interpreters elsewhere names the place in KINGMAKER_READABLE.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

SYSTEM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store",
)  # fmt: skip
SETTINGS = (
    "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime", "timezone", "nsswitch.conf",
    "java*", "maven", "mono", "perl", "python3*", "ruby*", "lua*", "nodejs", "debian_version", "os-release",
)  # fmt: skip
"""Patterns of names in /etc: what runtimes want of it."""
MANAGERS = (".pyenv", ".nvm", ".rbenv", ".sdkman", ".asdf", ".volta", ".deno", ".bun", ".local/share/mise")
"""Folders in which version managers keep interpreters."""
HOPS = 8
"""Links and first lines (`#!`) that are followed from a program."""


def readable(argv: tuple[str, ...], cwd: Path, env: Mapping[str, str]) -> list[str]:
    """Absolute paths; some may not exist."""
    settings = [str(path) for pattern in SETTINGS for path in Path("/etc").glob(pattern)]
    named = [path for path in os.environ.get("KINGMAKER_READABLE", "").split(":") if path.startswith("/")]
    return [*SYSTEM, *settings, *named, *_around(argv[0], cwd, env)]


def _around(name: str, cwd: Path, env: Mapping[str, str]) -> Iterator[str]:
    """The folders that a program is installed in, with those of the programs that run it."""
    program = name if "/" in name else shutil.which(name, path=env.get("PATH")) or ""
    for _ in range(HOPS):
        if not program:
            return
        path = Path(os.path.normpath(cwd / program))
        if not _is_within(path, cwd):
            yield str(_installation(path, cwd))
        if path.is_symlink():
            program = str(path.parent / path.readlink())
        else:
            program = _interpreter(path, env)


def _installation(path: Path, cwd: Path) -> Path:
    """The folder that goes with a program: never one in which the user, or the arena, keeps other things."""
    for manager in MANAGERS:
        if f"/{manager}/" in str(path):
            return Path(str(path).split(f"/{manager}/")[0], manager)
    whole = path.parents[1] if path.parent.name in ("bin", "sbin", "libexec") else path.parent
    private = {Path.home() / name for name in ("", ".local", ".cargo", "go")} | {Path("/")}
    if whole in private or _is_within(Path.home(), whole) or _is_within(cwd, whole):
        return path.parent if path.parent not in private and not _is_within(cwd, path.parent) else path
    return whole


def _interpreter(path: Path, env: Mapping[str, str]) -> str:
    """What runs a script, by its first line; nothing for a binary."""
    try:
        with path.open("rb") as file:
            first = file.readline(256)
    except OSError:
        return ""
    words = os.fsdecode(first[2:]).split() if first.startswith(b"#!") else []
    if words and Path(words[0]).name == "env":
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
        return shutil.which(words[0], path=env.get("PATH")) or "" if words else ""
    return words[0] if words else ""


def _is_within(path: Path, folder: Path) -> bool:
    return path == folder or folder in path.parents
