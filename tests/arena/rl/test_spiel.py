"""OpenSpiel's own tests, its searches and solvers on both games, and what an information state is."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from itertools import product
from typing import Any

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import external_sampling_mccfr, ismcts, mcts, outcome_sampling_mccfr

from arena.errors import InputError
from arena.rl import load_game
from referee.game import IllegalAction
from referee.games.claim.cards import NAMES
from tests.arena.rl.choices import few_variants, some_of_every

OPTIONED = "claim/2p/NA-TDS+troll_carry=cap"


def dealt(id: str, seed: int = 0) -> Any:
    """A state after chance has spoken."""
    rng, state = random.Random(seed), load_game(id).new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.choice(state.chance_outcomes())[0])
    return state


@pytest.mark.parametrize("id", some_of_every("claim/4p/NA-UWXDS", "aristoocrazy/2p/quick2013"))
def test_the_api_is_kept_in_random_games(id: str) -> None:
    pyspiel.random_sim_test(load_game(id), num_sims=1, serialize=True, verbose=False)


def states(id: str) -> list[Any]:
    """What OpenSpiel samples of a tree, which is near its root, and a whole random game."""
    rng, state, game = random.Random(3), dealt(id, 3), load_game(id)
    found = api_test.sample_some_states.sample_some_states(game, max_states=60)
    while not state.is_terminal():
        found.append(state.clone())
        state.apply_action(rng.choice(state.legal_actions()))
    return [*found, state]


@pytest.mark.parametrize("id", some_of_every("claim/2p/GK-UWX", "aristoocrazy/2p/quick2013"))
def test_the_api_is_kept_on_part_of_the_tree(id: str, capfd: pytest.CaptureFixture[str]) -> None:
    if not flags.FLAGS.is_parsed():
        flags.FLAGS(["tests"])
    game, base = load_game(id), api_test.EnforceAPIOnPartialTreeBase
    kept = {"game": game, "game_name": id, "game_type": game.get_type(), "some_states": states(id)}
    case = type("Kept", (base,), kept)
    names = [name for name in dir(base) if name.startswith("test_")]
    assert len(names) >= 5
    for name in names:
        getattr(case(name), name)()
    capfd.readouterr()  # OpenSpiel prints every error that the test provokes


def test_a_variant_with_options_is_loaded_by_its_name_again() -> None:
    game = load_game(OPTIONED)
    assert str(game) == "python_kingmaker_claim(variant=claim/2p/NA-TDS+troll_carry:cap)"
    assert pyspiel.load_game(str(game)).variant.id == OPTIONED
    assert pyspiel.load_game("python_kingmaker_aristoocrazy").num_players() == 2


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("claim(variant=aristoocrazy/2p/classic)", "aristoocrazy/2p/classic is no variant of claim"),
        ("aristoocrazy(variant=claim)", "claim/2p/GK-UWX is no variant of aristoocrazy"),
        ("claim(variant=claim/2p/GK-XX)", "no variant 'claim/2p/GK-XX'"),
    ],
)
def test_a_variant_that_is_not_of_the_game_is_refused(name: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        pyspiel.load_game(f"python_kingmaker_{name}")


def test_an_illegal_action_is_refused_with_those_legal_and_changes_nothing() -> None:
    state = load_game("claim").new_initial_state()
    for _ in range(4):
        with pytest.raises(IllegalAction, match="from 0 to 255"):
            state.apply_action(256)
        state.apply_action(7)
    before = str(state)
    with pytest.raises(IllegalAction, match=r"player 0 may not take action 205; legal: \d+ \(\w\d\), "):
        state.apply_action(205)
    assert (str(state), state.history()) == (before, [7] * 4)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(IllegalAction, match="the game is over"):
        state.apply_action(0)


def test_chance_is_explicit_and_a_history_is_the_whole_game() -> None:
    game, state = load_game("claim"), dealt("claim", 1)
    assert game.max_chance_nodes_in_history() == 4
    rng = random.Random(1)
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    again = game.new_initial_state()
    for action in state.history():
        again.apply_action(action)
    assert str(again) == str(state) and again.returns() == state.returns()
    assert str(dealt("claim", 1)) != str(dealt("claim", 2))


def test_actions_are_named_as_the_game_writes_them() -> None:
    state = dealt("claim", 1)
    named = [state.action_to_string(0, action) for action in state.legal_actions()]
    assert set(named) <= set(json.loads(state.observation_string(0))[0]["hand"])


@few_variants
def test_what_is_drawn_from_an_information_state_cannot_be_told_from_the_truth(id: str) -> None:
    rng, state, differ = random.Random(4), dealt(id, 4), 0
    while not state.is_terminal():
        player = state.current_player()
        if rng.random() < 0.1:
            drawn = state.resample_from_infostate(player, rng.random)
            assert drawn.information_state_string(player) == state.information_state_string(player)
            assert drawn.observation_string(player) == state.observation_string(player)
            assert drawn.observation_tensor(player) == state.observation_tensor(player)
            if state.get_game().get_type().provides_information_state_tensor:
                assert drawn.information_state_tensor(player) == state.information_state_tensor(player)
            assert drawn.legal_actions() == state.legal_actions()
            differ += drawn._world.state.unseen() != state._world.state.unseen()
            drawn.apply_action(rng.choice(drawn.legal_actions()))
        state.apply_action(rng.choice(state.legal_actions()))
    assert differ


@pytest.mark.parametrize("id", ["claim/2p/NA-TDS", "claim/4p/NA-UWXDS"])
def test_what_other_seats_remember_in_a_drawn_state_is_what_all_saw(id: str) -> None:
    """All of the past but what only some saw is in their numbers, at the trick it belongs to, and stays there."""
    rng, state, game = random.Random(11), dealt(id, 11), load_game(id)
    shown = game.observation_tensor_size()
    seen = [name.split(".")[1] in ("leader", "play", "smash") for name in game.encoding.past]
    while not state.is_terminal():
        player, action = state.current_player(), rng.choice(state.legal_actions())
        compared = rng.random() < 0.2
        drawn = state.resample_from_infostate(player, rng.random) if compared else state
        again = drawn.resample_from_infostate((player + 1) % game.num_players(), rng.random)
        for moment, other in product((again, drawn), range(game.num_players() if compared else 0)):
            true, told = (np.array(each.information_state_tensor(other))[shown:] for each in (state, moment))
            assert np.array_equal(true[seen], told[seen])
        state.apply_action(action)
        if compared:
            drawn.apply_action(action)
            true, told = (np.array(each.information_state_tensor(player))[shown:] for each in (state, drawn))
            assert np.array_equal(true[seen], told[seen])


def test_own_recruits_are_remembered_in_a_drawn_state() -> None:
    rng, state = random.Random(12), dealt("claim/2p/NA-TDS", 12)
    for _ in range(40):
        state.apply_action(rng.choice(state.legal_actions()))
    player = state.current_player()
    drawn = state.resample_from_infostate(player, rng.random)
    other = 1 - player
    names = drawn.get_game().encoding.past
    told = drawn.information_state_tensor(other)[-len(names) :]
    recruits = [value for name, value in zip(names, told, strict=True) if name.endswith("recruit.0")][:13]
    view = json.loads(drawn.observation_string(other))[0]
    assert recruits == pytest.approx([(NAMES.index(card) + 1) / len(NAMES) for card in view["recruited"]])


def test_in_the_middle_of_the_deal_as_much_is_drawn_anew() -> None:
    state = load_game("claim").new_initial_state()
    state.apply_action(3)
    drawn = state.resample_from_infostate(0, lambda: 1.0)
    assert drawn.history() == [255] and drawn.is_chance_node()
    for _ in range(3):
        drawn.apply_action(3)
    assert not drawn.is_chance_node()


@few_variants
def test_an_information_state_forgets_nothing(id: str) -> None:
    rng, state = random.Random(5), dealt(id, 5)
    known: dict[int, list[list[str]]] = {player: [[], []] for player in range(state.num_players())}
    while not state.is_terminal():
        player = state.current_player()
        state.apply_action(rng.choice(state.legal_actions()))
        _, *memory = json.loads(state.information_state_string(player))
        assert len(memory[1]) == len(known[player][1]) + 1
        for before, now in zip(known[player], memory, strict=True):
            assert now[: len(before)] == before
        known[player] = memory


def test_the_past_in_numbers_tells_games_apart_that_have_come_to_the_same() -> None:
    game = load_game("claim")
    state = dealt("claim", 6)
    shown = game.observation_tensor_size()
    rng = random.Random(6)
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    past = np.array(state.information_state_tensor(0)[shown:])
    names = game.encoding.past
    played = [name for name, value in zip(names, past, strict=True) if ".play." in name and value]
    assert len(played) == 52
    assert sum(value != 0 for name, value in zip(names, past, strict=True) if ".recruit.0" in name) == 13


def test_a_secret_choice_is_in_no_information_state_of_others() -> None:
    told = []
    for choice in (0, 40):
        state = dealt("aristoocrazy/3p/classic", 7)
        state.apply_action(state.legal_actions()[choice])
        assert state.current_player() == 1
        told.append([state.information_state_string(player) for player in (1, 2)])
    assert told[0] == told[1]


def test_a_copy_goes_its_own_way() -> None:
    state = dealt("claim", 8)
    copy = state.clone()
    copy.apply_action(copy.legal_actions()[0])
    assert state.information_state_string(0) == dealt("claim", 8).information_state_string(0)


def test_what_was_drawn_is_stored_with_what_was_played_since() -> None:
    state = dealt("claim", 8)
    state.apply_action(state.legal_actions()[0])
    drawn = state.resample_from_infostate(1, random.Random(8).random)
    drawn.apply_action(drawn.legal_actions()[-1])
    stored = pyspiel.serialize_game_and_state(drawn.get_game(), drawn)
    _, back = pyspiel.deserialize_game_and_state(stored)
    assert str(back) == str(drawn)
    for player in (0, 1):
        assert back.information_state_string(player) == drawn.information_state_string(player)


def test_a_search_over_information_sets_finds_actions() -> None:
    rng = np.random.RandomState(9)
    search = ismcts.ISMCTSBot(
        load_game("claim"), mcts.RandomRolloutEvaluator(1, rng), 2.0, 4, random_state=rng
    )
    state = dealt("claim", 9)
    for _ in range(6):
        state.apply_action(search.step(state))


@pytest.mark.parametrize("id", ["claim/2p/GK-UWX", "aristoocrazy/2p/quick2013"])
def test_regret_is_sampled(id: str) -> None:
    outcome_sampling_mccfr.OutcomeSamplingSolver(load_game(id)).iteration()
    assert external_sampling_mccfr.ExternalSamplingSolver(load_game(id)).average_policy() is not None


def test_a_process_that_has_played_ends_well() -> None:
    """OpenSpiel lets go of games after Python has ended, and would abort if nothing else held them."""
    code = "from arena.rl import load_game; load_game('claim').new_initial_state().apply_action(0)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
