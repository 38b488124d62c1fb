"""`arena ratings`: the leaderboard, recomputed out of the records of the games."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.completing import tournaments
from arena.cli.output import count, note
from arena.cli.tables import View, with_view

if TYPE_CHECKING:
    from arena.home import Home
    from arena.recomputing import Export


@click.command(short_help="The same, recomputed out of records: of an export, or of a tournament.")
@click.argument("tournament", required=False, shell_complete=tournaments)
@click.option("--from", "file", metavar="FILE", help="An export (arena record export); - is stdin.")
@with_view
@click.pass_obj
def ratings(home: Home, tournament: str | None, file: str | None, view: View) -> None:
    """The leaderboard of an export or a tournament, recomputed out of its records.

    Equal games give equal bytes, whoever recomputes them: compare the digest. The chain of an export must hold;
    whether its games do is for arena verify to say, which plays them again.

    \b
    arena ratings --from cup.jsonl
    arena record export cup | arena ratings --from - --json
    arena ratings cup --anchor greedy=25
    """
    from arena.recomputing import recomputed

    if (tournament is None) == (file is None):
        raise click.UsageError("name a tournament, or an export with --from FILE")
    export = _of_file(file) if file is not None else _of_ledger(home, str(tournament))
    if export.held:
        note(
            f"{count(export.held, 'game')} not in it: they are over, but held back, since others are still to be "
            "played on their deals"
        )
    view.print(recomputed(export, view.variant, view.settings))


def _of_file(file: str) -> Export:
    from arena.errors import InputError
    from arena.recomputing import read_export
    from arena.records import is_text, open_file

    if file == "-":
        fix = "save it to a file, and see all that is wrong: arena verify FILE"
        return read_export(sys.stdin.buffer, "what stdin has", fix)
    with open_file(Path(file)) as lines:
        if is_text(lines):
            fix = "rate an export: arena record export TOURNAMENT -o FILE"
            raise InputError(f"{file} is KGN: games alone, without what they are rated by", fix, "E270")
        return read_export(lines, file, f"see all that is wrong: arena verify {shlex.quote(file)}")


def _of_ledger(home: Home, tournament: str) -> Export:
    from arena.reading import begun, opened
    from arena.recomputing import read_export
    from arena.records import export

    with opened(home) as ledger:
        known = begun(tournament, ledger)
        lines, _ = export(ledger, known)
        return read_export(lines, known.name, f"see all that is wrong: arena verify {known.name}")
