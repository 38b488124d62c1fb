"""A match in memory: who is asked what, and what a fault does to it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from protocol.messages import Move, Ready, referee_messages
from protocol.vocabulary import FaultKind, Seat, Verdict
from referee.faults import Misstep
from referee.games import GAMES
from referee.match import Action, MatchSpec, Reply, commitment, play
from tests.referee.driving import Player, drive, random_player, spec_for
from tests.referee.toy import BiddingGame

TWO, THREE, FOUR = "claim", "claim/3p/GK-UWXTD", "claim/4p/NA-UWXTS"
HOUSES = "aristoocrazy/3p/classic"
FAMILIES = [TWO, "claim-2", THREE, FOUR, "aristoocrazy/2p/quick2013", HOUSES]


def failing(at: int, misstep: Misstep, seed: int = 0) -> Player:
    """Plays at random, and on its turn number `at` (0: already at `start`) does `misstep`."""
    sound = random_player(seed)

    def play(message: dict[str, Any]) -> Any:
        turn = message.get("turn", 0 if message["type"] == "start" else None)
        return misstep if turn == at else sound(message)

    return play


def players(spec: MatchSpec, **faulty: Player) -> list[Player]:
    return [faulty.get(f"seat{i}", random_player(i)) for i in range(spec.variant.players)]


@pytest.mark.parametrize("variant", FAMILIES)
def test_a_sound_game_finishes_by_its_rules_and_every_message_is_of_the_protocol(variant: str) -> None:
    spec = spec_for(variant)
    played, received = drive(spec, players(spec))
    assert played.verdict is Verdict.FINISHED and not played.faults
    again = spec.state()
    for action in played.actions:
        again.apply(action.seat, again.parse(action.seat, action.text))
    assert again.outcome == played.outcome
    for messages in received:
        kinds = [referee_messages.validate_json(message).type for message in messages]
        assert kinds[0] == "start" and kinds[-1] == "end" and set(kinds[1:-1]) == {"turn"}


@pytest.mark.parametrize("variant", FAMILIES)
def test_turns_and_events_are_numbered_by_what_the_seat_sees(variant: str) -> None:
    spec = spec_for(variant)
    for messages in drive(spec, players(spec))[1]:
        decoded = [json.loads(message) for message in messages]
        turns = [message["turn"] for message in decoded if message["type"] == "turn"]
        numbers = [event["n"] for message in decoded for event in message.get("events", [])]
        assert turns == list(range(1, len(turns) + 1))
        assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("variant", [TWO, FOUR])
@pytest.mark.parametrize("kind", [FaultKind.TIMEOUT, FaultKind.CRASH, FaultKind.PROTOCOL_ERROR])
def test_a_fault_of_one_of_two_sides_ends_the_game_and_its_side_loses(variant: str, kind: FaultKind) -> None:
    spec = spec_for(variant)
    played, received = drive(spec, players(spec, seat1=failing(4, Misstep(kind, "why"))))
    assert played.verdict is Verdict.FORFEIT
    assert [team == 1 for team in spec.variant.teams] == [rank == 1 for rank in played.outcome.ranks]
    (fault,) = played.faults
    assert (fault.seat, fault.turn, fault.kind) == (1, 4, kind)
    ends = ["end" in json.loads(messages[-1])["type"] for messages in received]
    assert ends == [seat != 1 for seat in range(len(ends))], "all but the faulty one are told"


def test_an_illegal_move_loses_and_its_bot_is_told_so() -> None:
    spec = spec_for(TWO)
    cheat: Player = lambda message: "Z99"  # noqa: E731
    played, received = drive(spec, players(spec, seat0=cheat))
    assert played.outcome.ranks == (1, 0)
    assert played.faults[0].kind is FaultKind.ILLEGAL_MOVE and "'Z99'" in played.faults[0].evidence
    end = json.loads(received[0][-1])
    assert end["verdict"] == "forfeit" and end["result"][0]["fault"] == "illegal_move"
    assert played.actions == [] and len(received[1]) == 2


@pytest.mark.parametrize("at", [0, 1, 7, 20])
@pytest.mark.parametrize("variant", [THREE, HOUSES])
def test_in_a_free_for_all_a_house_player_goes_on_and_the_faulty_seat_is_last(variant: str, at: int) -> None:
    spec = spec_for(variant)
    played, received = drive(spec, players(spec, seat2=failing(at, Misstep(FaultKind.CRASH))))
    assert played.verdict is Verdict.FINISHED and len(played.actions) >= 72
    assert played.outcome.ranks[2] == 2 and set(played.outcome.ranks[:2]) <= {0, 1}
    assert min(played.outcome.ranks) == 0
    state = spec.state()
    for number, action in enumerate(played.actions):
        if action.seat == 2 and number >= played.faults_at[0]:
            assert action.text == state.text(state.default(Seat(2)))
        state.apply(action.seat, state.parse(action.seat, action.text))
    assert len(received[2]) == at + 1, "nobody speaks to it any more"


def test_faulty_seats_of_a_free_for_all_share_the_last_place_and_one_alone_has_won() -> None:
    spec = spec_for(THREE)
    crash = Misstep(FaultKind.CRASH)
    played, _ = drive(spec, players(spec, seat0=failing(3, crash), seat1=failing(5, crash)))
    assert played.outcome.ranks == (1, 1, 0) and played.verdict is Verdict.FORFEIT


@pytest.mark.parametrize("variant", FAMILIES)
def test_where_nobody_starts_all_forfeit_alike(variant: str) -> None:
    spec = spec_for(variant)
    count = spec.variant.players
    played, _ = drive(spec, [failing(0, Misstep(FaultKind.NO_START))] * count)
    assert played.verdict is Verdict.FORFEIT and set(played.outcome.ranks) == {0}
    assert len(played.faults) == count


def test_a_fault_while_the_end_is_told_changes_nothing() -> None:
    def sulks(message: dict[str, Any]) -> Any:
        return Misstep(FaultKind.TIMEOUT) if message["type"] == "end" else random_player(1)(message)

    spec = spec_for(TWO)
    played, _ = drive(spec, players(spec, seat1=sulks))
    assert played.verdict is Verdict.FINISHED and not played.faults


@pytest.mark.parametrize("variant", ["bids/2", "bids/3"])
def test_a_simultaneous_choice_is_told_only_when_the_last_has_answered(variant: str) -> None:
    spec = spec_for(variant, game=BiddingGame())
    bid: Player = lambda message: f"bid:{message.get('seat', 1)}"  # noqa: E731
    played, received = drive(spec, [bid] * spec.variant.players)
    assert [a.seat for a in played.actions] == list(range(spec.variant.players)) * 3, "in seat order"
    for messages in received:
        news = [len(json.loads(m)["events"]) for m in messages[1:]]
        assert news == [0, 1, 1, 1]


@pytest.mark.parametrize("variant", [HOUSES, "aristoocrazy/4p/classic+take_visibility=closed"])
def test_all_of_a_secret_set_are_asked_before_anything_is_told(variant: str) -> None:
    """Also a house with nothing to bid or to pay: how many messages there are says nothing (R39)."""
    spec = spec_for(variant)
    asked: list[tuple[int, dict[str, Any]]] = []

    def noting(seat: int) -> Player:
        sound = random_player(seat)

        def play(message: dict[str, Any]) -> Any:
            if message["type"] == "turn":
                asked.append((seat, message))
            return sound(message)

        return play

    drive(spec, [noting(seat) for seat in range(spec.variant.players)])
    sets = [message for _, message in asked if len(message["view"]["to_act"]) > 1]
    alone = [message for message in sets if len(message["legal"]) == 1]
    assert len(alone) > 3
    at = 0
    while at < len(asked):
        seats = asked[at][1]["view"]["to_act"]
        together = asked[at : at + len(seats)]
        assert [seat for seat, _ in together] == seats
        assert all(message["view"]["to_act"] == seats for _, message in together)
        assert all(message["view"]["sealed"] is None for _, message in together)
        at += len(seats)


def test_both_at_fault_in_one_simultaneous_choice_forfeit_alike() -> None:
    spec = spec_for("bids/2", game=BiddingGame())
    late = failing(2, Misstep(FaultKind.TIMEOUT))
    played, _ = drive(spec, [late, late])
    assert played.verdict is Verdict.FORFEIT and played.outcome.ranks == (0, 0)
    assert [fault.seat for fault in played.faults] == [0, 1]


def test_the_bank_is_charged_and_the_budget_follows_it() -> None:
    spec = spec_for(TWO)
    slow: Player = lambda m: (m["legal"][0], 3.0) if m["type"] == "turn" else ""  # noqa: E731
    played, received = drive(spec, players(spec, seat0=slow))
    clocks = [json.loads(m)["clock"] for m in received[0] if json.loads(m)["type"] == "turn"]
    assert clocks[0] == {"remaining_ms": 20_000, "move_ms": 5_000, "last_ms": 0}
    assert clocks[1] == {"remaining_ms": 17_100, "move_ms": 5_000, "last_ms": 3_000}
    assert clocks[6]["move_ms"] == clocks[6]["remaining_ms"] == 2_600
    assert {(action.seat, action.ms) for action in played.actions} == {(0, 3_000), (1, 0)}


# what a bot may learn


def transcripts(spec: MatchSpec) -> list[list[bytes]]:
    return drive(spec, players(spec))[1]


def test_two_games_on_one_deal_look_unrelated_beforehand() -> None:
    first, second = (json.loads(transcripts(spec_for(TWO, id=id))[0][0]) for id in ("g1", "g2"))
    same = {key for key, value in first.items() if second[key] == value}
    assert same == {"type", "game", "variant", "rules", "players", "setup", "clock", "seat"}


@pytest.mark.parametrize("variant", FAMILIES)
def test_no_message_holds_a_seed_the_planned_id_or_a_name(variant: str) -> None:
    spec = spec_for(variant, seed="f00d" * 16, id="c0ffee" * 4, secret="5ec4e7" * 4)
    sent = b"".join(b"".join(messages) for messages in transcripts(spec))
    for secret in (spec.seed, spec.id, spec.secret, spec.nonce, *(bot.name for bot in spec.bots)):
        assert secret.encode() not in sent


def test_names_are_told_where_the_tournament_says_so() -> None:
    start = json.loads(transcripts(spec_for(TWO, show_names=True))[0][0])
    assert [player["name"] for player in start["players"]] == ["bot0", "bot1"]


def test_the_commitment_binds_us_to_the_deal() -> None:
    spec = spec_for(TWO)
    start = json.loads(transcripts(spec)[0][0])
    assert start["commitment"] == commitment(spec.seed, spec.id, spec.nonce)
    assert start["commitment"] != commitment("another deal", spec.id, spec.nonce)


def test_every_registered_game_can_be_matched() -> None:
    for game in GAMES.values():
        spec = spec_for(game.variants()[0])
        assert drive(spec, players(spec))[0].verdict is Verdict.FINISHED


def test_who_plays_a_game_sees_each_decision_when_all_of_it_is_taken() -> None:
    score: list[Action] = []
    spec = spec_for("aristoocrazy/2p/quick2013")
    game, sound, lengths = play(spec, score=score), random_player(3), [0]
    ask, together = next(game), 0
    try:
        while True:
            text = sound(ask.message)
            assert isinstance(text, str)
            told = ask.message["game_id"], ask.turn
            answer = (
                Move(type="move", game_id=told[0], turn=told[1], action=text)
                if ask.turn
                else Ready(type="ready", game_id=told[0])
            )
            ask = game.send(Reply(answer, 0.001))
            together = max(together, len(score) - lengths[-1])
            lengths.append(len(score))
    except StopIteration as stop:
        assert stop.value.actions is score and len(score) == lengths[-1]
    assert together == 2, "both at once, never one without the other"
