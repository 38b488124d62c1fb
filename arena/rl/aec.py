"""Every variant as an AEC environment of PettingZoo, whose one home this is.

One seat acts at a time. Where several owe a secret choice they are asked in the order of their seats, and none can
tell what another has chosen before all have: an observation is made of `view(seat)` and of nothing else.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any, Final, TypedDict

import numpy as np

from arena.errors import CannotStart, InputError
from arena.rl.coding import EXTRA, REWARDS, VERSION, Mask, Vector, encoding, variant_of
from referee.game import IllegalAction, Seat, State
from referee.games import game_of

try:
    from gymnasium.logger import warn
    from gymnasium.spaces import Box, Dict, Discrete, Space
    from pettingzoo.utils import wrappers
    from pettingzoo.utils.env import AECEnv
except ImportError as missing:
    raise CannotStart(
        f"PettingZoo is not installed ({missing}); it comes with: {EXTRA}", EXTRA, "E340"
    ) from missing


RENDER_MODES: Final = ("ansi", "human")
_OPTIONS: Final = {
    "deal_seed": (str, "the seed of a deal, as text"),
    "deal": (list | tuple, "a list of cards, each as text"),
}
"""What a reset may be asked for: of which type, and that in words."""
_IGNORED: Final = "options"
"""PettingZoo's own API test resets with an option of this name."""


class Observed(TypedDict):
    """What `observe` gives."""

    observation: Vector
    """Of shape (len(encoding.names),)."""
    action_mask: Mask
    """Of shape (encoding.actions,): 1 for what is legal now; all 0 for a seat that is not to act."""


def aec_env(variant: str, **settings: Any) -> AECEnv[str, Observed, int]:
    """As `raw_env`, in the usual wrappers: an illegal action ends the game, with -1 for who took it."""
    env: AECEnv[str, Observed, int] = raw_env(variant, **settings)
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    env = wrappers.AssertOutOfBoundsWrapper(env)
    return wrappers.OrderEnforcingWrapper(env)


