"""Whether the data files name only what the code has a function for.

A measure, a condition, a type of event or an action card without one is refused before any game begins.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from referee.games.aristoocrazy.cards import EFFECTS
from referee.games.aristoocrazy.data import Data, EventCard
from referee.games.aristoocrazy.evaluation import TYPES
from referee.games.aristoocrazy.measures import CONDITIONS, MEASURES
from referee.games.aristoocrazy.state import PHASES


class BrokenData(ValueError):
    """A data file of the game does not fit its code. The message says which card, and what is known."""


def check(data: Data) -> None:
    """Raise BrokenData for the first card that cannot be played."""
    for trait_set in data.trait_sets:
        for event in (*data.events(trait_set), *data.symbols):
            _check_event(data, event)
    for card in data.actions:
        _require("actions.json", card.id, "name", card.name, EFFECTS)
        for phase in card.phases:
            _require("actions.json", card.id, "phase", phase, PHASES)


def _check_event(data: Data, event: EventCard) -> None:
    _require("events.json", event.id, "type", event.type, TYPES)
    for prize in TYPES[event.type].needs:
        _require("events.json", event.id, f"a prize of {event.type}:", prize, data.prizes.get(event.type, ()))
    blank = {field.name: field.default for field in fields(EventCard)}
    needed: dict[str, Any] = {name: getattr(event, name) for name in TYPES[event.type].says}
    if needed and all(value == blank[name] for name, value in needed.items()):
        raise BrokenData(f"events.json: {event.id} ({event.type}) says nothing of {' or '.join(needed)}")
    if event.measure:
        _require("events.json", event.id, "measure", event.measure, MEASURES)
    if event.condition:
        _require("events.json", event.id, "condition", event.condition, CONDITIONS)


def _require(file: str, card: str, what: str, name: str, known: Iterable[str]) -> None:
    if name not in known:
        raise BrokenData(f"{file}: {card}: no {what} {name!r}; known: {', '.join(known)}")
