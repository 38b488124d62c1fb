"""Exports and ledgers: what may be published, and that nothing in them changes unnoticed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from arena.chain import chained, entry
from arena.errors import InputError, StorageError
from arena.exported import verify_export
from arena.home import Home
from arena.ledger import Ledger
from arena.planning import course_in
from arena.records import export, find_record, read_line, write_whole
from arena.verification import Flaw, Tally, result_of, verify_ledger
from protocol.codec import encode
from protocol.record import seal, unpack
from protocol.vocabulary import BotId, DealId
from referee.replay import read
from tests.arena.made import SEED, job_for, played, tournament
from tests.referee.driving import planned

VARIANTS = ["claim", "claim/4p/GK-UWXTD"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A finished tournament of 8 games, `cup`, and `half`, where a game of deal 1 is to be played."""
    home = Home(tmp_path_factory.mktemp("home"))
    tournament(home, "cup", variants=VARIANTS)
    tournament(home, "half", without=lambda n, pairing: n == 1 and pairing.seating[0].name == "bot0")
    return home


@pytest.fixture
def ledger(home: Home) -> Iterator[Ledger]:
    with closing(Ledger(home.ledger)) as ledger:
        yield ledger


@pytest.fixture(scope="module")
def lines(home: Home) -> list[bytes]:
    with closing(Ledger(home.ledger)) as ledger:
        return list(export(ledger, ledger.tournament("cup"))[0])


def flaws(lines: list[bytes]) -> list[Flaw]:
    return list(verify_export(lines, Tally()))


def chained_anew(lines: list[bytes]) -> list[bytes]:
    """The same bodies with a chain that holds: what somebody does who wants to deceive."""
    head, made = "", []
    for line in lines:
        value = json.loads(line)
        (part,) = set(value) - {"format", "chain"}
        head = chained(head, value[part])
        made.append(encode(value | {"chain": head}) + b"\n")
    return made


def changed(line: bytes, change: Callable[[dict[str, Any]], None]) -> bytes:
    value = json.loads(line)
    change(value)
    return encode(value) + b"\n"


# export


def test_an_export_holds_and_has_every_game(lines: list[bytes]) -> None:
    tally = Tally()
    assert list(verify_export(lines, tally)) == []
    assert (tally.games, tally.planned, tally.chain) == (8, 8, json.loads(lines[-1])["chain"])
    header = json.loads(lines[0])["header"]
    assert (header["tournament"], header["seed"], header["games"]) == ("cup", SEED, 8)
    assert header["settings"]["variants"] == VARIANTS and header["bots"][0][0] == "bot0"
    assert not {"bots", "seed", "concurrency"} & set(header["settings"])


def test_a_deal_with_a_game_to_come_is_held_back_and_the_seed_with_it(ledger: Ledger) -> None:
    lines, held = export(ledger, ledger.tournament("half"))
    parsed = [read_line(line) for line in lines]
    assert held == (2, 1, 1)
    assert {line.body["play"]["deal"] for line in parsed[1:-1]} == {"claim/2p/GK-UWX#0"}
    assert parsed[0].body["seed"] is None
    assert SEED.encode() not in encode([line.body for line in parsed])
    assert flaws([encode({"format": "kingmaker/export/1", p: b, "chain": c}) for p, b, c in parsed]) == []


def test_an_export_is_the_same_bytes_each_time(home: Home, lines: list[bytes]) -> None:
    with closing(Ledger(home.ledger)) as ledger:
        assert list(export(ledger, ledger.tournament("cup"))[0]) == lines


def test_an_export_has_the_ledgers_chain_also_of_games_that_are_held_back(ledger: Ledger) -> None:
    for name in ("cup", "half"):
        lines, tally = list(export(ledger, ledger.tournament(name))[0]), Tally()
        assert list(verify_export(lines, tally)) == [] and tally.head == ledger.head(name)
        for link in ledger.links(name):
            assert list(verify_export(lines, Tally(), link.link)) == []
        (found,) = verify_export(lines, Tally(), "0" * 64)
        assert found.place.where == "head" and "0" * 64 in found.place.what


