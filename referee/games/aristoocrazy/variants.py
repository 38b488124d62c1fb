"""The six variants of Aristoocrazy, their options, and how an id is written (README 1).

An id has one way to be written, so that one game never counts as two. Knows no state.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fnmatch import fnmatchcase
from functools import cache
from hashlib import sha256
from typing import Final

from protocol.vocabulary import Team
from referee.game import Variant, VariantError
from referee.games.aristoocrazy.data import Board, EventCard, data
from referee.options import Option, did_you_mean, read, written

RULES: Final = 1
"""Raised by hand whenever a game could go another way than before."""

CLASSIC: Final = "classic"
QUICK: Final = "quick2013"
ALIASES: Final = {
    "aristoocrazy": "aristoocrazy/2p/classic",
    "aristoocrazy-quick": "aristoocrazy/2p/quick2013",
}

_PLAYERS: Final = ("2p", "3p", "4p")
_SETTINGS: Final = (CLASSIC, QUICK)
_QUICK_ROUNDS: Final = {"2p": ("8", "10"), "3p": ("8", "10"), "4p": ("10", "8")}
_NO_LIMIT: Final = "null"


@dataclass(frozen=True, slots=True)
class AristoocrazyOption(Option):
    """An option, and whether quick2013 leaves it open."""

    quick: bool = True


OPTIONS: Final = (
    AristoocrazyOption("rounds", ("12", "11", "10", "9", "8"), "R9"),
    AristoocrazyOption("trait_set", ("seed10", "rulebook9"), "R5", quick=False),
    AristoocrazyOption("setup_traits", ("draft", "fixed"), "R12", quick=False),
    AristoocrazyOption("take_visibility", ("open", "closed"), "R37"),
    AristoocrazyOption("vp_visibility", ("hidden", "public"), "R36"),
    AristoocrazyOption("max_heirs_per_turn", (_NO_LIMIT, "1"), "R18"),
)
"""In the order in which an id writes them, with their values in classic."""


@dataclass(frozen=True, slots=True)
class AristoocrazyVariant(Variant):
    """A board, the cards and dice on it, and a value for every option. Each seat is a team of its own."""

    quick: bool
    """Whether the rules are those of Q1 to Q5."""
    rounds: int
    """How many events are dealt."""
    trait_set: str
    """`seed10`, `rulebook9` or `quick2013`."""
    draft: bool
    """Whether houses choose the traits of their first two characters; else they are fixed."""
    open_takes: bool
    """Whether all see which token an ability use, dowry, exchange or tithe yields (R37)."""
    public_vp: bool
    max_heirs: int
    """Heirs that a house may have in a turn; 0: no limit."""
    board: Board
    traits: tuple[int, ...]
    """Those in the game, ascending."""
    dice: tuple[tuple[int, ...], ...]
    """The three red dice, six traits each (R7)."""
    events: tuple[EventCard, ...]
    """The different event cards."""
    deck: tuple[int, ...]
    """The event deck before the shuffle, as indexes into `events` (R38)."""
    actions: tuple[int, ...]
    """The action deck before the shuffle, as indexes into the data's action cards; empty in quick2013."""


@cache
def bases() -> tuple[str, ...]:
    """The ids of the six variants with default options: fewer players first, for each of them classic first."""
    return tuple(f"aristoocrazy/{players}/{setting}" for players in _PLAYERS for setting in _SETTINGS)


@cache
def variant_of(id: str) -> AristoocrazyVariant:
    """The variant of an id or alias.

    Raises VariantError for what is unknown (with what is known), for an option or a value that means
    nothing with quick2013, and for an id that is not written in the one right way (with that way).
    """
    base, *given = id.split("+")
    base = ALIASES.get(base, base)
    if base not in bases():
        raise VariantError(_why_unknown(base))
    chosen = read(given, OPTIONS)
    if refusal := _refusal(base, chosen):
        raise VariantError(refusal)
    right = written(base, chosen, _options_of(base))
    if "+".join([base, *given]) != right:
        raise VariantError(f"no variant {id!r}: it is written {right!r}")
    return _build(right)


def matching(pattern: str) -> list[str]:
    """The ids that a pattern means; with options, of those variants that have these values of them.

    Raises VariantError where it means none.
    """
    base, *given = pattern.split("+")
    base = ALIASES.get(base, base)
    chosen = read(given, OPTIONS)
    fitting = [known for known in bases() if fnmatchcase(known, base)]
    if not fitting:
        raise VariantError(_why_unknown(base))
    found = [known for known in fitting if not _refusal(known, chosen)]
    if not found:
        raise VariantError(_refusal(fitting[0], chosen))
    return [written(known, chosen, _options_of(known)) for known in found]


