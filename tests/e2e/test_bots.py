"""Bots taken in, checked, fed a game again, and a person or a program in a bot's place: with real processes."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from arena import probes
from arena.cli import main
from arena.documents import schema
from arena.home import Home
from arena.probes import PROBES
from referee.clocks import Limits
from referee.replay import check as holds
from tests.e2e.conftest import strays

ROOT = Path(__file__).parents[2]
LINES = """
import json, os, sys
{first}
def say(**message):
    print(json.dumps(message), flush={flush})
say(type="hello", protocol=[{version}], token={token})
for line in sys.stdin:
    heard = json.loads(line)
    {heard}
    if heard["type"] == "bye":
        {bye}
    elif heard["type"] == "turn":
        say(type="move", game_id=heard["game_id"], turn=heard["turn"], action={action})
    else:
        say(type="ready", game_id=heard["game_id"])
"""
"""A bot over standard input and output, with gaps for what it does otherwise."""
SOUND = {
    "first": "", "flush": "True", "version": "1", "token": 'os.environ["ARENA_TOKEN"]', "heard": "pass",
    "bye": "sys.exit()", "action": 'heard["legal"][0]',
}  # fmt: skip
FIRST, LAST = SOUND, SOUND | {"action": 'heard["legal"][-1]'}
SEEDED = SOUND | {
    "first": "import random",
    "heard": 'if heard["type"] == "start": rng = random.Random(heard["bot_seed"])',
    "action": 'rng.choice(heard["legal"])',
}
CHEATS = SOUND | {"action": '"K99"'}
CRASHES = SOUND | {"action": "1 / 0"}
ONE = ("claim/2p/GK-UWX",)


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    """One for all, in whose parent every test finds itself; at the end no process may be left there."""
    short = Path(tempfile.mkdtemp(prefix="km", dir="/tmp"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(short))
        patch.setattr(tempfile, "tempdir", str(short))
        patch.chdir(short)
        yield Home(short / "home")
    left = [line for line in strays(short) if not line.startswith(f"{os.getpid()} ")]
    shutil.rmtree(short, ignore_errors=True)
    assert left == []


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The arena is not silent for long."""
    monkeypatch.setattr(probes, "SILENCE", 0.0)


def arena(home: Home, *words: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, ["--home", str(home.path), *words], input=typed)


def made(name: str, text: dict[str, str], games: tuple[str, ...] = ONE, more: str = "") -> str:
    """A folder with a bot in lines."""
    folder = Path(name)
    folder.mkdir(exist_ok=True)
    (folder / "bot.py").write_text(LINES.format(**text))
    talks = "" if "transport" in more else 'transport = "stdio"\n'
    manifest = f'name = "{name}"\nrun = ["python3", "bot.py"]\n{talks}games = {json.dumps(games)}\n'
    (folder / "bot.toml").write_text(manifest + more)
    return f"./{name}"


def known(home: Home) -> set[str]:
    return {row["name"] for row in json.loads(arena(home, "bot", "list", "--json").stdout)["bots"]}


def kept(home: Home, what: str = "bots") -> set[str]:
    folder = home.folder(what)
    return {path.name for path in folder.iterdir()}


# arena bot add


def test_a_sound_bot_is_added_and_passes_every_check(home: Home, quick: None) -> None:
    added = arena(home, "bot", "add", made("sound", FIRST))
    assert added.exit_code == 0 and "added: sound@" in added.stderr and "sound" in known(home)
    done = arena(home, "bot", "check", "sound", "--json")
    told = json.loads(done.stdout)
    assert done.exit_code == 0 and told["ok"] and "all checks passed" in done.stderr
    assert list(Draft202012Validator(schema("bot-check")).iter_errors(told)) == []
    names = ["files and build", "start and hello", "claim/2p", *PROBES, "timing"]
    assert [one["name"] for one in told["checks"]] == names
    assert told["timing"]["moves"] == 13 * 2 and told["timing"]["startup_ms"] > 0


