"""The Python reference bots: whole games in this process, and positions in which anyone sees what is right."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from protocol.client import Bot, answer
from protocol.manifest import Manifest
from referee.chance import shuffled
from referee.games import GAMES, game_of
from tests.benchmarks.ladder import PYTHON_BOTS, Tally, load, play, play_block

CLAIM = GAMES["claim"]
NAMES = sorted(file.parent.name for file in PYTHON_BOTS.glob("*/bot.toml"))
SAMPLE = [*CLAIM.variants()[::7], *CLAIM.aliases(), *GAMES["aristoocrazy"].variants()]
OPTIONS = [
    "claim/2p/GK-UWX+knight_vs_doppelganger=no+faction_tie=void+game_tie=cards",
    "claim/2p/NA-TDS+seer_loser=draw+dragon_over_phase=no+troll_carry=cap",
    "claim/3p/NA-WXTDS+dwarf_taker=second_ranked+seer_multi=off+troll_carry=bonus+giant_multi=all_opponents",
    "claim/4p/GK-UWTDS+dwarf_taker=last_losing_side+seer_loser=draw+troll_leftover=last_winner",
    "aristoocrazy/2p/classic+rounds=8+trait_set=rulebook9",
    "aristoocrazy/3p/classic+rounds=11+take_visibility=closed+vp_visibility=public+max_heirs_per_turn=1",
    "aristoocrazy/4p/classic+rounds=9+trait_set=rulebook9+setup_traits=fixed+take_visibility=closed",
    "aristoocrazy/2p/quick2013+rounds=10+take_visibility=closed+vp_visibility=public+max_heirs_per_turn=1",
    "aristoocrazy/4p/quick2013+rounds=8",
]


def manifest(name: str) -> Manifest:
    return Manifest(**tomllib.loads((PYTHON_BOTS / name / "bot.toml").read_text()))


def players_of(ids: Sequence[str]) -> list[tuple[str, str]]:
    """Each bot with those of the ids whose game it plays."""
    return [(name, id) for name in NAMES for id in ids if game_of(id).name in manifest(name).games]


class Noted(Bot):
    """A bot whose decisions are written down."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.moves: list[str] = []

    def started(self, start: Any) -> None:
        self.bot.rng = self.rng
        self.moves = []
        self.bot.started(start)

    def choose(self, turn: Any) -> str:
        self.moves.append(str(self.bot.choose(turn)))
        return self.moves[-1]


def bots_of(name: str, count: int) -> list[Bot]:
    return [load(PYTHON_BOTS / name)() for _ in range(count)]


def move(name: str, variant: str, view: dict[str, Any], legal: Sequence[str]) -> str:
    """What a fresh bot does in a view."""
    (bot,) = bots_of(name, 1)
    setup = CLAIM.setup_info(CLAIM.variant(variant))
    start = {"type": "start", "game_id": "0", "game": "claim", "variant": variant, "seat": view["seat"]}
    answer(bot, start | {"setup": setup, "bot_seed": "5eed"})
    turn = {"type": "turn", "game_id": "0", "turn": 1, "view": view, "events": [], "legal": list(legal)}
    reply = answer(bot, turn)
    assert reply is not None
    return str(reply["action"])


def dealt(variant: str, hands: Sequence[str], deck: str) -> list[str]:
    """A literal deal in which each seat holds these cards and any others, and the deck begins with `deck`."""
    cards = shuffled("rest", "deck", CLAIM.setup_info(CLAIM.variant(variant))["deck"])
    given = [hand.split() for hand in hands]
    rest = list((Counter(cards) - Counter(" ".join([*hands, deck]).split())).elements())
    each = CLAIM.setup_info(CLAIM.variant(variant))["cards_each"]
    full = [hand + [rest.pop() for _ in range(each - len(hand))] for hand in given]
    return [*(card for hand in full for card in hand), *deck.split(), *rest]


def recruiting(name: str, hands: Sequence[str], prize: str, led: str) -> str:
    """What seat 1 of two plays to the first trick, on seat 0's lead."""
    state = CLAIM.deal(CLAIM.variant("claim"), dealt("claim", hands, prize))
    state.apply(state.to_act[0], state.parse(state.to_act[0], led))
    seat = state.to_act[0]
    return move(name, "claim", state.view(seat), state.legal_text(seat))


def favour(
    variant: str, hands: Sequence[str], plays: Sequence[str], piles: Sequence[str], leader: int
) -> dict[str, Any]:
    """A view near the end: the seat on turn sees its hand, all else that is not in the hands was played."""
    setup = CLAIM.setup_info(CLAIM.variant(variant))
    players = len(setup["teams"])
    held = Counter(" ".join([*hands, *plays]).split())
    gone = (Counter(setup["deck"]) - held).elements()
    seat = (leader + len(plays)) % players
    return {
        "seat": seat,
        "decision": "play",
        "phase": "favour",
        "trick_number": 1,
        "trick": {
            "leader": leader,
            "led": plays[0][0] if plays else None,
            "plays": [[(leader + at) % players, card] for at, card in enumerate(plays)],
        },
        "tricks": [{"plays": [[0, card] for card in gone]}],
        "hand": hands[seat].split(),
        "hands": [len(hand.split()) for hand in hands],
        "known": [[] if at == seat else hand.split() for at, hand in enumerate(hands)],
        "recruited": [],
        "look": None,
        "left": [],
        "faceup": [],
        "voids": [""] * players,
        "piles": [pile.split() for pile in piles],
        "rows": [[] for _ in range(players)],
        "out": [],
    }


@pytest.mark.parametrize(("name", "id"), players_of([*SAMPLE, *OPTIONS]))
def test_plays_whole_games_with_legal_answers_only(name: str, id: str) -> None:
    game, variant = game_of(id), game_of(id).variant(id)
    play(game, variant, f"legal {id}", bots_of(name, variant.players))  # IllegalAction: the test fails


