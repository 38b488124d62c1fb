"""fastchess beside us: the game that its engines play, and how what it prints becomes figures."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.benchmarks import fastchess
from tests.benchmarks.harness import NotMeasured
from tests.benchmarks.programs import built

FAKE = """#!/bin/sh
echo "$@" > {words}
for game in $(seq {games}); do echo "Finished game $game (a vs b): 1/2-1/2 {{Draw by adjudication}}"; sleep 0.001; done
echo "Finished match"
"""


def test_its_game_is_legal_and_goes_on_for_all_its_plies() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    state, moves = pyspiel.load_game("chess").new_initial_state(), ""
    for ply in range(2 * fastchess.MOVES):
        asked = f"uci\nisready\nposition startpos{moves and ' moves' + moves}\ngo\nquit\n"
        said = subprocess.run([built("uci")], input=asked, capture_output=True, text=True, check=True).stdout
        move = said.split()[-1]
        action = state.parse_move_to_action(move)
        assert action in state.legal_actions(), (ply, move)
        state.apply_action(action)
        moves += f" {move}"
        assert not state.is_terminal(), (ply, move)


def test_time_is_taken_between_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, words = tmp_path / "fastchess", tmp_path / "words"
    program.write_text(FAKE.format(games=fastchess.GAMES, words=words))
    program.chmod(0o755)
    monkeypatch.setenv("FASTCHESS", str(program))
    found = fastchess.plies(2)
    assert found["µs"] > 1000 / (2 * fastchess.MOVES)
    assert found["plies/s"] == pytest.approx(1e6 / found["µs"])
    assert words.read_text().count("-engine") == 2


def test_what_breaks_off_is_not_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "fastchess"
    program.write_text(FAKE.format(games=3, words=tmp_path / "words"))
    program.chmod(0o755)
    monkeypatch.setenv("FASTCHESS", str(program))
    with pytest.raises(NotMeasured, match="after 3 of"):
        fastchess.plies(1)
    monkeypatch.setenv("FASTCHESS", str(tmp_path / "none"))
    with pytest.raises(NotMeasured, match="no such program"):
        fastchess.plies(1)
    monkeypatch.delenv("FASTCHESS")
    with pytest.raises(NotMeasured, match="names no binary"):
        fastchess.plies(1)
