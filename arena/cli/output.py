"""What the terminal sees: data on stdout, everything else on stderr. Texts from outside are escaped here."""

from __future__ import annotations

import sys

import click

from arena.errors import ArenaError


def printable(text: str) -> str:
    """`text` without anything that a terminal would obey; newlines stay."""
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)


def note(text: str) -> None:
    """Something for the person, not for a program that reads the output."""
    click.echo(printable(text), err=True)


def complain(error: BaseException) -> int:
    """Say what went wrong and what to do about it; the exit code (see `arena.errors`)."""
    from referee.game import GameError

    match error:
        case KeyboardInterrupt():
            note("interrupted; nothing that was finished is lost")
            return 130
        case ArenaError():
            note(f"error: {error}" + (f"\n  fix: {error.fix}" if error.fix else ""))
            note(f"  ({error.code}; more: arena explain {error.code})")
            return error.exit_code
        case GameError():
            note(f"error: {error}")
            return 2
        case BrokenPipeError():
            sys.stderr.close()  # whoever read us has seen enough
            return 0
        case OSError():
            note(f"error: the machine fails: {error}")
            return 4
    raise error