@pytest.mark.parametrize(
    ("name", "id"), players_of(["claim", "claim/3p/NA-UWTDS", "aristoocrazy/3p/classic"])
)
def test_the_same_seed_and_views_give_the_same_moves_whatever_was_played_before(name: str, id: str) -> None:
    game, variant = game_of(id), game_of(id).variant(id)
    used, fresh = ([Noted(bot) for bot in bots_of(name, variant.players)] for _ in range(2))
    play(game, variant, "another deal", used)
    play(game, variant, "deal", used)
    play(game, variant, "deal", fresh)
    assert [bot.moves for bot in used] == [bot.moves for bot in fresh]


@pytest.mark.parametrize("name", NAMES)
def test_each_has_a_manifest_with_the_name_of_its_folder(name: str) -> None:
    assert manifest(name).name == name


@pytest.mark.parametrize(
    ("first", "second", "id"),
    [
        ("greedy", "random", "claim"),
        ("heuristic", "greedy", "claim"),
        ("greedy", "random", "aristoocrazy"),
        ("grow-and-fight", "greedy", "aristoocrazy"),
    ],
)
def test_each_wins_more_than_half_against_the_next_weaker(first: str, second: str, id: str) -> None:
    tally, game, variant = Tally(), game_of(id), game_of(id).variant(id)
    for number in range(12):
        play_block(game, variant, str(number), load(PYTHON_BOTS / first), load(PYTHON_BOTS / second), tally)
    assert tally.wins > tally.losses


@pytest.mark.parametrize(
    ("led", "plays", "hand", "right"),
    [
        ("U", [[0, "U4"]], ["U2", "U5", "U9"], "U5"),
        ("U", [[0, "U4"]], ["U2", "X5", "U9"], "X5"),
        ("U", [[0, "U9"]], ["X9", "U2", "U5"], "U2"),
        ("G", [[0, "G9"]], ["K3", "K7", "U0"], "K3"),
        (None, [], ["G0", "K7", "U9"], "U9"),
    ],
)
def test_greedy_takes_a_trick_cheaply_or_throws_its_lowest(
    led: str | None, plays: list[Any], hand: list[str], right: str
) -> None:
    view = {"seat": 1, "decision": "play", "trick": {"led": led, "plays": plays}}
    assert move("greedy", "claim", view, hand) == right


@pytest.mark.parametrize("name", ["greedy", "heuristic"])
@pytest.mark.parametrize(("look", "right"), [("T8", "take deck"), ("T1", "take N5")])
def test_a_seer_takes_the_better_recruit(name: str, look: str, right: str) -> None:
    view = {"seat": 0, "decision": "recruit", "look": look}
    assert move(name, "claim-2", view, ["take N5", "take deck"]) == right


def test_heuristic_smashes_the_greater_row_of_gnomes() -> None:
    view = {"seat": 0, "decision": "smash", "rows": [[], ["N5"], ["N1", "N5", "N5"]]}
    assert move("heuristic", "claim/3p/NA-UWXTD", view, ["smash 1 N5", "smash 2 N5"]) == "smash 2 N5"


def test_heuristic_spends_a_high_card_on_a_good_prize_and_not_on_a_worthless_one() -> None:
    hands = ["K3 K4 K5 K6 K7 K8", "K9 K2 W8 G9"]
    assert recruiting("heuristic", hands, "G0", led="K5") == "K2"
    assert recruiting("heuristic", hands, "X9", led="K5") == "K9"


def test_heuristic_throws_a_worthless_card_on_a_lost_trick_and_no_undead() -> None:
    hands = ["K9 K2 K3 K4 K5 K6 K7 K8 X0 X1 X2 X3 X4", "G9 G8 W0 U0 U9 W9 W8 G7 G6 W7 U8 U7 U6"]
    assert recruiting("heuristic", hands, "X9", led="K9") == "W0"


def test_heuristic_takes_the_trick_that_decides() -> None:
    piles = [
        "G0 G0 G0 G0 G0 G1 G2 G3 W0 W1 W2 W3 W4 W5 U1 U2 U3 U4",
        "K3 K4 K5 K6 K7 X0 X1 X2 X3 X4 X5 U6 U7 U8",
    ]
    view = favour("claim", ["K2", "U9 U0"], ["U5"], piles, leader=0)
    assert move("heuristic", "claim", view, ["U0", "U9"]) == "U9"


FOUR = "claim/4p/GK-UXTDS"


def test_heuristic_does_not_beat_its_partner() -> None:
    view = favour(FOUR, ["D2", "D0", "T1", "K2 K9"], ["K3", "K8", "K4"], [""] * 4, leader=0)
    assert move("heuristic", FOUR, view, ["K2", "K9"]) == "K2"


@pytest.mark.parametrize(("partner", "right"), [("D9", "U0"), ("D1", "G0")])
def test_heuristic_feeds_the_vote_that_is_open_to_its_partner_only(partner: str, right: str) -> None:
    # Each side has three votes of seven; the last Undead decides the fourth, by U9 at five to five.
    piles = [
        "K2 K3 K4 K5 K6 X0 X1 X2 X3 X4 X5 T0 T1 T2 T3 T4 T5 U1 U2 U3 U4 U5",
        "G1 G2 G3 G4 G5 G6 G7 G8 S0 S1 S2 S3 S4 S5 D4 D5 D6 D7 D8 U6 U7 U8 U9",
        "",
        "",
    ]
    view = favour(FOUR, ["", "", "", "G0 U0"], ["D2", partner, "D3"], piles, leader=0)
    assert move("heuristic", FOUR, view, ["G0", "U0"]) == right
