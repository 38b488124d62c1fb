"""The Python kit as a process of its own, against a socket of the referee's kind."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import zmq

import protocol
from protocol.client import Bot, Turn, answer

ROOT = Path(protocol.__file__).parent.parent
CONVERSATIONS = sorted((ROOT / "protocol" / "vectors" / "conversations").glob("*.json"))
FIRST = """
from protocol.client import Bot, run

class First(Bot):
    def choose(self, turn):
        return turn["legal"][0]

run(First())
"""
SPEC = (ROOT / "protocol" / "SPEC.md").read_text(encoding="utf-8")
BARE = SPEC.split("```python\n")[1].split("```")[0]
"""The bot without a kit that the specification shows."""
TURN: dict[str, Any] = {
    "type": "turn", "game_id": "g", "turn": 1, "view": {}, "events": [], "legal": ["a", "b"],
    "clock": {"remaining_ms": None, "move_ms": None, "last_ms": 0},
}  # fmt: skip


class Table:
    """A referee's end of the line for one bot."""

    def __init__(self, socket: "zmq.Socket[bytes]", endpoint: str) -> None:
        self.socket = socket
        self.endpoint = endpoint

    def start(self, code: str, token: str = "t") -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={"ARENA_ENDPOINT": self.endpoint, "ARENA_TOKEN": token, "ARENA_PROTOCOL": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def hear(self) -> Any:
        self.address, delimiter, payload = self.socket.recv_multipart()
        assert delimiter == b""
        return json.loads(payload)

    def say(self, message: dict[str, Any]) -> None:
        self.socket.send_multipart([self.address, b"", json.dumps(message).encode()])


@pytest.fixture
def table() -> Iterator[Table]:
    # A short path of its own: a Unix socket's name has room for 107 bytes, pytest's folders are longer.
    with (
        tempfile.TemporaryDirectory() as folder,
        zmq.Context() as context,
        context.socket(zmq.ROUTER) as socket,
    ):
        socket.linger = 0
        socket.rcvtimeo = 20_000
        socket.bind(f"ipc://{folder}/s")
        yield Table(socket, f"ipc://{folder}/s")


@pytest.mark.parametrize("code", [FIRST, BARE], ids=["kit", "bare"])
@pytest.mark.parametrize("path", CONVERSATIONS, ids=lambda path: path.stem)
def test_a_process_passes_the_conversation(table: Table, path: Path, code: str) -> None:
    vector = json.loads(path.read_text(encoding="utf-8"))
    with table.start(code, vector["token"]) as process:
        hello = table.hear()
        assert (hello["type"], hello["token"], 1 in hello["protocol"]) == ("hello", vector["token"], True)
        for step in vector["steps"][1:]:
            if "referee" in step:
                table.say(step["referee"])
            else:
                assert table.hear() == step["bot"]
        assert (process.wait(20) == 0) == (vector["exit"] == "success")


def test_an_exception_leaves_its_traceback_in_the_log(table: Table) -> None:
    with table.start(FIRST.replace('["legal"][0]', '["oops"]')) as process:
        table.hear()
        table.say(TURN)
        _, log = process.communicate(timeout=20)
    assert process.returncode == 1
    assert "Traceback" in log
    assert "KeyError: 'oops'" in log


def test_an_error_of_the_arena_is_told(table: Table) -> None:
    with table.start(FIRST) as process:
        table.hear()
        table.say(
            {
                "type": "error",
                "code": "bad_token",
                "detail": "not the token",
                "path": "hello.token",
                "fatal": True,
            }
        )
        _, log = process.communicate(timeout=20)
    assert process.returncode == 1
    assert log == "arena: bad_token at hello.token: not the token\n"


def test_a_bot_that_nobody_started_says_so() -> None:
    done = subprocess.run([sys.executable, "-c", FIRST], cwd=ROOT, env={}, capture_output=True, text=True)
    assert done.returncode == 1
    assert "ARENA_ENDPOINT" in done.stderr
    assert "Traceback" not in done.stderr


class Scripted(Bot):
    """Says what it was made with."""

    def __init__(self, choice: str | tuple[str, str]) -> None:
        self.choice = choice

    def choose(self, turn: Turn) -> str | tuple[str, str]:
        return self.choice


def test_a_note_goes_with_the_move() -> None:
    move = {"type": "move", "game_id": "g", "turn": 1, "action": "b"}
    assert answer(Scripted("b"), TURN) == move
    assert answer(Scripted(("b", "sure")), TURN) == move | {"note": "sure"}


def test_an_action_that_is_not_legal_is_sent_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    reply = answer(Scripted("c"), TURN)
    assert reply is not None
    assert reply["action"] == "c"
    assert capsys.readouterr().err == "arena: 'c' is not legal; legal: a b\n"
    answer(Scripted("a"), TURN)
    assert capsys.readouterr().err == ""


def test_the_seed_of_a_game_decides_what_the_bot_draws() -> None:
    bot, draws = Bot(), []
    for seed in ("1" * 32, "2" * 32, "1" * 32):
        answer(bot, {"type": "start", "game_id": "g", "bot_seed": seed})
        draws.append(bot.rng.random())
    assert draws[0] == draws[2] != draws[1]


def test_a_message_of_a_later_version_ends_the_bot() -> None:
    with pytest.raises(SystemExit, match="'ponder'"):
        answer(Bot(), {"type": "ponder", "game_id": "g"})


def test_the_kit_needs_nothing_of_its_neighbours(tmp_path: Path) -> None:
    """It can be copied beside a bot, and costs a bot neither pydantic nor msgspec at start-up."""
    (tmp_path / "kit.py").write_text(
        (ROOT / "protocol" / "client.py").read_text(encoding="utf-8"), encoding="utf-8"
    )
    code = "import kit, sys; print(*sorted(m for m in ('protocol', 'pydantic', 'msgspec', 'asyncio', 'zmq') if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("\n", "")
