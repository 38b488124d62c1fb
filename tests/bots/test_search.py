"""The bot `search`: its own rules against the referee's, its endings against brute force, its time."""

from __future__ import annotations

import itertools
import random
import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from protocol.client import answer
from referee.chance import deal_seed
from referee.game import State
from referee.games import GAMES
from tests.benchmarks.ladder import PYTHON_BOTS, Tally, load, play_block

CLAIM = GAMES["claim"]
TWO = [
    "claim",
    "claim-2",
    "claim/2p/NA-UWT",
    "claim/2p/GK-WXD+knight_vs_doppelganger=no+game_tie=cards",
    "claim/2p/NA-WTD+troll_carry=cap+faction_tie=void",
    "claim/2p/NA-UTS+troll_carry=bonus+troll_leftover=last_winner+game_tie=cards",
]
SEVERAL = [
    "claim/3p/GK-UWXTD",
    "claim/3p/NA-WXTDS+dwarf_taker=second_ranked+dragon_over_phase=no+giant_multi=all_opponents",
    "claim/4p/GK-UWTDS+dwarf_taker=last_losing_side+troll_carry=cap",
    "claim/4p/NA-UWXTS+seer_multi=off+troll_carry=bonus",
]


def part(name: str) -> Any:
    """A module of the bot, and the bot itself loaded."""
    load(PYTHON_BOTS / "search")
    module: ModuleType = sys.modules[name]
    return module


def judge_of(id: str) -> Any:
    return part("claim_worth").Judge(part("claim_deck").Deck(CLAIM.setup_info(CLAIM.variant(id))))


def any_move(state: State, rng: random.Random) -> str:
    """A random action; but a Giant smashes the longer row, as the bot supposes."""
    view = state.view(state.to_act[0])
    options = state.legal_text(state.to_act[0])
    if view["decision"] == "smash":
        return max(options, key=lambda smash: len(view["rows"][int(smash.split()[1])]))
    return rng.choice(options)


def act(state: State, text: str) -> None:
    state.apply(state.to_act[0], state.parse(state.to_act[0], text))


def shown(judge: Any, position: Any) -> list[Any]:
    """What can be compared of two positions."""
    names, bits = judge.deck.names, part("claim_deck").bits
    sets = [*position.hands, *position.caps, position.out]
    return [
        position.favour,
        position.leader,
        *(sorted(names[card] for card in bits(cards)) for cards in sets),
    ]


@pytest.mark.parametrize("id", TWO + SEVERAL)
def test_its_positions_follow_the_rules(id: str) -> None:
    judge, rng, position_of = judge_of(id), random.Random(id), part("claim_playout").position_of
    for deal in range(20):
        state = CLAIM.setup(CLAIM.variant(id), deal_seed("rules", id, deal))
        while state.to_act:
            position = position_of(judge, state, range(72))
            recruiting, text = not position.favour, any_move(state, rng)
            act(state, text)
            position.play(position.hand_card(text))
            while state.to_act and state.view(state.to_act[0])["decision"] != "play":
                act(state, any_move(state, rng))
            known = position_of(judge, state, range(72))
            if recruiting and known.favour:
                position.hands = known.hands  # the order of the deck was not known
            assert shown(judge, position) == shown(judge, known)


def endings(id: str, cards: int, deals: int) -> Iterator[State]:
    """Positions of random games of two in which who is to play holds so many cards."""
    for deal in range(deals):
        rng = random.Random(deal)
        state = CLAIM.setup(CLAIM.variant(id), deal_seed("endings", id, deal))
        while not ends(state.view(state.to_act[0]), cards, led=deal % 2 == 1):
            act(state, any_move(state, rng))
        yield state


def ends(view: dict[str, Any], cards: int, led: bool) -> bool:
    """Whether so many cards are left to the seat that is to play, and one is led or not."""
    return view["phase"] == "favour" and len(view["hand"]) == cards and bool(view["trick"]["plays"]) == led


def brute_force(state: State, seat: int) -> float:
    """What `seat` gets if both play as well as can be: every line is played to its end."""
    if state.outcome is not None:
        best = [
            team for team, rank in zip(state.outcome.teams, state.outcome.ranks, strict=True) if rank == 0
        ]
        return (seat in best) / len(best)
    values = []
    (turn,) = state.to_act
    for action in state.legal(turn):
        after = state.clone()
        after.apply(turn, action)
        values.append(brute_force(after, seat))
    return max(values) if turn == seat else min(values)


