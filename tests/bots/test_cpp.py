"""The C++ kit and its bot: built from a copy of their folder, then played against over a real socket."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import zmq

from protocol.messages import Hello, Move, Ready, referee_messages
from protocol.session import Session

pytestmark = pytest.mark.xdist_group("cpp")
"""What is built is built once, in one process."""
CPP = Path(__file__).parents[2] / "bots" / "cpp"
TOKEN = "00112233445566778899aabbccddeeff"
SEED = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
WAIT_S = 60
SUITS = ["play G3", "play K7", "favour U0", "pass"]

PROBE = """
#include "kingmaker.hpp"
struct Probe : kingmaker::Bot {
    std::string variant, verdict = "none";
    void started(const kingmaker::Value& start) override { variant = kingmaker::text(start["variant"]); }
    kingmaker::Choice choose(const kingmaker::Value& turn) override {
        if (turn["view"]["round"].integer() == 0) throw std::runtime_error("no idea what to do");
        if (turn["view"]["round"].integer() == 9) return "resign";
        return {turn["legal"][0], variant + " after " + verdict};
    }
    void ended(const kingmaker::Value& end) override { verdict = kingmaker::text(end["verdict"]); }
};
int main() { Probe bot; return kingmaker::run(bot); }
"""


def lacking() -> str:
    """What this machine has not that the build needs; empty: nothing."""
    tools = [tool for tool in ("g++", "make") if shutil.which(tool) is None]
    if tools:
        return " and ".join(tools)
    includes = "#include <zmq.hpp>\n#include <simdjson.h>\n"
    found = subprocess.run(["g++", "-E", "-x", "c++", "-"], input=includes, capture_output=True, text=True)
    return "" if found.returncode == 0 else found.stderr.splitlines()[0]


def build(folder: Path, source: str | None = None) -> Path:
    """The program that `make` makes in a copy of the kit, `source` in the place of its bot.cpp."""
    if reason := lacking():
        pytest.skip(f"cannot build the C++ bot: {reason}")
    shutil.copytree(CPP, folder, ignore=shutil.ignore_patterns("build", "greedy.*"))
    if source is not None:
        (folder / "bot.cpp").write_text(source)
    options = {} if source is None else {"CXXFLAGS": "-O0"}
    done = subprocess.run(
        ["make", "-s"], cwd=folder, env=os.environ | options, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "build" / "bot"


@pytest.fixture(scope="module")
def random_bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("cpp") / "a folder of any name")


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("cpp") / "probe", PROBE)


class Table:
    """The referee's end of one bot process. The arena's own `Session` checks all that the bot sends."""

    def __init__(self, router: zmq.Socket[bytes], process: subprocess.Popen[str]) -> None:
        self.router = router
        self.process = process
        self.session = Session(TOKEN)
        self.hello = self.read()

    def read(self) -> Hello | Ready | Move:
        self.peer, _, data = self.router.recv_multipart()
        return self.session.receive(data)

    def send(self, data: bytes) -> None:
        self.router.send_multipart([self.peer, b"", data])

    def ask(self, message: dict[str, Any]) -> Hello | Ready | Move:
        referee_messages.validate_python(message)
        self.session.ask(message["game_id"], message.get("turn", 0))
        self.send(json.dumps(message).encode())
        return self.read()

    def move(self, message: dict[str, Any]) -> Move:
        answer = self.ask(message)
        assert isinstance(answer, Move)
        return answer

    def last(self, data: bytes) -> tuple[int, str]:
        """Exit code and stderr after a message that the bot shall leave on."""
        self.send(data)
        _, log = self.process.communicate(timeout=WAIT_S)
        return self.process.returncode, log


@contextmanager
def seated(program: Path, folder: Path) -> Iterator[Table]:
    """A process of `program` that has said hello on a socket in `folder`."""
    endpoint = f"ipc://{folder}/arena"
    environment = {"ARENA_ENDPOINT": endpoint, "ARENA_TOKEN": TOKEN}
    with zmq.Context() as context, context.socket(zmq.ROUTER) as router:
        router.linger, router.rcvtimeo = 0, WAIT_S * 1000
        router.bind(endpoint)
        with subprocess.Popen([program], env=environment, stderr=subprocess.PIPE, text=True) as process:
            try:
                yield Table(router, process)
            finally:
                process.kill()


def start(seed: str = SEED, variant: str = "claim/2p/GK-UWX") -> dict[str, Any]:
    players = [{"seat": 0, "team": 0}, {"seat": 1, "team": 1}]
    clock = {"startup_ms": 10000, "bank_ms": 20000, "increment_ms": 100, "move_ms": 5000}
    head = {"type": "start", "game_id": "g1", "game": "claim", "variant": variant, "seat": 0, "rules": "1-0a"}
    luck = {"commitment": "c0" * 32, "bot_seed": seed}
    return head | {"players": players, "setup": {}, "clock": clock} | luck


def turn(number: int, legal: list[str] = SUITS, view: dict[str, Any] | None = None) -> dict[str, Any]:
    events = [{"n": number, "kind": "played", "body": {"seat": 1, "card": "G9"}}]
    clock = {"remaining_ms": 19000, "move_ms": 5000, "last_ms": 0.25}
    message = {"type": "turn", "game_id": "g1", "turn": number, "view": view or {"round": number}}
    return message | {"events": events, "legal": legal, "clock": clock}


def end() -> dict[str, Any]:
    result = [{"seat": 0, "rank": 0, "score": 3, "fault": None}, {"seat": 1, "rank": 1, "score": 2}]
    message = {"type": "end", "game_id": "g1", "result": result, "verdict": "finished"}
    return message | {"detail": "", "events": []}


BYE = b'{"type":"bye","reason":"the tournament is over"}'


def game(table: Table, seed: str, turns: int = 40) -> list[str]:
    """The actions of a game of so many turns."""
    table.ask(start(seed))
    actions = [table.move(turn(number)).action for number in range(1, turns + 1)]
    table.ask(end())
    return actions


def test_make_writes_only_build_and_clean_removes_it(tmp_path: Path) -> None:
    folder = tmp_path / "bot"
    build(folder, PROBE)
    sources = {path.name for path in CPP.iterdir() if path.stem != "greedy"} - {"build"}
    assert {path.name for path in folder.iterdir()} == sources | {"build"}
    subprocess.run(["make", "-s", "clean"], cwd=folder, check=True)
    assert {path.name for path in folder.iterdir()} == sources


def test_hello_gives_token_version_and_kit(random_bot: Path, tmp_path: Path) -> None:
    with seated(random_bot, tmp_path) as table:
        assert table.hello == Hello(
            type="hello", protocol=[1], token=TOKEN, sdk="kingmaker-c++/1", features=["no_events"]
        )


def test_a_game_from_start_to_bye(random_bot: Path, tmp_path: Path) -> None:
    with seated(random_bot, tmp_path) as table:
        assert table.ask(start()) == Ready(type="ready", game_id="g1")
        moves = [table.move(turn(number)) for number in range(1, 41)]
        assert {move.action for move in moves} == set(SUITS)
        assert {move.note for move in moves} == {None}
        assert table.ask(end()) == Ready(type="ready", game_id="g1")
        assert table.last(BYE) == (0, "")


def test_the_moves_follow_from_the_seed_alone(random_bot: Path, tmp_path: Path) -> None:
    with seated(random_bot, tmp_path) as table:
        first, other, again = (game(table, seed) for seed in (SEED, "f" * 32, SEED))
    with seated(random_bot, tmp_path) as table:
        elsewhere = game(table, SEED)
    assert first == again == elsewhere
    assert first != other


def test_unknown_fields_are_ignored(random_bot: Path, tmp_path: Path) -> None:
    novelty = {"novelty": {"type": "bye", "legal": ["resign"], "deep": [[1.5, None, True]]}}
    with seated(random_bot, tmp_path) as table:
        assert table.ask(novelty | start() | {"later": 1}) == Ready(type="ready", game_id="g1")
        assert table.move(novelty | turn(1) | {"later": []}).action in SUITS
        assert table.ask(novelty | end()) == Ready(type="ready", game_id="g1")


@pytest.mark.parametrize("action", ['say "no"', "back\\slash", "Zoë ♠ 🂡", "a/b", "x" * 200])
def test_an_action_comes_back_as_it_was(random_bot: Path, tmp_path: Path, action: str) -> None:
    with seated(random_bot, tmp_path) as table:
        table.ask(start())
        assert table.move(turn(1, [action])).action == action


def test_a_turn_larger_than_the_pool_is_played(random_bot: Path, tmp_path: Path) -> None:
    legal = [f"move {number}" for number in range(20000)]
    with seated(random_bot, tmp_path) as table:
        table.ask(start())
        assert table.move(turn(1, legal)).action in legal
        assert table.move(turn(2)).action in SUITS


@pytest.mark.parametrize(
    ("message", "log"),
    [
        ('{"type":"error","code":"bad_token","detail":"no","path":"hello.token","fatal":true}', "bad_token at hello.token: no"),
        ('{"type":"dance"}', "unknown type: dance"),
        ('{"type":"turn","game_id":', "not JSON: "),
        ('{"type":"turn","game_id":"g1","turn":1}', "a JSON value lacks that field"),
    ],
)  # fmt: skip
def test_what_it_cannot_answer_ends_it_with_a_message(
    random_bot: Path, tmp_path: Path, message: str, log: str
) -> None:
    with seated(random_bot, tmp_path) as table:
        code, stderr = table.last(message.encode())
        assert code == 1
        assert log in stderr


@pytest.mark.parametrize("name", ["ARENA_ENDPOINT", "ARENA_TOKEN"])
def test_without_an_arena_it_says_so(random_bot: Path, name: str) -> None:
    environment = {"ARENA_ENDPOINT": "ipc:///nowhere", "ARENA_TOKEN": TOKEN}
    del environment[name]
    done = subprocess.run([random_bot], env=environment, capture_output=True, text=True, timeout=WAIT_S)
    assert done.returncode == 2
    assert f"{name} is not set" in done.stderr


def test_hooks_see_start_and_end_and_a_note_is_sent(probe: Path, tmp_path: Path) -> None:
    with seated(probe, tmp_path) as table:
        for variant, verdict in (("claim/2p/GK-UWX", "none"), ("claim/3p", "finished")):
            table.ask(start(variant=variant))
            move = table.move(turn(1))
            assert (move.action, move.note) == (SUITS[0], f"{variant} after {verdict}")
            table.ask(end())


def test_an_illegal_choice_is_sent_and_logged(probe: Path, tmp_path: Path) -> None:
    with seated(probe, tmp_path) as table:
        table.ask(start())
        assert table.move(turn(9, ["pass"])).action == "resign"
        assert table.last(BYE) == (0, "not one of the legal actions: resign\n")


@pytest.mark.parametrize(
    ("view", "log"), [({"round": 0}, "no idea what to do\n"), ({"hand": []}, "lacks that field")]
)
def test_an_exception_of_the_bot_ends_it(probe: Path, tmp_path: Path, view: dict[str, Any], log: str) -> None:
    with seated(probe, tmp_path) as table:
        table.ask(start())
        code, stderr = table.last(json.dumps(turn(1, view=view)).encode())
        assert code == 1
        assert log in stderr


def test_the_bot_of_the_readme_builds_and_plays(tmp_path: Path) -> None:
    [source] = re.findall(r"```cpp\n(.*?)```", (CPP / "README.md").read_text(), re.DOTALL)
    with seated(build(tmp_path / "bot", source), tmp_path) as table:
        table.ask(start())
        move = table.move(turn(1))
        assert (move.action, move.note) == (SUITS[-1], "decision 1")
        table.ask(end())
        assert table.last(BYE) == (0, "finished\n")
