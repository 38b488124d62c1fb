"""Turns, courtship, heirs, land and age, each by its number (Aristoocrazy R14 to R20, R28, R29, R34)."""

from __future__ import annotations

import pytest

from referee.game import Seat
from tests.rules.aristoocrazy.aristoocrazy_positions import (
    OTHER_PAIR,
    PAIR,
    bodies,
    drafted,
    house,
    kinds,
    legal,
    on_by_default,
    person,
    play,
    position,
    stash,
    there,
)

ALL = [*PAIR, *OTHER_PAIR]


def test_R15_a_turn_frees_the_own_characters() -> None:
    state = position(
        ["0M1 a1 bow+sword+rule 0 acted new", "0F1 a1 bow+magic+rule", *OTHER_PAIR], turn=1, round=4
    )
    play(state, "1 end", "1 end")
    assert person(state, "0M1")["acted"] is person(state, "0M1")["new"] is False  # type: ignore[index]


def test_R15_movers_first_then_abilities() -> None:
    state = position(ALL)
    play(state, "0 occupy:0M1:a2", "0 end")
    assert state.view(Seat(0))["phase"] == "use"
    assert legal(state, 0) == ["end", "use:0F1:magic", "use:0F1:valour", "use:0F1:learning"]


def test_R16_actions_towards_each_neighbour() -> None:
    people = [
        "0M1 b2 bow+sword+rule",
        "0F1 a1 magic+valour+rule",
        "1F1 c2 bow+rule+folly",
        "1M1 d3 bow+sword+rule",
    ]
    state = position(people, owners={"a2": 0, "b1": 1})
    assert [text for text in legal(state, 0) if ":0M1:" in text] == [
        "move:0M1:a2", "attack:0M1:b1", "occupy:0M1:b3", "court_neutral:0M1:b3",
        "court:0M1:c2:1F1", "attack:0M1:c2",
    ]  # fmt: skip


def test_R16_the_new_and_the_same_sex_are_not_courted() -> None:
    people = ["0M1 b1 bow+sword+rule", "1M1 b2 bow+rule+folly", "1F1 b2 bow+rule+folly 0 acted new"]
    state = position(people, owners={"a2": 0})
    assert not [text for text in legal(state, 0) if text.startswith("court:")]
    assert "attack:0M1:b2" in legal(state, 0)


def test_R17_a_suitor_finds_a_partner_of_the_other_sex_and_stays() -> None:
    luck = {"red/3/0/1": (2, 3, 4), "black/3/0/1": (4, 5, 6)}
    state = position(ALL, luck=luck)
    events = play(state, "0 court_neutral:0M1:b1")
    assert [body["traits"] for body in bodies(events, "rolled")] == [
        ["sword", "economy", "economy"],
        ["sword", "economy", "folly"],
    ]
    assert state.view(Seat(0))["decision"]["traits"] == ["sword", "economy", "folly"]
    play(state, "0 heir:F:a1")
    assert person(state, "0M1")["field"] == "a1" and person(state, "0M1")["red"] == 0  # type: ignore[index]
    born = {
        "id": "0F2",
        "field": "a1",
        "traits": ["sword", "economy", "folly"],
        "red": 0,
        "acted": True,
        "new": True,
    }
    assert person(state, "0F2") == born and house(state, 0)["heirs_born"] == 1


def test_R18_the_example_of_the_rules() -> None:
    """Slots sword, learning, folly and bow, sword, luck; dice 5, 1, 3 give sword, folly, folly."""
    people = ["0M1 a1 sword+learning+folly", "1F1 a2 bow+sword+luck", *OTHER_PAIR[:1]]
    state = position(people, luck={"black/3/0/1": (5, 1, 3)})
    play(state, "0 court:0M1:a2:1F1", "1 yes", "1 take:sword")
    assert state.view(Seat(0))["decision"]["traits"] == ["sword", "folly", "folly"]


def test_R18_every_sex_in_supply_on_every_own_field_next_to_it() -> None:
    state = position([*ALL, "0M2 a2 bow+sword+rule"], owners={"c2": 0, "b1": 0})
    play(state, "0 court_neutral:0M2:b2")
    assert legal(state, 0) == ["heir:M:b1", "heir:M:c2", "heir:F:b1", "heir:F:c2"], "a2 is full"
    play(state, "0 heir:M:c2")
    assert person(state, "0M3")["field"] == "c2"  # type: ignore[index]


def test_R18_max_heirs_per_turn() -> None:
    people = [PAIR[0], "0F1 c2 magic+valour+learning", *OTHER_PAIR]
    state = position(people, id="aristoocrazy/2p/classic+max_heirs_per_turn=1", owners={"d1": 0})
    play(state, "0 court_neutral:0M1:b1", "0 heir:M:a1")
    assert not [text for text in legal(state, 0) if "court" in text]
    free = position(people, owners={"d1": 0})
    play(free, "0 court_neutral:0M1:b1", "0 heir:M:a1")
    assert "court_neutral:0F1:c1" in legal(free, 0), "there is a place for another"


