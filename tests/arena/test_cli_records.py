"""`arena record`, `replay` and `verify` on a ledger: what they print, and their exit codes."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.home import Home
from protocol.record import pack, unpack
from protocol.vocabulary import FaultKind
from referee.faults import Misstep
from tests.arena.made import record, tournament
from tests.referee.driving import Player, random_player

LONG = f'  File "/home/{"x" * 90}/bot.py", line 4711, in choose'


def faulty(kind: FaultKind, reason: str = "", evidence: str = "") -> Player:
    """Does something wrong on its fifth turn."""
    sound = random_player(3)

    def play(message: dict[str, Any]) -> Any:
        return Misstep(kind, reason, evidence) if message.get("turn") == 5 else sound(message)

    return play


CRASHING = faulty(FaultKind.CRASH, "exit 3", f"Traceback\n{LONG}\n\x1b[2Jboom")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    home = Home(tmp_path_factory.mktemp("home"))
    tournament(home, "cup", variants=["claim", "claim/4p/GK-UWXTD"])
    tournament(home, "half", without=lambda n, pairing: n == 1 and pairing.seating[0].name == "bot0")
    (home.path / "crash.json").write_bytes(record("claim/3p/GK-UWXTD", seat1=CRASHING))
    (home.path / "late.json").write_bytes(record("claim", seat0=faulty(FaultKind.TIMEOUT)))
    return home


def arena(home: Home, *words: str | Path, input: str | None = None) -> Result:
    return CliRunner().invoke(main, ["--home", str(home.path), *map(str, words)], input=input)


def first_game(home: Home) -> str:
    games: list[dict[str, Any]] = json.loads(arena(home, "record", "list", "cup", "--json").stdout)["results"]
    return str(games[0]["id"])


# record


def test_list_shows_each_game_and_filters(home: Home) -> None:
    every = arena(home, "record", "list", "cup")
    assert every.exit_code == 0 and len(every.stdout.splitlines()) == 8
    assert "8 of 8 games" in every.stderr
    two = arena(home, "record", "list", "cup", "--variant", "claim/2p/*")
    assert {line.split()[1] for line in two.stdout.splitlines()} == {"claim/2p/GK-UWX"}
    assert arena(home, "record", "list", "cup", "--fault").stdout == ""
    assert len(arena(home, "record", "list", "cup", "--bot", "bot1").stdout.splitlines()) == 8


def test_list_json_has_each_seat(home: Home) -> None:
    parsed = json.loads(arena(home, "record", "list", "cup", "--json").stdout)
    assert parsed["schema"] == "kingmaker/results/1"
    assert [seat["bot"]["name"] for seat in parsed["results"][0]["seats"]] in (
        ["bot0", "bot1"],
        ["bot1", "bot0"],
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["list", "cuo"], "did you mean 'cup'"),
        (["list", "cup", "--bot", "bot2"], "did you mean"),
        (["list", "cup", "--variant", "clam"], "no game or variant 'clam'"),
        (["show", "zzz"], "no game begins with 'zzz'"),
        (["show", "./missing.json"], "cannot read"),
        (["export", "cuo"], "did you mean 'cup'"),
    ],
)
def test_a_wrong_word_is_exit_2_with_a_hint(home: Home, words: list[str], said: str) -> None:
    result = arena(home, "record", *words)
    assert result.exit_code == 2 and said in result.stderr and result.stdout == ""
    assert "fix: " in result.stderr


def test_show_is_text_of_80_columns_and_json_is_the_record(home: Home) -> None:
    id = first_game(home)
    text = arena(home, "record", "show", id[:10]).stdout
    assert max(map(len, text.splitlines())) <= 80
    raw = json.loads(arena(home, "record", "show", id, "--json").stdout)
    for seat, action in raw["play"]["actions"]:
        assert f"{seat}:{action}" in text
    assert raw["play"]["id"] == id and f"score {max(raw['play']['scores'])}" in text


def test_a_fault_stands_where_it_happened_and_its_evidence_cannot_move_the_cursor(home: Home) -> None:
    said = {
        "record show": '! {seat 1 kind crash reason "exit 3" turn 5 at ',
        "replay": "! seat 1 (bot1): crash/exit 3, its turn 5",
    }
    for command, line in said.items():
        text = arena(home, *command.split(), home.path / "crash.json").stdout
        assert line in text and "\x1b" not in text and "\\x1b[2Jboom" in text
    assert (
        "; seat 1 (bot1): crash/exit 3, its turn 5"
        in arena(home, "record", "show", home.path / "crash.json").stdout
    )


def test_evidence_is_folded_and_not_cut(home: Home) -> None:
    lines = arena(home, "replay", home.path / "crash.json").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    said = "".join(line.partition("| ")[2].strip() for line in lines if line.startswith("       | "))
    assert LONG.replace(" ", "") in said.replace(" ", "")


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({"move_ms": 5000, "bank_ms": 20000}, "timeout (move_ms 5000, margin_ms 20)"),
        ({"move_ms": 5000, "bank_ms": None, "margin_ms": 0}, "timeout (move_ms 5000)"),
        ({"move_ms": None, "bank_ms": 20000}, "timeout (bank_ms 20000, 12,400 ms of it left, margin_ms 20)"),
        ({"move_ms": 5000, "bank_ms": 9000}, "timeout (bank_ms 9000, 1,400 ms of it left, margin_ms 20)"),
    ],
)
def test_a_timeout_names_its_limit(
    home: Home, tmp_path: Path, limits: dict[str, int | None], said: str
) -> None:
    raw = json.loads((home.path / "late.json").read_bytes())
    raw["account"]["limits"] |= {"increment_ms": 100, **limits}
    raw["account"]["ms"] = [2000.0 for _ in raw["account"]["ms"]]
    (tmp_path / "late.json").write_text(json.dumps(raw))
    shown = arena(home, "record", "show", tmp_path / "late.json").stdout.replace("\n;    ", " ")
    assert f"; seat 0 (bot0): {said}, its turn 5" in shown and f"fault: {said}" in shown
    replayed = arena(home, "replay", tmp_path / "late.json").stdout.replace("\n     !   ", " ")
    assert f"! seat 0 (bot0): {said}, its turn 5" in replayed


def test_a_game_whose_deal_is_not_over_is_shown_only_when_insisted_on(home: Home) -> None:
    games = json.loads(arena(home, "record", "list", "half", "--json").stdout)["results"]
    shown = []
    for id in (game["id"][:12] for game in games):
        for command in (("record", "show"), ("replay",)):
            result = arena(home, *command, id)
            assert arena(home, *command, id, "--anyway").exit_code == 0
            shown.append(result.exit_code)
            assert result.exit_code == 0 or ("E227" in result.stderr and result.stdout == "")
    assert sorted(shown) == [0, 0, 0, 0, 2, 2]


def test_export_to_a_file_or_stdout_is_the_same_and_says_what_it_holds_back(
    home: Home, tmp_path: Path
) -> None:
    file = tmp_path / "half.jsonl"
    to_file = arena(home, "record", "export", "half", "-o", file)
    to_stdout = arena(home, "record", "export", "half")
    assert file.read_text() == to_stdout.stdout and to_file.stdout == ""
    for result in (to_file, to_stdout):
        assert "2 games exported" in result.stderr and "1 more is over but held back" in result.stderr


# verify


def test_verify_of_an_export_a_record_and_a_tournament(home: Home, tmp_path: Path) -> None:
    file = tmp_path / "cup.jsonl"
    arena(home, "record", "export", "cup", "-o", file)
    for what, games in ((file, 8), ("cup", 8), ("half", 3), (home.path / "crash.json", 1)):
        result = arena(home, "verify", what)
        assert result.exit_code == 0 and "all of it holds" in result.stdout
        assert f"{games} game" in result.stderr and "games/s" in result.stderr


def test_verify_places_a_break_and_is_exit_1(home: Home, tmp_path: Path) -> None:
    lines = arena(home, "record", "export", "cup").stdout.splitlines()
    value = json.loads(lines[4])
    value["record"]["play"]["actions"][22][1] = "Q9"
    lines[4] = json.dumps(value)
    file = tmp_path / "bad.jsonl"
    file.write_text("\n".join(lines))
    result = arena(home, "verify", file)
    id, seat = value["record"]["play"]["id"][:12], value["record"]["play"]["actions"][22][0]
    assert result.exit_code == 1
    assert f"line 5, game {id}, action 23 (seat {seat}, Q9): " in result.stdout
    parsed = json.loads(arena(home, "verify", file, "--json").stdout)
    assert (parsed["holds"], parsed["games"], parsed["flaws"][0]["line"]) == (False, 8, 5)


def test_verify_knows_whether_a_tournament_passed_through_an_old_head(home: Home, tmp_path: Path) -> None:
    head = json.loads(arena(home, "status", "cup", "--json").stdout)["head"]
    arena(home, "record", "export", "cup", "-o", tmp_path / "cup.jsonl")
    for what in ("cup", tmp_path / "cup.jsonl"):
        result = arena(home, "verify", what, "--head", head.upper())
        assert result.exit_code == 0 and f"head {head}\n" in result.stdout
        result = arena(home, "verify", what, "--head", "0" * 64)
        assert result.exit_code == 1 and "does not pass through 0000" in result.stdout
    for words, said in (
        ((first_game(home), "--head", head), "goes with"),
        (("cup", "--head", "9e1d"), "64 hex"),
    ):
        result = arena(home, "verify", *words)
        assert result.exit_code == 2 and said in result.stderr


def test_verify_of_a_game_by_the_first_digits_of_its_id(home: Home) -> None:
    games = json.loads(arena(home, "record", "list", "half", "--json").stdout)["results"]
    for id in [first_game(home), *(game["id"] for game in games)]:
        result = arena(home, "verify", id[:10])
        assert result.exit_code == 0 and result.stdout == f"{id[:10]}: all of it holds; 1 game\n"


@pytest.mark.parametrize(("word", "said"), [("cuo", "did you mean 'cup'"), ("facade", "no game begins with")])
def test_verify_of_what_is_nowhere(home: Home, word: str, said: str) -> None:
    result = arena(home, "verify", word)
    assert result.exit_code == 2 and said in result.stderr and "fix: " in result.stderr


def test_verify_says_that_a_file_is_empty(home: Home, tmp_path: Path) -> None:
    (tmp_path / "cup.jsonl").touch()
    result = arena(home, "verify", tmp_path / "cup.jsonl")
    assert result.exit_code == 1 and "the file is empty" in result.stdout and "0 games" in result.stdout


@pytest.mark.file
def test_verify_of_a_damaged_ledger_is_exit_1(home: Home, tmp_path: Path) -> None:
    other = Home(tmp_path / "other")
    other.folder()
    old, new = (sqlite3.connect(one.path / "ledger.sqlite") for one in (home, other))
    with closing(old), closing(new):
        old.backup(new)
        key, id, blob = new.execute(
            "SELECT key, id, record FROM records JOIN games ON key = records.game LIMIT 1"
        ).fetchone()
        value = json.loads(unpack(blob))
        value["play"]["scores"] = [9, 9]
        new.execute("UPDATE records SET record = ? WHERE game = ?", (pack(value), key))
        new.commit()
    result = arena(other, "verify", next(name for name in ("cup", "half") if id in _ids(other, name)))
    assert result.exit_code == 1 and f"game {id[:12]}, result: " in result.stdout


def _ids(home: Home, name: str) -> str:
    return arena(home, "record", "list", name, "--json").stdout


@pytest.mark.parametrize("text", ["", "no record", "{}", "\udc80"])
def test_verify_of_no_record_says_so(home: Home, tmp_path: Path, text: str) -> None:
    file = tmp_path / "x.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    result = arena(home, "verify", file)
    assert result.exit_code == 1 and "format: " in result.stdout


@pytest.mark.parametrize(("name", "code"), [("game.kgn", "E268"), ("game.txt", "E222")])
def test_a_text_without_its_first_line_is_told_what_it_begins_with(
    home: Home, tmp_path: Path, name: str, code: str
) -> None:
    text, file = arena(home, "record", "show", first_game(home)).stdout, tmp_path / name
    file.write_text(text.partition("\n")[2])
    result = arena(home, "replay", file)
    assert result.exit_code == 2 and "KGN 1" in result.stderr and code in result.stderr
    assert "KGN 1" in arena(home, "verify", file).output
    file.write_text(text)
    assert arena(home, "replay", file).exit_code == 0


# replay


def test_replay_shows_the_deal_every_action_and_the_result(home: Home) -> None:
    result = arena(home, "replay", first_game(home))
    raw = json.loads(arena(home, "record", "show", first_game(home), "--json").stdout)
    assert result.exit_code == 0 and "] the deal" in result.stdout
    last = len(raw["play"]["actions"])
    for number, (seat, action) in enumerate(raw["play"]["actions"], 1):
        assert (
            f"[{number}/{last}] seat {seat} (bot{raw['play']['seats'][seat]['bot'][-1]}): {action}"
            in result.stdout
        )
    assert "result   finished" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_one_step_is_one_board(home: Home) -> None:
    result = arena(home, "replay", first_game(home), "--step", "26")
    assert result.stdout.count("votes") == 1 and "[26/52]" in result.stdout


def test_a_seats_replay_has_nothing_of_the_others_hands(home: Home) -> None:
    id = first_game(home)
    whole = [json.loads(line) for line in arena(home, "replay", id, "--json").stdout.splitlines()]
    mine = [
        json.loads(line) for line in arena(home, "replay", id, "--json", "--seat", "1").stdout.splitlines()
    ]
    hand = next(e["body"]["hand"] for e in whole[0]["events"] if e["body"].get("seat") == 0)
    dealt = json.dumps([mine[0]["events"], mine[0]["view"]])
    assert '"hand": [' in dealt and json.dumps(hand) not in dealt
    assert all(event["audience"] in (None, [1]) for step in mine for event in step["events"])
    assert all(step["action"] is None for step in mine if step["seat"] == 0)
    text = arena(home, "replay", id, "--seat", "1").stdout
    assert "(known to 0)" not in text and "seed" not in text
    assert (
        f"dealt {' '.join(hand)}" in arena(home, "replay", id).stdout
        and f"dealt {' '.join(hand)}" not in text
    )


@pytest.mark.parametrize("words", [["--step", "53"], ["--seat", "2"], ["--game", "1"]])
def test_what_is_not_there_is_exit_2(home: Home, words: list[str]) -> None:
    result = arena(home, "replay", first_game(home), *words)
    assert result.exit_code == 2 and result.stdout == ""


def test_a_record_that_does_not_hold_is_shown_up_to_there(home: Home, tmp_path: Path) -> None:
    raw = json.loads(arena(home, "record", "show", first_game(home), "--json").stdout)
    raw["play"]["actions"][22][1] = "Q9"
    file = tmp_path / "bad.json"
    file.write_text(json.dumps(raw))
    result = arena(home, "replay", file)
    assert result.exit_code == 2 and "[22/52]" in result.stdout and "[23/52]" not in result.stdout
    assert "action 23" in result.stderr
    shown = arena(home, "record", "show", file)
    assert shown.exit_code == 0 and "; it cannot be played on: action 23" in shown.stdout
    assert all(f"{seat}:{text}" in shown.stdout for seat, text in raw["play"]["actions"])


@pytest.mark.parametrize("name", ["crash.json", "late.json"])
def test_a_text_is_taken_wherever_a_record_is(home: Home, tmp_path: Path, name: str) -> None:
    written = arena(home, "record", "show", home.path / name).stdout
    (tmp_path / "plain").write_text(written)
    text = tmp_path / "plain"
    raw = arena(home, "record", "show", text, "--format", "json").stdout
    assert raw.rstrip() == (home.path / name).read_text()
    assert arena(home, "record", "show", text, "--format", "text").stdout == written
    assert arena(home, "replay", text).stdout == arena(home, "replay", home.path / name).stdout
    result = arena(home, "verify", text.rename(tmp_path / "game.kgn"))
    assert result.exit_code == 0 and "all of it holds; 1 game" in result.stdout


def test_a_text_that_was_changed_does_not_hold_or_is_refused_with_its_line(
    home: Home, tmp_path: Path
) -> None:
    text = arena(home, "record", "show", home.path / "late.json").stdout
    file = tmp_path / "game.kgn"
    for old, new in (
        ("\nseed     ", "\nseed     x"),
        ("moves of", "turns of"),
        ("ms [", "ms [1.5 "),
        ("verdict  ", "verdict  x"),
    ):
        file.write_text(text.replace(old, new, 1))
        result = arena(home, "verify", file)
        assert result.exit_code == (0 if old == "moves of" else 1), old
        assert (old == "moves of") is ("all of it holds" in result.stdout)
    for old, new, line in (("KGN 1", "KGN 3", 1), ("variant  ", 'variant  "', 4), ("    1. ", "    2. ", 13)):
        file.write_text(text.replace(old, new, 1))
        for command in (("verify",), ("replay",), ("record", "show"), ("repro", "--seat", "0")):
            result = arena(home, *command, file)
            assert (
                result.exit_code == 2
                and f"game.kgn, line {line}: " in result.stderr
                and "E268" in result.stderr
            )
    file.write_text("; nothing\n")
    assert "has no game" in arena(home, "verify", file).stderr


def test_texts_of_a_tournament_are_its_games_one_after_the_other(home: Home, tmp_path: Path) -> None:
    file = tmp_path / "cup.kgn"
    result = arena(home, "record", "export", "cup", "--format", "text", "-o", file)
    assert result.exit_code == 0 and "8 games exported" in result.stderr
    assert "all of it holds; 8 games" in arena(home, "verify", file).stdout
    id = first_game(home)
    alone = arena(home, "record", "show", id).stdout
    assert (
        arena(home, "record", "show", file, "--game", id[:12]).stdout == alone and alone in file.read_text()
    )
    assert (
        arena(home, "record", "export", "cup", "--format", "text").stdout.strip() == file.read_text().strip()
    )
    rated = arena(home, "ratings", "--from", file)
    assert rated.exit_code == 2 and "E270" in rated.stderr
    some = arena(home, "replay", file)
    assert some.exit_code == 2 and "has 8 games" in some.stderr and "--game" in some.stderr
    file.write_text(alone + alone)
    assert "was there already, at 1" in arena(home, "verify", file).stdout


# colours and languages


def test_colours_only_repeat_what_the_text_says(home: Home) -> None:
    words = ("replay", home.path / "crash.json")
    plain = arena(home, *words).stdout
    coloured = CliRunner().invoke(main, ["--color", "always", *map(str, words)], color=True).stdout
    assert "\x1b[" in coloured and re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain
    assert CliRunner().invoke(main, ["--color", "never", *map(str, words)], color=True).stdout == plain
    for name in ("NO_COLOR", "FORCE_COLOR"):
        got = CliRunner(env={name: "1"}).invoke(main, [*map(str, words)], color=name == "NO_COLOR").stdout
        assert got == (plain if name == "NO_COLOR" else coloured), name


def test_games_speak_czech(home: Home) -> None:
    id = first_game(home)
    text = arena(home, "replay", id, "--lang", "cs").stdout
    assert "hráč 0 dostává" in text and "verbování, zdvih 1/13" in text and "seat 0 plays" not in text
    assert max(map(len, text.splitlines())) <= 80
    board = json.loads(arena(home, "replay", id, "--lang", "cs", "--json").stdout.splitlines()[-1])["board"]
    assert "konec hry" in board
    assert arena(home, "replay", id, "--lang", "la").exit_code == 2
