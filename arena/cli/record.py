"""`arena record`: the records of games, listed, shown and taken out of the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.again import other
from arena.cli.output import count, document, note, raw, say
from arena.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from arena.home import Home
    from arena.ledger import Begun
    from protocol.result import GameResult


@click.group()
def record() -> None:
    """Records of games.

    \b
    arena record list cup --fault
    arena record show 3f2a9c
    arena record export cup -o cup.jsonl
    arena record export cup --format text -o cup.kgn
    """


@record.command()
@click.argument("tournament")
@click.option("-o", "--output", default="-", metavar="FILE", help="- is stdout, the default.")
@click.option("--format", "form", type=click.Choice(["jsonl", "text"]), default="jsonl", show_default=True)
@click.pass_context
def export(ctx: click.Context, tournament: str, output: str, form: str) -> None:
    """Records of TOURNAMENT as chained JSON Lines, or as text.

    Only of deals whose games are all over, since a record shows its deal. Text (KGN) has the games alone, one after
    the other. `arena verify` checks either file; that no game is missing, only the chain of JSON Lines can tell.
    """
    from arena import reading
    from arena.records import export, write_whole

    with reading.opened(ctx.obj) as ledger:
        begun = reading.begun(tournament, ledger)
        lines, held = export(ledger, begun)
        if form == "text":
            lines = _texts(lines)
        if output == "-":
            for line in lines:
                raw(line.removesuffix(b"\n"))
        else:
            write_whole(Path(output), lines)
    where = "" if output == "-" else f" to {output}"
    note(f"{count(held.exported, 'game')} exported{where}")
    if held.missing != 0:
        left = "games" if held.missing is None else count(held.missing, "game")
        note(
            f"{held.held:,} more {'is' if held.held == 1 else 'are'} over but held back, and the seed too: a record "
            f"shows its deal, and {left} of the tournament must still be played"
        )
        if held.missing is None:
            note(f"  what ends it: {other(ctx, 'run', begun.name)}{_rule(ctx.obj, begun)}")


def _texts(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The records among the lines of an export as KGN."""
    from arena.records import read_line
    from arena.textform import text_of
    from protocol.codec import encode

    for line in lines:
        part, body, _ = read_line(line)
        if part == "record":
            yield text_of(encode(body)).encode()


def _rule(home: Home, begun: Begun) -> str:
    """What else does, where nobody knows how many games there will be: to change the file of a tournament."""
    from arena import reading
    from arena.planning import course_in

    if begun.config["schedule"]["kind"] == "compare":
        return ""
    with reading.opened(home) as ledger:
        course = course_in(ledger, begun)
    lacking = course.lacking()
    enough = max(1, course.progress.games + lacking + bool(lacking))
    return f"; sooner with games = {enough} under [stop] in its file"


@record.command("list")
@click.argument("tournament")
@click.option("--variant", metavar="PATTERN", help="Only those variants: claim/2p/*")
@click.option("--bot", metavar="NAME", help="Only games of that bot.")
@click.option("--fault", is_flag=True, help="Only games with a fault, or void.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_context
def list_(
    ctx: click.Context, tournament: str, variant: str | None, bot: str | None, fault: bool, as_json: bool
) -> None:
    """The games of TOURNAMENT that are over."""
    from arena import reading

    with reading.opened(ctx.obj) as ledger:
        name = reading.begun(tournament, ledger).name
        results = ledger.results(name)
    chosen = _variants(variant)
    wanted = [result for result in results if _is_wanted(result, chosen, bot, fault)]
    wanted.sort(key=lambda result: (result.variant, int(_number(result)), result.block, result.id))
    if bot is not None and not any(_has_bot(result, bot) for result in results):
        known = {seat.bot.name for result in results for seat in result.seats}
        raise InputError(f"--bot: no game of {bot!r}", did_you_mean(bot, known), "E226")
    if as_json:
        document("results", {"tournament": name, "results": [asdict(result) for result in wanted]})
        return
    say(*map(_line, wanted))
    note(
        f"{len(wanted):,} of {count(len(results), 'game')}" + ("; see one: arena replay ID" if wanted else "")
    )


@record.command()
@click.argument("game")
@click.option("--game", "which", default="", metavar="ID", help="Which game of an export.")
@click.option("--anyway", is_flag=True, help="Also where games of the same deal are still to come.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    help="KGN, or the record as it is.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.pass_context
def show(ctx: click.Context, game: str, which: str, anyway: bool, form: str, as_json: bool) -> None:
    """One record as text.

    GAME is the first digits of its id, or a file. The text (KGN, docs/records.md) is the whole record: `verify`,
    `replay`, `repro` and `record show` read it as they read JSON.

    \b
    arena record show 3f2a9c > game.kgn
    arena record show game.kgn --format json
    """
    from arena.records import find_record
    from arena.textform import text_of

    data = find_record(ctx.obj, game, which, anyway)
    if as_json or form == "json":
        raw(data.rstrip(b"\n"))
    else:
        say(*text_of(data).removesuffix("\n\n").split("\n"))


def _variants(pattern: str | None) -> frozenset[str] | None:
    from referee.games import game_of

    return None if pattern is None else frozenset(game_of(pattern).matching(pattern))


def _is_wanted(result: GameResult, variants: frozenset[str] | None, bot: str | None, fault: bool) -> bool:
    return (
        (variants is None or result.variant in variants)
        and (bot is None or _has_bot(result, bot))
        and (not fault or result.verdict == "void" or any(seat.fault for seat in result.seats))
    )


def _has_bot(result: GameResult, bot: str) -> bool:
    return any(bot in (seat.bot.name, str(seat.bot)) for seat in result.seats)


def _line(result: GameResult) -> str:
    """`3f2a9c01d2e4  claim/2p/GK-UWX  #0  greedy 3, random 2`, the best first."""
    ranked = sorted(result.seats, key=lambda seat: seat.rank)
    seats = ", ".join(f"{s.bot.name} {s.score}" + (f" ({s.fault})" if s.fault else "") for s in ranked)
    verdict = "" if result.verdict == "finished" else f"  {result.verdict}"
    return f"{result.id[:12]}  {result.variant}  #{_number(result)}  {seats}{verdict}"


def _number(result: GameResult) -> str:
    """The deal's number in its tournament."""
    return result.deal.rpartition("#")[2]
