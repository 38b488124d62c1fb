"""What can keep the arena from doing what it was asked, and the exit code of each.

    ArenaError
        InputError          2  a wrong command line or input file
        CannotStart         3  all is valid, but a bot or a build does not start
        StorageError        4  the ledger, the disk or the host fails
        Busy                5  somebody else runs this tournament

Each is raised with a code; `arena.explained` says more about it than an error message has room for.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

MENTIONED = 20
"""Names in a hint."""


class ArenaError(Exception):
    """Says what and where in its message, and what to do in `fix`."""

    exit_code = 1
    code = "E000"

    def __init__(self, message: str, fix: str = "", code: str = "") -> None:
        super().__init__(message)
        self.fix = fix
        self.code = code or self.code


class InputError(ArenaError):
    """The caller's mistake."""

    exit_code = 2
    code = "E200"


class CannotStart(ArenaError):
    """A bot's program or build cannot be brought to run."""

    exit_code = 3
    code = "E300"


class StorageError(ArenaError):
    """What must be kept cannot be kept; nothing that was reported is lost."""

    exit_code = 4
    code = "E400"


class Busy(ArenaError):
    """Somebody else holds the lock."""

    exit_code = 5
    code = "E500"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint for a name that is not known: the nearest, else those that are (not more than MENTIONED)."""
    names = sorted(known)
    near = get_close_matches(name, names, n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    more = ", …" if len(names) > MENTIONED else ""
    return f"there are: {', '.join(names[:MENTIONED])}{more}" if names else ""
