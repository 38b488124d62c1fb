"""`arena ratings`: whoever has an export comes to the same bytes, and what does not hold together is not rated."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.chain import chained
from arena.cli import main
from arena.home import Home
from protocol.codec import encode
from tests.arena.made import tournament
from tests.protocol.outside import TEXTS, unsafe

VARIANTS = ["claim", "claim/4p/GK-UWXTD"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A finished tournament of 8 games, `cup`, and `half`, where a game of deal 1 is to be played."""
    home = Home(tmp_path_factory.mktemp("home"))
    tournament(home, "cup", variants=VARIANTS)
    tournament(home, "half", without=lambda n, pairing: n == 1 and pairing.seating[0].name == "bot0")
    return home


@pytest.fixture(scope="module")
def cup(home: Home) -> str:
    """Its export."""
    return arena(home, "record", "export", "cup").stdout


def arena(home: Home, *words: str | Path, input: str | None = None) -> Result:
    done = CliRunner().invoke(main, ["--home", str(home.path), *map(str, words)], input=input)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert not unsafe(done.stdout) and not unsafe(done.stderr)
    return done


@pytest.mark.parametrize(
    "words",
    [
        ["--json"],
        ["--json", "--show", "all"],
        ["--by", "variant"],
        ["--format", "csv"],
        ["--json", "--variant", "claim/4p/*"],
        ["--json", "--anchor", "bot0=30", "--without-forfeits"],
    ],
    ids=" ".join,
)
def test_an_export_gives_the_bytes_of_the_leaderboard(
    words: list[str], home: Home, cup: str, tmp_path: Path
) -> None:
    (tmp_path / "cup.jsonl").write_text(cup)
    board = arena(home, "leaderboard", "cup", *words)
    assert board.exit_code == 0 and board.stdout
    elsewhere = Home(tmp_path / "elsewhere")
    for told in (
        arena(elsewhere, "ratings", "--from", tmp_path / "cup.jsonl", *words),
        arena(elsewhere, "ratings", "--from", "-", *words, input=cup),
        arena(home, "ratings", "cup", *words),
    ):
        assert (told.exit_code, told.stdout, told.stderr) == (0, board.stdout, "")
    assert not (elsewhere.path / "ledger.sqlite").exists()


def test_games_on_open_deals_are_said_to_be_held_back(home: Home) -> None:
    told = arena(home, "ratings", "half", "--json")
    assert told.exit_code == 0 and "1 game not in it" in told.stderr and "held back" in told.stderr
    assert json.loads(told.stdout)["games"] == 2


def test_what_is_held_back_is_not_said_to_be_half_played(home: Home) -> None:
    tournament(home, "open", without=lambda n, pairing: pairing.seating[0].name == "bot0")
    told = arena(home, "ratings", "open")
    assert told.exit_code == 0 and "2 games not in it" in told.stderr
    assert told.stdout.startswith("Nothing to rate yet.\n")


def test_variants_that_nobody_has_played_are_named(home: Home) -> None:
    """The tournament says which there are to be, wherever it is read."""
    tournament(home, "begun", variants=VARIANTS, without=lambda n, pairing: pairing.variant == VARIANTS[1])
    for words in (["leaderboard", "begun"], ["ratings", "begun"]):
        told = arena(home, *words, "--json")
        assert json.loads(told.stdout)["unrated"] == [VARIANTS[1]], words
        narrowed = arena(home, *words, "--json", "--variant", "claim")
        assert json.loads(narrowed.stdout)["unrated"] == []


def test_the_anchor_has_its_rating(home: Home) -> None:
    for words in (["leaderboard", "cup"], ["ratings", "cup"]):
        document = json.loads(arena(home, *words, "--anchor", "bot1=10.5", "--json").stdout)
        assert [row["mu"] for row in document["rows"] if row["bot"]["name"] == "bot1"] == [10.5]
        assert document["settings"]["anchor"] == ["bot1", 10.5]
    document = json.loads(arena(home, "leaderboard", "cup", "--anchor", "bot1", "--json").stdout)
    assert document["settings"]["anchor"] == ["bot1", 25.0]


