"""`arena replay`: a game once more, step by step."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from arena.cli.canvas import Canvas
from arena.cli.output import note, say
from arena.errors import InputError
from protocol.escape import json_text, label
from protocol.vocabulary import LANGS

if TYPE_CHECKING:
    from arena.home import Home
    from protocol.record import GameRecord
    from referee.game import Event, Seat
    from referee.replay import Step
    from referee.wording import Terms


@click.command(short_help="Show a game move by move.")
@click.argument("game")
@click.option("--game", "which", default="", metavar="ID", help="Which game of an export.")
@click.option("--anyway", is_flag=True, help="Also where games of the same deal are still to come.")
@click.option("--step", type=click.IntRange(min=0), metavar="N", help="Only the position after N actions.")
@click.option("--seat", type=click.IntRange(min=0), metavar="N", help="Only what that seat knows.")
@click.option(
    "--delay", type=click.FloatRange(min=0), default=0.0, metavar="S", help="Seconds between steps."
)
@click.option("--step-by-step", is_flag=True, help="Wait for Enter after each step.")
@click.option("--lang", type=click.Choice(LANGS), default=LANGS[0], help="Of the words of the game.")
@click.option("--logs", is_flag=True, help="At the end, what the bots printed in this game.")
@click.option("--json", "as_json", is_flag=True, help="JSON Lines, one a step.")
@click.pass_context
def replay(
    ctx: click.Context, game: str, which: str, anyway: bool, step: int | None, seat: int | None,
    delay: float, step_by_step: bool, lang: str, logs: bool, as_json: bool,
) -> None:  # fmt: skip
    """Show a game move by move: GAME is the first digits of an id, or a file.

    \b
    arena replay 3f2a9c
    arena replay 3f2a9c --seat 1 --step-by-step
    arena replay cup.jsonl --game 3f2a9c --step 40
    arena replay game.kgn --lang cs
    """
    from arena import notation
    from arena.records import find_record
    from referee import replay as replaying
    from referee.game import Seat

    record = replaying.read(find_record(ctx.obj, game, which, anyway))
    table, variant = replaying.table_of(record.play)
    _check_range("--step", step, len(record.play.actions))
    _check_range("--seat", seat, variant.players - 1)
    if not as_json and step is None and seat is None:
        say(*notation.heading(record.play))
    eye, last = None if seat is None else Seat(seat), len(record.play.actions)
    said = _printed(ctx.obj, record, eye) if logs else {}
    canvas, terms = Canvas(table), table.terms(lang)
    for now in replaying.replay(record.play):
        if step in (None, now.number):
            if as_json:
                click.echo(_as_json(record, now, eye, lang, said if now.number == last else {}))
            else:
                canvas.title(_title(record, now, eye))
                canvas.say(*_as_text(record, now, eye, terms), "")
                canvas.show(table.render(now.state, eye, lang))
            _wait(delay, step_by_step and now.number < last and step is None)
    if not as_json and step is None:
        say("", *notation.ending(record))
    if not as_json and step in (None, last):
        say(*notation.printed(record, said))


def _printed(home: Home, record: GameRecord, seat: Seat | None) -> dict[Seat, str]:
    """By seat, what bots printed in a game, as far as `seat` is to see it; says so where that is nothing."""
    from arena.printed import log_folders, printed

    said = printed(record, log_folders(home))
    found = {at: text for at, text in said.items() if seat in (None, at)}
    if not found:
        note("nothing that a bot printed in this game is in the logs here")
    return found


def _check_range(option: str, number: int | None, most: int) -> None:
    if number is not None and number > most:
        raise InputError(f"{option} {number}: there is none", f"0 to {most}", "E225")


def _wait(delay: float, for_enter: bool) -> None:
    if for_enter and sys.stdin.isatty():
        note("-- Enter for the next step, Ctrl-C to stop --")
        sys.stdin.readline()
    else:
        time.sleep(delay)


def _as_text(record: GameRecord, now: Step, seat: Seat | None, terms: Terms) -> Iterator[str]:
    from arena import notation

    if seat in (None, now.seat) and (said := notation.note_of(record, now.number)):
        yield from notation.folded(f"“{said}”", "  ")
    for event in notation.seen(now, seat):
        yield from notation.folded(_event(event, terms), "  ")
    if seat is None:
        yield from notation.faults(record, now.faults)


def _title(record: GameRecord, now: Step, seat: Seat | None) -> str:
    """`[12/52] seat 1 (greedy): K7, 0.4 ms`; of other seats' actions a seat learns by events alone."""
    place = f"[{now.number}/{len(record.play.actions)}]"
    if now.seat is None:
        return f"{place} the deal"
    who = f"{place} seat {now.seat} ({label(record.play.seats[now.seat].bot)})"
    if seat not in (None, now.seat):
        return who
    ms = record.account.ms[now.number - 1 : now.number]
    return f"{who}: {now.action}" + (
        " (a house player)" if now.house else "".join(f", {t:,.1f} ms" for t in ms)
    )


def _event(event: Event, terms: Terms) -> str:
    from arena.notation import event_line, plain

    known = "" if event.audience is None else f"  (known to {plain(event.audience)})"
    return event_line(terms, event.kind, event.body) + known


def _as_json(record: GameRecord, now: Step, seat: Seat | None, lang: str, printed: dict[Seat, str]) -> str:
    from pydantic import TypeAdapter

    from arena.documents import schema_name
    from arena.notation import ReplayStep, step_for

    step = TypeAdapter(ReplayStep).dump_python(
        replace(step_for(record, now, seat, lang), printed=printed), mode="json"
    )
    return json_text(json.dumps({"schema": schema_name("replay"), **step}, ensure_ascii=False))
