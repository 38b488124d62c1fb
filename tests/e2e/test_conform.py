"""`arena bot conform` with real processes: sound bots pass however they talk, bad ones fail for their reason."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

import protocol
from arena.cli import main
from arena.conformance import Held, conform, vectors
from arena.documents import schema
from protocol.vocabulary import BotId
from referee.jobs import Launch

ROOT = Path(protocol.__file__).parents[1]
BAD = ROOT / "tests" / "bad_bots"
HARMLESS = {"changes_shape", "chatters", "daemon", "sulks"}
"""What they do is no fault of a game."""
NEVER_START = {"leaves_early", "mute"}
ANOTHER_REASON = {"floods_first": "not_json", "wrong_token": "bad_token", "sulks": "timeout"}
"""Here nobody else could have said that; and the answer to `end` is missed."""

ANY = """
from protocol.client import Bot, run

class Any(Bot):
    wants_events = {events}
    def choose(self, turn):
        return self.rng.choice(turn["legal"]), "a note"

run(Any())
"""
"""A bot of the kit that takes any action."""
LINES = """
import json, os, sys

def say(message):
    sys.stdout.write(json.dumps(message) + {end!r})
    sys.stdout.flush()

say({{"type": "hello", "protocol": [1], "token": os.environ["ARENA_TOKEN"]}})
for line in sys.stdin:
    heard = json.loads(line)
    if heard["type"] == "bye":
        {bye}
    if heard["type"] == "error":
        {error}
    reply = {{"type": "ready", "game_id": heard["game_id"]}}
    if heard["type"] == "turn":
        reply |= {{"type": "move", "turn": heard["turn"], "action": {action}}}
    say(reply)