def test_a_record_that_is_not_the_one_of_the_ledgers_chain_is_found(lines: list[bytes]) -> None:
    def tell_of_another_time(value: dict[str, Any]) -> None:
        record = value["record"]
        account = record["account"] | {"ms": [1.0] * len(record["account"]["ms"])}
        value["record"] = seal(record["play"], account)

    bad = changed(lines[3], tell_of_another_time)
    (found,) = flaws(chained_anew([*lines[:3], bad, *lines[4:]]))
    assert found.place.where == "trailer" and found.game == json.loads(bad)["record"]["play"]["id"]


# verification of a file


def says_the_same(line: bytes, other: bytes) -> bool:
    """Whether the change is one of spelling alone, as of 0.0 to 0E0."""
    try:
        return encode(json.loads(other)) == encode(json.loads(line))
    except ValueError:
        return False


def test_any_byte_of_any_line_that_changes_is_found(lines: list[bytes]) -> None:
    @settings(max_examples=150, deadline=None)
    @given(st.integers(0, len(lines) - 1), st.floats(0, 1, exclude_max=True), st.integers(1, 255))
    def holds(number: int, where: float, flip: int) -> None:
        line = lines[number][:-1]
        at = int(where * len(line))
        bad = bytes([*line[:at], line[at] ^ flip, *line[at + 1 :]])
        assume(not says_the_same(line, bad))
        found = flaws([*lines[:number], bad + b"\n", *lines[number + 1 :]])
        assert found and found[0].line in (number + 1, number + 2)

    holds()


def test_a_changed_action_is_placed_by_line_game_and_action(lines: list[bytes]) -> None:
    def change(value: dict[str, Any]) -> None:
        value["record"]["play"]["actions"][22][1] = "Q9"

    bad = changed(lines[3], change)
    found = flaws([*lines[:3], bad, *lines[4:]])
    id = json.loads(bad)["record"]["play"]["id"]
    assert {flaw.line for flaw in found} == {4} and {flaw.game for flaw in found} == {id}
    assert [flaw.place.where.split(" (")[0] for flaw in found] == ["chain", "action 23", "action 23"]


@pytest.mark.parametrize("number", range(10))
def test_a_line_left_out_is_found_even_with_a_chain_made_anew(lines: list[bytes], number: int) -> None:
    rest = [*lines[:number], *lines[number + 1 :]]
    assert flaws(rest)
    assert flaws(chained_anew(rest))


def test_a_cut_anywhere_is_found(lines: list[bytes]) -> None:
    whole = b"".join(lines)
    for size in (*range(0, len(whole) - 1, 997), len(whole) - len(lines[-1]), len(whole) - 2):
        cut = whole[:size].splitlines(keepends=True)
        assert "the file has no trailer: it is cut off" in [flaw.place.what for flaw in flaws(cut)]


def test_a_game_twice_or_lines_moved_are_found(lines: list[bytes]) -> None:
    twice = [*lines[:4], lines[3], *lines[4:]]
    assert [flaw.place.where for flaw in flaws(chained_anew(twice))] == ["id", "trailer"]
    assert flaws(chained_anew(twice))[0].line == 5
    moved = [*lines[:3], lines[4], lines[3], *lines[5:]]
    assert [flaw.line for flaw in flaws(moved)] == [4, 5, 6]


def test_what_follows_the_trailer_is_found(lines: list[bytes]) -> None:
    assert "no place here" in str(flaws(chained_anew([*lines, lines[1]]))[0])
    assert "no place here" in str(flaws(chained_anew([*lines[:3], lines[0], *lines[3:]]))[0])


def forge(line: bytes, **play: Any) -> bytes:
    """A line whose record has other fields, and hashes that are right."""

    def change(value: dict[str, Any]) -> None:
        record = value["record"]
        value["record"] = seal(record["play"] | play, record["account"])

    return changed(line, change)


