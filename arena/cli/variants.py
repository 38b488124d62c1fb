"""`arena variants`: the configurations of the games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from arena.cli import completing
from arena.cli.output import columns, document, show

if TYPE_CHECKING:
    from referee.game import Game


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
    from referee.games import GAMES, game_of

    if pattern is None:
        chosen = [(game, id) for game in GAMES.values() for id in game.variants()]
    else:
        chosen = [(game_of(pattern), id) for id in game_of(pattern).matching(pattern)]
    known = [_document(game, id) for game, id in chosen]
    if as_json:
        document("variants", {"variants": known})
    else:
        rows = [(one["id"], one["players"], one["sides"], ", ".join(one["aliases"])) for one in known]
        show(columns(["variant", "players", "sides", "alias"], rows))


def _document(game: Game, id: str) -> dict[str, Any]:
    variant = game.variant(id)
    return {
        "id": variant.id,
        "game": game.name,
        "players": variant.players,
        "sides": len(set(variant.teams)),
        "teams": list(variant.teams),
        "aliases": list(_aliases(game, id)),
    }


def _aliases(game: Game, id: str) -> Iterator[str]:
    return (alias for alias, meant in game.aliases().items() if meant == id)
