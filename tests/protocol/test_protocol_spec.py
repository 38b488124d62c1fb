"""What SPEC.md shows and lists is what the models, the codec and the session do."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import protocol
from protocol import messages
from protocol.codec import MAX_DEPTH, MAX_MESSAGE
from protocol.messages import FromBot, FromReferee, referee_messages
from protocol.session import Phase, Session
from protocol.vocabulary import FaultKind, Verdict, VoidReason

SPEC = (Path(protocol.__file__).parent / "SPEC.md").read_text(encoding="utf-8")
EXCHANGE = re.findall(r"^(bot|referee) +(\{.*\})$", SPEC, re.MULTILINE)
MODELS = [model for side in (FromBot, FromReferee) for model in side.__subclasses__()]


def section(message: str) -> str:
    """The part of SPEC.md on one message."""
    found = re.search(rf"^`{message}` — (.*?)(?=^`\w+` — |^#)", SPEC, re.MULTILINE | re.DOTALL)
    assert found, message
    return found.group(1)


def fields(model: Any) -> set[str]:
    """Names of the model's fields and of those of the models in it."""
    inner = re.findall(r"\b(?:Player|ClockLimits|ClockState|Event|SeatOutcome)\b", str(model.__annotations__))
    return set(model.model_fields).union(*(getattr(messages, name).model_fields for name in inner))


@pytest.mark.parametrize("model", [model for model in MODELS if "type" in model.model_fields])
def test_every_field_is_named_where_its_message_is(model: Any) -> None:
    text = section(model.__name__.lower())
    # The fields of an event stand with `turn`, where they come first.
    missing = {name for name in fields(model) if not re.search(rf"\b{name}\b", text)}
    assert missing <= ({"n", "kind", "body"} if model is messages.End else set())


@pytest.mark.parametrize("word", [*FaultKind, *Verdict, *VoidReason])
def test_every_verdict_and_fault_is_named(word: str) -> None:
    assert f"`{word}`" in SPEC


def test_every_reason_of_the_vectors_is_named() -> None:
    lines = (
        (Path(protocol.__file__).parent / "vectors" / "messages.jsonl")
        .read_text(encoding="utf-8")
        .splitlines()
    )
    reasons = {json.loads(line)["reason"] for line in lines} - {None}
    assert {reason for reason in reasons if f"`{reason}`" not in SPEC} == set()


def test_the_limits_are_the_codec_s() -> None:
    assert f"at most {MAX_MESSAGE:,} bytes" in SPEC
    assert f"at most {MAX_DEPTH} deep" in SPEC
    assert f"up to {messages.MAX_NOTE} characters" in SPEC


def test_the_exchange_may_be_had() -> None:
    session = Session(json.loads(EXCHANGE[0][1])["token"])
    for side, text in EXCHANGE:
        if side == "bot":
            session.receive(text.encode())
            continue
        message = referee_messages.validate_json(text, strict=True)
        if isinstance(message, messages.Bye):
            session.close()
        elif not isinstance(message, messages.Error):
            session.ask(message.game_id, getattr(message, "turn", 0))
    assert session.phase is Phase.CLOSED