@pytest.mark.parametrize(
    ("field", "value"),
    [("deal", "claim/2p/GK-UWX#7"), ("block", "0" * 32), ("block_size", 9), ("deal", "claim/2p/GK-UWX#x")],
)
def test_with_the_seed_known_a_forged_plan_is_found(lines: list[bytes], field: str, value: Any) -> None:
    bad = chained_anew([*lines[:3], forge(lines[3], **{field: value}), *lines[4:]])
    (found,) = flaws(bad)
    where = "id" if value == "claim/2p/GK-UWX#7" else field.removesuffix("_size")
    assert (found.line, found.place.where) == (4, where)


def test_with_the_seed_known_a_game_on_another_deal_or_variant_is_found(
    ledger: Ledger, lines: list[bytes]
) -> None:
    play = read(encode(json.loads(lines[3])["record"])).play
    variant, seating = play.variant, [BotId(seat.bot, seat.digest) for seat in play.seats]
    planned = course_in(ledger, ledger.tournament("cup")).planned(
        variant, tuple(seating), int(play.deal.split("#")[1])
    )
    assert planned is not None and (planned.id, planned.deal) == (play.id, play.deal)
    other = variant + "+faction_tie=void"
    for where, kind, game in (("seed", variant, replace(planned, seed="x")), ("variant", other, planned)):
        record = json.loads(unpack(played(job_for(kind, seating, (game,)), game).record))
        bad = changed(lines[3], lambda value, record=record: value.update(record=record))  # type: ignore[misc]
        (found,) = flaws(chained_anew([*lines[:3], bad, *lines[4:]]))
        assert (found.line, found.place.where) == (4, where)


def test_with_the_seed_known_teams_that_do_not_meet_are_found(lines: list[bytes]) -> None:
    place = next(n for n, line in enumerate(lines) if b"claim/4p" in line and b'"record":{' in line)
    play = read(encode(json.loads(lines[place])["record"])).play
    first, second = (BotId(seat.bot, seat.digest) for seat in play.seats[:2])
    mixed = (first, first, second, second)
    game = planned(0, play.seed)
    record = json.loads(unpack(played(job_for(play.variant, mixed, (game,)), game).record))
    forged = seal(record["play"] | {"id": play.id, "deal": play.deal}, record["account"])
    bad = changed(lines[place], lambda value: value.update(record=forged))
    where = [flaw.place.where for flaw in flaws(chained_anew([*lines[:place], bad, *lines[place + 1 :]]))]
    assert "seats" in where


def test_games_of_other_rules_are_said_to_be_beyond_this_version(lines: list[bytes]) -> None:
    (found,) = flaws(chained_anew([*lines[:3], forge(lines[3], rules="0-00000000"), *lines[4:]]))
    assert found.place.where == "rules" and "cannot check" in found.place.what


def test_with_the_seed_known_other_bots_are_found(lines: list[bytes]) -> None:
    seats = json.loads(lines[3])["record"]["play"]["seats"]
    seats[0]["bot"] = "another"
    (found,) = flaws(chained_anew([*lines[:3], forge(lines[3], seats=seats), *lines[4:]]))
    assert (found.line, found.place.where) == (4, "seats")


def test_a_header_of_another_tournament_makes_every_game_foreign(lines: list[bytes]) -> None:
    other = changed(lines[0], lambda value: value["header"].update(seed="another"))
    found = flaws(chained_anew([other, *lines[1:]]))
    assert [flaw.place.where for flaw in found] == ["id"] * 8 + ["plan"]


def test_a_key_too_much_in_a_line_is_found(lines: list[bytes]) -> None:
    bad = changed(lines[3], lambda value: value.update(seed="x"))
    assert "it has not got" in str(flaws([*lines[:3], bad, *lines[4:]])[0])


@settings(max_examples=150, deadline=None)
@given(st.lists(st.binary() | st.sampled_from([b"{}", b"[1]", b'{"format":"kingmaker/export/1"}'])))
def test_any_lines_have_a_flaw_and_no_exception(lines: list[bytes]) -> None:
    assert flaws(lines)