def test_R19_a_host_may_refuse() -> None:
    state = position(["0M1 a1 sword+learning+folly", "1F1 a2 bow+sword+luck", *OTHER_PAIR[:1]])
    play(state, "0 court:0M1:a2:1F1")
    assert legal(state, 1) == ["no", "yes"]
    assert state.view(Seat(0))["decision"] == {
        "kind": "consent",
        "char": "0M1",
        "partner": "1F1",
        "field": "a2",
    }
    events = play(state, "1 no")
    assert kinds(events)[0] == "consent" and "rolled" not in kinds(events)
    assert person(state, "0M1")["acted"] is True  # type: ignore[index]


def test_R19_a_host_who_consents_takes_a_token_of_a_trait_of_the_suitor() -> None:
    state = position(["0M1 a1 sword+folly+folly", "1F1 a2 bow+sword+luck", *OTHER_PAIR[:1]])
    play(state, "0 court:0M1:a2:1F1", "1 yes")
    assert legal(state, 1) == ["take:sword", "take:folly"]
    play(state, "1 take:folly")
    assert stash(state, 1) == {"folly": 1}
    assert [person(state, name)["red"] for name in ("0M1", "1F1")] == [0, 0]  # type: ignore[index]


def test_R20_five_crests_beside_the_home() -> None:
    state = position(ALL, owners=dict.fromkeys(("a2", "a3", "b2", "c2"), 0))
    play(state, "0 occupy:0M1:b1")
    assert house(state, 0)["crests_left"] == 0
    again = position(ALL, owners=dict.fromkeys(("a2", "a3", "b2", "c2", "c1"), 0))
    assert not [text for text in legal(again, 0) if text.startswith("occupy")]


def test_R20_a_field_stays_owned_when_it_is_empty() -> None:
    state = position(["0M1 a2 bow+sword+rule", "0F1 a1 bow+magic+rule", *OTHER_PAIR])
    play(state, "0 move:0M1:a1")
    assert state.view(Seat(0))["fields"]["a2"]["owner"] == 0


def test_R28_and_R29_the_fifth_use_still_yields_its_token_and_nobody_is_credited() -> None:
    state = position(["0M1 a1 bow+bow+folly 4", "0F1 a1 bow+magic+rule 3", *OTHER_PAIR], phase="use")
    assert legal(state, 0)[:3] == ["end", "use:0M1:bow", "use:0M1:folly"]
    play(state, "0 use:0M1:folly", "0 use:0F1:rule")
    assert person(state, "0M1") is None and person(state, "0F1")["red"] == 4  # type: ignore[index]
    assert stash(state, 0) == {"rule": 1, "folly": 1}
    assert [house(state, seat)["trophies"] for seat in (0, 1)] == [0, 0]


def test_R28_the_dead_may_be_born_again() -> None:
    state = position(["0M1 a1 bow+sword+folly 4", "0F1 a1 bow+magic+rule", *OTHER_PAIR], phase="use")
    play(state, "0 use:0M1:bow", "0 end")
    on_by_default(state, 4)
    if state.view(Seat(0))["turn"] == 1:
        play(state, "1 end", "1 end")
    play(state, "0 court_neutral:0F1:b1", "0 heir:M:a1")
    assert person(state, "0M1")["red"] == 0  # type: ignore[index]


def test_R34_an_extinct_house_comes_back_by_red_dice_and_acts_at_once() -> None:
    state = position(OTHER_PAIR, turn=1, round=4, luck={"red/4/0/1": (1, 2, 1)})
    play(state, "1 end", "1 end")
    assert legal(state, 0) == ["sex:M", "sex:F"] and state.view(Seat(0))["decision"] == {"kind": "restore"}
    play(state, "0 sex:F")
    assert person(state, "0F1") == {
        "id": "0F1", "field": "a1", "traits": ["bow", "sword", "magic"], "red": 0, "acted": False, "new": False,
    }  # fmt: skip
    assert "occupy:0F1:a2" in legal(state, 0) and house(state, 0)["heirs_born"] == 0
    assert state.view(Seat(0))["round"] == 4, "in the turn in which it came"


def test_R14_a_card_is_evaluated_after_the_last_turn_and_before_the_next_round() -> None:
    state = drafted("aristoocrazy/3p/classic")
    on_by_default(state, 4)
    course = [kind for kind in kinds(state.events()) if kind in ("round", "turn", "event")]
    unscored = ["round", "turn", "turn", "turn"]
    assert course == [*unscored, *unscored, *unscored, "event", "round", "turn"]


