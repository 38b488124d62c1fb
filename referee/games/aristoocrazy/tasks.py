"""What is under way in a game, in words: a battle, a courtship, dice on the table, a hazard."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import singledispatch

from referee.games.aristoocrazy.data import CHARACTERS, FIELDS, TRAITS
from referee.games.aristoocrazy.state import (
    NOBODY,
    OCCASIONS,
    Battle,
    Birth,
    Courtship,
    Hazard,
    Public,
    Roll,
)  # fmt: skip
from referee.wording import Terms

Told = tuple[str, list[str]]
"""A label, and what stands behind it."""


def told(public: Public, terms: Terms) -> Iterator[Told]:
    """Everything under way, nothing where a house is only to move."""
    if public.hired:
        yield terms["word.mercenaries"], [str(public.hired)]
    if public.task is not None:
        yield from _told(public.task, terms)


@singledispatch
def _told(task: object, terms: Terms) -> Iterator[Told]:
    raise TypeError(f"nothing that can be under way: {type(task).__name__}")


@_told.register
def _battle(task: Battle, terms: Terms) -> Iterator[Told]:
    against = _names(task.defenders) or terms["char.empty"]
    yield (
        terms["word.battle"],
        [f"{CHARACTERS[task.char]} {terms['word.against']} {against}", FIELDS[task.field]],
    )
    for side, word in enumerate(("attacker", "defender")):
        said = [f"{terms['word.seat']} {task.seats[side]}"]
        if any(task.playable) or any(task.laid):
            counts = (("wins", task.wins[side]), ("playable", task.playable[side]))
            said += [f"{terms[f'word.{name}']} {count}" for name, count in counts]
        for name, traits in (("taught", task.taught[side]), ("laid", task.laid[side])):
            said += [f"{terms[f'word.{name}']} {_traits(traits, terms)}"] if traits else []
        bonus = f"{terms['word.mercenaries']} {task.bonus}"
        yield terms[f"word.{word}"], [*said, *([bonus] if task.bonus and not side else [])]
    if task.fleeing:
        yield terms["decision.retreat"], [_names(task.fleeing)]


@_told.register
def _courtship(task: Courtship, terms: Terms) -> Iterator[Told]:
    yield (
        terms["word.courtship"],
        [f"{CHARACTERS[task.char]} + {CHARACTERS[task.partner]}", FIELDS[task.field]],
    )


@_told.register
def _birth(task: Birth, terms: Terms) -> Iterator[Told]:
    parents = _parents(task.char, task.partner, terms)
    yield terms["word.heir"], [parents, FIELDS[task.field], _traits(task.traits, terms)]


@_told.register
def _roll(task: Roll, terms: Terms) -> Iterator[Told]:
    dice = " ".join(map(str, task.dice))
    who = [_parents(task.char, task.partner, terms)] if task.char != NOBODY else []
    yield terms["word.dice"], [f"{terms[f'die.{OCCASIONS[task.die]}']} {dice}", *who, FIELDS[task.field]]
    if task.slots:
        yield terms["word.traits"], [_traits(task.slots, terms)]


@_told.register
def _hazard(task: Hazard, terms: Terms) -> Iterator[Told]:
    owing = [f"{terms['word.seat']} {seat}: {count}" for seat, count in enumerate(task.missing) if count]
    yield terms["word.hazard"], [*owing, *([_names(task.aged)] if task.aged else [])]


def _names(chars: Iterable[int]) -> str:
    return " ".join(CHARACTERS[char] for char in chars)


def _parents(char: int, partner: int, terms: Terms) -> str:
    other = terms["parent.none"] if partner == NOBODY else CHARACTERS[partner]
    return f"{CHARACTERS[char]} + {other}"


def _traits(traits: Sequence[int], terms: Terms) -> str:
    return "+".join(terms[f"trait.{TRAITS[trait]}"] for trait in traits)