@pytest.mark.parametrize("part", ["header", "record", "trailer"])
@pytest.mark.parametrize("body", [{}, {"play": 1}, {"games": "x"}, {"play": {"id": 5}}, {"records": []}])
def test_any_body_has_a_flaw_and_no_exception(lines: list[bytes], part: str, body: dict[str, Any]) -> None:
    line = encode({"format": "kingmaker/export/1", part: body, "chain": ""})
    assert flaws([line, *lines]) and flaws([*lines, line]) and flaws([line])


# verification of a ledger


def copied(home: Home, folder: Path, *changes: str) -> Ledger:
    """A ledger with the same content after some SQL."""
    path = folder / "ledger.sqlite"
    with closing(sqlite3.connect(home.path / "ledger.sqlite")) as old, closing(sqlite3.connect(path)) as new:
        old.backup(new)
        for change in changes:
            new.execute(change)
        new.commit()
    return Ledger(path)


def ledger_flaws(ledger: Ledger, name: str = "cup") -> list[Flaw]:
    with closing(ledger):
        return list(verify_ledger(ledger, ledger.tournament(name), Tally()))


def test_a_ledger_holds_and_half_a_tournament_too(ledger: Ledger) -> None:
    tally = Tally()
    assert list(verify_ledger(ledger, ledger.tournament("half"), tally)) == []
    assert (tally.games, tally.planned) == (3, 4)
    assert list(verify_ledger(ledger, ledger.tournament("cup"), Tally())) == []


def key(id: str) -> str:
    """The key of a game, as SQL finds it."""
    return f"(SELECT key FROM games WHERE id = '{id}')"


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE seats SET rank = 1 - rank WHERE game = {key}",
        "UPDATE seats SET score = score + 1 WHERE game = {key} AND seat = 0",
        "UPDATE seats SET fault = 'crash' WHERE game = {key} AND seat = 0",
        "UPDATE games SET verdict = 'forfeit' WHERE id = '{id}'",
        "UPDATE games SET block_size = 7 WHERE id = '{id}'",
        "UPDATE seats SET seat = 7 WHERE game = {key} AND seat = 1",
    ],
)
@pytest.mark.file
def test_a_rated_row_that_is_not_its_record_is_found(home: Home, tmp_path: Path, change: str) -> None:
    with closing(Ledger(home.ledger)) as ledger:
        id = sorted(ledger.ids("cup"))[3]
    (found,) = ledger_flaws(copied(home, tmp_path, change.format(id=id, key=key(id))))
    assert (found.game, found.place.where) == (id, "row")


@pytest.mark.file
def test_damaged_missing_and_exchanged_records_are_found(home: Home, tmp_path: Path) -> None:
    with closing(Ledger(home.ledger)) as ledger:
        first, second, third, *_ = sorted(ledger.ids("cup"))
    found = ledger_flaws(
        copied(
            home, tmp_path,
            f"UPDATE records SET record = x'00' WHERE game = {key(first)}",
            f"DELETE FROM records WHERE game = {key(second)}",
            f"UPDATE records SET record = (SELECT record FROM records WHERE game <> {key(third)} "
            f"AND length(record) > 1 LIMIT 1) WHERE game = {key(third)}",
        )
    )  # fmt: skip
    first_of = {flaw.game: flaw.place.where for flaw in reversed(found)}
    assert first_of[first] == first_of[second] == "record"
    assert first_of[third] in ("row", "id"), "it is another game's, which may have come before"
    assert sum(flaw.place.where == "chain" for flaw in found) == 3


def ruined(cell: Any, bit: int) -> tuple[str, Any]:
    """A value of the ledger with one bit changed, as SQL takes it."""
    match cell:
        case int():
            return "?", cell ^ 1 << bit
        case str() | bytes():
            raw = cell.encode() if isinstance(cell, str) else cell
            at = len(raw) // 2
            changed = bytes([*raw[:at], raw[at] ^ 1 << bit, *raw[at + 1 :]])
            return ("CAST(? AS TEXT)" if isinstance(cell, str) else "?"), changed
    return "?", "crash"


