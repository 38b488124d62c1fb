"""`arena repro`: a recorded game once more, for the author of a bot."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.output import count, note, show, write
from arena.cli.sandboxing import keeps_bots
from arena.errors import InputError

if TYPE_CHECKING:
    from arena.bundles import Bot
    from arena.home import Home
    from protocol.record import GameRecord


@click.command(short_help="Feed a recorded game to a bot, to debug it.")
@click.argument("game")
@click.argument("bot", required=False)
@click.option("--seat", type=click.IntRange(min=0), required=True, metavar="N", help="Which seat it has.")
@click.option("--game", "which", default="", metavar="ID", help="Which game of an export.")
@click.option("--anyway", is_flag=True, help="Also where games of the same deal are still to come.")
@click.option("--by-hand", is_flag=True, help="Don't start it: say what its environment must have, and wait.")
@click.option(
    "--save",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write what the bot is told, a message a line, and start nothing.",
)
@click.option("--quiet", is_flag=True, help="Only what differs.")
@keeps_bots
@click.pass_context
def repro(
    ctx: click.Context, game: str, bot: str | None, seat: int, which: str, anyway: bool, by_hand: bool,
    save: Path | None, quiet: bool,
) -> None:  # fmt: skip
    """Ask a bot again what it was asked in a game, message by message, with no time limit.

    GAME is the first digits of an id, or a file; BOT a bot of now, or, left out, the version that played.
    The game goes on as it did then, whatever the bot answers now. Exit code 1 where it makes a fault.

    \b
    arena repro 3f2a9c --seat 1
    arena repro 3f2a9c --seat 1 ./mybot --quiet
    arena repro 3f2a9c --seat 1 ./mybot --by-hand   start it in a debugger
    arena repro 3f2a9c --seat 1 --save game.jsonl   to be read by a bot over stdio
    """
    from arena import repro as reproducing
    from arena.records import find_record
    from referee.replay import read

    record = read(find_record(ctx.obj, game, which, anyway))
    reproducing.check_seat(record, seat)
    if save:
        told = reproducing.messages(record, seat, ctx.obj, lambda mark, text: note(f"{mark} {text}"))
        write(save, "\n".join(map(reproducing.as_line, told)) + "\n")
        note(f"next: ARENA_ENDPOINT=stdio: ARENA_TOKEN=any ./mybot < {shlex.quote(str(save))}")
        return
    chosen = _chosen(ctx.obj, bot, record, seat)

    def said(mark: str, what: dict[str, Any] | str) -> None:
        if mark == "!" or not quiet:
            show(f"{mark} {what if isinstance(what, str) else reproducing.as_line(what)}")

    done = reproducing.reproduce(ctx.obj, record, seat, chosen, said, _tell if by_hand else None)
    note(f"{count(done.same, 'move')} as in the record, {done.other} other")
    if done.log and done.log.exists():
        note(f"log      {done.log}")
    ctx.exit(1 if done.fault else 0)


def _chosen(home: Home, bot: str | None, record: GameRecord, seat: int) -> Bot:
    """The bot that is named, or the version that sat there. Raises InputError and CannotStart."""
    from arena.bundles import resolve
    from arena.reading import opened

    sat = record.play.seats[seat]
    if not bot and not sat.digest:
        raise InputError(f"seat {seat} was {sat.bot}, which is no bot's program", "name a BOT for it", "E210")
    with opened(home) as ledger:
        try:
            return resolve(home, ledger, bot or f"{sat.bot}@{sat.digest}")
        except InputError as error:
            error.fix = error.fix if bot else "name a BOT for it"
            raise


def _tell(environment: dict[str, str]) -> None:
    words = " ".join(f"{name}={shlex.quote(value)}" for name, value in environment.items())
    note(f"waiting for a bot with\n  export {words}")
