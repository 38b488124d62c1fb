"""The sandboxes that tests put on, and an ordinary user, as far as the machine has them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from referee.processes import Sandbox
from referee.processes.system import landlock_abi

ROOT = Path(__file__).parents[3]
LAYERS = ("rlimits", "no-new-privileges", "namespaces", "landlock", "seccomp", "memory-watched")
WHOLE = Sandbox("default", LAYERS, readable=(sys.prefix,))
FILTERS = replace(WHOLE, layers=tuple(layer for layer in LAYERS if layer != "namespaces"))
"""What there is where nobody may make namespaces."""
NOBODY = 41007
ARGUMENTS = ["-I", "-S", "-c"]


@cache
def _interpreter() -> tuple[list[str], str]:
    """Words before a program in Python that is run by an ordinary user; and why there is none, where that is so."""
    if os.getuid():
        return [sys.executable, *ARGUMENTS], ""
    python = shutil.which("python3", path="/usr/bin:/bin") or sys.executable
    become = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    words = [*become, python, *ARGUMENTS]
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import referee.processes"
    try:
        done = subprocess.run([*words, program], capture_output=True, text=True, check=False)
    except OSError as error:
        return words, str(error)
    return words, done.stderr


@cache
def lacking() -> str:
    """What this machine does not allow of WHOLE, by the word of others than us; empty where it allows all."""
    try:
        landlock_abi()
    except OSError as error:
        return f"no Landlock: {error.strerror}"
    own = [] if os.getuid() == 0 else ["--user", "--map-root-user"]
    words = ["unshare", *own, "--mount", "--pid", "--net", "--ipc", "--uts", "--fork", "true"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.stderr.strip()


def as_ordinary_user(program: str, *arguments: str, stdin: bytes = b"") -> str:
    """What a program in Python prints; it knows the standard library and `referee.processes`."""
    words, refused = _interpreter()
    if refused:
        pytest.skip(f"no ordinary user can run this here: {refused.splitlines()[-1]}")
    return run(words, program, *arguments, stdin=stdin)


def run(words: list[str], program: str, *arguments: str, stdin: bytes = b"") -> str:
    """What a program in Python prints that is run by `words`."""
    begin = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
    done = subprocess.run(
        [*words, begin + program, *arguments], input=stdin, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()
