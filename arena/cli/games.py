"""`arena games`: what can be played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from arena.cli.output import columns, document, show

if TYPE_CHECKING:
    from referee.game import Game


@click.command(short_help="The games, or one with its options.")
@click.argument("game", required=False)
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def games(game: str | None, as_json: bool) -> None:
    """The games that can be played, or one of them with the options of its rules.

    \b
    arena games              all
    arena games claim        one, with every option, its default first
    """
    from referee.games import GAMES, game_of

    chosen = GAMES if game is None else {game_of(game).name: game_of(game)}
    known = [_document(one) for one in chosen.values()]
    if as_json:
        document("games", {"games": known})
    elif game is None:
        show(columns(["game", "title", "players", "variants", "rules"], [_row(one) for one in known]))
    else:
        show("\n\n".join(_text(one) for one in known))


def _document(game: Game) -> dict[str, Any]:
    variants = [game.variant(id) for id in game.variants()]
    return {
        "name": game.name,
        "title": game.title,
        "rules": game.rules,
        "players": sorted({variant.players for variant in variants}),
        "variants": len(variants),
        "aliases": dict(game.aliases()),
        "options": {name: list(values) for name, values in game.options().items()},
    }


def _row(game: dict[str, Any]) -> tuple[object, ...]:
    players = ", ".join(map(str, game["players"]))
    return game["name"], game["title"], players, game["variants"], game["rules"]


def _text(game: dict[str, Any]) -> str:
    players = ", ".join(map(str, game["players"]))
    parts = [f"{game['title']} (rules {game['rules']}): {game['variants']} variants for {players} players"]
    if game["aliases"]:
        parts.append(columns(["alias", "variant"], list(game["aliases"].items())))
    if game["options"]:
        options = [(name, values[0], ", ".join(values[1:])) for name, values in game["options"].items()]
        parts.append(columns(["option", "default", "else"], options))
        name, _, other = options[0]
        example = f"{game['name']}/*+{name}={other.split(', ')[0]}"
        parts.append(f"An option is written behind the variant: {example}")
    return "\n\n".join(parts)
