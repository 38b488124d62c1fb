"""The command line: `arena`. Commands and what they need are imported when they are asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from arena.cli.output import complain

COMMANDS = {
    "play": "play",
    "run": "run",
    "status": "status",
    "leaderboard": "leaderboard",
    "bot": "bot",
    "replay": "replay",
    "verify": "verify",
    "record": "record",
    "games": "games",
    "variants": "variants",
    "init": "init",
    "config": "config",
    "doctor": "doctor",
    "explain": "explain",
    "completion": "completion",
}
"""Each command with its module here; the command is the module's function or group of that name."""


class Lazy(click.Group):
    """A group whose commands live in modules of their own, imported on use; errors get their exit codes."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = import_module(f"arena.cli.{COMMANDS[name]}")
        command: click.Command = getattr(module, name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except (Exception, KeyboardInterrupt) as error:
            ctx.exit(complain(error))


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="kingmaker", prog_name="arena")
@click.option("--home", metavar="FOLDER", envvar="KINGMAKER_HOME", help="Where the ledger and the bots are kept.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True)
@click.pass_context
def main(ctx: click.Context, home: str | None, color: str) -> None:
    """Tournaments of game bots.

    \b
    arena play random greedy --variant claim      a game, at once
    arena init cup.toml --bots random,greedy      a tournament file to edit
    arena run cup.toml                            play it; goes on where it stopped
    arena leaderboard cup.toml                    the ratings
    """
    from arena.home import Home

    ctx.obj = Home(home) if home else Home.default()
    ctx.color = {"auto": None, "always": True, "never": False}[color]
