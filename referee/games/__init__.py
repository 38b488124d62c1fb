"""The registry: one line a game. Whatever lists or looks up games asks here."""

from __future__ import annotations

import sys
from difflib import get_close_matches
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.resources import files

from referee.game import Game, State, VariantError
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


def compiled() -> bool:
    """Whether the rules that run here were compiled with mypyc (hatch_build.py); they are the same either way."""
    kinds = (State, *(type(game) for game in GAMES.values()))
    return all(
        str(sys.modules[kind.__module__].__file__).endswith(tuple(EXTENSION_SUFFIXES)) for kind in kinds
    )


def why_plain() -> str:
    """Why the rules run as plain Python, in words; empty where they are compiled."""
    note = files(__package__) / "built.txt"
    if compiled():
        return ""
    if not note.is_file():
        return "this is a checkout, where sources run as they are (`make compiled` makes a tree that is compiled)"
    return note.read_text("utf-8") or "the wheel was compiled for another Python than this one"
