"""PettingZoo's own tests, and what they do not ask."""

from __future__ import annotations

import sys
from copy import deepcopy
from importlib import import_module, reload
from typing import Any, cast

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from arena.errors import CannotStart, InputError
from arena.rl import aec_env, raw_env
from referee.chance import deal_seed
from referee.game import IllegalAction, Seat
from referee.games import game_of
from tests.arena.rl.choices import every_variant, few_variants

# PettingZoo spares its own environments that observe dictionaries by their names; masks of who is not to act are 0.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


def play(env: Any, seed: int = 0) -> dict[str, float]:
    """A random game to its end: the rewards."""
    rng = np.random.default_rng(seed)
    while not env.terminations[env.agent_selection]:
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(rng.choice(np.flatnonzero(mask))))
    return dict(env.rewards)


@every_variant
def test_the_api_is_kept(id: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(aec_env(id), num_cycles=100)
    seed_test(lambda: aec_env(id), num_cycles=25)
    assert "Passed" in capsys.readouterr().out


@few_variants
def test_it_is_rendered(id: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda **settings: aec_env(id, **settings))
    assert id in capsys.readouterr().out


def test_what_is_rendered_is_what_a_replay_draws_for_everybody_or_for_a_seat() -> None:
    game = game_of("claim")
    state = game.setup(game.variant("claim"), "drawn")
    for eye in (None, 1):
        env = raw_env("claim", render_mode="ansi", eye=eye)
        env.reset(options={"deal_seed": "drawn"})
        assert env.render() == game.render(state, None if eye is None else Seat(eye))


def test_the_state_is_what_all_seats_observe() -> None:
    env = raw_env("claim/3p/GK-UWXTD", seed=1)
    env.reset()
    told = [env.observe(agent)["observation"] for agent in env.agents]
    assert np.array_equal(env.state(), np.concatenate(told))


@few_variants
def test_a_game_ends_with_rewards_that_sum_to_zero_and_with_its_result(id: str) -> None:
    env = raw_env(id, seed=3)
    env.reset()
    rewards = play(env)
    assert sum(rewards.values()) == pytest.approx(0)
    ranks = [info["rank"] for info in env.infos.values()]
    assert min(ranks) == 0 and rewards[env.agents[ranks.index(0)]] == max(rewards.values())
    env.reset()
    assert not any(env.terminations.values())


def test_a_seed_gives_the_same_games_and_another_gives_others() -> None:
    def deals(seed: int) -> list[bytes]:
        env = raw_env("claim", seed=seed)
        shown = []
        for _ in range(3):
            env.reset()
            shown.append(env.observe("seat_0")["observation"].tobytes())
        return shown

    assert deals(1) == deals(1)
    assert len({*deals(1), *deals(2)}) == 6


def test_a_deal_of_a_tournament_can_be_played() -> None:
    seed = deal_seed("cup", "claim/2p/GK-UWX", 4)
    env, game = raw_env("claim"), game_of("claim")
    env.reset(options={"deal_seed": seed})
    by_seed = env.state()
    env.reset(options={"deal": game.literal(game.variant("claim"), seed)})
    assert np.array_equal(by_seed, env.state())
    with pytest.raises(ValueError, match="missing"):
        env.reset(options={"deal": ["K7"]})


def test_a_secret_choice_is_seen_by_nobody_before_all_have_chosen() -> None:
    told = []
    for choice in (0, 40):
        env = raw_env("aristoocrazy/3p/classic")
        env.reset(seed=5)
        assert env.agent_selection == "seat_0"
        env.step(list(env.infos["seat_0"]["legal"])[choice])
        assert env.agent_selection == "seat_1"
        told.append([env.observe(agent)["observation"] for agent in ("seat_1", "seat_2")])
        assert env.infos["seat_0"] == {}
    assert np.array_equal(told[0], told[1])


def test_infos_have_the_texts_of_legal_actions() -> None:
    env = raw_env("claim", seed=1)
    env.reset()
    legal = env.infos["seat_0"]["legal"]
    assert list(legal) == np.flatnonzero(env.observe("seat_0")["action_mask"]).tolist()
    assert all(env.encoding.number(text, 0) == number for number, text in legal.items())
    assert not env.observe("seat_1")["action_mask"].any()


def test_an_illegal_action_is_refused_and_behind_the_wrapper_ends_the_game() -> None:
    env = raw_env("claim", seed=1)
    env.reset()
    before = env.state()
    with pytest.raises(IllegalAction, match=r"seat_0 may not take action 200; legal: \d+ \("):
        env.step(200)
    assert np.array_equal(before, env.state())
    wrapped = aec_env("claim", seed=1)
    wrapped.reset()
    wrapped.step(200)
    assert wrapped.rewards == {"seat_0": -1, "seat_1": 0}
    assert all(wrapped.terminations.values())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rewards", "gold"),
        ("rewards", ["places"]),
        ("render_mode", "rgb_array"),
        ("eye", 2),
        ("eye", True),
        ("seed", "a"),
        ("seed", True),
        ("seed", 1.5),
    ],
)
def test_an_unknown_setting_is_refused_with_those_known(name: str, value: Any) -> None:
    with pytest.raises(InputError, match=f"{name} cannot be ") as caught:
        raw_env("claim", **{name: value})
    assert "one of: " in str(caught.value) or "a whole number" in str(caught.value)


