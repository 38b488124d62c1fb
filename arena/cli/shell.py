"""`arena bot shell`: be the bot, one JSON message a line."""

from __future__ import annotations

import sys

import click

from arena.cli.output import note

NAME = "shell"
"""Of whoever types, among the players."""


@click.command(short_help="Be the bot: type its messages.")
@click.argument("bots", nargs=-1, metavar="[BOT...]")
@click.option("--variant", default="claim", show_default=True, help="Id or alias: arena variants")
@click.option("--seat", type=click.IntRange(min=0), default=0, show_default=True, metavar="N", help="Yours.")
@click.option("--seed", help="All luck comes from it; drawn where left out.")
@click.pass_context
def shell(ctx: click.Context, bots: tuple[str, ...], variant: str, seat: int, seed: str | None) -> None:
    """Be the bot: type its messages, one JSON object a line, and read those of the referee.

    BOTs sit in the other seats (random, where none is named). Hints go to stderr; what is wrong is said, and
    may be mended: here alone is a second try. A program at the other end of a pipe will do, too.

    \b
    arena bot shell
    arena bot shell greedy --variant claim --seat 1
    """
    from arena.errors import InputError
    from arena.shell import Left, Shell
    from arena.single import play_one, record_path
    from referee.games import game_of

    players = game_of(variant).variant(variant).players
    if seat >= players:
        raise InputError(f"--seat {seat}: there is none", f"0 to {players - 1}", "E225")
    others = list(bots) or ["random"] * (players - 1)
    typed = Shell(sys.stdin.readline, click.echo, lambda text: note(f"such as: {text}"))
    try:
        done = play_one(
            variant, [*others[:seat], NAME, *others[seat:]], seed,
            home=ctx.obj, begin=lambda _: typed.greet(), guests={NAME: typed},
        )  # fmt: skip
        typed.bye()
    except Left:
        note("left; of a game that is not over there is no record")
        ctx.exit(130)
    note(f"record   {record_path(ctx.obj, done.planned.id)}")
