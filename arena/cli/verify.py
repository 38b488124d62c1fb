"""`arena verify`: do records hold?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from string import hexdigits
from time import monotonic
from typing import TYPE_CHECKING

import click

from arena.cli.output import count, document, note, say, show

if TYPE_CHECKING:
    from arena.home import Home
    from arena.verification import Flaw, Tally, Verification

SHOWN = 50
"""Flaws printed; the others are counted."""


def _a_head(ctx: click.Context, param: click.Parameter, value: str) -> str:
    if value and (len(value) != 64 or not set(value) <= set(hexdigits)):
        raise click.BadParameter("a head has 64 hex digits, as arena run and arena status --json tell it")
    return value.lower()


@click.command(short_help="Play games again and say what does not hold.")
@click.argument("what", metavar="FILE|TOURNAMENT|GAME")
@click.option("--head", default="", metavar="HEX", callback=_a_head, help="What the head was once.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_context
def verify(ctx: click.Context, what: str, head: str, as_json: bool) -> None:
    """Play every game of an export, a record or a tournament again and say what does not hold.

    GAME is the first digits of an id.

    \b
    arena verify cup.jsonl
    arena verify game.kgn
    arena verify cup               the tournament of that name in the ledger
    arena verify cup --head HEX    nobody has rewritten it since then
    arena verify 3f2a9c            one game

    `arena run` and `arena status --json` tell the head of a tournament: who notes it down will see it, in the ledger
    and in an export, if a game that was kept by then is another now, or gone. It hangs on the order in which games
    end, so other runs of the same games have other heads, and the same results.

    Exit code 1 where anything does not hold.
    """
    from arena.verification import Tally

    tally, started = Tally(), monotonic()
    found: list[Flaw] = []
    for flaw in _flaws(ctx.obj, what, tally, head):
        if len(found) < SHOWN:
            found.append(flaw)
            if not as_json:
                say(str(flaw))
    seconds = monotonic() - started
    if as_json:
        document("verification", asdict(_outcome(what, tally, found)))
    else:
        show(_summary(what, tally))
    note(
        f"{count(tally.games, 'game')} checked in {seconds:.1f} s: {tally.games / max(seconds, 1e-3):,.0f} games/s"
    )
    ctx.exit(1 if tally.flaws else 0)


def _flaws(home: Home, what: str, tally: Tally, head: str) -> Iterator[Flaw]:
    from arena import reading
    from arena.exported import verify_export
    from arena.records import find_record, is_export, is_record_file, is_text, open_file
    from arena.textform import verify_text
    from arena.verification import verify_ledger

    if is_record_file(what):
        with open_file(Path(what)) as file:
            if is_text(file) and not head:
                yield from verify_text(Path(what), file.read(), tally)
            else:
                yield from (
                    verify_export(file, tally, head) if is_export(file) else _one(file.read(), tally, head)
                )
        return
    with reading.opened(home) as ledger:
        if ledger.find(what) is None and set(what) <= set(hexdigits):
            # its cards are not shown, so its deal need not be over
            yield from _one(find_record(home, what, anyway=True), tally, head)
        else:
            yield from verify_ledger(ledger, reading.begun(what, ledger), tally, head)


def _one(record: bytes, tally: Tally, head: str) -> Iterator[Flaw]:
    from arena.verification import verify_record

    if head:
        raise click.UsageError("--head goes with a tournament or an export")
    return verify_record(record, tally)


def _summary(what: str, tally: Tally) -> str:
    if tally.flaws:
        more = f" (the first {SHOWN} are shown)" if tally.flaws > SHOWN else ""
        return f"{what}: {count(tally.flaws, 'flaw')}{more}; {count(tally.games, 'game')} checked"
    planned = "" if tally.planned in (None, tally.games) else f" of {tally.planned:,} planned"
    heads = [f"\n{name} {value}" for name, value in (("chain", tally.chain), ("head", tally.head)) if value]
    return f"{what}: all of it holds; {count(tally.games, 'game')}{planned}{''.join(heads)}"


def _outcome(what: str, tally: Tally, found: list[Flaw]) -> Verification:
    from arena.verification import FlawInfo, Verification

    flaws = [FlawInfo(f.line or None, f.game or None, f.place.where, f.place.what) for f in found]
    return Verification(
        what, not tally.flaws, tally.games, tally.planned, tally.chain or None, tally.head or None,
        tally.flaws, flaws,
    )  # fmt: skip
