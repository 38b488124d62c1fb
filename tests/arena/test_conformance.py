"""`arena bot conform`, as far as no bot is started: its words, its advice, what it reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import protocol
from arena.cli import main
from arena.conformance import ADVICE, FOLDER, vectors
from arena.errors import InputError
from protocol.vocabulary import FaultKind

MESSAGES = Path(protocol.__file__).parent / "vectors" / "messages.jsonl"


def conform(*words: str) -> Result:
    return CliRunner().invoke(main, ["--home", "nowhere", "bot", "conform", *words])


def test_every_published_conversation_is_held() -> None:
    names = [vector.name for vector in vectors()]
    assert names == sorted(path.stem for path in FOLDER.glob("*.json")) and "one-game" in names
    assert [vector.name for vector in vectors("error")] == ["error"]


def test_a_conversation_that_is_not_there_gets_the_nearest() -> None:
    with pytest.raises(InputError) as caught:
        vectors("two-gmaes")
    assert "two-games" in caught.value.fix


def test_there_is_advice_for_every_reason_of_a_refusal() -> None:
    refusals = {json.loads(line)["reason"] for line in MESSAGES.read_text("utf-8").splitlines()} - {None}
    in_a_game = {FaultKind.ILLEGAL_MOVE, FaultKind.TIMEOUT, FaultKind.NO_START, FaultKind.CRASH}
    assert set(ADVICE) == refusals | in_a_game | {"flood", "success", "failure"}


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--"],
        ["random", "--", "python3", "bot.py"],
        ["--transport", "tcp", "random"],
        ["--transport", "udp", "--", "x"],
    ],
    ids=" ".join,
)
def test_either_a_bot_or_a_command_is_needed(words: list[str]) -> None:
    result = conform(*words)
    assert result.exit_code == 2 and "Usage: " in result.stderr


def test_an_unknown_bot_and_an_unknown_program_are_told_apart(tmp_path: Path) -> None:
    home = ["--home", str(tmp_path / "home"), "bot", "conform"]
    bot = CliRunner().invoke(main, [*home, "randmo"])
    assert bot.exit_code == 2 and "did you mean 'random'" in bot.stderr
    program = CliRunner().invoke(main, [*home, "--", str(tmp_path / "none")])
    assert program.exit_code == 3 and "No such file" in program.stderr and program.stdout == ""
