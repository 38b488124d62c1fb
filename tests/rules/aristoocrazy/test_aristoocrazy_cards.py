"""The action cards, each by its number (Aristoocrazy R30)."""

from __future__ import annotations

from typing import Any

import pytest

from referee.chance import Stream
from referee.game import IllegalAction, Seat
from referee.games.aristoocrazy.game import AristoocrazyState
from tests.rules.aristoocrazy.aristoocrazy_positions import (
    OTHER_PAIR,
    PAIR,
    bodies,
    house,
    kinds,
    legal,
    person,
    play,
    position,
    stash,
)

ALL = [*PAIR, *OTHER_PAIR]


def with_card(card: str, people: list[str] = ALL, **more: Any) -> AristoocrazyState:
    return position(people, hands={0: [card]} | more.pop("hands", {}), **more)


def cards(state: AristoocrazyState, seat: int = 0) -> list[str]:
    return [text for text in legal(state, seat) if text.startswith("card:")]


def test_A01_march_goes_to_any_own_field_and_leaves_its_character_free_to_act() -> None:
    state = with_card("A01", [*PAIR, "0M2 c2 bow+sword+folly 0 acted", *OTHER_PAIR], owners={"d1": 0})
    assert set(cards(state)) == {f"card:march:{c}:{f}" for c in ("0M1", "0F1") for f in ("c2", "d1")}
    play(state, "0 card:march:0M1:d1")
    assert person(state, "0M1")["field"] == "d1"  # type: ignore[index]
    assert "attack:0M1:d2" not in legal(state, 0) and "occupy:0M1:d2" in legal(state, 0)


def test_A01_march_needs_a_free_place() -> None:
    state = with_card("A01", [*PAIR, "0M2 a2 bow+sword+folly", *OTHER_PAIR])
    assert cards(state) == ["card:march:0M2:a1"]


def test_A02_elixir_takes_two_red_chips_at_most_and_needs_one() -> None:
    people = [
        "0M1 a1 bow+sword+rule 3",
        "0F1 a1 magic+valour+learning 1",
        "0M2 a2 bow+folly+folly",
        *OTHER_PAIR,
    ]
    state = with_card("A02", people)
    assert cards(state) == ["card:elixir:0M1", "card:elixir:0F1"]
    again = state.clone()
    play(state, "0 card:elixir:0M1")
    play(again, "0 card:elixir:0F1")
    assert person(state, "0M1")["red"] == 1 and person(again, "0F1")["red"] == 0  # type: ignore[index]


def test_A03_tutor_turns_the_first_folly_into_a_trait_that_is_not_held() -> None:
    state = with_card("A03", ["0M1 a1 folly+bow+folly", "0F1 a1 magic+valour+learning", *OTHER_PAIR])
    taught = "sword magic valour rule learning economy luck"
    assert cards(state) == [f"card:tutor:0M1:{trait}" for trait in taught.split()]
    play(state, "0 card:tutor:0M1:rule")
    assert person(state, "0M1")["traits"] == ["rule", "bow", "folly"]  # type: ignore[index]


def test_A03_tutor_teaches_no_luck_where_there_is_none() -> None:
    state = with_card("A03", ["0M1 a1 folly+bow+folly"], id="aristoocrazy/2p/classic+trait_set=rulebook9")
    assert "card:tutor:0M1:luck" not in cards(state) and "card:tutor:0M1:economy" in cards(state)


def test_A04_tithe_yields_two_tokens_of_any_trait_but_money_and_folly() -> None:
    state = with_card("A04")
    given = "bow sword magic valour rule learning economy luck"
    assert cards(state) == [f"card:tithe:{trait}" for trait in given.split()]
    play(state, "0 card:tithe:luck")
    assert stash(state, 0) == {"luck": 2}


def test_A05_spy_sees_the_stash_and_the_hand_once_and_alone() -> None:
    state = with_card(
        "A05",
        ["0M1 a1 bow+sword+rule", "1M1 e1 bow+sword+rule", "2M1 e5 bow+sword+rule"],
        id="aristoocrazy/3p/classic",
        hands={1: ["A01", "A09"]},
        stashes={1: "bow folly folly"},
    )
    assert cards(state) == ["card:spy:1", "card:spy:2"]
    events = play(state, "0 card:spy:1")
    spied = [event for event in events if event.kind == "spied"]
    assert [event.audience for event in spied] == [(0,), (1, 2)]
    full = {"seat": 0, "of": 1, "stash": {"bow": 1, "folly": 2}, "hand": ["A01", "A09"]}
    assert spied[0].body == full
    assert spied[1].body == {"seat": 0, "of": 1, "stash": None, "hand": None}
    assert state.view(Seat(0))["houses"][1]["known"]["hand"] == ["A01", "A09"]
    assert state.view(Seat(2))["houses"][1]["known"]["hand"] == []


