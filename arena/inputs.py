"""Files that people write by hand, in TOML: read with care, and what is wrong with them said by line and key."""

from __future__ import annotations

import errno
import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from arena.errors import InputError, did_you_mean

NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$"
NAMES = "1 to 63 of A-Z, a-z, 0-9 and . _ -, the first a letter or a digit"
"""NAME in words."""
TEXT_BYTES = 1 << 20
"""Of an input file that somebody writes by hand."""


def input_text(path: Path) -> str:
    """The text of an input file; a pipe is one, too. Raises OSError (also of more than TEXT_BYTES), UnicodeDecodeError."""
    with path.open("rb") as file:
        data = file.read(TEXT_BYTES + 1)
    if len(data) > TEXT_BYTES:
        raise OSError(errno.EFBIG, f"it has more than {TEXT_BYTES >> 20} MiB", str(path))
    return data.decode("utf-8")


def toml(text: str, where: str) -> dict[str, Any]:
    """The TOML of an input file. Raises InputError, which shows the line."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise InputError(f"{where}: not TOML: it is nested too deep", "mend its brackets", "E202") from None
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"line (\d+), column (\d+)", str(error))
        number, column = (int(place[1]), int(place[2])) if place else (text.count("\n") + 1, 0)
        line = "".join(text.splitlines()[number - 1 : number]).replace("\t", " ")
        pointer = f"\n  {number} | {line}\n  {' ' * len(str(number))} | {'^':>{column}}" if place else ""
        what = str(error).split(" (at ")[0]
        raise InputError(f"{where}:{number}: not TOML: {what}{pointer}", "mend that line", "E202") from None


def complaint(error: ValidationError, model: type[BaseModel], where: str, text: str = "") -> tuple[str, str]:
    """All that is wrong in an input file (with lines, where its `text` is given), and how to mend it."""
    found = [(_line(text, one["loc"]), *_problem(one, model)) for one in error.errors(include_url=False)]
    found.sort(key=lambda problem: problem[0] or 0)
    if len(found) == 1:
        line, what, fix = found[0]
        return f"{where}:{line}: {what}" if line else f"{where}: {what}", fix
    lines = [
        f"  {f'line {line}: ' if line else ''}{what}{f' ({fix})' if fix else ''}" for line, what, fix in found
    ]
    return "\n".join([f"{where}: {len(found)} things are wrong", *lines]), "mend each of them"


def _problem(error: ErrorDetails, model: type[BaseModel]) -> tuple[str, str]:
    key = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        fields: dict[str, Any] = dict(model.model_fields)
        for part in error["loc"][:-1]:
            fields = dict(fields[str(part)].annotation.model_fields)
        return f"unknown key {key!r}", did_you_mean(str(error["loc"][-1]), fields)
    if error["type"] == "missing":
        return f"the key {key!r} is missing", ""
    if error["type"] == "too_short":
        return f"{key}: at least {error['ctx']['min_length']} are needed", ""
    if error["type"] == "string_pattern_mismatch" and error["ctx"]["pattern"] == NAME:
        return f"{key}: {error['input'][:80]!a} cannot be one: a name has {NAMES}", _as_name(error["input"])
    what = error["msg"].removeprefix("Value error, ").replace("Input should", "it should")
    got = "" if error["type"] == "value_error" else f", not {str(error['input'])[:60]!r}"
    fix = _as_list(key, error["input"]) if error["type"] == "list_type" else ""
    return (f"{key}: {what}{got}" if key else f"{what}"), fix


def _as_list(key: str, value: Any) -> str:
    """A hint with the list that a text was meant to be: the words of a command, else the text itself.

    >>> _as_list("run", "sh -c 'a b'"), _as_list("games", "claim")
    ('run = ["sh", "-c", "a b"]', 'games = ["claim"]')
    """
    if not isinstance(value, str) or len(value) > 200:
        return ""
    words = [value]
    if key in ("run", "build"):
        try:
            words = shlex.split(value)
        except ValueError:  # a quotation mark without another
            words = value.split()
    return f"{key} = {json.dumps(words, ensure_ascii=False)}"


def _as_name(text: str) -> str:
    """A hint with the name that is nearest to `text`.

    >>> _as_name("n w"), _as_name("?")
    ('such as: n-w', '')
    """
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("._-")[:63]
    return f"such as: {name}" if name else ""


def _line(text: str, place: tuple[int | str, ...]) -> int | None:
    """The line of a key in TOML, or of its table; None where it is not written in the common way."""
    keys = [part for part in place if isinstance(part, str)]
    table: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if head := re.match(r"\s*\[\s*([\w.-]+)\s*\]", line):
            table = head[1].split(".")
            if keys == table:
                return number
        word = re.match(r"""\s*["']?([\w.-]+)["']?\s*=""", line)
        if word and keys[: len(table) + 1] == [*table, word[1]]:
            return number
    return None
