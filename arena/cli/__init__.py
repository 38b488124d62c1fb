"""The command line: `arena`. Commands and what they need are imported when they are asked for."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

from arena.cli.output import colour, complain, note_logs
from arena.errors import did_you_mean
from arena.interrupts import at_once, is_heeded, twice
from protocol.escape import visible

COMMANDS = (
    "play", "run", "compare", "simulate", "status", "watch", "leaderboard", "ratings", "site", "plot", "bot", "replay", "repro", "verify", "record", "ledger", "serve", "games", "variants",
    "init", "config", "schema", "doctor", "explain", "completion",
)  # fmt: skip
"""Each is the function or group of that name in the module of that name here."""


class Lazy(click.Group):
    """A group whose commands live in modules of their own, imported on use; errors get their exit codes."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of a first use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command:
        """Import the command."""
        if name not in COMMANDS:
            ctx.fail(f"no command {name!r}; {did_you_mean(name, COMMANDS)}")
        command: click.Command = getattr(import_module(f"arena.cli.{name}"), name)
        return command

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Read the words before the command."""
        with _escaped():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run it; an error is explained on stderr."""
        with twice(signal.SIGINT):
            try:
                with _escaped():
                    return super().invoke(ctx)
            except (click.ClickException, click.exceptions.Exit, click.Abort):
                raise
            except (Exception, KeyboardInterrupt) as error:
                if is_heeded(signal.SIGINT):
                    signal.signal(signal.SIGINT, at_once)
                ctx.exit(complain(error))


@contextmanager
def _escaped() -> Iterator[None]:
    """What click complains of may quote the name of a file."""
    try:
        yield
    except click.ClickException as error:
        vars(error)["message"] = visible(error.message)
        raise


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="kingmaker", prog_name="arena")
@click.option(
    "--home", metavar="FOLDER", envvar="KINGMAKER_HOME", help="Where the ledger and the bots are kept."
)
@click.option(
    "--ledger", metavar="PLACE", envvar="KINGMAKER_LEDGER",
    help="Another ledger than the home's: postgresql://USER@HOST/DATABASE, or a file.",
)  # fmt: skip
@click.option(
    "--color", type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True,
    help="auto: on a terminal; NO_COLOR and FORCE_COLOR are heeded.",
)  # fmt: skip
@click.pass_context
def main(ctx: click.Context, home: str | None, ledger: str | None, color: str) -> None:
    """Tournaments of game bots.

    \b
    arena play random greedy --variant claim    a game, at once
    arena init cup.toml --bots random,greedy    a tournament file to edit
    arena run cup.toml                          play it, or what is missing
    arena leaderboard cup.toml                  the ratings

    A TOURNAMENT is a file, or the name of one that has begun. Data goes to stdout, all else to stderr.

    \b
    Exit codes: 0 done; 1 what was asked does not hold; 2 wrong command line
    or file; 3 a bot or build does not start; 4 storage fails; 5 somebody else
    runs it; 6 undecided (compare); 130 interrupted, can go on.
    """
    from arena.home import Home

    ctx.obj = Home.named(home, ledger)
    ctx.color = colour(color)
    note_logs("arena.building")
    note_logs("arena.cluster")