@pytest.mark.parametrize(
    "options",
    [
        {"dealseed": "a"},
        {"deal_seed": None},
        {"deal_seed": 5},
        {"deal": None},
        {"deal": "K7"},
        {"deal": [7]},
        {"deal": [], "deal_seed": "a"},
    ],
    ids=str,
)
def test_a_reset_that_cannot_be_is_refused_and_the_game_goes_on(options: dict[str, Any]) -> None:
    env, other = raw_env("claim", seed=1), raw_env("claim", seed=1)
    for each in (env, other):
        each.reset()
    before = env.state()
    with pytest.raises(InputError, match=r"deal_seed|list of cards"):
        env.reset(seed=2, options=options)
    assert np.array_equal(before, env.state())
    env.reset()
    other.reset()
    assert np.array_equal(env.state(), other.state())


def test_a_seed_may_be_a_number_of_numpy_and_is_looked_at_in_a_reset_too() -> None:
    env, other = raw_env("claim", seed=cast(int, np.int64(7))), raw_env("claim", seed=7)
    for each in (env, other):
        each.reset()
    assert np.array_equal(env.state(), other.state())
    with pytest.raises(InputError, match="seed cannot be 'a'"):
        env.reset(seed="a")  # type: ignore[arg-type]


def test_before_a_game_is_dealt_it_is_said_that_a_reset_comes_first() -> None:
    env = raw_env("claim", render_mode="ansi")
    for use in (env.last, env.render, env.state, lambda: env.step(0), lambda: env.observe("seat_0")):
        with pytest.raises(AttributeError, match=r"call reset\(\) first"):
            use()
    assert not hasattr(env, "no_such_thing")


@pytest.mark.parametrize(
    ("module", "package", "code"),
    [("arena.rl.aec", "pettingzoo.utils", "E340"), ("arena.rl.spiel", "pyspiel", "E341")],
)
def test_without_the_extra_it_is_said_how_to_get_it(
    module: str, package: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = import_module(module)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(CannotStart) as caught:
        reload(loaded)
    assert "pip install" in str(caught.value)
    assert (caught.value.fix, caught.value.code) == ("pip install 'kingmaker[rl]'", code)


def test_a_copied_environment_goes_its_own_way() -> None:
    env = aec_env("claim", seed=1)
    env.reset()
    copy = deepcopy(env)
    before = env.observe("seat_1")["observation"]
    play(copy)
    assert all(copy.terminations.values()) and not any(env.terminations.values())
    assert np.array_equal(before, env.observe("seat_1")["observation"])