def test_a_script_is_added_with_what_is_proposed(home: Home) -> None:
    Path("script.py").write_text(LINES.format(**FIRST))
    added = arena(home, "bot", "add", "script.py")
    assert added.exit_code == 0 and '  | transport = "stdio"' in added.stderr
    assert arena(home, "play", "script", made("sound", FIRST), "--quiet").exit_code == 0


@pytest.mark.parametrize(
    ("name", "text", "games", "more", "said"),
    [
        ("cheats", CHEATS, ONE, "", ["illegal_move", "played 'K99'", "one of `legal`", "E302"]),
        ("crashes", CRASHES, ONE, "", ["ZeroDivisionError", "its last lines", "E302"]),
        ("late", SOUND | {"first": 'raise SystemExit("no licence")'}, ONE, "", ["| no licence", "E301"]),
        ("stranger", SOUND | {"token": '"0" * 32'}, ONE, "", ["bad token", "value of ARENA_TOKEN", "E301"]),
        ("older", SOUND | {"version": "0"}, ONE, "", ["bad version", "speaks version 1", "E301"]),
        ("lines", SOUND, ONE, 'transport = "ipc"', ['write transport = "stdio" in its bot.toml', "E301"]),
        ("idle", SOUND | {"first": "sys.exit(3)"}, ("chess",), "", ["exit 3", "bot check PATH", "E301"]),
        ("needy", SOUND | {"first": "sys.exit(3)"}, ONE, 'needs = "luck"', ["it needs: luck", "E301"]),
    ],
)
def test_a_bot_that_faults_is_not_added(
    home: Home, name: str, text: dict[str, str], games: tuple[str, ...], more: str, said: list[str]
) -> None:
    before = kept(home), kept(home, "games")
    done = arena(home, "bot", "add", made(name, text, games, more))
    assert done.exit_code == 3 and done.stdout == ""
    assert [word for word in said if word not in done.stderr] == []
    assert (kept(home), kept(home, "games")) == before and name not in known(home)
    assert arena(home, "bot", "show", name).exit_code == 2


def test_a_program_that_is_not_there_is_not_added_unless_nobody_looks(home: Home) -> None:
    manifest = Path(made("absent", FIRST)) / "bot.toml"
    manifest.write_text(manifest.read_text().replace("python3", "no-such-program"))
    before = kept(home)
    done = arena(home, "bot", "add", "./absent")
    assert done.exit_code == 3 and "cannot start 'no-such-program'" in done.stderr
    assert "mend `run` in its bot.toml" in done.stderr and kept(home) == before
    assert arena(home, "bot", "add", "./absent", "--no-check").exit_code == 0 and "absent" in known(home)


def test_a_bot_can_be_added_while_a_tournament_runs(home: Home) -> None:
    begun, go = Path("begun").absolute(), Path("go").absolute()
    wait = f"""
def wait():
    import time
    open({str(begun)!r}, "w").close()
    while not os.path.exists({str(go)!r}):
        time.sleep(0.01)
"""
    made("waits", FIRST | {"first": wait, "heard": 'heard["type"] == "turn" and wait()'})
    clock = (
        'sandbox = "none"  # the bot and this test meet by files\n[clock]\nmove_ms = 0\nbank_ms = 600000\n'
    )
    made("sound", FIRST)
    Path("cup.toml").write_text(f'bots = ["./waits", "./sound"]\nvariants = ["claim"]\ndeals = 1\n{clock}')
    command = [sys.executable, "-c", "from arena.cli import main; main()", "--home", str(home.path)]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen([*command, "run", "cup.toml"], env=env, stderr=subprocess.DEVNULL) as run:
        while not begun.exists() and run.poll() is None:
            time.sleep(0.01)
        assert "cup: running" in arena(home, "status", "cup").stdout
        assert arena(home, "bot", "add", made("newcomer", LAST)).exit_code == 0 and run.poll() is None
        go.touch()
    assert run.returncode == 0 and "newcomer" in known(home)
    assert "cup: complete, 2 of 2 games over" in arena(home, "status", "cup").stdout


# arena bot check


