"""`arena play`: one game, at once."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from arena.cli.output import note, raw, say, show
from arena.cli.sandboxing import keeps_bots
from arena.errors import InputError, StorageError


@click.command(short_help="Play one game, at once.")
@click.argument("bots", nargs=-1, required=True, metavar="BOT...")
@click.option("--variant", default="claim", show_default=True, help="Id or alias: arena variants")
@click.option("--seed", help="All luck comes from it; drawn, and shown, where left out.")
@click.option("--deal", help='A literal deal: "G0 K2 ...", or @FILE.')
@click.option("--no-clocks", is_flag=True, help="No time limits: to step through a bot in a debugger.")
@click.option("--json", "as_json", is_flag=True, help="The record, on stdout.")
@click.option("--quiet", is_flag=True, help="Only the result.")
@keeps_bots
@click.pass_context
def play(
    ctx: click.Context, bots: tuple[str, ...], variant: str, seed: str | None, deal: str | None,
    no_clocks: bool, as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """Play one game between BOTs, one a seat (of two teams: one a team). The BOT `human` is you.

    \b
    arena play human greedy --variant claim
    arena play random greedy --variant claim --seed 7
    arena play ./mybot random --variant claim/4p/GK-UWXTD
    arena play ./mybot greedy --deal @deal.txt --no-clocks
    """
    from arena import person
    from arena.single import log_paths, play_one, record_path
    from protocol.record import unpack
    from referee.clocks import NO_LIMITS

    def begin(drawn: str) -> None:
        if seed is None:
            note(f"seed     {drawn}")

    clock = NO_LIMITS if no_clocks else None
    guests = {person.NAME: person.Person(_asked, note if as_json else show)} if person.NAME in bots else {}
    try:
        done = play_one(variant, list(bots), seed, _cards(deal), clock, ctx.obj, begin, guests)
    except person.Stopped:
        note("stopped; of a game that is not over there is no record")
        ctx.exit(130)
    if done.trouble:
        raise StorageError(f"the game is void, our own mistake (not a bot's):\n{done.trouble}", code="E408")
    data = unpack(done.record)
    if as_json:
        raw(data)
    else:
        _show(data, quiet or bool(guests))
    note(f"record   {record_path(ctx.obj, done.planned.id)}")
    for path in log_paths(ctx.obj, done.planned.id):
        note(f"log      {path}")
    note(f"next     arena replay {done.planned.id[:12]}")


def _asked(prompt: str) -> str:
    """A line of the person; empty at the end of input."""
    click.echo(prompt, nl=False, err=True)
    return sys.stdin.readline()


def _show(data: bytes, quiet: bool) -> None:
    from arena import notation
    from referee.replay import read, replay, table_of

    record = read(data)
    if not quiet:
        say(*notation.heading(record.play), "", *notation.moves(record), "")
        *_, last = replay(record.play)
        show(table_of(record.play)[0].render(last.state) + "\n")
    say(*notation.ending(record))
    if quiet:
        say(*notation.faults(record, enumerate(record.play.faults), lines=2))


def _cards(deal: str | None) -> tuple[str, ...]:
    """The cards of `--deal`: words apart by white space or commas."""
    if deal is None:
        return ()
    if deal.startswith("@"):
        try:
            deal = Path(deal[1:]).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            fix = "check the path behind the @"
            raise InputError(f"--deal: cannot read {deal[1:]}: {why}", fix, "E233") from None
    cards = tuple(deal.replace(",", " ").split())
    if not cards:
        raise InputError("--deal: it has no cards", 'as in: --deal "G0 K2 ..."', "E233")
    return cards