def test_A06_pickpocket_takes_a_random_token_from_a_stash_that_has_one() -> None:
    state = with_card("A06", stashes={1: "bow valour folly"}, luck={"thief/3/0/1": (1,)})
    events = play(state, "0 card:pickpocket:1")
    assert stash(state, 0) == {"valour": 1} and stash(state, 1) == {"bow": 1, "folly": 1}
    assert bodies(events, "stolen") == [{"seat": 0, "from": 1, "trait": "valour"}]
    assert cards(with_card("A06")) == []


def test_A07_mercenaries_add_a_win_to_the_next_defended_battle_of_the_turn() -> None:
    people = [
        "0M1 a1 bow+sword+rule",
        "0F1 b1 magic+valour+learning",
        "1M1 a2 bow+rule+folly",
        *OTHER_PAIR[1:],
    ]
    state = with_card("A07", people, owners={"b2": 1})
    play(state, "0 card:mercenaries", "0 attack:0F1:b2")
    assert state.view(Seat(0))["mercenaries"] is True, "the field was empty: they still wait"
    events = play(state, "0 attack:0M1:a2", "0 commit:0,0,0", "1 commit:0,0,0")
    assert bodies(events, "battle")[0]["wins"] == [1, 0]
    assert state.view(Seat(0))["mercenaries"] is False


def test_A07_mercenaries_are_hired_in_the_move_phase_only_and_leave_with_the_turn() -> None:
    assert cards(with_card("A07", phase="use")) == []
    state = with_card("A07")
    play(state, "0 card:mercenaries", "0 end", "0 end")
    assert state.view(Seat(0))["turn"] == 1 and state.view(Seat(0))["mercenaries"] is False


def test_A08_palisade_keeps_attackers_and_suitors_off_until_the_own_next_turn() -> None:
    people = [
        "0M1 a2 bow+sword+rule",
        "0F1 a1 magic+valour+learning",
        "1F1 b2 bow+sword+rule",
        *OTHER_PAIR[:1],
    ]
    state = position(people, hands={1: ["A08"]}, turn=1, round=4)
    assert {"card:palisade:b2", "card:palisade:d3"} == set(cards(state, 1))
    play(state, "1 card:palisade:b2", "1 end", "1 end")
    assert state.view(Seat(0))["fields"]["b2"] == {"owner": 1, "palisade": True}
    assert not [text for text in legal(state, 0) if ":b2" in text]
    play(state, "0 end", "0 end")
    while state.view(Seat(0))["turn"] != 1:
        seat = state.to_act[0]
        state.apply(seat, state.default(seat))
    assert state.view(Seat(0))["fields"]["b2"]["palisade"] is False


def test_A09_cousin_comes_home_by_red_dice_and_can_do_nothing_yet() -> None:
    state = with_card("A09", luck={"red/3/0/1": (1, 1, 6)})
    assert cards(state) == ["card:cousin:M", "card:cousin:F"]
    play(state, "0 card:cousin:F")
    cousin = {
        "id": "0F2",
        "field": "a1",
        "traits": ["bow", "folly", "folly"],
        "red": 0,
        "acted": True,
        "new": True,
    }
    assert person(state, "0F2") == cousin
    assert house(state, 0)["heirs_born"] == 0, "it is no heir"


def test_A09_cousin_needs_a_place_at_home() -> None:
    assert cards(with_card("A09", [*PAIR, "0M2 a1 bow+sword+rule", *OTHER_PAIR])) == []


def test_A10_scandal_gives_any_opposing_character_a_red_chip_and_takes_the_credit() -> None:
    state = with_card("A10", [*PAIR, "1M1 d3 bow+sword+rule 4", "1F1 d3 magic+valour+learning 0 acted new"])
    assert cards(state) == ["card:scandal:1M1", "card:scandal:1F1"]
    play(state, "0 card:scandal:1M1")
    assert person(state, "1M1") is None
    assert (house(state, 0)["trophies"], house(state, 0)["wounds"]) == (1, 1)


def test_A11_chancellor_changes_what_is_scored_this_round() -> None:
    state = with_card("A11", row=["E01", "E04", "E05"], round=3)
    play(state, "0 card:chancellor")
    assert [card["id"] for card in state.view(Seat(1))["row"]][:3] == ["E04", "E01", "E05"]
    while not state.view(Seat(0))["evaluated"]:
        seat = state.to_act[0]
        state.apply(seat, state.default(seat))
    assert state.view(Seat(0))["evaluated"] == ["E04"]
    assert state.view(Seat(0))["row"][0]["id"] == "E01"


@pytest.mark.parametrize(("round", "playable"), [(2, False), (3, True), (11, True), (12, False)])
def test_A11_chancellor_is_for_the_rounds_that_score_but_the_last(round: int, playable: bool) -> None:
    state = with_card("A11", round=round, turn=(round - 1) % 2, hands={1: ["A11"]})
    assert bool(cards(state, (round - 1) % 2)) is playable


