"""The published schema is fresh, and says what the models say."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter, ValidationError

from protocol import schema
from protocol.messages import bot_messages, referee_messages

VECTORS = Path(schema.__file__).parent / "vectors" / "conversations"
SIDES: dict[str, TypeAdapter[Any]] = {"bot": bot_messages, "referee": referee_messages}
DOCUMENTS = schema.documents()
VALIDATORS = {side: Draft202012Validator(DOCUMENTS[f"from_{side}.json"]) for side in SIDES}


def spoken() -> list[tuple[str, dict[str, Any]]]:
    """Side and message of every step of the conversations but the bulky ones."""
    paths = [path for path in sorted(VECTORS.glob("*.json")) if path.stat().st_size < 30_000]
    steps = [step for path in paths for step in json.loads(path.read_text(encoding="utf-8"))["steps"]]
    return [(side, message) for step in steps for side, message in step.items()]


SPOKEN = spoken()


def accepted(side: str, message: Any) -> bool:
    try:
        SIDES[side].validate_json(json.dumps(message), strict=True)
    except ValidationError:
        return False
    return True


def test_the_published_schema_is_fresh() -> None:
    assert schema.stale() == []


def test_check_tells_changed_missing_and_unknown_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(schema, "FOLDER", tmp_path)
    schema.write(tmp_path)
    assert schema.stale(tmp_path) == []
    (tmp_path / "move.json").write_text("{}", encoding="utf-8")
    (tmp_path / "bye.json").unlink()
    (tmp_path / "resign.json").write_text("{}", encoding="utf-8")
    assert schema.stale(tmp_path) == ["bye.json", "move.json", "resign.json"]
    schema.write(tmp_path)
    assert schema.stale(tmp_path) == []


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if name != "asyncapi.json"])
def test_every_document_is_a_valid_schema(name: str) -> None:
    Draft202012Validator.check_schema(DOCUMENTS[name])


@pytest.mark.parametrize(
    ("side", "message"), SPOKEN, ids=lambda part: part if isinstance(part, str) else part["type"]
)
def test_what_is_spoken_is_valid(side: str, message: dict[str, Any]) -> None:
    VALIDATORS[side].validate(message)
    Draft202012Validator(DOCUMENTS[f"{message['type']}.json"]).validate(message)
    assert accepted(side, message)


# Left out: 3.0, an integer to a schema, and a final newline, which Python's `$` overlooks in a pattern.
FRACTIONS = st.floats(allow_nan=False, allow_infinity=False).filter(lambda x: not x.is_integer())
TEXTS = st.text(max_size=4).filter(lambda text: not text.endswith("\n")) | st.text(
    "é", min_size=95, max_size=210
)
LEAVES = st.none() | st.booleans() | st.integers() | FRACTIONS | TEXTS
VALUES = LEAVES | st.lists(LEAVES, max_size=3) | st.dictionaries(TEXTS, LEAVES, max_size=2)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every part of a JSON value, but not of the whole."""
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [place for key in keys for place in ((*path, key), *places(value[key], (*path, key)))]


@st.composite
def altered(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A valid message with one part replaced, removed or added."""
    side, original = draw(st.sampled_from(SPOKEN))
    message = json.loads(json.dumps(original))
    *path, last = draw(st.sampled_from(places(message)))
    part = message
    for key in path:
        part = part[key]
    match draw(st.sampled_from(["replace", "remove", "add"])):
        case "replace":
            part[last] = draw(VALUES)
        case "remove":
            del part[last]
        case "add" if isinstance(part, dict):
            part[draw(TEXTS)] = draw(VALUES)
    return side, message


@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(altered())
def test_schema_and_models_agree(case: tuple[str, dict[str, Any]]) -> None:
    side, message = case
    assert VALIDATORS[side].is_valid(message) == accepted(side, message)


def references(value: Any) -> list[str]:
    """Every `$ref` in a document."""
    if isinstance(value, list):
        return [ref for item in value for ref in references(item)]
    if not isinstance(value, dict):
        return []
    own = [value["$ref"]] if "$ref" in value else []
    return own + [ref for item in value.values() for ref in references(item)]


def test_every_reference_of_the_asyncapi_document_leads_somewhere() -> None:
    document = DOCUMENTS["asyncapi.json"]
    for ref in references(document):
        if not ref.startswith("#/"):
            assert ref.removeprefix("./") in DOCUMENTS
            continue
        part = document
        for key in ref[2:].split("/"):
            part = part[key]
        assert part


def test_every_field_is_described() -> None:
    for name, document in DOCUMENTS.items():
        for title, properties in schema._objects(document):
            bare = [key for key, field in properties.items() if "description" not in field]
            assert set(bare) <= {"type", "game_id"}, (name, title)
