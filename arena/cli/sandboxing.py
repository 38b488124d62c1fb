"""The options of commands that start bots: what bots are kept in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from referee.processes.sandbox import MODES

Command = TypeVar("Command", bound=Callable[..., Any])


def keeps_bots(command: Command) -> Command:
    """Add `--sandbox` and `--allow-missing`; both end in the Home that the command is passed."""
    missing = click.option(
        "--allow-missing", metavar="LAYERS", expose_value=False, callback=_allow,
        help="Layers of strict that may lack, apart by commas; records and tables show it.",
    )  # fmt: skip
    mode = click.option(
        "--sandbox", type=click.Choice(MODES), expose_value=False, callback=_keep, envvar="KINGMAKER_SANDBOX",
        show_envvar=True, help="What bots are kept in (default unless a tournament says otherwise).",
    )  # fmt: skip
    return mode(missing(command))


def _keep(context: click.Context, option: click.Parameter, mode: str | None) -> None:
    if mode:
        context.obj = context.obj.keeping(mode, context.obj.allow_missing)


def _allow(context: click.Context, option: click.Parameter, layers: str | None) -> None:
    if layers:
        names = tuple(filter(None, layers.replace(" ", "").split(",")))
        context.obj = context.obj.keeping(context.obj.mode, names)