@cache
def rules_id(variant: AristoocrazyVariant) -> str:
    """The rules number and eight hex digits of all data that the variant plays with."""
    rest = data()
    hashed = [
        variant.players,
        option_values(variant),
        asdict(variant.board),
        variant.dice,
        [asdict(variant.events[card]) for card in variant.deck],
        [asdict(rest.actions[card]) for card in variant.actions],
        [rest.beats, rest.fixed, rest.unscored, rest.hand_limit],
        {
            type: {name: asdict(prize) for name, prize in prizes.items()}
            for type, prizes in rest.prizes.items()
        },
    ]
    return f"{RULES}-{sha256(json.dumps(hashed, sort_keys=True).encode()).hexdigest()[:8]}"


def option_values(variant: AristoocrazyVariant) -> dict[str, str]:
    """The value of every option that means something with this variant."""
    return _values_of(variant.id)


def _values_of(id: str) -> dict[str, str]:
    base, *given = id.split("+")
    table = _options_of(base)
    return {option.name: option.values[0] for option in table} | read(given, table)


def _options_of(base: str) -> tuple[AristoocrazyOption, ...]:
    """The options that mean something with `base`, with the values that they have there."""
    _, players, setting = base.split("/")
    if setting == CLASSIC:
        return OPTIONS
    rounds, *others = (option for option in OPTIONS if option.quick)
    return (replace(rounds, values=_QUICK_ROUNDS[players]), *others)


def _refusal(base: str, chosen: Mapping[str, str]) -> str:
    """Why `base` cannot have the chosen values, and what is known; empty where it can."""
    known = {option.name: option.values for option in _options_of(base)}
    for name, value in chosen.items():
        if name not in known:
            return f"option {name} means nothing with {base}; known: {', '.join(known)}"
        if value not in known[name]:
            return f"{name} cannot be {value!r} with {base}; known: {', '.join(known[name])}"
    return ""


def _build(id: str) -> AristoocrazyVariant:
    values = _values_of(id)
    _, players_text, setting = id.split("+")[0].split("/")
    players, quick = int(players_text[0]), setting == QUICK
    trait_set = values.get("trait_set", QUICK)
    events = data().symbols if quick else data().events(trait_set)
    limit = values["max_heirs_per_turn"]
    return AristoocrazyVariant(
        id=id,
        teams=tuple(map(Team, range(players))),
        quick=quick,
        rounds=int(values["rounds"]),
        trait_set=trait_set,
        draft=values.get("setup_traits") == "draft",
        open_takes=values["take_visibility"] == "open",
        public_vp=values["vp_visibility"] == "public",
        max_heirs=0 if limit == _NO_LIMIT else int(limit),
        board=data().boards[players],
        traits=data().trait_sets[trait_set].traits,
        dice=data().trait_sets[trait_set].dice,
        events=events,
        deck=_deck_of([card.copies for card in events]),
        actions=() if quick else _deck_of([card.copies for card in data().actions]),
    )


def _deck_of(copies: Sequence[int]) -> tuple[int, ...]:
    """Indexes of cards that have so many copies: each once in order, then the second copies (R38)."""
    return tuple(card for copy in range(max(copies)) for card, count in enumerate(copies) if count > copy)


def _why_unknown(base: str) -> str:
    """What is wrong with an id or pattern that names no variant, and what would be right."""
    game, *parts = base.split("/")
    if game != "aristoocrazy" or len(parts) != 2 or set(base) & set("*?["):
        aliases = ", ".join(f"{name} ({id})" for name, id in ALIASES.items())
        near = did_you_mean(base, [*ALIASES, *bases()])
        known = f"aristoocrazy/{'|'.join(_PLAYERS)}/{'|'.join(_SETTINGS)}"
        return f"no variant matches {base!r}; {near}known: {known}, {aliases}"
    players, setting = parts
    if players not in _PLAYERS:
        return f"no variant {base!r}: players are 2p, 3p or 4p, not {players!r}"
    near = did_you_mean(setting, _SETTINGS)
    return f"no variant {base!r}: no setting {setting!r}; {near}known: {', '.join(_SETTINGS)}"
