"""Cards, variants, ids, options and deals (Claim 1 and 2)."""

from collections import Counter
from pathlib import Path

import pytest

from referee.chance import shuffled
from referee.game import VariantError, WrongDeal
from referee.games.claim import Claim, variants
from referee.games.claim.variants import OPTIONS
from tests.rules.claim.claim_positions import position

CLAIM = Claim()
SIZES = {"G": 14, "K": 8, "U": 10, "W": 10, "X": 10, "N": 13, "A": 9, "T": 10, "D": 10, "S": 10}


def deck(id: str) -> list[str]:
    return list(CLAIM.setup_info(CLAIM.variant(id))["deck"])


def test_claim_1_the_ten_factions_have_104_cards() -> None:
    cards = Counter(deck("claim")) + Counter(deck("claim-2"))
    assert cards.total() == 104
    assert Counter(card[0] for card in cards.elements()) == SIZES


def test_claim_1_copies_of_a_value() -> None:
    cards = Counter(deck("claim")) + Counter(deck("claim-2"))
    more = {card: count for card, count in cards.items() if count > 1}
    assert more == {
        "G0": 5,
        **{f"N{value}": 3 for value in (1, 3, 5, 7)},
        **{f"A{value}": 2 for value in (1, 3, 5, 7)},
    }
    assert min(card for card in cards if card[0] == "K") == "K2"


def test_claim_1_equal_copies_are_listed_once() -> None:
    state = position("claim", ["G0 G0 G0 K3", "U1"], favour=False)
    assert state.legal_text(state.to_act[0]) == ["G0", "K3"]


def test_claim_2_1_there_are_64_variants_of_the_right_size() -> None:
    ids = CLAIM.variants()
    assert len(set(ids)) == 64
    assert Counter(id.split("/")[1] for id in ids) == {"2p": 40, "3p": 12, "4p": 12}
    assert {(id.split("/")[1], len(deck(id))) for id in ids} == {("2p", 52), ("3p", 72), ("4p", 72)}


def test_claim_2_1_every_deck_has_just_one_linked_pair() -> None:
    for id in CLAIM.variants():
        letters = set(id.split("/")[2])
        assert ({"G", "K"} <= letters) != ({"N", "A"} <= letters)
        assert not letters & {"G", "K"} or not letters & {"N", "A"}


def test_claim_2_1_the_boxes_as_sold_are_aliases() -> None:
    assert CLAIM.variant("claim").id == "claim/2p/GK-UWX"
    assert CLAIM.variant("claim-2").id == "claim/2p/NA-TDS"
    assert CLAIM.variant("claim-2+troll_carry=cap").id == "claim/2p/NA-TDS+troll_carry=cap"


@pytest.mark.parametrize(
    ("id", "message"),
    [
        ("claim/2p/KG-UWX", "is written 'claim/2p/GK-UWX'"),
        ("claim/2p/GK-XWU+game_tie=cards", r"is written 'claim/2p/GK-UWX\+game_tie=cards'"),
        ("claim/2p/NA-TDS+game_tie=cards+troll_carry=cap", r"NA-TDS\+troll_carry=cap\+game_tie=cards'"),
        ("claim-2+troll_carry=pile", "is written 'claim/2p/NA-TDS'"),
        ("claim/2p/GK-UWZ", "no faction Z; known: G K U W X N A T D S"),
        ("claim/2p/GK-UW", "a 2p deck is GK or NA, '-', and 3 of UWXTDS"),
        ("claim/5p/GK-UWX", "2p, 3p or 4p"),
        ("clam-2", "did you mean 'claim-2'"),
        ("claim-2+trol_carry=cap", "did you mean 'troll_carry'"),
        ("claim-2+troll_carry=cup", "did you mean 'cap'. known: pile, bonus, cap"),
        ("claim+troll_carry=cap", "needs T, not in the deck of claim/2p/GK-UWX; known: knight_vs"),
        ("claim-2+game_tie=cards+game_tie=cards", "given twice"),
    ],
)
def test_claim_2_2_errors_name_what_is_right_or_known(id: str, message: str) -> None:
    with pytest.raises(VariantError, match=message):
        CLAIM.variant(id)


def test_claim_2_2_every_value_of_every_option_makes_an_id_of_its_own() -> None:
    for option in OPTIONS:
        ids = CLAIM.matching(f"claim/*+{option.name}={option.values[-1]}")
        fitting = [id for id in CLAIM.variants() if set(option.needs) <= set(id.split("/")[2])]
        assert [id.split("+")[0] for id in ids] == fitting
        for value in option.values[1:]:
            id = f"{fitting[0]}+{option.name}={value}"
            assert CLAIM.variant(id).id == id
            assert getattr(CLAIM.variant(id).options, option.name) == value
        with pytest.raises(VariantError, match="is written"):
            CLAIM.variant(f"{fitting[0]}+{option.name}={option.values[0]}")