"""
"""A bot in lines, with gaps for what it does wrong."""
SOUND = {"end": "\n", "bye": "sys.exit(0)", "error": "sys.exit(1)", "action": 'heard["legal"][-1]'}


def launch(script: Path, transport: str = "ipc") -> Launch:
    env = {"PYTHONPATH": str(ROOT)}
    return Launch(BotId(script.stem, ""), (sys.executable, str(script)), str(script.parent), env, transport)


def written(folder: Path, text: str) -> Path:
    script = folder / "bot.py"
    script.write_text(text, "utf-8")
    return script


def held(script: Path, only: str | None = None, transport: str = "ipc", patience: float = 5) -> list[Held]:
    return list(conform(launch(script, transport), vectors(only), patience))


@pytest.mark.parametrize(
    ("transport", "events"),
    [
        ("ipc", True),
        ("stdio", False),
        pytest.param("tcp", False, marks=pytest.mark.long),
        pytest.param("stdio", True, marks=pytest.mark.long),
    ],
)
def test_the_kit_conforms(
    transport: str, events: bool, short: Path, nothing_left: Callable[[], list[str]]
) -> None:
    results = held(written(short, ANY.format(events=events)), transport=transport)
    assert [one for one in results if not one.ok] == []
    assert len(results) == len(vectors())
    assert nothing_left() == []


@pytest.mark.parametrize("bad", sorted(BAD.glob("*.py")), ids=lambda path: path.stem)
def test_each_bad_bot_fails_for_its_reason(
    bad: Path, short: Path, nothing_left: Callable[[], list[str]]
) -> None:
    expected = bad.read_text().splitlines()[0].removeprefix("# expect: ")
    kind, _, reason = expected.partition("/")
    arguments = ["--only", "one-game", "--patience", "1.5", "--json", "--"]
    result = called(short, *arguments, "env", f"PYTHONPATH={ROOT}", sys.executable, str(bad))
    assert nothing_left() == []
    if bad.stem in NEVER_START:
        assert result.exit_code == 3 and "does not start" in result.stderr
        return
    (one,) = json.loads(result.stdout)["conversations"]
    if bad.stem in HARMLESS - ANOTHER_REASON.keys():
        assert one["ok"] and result.exit_code == 0
        return
    assert result.exit_code == 1 and one["advice"]
    wanted = reason if kind == "protocol_error" else kind
    assert one["reason"] == ANOTHER_REASON.get(bad.stem, wanted)


def called(home: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["--home", str(home / "home"), "bot", "conform", *words])


@pytest.mark.parametrize(
    ("end", "only"), [("\n", None), ("\r\n", "one-game"), ("\nthis is no message\n", "one-game")]
)
def test_lines_conform(end: str, only: str | None, short: Path) -> None:
    results = held(written(short, LINES.format_map(SOUND | {"end": end})), only, "stdio")
    assert results and [one for one in results if not one.ok] == []


@pytest.mark.parametrize(
    ("wrong", "only", "reason", "said"),
    [
        ({"bye": "sys.exit(1)"}, "one-game", "success", "exit 1"),
        ({"bye": "pass"}, "one-game", "success", "exit 1"),
        ({"bye": "import time; time.sleep(60)"}, "one-game", "success", "still running"),
        ({"bye": "say(heard); sys.exit(0)"}, "bye-after-hello", "success", "wrong_type"),
        ({"error": "sys.exit(0)"}, "error", "failure", "exit 0"),
        ({"error": "sys.exit(0)"}, "error-not-fatal", "failure", "exit 0"),
        ({"action": '"3"'}, "one-game", "illegal_move", "not in `legal`"),
        ({"action": 'heard["legal"][0].strip()'}, "any-text", "illegal_move", "not in `legal`"),
        (
            {"action": 'heard["legal"][0].lstrip("0")'},
            "actions-like-values",
            "illegal_move",
            "not in `legal`",
        ),
        ({"action": 'int(heard["legal"][0])'}, "one-game", "wrong_type", "move.action"),
        ({"action": '"1" * 99000'}, "one-game", "too_large", "the limit is 65536"),
        ({"action": 'print("1" * 200000) or "1"'}, "one-game", "flood", "standard output"),
    ],
)
def test_what_is_wrong_is_named(
    wrong: dict[str, str], only: str, reason: str, said: str, short: Path
) -> None:
    (one,) = held(written(short, LINES.format_map(SOUND | wrong)), only, "stdio", 2)
    assert not one.ok and one.reason == reason and said in one.why
    assert one.expected and one.step and one.advice and len(one.came) <= 2100


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (LINES.format_map(SOUND | {"end": " "}), "did it forget the newline?"),
        (LINES.format_map(SOUND).replace("sys.stdout.flush()", "pass"), "did it forget to flush?"),
        ("raise SystemExit('no such library')", "no such library"),
    ],
    ids=["newline", "flush", "exit"],
)
def test_a_bot_without_a_hello_is_told_what_may_be_missing(text: str, said: str, short: Path) -> None:
    script = written(short, text)
    result = called(short, "--transport", "stdio", "--patience", "1", "--", sys.executable, str(script))
    assert result.exit_code == 3 and said in result.stderr


def test_a_bot_may_answer_again_where_an_error_is_not_fatal(short: Path) -> None:
    again = {"error": "say(last); continue", "action": 'heard["legal"][0]'}
    text = LINES.format_map(SOUND | again).replace("    say(reply)", "    say(last := reply)")
    (one,) = held(written(short, text), "error-not-fatal", "stdio")
    assert one.ok, one


def test_a_bot_that_wants_no_events_is_told_none(short: Path) -> None:
    text = LINES.format_map(SOUND).replace('"protocol"', '"features": ["no_events"], "protocol"')
    text = text.replace("    say(reply)", "    assert not heard.get('events')\n    say(reply)")
    assert all(one.ok for one in held(written(short, text), "one-game", "stdio"))


def test_a_bot_by_its_manifest_and_the_document(short: Path) -> None:
    result = called(short, "random", "--only", "one-game", "--json")
    printed = json.loads(result.stdout)
    assert result.exit_code == 0 and printed["ok"] and printed["bot"].startswith("random@")
    validator = Draft202012Validator(schema("bot-conform"))
    assert list(validator.iter_errors(printed)) == []
    for key in printed:
        assert not validator.is_valid({**printed, key: object}), key


def test_a_failure_is_shown_with_all_that_is_known(short: Path) -> None:
    script = written(short, LINES.format_map(SOUND | {"action": 'print("thinking") or "\x1b[2J"'}))
    words = ("--transport", "stdio", "--only", "one-game", "--", sys.executable, str(script))
    result = called(short, *words)
    assert result.exit_code == 1 and "\x1b" not in result.stdout
    for part in (
        "FAILED  one-game: wrong_type at step 5",
        "came: {",
        "expected: `move`",
        "log: thinking",
        "fix: ",
    ):
        assert part in result.stdout
    assert "1 of 1 conversation failed" in result.stderr
