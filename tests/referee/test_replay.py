"""A record holds, or the first thing that does not is found, and where it is said to be is right."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.record import seal
from protocol.vocabulary import FaultKind, Seat
from referee.faults import Misstep
from referee.games import GAMES
from referee.replay import Break, Broken, check, named, read, replay, table_of
from tests.arena.made import record
from tests.referee.driving import Player, random_player
from tests.referee.toy import BiddingGame

TWO, THREE, FOUR = "claim", "claim/3p/GK-UWXTD", "claim/4p/NA-UWXTS"
Raw = dict[str, Any]


def failing(at: int) -> Player:
    """Plays at random, and fails on its turn number `at` (0: at `start`)."""
    sound = random_player(7)

    def play(message: dict[str, Any]) -> Any:
        turn = message.get("turn", 0 if message["type"] == "start" else None)
        return Misstep(FaultKind.CRASH, "exit 3", "gone") if turn == at else sound(message)

    return play


RECORDS = {
    "two": record(TWO),
    "three": record(THREE),
    "four": record(FOUR),
    "two, a fault": record(TWO, seat1=failing(5)),
    "two, a fault before the game": record(TWO, seat0=failing(0)),
    "three, a fault": record(THREE, seat1=failing(5)),
    "three, two faults": record(THREE, seat1=failing(5), seat2=failing(9)),
    "three, all fail at the start": record(THREE, seat0=failing(0), seat1=failing(0), seat2=failing(0)),
    "four, a fault": record(FOUR, seat3=failing(4)),
}  # fmt: skip


def raw(name: str) -> Raw:
    value: Raw = json.loads(RECORDS[name])
    return value


def encoded(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def places(value: Raw) -> list[str]:
    return [place.where for place in check(encoded(value))]


def forged(name: str, change: Callable[[Raw], None]) -> list[Break]:
    """What is found in a record that was changed and whose hashes were all made anew."""
    play = raw(name)["play"]
    change(play)
    return check(encoded(seal(play, raw(name)["account"])))


def resealed(name: str, change: Callable[[Raw], None]) -> list[str]:
    """Where it is found."""
    return [place.where for place in forged(name, change)]


@pytest.mark.parametrize("name", RECORDS)
def test_what_the_referee_writes_holds(name: str) -> None:
    assert check(RECORDS[name]) == []


@pytest.mark.parametrize("name", RECORDS)
def test_a_replay_gives_the_events_and_result_of_the_game(name: str) -> None:
    play = read(RECORDS[name]).play
    game, variant = table_of(play)
    steps = list(replay(play))
    events = [event for step in replay(play) for event in step.events]
    again = game.setup(variant, play.seed)
    for seat, text in play.actions:
        again.apply(Seat(seat), again.parse(Seat(seat), text))
    assert events == again.events()
    assert [step.number for step in steps] == list(range(len(play.actions) + 1))
    assert [(step.seat, step.action) for step in steps[1:]] == play.actions
    assert sum(len(step.faults) for step in steps) == len(play.faults)


def test_house_players_are_told_from_bots() -> None:
    play = read(RECORDS["three, a fault"]).play
    (fault,) = play.faults
    house = {step.number for step in replay(play) if step.house}
    assert house == {n + 1 for n, (seat, _) in enumerate(play.actions) if seat == 1 and n >= fault.at}


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a record that holds a plain value."""
    if isinstance(value, dict | list) and value:
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from paths(value[key], (*path, key))
    else:
        yield path


def other(value: Any) -> Any:
    """Another value of the same type."""
    match value:
        case bool() | None:
            return not value
        case int() | float():
            return value + 1
        case str():
            return ("0" if value[:1] != "0" else "1") + value[1:]
    return type(value)([0] if isinstance(value, list) else {"0": "x"})


def mutated(value: Raw, path: tuple[Any, ...]) -> Raw:
    result = copy.deepcopy(value)
    inner = result
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = other(inner[path[-1]])
    return result


ENDED = ("ranks", "scores", "faults", "verdict", "void")


