"""Decks and luck: shuffled from a seed, or given word by word (Aristoocrazy R9, R38).

A literal deal is the event cards in order, the action cards (the last is drawn first), `luck=<seed of the
dice>`, and any number of fixed occasions: `red/3/0/1=146`, `black/3/0/1=251`, `thief/3/0/1=12`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

from referee.chance import shuffled
from referee.game import WrongDeal
from referee.games.aristoocrazy.data import FIELDS, data
from referee.games.aristoocrazy.events import trait_names
from referee.games.aristoocrazy.luck import Luck
from referee.games.aristoocrazy.variants import AristoocrazyVariant, option_values

_OCCASION: Final = re.compile(r"((?:red|black|thief)/[0-9]+/[0-3]/[1-9][0-9]*)=([0-9]+)")
_DICE: Final = 3


def decks(variant: AristoocrazyVariant, seed: str) -> tuple[list[int], list[int]]:
    """Events as they will come up, and action cards from the bottom of their deck."""
    return shuffled(seed, "events", variant.deck)[: variant.rounds], shuffled(
        seed, "actions", variant.actions
    )


def written(
    variant: AristoocrazyVariant, events: Sequence[int], actions: Sequence[int], luck: Luck
) -> list[str]:
    """A deal as words."""
    fixed = [f"{name}={''.join(map(str, faces))}" for name, faces in luck.fixed.items()]
    return [*_event_ids(variant, events), *_action_ids(actions), f"luck={luck.seed}", *fixed]


def read(variant: AristoocrazyVariant, words: Sequence[str]) -> tuple[list[int], list[int], Luck]:
    """Events, actions and luck of a literal deal. Raises WrongDeal: what is wrong, missing or too much."""
    split = len(variant.actions)
    events, actions = list(words[: variant.rounds]), list(words[variant.rounds : variant.rounds + split])
    _require_cards(variant, "events", events, Counter(_event_ids(variant, variant.deck)), some=variant.rounds)
    _require_cards(variant, "actions", actions, Counter(_action_ids(variant.actions)), some=split)
    luck, *fixed = words[variant.rounds + split :] or [""]
    if not luck.startswith("luck="):
        raise WrongDeal(
            f"not a deal of {variant.id}: after the cards comes luck=<seed of the dice>, not {luck!r}"
        )
    by_event = {card.id: at for at, card in enumerate(variant.events)}
    by_action = {card.id: at for at, card in enumerate(data().actions)}
    return (
        [by_event[name] for name in events],
        [by_action[name] for name in actions],
        Luck(luck.removeprefix("luck="), dict(_occasion(variant, word) for word in fixed)),
    )


def _event_ids(variant: AristoocrazyVariant, cards: Iterable[int]) -> list[str]:
    return [variant.events[card].id for card in cards]


def _action_ids(cards: Iterable[int]) -> list[str]:
    return [data().actions[card].id for card in cards]


def _require_cards(
    variant: AristoocrazyVariant, what: str, given: list[str], deck: Counter[str], some: int
) -> None:
    """`some` cards out of `deck`. WrongDeal where they are fewer or others."""
    extra = sorted((Counter(given) - deck).elements())
    if extra:
        raise WrongDeal(f"not a deal of {variant.id}: {what} too much or unknown: {' '.join(extra)}")
    if len(given) < some:
        raise WrongDeal(f"not a deal of {variant.id}: {some} {what} are needed, {len(given)} are given")


def _occasion(variant: AristoocrazyVariant, word: str) -> tuple[str, tuple[int, ...]]:
    match = _OCCASION.fullmatch(word)
    if not match:
        raise WrongDeal(
            f"not a deal of {variant.id}: {word!r} is no occasion; write red/<round>/<seat>/<number>=146, "
            "black/…=251 or thief/…=12"
        )
    name, digits = match.groups()
    if name.startswith("thief"):
        return name, (int(digits),)
    faces = tuple(map(int, digits))
    if len(faces) < _DICE or not all(1 <= face <= 6 for face in faces):
        raise WrongDeal(f"not a deal of {variant.id}: {word!r}: three dice or more, with faces from 1 to 6")
    return name, faces


def setup_info(variant: AristoocrazyVariant) -> dict[str, Any]:
    """What every seat knows before the first decision."""
    board = variant.board
    return {
        "variant": variant.id,
        "options": option_values(variant),
        "rounds": variant.rounds,
        "board": {
            "id": board.id,
            "homes": [FIELDS[home] for home in board.homes],
            "fields": {
                FIELDS[field]: {
                    "places": board.places[field],
                    "adjacent": [FIELDS[near] for near in board.adjacent[field]],
                }
                for field in board.fields
            },
        },
        "traits": trait_names(variant.traits),
        "red_dice": [trait_names(die) for die in variant.dice],
        "events": _event_ids(variant, variant.deck),
        "actions": _action_ids(variant.actions),
        "fixed": None if variant.draft else [trait_names(traits) for traits in data().fixed],
    }
