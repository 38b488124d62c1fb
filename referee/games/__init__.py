"""The registry: one line a game. Whatever lists or looks up games asks here."""

from __future__ import annotations

from difflib import get_close_matches

from referee.game import Game, VariantError
from referee.games.aristoocrazy import Aristoocrazy
from referee.games.claim import Claim

GAMES: dict[str, Game] = {game.name: game for game in (Claim(), Aristoocrazy())}


def game_of(variant: str) -> Game:
    """The game that a variant's id, alias or pattern belongs to. Raises VariantError with near names."""
    for game in GAMES.values():
        if variant.split("/")[0].split("+")[0] == game.name or variant.split("+")[0] in game.aliases():
            return game
    known = sorted({name for game in GAMES.values() for name in (game.name, *game.aliases())})
    near = get_close_matches(variant, known, 1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    raise VariantError(f"no game or variant {variant!r}; {hint}known: {', '.join(known)}")