def test_claim_2_2_patterns_mean_default_options() -> None:
    assert len(CLAIM.matching("claim/2p/*")) == 40
    assert len(CLAIM.matching("claim/*/GK-*")) == 32
    assert CLAIM.matching("claim-2") == ["claim/2p/NA-TDS"]
    assert CLAIM.matching("claim/2p/GK-UW?") == [f"claim/2p/GK-UW{letter}" for letter in "XTDS"]


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("claim/6p/*", "no variant matches"),
        ("claim/2p/GK-XWU", "is written"),
        ("claim/2p/GK-UWX+seer_loser=draw", "needs S"),
        ("claim/2p/*+troll=cap", "did you mean"),
    ],
)
def test_claim_2_2_a_pattern_that_means_nothing_is_an_error(pattern: str, message: str) -> None:
    with pytest.raises(VariantError, match=message):
        CLAIM.matching(pattern)


def test_claim_2_2_other_options_and_decks_are_rated_apart() -> None:
    ids = [*CLAIM.variants(), "claim-2+troll_carry=cap", "claim-2+troll_carry=bonus", "claim+game_tie=cards"]
    digests = {CLAIM.rules_id(CLAIM.variant(id)) for id in ids}
    assert len(digests) == len(ids)
    assert {digest.split("-")[0] for digest in digests} == {"1"}


@pytest.mark.parametrize(("players", "each", "deck_left"), [(2, 13, 26), (3, 12, 36), (4, 9, 36)])
def test_claim_2_3_cards_each(players: int, each: int, deck_left: int) -> None:
    id = CLAIM.matching(f"claim/{players}p/*")[0]
    state = CLAIM.setup(CLAIM.variant(id), "seed")
    view = state.view(state.to_act[0])
    assert view["hands"] == [each] * players
    assert view["deck"] + len(view["faceup"]) == deck_left


def test_claim_2_4_four_play_as_two_pairs() -> None:
    assert [CLAIM.variant(CLAIM.matching(f"claim/{n}p/*")[0]).teams for n in (2, 3, 4)] == [
        (0, 1),
        (0, 1, 2),
        (0, 1, 0, 1),
    ]


def test_claim_2_5_seat_0_leads_first() -> None:
    for id in CLAIM.variants():
        assert CLAIM.setup(CLAIM.variant(id), "any").to_act == (0,)


@pytest.mark.parametrize("id", ["claim", "claim/3p/NA-UWTDS", "claim/4p/GK-UWXTD"])
def test_claim_2_6_the_deal_is_the_shuffled_table(id: str) -> None:
    variant = CLAIM.variant(id)
    literal = CLAIM.literal(variant, "king")
    assert literal == shuffled("king", "deck", deck(id))
    for state in (CLAIM.deal(variant, literal), CLAIM.setup(variant, "king")):
        for seat, hand in enumerate(state.table.private):
            dealt = literal[seat * variant.each : (seat + 1) * variant.each]
            assert sorted(state.text(card) for card in hand.hand) == sorted(dealt)
        rest = literal[variant.players * variant.each :]
        assert state.view(state.to_act[0])["faceup"] == rest[: variant.turned]
        assert state.view(state.to_act[0])["deck"] == len(rest) - variant.turned


def test_claim_2_6_the_deck_is_in_the_order_of_the_table() -> None:
    order = "GKUWXNATDS"
    cards = deck("claim/3p/NA-UWTDS")
    assert cards == sorted(cards, key=lambda card: (order.index(card[0]), card[1]))


def test_claim_2_6_a_wrong_deal_says_what_is_missing_and_too_much() -> None:
    variant = CLAIM.variant("claim")
    literal = CLAIM.literal(variant, "x")
    wrong = ["K9" if card == "K2" else card for card in literal]
    with pytest.raises(WrongDeal, match="missing K2; too much K9"):
        CLAIM.deal(variant, wrong)
    with pytest.raises(WrongDeal, match="too much Q1"):
        CLAIM.deal(variant, [*literal, "Q1"])


def test_claim_2_2_the_readme_lists_every_option_and_value() -> None:
    readme = (Path(variants.__file__).parent / "README.md").read_text()
    for option in OPTIONS:
        row = f"| `{option.name}` | {' '.join(f'`{value}`' for value in option.values)} |"
        assert row in readme
        assert f"| {option.rule} |" in readme.split(row)[1].split("\n")[0]
