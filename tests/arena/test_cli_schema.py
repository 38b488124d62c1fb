"""`arena schema`: every published schema, and what it takes and refuses."""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

import arena
from arena.cli import main
from arena.documents import KINDS, game_schema, published
from protocol.schema import FOLDER
from referee.game import Game, Seat, State
from referee.games import GAMES

ROOT = Path(arena.__file__).parents[1]
PUBLISHED = published()


def call(*words: str) -> Result:
    return CliRunner().invoke(main, ["schema", *words])


def test_messages_games_files_and_documents_are_listed() -> None:
    listed = {line.split()[0] for line in call().stdout.splitlines()[1:]}
    assert listed == set(PUBLISHED)
    assert listed >= {path.stem for path in FOLDER.glob("*.json")} | set(GAMES) | {"bot", "tournament"}
    assert len(listed) == len(list(FOLDER.glob("*.json"))) + len(GAMES) + len(KINDS) + 1, "no two of one name"


@pytest.mark.parametrize("name", [name for name in PUBLISHED if name != "asyncapi"])
def test_each_is_a_valid_schema(name: str) -> None:
    Draft202012Validator.check_schema(PUBLISHED[name])


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for item in value.values():
            yield from references(item)
    elif isinstance(value, list):
        for item in value:
            yield from references(item)


def test_the_folder_has_all_and_is_complete_in_itself(tmp_path: Path) -> None:
    result = call("-o", str(tmp_path / "a" / "b"))
    files = {path.name: json.loads(path.read_text("utf-8")) for path in (tmp_path / "a" / "b").iterdir()}
    assert result.exit_code == 0 and result.stdout == ""
    assert {name.removesuffix(".json"): document for name, document in files.items()} == PUBLISHED
    for document in files.values():
        for ref in references(document):
            assert ref.startswith("#/") or ref.removeprefix("./") in files


def test_one_is_printed_or_written_alone(tmp_path: Path) -> None:
    printed = call("claim").stdout
    call("claim", "-o", str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["claim.json"]
    assert (tmp_path / "claim.json").read_text("utf-8") == printed


def test_mistakes_are_exit_2_with_a_hint(tmp_path: Path) -> None:
    unknown = call("cliam")
    assert unknown.exit_code == 2 and "did you mean 'claim'?" in unknown.stderr
    (tmp_path / "file").write_text("")
    blocked = call("-o", str(tmp_path / "file" / "x"))
    assert blocked.exit_code == 2 and "cannot write" in blocked.stderr


def positions(game: Game) -> Iterator[State]:
    """A random game for each number of players, at some moves and at its end."""
    for id in {game.variant(id).players: id for id in game.variants()}.values():
        rng, state, moves = random.Random(id), game.setup(game.variant(id), "schema"), 0
        while state.to_act and moves < 300:
            if moves % 100 == 7:
                yield state
            state.apply(state.to_act[0], rng.choice(state.legal(state.to_act[0])))
            moves += 1
        yield state


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_games_schema_takes_what_the_game_makes(game: Game) -> None:
    validator = Draft202012Validator(game_schema(game))
    events: dict[str, Any] = {}
    for state in positions(game):
        view = state.view(Seat(0))
        setup = game.setup_info(game.variant(view["variant"]))
        events |= {event.kind: event.body for event in state.events()}
        validator.validate(json.loads(json.dumps({"view": view, "setup": setup})))
    validator.validate({"events": json.loads(json.dumps(events))})
    assert len(events) > 5
    for wrong in (
        {"view": {**view, "variant": 7}},
        {"setup": {}},
        *({"events": {kind: []}} for kind in events),
    ):
        assert not validator.is_valid(json.loads(json.dumps(wrong))), wrong


def test_the_schema_of_bot_toml_takes_the_houses_bots_and_refuses_a_slip() -> None:
    validator = Draft202012Validator(PUBLISHED["bot"])
    manifests = [tomllib.loads(path.read_text("utf-8")) for path in ROOT.glob("bots/**/bot.toml")]
    assert manifests and all(validator.is_valid(manifest) for manifest in manifests)
    for slip in ({"runs": ["x"]}, {"transport": "udp"}, {"run": "x"}, {"name": ""}):
        assert not validator.is_valid(manifests[0] | slip)