def expected(path: tuple[Any, ...], value: Raw) -> str:
    """Where the first break has to be after a change at `path` alone, the form being right."""
    match path:
        case ("account" | "account_hash", *_):
            return "account"
        case ("play", "actions", number, *_):
            return named(read(encoded(value)).play, number + 1)
        case ("play", key, *_):
            return "result" if key in ENDED else "settings"
    return str(path[0])


@pytest.mark.parametrize("name", ["two", "three, two faults"])
def test_a_change_of_any_one_value_is_found_where_it_is(name: str) -> None:
    good = raw(name)
    for path in paths(good):
        bad = mutated(good, path)
        first, *_ = check(encoded(bad))
        if misshapen(bad):
            assert first.where.startswith(".".join(map(str, path)))
        else:
            assert first.where == expected(path, bad), path


def misshapen(value: Raw) -> bool:
    try:
        read(encoded(value))
    except Broken:
        return True
    return False


@pytest.mark.parametrize("name", ["two", "three, a fault"])
def test_an_action_left_out_added_or_moved_is_found_there(name: str) -> None:
    for at in (0, 11, 30):
        for change in ("out", "twice", "swapped"):
            bad = raw(name)
            actions = bad["play"]["actions"]
            if change == "swapped":
                actions[at : at + 2] = actions[at + 1], actions[at]
            else:
                actions[at : at + 1] = [] if change == "out" else [actions[at]] * 2
            number = at + 1 if change != "twice" else at + 2
            assert places(bad)[0] == named(read(encoded(bad)).play, number)


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(sorted(RECORDS)), st.floats(0, 1, exclude_max=True), st.integers(1, 255))
def test_a_change_of_any_byte_is_found(name: str, where: float, flip: int) -> None:
    good = RECORDS[name]
    at = int(where * len(good))
    bad = bytes([*good[:at], good[at] ^ flip, *good[at + 1 :]])
    assert check(bad) or json.loads(bad) == json.loads(good), (name, at, flip)  # 0.0 and 0e0 are one number


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.binary(), st.sampled_from(sorted(RECORDS.values())).map(lambda r: r[: len(r) // 2])))
def test_any_bytes_have_a_break_and_no_exception(data: bytes) -> None:
    (only,) = check(data)
    assert only.where == "format"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(sorted(RECORDS)), st.data())
def test_any_value_in_any_field_leads_to_an_answer(name: str, data: st.DataObject) -> None:
    play = raw(name)["play"]
    path = data.draw(st.sampled_from(list(paths(play))))
    inner = play
    for key in path[:-1]:
        inner = inner[key]
    old, inner[path[-1]] = inner[path[-1]], data.draw(json_values)
    try:
        sealed = encoded(seal(play, raw(name)["account"]))
    except (TypeError, ValueError, OverflowError):
        return  # no JSON
    assert isinstance(check(sealed), list)
    if inner[path[-1]] != old:
        bad = raw(name)
        bad["play"] = play
        assert check(encoded(bad))


# forged: the hashes are right


def set_(key: str, value: Any) -> Callable[[Raw], None]:
    return lambda play: play.update({key: value})


@pytest.mark.parametrize(
    ("key", "value", "where"),
    [
        ("seed", "another", "commitment"),
        ("id", "another", "commitment"),
        ("nonce", "another", "commitment"),
        ("commitment", "0" * 64, "commitment"),
        ("rules", "0-00000000", "rules"),
        ("game", "chess", "game"),
        ("variant", "claim/9p", "variant"),
        ("variant", "claim", "variant"),
        ("cards", ["K7"], "seed"),
        ("verdict", "forfeit", "verdict"),
        ("verdict", "void", "result"),
        ("verdict", "aborted", "verdict"),
        ("void", "host_lag", "verdict"),
        ("ranks", [0, 0], "ranks"),
        ("scores", [99, 0], "scores"),
    ],
)
def test_a_forged_field_is_found(key: str, value: Any, where: str) -> None:
    assert resealed("two", set_(key, value))[0] == where


def test_forged_seats_are_found() -> None:
    assert resealed("two", lambda play: play["seats"].pop()) == ["seats"]
    assert resealed("two", lambda play: play["seats"][0].update(team=1)) == ["seats"]


def test_a_literal_deal_is_checked() -> None:
    play = raw("two")["play"]
    game = GAMES["claim"]
    cards = game.literal(game.variant("claim"), play["seed"])

    def dealt(play: Raw) -> None:
        from protocol.vocabulary import GameId
        from referee.match import commitment

        play.update(
            seed="", cards=cards, commitment=commitment(" ".join(cards), GameId(play["id"]), play["nonce"])
        )

    assert resealed("two", dealt) == []
    cards[:1] = ["K7"]
    assert resealed("two", dealt) == ["cards"]


def illegal(play: Raw) -> None:
    play["actions"][22][1] = "Q9"


def out_of_turn(play: Raw) -> None:
    play["actions"][22][0] = 1 - play["actions"][22][0]


def nobody(play: Raw) -> None:
    play["actions"][22][0] = -1


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (illegal, "may not 'Q9'; legal: "),
        (out_of_turn, "it was the turn of seat"),
        (nobody, "it was the turn"),
    ],
)
def test_a_forged_action_is_found_at_its_number(change: Callable[[Raw], None], what: str) -> None:
    play = raw("two")["play"]
    change(play)
    seat, text = play["actions"][22]
    (found,) = forged("two", change)
    assert found.where == f"action 23 (seat {seat}, {text})" and what in found.what