class raw_env(AECEnv[str, Observed, int]):
    """One variant. Agents are `seat_0`, `seat_1`, …

    `infos` of who is to act has `legal`: what each legal number means, in the game's notation. At the end that of each
    seat has `rank` (0 is best) and `score`. Raises InputError for a variant or setting that is not known; before the first
    reset, AttributeError for what is there after it.
    """

    agents: list[str]
    infos: dict[str, dict[str, Any]]

    def __init__(
        self,
        variant: str,
        *,
        seed: int | None = None,
        rewards: str = "places",
        render_mode: str | None = None,
        eye: int | None = None,
    ) -> None:
        """`seed` is for games that are reset without one. `rewards`: see `coding.REWARDS`; they come at the end.

        `eye` is the seat whose sight is rendered; None: everything.
        """
        super().__init__()
        self._variant = variant_of(variant)
        _one_of("rewards", rewards, REWARDS)
        _one_of("render_mode", render_mode, (None, *RENDER_MODES))
        _one_of("eye", eye, (None, *range(self._variant.players)))
        self.encoding = encoding(self._variant.id)
        self.render_mode = render_mode
        self._game, self._rewards, self._eye = game_of(variant), REWARDS[rewards], eye
        self.metadata = {
            "name": f"{self._game.name}_v{VERSION}",
            "render_modes": [*RENDER_MODES],
            "is_parallelizable": False,
        }
        self._rng = _rng(seed)
        self.possible_agents = [f"seat_{seat}" for seat in range(self._variant.players)]
        self._seats = {agent: Seat(seat) for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = {agent: Discrete(self.encoding.actions) for agent in self.possible_agents}
        self.observation_spaces = {agent: self._space() for agent in self.possible_agents}
        self.agents = []

    def __getattr__(self, name: str) -> Any:  # called for what is missing alone
        hint = "" if "_state" in self.__dict__ else " before a game is dealt: call reset() first"
        raise AttributeError(f"{type(self).__name__} has no {name!r}{hint}")

    def _space(self) -> Space[Any]:
        told = self.encoding
        return Dict(
            {
                "observation": Box(told.low, told.high, (len(told.names),)),
                "action_mask": Box(0, 1, (told.actions,), dtype=np.int8),
            }
        )

    def observation_space(self, agent: str) -> Space[Any]:
        """The same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """The same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a game: the next one of `seed`, or that of a tournament by its seed in `options["deal_seed"]`.

        `options["deal"]` is a deal given literally. Raises WrongDeal where it is none of this variant, and InputError
        for other options and values; nothing has changed then.
        """
        wished = _wished(options or {})
        rng = self._rng if seed is None else _rng(seed)
        if "deal" in wished:
            self._state: State = self._game.deal(self._variant, wished["deal"])
        else:
            drawn = f"{rng.getrandbits(64):016x}"
            self._state = self._game.setup(self._variant, wished.get("deal_seed", drawn))
        self._rng = rng
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._ask()

    def _ask(self) -> None:
        """Whose turn it is, and what it may do."""
        seat = self._state.to_act[0]
        actions = self._state.legal(seat)
        legal = self.encoding.legal(map(self._state.text, actions), seat)
        self._choices = dict(zip(legal, actions, strict=True))
        self.agent_selection = self.possible_agents[seat]
        self.infos[self.agent_selection] = {"legal": legal}

    def observe(self, agent: str) -> Observed:
        """What the seat knows now; also of one that is not to act, and at the end."""
        acting = agent == self.agent_selection and bool(self._state.to_act)
        return {
            "observation": self.encoding.observation(self._state.view(self._seats[agent])),
            "action_mask": self.encoding.mask(self._choices if acting else ()),
        }

    def step(self, action: int) -> None:
        """Raises IllegalAction, and changes nothing, where the action is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action not in self._choices:
            legal = ", ".join(f"{number} ({text})" for number, text in self.infos[agent]["legal"].items())
            raise IllegalAction(f"{agent} may not take action {action}; legal: {legal}")
        self._clear_rewards()
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {}
        self._state.apply(self._seats[agent], self._choices[action])
        if self._state.to_act:
            self._ask()
        else:
            self._end()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _end(self) -> None:
        outcome = self._state.outcome
        assert outcome is not None
        self._choices = {}
        self.rewards = dict(zip(self.agents, self._rewards(outcome), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        for agent, rank, score in zip(self.agents, outcome.ranks, outcome.scores, strict=True):
            self.infos[agent] = {"rank": rank, "score": score}
        self.agent_selection = self.agents[0]

    def render(self) -> str | None:
        """The position as `arena replay` draws it: returned (`ansi`), or printed (`human`) after each step too."""
        if self.render_mode is None:
            warn("nothing is rendered without a render_mode, ansi or human")
            return None
        text = self._game.render(self._state, None if self._eye is None else Seat(self._eye))
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None

    def state(self) -> Vector:
        """What all seats know, their observations one after the other: for training that may see everything."""
        views = [self._state.view(seat) for seat in self._seats.values()]
        return np.concatenate([self.encoding.observation(view) for view in views])


def _one_of(name: str, value: object, known: Iterable[object]) -> None:
    """True is no 1 here, and a list is refused like any other value."""
    if (type(value), value) not in [(type(one), one) for one in known]:
        raise _refused(name, value, f"one of: {', '.join(map(str, known))}")


def _rng(seed: object) -> random.Random:
    """Seeded with a whole number of Python or numpy; None: by the machine."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer | None):
        raise _refused("seed", seed, "a whole number, or None")
    return random.Random(None if seed is None else int(seed))


def _wished(options: dict[str, Any]) -> dict[str, Any]:
    """The options of a reset that mean something, looked at."""
    wished = {name: value for name, value in options.items() if name != _IGNORED}
    for name, value in wished.items():
        _one_of("an option of reset", name, _OPTIONS)
        kind, expected = _OPTIONS[name]
        if not isinstance(value, kind) or not all(isinstance(part, str) for part in value):
            raise _refused(f"the reset option {name}", value, expected)
    if len(wished) > 1:
        raise InputError("deal and deal_seed cannot both be options of a reset", "leave one of the two out")
    return wished


def _refused(name: str, value: object, expected: str) -> InputError:
    return InputError(f"{name} cannot be {value!r}; {expected}", f"give {name} as {expected}")