@pytest.mark.parametrize("said", ["bot1=", "bot1=high", "bot1=nan", "bot1=1e17", "bot1=-inf", "=25", ""])
def test_an_anchor_that_is_none_is_a_wrong_option(said: str, home: Home) -> None:
    told = arena(home, "leaderboard", "cup", "--anchor", said)
    assert told.exit_code == 2 and "NAME=MU" in told.stderr


@pytest.mark.parametrize("name", ["nobody", *(text for text in TEXTS[:6] if "=" not in text)], ids=ascii)
def test_an_anchor_that_nobody_is_called_is_told_who_there_is(name: str, home: Home) -> None:
    told = arena(home, "leaderboard", "cup", f"--anchor={name}")
    assert told.exit_code == 2 and "E248" in told.stderr and "there are bot0, bot1\n" in told.stderr


def test_what_is_to_be_rated_is_named_once(home: Home, tmp_path: Path) -> None:
    for words in ([], ["cup", "--from", "-"]):
        told = arena(home, "ratings", *words)
        assert told.exit_code == 2 and "name a tournament, or an export" in told.stderr
    told = arena(home, "ratings", "--from", tmp_path / "absent.jsonl")
    assert told.exit_code == 2 and "cannot read" in told.stderr


@pytest.mark.parametrize("show", ["matrix", "seats", "luck", "fit"])
@pytest.mark.parametrize("by", ["overall", "variant"])
def test_what_is_of_each_variant_takes_no_choice_between_them(show: str, by: str, home: Home) -> None:
    told = arena(home, "leaderboard", "cup", "--show", show, "--by", by)
    assert told.exit_code == 2 and f"--show {show} is of each variant" in told.stderr


def test_a_spreadsheet_holds_one_table(home: Home) -> None:
    told = arena(home, "leaderboard", "cup", "--format", "csv", "--show", "all")
    assert told.exit_code == 2 and "csv holds one table" in told.stderr


Change = Callable[[list[str]], list[str]]


def edited(text: str, what: str, by: str) -> str:
    assert what in text
    return text.replace(what, by, 1)


BROKEN: dict[str, tuple[Change, str]] = {
    "cut off": (lambda lines: lines[:-1], "without a trailer"),
    "nothing": (lambda lines: [], "without a trailer"),
    "a line is missing": (lambda lines: lines[:2] + lines[3:], "line 3: this line was changed"),
    "two lines are swapped": (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], "line 2: this line"),
    "a game twice": (lambda lines: [*lines[:2], lines[1], *lines[2:]], "line 3: this line was changed"),
    "another winner": (
        lambda lines: [lines[0], re.sub(r'"ranks":\[(\d),(\d)\]', r'"ranks":[\2,\1]', lines[1]), *lines[2:]],
        "line 2: this line was changed",
    ),
    "a line more": (lambda lines: [*lines, lines[-1]], "line 11: this line was changed"),
    "no export": (lambda lines: ['{"a": 1}'], "line 1: it is no line of an export"),
    "no JSON": (lambda lines: ["\x1b[2J"], "line 1: "),
}


def test_what_stdin_has_is_not_called_a_file(home: Home, cup: str) -> None:
    told = arena(home, "ratings", "--from", "-", input="\n".join(cup.splitlines()[:-1]))
    assert told.exit_code == 2 and "E247" in told.stderr
    assert "what stdin has does not hold" in told.stderr and "save it to a file" in told.stderr


@pytest.mark.parametrize("what", BROKEN)
def test_what_does_not_hold_together_is_not_rated(what: str, home: Home, cup: str, tmp_path: Path) -> None:
    change, why = BROKEN[what]
    file = tmp_path / "cup.jsonl"
    file.write_text("\n".join(change(cup.splitlines())))
    told = arena(home, "ratings", "--from", file)
    assert (told.exit_code, told.stdout) == (2, "")
    assert "E247" in told.stderr and why in told.stderr and f"arena verify {file}" in told.stderr


def anew(text: str, number: int, change: Callable[[dict[str, Any]], Any]) -> str:
    """With a line changed, and a chain that holds: what somebody does who wants to deceive."""
    lines = text.splitlines()
    value = json.loads(lines[number])
    (part,) = set(value) - {"format", "chain"}
    change(value[part])
    return chained_anew([*lines[:number], encode(value).decode(), *lines[number + 1 :]])


