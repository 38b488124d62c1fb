"""Every pair of phase and message, and every call of the referee in every phase."""

import json
from collections.abc import Callable, Mapping

import pytest

from protocol.errors import ProtocolError
from protocol.session import Phase, Session

TOKEN = "a1" * 16
HELLO = {"type": "hello", "protocol": [1], "token": TOKEN}
READY = {"type": "ready", "game_id": "g1"}
MOVE = {"type": "move", "game_id": "g1", "turn": 3, "action": "1"}


def data(message: Mapping[str, object]) -> bytes:
    return json.dumps(message).encode()


def session(phase: str) -> Session:
    """A session in that phase; ASKED comes in two, as what is owed differs."""
    made = Session(TOKEN)
    if phase == "greeting":
        return made
    made.receive(data(HELLO))
    if phase == "ready owed":
        made.ask("g1")
    elif phase == "move owed":
        made.ask("g1", 3)
    elif phase == "closed":
        made.close()
    return made


PHASES = ["greeting", "idle", "ready owed", "move owed", "closed"]
FITTING = {("greeting", "hello"), ("ready owed", "ready"), ("move owed", "move")}


@pytest.mark.parametrize("message", [HELLO, READY, MOVE], ids=lambda message: str(message["type"]))
@pytest.mark.parametrize("phase", PHASES)
def test_a_message_counts_only_where_it_fits(phase: str, message: Mapping[str, object]) -> None:
    talk = session(phase)
    before = talk.phase
    if (phase, message["type"]) in FITTING:
        assert talk.receive(data(message)).type == message["type"]
        assert talk.phase is Phase.IDLE
        return
    with pytest.raises(ProtocolError) as caught:
        talk.receive(data(message))
    assert caught.value.reason == "out_of_turn"
    assert talk.phase is before


@pytest.mark.parametrize("phase", PHASES)
def test_a_message_is_read_before_its_place_is_looked_at(phase: str) -> None:
    with pytest.raises(ProtocolError, match=r"^not_json"):
        session(phase).receive(b"{oops")


@pytest.mark.parametrize(
    ("hello", "reason", "path"),
    [
        ({"token": "b2" * 16}, "bad_token", "hello.token"),
        ({"token": TOKEN[:-1]}, "bad_token", "hello.token"),
        ({"token": TOKEN.upper()}, "bad_token", "hello.token"),
        ({"protocol": [2, 3]}, "bad_version", "hello.protocol"),
        ({"token": "b2", "protocol": [2]}, "bad_token", "hello.token"),
    ],
)
def test_who_does_not_belong_here_is_refused(hello: dict[str, object], reason: str, path: str) -> None:
    talk = Session(TOKEN)
    with pytest.raises(ProtocolError) as caught:
        talk.receive(data(HELLO | hello))
    assert (caught.value.reason, caught.value.path) == (reason, path)
    assert talk.phase is Phase.GREETING


def test_one_common_version_is_enough() -> None:
    talk = Session(TOKEN)
    talk.receive(data(HELLO | {"protocol": [7, 1]}))
    assert talk.phase is Phase.IDLE


@pytest.mark.parametrize(
    ("answer", "path"),
    [
        ({"turn": 2}, "move.turn"),
        ({"turn": 4}, "move.turn"),
        ({"game_id": "g2"}, "move.game_id"),
        ({"game_id": "g2", "turn": 2}, "move.game_id"),
    ],
)
def test_an_answer_to_another_question_is_out_of_turn(answer: dict[str, object], path: str) -> None:
    talk = session("move owed")
    with pytest.raises(ProtocolError) as caught:
        talk.receive(data(MOVE | answer))
    assert (caught.value.reason, caught.value.path) == ("out_of_turn", path)
    assert talk.receive(data(MOVE)).type == "move"


def test_an_answer_counts_once() -> None:
    talk = session("move owed")
    talk.receive(data(MOVE))
    with pytest.raises(ProtocolError, match=r"^out_of_turn"):
        talk.receive(data(MOVE))


def test_the_game_of_before_is_not_the_game_of_now() -> None:
    talk = session("ready owed")
    talk.receive(data(READY))
    talk.ask("g2")
    with pytest.raises(ProtocolError, match=r"^out_of_turn"):
        talk.receive(data(READY))


CALLS: dict[str, Callable[[Session], None]] = {
    "ask": lambda talk: talk.ask("g1", 1),
    "drop": lambda talk: talk.drop(),
    "close": lambda talk: talk.close(),
}
LEADS_TO = {
    ("idle", "ask"): Phase.ASKED,
    ("ready owed", "drop"): Phase.IDLE,
    ("move owed", "drop"): Phase.IDLE,
} | {(phase, "close"): Phase.CLOSED for phase in PHASES}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("phase", PHASES)
def test_the_referee_speaks_only_in_its_turn(phase: str, call: str) -> None:
    talk = session(phase)
    before = talk.phase
    if after := LEADS_TO.get((phase, call)):
        CALLS[call](talk)
        assert talk.phase is after
        return
    with pytest.raises(RuntimeError, match=before.value):
        CALLS[call](talk)
    assert talk.phase is before


def test_end_may_follow_a_move_that_nobody_read() -> None:
    talk = session("move owed")
    talk.drop()
    talk.ask("g1")
    assert talk.receive(data(READY)).type == "ready"
