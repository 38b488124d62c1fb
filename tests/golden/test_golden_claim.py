"""Whole games of Claim as text: the deal, every action, what each seat was told, the result.

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
from referee.game import Seat
from referee.games.claim import Claim
from referee.games.claim.game import ClaimState

CLAIM = Claim()
FOLDER = Path(__file__).parent / "claim"
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
]


def path_of(id: str) -> Path:
    return FOLDER / (id.removeprefix("claim/").replace("/", "_") + ".txt")


def played(id: str) -> str:
    """The text of a game in which every action is drawn from the seed."""
    seed = f"golden {id}"
    variant = CLAIM.variant(id)
    state = CLAIM.setup(variant, seed)
    luck = Stream(seed, "actions")
    actions = []
    while state.to_act:
        seat = state.to_act[0]
        text = state.text(state.legal(seat)[luck.below(len(state.legal(seat)))])
        state.apply(seat, state.parse(seat, text))
        actions.append(f"{seat} {text}")
    return "\n".join([f"rules {CLAIM.rules}", *head(id, seed), *actions, *tail(state), ""])


def head(id: str, seed: str) -> list[str]:
    variant = CLAIM.variant(id)
    return [f"variant {id}", f"seed {seed}", f"deal {' '.join(CLAIM.literal(variant, seed))}", ""]


def tail(state: ClaimState) -> list[str]:
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
        return "this game goes another way: raise RULES in referee/games/claim/variants.py, then rewrite"
    return "stored for other rules: rewrite with KINGMAKER_GOLDEN=update"


@pytest.mark.parametrize("id", IDS)
def test_golden_game(id: str) -> None:
    path, now = path_of(id), played(id)
    stored = path.read_text() if path.exists() else ""
    wrong = verdict(stored, now)
    if os.environ.get("KINGMAKER_GOLDEN") == "update" and not wrong.startswith("this game"):
        path.write_text(now)
        return
    assert not wrong, f"{path.name}: {wrong}"


def test_every_golden_file_is_played() -> None:
    assert {path.name for path in FOLDER.glob("*.txt")} == {path_of(id).name for id in IDS}


def test_a_game_that_goes_another_way_asks_for_another_rules_number() -> None:
    stored = path_of(IDS[0]).read_text()
    other = stored.replace("scores", "scores 9")
    assert "raise RULES" in verdict(stored, other)
    assert "KINGMAKER_GOLDEN=update" in verdict(stored, other.replace("rules 1", "rules 2"))
