"""Whole games as text: the deal, every action, what each seat was told, the result.

`KINGMAKER_GOLDEN=update pytest tests/golden` writes them. It refuses to rewrite a game that would go
another way while the rules number stands still, as results of both would be rated together.
"""

from __future__ import annotations

import json
import os
from hashlib import sha256
from pathlib import Path

import pytest

from referee.chance import Stream
from referee.game import Seat, State
from referee.games import GAMES, game_of

FOLDER = Path(__file__).parent
IDS = [
    "claim/2p/GK-UWX",
    "claim/2p/NA-TDS",
    "claim/2p/GK-TDS",
    "claim/2p/NA-UWX",
    "claim/2p/GK-WXS",
    "claim/2p/NA-UTD",
    "claim/3p/GK-UWXTD",
    "claim/3p/NA-WXTDS",
    "claim/3p/GK-UXTDS",
    "claim/4p/GK-UWXTS",
    "claim/4p/NA-UWTDS",
    "claim/4p/NA-UXTDS",
    "claim/2p/NA-TDS+seer_loser=draw+troll_carry=cap",
    "claim/3p/NA-WXTDS+dwarf_taker=second_ranked+troll_carry=bonus+giant_multi=all_opponents",
    "claim/4p/GK-UWXTS+knight_vs_doppelganger=no+seer_multi=off",
    "aristoocrazy/2p/classic",
    "aristoocrazy/3p/classic",
    "aristoocrazy/4p/classic",
    "aristoocrazy/2p/quick2013",
    "aristoocrazy/3p/quick2013",
    "aristoocrazy/4p/quick2013",
    "aristoocrazy/2p/classic+rounds=8+trait_set=rulebook9+take_visibility=closed",
    "aristoocrazy/3p/classic+setup_traits=fixed+vp_visibility=public+max_heirs_per_turn=1",
    "aristoocrazy/4p/quick2013+rounds=8+take_visibility=closed",
]


def path_of(id: str) -> Path:
    game, rest = id.split("/", 1)
    return FOLDER / game / (rest.replace("/", "_") + ".txt")


def played(id: str) -> str:
    """The text of a game in which every action is drawn from the seed."""
    seed = f"golden {id}"
    game = game_of(id)
    state = game.setup(game.variant(id), seed)
    luck = Stream(seed, "actions")
    actions = []
    while state.to_act:
        seat = state.to_act[0]
        text = state.text(state.legal(seat)[luck.below(len(state.legal(seat)))])
        state.apply(seat, state.parse(seat, text))
        actions.append(f"{seat} {text}")
    return "\n".join([f"rules {game.rules}", *head(id, seed), *actions, *tail(state), ""])


def head(id: str, seed: str) -> list[str]:
    game = game_of(id)
    literal = " ".join(game.literal(game.variant(id), seed))
    return [f"variant {id}", f"seed {seed}", f"deal {literal}", ""]


def tail(state: State) -> list[str]:
    outcome = state.outcome
    assert outcome is not None
    lines = [""]
    for seat in range(len(outcome.ranks)):
        told = [[event.kind, event.body] for event in state.events() if event.seen_by(Seat(seat))]
        lines.append(f"events {seat} {len(told)} {sha256(json.dumps(told).encode()).hexdigest()[:16]}")
    lines.append(f"ranks {' '.join(map(str, outcome.ranks))}")
    lines.append(f"scores {' '.join(map(str, outcome.scores))}")
    return lines


def verdict(stored: str, now: str) -> str:
    """What is wrong with a stored game that differs from the one played now; empty where nothing is."""
    if stored == now:
        return ""
    if stored.split("\n")[0] == now.split("\n")[0]:
        return "this game goes another way: raise RULES in the variants.py of the game, then rewrite"
    return "stored for other rules: rewrite with KINGMAKER_GOLDEN=update"


@pytest.mark.parametrize("id", IDS)
def test_golden_game(id: str) -> None:
    path, now = path_of(id), played(id)
    stored = path.read_text() if path.exists() else ""
    wrong = verdict(stored, now)
    path.parent.mkdir(exist_ok=True)
    if os.environ.get("KINGMAKER_GOLDEN") == "update" and not wrong.startswith("this game"):
        path.write_text(now)
        return
    assert not wrong, f"{path.name}: {wrong}"


def test_every_golden_file_is_played() -> None:
    assert set(FOLDER.glob("*/*.txt")) == {path_of(id) for id in IDS}


def test_every_variant_of_few_has_a_golden_game() -> None:
    assert {id.split("/")[0] for id in IDS} == set(GAMES)
    assert set(GAMES["aristoocrazy"].variants()) <= set(IDS)


def test_a_game_that_goes_another_way_asks_for_another_rules_number() -> None:
    stored = path_of(IDS[0]).read_text()
    other = stored.replace("scores", "scores 9")
    assert "raise RULES" in verdict(stored, other)
    assert "KINGMAKER_GOLDEN=update" in verdict(stored, other.replace("rules 1", "rules 2"))
