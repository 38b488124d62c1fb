"""The 64 variants of Claim, their options, and how an id is written (Claim 2).

An id has one way to be written, so that one game never counts as two. Knows no state.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from fnmatch import fnmatchcase
from functools import cache
from hashlib import sha256
from itertools import combinations
from typing import Final

from protocol.vocabulary import Team
from referee.game import Variant, VariantError
from referee.games.claim.cards import LETTERS, NAMES, Card, deck_of
from referee.options import Option, did_you_mean, read, written

RULES: Final = 1
"""Raised by hand whenever a game could go another way than before."""

PAIRS: Final = ("GK", "NA")
SINGLES: Final = "UWXTDS"
ALIASES: Final = {"claim": "claim/2p/GK-UWX", "claim-2": "claim/2p/NA-TDS"}

_SINGLES_IN_DECK: Final = {2: 3, 3: 5, 4: 5}
_CARDS_EACH: Final = {2: 13, 3: 12, 4: 9}


@dataclass(frozen=True, slots=True)
class ClaimOption(Option):
    """An option, and the factions that it is about."""

    needs: str
    """Letters of the factions without which the option means nothing."""


OPTIONS: Final = (
    ClaimOption("knight_vs_doppelganger", ("beats", "no"), "3.6", "KX"),
    ClaimOption("dwarf_taker", ("last_ranked", "second_ranked", "last_losing_side"), "5.3", "W"),
    ClaimOption("seer_loser", ("faceup", "draw"), "5.4", "S"),
    ClaimOption("seer_multi", ("three_way", "off"), "5.4", "S"),
    ClaimOption("dragon_over_phase", ("yes", "no"), "5.5", "D"),
    ClaimOption("troll_carry", ("pile", "bonus", "cap"), "5.6", "T"),
    ClaimOption("troll_leftover", ("none", "last_winner"), "5.6", "T"),
    ClaimOption("giant_multi", ("choose", "all_opponents"), "5.8", "A"),
    ClaimOption("faction_tie", ("lexicographic", "void"), "7.1", ""),
    ClaimOption("game_tie", ("draw", "cards"), "7.2", ""),
)
"""In the order in which an id writes them."""

_BY_NAME: Final = {option.name: option for option in OPTIONS}


@dataclass(frozen=True, slots=True)
class Options:
    """One value of every option."""

    knight_vs_doppelganger: str = "beats"
    dwarf_taker: str = "last_ranked"
    seer_loser: str = "faceup"
    seer_multi: str = "three_way"
    dragon_over_phase: str = "yes"
    troll_carry: str = "pile"
    troll_leftover: str = "none"
    giant_multi: str = "choose"
    faction_tie: str = "lexicographic"
    game_tie: str = "draw"


@dataclass(frozen=True, slots=True)
class ClaimVariant(Variant):
    """A deck, a number of players and a value for every option."""

    factions: tuple[int, ...]
    """Those in the deck, in the order of the table."""
    each: int
    """Cards dealt to each seat, and so tricks in each phase."""
    turned: int
    """Cards face up for each trick of the first phase."""
    deck: tuple[Card, ...]
    """Every card, in the order of the table."""
    options: Options
    sides: int
    """How many teams there are."""


@cache
def bases() -> tuple[str, ...]:
    """The ids of the 64 variants with default options: 40 for two, 12 for three, 12 for four players."""
    return tuple(
        f"claim/{players}p/{pair}-{''.join(singles)}"
        for players, count in _SINGLES_IN_DECK.items()
        for pair in PAIRS
        for singles in combinations(SINGLES, count)
    )


@cache
def variant_of(id: str) -> ClaimVariant:
    """The variant of an id or alias.

    Raises VariantError for what is unknown (with what is known), for an option of a faction that is not
    in the deck, and for an id that is not written in the one right way (with that way).
    """
    base, *given = id.split("+")
    base = ALIASES.get(base, base)
    if base not in bases():
        raise VariantError(_why_unknown(base, given))
    options = read(given, OPTIONS)
    for name in options:
        _require_factions(name, base)
    right = written(base, options, OPTIONS)
    if "+".join([base, *given]) != right:
        raise VariantError(f"no variant {id!r}: it is written {right!r}")
    return _build(right, base, options)


def matching(pattern: str) -> list[str]:
    """The ids that a pattern means; with options, of those variants that have their factions.

    Raises VariantError where it means none.
    """
    base, *given = pattern.split("+")
    base = ALIASES.get(base, base)
    options = read(given, OPTIONS)
    fitting = [known for known in bases() if fnmatchcase(known, base)]
    if not fitting:
        raise VariantError(_why_unknown(base, given))
    found = [known for known in fitting if all(_has_factions(name, known) for name in options)]
    if not found:
        for name in options:
            _require_factions(name, fitting[0])
        raise VariantError(f"no variant of {base!r} has the factions of all of {', '.join(options)}")
    return [written(known, options, OPTIONS) for known in found]


@cache
def rules_id(variant: ClaimVariant) -> str:
    """The rules number and eight hex digits of the data: players, cards and options."""
    data = [variant.players, [NAMES[card] for card in variant.deck], asdict(variant.options)]
    return f"{RULES}-{sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:8]}"


def _build(id: str, base: str, options: dict[str, str]) -> ClaimVariant:
    _, players_text, letters = base.split("/")
    players = int(players_text[0])
    factions = tuple(sorted(LETTERS.index(letter) for letter in letters if letter != "-"))
    teams = tuple(Team(seat % 2 if players == 4 else seat) for seat in range(players))
    return ClaimVariant(
        id=id,
        teams=teams,
        factions=factions,
        each=_CARDS_EACH[players],
        turned=1 if players == 2 else 2,
        deck=tuple(deck_of(factions)),
        options=Options(**options),
        sides=len(set(teams)),
    )


def _has_factions(name: str, base: str) -> bool:
    return set(_BY_NAME[name].needs) <= set(base.rsplit("/", 1)[1])


def _require_factions(name: str, base: str) -> None:
    if not _has_factions(name, base):
        allowed = [option.name for option in OPTIONS if _has_factions(option.name, base)]
        needs = " and ".join(_BY_NAME[name].needs)
        raise VariantError(
            f"option {name} needs {needs}, not in the deck of {base}; known: {', '.join(allowed)}"
        )


def _why_unknown(base: str, given: list[str]) -> str:
    """What is wrong with an id or pattern that names no variant, and what would be right."""
    parts = base.split("/")
    if len(parts) != 3 or set(base) & set("*?["):
        aliases = ", ".join(f"{name} ({id})" for name, id in ALIASES.items())
        near = did_you_mean(base, [*ALIASES, *bases()])
        return f"no variant matches {base!r}; {near}known: claim/2p|3p|4p/GK|NA-<singles>, {aliases}"
    _, players, deck = parts
    if players not in ("2p", "3p", "4p"):
        return f"no variant {base!r}: players are 2p, 3p or 4p, not {players!r}"
    if unknown := sorted(set(deck) - set(LETTERS) - {"-"}):
        return f"no variant {base!r}: no faction {', '.join(unknown)}; known: {' '.join(LETTERS)}"
    right = [known for known in bases() if known.split("/")[1] == players and _same_deck(known, deck)]
    if right:
        return f"no variant {'+'.join([base, *given])!r}: it is written {'+'.join([right[0], *given])!r}"
    singles = f"{_SINGLES_IN_DECK[int(players[0])]} of {SINGLES}"
    near = did_you_mean(base, bases())
    return f"no variant {base!r}: a {players} deck is GK or NA, '-', and {singles}; {near}".rstrip("; ")


def _same_deck(known: str, deck: str) -> bool:
    return sorted(known.split("/")[2].replace("-", "")) == sorted(deck.replace("-", ""))


def option_values(variant: ClaimVariant) -> dict[str, str]:
    """The value of every option that means something with this deck."""
    values = {field.name: getattr(variant.options, field.name) for field in fields(variant.options)}
    return {name: value for name, value in values.items() if _has_factions(name, variant.id.split("+")[0])}