@pytest.mark.parametrize(
    ("gaps", "fails", "said"),
    [
        ({"heard": 'assert "x_later" not in heard'}, ["unknown fields"], "must ignore fields"),
        ({"heard": "assert len(line) < 65536"}, ["big messages"], "no line or buffer of a fixed size"),
        (
            {"first": "import signal", "heard": "signal.setitimer(signal.ITIMER_REAL, 1.0)"},
            ["patience"], "wait for the next message as long as it takes",
        ),
        (
            {"heard": 'assert heard["type"] != "end" or heard["verdict"] == "finished"'},
            ["ended early"], "`end` may come in place of any `turn`",
        ),
        ({"bye": "import time; time.sleep(600)"}, ["bye", "bye in a game"], "still there a second after `bye`"),
        ({"bye": "sys.exit(1)"}, ["bye", "bye in a game"], "after `bye` it ended with exit 1"),
        (
            {
                "first": "over = True",
                "heard": 'over = heard["type"] == "end" or (heard["type"] == "bye" and over)',
                "bye": 'assert over, "in a game"; sys.exit()',
            },
            ["bye in a game"], "AssertionError: in a game",
        ),
    ],
    ids=["unknown fields", "big messages", "patience", "ended early", "stays", "exit 1", "in a game"],
)  # fmt: skip
def test_a_probe_finds_what_a_tournament_would(
    home: Home, monkeypatch: pytest.MonkeyPatch, gaps: dict[str, str], fails: list[str], said: str
) -> None:
    if fails != ["patience"]:
        monkeypatch.setattr(probes, "SILENCE", 0.0)
    if "sleep" in gaps.get("bye", ""):
        for place in ("arena.preflight", "referee.players.waiting"):
            monkeypatch.setattr(f"{place}.GRACE", 0.1)
    done = arena(home, "bot", "check", made("tried", SOUND | gaps), "--json")
    told = json.loads(done.stdout)
    failed = {one["name"]: one for one in told["checks"] if not one["ok"]}
    assert done.exit_code == 1 and not told["ok"] and list(failed) == fails
    assert said in " ".join(one["detail"] + one["fix"] for one in failed.values())
    assert list(Draft202012Validator(schema("bot-check")).iter_errors(told)) == []


def test_a_wrong_token_or_version_has_its_own_fix(home: Home) -> None:
    for gaps, fix in (({"token": '"0" * 32'}, "value of ARENA_TOKEN"), ({"version": "0"}, "speaks: [1]")):
        done = arena(home, "bot", "check", made("tried", SOUND | gaps))
        assert done.exit_code == 1 and "FAILED  start and hello" in done.stdout and fix in done.stdout