@pytest.mark.parametrize("bit", [0, pytest.param(7, marks=pytest.mark.long)])
@pytest.mark.parametrize("table", ["games", "seats", "records", "links"])
@pytest.mark.file
def test_one_bit_of_any_cell_of_any_row_is_found(home: Home, tmp_path: Path, table: str, bit: int) -> None:
    with closing(copied(home, tmp_path)), closing(sqlite3.connect(tmp_path / "ledger.sqlite")) as db:
        mine = "tournament" if table in ("games", "links") else "game"
        half = "('half')" if mine == "tournament" else "(SELECT key FROM games WHERE tournament = 'half')"
        found = db.execute(f"SELECT * FROM {table} WHERE {mine} IN {half}")
        names = [column[0] for column in found.description]
        rows = found.fetchall()
        assert len(rows) >= 3
        keys = 2 if table == "seats" else 1
        here = " AND ".join(f"{name} = ?" for name in names[:keys])
        for row, at in product(rows, range(len(names))):
            value, changed = ruined(row[at], bit)
            bad = (*row[:at], changed, *row[at + 1 :])
            try:
                db.execute(f"UPDATE {table} SET {names[at]} = {value} WHERE {here}", (changed, *row[:keys]))
            except sqlite3.IntegrityError:  # the table itself does not let two rows be one
                continue
            db.commit()
            assert ledger_flaws(Ledger(tmp_path / "ledger.sqlite"), "half"), (row, names[at])
            db.execute(f"UPDATE {table} SET {names[at]} = ? WHERE {here}", (row[at], *bad[:keys]))
            db.commit()
    assert ledger_flaws(Ledger(tmp_path / "ledger.sqlite"), "half") == []


@settings(max_examples=60, deadline=None)
@given(st.floats(0, 1, exclude_max=True), st.integers(0, 7))
def test_one_bit_anywhere_in_a_packed_record_is_found(home: Home, where: float, bit: int) -> None:
    with closing(Ledger(home.ledger)) as ledger:
        (first, *_) = ledger.links("cup")
    blob = first.record or b""
    at = int(where * len(blob))
    bad = bytes([*blob[:at], blob[at] ^ 1 << bit, *blob[at + 1 :]])
    assert chained("", entry(first.game, first.finished or "", bad)) != first.link


GONE = "DELETE FROM {0} WHERE {1} = (SELECT game FROM links WHERE tournament = 'cup' AND number = {2})"
LINK = "FROM links WHERE tournament = 'cup' AND number"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ([GONE.format("games", "key", 8)], "not among the games"),
        ([GONE.format("games", "key", 3)], "not among the games"),
        ([f"DELETE {LINK} = 3"], "its place is 4, and 3 is next"),
        ([f"DELETE {LINK} = 8"], "it was added, or its link is lost"),
        (
            [
                "UPDATE links SET number = 99 WHERE tournament = 'cup' AND number = 3",
                "UPDATE links SET number = 3 WHERE tournament = 'cup' AND number = 4",
                "UPDATE links SET number = 4 WHERE tournament = 'cup' AND number = 99",
            ],
            "what was before it is another now",
        ),
        (["UPDATE games SET finished = '2020-01-01T00:00:00+00:00'"], "at this place the game, its time"),
        (["INSERT INTO seats SELECT 99, seat, bot, digest, team, rank, score, fault FROM seats"
          " WHERE seat = 0 LIMIT 1"], "belongs to nothing in games"),
    ],
)  # fmt: skip
@pytest.mark.file
def test_a_game_or_link_that_is_gone_added_or_moved_is_named(
    home: Home, tmp_path: Path, changes: list[str], said: str
) -> None:
    assert said in "\n".join(map(str, ledger_flaws(copied(home, tmp_path, *changes))))


