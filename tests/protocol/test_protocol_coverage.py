"""The published vectors leave nothing out: what the models, the words and SPEC.md have, some vector shows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel

import protocol
from protocol import messages
from protocol.messages import FromReferee, referee_messages
from protocol.schema import ANSWERS
from protocol.vocabulary import FaultKind, Verdict, VoidReason

FOLDER = Path(protocol.__file__).parent
SPEC = (FOLDER / "SPEC.md").read_text("utf-8")
CONVERSATIONS = {
    path.stem: json.loads(path.read_text("utf-8"))
    for path in (FOLDER / "vectors" / "conversations").glob("*")
}
Message = dict[str, Any]


def pairs() -> Iterator[tuple[Message, Message | None]]:
    """Every message of the referee, and the bot's answer to it, if it is answered."""
    for conversation in CONVERSATIONS.values():
        steps = conversation["steps"][1:]
        answers = [step["bot"] for step in steps[1::2]] + [None]
        yield from zip([step["referee"] for step in steps[::2]], answers, strict=False)


SAID = [message for message, _ in pairs()]
ENDS = [message for message in SAID if message["type"] == "end"]


def parts(model: BaseModel, raw: Message) -> Iterator[tuple[BaseModel, Message]]:
    """A message and every model in it, each with what was sent."""
    yield model, raw
    for name in type(model).model_fields:
        value = getattr(model, name)
        if isinstance(value, BaseModel):
            yield from parts(value, raw[name])
        elif isinstance(value, list):
            for item, one in zip(value, raw.get(name, ()), strict=False):
                if isinstance(item, BaseModel):
                    yield from parts(item, one)


PARTS = [part for said in SAID for part in parts(referee_messages.validate_python(said), said)]


def members(union: Any) -> set[str]:
    """Names of the messages in a tagged union."""
    return {model.__name__.lower() for model in get_args(get_args(union)[0])}


def test_every_message_and_every_answer_is_spoken() -> None:
    answered = {(said["type"], None if answer is None else answer["type"]) for said, answer in pairs()}
    assert {said for said, _ in answered} == members(messages.RefereeMessage)
    fatal = {("error", None), ("bye", None)}
    due = {(said, answer) for said, answers in ANSWERS.items() if said != "error" for answer in answers}
    assert answered == due | fatal
    firsts = {
        type for one in CONVERSATIONS.values() for type in one["steps"][0]["bot"].values() if type == "hello"
    }
    assert firsts | {answer for _, answer in due} == members(messages.BotMessage)


@pytest.mark.parametrize("last", ["hello", "ready", "move"])
@pytest.mark.parametrize("word", ["bye", "error"])
def test_the_conversation_may_end_after_every_message_of_a_bot(word: str, last: str) -> None:
    assert any(
        (one["steps"][-1]["referee"]["type"], one["steps"][-2]["bot"]["type"]) == (word, last)
        for one in CONVERSATIONS.values()
    )


@pytest.mark.parametrize("verdict", Verdict)
def test_every_verdict_is_told(verdict: Verdict) -> None:
    assert verdict in {end["verdict"] for end in ENDS}


@pytest.mark.parametrize("reason", VoidReason)
def test_every_reason_of_a_void_game_is_told(reason: VoidReason) -> None:
    assert ("void", reason) in {(end["verdict"], end["detail"]) for end in ENDS}


def faults() -> set[str]:
    return {row["fault"] for end in ENDS for row in end["result"] if "fault" in row}


@pytest.mark.parametrize("kind", FaultKind)
def test_every_kind_of_fault_is_told(kind: FaultKind) -> None:
    assert kind in faults()


def test_words_of_later_versions_are_told() -> None:
    assert faults() - set(FaultKind)
    assert {end["detail"] for end in ENDS if end["verdict"] == "void"} - set(VoidReason)
    assert {event["kind"] for said in SAID for event in said.get("events", ())} - {"taken"}
    assert {said["code"] for said in SAID if said["type"] == "error"} - reasons()


@pytest.mark.parametrize("model", FromReferee.__subclasses__(), ids=lambda model: model.__name__)
def test_every_object_is_sent_with_fields_of_later_versions(model: type[BaseModel]) -> None:
    assert any(raw.keys() - model.model_fields for part, raw in PARTS if type(part) is model)


@pytest.mark.parametrize("model", FromReferee.__subclasses__(), ids=lambda model: model.__name__)
def test_every_optional_field_is_there_and_missing_and_every_null_is_sent(model: type[BaseModel]) -> None:
    sent = [raw for part, raw in PARTS if type(part) is model]
    for name, field in model.model_fields.items():
        assert any(name in raw for raw in sent), name
        if not field.is_required():
            assert any(name not in raw for raw in sent), name
        elif type(None) in get_args(field.annotation):
            assert {raw[name] is None for raw in sent} == {True, False}, name


def test_sizes_and_numbers_reach_what_spec_promises() -> None:
    turns = [said for said in SAID if said["type"] == "turn"]
    assert max(len(json.dumps(turn["view"])) for turn in turns) >= 1_000_000
    assert max(len(turn["legal"]) for turn in turns) >= 4_000
    assert {len(turn["events"]) > 0 for turn in turns} == {True, False}
    assert max(ord(c) for turn in turns for action in turn["legal"] for c in action) > 0xFFFF
    assert any(turn["clock"]["last_ms"] % 1 for turn in turns)
    assert any(said["type"] == "error" and not said["fatal"] for said in SAID)


def reasons() -> set[str]:
    """Every reason of SPEC.md for which a message is refused; a flood is no message."""
    limits = SPEC.partition("## 3. ")[2].partition("\n## ")[0]
    kinds = SPEC.partition("| `protocol_error` |")[2].partition("| `resource_memory`")[0]
    found = re.findall(r"\| `(\w+)` \|$", limits, re.M) + re.findall(r"^\| \| `(\w+)` \|", kinds, re.M)
    return set(found) - {"flood"}


def test_every_refusal_of_spec_has_a_message_that_gets_it_and_no_other() -> None:
    lines = (FOLDER / "vectors" / "messages.jsonl").read_text("utf-8").splitlines()
    assert {json.loads(line)["reason"] for line in lines} - {None} == reasons()
    source = "".join((FOLDER / file).read_text("utf-8") for file in ("codec.py", "session.py"))
    assert set(re.findall(r'ProtocolError\(\s*"(\w+)"', source)) <= reasons()
