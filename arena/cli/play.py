"""`arena play`: one game, at once."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.canvas import Canvas
from arena.cli.output import note, raw, say
from arena.cli.sandboxing import keeps_bots
from arena.errors import InputError, StorageError
from protocol.vocabulary import LANGS

if TYPE_CHECKING:
    from arena.home import Home
    from arena.person import Person
    from protocol.vocabulary import GameId


@click.command(short_help="Play one game, at once.")
@click.argument("bots", nargs=-1, required=True, metavar="BOT...")
@click.option("--variant", default="claim", show_default=True, help="Id or alias: arena variants")
@click.option("--seed", help="All luck comes from it; drawn, and shown, where left out.")
@click.option("--deal", help='A literal deal: "G0 K2 ...", or @FILE.')
@click.option("--no-clocks", is_flag=True, help="No time limits: to step through a bot in a debugger.")
@click.option("--lang", type=click.Choice(LANGS), default=LANGS[0], help="Of the words of the game.")
@click.option("--json", "as_json", is_flag=True, help="The record, on stdout.")
@click.option("--quiet", is_flag=True, help="Only the result.")
@keeps_bots
@click.pass_context
def play(
    ctx: click.Context, bots: tuple[str, ...], variant: str, seed: str | None, deal: str | None,
    no_clocks: bool, lang: str, as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """Play one game between BOTs, one a seat (of two teams: one a team). The BOT `human` is you.

    \b
    arena play human greedy --variant claim
    arena play random greedy --variant claim --seed 7
    arena play ./mybot random --variant claim/4p/GK-UWXTD
    arena play ./mybot greedy --deal @deal.txt --no-clocks
    """
    from arena import person
    from arena.single import play_one
    from protocol.record import unpack
    from referee.clocks import NO_LIMITS

    def begin(drawn: str) -> None:
        if seed is None:
            note(f"seed     {drawn}")

    clock = NO_LIMITS if no_clocks else None
    guests = _guests(variant, lang, to_stderr=as_json) if person.NAME in bots else {}
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
        _show(data, quiet or bool(guests), lang)
    _note_files(ctx.obj, done.planned.id)


def _note_files(home: Home, id: GameId) -> None:
    from arena.single import log_paths, record_path

    note(f"record   {record_path(home, id)}")
    for path in log_paths(home, id):
        note(f"log      {path}")
    note(f"next     arena replay {id[:12]}")


def _guests(variant: str, lang: str, to_stderr: bool) -> dict[str, Person]:
    """Whoever types, among the players."""
    from arena import person
    from referee.games import game_of

    tell = note if to_stderr else Canvas(game_of(variant)).show
    return {person.NAME: person.Person(_asked, tell, lang)}


def _asked(prompt: str) -> str:
    """A line of the person; empty at the end of input."""
    click.echo(prompt, nl=False, err=True)
    return sys.stdin.readline()


def _show(data: bytes, quiet: bool, lang: str) -> None:
    from arena import notation
    from referee.replay import read, replay, table_of

    record = read(data)
    if not quiet:
        game, _ = table_of(record.play)
        *_, last = replay(record.play)
        say(*notation.heading(record.play), "", *notation.moves(record), "")
        Canvas(game).show(game.render(last.state, lang=lang) + "\n")
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