@pytest.mark.file
def test_a_game_that_is_gone_is_named_by_its_record(home: Home, tmp_path: Path) -> None:
    with closing(Ledger(home.ledger)) as ledger:
        third = list(ledger.links("cup"))[2].game
    found = ledger_flaws(copied(home, tmp_path, GONE.format("games", "key", 3)))
    assert [flaw.game for flaw in found if "not among the games" in flaw.place.what] == [third]
    both = GONE.format("records", "game", 3), GONE.format("games", "key", 3)
    (tmp_path / "ledger.sqlite").unlink()
    found = ledger_flaws(copied(home, tmp_path, *both))
    assert [flaw.game for flaw in found if "not among the games" in flaw.place.what] == [""]


@pytest.mark.file
def test_a_chain_made_anew_does_not_pass_through_an_old_head(home: Home, tmp_path: Path) -> None:
    with closing(Ledger(home.ledger)) as ledger:
        links = list(ledger.links("cup"))
    cut = [
        f"DELETE FROM {table} WHERE {column} = {key(links[-1].game)}"
        for table, column in (("links", "game"), ("records", "game"), ("seats", "game"), ("games", "key"))
    ]
    with closing(copied(home, tmp_path, *cut)) as ledger:
        cup = ledger.tournament("cup")
        assert list(verify_ledger(ledger, cup, Tally())) == [], "nobody could tell from the ledger alone"
        assert list(verify_ledger(ledger, cup, Tally(), links[6].link)) == []
        (found,) = verify_ledger(ledger, cup, Tally(), links[7].link)
        assert found.place.where == "head" and links[7].link in found.place.what


@pytest.mark.file
def test_a_damaged_record_is_not_exported(home: Home, tmp_path: Path) -> None:
    with closing(copied(home, tmp_path, "UPDATE records SET record = x'00'")) as ledger:
        with pytest.raises(StorageError, match="damaged") as error:
            list(export(ledger, ledger.tournament("cup"))[0])
        assert error.value.fix.endswith("arena verify cup")


def test_the_result_that_is_rated_is_the_records(ledger: Ledger) -> None:
    assert [result_of(read(ledger.record(row.id)).play) for row in ledger.results("cup")] == ledger.results(
        "cup"
    )


def test_what_is_to_come_is_that_of_the_ledger(ledger: Ledger) -> None:
    course = course_in(ledger, ledger.tournament("half"))
    (left,) = (game for pairing in course.left() for game in pairing.games)
    assert left.deal == "claim/2p/GK-UWX#1" and left.id not in ledger.ids("half")
    assert (course.most(), course.over()) == (4, "")
    assert course.closed({DealId("claim/2p/GK-UWX#0"), DealId("claim/2p/GK-UWX#1")}) == {"claim/2p/GK-UWX#0"}


# finding and writing


def test_a_record_is_found_by_id_by_file_and_in_an_export(
    home: Home, ledger: Ledger, lines: list[bytes], tmp_path: Path
) -> None:
    record = json.loads(lines[3])["record"]
    id = record["play"]["id"]
    (tmp_path / "one.json").write_bytes(encode(record))
    (tmp_path / "cup.jsonl").write_bytes(b"".join(lines))
    for reference, game in ((id[:9], ""), (f"{tmp_path}/one.json", ""), (f"{tmp_path}/cup.jsonl", id[:9])):
        assert json.loads(find_record(home, reference, game)) == record
    with pytest.raises(InputError, match="has 8 games"):
        find_record(home, f"{tmp_path}/cup.jsonl")
    with pytest.raises(InputError, match="no game begins"):
        find_record(home, "0000000000000")
    with pytest.raises(InputError, match="cannot read"):
        find_record(home, "./missing.json")


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"old")

    def chunks() -> Iterator[bytes]:
        yield b"new"
        raise InputError("no more")

    with pytest.raises(InputError):
        write_whole(path, chunks())
    assert [file.name for file in tmp_path.iterdir()] == ["out"] and path.read_bytes() == b"old"
    write_whole(path, [b"new", b"er"])
    assert [file.name for file in tmp_path.iterdir()] == ["out"] and path.read_bytes() == b"newer"
    with pytest.raises(StorageError, match="missing/out"):
        write_whole(tmp_path / "missing" / "out", [b""])
