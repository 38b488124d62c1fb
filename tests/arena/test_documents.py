"""What commands print with --json keeps to the schema that is published."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from arena.cli import main
from arena.documents import KINDS, schema_name
from arena.events import GamesKept, RunEnded, RunEvent, RunStarted, document
from arena.home import Home
from arena.ledger import Ledger
from tests.arena.filled import fill
from tests.arena.made import record

COMMANDS = {
    "leaderboard": ["leaderboard", "cup", "--show", "all"],
    "status": ["status", "cup"],
    "statuses": ["status"],
    "plan": ["run", "next.toml", "--dry-run"],
    "tournament": ["config", "check", "next.toml"],
    "catalogue": ["games"],
    "variants": ["variants", "claim/3p/*"],
    "codes": ["explain"],
    "doctor": ["doctor"],
    "bots": ["bot", "list"],
    "bot": ["bot", "show", "random"],
    "results": ["record", "list", "cup"],
    "live": ["watch", "cup", "--once"],
    "replay": ["replay", "one.json", "--step", "9", "--seat", "1"],
    "simulation": ["simulate", "--bots", "3", "--deals", "4", "--runs", "2", "--jobs", "1"],
    "verification": ["verify", "one.json"],
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    fill(Home("home"), "cup", ["claim"], games=3, faulty=1)
    Path("one.json").write_bytes(record("claim"))
    Path("next.toml").write_text('bots = ["random", "greedy"]\nvariants = ["claim"]\n')


def told(*words: str) -> Any:
    result = CliRunner().invoke(main, ["--home", "home", *words])
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_every_document_is_tested_here() -> None:
    started = {"bot-check", "bot-conform", "comparison"}  # test_bots, test_conform, test_compare of tests/e2e
    assert set(COMMANDS) | {"event"} | started == set(KINDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_document_keeps_to_its_schema(name: str) -> None:
    schema = told("schema", f"output-{name}")
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    printed = told(*COMMANDS[name], "--json")
    assert printed["schema"] == schema_name(name)
    assert list(validator.iter_errors(printed)) == []
    for key in printed:
        assert validator.is_valid(printed) and not validator.is_valid({**printed, key: object}), key


def test_events_keep_to_their_schema() -> None:
    ledger = Ledger(Home("home").ledger)
    results = tuple(ledger.results("cup"))
    ledger.close()
    events: list[RunEvent] = [
        RunStarted("cup", "5eed", ("ann",), 4, 0, ()),
        GamesKept(results, 3, 4),
        RunEnded("cup", 4, 1.5, 1),
    ]
    validator = Draft202012Validator(told("schema", "output-event"))
    for event in events:
        body = json.loads(json.dumps(document(event)))
        assert list(validator.iter_errors(body)) == []
        assert not validator.is_valid({**body, "games": "many"})


def test_an_unknown_document_gets_the_nearest() -> None:
    result = CliRunner().invoke(main, ["schema", "output-statsu"])
    assert result.exit_code == 2 and "did you mean 'output-status'?" in result.stderr
