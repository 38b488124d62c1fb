"""`arena variants`: the configurations of the games."""

from __future__ import annotations

from dataclasses import asdict

import click

from arena.cli import completing
from arena.cli.output import columns, document, show


@click.command(short_help="The variants of all games, or those of a pattern.")
@click.argument("pattern", required=False, shell_complete=completing.variants)
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def variants(pattern: str | None, as_json: bool) -> None:
    """The variants that a pattern means; all where it is left out.

    \b
    arena variants
    arena variants 'claim/3p/*'
    arena variants 'claim/2p/*+troll_carry=cap'
    """
    from arena.catalogue import variant_infos

    known = variant_infos(pattern)
    if as_json:
        document("variants", {"variants": [asdict(one) for one in known]})
    else:
        rows = [(one.id, one.players, one.sides, ", ".join(one.aliases)) for one in known]
        show(columns(["variant", "players", "sides", "alias"], rows))
