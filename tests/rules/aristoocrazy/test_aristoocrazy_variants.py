"""Variants, ids, options and decks (Aristoocrazy 3.0 and 3.14)."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from referee.game import VariantError
from referee.games.aristoocrazy.data import FOLLY, LUCK, MONEY, data
from referee.games.aristoocrazy.variants import (
    ALIASES,
    OPTIONS,
    AristoocrazyVariant,
    bases,
    matching,
    option_values,
    rules_id,
    variant_of,
)

CLASSIC = [id for id in bases() if id.endswith("classic")]
QUICK = [id for id in bases() if id.endswith("quick2013")]
SYMBOLS = ["crown", "ring", "shield", "valour", "rule", "learning"]

MEANINGS: list[tuple[str, str, Any, Any]] = [
    ("trait_set=rulebook9", "trait_set", "seed10", "rulebook9"),
    ("setup_traits=fixed", "draft", True, False),
    ("take_visibility=closed", "open_takes", True, False),
    ("vp_visibility=public", "public_vp", False, True),
    ("max_heirs_per_turn=1", "max_heirs", 0, 1),
    *((f"rounds={rounds}", "rounds", 12, rounds) for rounds in (11, 10, 9, 8)),
]
"""An option that is not the default, the field that it sets, and that field without and with it."""


def event_ids(variant: AristoocrazyVariant) -> list[str]:
    return [variant.events[card].id for card in variant.deck]


def test_aristoocrazy_3_0_there_are_six_variants_fewer_players_first() -> None:
    assert bases() == (
        "aristoocrazy/2p/classic",
        "aristoocrazy/2p/quick2013",
        "aristoocrazy/3p/classic",
        "aristoocrazy/3p/quick2013",
        "aristoocrazy/4p/classic",
        "aristoocrazy/4p/quick2013",
    )
    assert [variant_of(id).id for id in bases()] == list(bases())


def test_aristoocrazy_3_0_aliases_stand_for_the_games_of_two() -> None:
    assert variant_of("aristoocrazy").id == "aristoocrazy/2p/classic"
    assert variant_of("aristoocrazy-quick").id == "aristoocrazy/2p/quick2013"
    assert variant_of("aristoocrazy+rounds=8").id == "aristoocrazy/2p/classic+rounds=8"
    assert set(ALIASES.values()) <= set(bases())


@pytest.mark.parametrize("id", bases())
def test_aristoocrazy_r1_every_seat_is_a_house_of_its_own_on_the_board_for_so_many(id: str) -> None:
    variant = variant_of(id)
    assert variant.teams == tuple(range(int(id.split("/")[1][0])))
    assert variant.board == data().boards[variant.players]
    assert len(variant.board.homes) == variant.players


@pytest.mark.parametrize(("option", "field", "usual", "other"), MEANINGS)
@pytest.mark.parametrize("base", CLASSIC)
def test_aristoocrazy_3_0_what_an_option_changes(
    base: str, option: str, field: str, usual: Any, other: Any
) -> None:
    assert getattr(variant_of(base), field) == usual
    assert getattr(variant_of(f"{base}+{option}"), field) == other


def test_aristoocrazy_3_0_every_value_of_every_option_has_a_meaning() -> None:
    written = {f"{option.name}={value}" for option in OPTIONS for value in option.values[1:]}
    assert written == {option for option, *_ in MEANINGS}


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_aristoocrazy_3_0_a_default_is_left_out_of_the_id(option: Any) -> None:
    with pytest.raises(VariantError, match="it is written 'aristoocrazy/3p/classic'"):
        variant_of(f"aristoocrazy/3p/classic+{option.name}={option.values[0]}")


def test_aristoocrazy_3_0_an_id_has_its_options_in_one_order() -> None:
    options = [f"+{option.name}={option.values[-1]}" for option in OPTIONS]
    right = "aristoocrazy/4p/classic" + "".join(options)
    assert variant_of(right).id == right
    with pytest.raises(VariantError) as refused:
        variant_of("aristoocrazy/4p/classic" + "".join(reversed(options)))
    assert str(refused.value).endswith(f"it is written {right!r}")


@pytest.mark.parametrize(("players", "usual", "other"), [(2, 8, 10), (3, 8, 10), (4, 10, 8)])
def test_aristoocrazy_q1_rounds_of_the_quick_game(players: int, usual: int, other: int) -> None:
    base = f"aristoocrazy/{players}p/quick2013"
    assert variant_of(base).rounds == usual
    assert variant_of(f"{base}+rounds={other}").rounds == other
    with pytest.raises(VariantError, match=f"it is written '{base}'"):
        variant_of(f"{base}+rounds={usual}")


@pytest.mark.parametrize("base", QUICK)
def test_aristoocrazy_q2_the_quick_game_has_no_draft_no_action_cards_and_dice_without_folly(
    base: str,
) -> None:
    variant = variant_of(base)
    assert variant.quick and not variant.draft
    assert variant.trait_set == "quick2013"
    assert variant.actions == ()
    assert variant.traits == (0, 1, 2, 3, 4, 5, FOLLY)
    assert [sorted(die) for die in variant.dice] == [[0, 1, 2, 3, 4, 5]] * 3


@pytest.mark.parametrize("base", QUICK)
def test_aristoocrazy_q5_the_other_options_hold_in_the_quick_game_too(base: str) -> None:
    variant = variant_of(f"{base}+take_visibility=closed+vp_visibility=public+max_heirs_per_turn=1")
    assert (variant.open_takes, variant.public_vp, variant.max_heirs) == (False, True, 1)
    assert (variant_of(base).open_takes, variant_of(base).public_vp, variant_of(base).max_heirs) == (
        True,
        False,
        0,
    )


def test_aristoocrazy_q3_the_symbols_lie_twice_over_before_the_shuffle() -> None:
    variant = variant_of("aristoocrazy-quick")
    assert event_ids(variant) == SYMBOLS * 2
    assert [card.id for card in variant.events] == SYMBOLS


@pytest.mark.parametrize("base", CLASSIC)
def test_aristoocrazy_r38_the_classic_decks_before_the_shuffle(base: str) -> None:
    variant = variant_of(base)
    assert event_ids(variant) == [f"E{number:02}" for number in range(1, 35)]
    actions = [data().actions[card].id for card in variant.actions]
    assert actions == [f"A{number:02}" for number in range(1, 13)] * 2


def test_aristoocrazy_r5_the_rulebook_has_no_luck() -> None:
    ten, nine = variant_of("aristoocrazy"), variant_of("aristoocrazy+trait_set=rulebook9")
    assert ten.traits == tuple(range(10))
    assert nine.traits == tuple(trait for trait in range(10) if trait != LUCK)
    assert not any(LUCK in die for die in nine.dice)


def test_aristoocrazy_r7_faces_of_the_red_dice() -> None:
    ten, nine = variant_of("aristoocrazy"), variant_of("aristoocrazy+trait_set=rulebook9")
    assert Counter(face for die in ten.dice for face in die) == {
        trait: 1 if trait in (MONEY, FOLLY) else 2 for trait in range(10)
    }
    assert Counter(face for die in nine.dice for face in die) == dict.fromkeys(nine.traits, 2)


def test_aristoocrazy_r33_the_lottery_is_bid_for_with_money_where_there_is_no_luck() -> None:
    ids = ("aristoocrazy", "aristoocrazy+trait_set=rulebook9")
    lotteries = [card for id in ids for card in variant_of(id).events if card.id == "E23"]
    assert [card.trait for card in lotteries] == [LUCK, MONEY]


@pytest.mark.parametrize(
    ("id", "message"),
    [
        ("", "no variant matches ''; known: aristoocrazy/2p|3p|4p/classic|quick2013, aristoocrazy (aristo"),
        ("Aristoocrazy", "did you mean 'aristoocrazy'? known:"),
        ("aristocrazy-quick", "did you mean 'aristoocrazy-quick'? known:"),
        ("aristocrazy/2p/classic", "did you mean 'aristoocrazy/2p/classic'? known:"),
        ("aristoocrazy/2p", "no variant matches 'aristoocrazy/2p'; "),
        ("aristoocrazy/2p/classic/x", "did you mean 'aristoocrazy/2p/classic'?"),
        ("aristoocrazy/*", "no variant matches 'aristoocrazy/*'; "),
        ("aristoocrazy/5p/classic", "players are 2p, 3p or 4p, not '5p'"),
        ("aristoocrazy/classic/2p", "players are 2p, 3p or 4p, not 'classic'"),
        ("aristoocrazy/2p/clasic", "no setting 'clasic'; did you mean 'classic'? known: classic, quick2013"),
        ("aristoocrazy/3p/quick", "no setting 'quick'; did you mean 'quick2013'? known: classic, quick2013"),
        ("aristoocrazy/3p/", "no setting ''; known: classic, quick2013"),
        ("aristoocrazy+", "no option ''; known: rounds, trait_set, setup_traits, take_visibility, vp_vis"),
        ("aristoocrazy+round=8", "no option 'round'; did you mean 'rounds'? known: rounds, trait_set"),
        ("aristoocrazy+rounds", "rounds cannot be ''; known: 12, 11, 10, 9, 8"),
        ("aristoocrazy+rounds=7", "rounds cannot be '7'; known: 12, 11, 10, 9, 8"),
        ("aristoocrazy+rounds=08", "rounds cannot be '08'; did you mean '8'? known: 12"),
        ("aristoocrazy+trait_set=seed9", "trait_set cannot be 'seed9'; did you mean 'seed10'?"),
        ("aristoocrazy+trait_set=quick2013", "trait_set cannot be 'quick2013'; known: seed10, rulebook9"),
        ("aristoocrazy+max_heirs_per_turn=0", "max_heirs_per_turn cannot be '0'; known: null, 1"),
        ("aristoocrazy+vp_visibility=open", "vp_visibility cannot be 'open'; known: hidden, public"),
        ("aristoocrazy+rounds=8+rounds=8", "option rounds is given twice"),
        ("aristoocrazy+rounds=8+rounds=9", "option rounds is given twice"),
        ("aristoocrazy-quick+rounds=9", "rounds cannot be '9' with aristoocrazy/2p/quick2013; known: 8, 10"),
        (
            "aristoocrazy/4p/quick2013+rounds=12",
            "cannot be '12' with aristoocrazy/4p/quick2013; known: 10, 8",
        ),
        (
            "aristoocrazy-quick+trait_set=rulebook9",
            "option trait_set means nothing with aristoocrazy/2p/quick2013; known: "
            "rounds, take_visibility, vp_visibility, max_heirs_per_turn",
        ),
        ("aristoocrazy-quick+trait_set=seed10", "option trait_set means nothing with"),
        ("aristoocrazy/3p/quick2013+setup_traits=fixed", "option setup_traits means nothing with"),
        ("aristoocrazy/3p/quick2013+setup_traits=draft", "option setup_traits means nothing with"),
        ("aristoocrazy-quick+rounds=8", "it is written 'aristoocrazy/2p/quick2013'"),
    ],
)
def test_aristoocrazy_3_0_errors_name_what_is_right_or_known(id: str, message: str) -> None:
    with pytest.raises(VariantError) as refused:
        variant_of(id)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("pattern", "ids"),
    [
        ("aristoocrazy/*", list(bases())),
        ("aristoocrazy/*/classic", CLASSIC),
        ("aristoocrazy/3p/*", ["aristoocrazy/3p/classic", "aristoocrazy/3p/quick2013"]),
        ("aristoocrazy-quick", ["aristoocrazy/2p/quick2013"]),
        ("aristoocrazy/2p/classic", ["aristoocrazy/2p/classic"]),
        ("aristoocrazy/*+trait_set=rulebook9", [f"{id}+trait_set=rulebook9" for id in CLASSIC]),
        ("aristoocrazy/*+rounds=9", [f"{id}+rounds=9" for id in CLASSIC]),
        ("aristoocrazy/2p/*+rounds=8", ["aristoocrazy/2p/classic+rounds=8", "aristoocrazy/2p/quick2013"]),
        ("aristoocrazy/?p/quick*+rounds=10", [f"{QUICK[0]}+rounds=10", f"{QUICK[1]}+rounds=10", QUICK[2]]),
        (
            "aristoocrazy/2p/classic+vp_visibility=public+rounds=8",
            ["aristoocrazy/2p/classic+rounds=8+vp_visibility=public"],
        ),
    ],
)
def test_aristoocrazy_3_0_what_a_pattern_means(pattern: str, ids: list[str]) -> None:
    assert matching(pattern) == ids
    assert [variant_of(id).id for id in ids] == ids


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("aristoocrazy/6p/*", "no variant matches 'aristoocrazy/6p/*'; "),
        ("aristoocrazy/2p/slow", "no setting 'slow'; known: classic, quick2013"),
        ("aristoocrazy/*+trait=rulebook9", "did you mean 'trait_set'"),
        ("aristoocrazy/*/quick2013+trait_set=rulebook9", "option trait_set means nothing with aristoo"),
        ("aristoocrazy/*/quick2013+rounds=11", "rounds cannot be '11' with aristoocrazy/2p/quick2013"),
    ],
)
def test_aristoocrazy_3_0_a_pattern_that_means_nothing_is_an_error(pattern: str, message: str) -> None:
    with pytest.raises(VariantError) as refused:
        matching(pattern)
    assert message in str(refused.value)


def test_aristoocrazy_3_0_option_values_are_those_that_mean_something() -> None:
    assert option_values(variant_of("aristoocrazy+rounds=9+setup_traits=fixed")) == {
        "rounds": "9",
        "trait_set": "seed10",
        "setup_traits": "fixed",
        "take_visibility": "open",
        "vp_visibility": "hidden",
        "max_heirs_per_turn": "null",
    }
    assert option_values(variant_of("aristoocrazy/4p/quick2013+vp_visibility=public")) == {
        "rounds": "10",
        "take_visibility": "open",
        "vp_visibility": "public",
        "max_heirs_per_turn": "null",
    }


def test_aristoocrazy_3_0_other_players_settings_and_options_are_rated_apart() -> None:
    ids = [*bases(), *(id for option, *_ in MEANINGS for id in matching(f"aristoocrazy/*+{option}"))]
    digests = {id: rules_id(variant_of(id)) for id in ids}
    assert len(set(digests.values())) == len(digests)
    assert {digest.split("-")[0] for digest in digests.values()} == {"1"}
    assert {len(digest) for digest in digests.values()} == {10}


def test_aristoocrazy_3_0_other_cards_are_rated_apart() -> None:
    variant = variant_of("aristoocrazy")
    first, *others = variant.events
    changes: list[dict[str, Any]] = [
        {"events": (replace(first, measure="women"), *others)},
        {"deck": variant.deck[::-1]},
        {"actions": variant.actions[:-1]},
        {"dice": variant.dice[::-1]},
        {"board": replace(variant.board, places=(9, *variant.board.places[1:]))},
    ]
    digests = {rules_id(replace(variant, **change)) for change in changes}
    assert len(digests | {rules_id(variant)}) == len(changes) + 1
