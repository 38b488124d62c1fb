"""`arena explain`: more about an error code."""

from __future__ import annotations

import textwrap
from dataclasses import asdict

import click

from arena.cli.output import columns, document, show
from arena.errors import InputError, did_you_mean
from arena.explained import EXPLAINED


@click.command(short_help="What an error code means, and what to do.")
@click.argument("code", required=False)
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def explain(code: str | None, as_json: bool) -> None:
    """What an error code means, what brings it about, and what to do.

    \b
    arena explain             all codes
    arena explain E301        one
    """
    if code is None:
        chosen = EXPLAINED
    elif code.upper() in EXPLAINED:
        chosen = {code.upper(): EXPLAINED[code.upper()]}
    else:
        raise InputError(f"no code {code!r}", did_you_mean(code.upper(), EXPLAINED), "E208")
    if as_json:
        document("codes", {"codes": {name: asdict(known) for name, known in chosen.items()}})
    elif code is None:
        show(columns(["code", "means"], [(name, known.title) for name, known in chosen.items()]))
    else:
        show("\n".join(_text(name) for name in chosen))


def _text(code: str) -> str:
    known = EXPLAINED[code]
    parts = (f"{code}: {known.title}", f"Cause: {known.cause}", f"Cure:  {known.cure}")
    return "\n\n".join(map(textwrap.fill, parts))
