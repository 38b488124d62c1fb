"""Command lines that are printed to be typed: they reach the same home, and lose nothing of what was asked."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

import click
from click.core import ParameterSource


def again(ctx: click.Context, **changed: Any) -> str:
    """The line that a command came from, with some options changed (None: without it)."""
    return other(ctx, ctx.info_name or "", *_typed(ctx, changed))


def other(ctx: click.Context, *words: str) -> str:
    """The line of another command, for the same home."""
    return shlex.join(["arena", *_typed(ctx.find_root(), {}), *words])


def _typed(ctx: click.Context, changed: Mapping[str, Any]) -> Iterator[str]:
    """What was typed after the name of a command. What its environment said is still said another time."""
    home = ctx.obj
    of_home = {"sandbox": home.mode, "allow_missing": home.allow_missing, "ledger": home.ledger}
    for parameter in ctx.command.params:
        name = parameter.name or ""
        if name in changed or ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            yield from _words(parameter, {**ctx.params, **of_home, **changed}[name])


def _words(parameter: click.Parameter, value: Any) -> list[str]:
    if value is None or value is False:
        return []
    if isinstance(parameter, click.Argument):
        return [str(value)]
    word = max(parameter.opts, key=len)
    if value is True:
        return [word]
    if isinstance(parameter, click.Option) and parameter.multiple:
        return [part for one in value for part in (word, str(one))]
    return [word, ",".join(value) if isinstance(value, tuple) else str(value)]
