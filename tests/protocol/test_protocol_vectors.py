"""The published vectors hold for our own codec, session, models, kit and luck."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

import protocol
from protocol.client import Bot, Turn, answer
from protocol.codec import encode
from protocol.errors import ProtocolError
from protocol.messages import referee_messages
from protocol.session import Phase, Session
from protocol.vocabulary import GameId
from referee.chance import Stream, deal_seed, shuffled
from referee.match import commitment

FOLDER = Path(protocol.__file__).parent / "vectors"
Step = dict[str, Any]


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


CONVERSATIONS = {path.stem: read(path) for path in sorted((FOLDER / "conversations").glob("*.json"))}
MESSAGES = [json.loads(line) for line in (FOLDER / "messages.jsonl").read_text(encoding="utf-8").splitlines()]
CHANCE = read(FOLDER / "chance.json")
TOKEN = "000102030405060708090a0b0c0d0e0f"
GAME = CONVERSATIONS["one-game"]["steps"][1]["referee"]["game_id"]


class First(Bot):
    """The bot that the conversations are written for."""

    def choose(self, turn: Turn) -> str:
        return turn["legal"][0]


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_a_referee_accepts_every_conversation(name: str) -> None:
    session = Session(CONVERSATIONS[name]["token"])
    for step in CONVERSATIONS[name]["steps"]:
        if "bot" in step:
            message = session.receive(encode(step["bot"]))
            assert message.model_dump(exclude_unset=True) == step["bot"]
        else:
            referee_messages.validate_json(encode(step["referee"]), strict=True)
            said = step["referee"]
            if said["type"] in ("bye", "error"):
                session.close()
            else:
                session.ask(said["game_id"], said.get("turn", 0))
    assert session.phase in (Phase.CLOSED, Phase.IDLE)


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_the_kit_answers_every_conversation(name: str) -> None:
    bot, steps = First(), CONVERSATIONS[name]["steps"][1:]
    for step, reply in zip(steps[::2], steps[1::2], strict=False):
        assert answer(bot, step["referee"]) == reply["bot"]
    last = steps[-1]["referee"]
    if CONVERSATIONS[name]["exit"] == "success":
        assert answer(bot, last) is None
    else:
        with pytest.raises(SystemExit, match=last["detail"]):
            answer(bot, last)


def asked(after: str) -> Session:
    """A session where the vectors' `after` says."""
    session = Session(TOKEN)
    if after == "connect":
        return session
    session.receive(encode({"type": "hello", "protocol": [1], "token": TOKEN}))
    if after == "bye":
        session.close()
    elif after != "hello":
        session.ask(GAME, {"start": 0, "turn": 3, "end": 0}[after])
    return session


def sent(vector: Step) -> bytes:
    """The bytes of a vector."""
    data = base64.b64decode(vector["base64"]) if "base64" in vector else vector["text"].encode()
    return data.ljust(vector.get("padded_to", 0))


@pytest.mark.parametrize("vector", MESSAGES, ids=lambda vector: vector["name"])
def test_a_message_is_taken_or_refused_for_its_reason(vector: Step) -> None:
    session = asked(vector["after"])
    if vector["reason"] is None:
        session.receive(sent(vector))
        assert session.phase is Phase.IDLE
        return
    with pytest.raises(ProtocolError) as caught:
        session.receive(sent(vector))
    assert (caught.value.reason, caught.value.path) == (vector["reason"], vector["path"])


def test_the_names_of_messages_are_unique() -> None:
    assert len({vector["name"] for vector in MESSAGES}) == len(MESSAGES)


@pytest.mark.parametrize("vector", CHANCE["streams"])
def test_a_stream_gives_its_values(vector: Step) -> None:
    stream = Stream(vector["seed"], vector["name"])
    assert [str(stream.below(int(k))) for k in vector["k"]] == vector["values"]


@pytest.mark.parametrize("vector", CHANCE["shuffles"])
def test_a_shuffle_gives_its_order(vector: Step) -> None:
    assert shuffled(vector["seed"], vector["name"], range(vector["size"])) == vector["order"]


@pytest.mark.parametrize("vector", CHANCE["deal_seeds"])
def test_a_deal_has_its_seed(vector: Step) -> None:
    assert deal_seed(vector["tournament_seed"], vector["variant"], vector["number"]) == vector["seed"]


@pytest.mark.parametrize("vector", CHANCE["commitments"])
def test_a_commitment_binds_to_its_deal(vector: Step) -> None:
    made = commitment(vector["deal_seed"], GameId(vector["game_id"]), vector["nonce"])
    assert made == vector["commitment"]
