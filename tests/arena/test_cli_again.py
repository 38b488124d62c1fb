"""A command line that is printed asks for the same as the one that was typed."""

from __future__ import annotations

import shlex

import click
import pytest

from arena.cli import main
from arena.cli.again import again, other
from arena.home import Home


def typed(*words: str) -> click.Context:
    """What a command is called with; nothing is done."""
    root = main.make_context("arena", list(words))
    root.obj = Home(root.params["home"] or "elsewhere")
    name, command, rest = main.resolve_command(root, [*root._protected_args, *root.args])
    assert name is not None and command is not None
    return command.make_context(name, rest, parent=root)


def told(line: str) -> click.Context:
    arena, *words = shlex.split(line)
    assert arena == "arena"
    return typed(*words)


def meant(context: click.Context) -> object:
    home = context.obj
    return context.info_name, context.params, home.path, home.mode, home.allow_missing


@pytest.mark.parametrize(
    "line",
    [
        "compare ./new 'old bot@1f3a'",
        "--home 'my home' --color never compare a b --sandbox strict --allow-missing user,net --json",
        "compare a b --variant 'claim/2p/*' --variant claim-2 --opponents ' x, y' --seed '$(x)' --max-games 20000",
        "compare a b --elo0 -5 --elo1 7.123456789 --alpha 0.01 --beta 0.1 --concurrency 3",
        "compare a b --s0 0.4 --s1 0.45",
        "--home h run 'my cup.toml' --events 'the events' --concurrency 2 --fail-on bot-fault --sandbox none",
        "run cup.toml --json --transport libzmq --dry-run",
    ],
)
def test_a_line_that_is_printed_asks_for_what_was_typed(line: str) -> None:
    before = told(f"arena {line}")
    assert meant(told(again(before))) == meant(before)


def test_options_can_be_changed_and_left_out() -> None:
    compare = told("arena --home h compare a b --sandbox none --max-games 3")
    assert again(compare, max_games=6, seed="5eed") == (
        "arena --home h compare a b --max-games 6 --seed 5eed --sandbox none"
    )
    assert again(told("arena run cup.toml --dry-run --json"), dry_run=None) == "arena run cup.toml --json"


def test_another_command_is_for_the_same_home() -> None:
    compare = told("arena --home 'my home' compare a b --json")
    assert other(compare, "status", "my cup") == "arena --home 'my home' status 'my cup'"


def test_what_the_environment_says_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KINGMAKER_SANDBOX", "none")
    context = told("arena compare a b")
    assert context.obj.mode == "none" and again(context) == "arena compare a b"
