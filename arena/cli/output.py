"""What the terminal sees: data on stdout, everything else on stderr. Texts from outside are escaped here.

A text of several lines (`show`, `note`) may hold no line of a stranger's: what is one line and is to stay
one goes through `say`, or through `escape.visible` before it is put in.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from arena.errors import ArenaError, InputError
from arena.interrupts import CODE
from protocol.escape import json_text, terminal, visible


def colour(choice: str, environment: Mapping[str, str] = os.environ) -> bool | None:
    """Whether to write in colour; None: where it is a terminal.

    >>> colour("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}), colour("always", {"TERM": "dumb"})
    (False, True)
    """
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return False if environment.get("TERM") == "dumb" else None


def is_live() -> bool:
    """Whether stderr is a terminal on which a line can be written again."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def width() -> int | None:
    """Columns of the terminal that stdout is; None where it is none."""
    return os.get_terminal_size(sys.stdout.fileno()).columns if sys.stdout.isatty() else None


def note(text: str) -> None:
    """Something for the person, not for a program that reads the output."""
    click.echo(terminal(text), err=True)


def note_logs(name: str) -> None:
    """Note what is logged under `name`: what takes its time is seen to go on."""
    import logging

    class Notes(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            note(record.getMessage())

    logger = logging.getLogger(name)
    logger.handlers, logger.propagate = [Notes()], False
    logger.setLevel(logging.INFO)


def show(text: str) -> None:
    """Data, for a person to read."""
    click.echo(terminal(text))


def say(*lines: str) -> None:
    """Data, for a person to read: each text is one line, whatever is in it."""
    for line in lines:
        click.echo(visible(line))


def raw(data: bytes) -> None:
    """JSON as it is kept, byte for byte; only where a terminal would see it, what is not seen is escaped."""
    click.echo(json_text(data.decode("utf-8", "replace")) if sys.stdout.isatty() else data)


def document(schema: str, body: Mapping[str, Any]) -> None:
    """Data, for a program to read: JSON with the name and version of its schema."""
    whole = {"schema": f"kingmaker/{schema}/1", **body}
    click.echo(json_text(json.dumps(whole, indent=2, allow_nan=False, ensure_ascii=False)))


def write(path: Path, data: str | bytes) -> None:
    """Data, into a file: all of it, or what was there stays. Raises InputError where that can't be written."""
    from arena import files

    try:
        files.replace(path, [data.encode() if isinstance(data, str) else data])
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}", "choose another place", "E209") from None
    note(f"written: {path}")


def columns(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table: numbers to the right, everything else to the left.

    >>> print(columns(["bot", "games"], [["random", 5], ["x", 1200]]))
    bot     games
    random      5
    x       1,200
    """
    lines = [
        list(head),
        *([f"{cell:,}" if isinstance(cell, int) else visible(str(cell)) for cell in row] for row in rows),
    ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    right = [bool(rows) and isinstance(cell, int) for cell in (rows[0] if rows else head)]
    return "\n".join(
        "  ".join(
            f"{cell:>{size}}" if number else f"{cell:<{size}}"
            for cell, size, number in zip(line, widths, right, strict=True)
        ).rstrip()
        for line in lines
    )


def count(number: int, what: str) -> str:
    """A number with its noun.

    >>> count(1, "game"), count(12_000, "game")
    ('1 game', '12,000 games')
    """
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def duration(seconds: float) -> str:
    """A time for people.

    >>> [duration(s) for s in (3.2, 75, 7_300)]
    ['3 s', '1 min 15 s', '2 h 1 min']
    """
    minutes, rest = divmod(round(seconds), 60)
    if minutes == 0:
        return f"{rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def complain(error: BaseException) -> int:
    """Say what went wrong and what to do about it; the exit code (see `arena.errors`)."""
    from referee.game import GameError, VariantError, WrongDeal

    match error:
        case KeyboardInterrupt():
            note("interrupted; nothing that was finished is lost")
            return CODE
        case ArenaError():
            _error(str(error), error.fix, error.code)
            return error.exit_code
        case VariantError():
            _error(str(error), "arena variants lists them all; arena games GAME their options", "E219")
            return 2
        case WrongDeal():
            _error(
                str(error),
                "write it as the rules of the game say: all cards of the variant, in the order of the deal",
                "E220",
            )
            return 2
        case GameError():
            _error(str(error), "arena verify FILE says all that does not hold", "E222")
            return 2
        case BrokenPipeError():
            # whoever read us has seen enough; what is still buffered has nowhere to go
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        case OSError():
            _error(f"the machine fails: {error}")
            return 4
    raise error


def _error(text: str, fix: str = "", code: str = "") -> None:
    click.echo(click.style("error: ", fg="red", bold=True) + terminal(text), err=True)
    if fix:
        click.echo(click.style("  fix: ", fg="green", bold=True) + terminal(fix), err=True)
    if code:
        note(f"  ({code}; more: arena explain {code})")
