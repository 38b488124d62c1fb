"""What is written more than once by hand agrees: a zone's fields and its copy, numbers and the tables they index."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import GetSetDescriptorType, MemberDescriptorType, ModuleType
from typing import Any

import pytest

from referee.game import Game
from referee.games import game_of
from referee.games.aristoocrazy import actions, data
from referee.games.aristoocrazy import events as aristoocrazy_events
from referee.games.aristoocrazy import state as aristoocrazy_state
from referee.games.claim import cards
from referee.games.claim import events as claim_events
from referee.games.claim import state as claim_state
from tests.every_game.game_walks import walk

IDS = ("claim/2p/NA-TDS", "claim/4p/NA-WXTDS", "aristoocrazy/3p/classic", "aristoocrazy/2p/quick2013")


def fields(value: object) -> list[str]:
    """The names of what an object of the rules holds, compiled or not; none for plain values."""
    kind = type(value)
    if not kind.__module__.startswith("referee."):
        return []
    kept = (MemberDescriptorType, GetSetDescriptorType)
    return [
        name for name, entry in vars(kind).items() if isinstance(entry, kept) and not name.startswith("__")
    ]


def flaws(mine: Any, copy: Any, where: str) -> Iterator[str]:
    """The places in which a copy lacks something, holds something else, or shares a list."""
    if isinstance(mine, list) and mine is copy:
        yield f"{where} is shared"
    elif mine is copy:
        return
    elif isinstance(mine, list) and len(mine) == len(copy):
        for at, pair in enumerate(zip(mine, copy, strict=True)):
            yield from flaws(*pair, f"{where}[{at}]")
    elif names := fields(mine):
        for name in names:
            if hasattr(copy, name):
                yield from flaws(getattr(mine, name), getattr(copy, name), f"{where}.{name}")
            else:
                yield f"{where}.{name} is missing"
    elif mine != copy:
        yield f"{where} is {copy!r}, not {mine!r}"


@pytest.mark.parametrize("id", IDS)
def test_a_copy_has_every_field_of_every_zone(id: str) -> None:
    game: Game = game_of(id)
    for state in walk(game, id, 5):
        table: Any = state.table  # type: ignore[attr-defined]
        assert [*flaws(table, table.clone(), "table")] == []
    assert {"public", "private", "hidden"} < set(fields(table)) and "variant" in fields(table.public)


def numbers(module: ModuleType) -> list[tuple[str, int]]:
    """The constants of a module that its source numbers by hand, in order."""
    source = Path(module.__file__ or "").parent / f"{module.__name__.rpartition('.')[2]}.py"
    return [
        (line.target.id, line.value.value)
        for line in ast.parse(source.read_text("utf-8")).body
        if isinstance(line, ast.AnnAssign)
        and isinstance(line.target, ast.Name)
        and isinstance(line.value, ast.Constant)
        and isinstance(line.value.value, int)
    ]


KIND_HEADS = [kind.head.removeprefix("card:").replace(":", "_") for kind in actions.KINDS]
TABLES: dict[str, tuple[ModuleType, str, Sequence[str | None], dict[str, str | None]]] = {
    "actions": (actions, "END", KIND_HEADS, {"PAY_FOUR": "pay", "PAY_SOME": "pay", "DRAFT": "traits"}),
    "traits": (data, "BOW", data.TRAITS, {}),
    "events": (
        aristoocrazy_events, "SETTLED", [name for name, _ in aristoocrazy_events.EVENTS], {"SETTLED": "setup"},
    ),
    "phases": (
        aristoocrazy_state, "SETUP", aristoocrazy_state.PHASES, {"MOVING": "move", "USING": "use", "OVER": "end"},
    ),
    "occasions": (aristoocrazy_state, "RED", aristoocrazy_state.OCCASIONS, {}),
    "decisions": (
        aristoocrazy_state, "GO_ON", aristoocrazy_state.DECISIONS,
        {
            "GO_ON": None, "MAN": "setup_man", "WOMAN": "setup_woman", "MOVE_PHASE": "move", "USE_PHASE": "use",
            "HEIR_PLACE": "heir", "STAKE": "commit", "LAYING": "lay", "BIDDING": "bid", "PAYING": "pay",
            "RELIEF": "hazard",
        },
    ),
    "factions": (cards, "GOBLINS", [title.lower() for title in cards.TITLES], {}),
    "claim decisions": (claim_state, "IDLE", claim_state.DECISIONS, {"IDLE": None}),
    "claim events": (
        claim_events, "DEAL", claim_events.KINDS,
        {
            "PLAYED": "play", "LOOK_UNSEEN": "look", "DREW": "recruit", "DREW_UNSEEN": "recruit", "ROW": "capture",
            "OUT": "trolls_out", "SMASHED": "smash",
        },
    ),
}  # fmt: skip
"""By what is numbered: where, the first constant, the entries, and the constants that are named otherwise."""


@pytest.mark.parametrize("name", TABLES)
def test_a_constant_is_the_number_of_its_entry(name: str) -> None:
    module, first, entries, otherwise = TABLES[name]
    there = numbers(module)
    start = [constant for constant, _ in there].index(first)
    mine = there[start : start + len(entries)]
    assert [number for _, number in mine] == [*range(len(entries))]
    assert [otherwise.get(constant, constant.lower()) for constant, _ in mine] == [*entries]
    assert (len(there) == start + len(entries)) or there[start + len(entries)][1] != len(entries)
