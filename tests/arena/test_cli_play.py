"""`arena play` where the command line is wrong: nothing is started. Games: tests/e2e/test_cli_play.py."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["random"], "is for 2 players, not 1"),
        (["random", "greedy", "random"], "is for 2 players, not 3"),
        (["random", "gredy"], "did you mean 'greedy'"),
        (["random", "greedy", "--variant", "clam"], "did you mean 'claim'? known:"),
        (["random", "greedy", "--variant", "claim/2p/GK-UXW"], "(E219;"),
        (["random", "greedy", "--deal", "K7 K7"], "missing"),
        (["random", "greedy", "--deal", "K7 K7"], "(E220;"),
        (["random", "greedy", "--deal", "@missing.txt"], "cannot read missing.txt"),
        (["random", "greedy", "--deal", ""], "no cards"),
        (["random", "greedy", "--seed", ""], "the seed is empty"),
    ],
)
def test_a_wrong_command_is_exit_2_and_plays_nothing(tmp_path: Path, words: list[str], said: str) -> None:
    done = CliRunner().invoke(main, ["--home", str(tmp_path), "play", *words])
    assert done.exit_code == 2 and said in done.stderr and done.stdout == ""
    assert "fix: " in done.stderr and "seed     " not in done.stderr
    assert not (tmp_path / "games").exists()