def test_a_game_cut_short_or_made_longer_is_found() -> None:
    assert resealed("two", lambda play: play["actions"].pop()) == ["result"]
    (longer,) = forged("two", lambda play: play["actions"].append([0, "K7"]))
    assert longer == (f"action {len(raw('two')['play']['actions']) + 1} (seat 0, K7)", "the game was over")


def test_an_action_after_the_fault_that_ended_the_game_is_found() -> None:
    *_, last = replay(read(RECORDS["two, a fault"]).play)
    seat = last.state.to_act[0]
    text = last.state.text(last.state.default(seat))
    (found,) = forged("two, a fault", lambda play: play["actions"].append([seat, text]))
    assert found == (f"action {last.number + 1} (seat {seat}, {text})", "a fault had ended the game")


def test_a_house_player_that_chooses_is_found() -> None:
    play = read(RECORDS["three, a fault"]).play
    choices = [
        (step.number, step.seat, action)
        for step in replay(play)
        if step.state.to_act and play.faults[0].at <= step.number and step.state.to_act[0] == 1
        for action in step.state.legal_text(step.state.to_act[0])[1:]
    ]
    number, _, text = choices[0]
    where = resealed("three, a fault", lambda play: play["actions"][number].__setitem__(1, text))
    assert where == [f"action {number + 1} (seat 1, {text})"]


@pytest.mark.parametrize(
    "change",
    [
        {"turn": 4}, {"turn": 0}, {"at": 3}, {"seat": 0}, {"seat": 3}, {"seat": -1}, {"at": 10_000}, {"at": -1},
    ],
)  # fmt: skip
def test_a_forged_fault_is_found(change: dict[str, int]) -> None:
    assert resealed("three, a fault", lambda play: play["faults"][0].update(change)) == ["fault 0"]


def test_a_seat_fails_once() -> None:
    def twice(play: Raw) -> None:
        play["faults"].append(play["faults"][0])

    assert "fault 1" in resealed("three, a fault", twice)


def test_a_fault_left_out_changes_the_result() -> None:
    assert resealed("two, a fault", set_("faults", [])) == ["result"]
    assert resealed("four, a fault", set_("faults", [])) == ["result"]


def test_a_void_game_has_nothing_else() -> None:
    empty = {"actions": [], "ranks": [], "scores": [], "faults": [], "verdict": "void"}
    assert resealed("two", lambda play: play.update(empty, void="host_lag")) == []
    assert resealed("two", lambda play: play.update(empty, void=None)) == ["result"]


def test_a_secret_choice_of_several_seats_is_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    game = BiddingGame()
    monkeypatch.setitem(GAMES, game.name, game)
    for faulty in ({}, {"seat1": failing(1)}, {"seat1": failing(2)}):
        for variant in game.variants():
            assert check(record(variant, **faulty)) == []