@pytest.mark.parametrize("id", TWO)
@pytest.mark.parametrize(("cards", "deals"), [(3, 60), (4, 8), (5, 1)])
def test_endings_of_two_are_searched_exactly(id: str, cards: int, deals: int) -> None:
    judge, budget = judge_of(id), part("claim_budget").Budget(10**6, 10**6)
    for state in endings(id, cards, deals):
        (seat,) = state.to_act
        position = part("claim_playout").position_of(judge, state, range(72))
        duel = part("claim_duel").Duel(judge, position, budget)
        for text in state.legal_text(seat):
            after = state.clone()
            act(after, text)
            assert duel.outcome(position.hand_card(text), cards) == brute_force(after, seat)


class Forgetful(dict[Any, Any]):
    """A memory in which nothing is found again."""

    def get(self, key: Any, default: Any = None) -> Any:
        return default


@pytest.mark.parametrize("id", TWO)
def test_what_it_remembers_of_a_search_changes_nothing(id: str) -> None:
    judge, budget = judge_of(id), part("claim_budget").Budget(10**6, 10**6)
    for state in endings(id, 6, 40):
        position = part("claim_playout").position_of(judge, state, range(72))
        duel, forgetful = (part("claim_duel").Duel(judge, position, budget) for _ in range(2))
        forgetful.found = Forgetful()
        cards = [position.hand_card(text) for text in state.legal_text(state.to_act[0])]
        assert [duel.outcome(card, 6) for card in cards] == [forgetful.outcome(card, 6) for card in cards]


def view_and_legal(id: str, moves: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """A start and a turn of a random game."""
    rng, variant = random.Random(moves), CLAIM.variant(id)
    state = CLAIM.setup(variant, deal_seed("turn", id, 0))
    while moves or len(state.legal_text(state.to_act[0])) < 3:
        act(state, any_move(state, rng))
        moves = max(moves - 1, 0)
    (seat,) = state.to_act
    setup = CLAIM.setup_info(variant)
    start = {
        "type": "start",
        "game_id": "0",
        "game": "claim",
        "seat": seat,
        "setup": setup,
        "bot_seed": "5eed",
    }
    turn = {"type": "turn", "game_id": "0", "turn": 1, "view": state.view(seat), "events": []}
    return start, turn | {"legal": state.legal_text(seat)}


def count_looks(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A clock in place of the bot's, on which each look takes a millisecond; counts the looks."""
    looks = itertools.count()
    clock = SimpleNamespace(monotonic=lambda: next(looks) / 1000)
    monkeypatch.setattr(part("claim_budget"), "time", clock)
    return looks


@pytest.mark.parametrize(("id", "moves"), [("claim", 2), ("claim", 26), ("claim/3p/NA-WXTDS", 60)])
@pytest.mark.parametrize(("milliseconds", "most"), [(None, 12), ("4", 6)])
def test_it_stops_well_before_its_clock_or_when_it_is_set_to(
    id: str, moves: int, milliseconds: str | None, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEARCH_PLAYOUTS", "1e9")
    if milliseconds is not None:
        monkeypatch.setenv("SEARCH_MS", milliseconds)
    looks = count_looks(monkeypatch)
    start, turn = view_and_legal(id, moves)
    bot = load(PYTHON_BOTS / "search")()
    answer(bot, start)
    answer(bot, turn | {"clock": {"remaining_ms": 9999, "move_ms": 40, "last_ms": 0}})
    assert next(looks) <= most


@pytest.mark.parametrize(
    "clock", [{}, {"clock": None}, {"clock": {"remaining_ms": None, "move_ms": None, "last_ms": 0}}]
)
def test_without_a_clock_it_thinks_as_long_as_it_is_set_to(
    clock: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEARCH_PLAYOUTS", "100")
    looks = count_looks(monkeypatch)
    start, turn = view_and_legal("claim", 10)
    bot = load(PYTHON_BOTS / "search")()
    answer(bot, start)
    assert answer(bot, turn | clock) is not None
    assert next(looks) > 10


@pytest.mark.parametrize("text", ["0", "-3", "many"])
def test_a_strength_that_is_no_number_above_zero_is_refused(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEARCH_PLAYOUTS", text)
    with pytest.raises(SystemExit, match="SEARCH_PLAYOUTS"):
        load(PYTHON_BOTS / "search")()


@pytest.mark.parametrize("id", ["claim", pytest.param("claim-2", marks=pytest.mark.long)])
def test_few_playouts_win_more_than_half_against_greedy(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEARCH_PLAYOUTS", "20")
    tally, variant = Tally(), CLAIM.variant(id)
    search, greedy = (load(PYTHON_BOTS / name) for name in ("search", "greedy"))
    for number in range(12):
        play_block(CLAIM, variant, deal_seed("few", variant.id, number), search, greedy, tally)
    assert tally.wins > tally.losses