def test_A12_deed_puts_a_crest_on_a_neutral_field_next_to_an_own_one() -> None:
    state = with_card("A12")
    assert cards(state) == ["card:deed:a2", "card:deed:b1"]
    events = play(state, "0 card:deed:b1")
    assert bodies(events, "crest") == [{"field": "b1", "owner": 0}]
    assert house(state, 0)["crests_left"] == 4 and house(state, 0)["gained_land"] is True


def test_A12_deed_needs_a_crest() -> None:
    assert cards(with_card("A12", owners=dict.fromkeys(("a3", "b1", "c1", "d1", "c3"), 0))) == []


def test_R30_one_card_a_turn_in_either_phase() -> None:
    state = position(ALL, hands={0: ["A04", "A04", "A10"]})
    assert cards(state)
    play(state, "0 card:tithe:bow")
    assert cards(state) == []
    play(state, "0 end")
    assert cards(state) == []
    later = position(ALL, hands={0: ["A04"]}, phase="use")
    play(later, "0 card:tithe:bow")
    assert stash(later, 0) == {"bow": 2}


def test_R30_equal_cards_are_offered_once_and_one_of_them_is_played() -> None:
    state = position(ALL, hands={0: ["A12", "A12"]})
    assert cards(state) == ["card:deed:a2", "card:deed:b1"]
    play(state, "0 card:deed:a2")
    assert house(state, 0)["hand"] == ["A12"]
    assert state.view(Seat(1))["actions"]["discard"] == ["A12"]


def test_R30_cards_can_be_played_in_the_own_turn_alone() -> None:
    state = position(ALL, hands={1: ["A04"]})
    with pytest.raises(IllegalAction):
        state.parse(Seat(1), "card:tithe:bow")


def drawn(hand: list[str], **more: Any) -> tuple[AristoocrazyState, list[dict[str, Any]]]:
    """A royal gift, which seat 1 alone gets twice: it has fewer fields."""
    state = position(ALL, phase="event", row=["E34"], hands={0: hand}, owners={"a2": 0}, **more)
    return state, [
        dict(event.body) for event in state.events() if event.kind == "drew" and event.seen_by(Seat(0))
    ]


def test_R30_a_draw_at_the_hand_limit_is_skipped() -> None:
    state, draws = drawn(["A01", "A02", "A03"], deck=["A05", "A06", "A07"])
    assert [draw["seat"] for draw in draws] == [1, 1]
    assert house(state, 0)["hand_size"] == 3 and state.view(Seat(0))["actions"]["deck"] == 1


def test_R30_the_discard_is_shuffled_when_the_deck_is_empty() -> None:
    state = position(ALL, hands={0: ["A04"]}, deck=[], row=["E34"], owners={"a2": 0})
    play(state, "0 card:tithe:bow")
    while "E34" not in state.view(Seat(0))["evaluated"]:
        seat = state.to_act[0]
        state.apply(seat, state.default(seat))
    assert [event.body for event in state.events() if event.kind == "reshuffled"] == [{"deck": 1}]
    held = [house(state, seat)["hand"] for seat in (0, 1)]
    assert sorted(held) == [[], ["A04"]] and state.view(Seat(0))["actions"] == {"deck": 0, "discard": []}


def test_R30_and_R38_the_discard_lies_last_played_first_and_stream_actions_goes_on() -> None:
    people = ["0M1 a1 bow+sword+rule", "1M1 e1 bow+sword+rule", "2M1 e5 bow+sword+rule"]
    hands = {0: ["A04"], 1: ["A10"], 2: ["A05"]}
    state = position(people, "aristoocrazy/3p/classic", round=4, hands=hands, row=["E34"])
    state.table.hidden.actions.clear()
    state.table.public.deck = 0
    for seat, card in ((0, "tithe:bow"), (1, "scandal:0M1"), (2, "spy:0")):
        play(state, f"{seat} card:{card}", f"{seat} end")
        if seat == 2:
            assert state.view(Seat(0))["actions"]["discard"] == ["A05", "A10", "A04"]
        play(state, f"{seat} end")
    stream, deck = Stream("position", "actions"), ["A05", "A10", "A04"]
    stream.shuffle(list(range(24)))
    stream.shuffle(deck)
    assert [house(state, seat)["hand"] for seat in (0, 1, 2)] == [[card] for card in reversed(deck)]


def test_R30_nothing_is_drawn_where_deck_and_discard_are_empty() -> None:
    state, draws = drawn([], deck=[])
    assert draws == [] and "drew" not in kinds(state.events())
    assert house(state, 0)["hand"] == []


def test_R30_who_draws_alone_sees_the_card() -> None:
    state, draws = drawn([], deck=["A05", "A06", "A07"])
    assert draws == [{"seat": 0, "card": "A05"}, {"seat": 1, "card": None}, {"seat": 1, "card": None}]
    assert house(state, 1)["hand"] == ["A06", "A07"]
