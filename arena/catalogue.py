"""What can be played: the games of the registry and their variants, as values for tables and programs."""

from __future__ import annotations

from dataclasses import dataclass

from referee.games import GAMES, game_of


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A game."""

    name: str
    title: str
    rules: int
    """Results of different rules never mix."""
    players: tuple[int, ...]
    variants: int
    aliases: dict[str, str]
    """Short names, with the id of the variant that each stands for."""
    options: dict[str, tuple[str, ...]]
    """The values of each, the default first."""


@dataclass(frozen=True, slots=True)
class VariantInfo:
    """A variant of a game."""

    id: str
    game: str
    players: int
    sides: int
    """How many win and lose by themselves."""
    teams: tuple[int, ...]
    """The team of each seat."""
    aliases: tuple[str, ...]


def game_info(name: str) -> GameInfo:
    """A game, by its name or that of a variant. Raises VariantError."""
    game = game_of(name)
    variants = [game.variant(id) for id in game.variants()]
    return GameInfo(
        name=game.name,
        title=game.title,
        rules=game.rules,
        players=tuple(sorted({variant.players for variant in variants})),
        variants=len(variants),
        aliases=dict(game.aliases()),
        options={option: tuple(values) for option, values in game.options().items()},
    )


def variant_infos(pattern: str | None = None) -> list[VariantInfo]:
    """The variants that a pattern means, or all. Raises VariantError where it means none."""
    if pattern is not None:
        return [variant_info(id) for id in game_of(pattern).matching(pattern)]
    return [variant_info(id) for game in GAMES.values() for id in game.variants()]


def variant_info(id: str) -> VariantInfo:
    """A variant, by its id or an alias. Raises VariantError."""
    game = game_of(id)
    variant = game.variant(id)
    aliases = tuple(alias for alias, meant in game.aliases().items() if meant == variant.id)
    sides = len(set(variant.teams))
    return VariantInfo(variant.id, game.name, variant.players, sides, variant.teams, aliases)
