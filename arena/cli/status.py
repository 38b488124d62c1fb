"""`arena status`: how far tournaments are."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from arena.cli.completing import tournaments
from arena.cli.output import columns, count, document, note, show
from protocol.escape import visible

if TYPE_CHECKING:
    from arena.home import Home
    from arena.reading import Status


@click.command(short_help="How far a tournament is, or all of them.")
@click.argument("tournament", required=False, shell_complete=tournaments)
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.pass_obj
def status(home: Home, tournament: str | None, as_json: bool) -> None:
    """How many games are over, which bots made faults, and whether somebody plays on now.

    \b
    arena status                   all tournaments
    arena status cup.toml          one, by its file or its name
    arena status cup --json        for programs
    """
    from arena.reading import status as read
    from arena.reading import statuses

    if tournament is not None:
        one = read(tournament, home)
        document("status", asdict(one)) if as_json else show(_text(one))
        return
    known = statuses(home)
    if as_json:
        document("statuses", {"tournaments": [asdict(one) for one in known]})
    elif known:
        head = ["tournament", "schedule", "games", "over", "bots", "now", "begun"]
        show(columns(head, [_row(one) for one in known]))
    else:
        note(f"no tournament in {home.ledger} yet\n  next: arena init cup.toml, then arena run cup.toml")


def _row(one: Status) -> tuple[object, ...]:
    return one.name, one.schedule, _known(one.games), one.over, len(one.bots), _now(one), one.begun


def _known(games: int | None) -> int | str:
    return "open" if games is None else games


def _now(one: Status) -> str:
    if one.running:
        return "running"
    return "complete" if one.ended else "stopped"


def _text(one: Status) -> str:
    rows = [(v.variant, _known(v.games), v.over, v.forfeit, v.void) for v in one.variants]
    dropped = f" and {one.dropped:,} left out" if one.dropped else ""
    games = count(one.over, "game") if one.games is None else f"{one.over:,} of {count(one.games, 'game')}"
    parts = [
        f"{one.name}: {_now(one)}, {games} over{dropped}, begun {one.begun}",
        f"{one.schedule.replace('_', ' ')}: {one.ended or 'more is to be played'}",
        *(["\n".join(map(visible, one.rounds))] if one.rounds else []),
        columns(["variant", "games", "over", "forfeit", "void"], rows),
    ]
    if one.faults:
        faults = [(fault.bot, fault.kind, fault.seats) for fault in one.faults]
        parts.append(columns(["bot", "fault", "seats"], faults))
    else:
        parts.append("No bot has made a fault.")
    return "\n\n".join([*parts, *one.notes])
