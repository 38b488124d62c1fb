"""`arena games`: what can be played."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from arena.cli.output import columns, document, show

if TYPE_CHECKING:
    from arena.catalogue import GameInfo


@click.command(short_help="The games, or one with its options.")
@click.argument("game", required=False)
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def games(game: str | None, as_json: bool) -> None:
    """The games that can be played, or one of them with the options of its rules.

    \b
    arena games              all
    arena games claim        one, with every option, its default first
    """
    from arena.catalogue import game_info
    from referee.games import GAMES

    known = [game_info(name) for name in (GAMES if game is None else [game])]
    if as_json:
        document("catalogue", {"games": [asdict(one) for one in known]})
    elif game is None:
        show(columns(["game", "title", "players", "variants", "rules"], [_row(one) for one in known]))
    else:
        show("\n\n".join(_text(one) for one in known))


def _row(game: GameInfo) -> tuple[object, ...]:
    return game.name, game.title, ", ".join(map(str, game.players)), game.variants, game.rules


def _text(game: GameInfo) -> str:
    players = ", ".join(map(str, game.players))
    parts = [f"{game.title} (rules {game.rules}): {game.variants} variants for {players} players"]
    if game.aliases:
        parts.append(columns(["alias", "variant"], list(game.aliases.items())))
    if game.options:
        options = [(name, values[0], ", ".join(values[1:])) for name, values in game.options.items()]
        parts.append(columns(["option", "default", "else"], options))
        name, values = next(iter(game.options.items()))
        parts.append(f"An option is written behind the variant: {game.name}/*+{name}={values[1]}")
    return "\n\n".join(parts)