def test_R15_a_turn_leaves_the_characters_of_others_as_they_are() -> None:
    people = ["2M1 e5 bow+sword+rule 0 acted new", "0M1 a1 bow+sword+rule", "1M1 e1 bow+sword+rule"]
    state = position(people, id="aristoocrazy/3p/classic")
    play(state, "0 end", "0 end")
    assert state.view(Seat(0))["turn"] == 1
    assert there(state, "2M1")["acted"] is there(state, "2M1")["new"] is True


def test_R16_all_that_a_turn_offers_in_its_order() -> None:
    people = [
        "0M1 b2 bow+sword+rule",
        "0F1 a1 rule+folly+folly 0 acted",
        "1F1 c2 bow+rule+folly",
        "1M1 d3 rule+folly+folly",
    ]
    state = position(people, owners={"a2": 0, "b3": 1}, stashes={0: "money"}, hands={0: ["A07", "A02"]})
    exchanges = [
        f"exchange:{trait}"
        for trait in ["bow", "sword", "magic", "valour", "rule", "learning", "economy", "luck"]
    ]
    assert legal(state, 0) == [
        "end", "move:0M1:a2", "occupy:0M1:b1", "court_neutral:0M1:b1", "attack:0M1:b3", "court:0M1:c2:1F1",
        "attack:0M1:c2", *exchanges, "card:mercenaries",
    ]  # fmt: skip


def test_R16_nobody_moves_to_a_full_field() -> None:
    state = position(["0M1 a1 bow+sword+rule", "0F1 a2 rule+folly+folly", *OTHER_PAIR], owners={"b1": 0})
    assert "move:0M1:b1" in legal(state, 0) and "move:0M1:a2" not in legal(state, 0)
    assert "move:0F1:a1" in legal(state, 0), "a home has three places"


@pytest.mark.parametrize(
    "plays",
    [
        ["0 move:0M1:a2"],
        ["0 occupy:0M1:b1"],
        ["0 court_neutral:0M1:b1", "0 heir:M:a1"],
        ["0 court:0M1:b2:1F1", "1 no"],
        ["0 attack:0M1:b2", "0 commit:0,0,0", "1 commit:0,0,0"],
    ],
    ids=["move", "occupy", "court_neutral", "court", "attack"],
)
def test_R16_every_action_uses_its_character_up(plays: list[str]) -> None:
    start = "a1" if "move" in plays[0] or "b1" in plays[0] else "a2"
    people = [f"0M1 {start} bow+sword+rule", "0F1 a1 rule+folly+folly", "1F1 b2 rule+folly+folly"]
    state = position(people, owners={"a2": 0, "b3": 0})
    assert plays[0].split()[1] in legal(state, 0)
    play(state, *plays)
    assert there(state, "0M1")["acted"] is True and there(state, "0F1")["acted"] is False
    assert not [text for text in legal(state, 0) if ":0M1" in text]


@pytest.mark.parametrize(("suitor", "partner"), [("0M1", "F"), ("0F1", "M")])
def test_R17_the_partner_is_of_the_other_sex_and_goes_again(suitor: str, partner: str) -> None:
    state = position(ALL, stashes={0: "luck"}, luck={"red/3/0/1": (1, 2, 3)})
    play(state, f"0 court_neutral:{suitor}:b1")
    decision = state.view(Seat(0))["decision"]
    assert (decision["for"], decision["sex"], decision["char"]) == ("partner", partner, suitor)
    play(state, "0 keep", "0 keep", "0 heir:M:a1")
    assert [one["id"] for one in state.view(Seat(0))["characters"]] == ["0M1", "0M2", "0F1", "1M1", "1F1"]
    assert state.view(Seat(0))["fields"]["b1"]["owner"] is None


def test_R19_nobody_moves_or_ages_and_the_host_s_character_has_not_acted() -> None:
    people = ["0M1 a1 sword+learning+folly", "1F1 a2 bow+sword+luck", "0F1 a1 rule+folly+folly"]
    state = position(people)
    before = there(state, "1F1")
    events = play(state, "0 court:0M1:a2:1F1", "1 yes", "1 take:sword", "0 heir:F:a1")
    assert bodies(events, "born")[0]["parents"] == ["0M1", "1F1"]
    assert there(state, "1F1") == before
    assert (there(state, "0M1")["field"], there(state, "0M1")["red"]) == ("a1", 0)
    assert house(state, 0)["heirs_born"] == 1 and house(state, 1)["heirs_born"] == 0


def test_R29_who_used_an_ability_has_acted_and_aged() -> None:
    state = position(["0M1 a1 bow+sword+folly", *OTHER_PAIR, "0F1 a1 rule+folly+folly"], phase="use")
    play(state, "0 use:0M1:sword")
    assert stash(state, 0) == {"sword": 1}
    assert (there(state, "0M1")["red"], there(state, "0M1")["acted"]) == (1, True)
    assert legal(state, 0)[:3] == ["end", "use:0F1:rule", "use:0F1:folly"]