def chained_anew(lines: list[str]) -> str:
    head, made = "", []
    for line in lines:
        value = json.loads(line)
        (part,) = set(value) - {"format", "chain"}
        head = chained(head, value[part])
        made.append(encode(value | {"chain": head}).decode())
    return "\n".join(made)


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ([1, 2, 9], "line 1: a record has no place here"),
        ([0, 1, 0, 2], "line 3: a header has no place here"),
        ([*range(10), 1], "line 11: a record has no place here"),
        ([0, 1, 2, 1], "line 4: game"),
    ],
    ids=["no header", "two headers", "a game after the trailer", "a game twice"],
)
def test_lines_in_another_order_are_not_rated(order: list[int], why: str, home: Home, cup: str) -> None:
    lines = cup.splitlines()
    told = arena(home, "ratings", "--from", "-", input=chained_anew([lines[n] for n in order]))
    assert (told.exit_code, told.stdout) == (2, "") and why in told.stderr


@pytest.mark.parametrize(
    ("number", "change", "why"),
    [
        (1, lambda body: body["play"]["ranks"].reverse(), "has no entry of game"),
        (1, lambda body: body["play"].update(ranks=[0]), "line 2: it has not got a rank"),
        (1, lambda body: body["play"].update(seats="nobody"), "line 2: "),
        (9, lambda body: body.update(records=7), "it counts 7 records, and there are 8"),
        (9, lambda body: body.update(kept=None), "has not got the entries"),
        (9, lambda body: body.update(kept=[["a"]]), "has not got the entries"),
        (9, lambda body: body["kept"].pop(), "has no entry of game"),
        (0, lambda body: body.update(notes=[1]), "line 1: its notes are no texts"),
    ],
)
def test_a_chain_made_anew_does_not_deceive(
    number: int, change: Callable[[dict[str, Any]], Any], why: str, home: Home, cup: str
) -> None:
    told = arena(home, "ratings", "--from", "-", input=anew(cup, number, change))
    assert (told.exit_code, told.stdout) == (2, "") and "E247" in told.stderr
    assert why in told.stderr


def test_games_that_do_not_go_together_are_wrong_input(home: Home, cup: str) -> None:
    """A duel that has four sides, in a chain that holds."""
    lines = cup.splitlines()
    plays = [json.loads(line)["record"]["play"] for line in lines[1:-1]]
    number = next(n for n, play in enumerate(plays, 1) if play["variant"] == "claim/2p/GK-UWX")
    seats = next(play["seats"] for play in plays if len(play["seats"]) == 4)
    made = []

    def spoil(body: dict[str, Any]) -> None:
        fields = {"block": "alone", "block_size": 1, "ranks": [0, 1, 2, 3], "scores": [0] * 4}
        names = [seat | {"team": n, "bot": f"bot{n}"} for n, seat in enumerate(seats)]
        body["play"].update(fields, seats=names)
        made.append((body["play"]["id"], sha256(encode(body)).hexdigest()))

    def cover_up(body: dict[str, Any]) -> None:
        ((game, digest),) = made
        body["kept"] = [[*one[:2], digest, one[3]] if one[0] == game else one for one in body["kept"]]

    told = arena(
        home, "ratings", "--from", "-", input=anew(anew(cup, number, spoil), len(lines) - 1, cover_up)
    )
    assert (told.exit_code, told.stdout) == (2, "")
    assert "E247" in told.stderr and "games do not go together" in told.stderr
    assert re.search("2 sides, and others have 4|4 sides, and others have 2", told.stderr)


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_notes_of_a_strangers_export_are_shown_and_do_nothing(
    text: str, home: Home, cup: str, tmp_path: Path
) -> None:
    def spoil(body: dict[str, Any]) -> None:
        body["notes"] = [text]

    file = tmp_path / "cup.jsonl"
    file.write_text(anew(cup, 0, spoil))
    for form in ("table", "github", "html", "latex", "csv"):
        told = arena(home, "ratings", "--from", file, "--format", form)
        assert told.exit_code == 0
