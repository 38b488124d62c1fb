"""`arena bot conform`: does a program speak the protocol?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli import output
from arena.cli.sandboxing import keeps_bots

if TYPE_CHECKING:
    from arena.conformance import Held
    from arena.home import Home
    from referee.jobs import Launch


class _WithCommand(click.Command):
    """What stands behind `--` is a command, kept apart from our own words."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put it into `ctx.meta`."""
        at = args.index("--") if "--" in args else len(args)
        ctx.meta["command"] = tuple(args[at + 1 :])
        return super().parse_args(ctx, args[:at])


@click.command(cls=_WithCommand)
@click.argument("reference", metavar="[PATH|NAME | -- COMMAND...]", required=False)
@click.option(
    "--transport", type=click.Choice(["ipc", "tcp", "stdio"]), help="How COMMAND talks.  [default: ipc]"
)
@click.option("--only", metavar="NAME", help="One conversation.")
@click.option("--patience", type=click.FloatRange(min=0.1), help="Seconds for each.  [default: 5]")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@keeps_bots
@click.pass_context
def conform(
    ctx: click.Context,
    reference: str | None,
    transport: str | None,
    only: str | None,
    patience: float | None,
    as_json: bool,
) -> None:
    """Hold every published conversation with a bot.

    \b
    arena bot conform ./mybot
    arena bot conform --transport stdio -- node bot.js

    A bot is started as its bot.toml says, a COMMAND as it stands, here, without one. Any bot will do: it
    may answer with any legal action. Exit code 1 where a conversation fails, 3 where the bot does not start.
    """
    from arena.conformance import PATIENCE, Conformance, vectors
    from arena.conformance import conform as hold

    command = ctx.meta["command"]
    if bool(command) == (reference is not None) or (transport and not command):
        raise click.UsageError("give either a bot, or -- and a command; --transport is of a command")
    conversations = vectors(only)
    launch = _command(command, transport or "ipc") if command else _bot(ctx.obj, str(reference))
    all_held = list(_shown(hold(launch, conversations, patience or PATIENCE), as_json))
    failed = sum(not held.ok for held in all_held)
    if as_json:
        output.document(
            "bot-conform", asdict(Conformance(str(launch.bot), launch.transport, not failed, all_held))
        )
    output.note(
        f"{failed} of {output.count(len(all_held), 'conversation')} failed" if failed else "it conforms"
    )
    ctx.exit(1 if failed else 0)


def _bot(home: Home, reference: str) -> Launch:
    from arena.bundles import resolve
    from arena.reading import opened

    with opened(home) as ledger:
        return resolve(home, ledger, reference).launch


def _command(words: tuple[str, ...], transport: str) -> Launch:
    from protocol.vocabulary import BotId
    from referee.jobs import Launch

    return Launch(BotId(Path(words[0]).name, ""), words, str(Path.cwd()), {}, transport)


def _shown(conversations: Iterator[Held], quiet: bool) -> Iterator[Held]:
    for held in conversations:
        if not quiet:
            output.show(_text(held))
        yield held


def _text(held: Held) -> str:
    if held.ok:
        return f"ok      {held.name}"
    parts = {
        "about": held.about, "expected": held.expected, "came": held.came, "why": held.why, "log": held.log,
        "fix": held.advice,
    }  # fmt: skip
    lines = [f"FAILED  {held.name}: {held.reason} at step {held.step}"]
    for name, text in parts.items():
        first, *more = text.split("\n")
        lines += [f"        {name}: {first}", *(f"          | {line}" for line in more)] if text else []
    return "\n".join(lines)