def test_a_bot_that_does_not_flush_is_found_out(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.bundles.Limits", lambda: Limits(startup=timedelta(seconds=0.5)))
    done = arena(home, "bot", "check", made("dams", SOUND | {"flush": "False"}))
    assert done.exit_code == 1 and "FAILED  start and hello" in done.stdout
    assert "flush standard output after each line" in done.stdout


def test_a_bot_gets_the_time_to_start_that_it_asks_for(
    home: Home, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    default = Limits(startup=timedelta(seconds=0.3))
    monkeypatch.setattr("arena.bundles.Limits", lambda: default)
    slow = SOUND | {"first": "import time; time.sleep(0.6)"}
    commands = (["bot", "add", "./slow"], ["bot", "check", "./slow"], ["play", "./slow", "./slow"])
    made("slow", slow)
    assert [arena(home, *words).exit_code for words in commands] == [3, 1, 3]
    made("slow", slow, more="[limits]\nstartup_ms = 20000\n")
    assert [arena(home, *words).exit_code for words in commands] == [0, 0, 0]


# arena repro


def id_of(played: Result) -> str:
    """The game that `arena play` has played."""
    return re.search(r"arena replay (\w+)", played.stderr)[1]  # type: ignore[index]


@pytest.fixture(scope="module")
def seeded(home: Home) -> str:
    """A game of two bots whose moves depend on their bot_seed."""
    made("seeded", SEEDED)
    played = arena(home, "play", "./seeded", "./seeded", "--seed", "7", "--quiet")
    assert played.exit_code == 0, played.stderr
    return id_of(played)


def test_a_bot_plays_again_what_it_played(home: Home, seeded: str) -> None:
    for seat in ("0", "1"):
        done = arena(home, "repro", seeded, "--seat", seat, "--quiet")
        assert done.exit_code == 0 and done.stdout == ""
        assert "26 moves as in the record, 0 other" in done.stderr


def test_a_game_of_a_tournament_is_played_again_with_its_seeds(home: Home) -> None:
    made("seeded", SEEDED)
    Path("lots.toml").write_text('bots = ["./seeded", "random"]\nvariants = ["claim"]\ndeals = 1\n')
    assert arena(home, "run", "lots.toml").exit_code == 0
    listed = json.loads(arena(home, "record", "list", "lots", "--json").stdout)["results"]
    for game in listed:
        for seat in ("0", "1"):
            done = arena(home, "repro", game["id"], "--seat", seat, "--quiet")
            assert done.exit_code == 0 and done.stdout == "" and ", 0 other" in done.stderr


def test_every_message_is_shown_and_moves_that_are_others(home: Home, seeded: str) -> None:
    done = arena(home, "repro", seeded, made("last", LAST), "--seat", "0")
    lines = done.stdout.splitlines()
    assert done.exit_code == 0 and [line[:2] for line in lines[:2]] == ["< ", "> "]
    said = [json.loads(line[2:]) for line in lines if line.startswith(("< ", "> "))]
    assert said[0]["type"] == "start" and said[-1]["type"] == "ready"
    other = [line for line in lines if line.startswith("! in the record: ")]
    turns = [message for message in said if message["type"] == "turn"]
    assert len(other) > 2 and len(turns) == 26
    assert f"{26 - len(other)} moves as in the record, {len(other)} other" in done.stderr
    quiet = arena(home, "repro", seeded, "./last", "--seat", "0", "--quiet")
    assert quiet.stdout.splitlines() == other


@pytest.mark.parametrize(
    ("text", "said"),
    [(CHEATS, "! illegal_move: legal were"), (CRASHES, "ZeroDivisionError")], ids=["cheats", "crashes"],
)  # fmt: skip
def test_a_fault_is_shown_and_is_exit_1(home: Home, seeded: str, text: dict[str, str], said: str) -> None:
    done = arena(home, "repro", seeded, made("faulty", text), "--seat", "1", "--quiet")
    assert done.exit_code == 1 and said in done.stdout


def test_a_record_that_ends_early_is_exit_2(home: Home, seeded: str) -> None:
    record = json.loads(next((home.path / "games").glob(f"{seeded}*")).read_bytes())
    del record["play"]["actions"][-1]
    Path("early.json").write_text(json.dumps(record), "utf-8")
    for seat in ("0", "1"):
        done = arena(home, "repro", "early.json", "random", "--seat", seat, "--quiet")
        assert done.exit_code == 2 and "the record ends before it" in done.stderr


def test_what_is_saved_can_be_fed_to_a_bot(home: Home, seeded: str) -> None:
    saved = arena(home, "repro", seeded, "--seat", "1", "--save", "game.jsonl")
    assert saved.exit_code == 0
    with Path("game.jsonl").open("rb") as lines:
        done = subprocess.run(
            [sys.executable, "seeded/bot.py"], stdin=lines, capture_output=True, check=True,
            env=os.environ | {"ARENA_TOKEN": "0"},
        )  # fmt: skip
    said = [json.loads(line) for line in done.stdout.splitlines()]
    actions = [message["action"] for message in said if message["type"] == "move"]
    play = json.loads(next((home.path / "games").glob(f"{seeded}*")).read_bytes())["play"]
    assert actions == [action for seat, action in play["actions"] if seat == 1]


def test_a_bot_can_be_started_by_hand(home: Home, seeded: str, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    bot = ROOT / "bots" / "python" / "random" / "bot.py"

    def tell(environment: dict[str, str]) -> None:
        env = os.environ | environment | {"PYTHONPATH": str(ROOT)}
        started.append(subprocess.Popen([sys.executable, str(bot)], env=env))

    monkeypatch.setattr("arena.cli.repro._tell", tell)
    done = arena(home, "repro", seeded, "random", "--seat", "0", "--by-hand", "--quiet")
    assert done.exit_code == 0 and " other" in done.stderr and started[0].wait(30) == 0
    done = arena(home, "repro", seeded, "./seeded", "--seat", "0", "--by-hand")
    assert done.exit_code == 2 and "--save FILE" in done.stderr and len(started) == 1


def test_a_game_whose_bot_was_pruned_can_be_read_and_asks_for_another_bot(home: Home) -> None:
    made("gone", FIRST)
    game = id_of(arena(home, "play", "./gone", "./gone", "--quiet"))
    pruned = arena(home, "bot", "prune")
    assert pruned.exit_code == 0 and "gone@" in pruned.stdout
    assert arena(home, "verify", str(next((home.path / "games").glob(f"{game}*")))).exit_code == 0
    done = arena(home, "repro", game, "--seat", "0", "--quiet")
    assert done.exit_code == 2 and "no bot 'gone@" in done.stderr and "name a BOT for it" in done.stderr
    again = arena(home, "repro", game, "./gone", "--seat", "0", "--quiet")
    assert again.exit_code == 0 and "26 moves as in the record, 0 other" in again.stderr


# arena bot shell, arena play human


def test_a_program_at_the_other_end_of_a_pipe_plays_a_whole_game(home: Home) -> None:
    command = [sys.executable, "-c", "from arena.cli import main; main()", "--home", str(home.path)]
    made("sound", FIRST)
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*command, "bot", "shell", "./sound", "--seat", "1", "--seed", "3"],
        stdin=pipe, stdout=pipe, stderr=pipe, text=True, bufsize=1, env=os.environ | {"PYTHONPATH": str(ROOT)},
    ) as shell:  # fmt: skip
        assert shell.stdin and shell.stdout and shell.stderr
        types: list[str] = []
        while types[-1:] != ["bye"]:
            hint = shell.stderr.readline().removeprefix("such as: ")
            shell.stdin.write("what?\n")
            assert json.loads(shell.stdout.readline())["code"] == "not_json"
            shell.stdin.write(hint)
            types.append(json.loads(shell.stdout.readline())["type"])
        record = shell.stderr.readline().split()[1]
    assert types == ["start", *["turn"] * 26, "end", "bye"] and holds(Path(record).read_bytes()) == []
    assert shell.returncode == 0


def test_a_person_plays_a_game_whose_record_holds(home: Home) -> None:
    made("sound", FIRST)
    done = arena(home, "play", "human", "./sound", "--seed", "3", typed="?\nb\n" + "1\n" * 26)
    assert done.exit_code == 0 and done.stdout.count("recruit phase, trick 1/13") == 2
    path = re.search(r"record   (.*)$", done.stderr, re.MULTILINE)
    assert path and holds(Path(path[1]).read_bytes()) == []
    assert "seat 0 human" in done.stdout and "result   finished" in done.stdout
    done = arena(home, "play", "human", "./sound", "--seed", "3", "--json", typed="1\n" * 26)
    assert json.loads(done.stdout)["play"]["seats"][0] == {"bot": "human", "digest": "", "team": 0}
    again = arena(home, "repro", id_of(done), "--seat", "0")
    assert again.exit_code == 2 and "seat 0 was human" in again.stderr


def test_who_stops_gets_130_and_no_record(home: Home) -> None:
    made("sound", FIRST)
    before = len(list(home.folder("games").iterdir()))
    for typed in ("1\nq\n", "1\n"):
        done = arena(home, "play", "human", "./sound", typed=typed)
        assert done.exit_code == 130 and "stopped" in done.stderr
    assert len(list(home.folder("games").iterdir())) == before
