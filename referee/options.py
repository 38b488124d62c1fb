"""Options of a game's rules, as ids write them: `+troll_carry=cap`.

An id has one way to be written, so that one game never counts as two: options in the order of the game's
table, the default left out. Knows no game.

>>> table = [Option("tie", ("draw", "cards"), "7.2"), Option("rounds", ("12", "8"), "3.0")]
>>> written("any/2p", read(["rounds=8", "tie=draw"], table), table)
'any/2p+rounds=8'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from referee.game import VariantError


@dataclass(frozen=True, slots=True)
class Option:
    """A rule that no source settles. Games subclass it with what more they say of one."""

    name: str
    values: tuple[str, ...]
    """The first is the default."""
    rule: str
    """Its number in the game's README."""


def read(given: Iterable[str], table: Sequence[Option]) -> dict[str, str]:
    """`["troll_carry=cap"]` as a dict, in the order given.

    Raises VariantError for an unknown name or value (with those known) and for an option given twice.
    """
    values = {option.name: option.values for option in table}
    chosen: dict[str, str] = {}
    for text in given:
        name, _, value = text.partition("=")
        if name not in values:
            raise VariantError(f"no option {name!r}; {did_you_mean(name, values)}known: {', '.join(values)}")
        if value not in values[name]:
            known = f"{did_you_mean(value, values[name])}known: {', '.join(values[name])}"
            raise VariantError(f"{name} cannot be {value!r}; {known}")
        if name in chosen:
            raise VariantError(f"option {name} is given twice")
        chosen[name] = value
    return chosen


def written(base: str, chosen: Mapping[str, str], table: Sequence[Option]) -> str:
    """The one way to write the id of `base` with the chosen values; options not chosen have their default."""
    return base + "".join(
        f"+{option.name}={chosen[option.name]}"
        for option in table
        if chosen.get(option.name, option.values[0]) != option.values[0]
    )


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A question, with a space after it, whether the known word most like `word` was meant; else nothing.

    >>> did_you_mean("cup", ["pile", "cap"]), did_you_mean("cup", ["pile"])
    ("did you mean 'cap'? ", '')
    """
    likely = get_close_matches(word, list(known), 1)
    return f"did you mean {likely[0]!r}? " if likely else ""
