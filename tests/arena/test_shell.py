"""`arena bot shell` with what is typed in a list. With a bot at the other end: tests/e2e/test_bots.py."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.shell import Left, Shell
from protocol.vocabulary import Verdict
from referee.driving import drive
from referee.match import Played
from referee.players.local import LocalPlayer
from tests.referee.driving import spec_for


class Terminal:
    """Each time that something is asked it types `first`, then what it was given as a hint."""

    def __init__(self, *first: str, answers: int = 1_000) -> None:
        self.first = first
        self.told: list[dict[str, Any]] = []
        self._answers = answers
        self._lines: list[str] = []
        self.shell = Shell(self._read, lambda text: self.told.append(json.loads(text)), self._hint)

    def _hint(self, text: str) -> None:
        self._answers -= 1
        self._lines = [*self.first, text] if self._answers >= 0 else []

    def _read(self) -> str:
        return self._lines.pop(0) + "\n" if self._lines else ""

    def errors(self) -> list[str]:
        assert not any(message.get("fatal") for message in self.told)
        return [message["code"] for message in self.told if message["type"] == "error"]


def game(terminal: Terminal) -> Played:
    rng = random.Random(1)
    terminal.shell.greet()
    other = LocalPlayer(lambda turn: str(rng.choice(turn["legal"])))
    played = drive(spec_for("claim"), [terminal.shell, other])
    terminal.shell.bye()
    return played


def actions(played: Played) -> list[tuple[int, str]]:
    return [(action.seat, action.text) for action in played.actions]


def test_who_types_the_hints_plays_a_whole_game() -> None:
    terminal = Terminal()
    played = game(terminal)
    types = [message["type"] for message in terminal.told]
    assert played.verdict is Verdict.FINISHED
    assert types == ["start", *["turn"] * 26, "end", "bye"]
    firsts = [message["legal"][0] for message in terminal.told if message["type"] == "turn"]
    assert [action.text for action in played.actions if action.seat == 0] == firsts


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("what now", "not_json"),
        ('{"type": "hello", "protocol": [1], "token": "x"}', "out_of_turn"),
        ('{"type": "ready", "game_id": "x"}', "out_of_turn"),
        ('{"type": "move", "game_id": "g1", "turn": 99, "action": "K2"}', "out_of_turn"),
        ('{"type": "move", "game_id": 1, "turn": 1, "action": "K2"}', "wrong_type"),
        ('{"type": "ready", "game_id": "g1", "more": 1}', "unknown_field"),
        ("\udcff", "bad_utf8"),
        pytest.param("[" * 60_000, "too_deep", id="deep"),
        pytest.param("[" * 200_000, "too_large", id="large"),
    ],
)
def test_a_mistake_is_told_and_may_be_mended(line: str, code: str) -> None:
    careless, careful = Terminal(line), Terminal()
    assert actions(game(careless)) == actions(game(careful))
    errors = careless.errors()
    assert code in errors and len(errors) == 29  # one for each answer


def test_an_action_that_is_not_legal_is_told_with_those_that_are() -> None:
    terminal = Terminal('{"type": "move", "game_id": "g1", "turn": 1, "action": "K99"}')
    game(terminal)
    told = next(message for message in terminal.told if message.get("code") == "illegal_move")
    first = next(message for message in terminal.told if message["type"] == "turn")
    assert told["detail"] == f"legal are {' '.join(first['legal'])}" and told["path"] == "move.action"


def test_a_wrong_token_or_version_is_told_before_a_game_begins() -> None:
    terminal = Terminal()
    wrong = [(1, "no"), (7, terminal.shell.token)]
    terminal.first = tuple(f'{{"type":"hello","protocol":[{v}],"token":"{token}"}}' for v, token in wrong)
    terminal.shell.greet()
    assert terminal.errors() == ["bad_token", "bad_version"]


def test_an_empty_line_is_no_message() -> None:
    terminal = Terminal("", "   ")
    game(terminal)
    assert terminal.errors() == []


@pytest.mark.parametrize("answers", [0, 1, 2, 9])
def test_the_end_of_the_input_leaves_the_game(answers: int) -> None:
    terminal = Terminal(answers=answers)
    with pytest.raises(Left):
        game(terminal)
    assert [message["type"] for message in terminal.told] == ["start", *["turn"] * 8][:answers]


def shell(home: Path, *words: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, ["--home", str(home), "bot", "shell", *words], input=typed)


def test_who_leaves_gets_130_and_no_record(tmp_path: Path) -> None:
    done = shell(tmp_path, typed="hello?\n")
    assert done.exit_code == 130 and json.loads(done.stdout)["code"] == "not_json"
    assert "such as: {" in done.stderr and "no record" in done.stderr and not (tmp_path / "games").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--seat", "2"], "--seat 2: there is none"),
        (["--variant", "clam"], "did you mean 'claim'?"),
        (["gredy"], "did you mean 'greedy'?"),
        (["greedy", "random"], "is for 2 players, not 3"),
    ],
)
def test_a_wrong_command_is_exit_2_before_anything_is_asked(
    tmp_path: Path, words: list[str], said: str
) -> None:
    done = shell(tmp_path, *words)
    assert done.exit_code == 2 and said in done.stderr and "such as" not in done.stderr
