"""Both games for OpenSpiel, whose one home this is: importing this module registers them.

    import pyspiel, arena.rl.spiel

    game = pyspiel.load_game("python_kingmaker_claim(variant=claim/2p/GK-UWX)")

An option of the rules is written with a colon, since OpenSpiel has its own use for `=`:
`variant=claim/2p/NA-TDS+troll_carry:cap`.

All luck of a game follows from its deal, and chance draws that first: DRAWS times one of OUTCOMES numbers, each as
likely, which make the seed. So chance is explicit, with 2^32 deals, and a history says the whole game.

States are what `referee.game` makes of them; several that owe a secret choice are asked in the order of seats. An
information state is a seat's view, all that it was told and all that it did. In a state drawn by
`resample_from_infostate` those of other seats begin with what all were told so far and with their view at that point:
what they alone were told, or did in secret, is in it as far as the view has it. `history()` begins there, too.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from arena.errors import CannotStart, InputError
from arena.rl.coding import EXTRA, Encoding, Vector, by_place, encoding, variant_of
from arena.rl.worlds import World, nothing, text
from referee.game import Game, IllegalAction, Seat
from referee.games import GAMES

try:
    import pyspiel
except ImportError as missing:
    raise CannotStart(
        f"OpenSpiel is not installed ({missing}); it comes with: {EXTRA}", EXTRA, "E341"
    ) from missing

DRAWS: Final = 4
OUTCOMES: Final = 256
MOST_DECISIONS: Final = 1_000
"""In a turn of a seat (Aristoocrazy) or in a whole game (Claim): far more than there can be, as OpenSpiel asks for."""

_CHANCE: Final = [(outcome, 1 / OUTCOMES) for outcome in range(OUTCOMES)]


def load_game(variant: str) -> Any:
    """The `pyspiel.Game` of a variant, by its id or alias. Raises InputError where there is none."""
    id = variant_of(variant).id
    return pyspiel.load_game(_short_name(id.split("/")[0]), {"variant": _spelled(id)})


def _short_name(game: str) -> str:
    return f"python_kingmaker_{game}"


def _spelled(id: str) -> str:
    """A variant's id as OpenSpiel can read it."""
    return id.replace("=", ":")


def _game_type(game: Game) -> Any:
    return pyspiel.GameType(
        short_name=_short_name(game.name),
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=4,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=bool(encoding(game.variants()[0]).past),
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"variant": game.variants()[0]},
    )


class KingmakerGame(pyspiel.Game):
    """One variant. Returns are `coding.by_place`. Each game of the registry has a subclass.

    Raises InputError where there is no such variant, or it is one of another game.
    """

    rules: Game
    kind: Any
    """Its `pyspiel.GameType`."""

    def __init__(self, params: dict[str, Any]) -> None:
        self.variant = variant_of(str(params["variant"]).replace(":", "="))
        owner = self.variant.id.split("/")[0]
        if owner != self.rules.name:
            name = _short_name(owner)
            raise InputError(f"{self.variant.id} is no variant of {self.rules.name}", f"load {name}", "E219")
        self.encoding: Encoding = encoding(self.variant.id)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoding.actions,
            max_chance_outcomes=OUTCOMES,
            num_players=self.variant.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MOST_DECISIONS * getattr(self.variant, "rounds", 1) * self.variant.players,
        )
        super().__init__(self.kind, info, {"variant": _spelled(self.variant.id)})

    def new_initial_state(self) -> KingmakerState:
        """Before the deal."""
        return KingmakerState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What a seat knows, or what all know; with perfect recall as a text alone."""
        return Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)

    def max_chance_nodes_in_history(self) -> int:
        """Luck is drawn before the first decision, and never after."""
        return DRAWS


class KingmakerState(pyspiel.State):
    """A game of either. OpenSpiel stores what Python holds of it as a pickle."""

    def __init__(self, game: KingmakerGame) -> None:
        super().__init__(game)
        self._drawn: list[int] = []
        """What chance has said."""
        self._world: World | None = None
        """None before the deal."""

    def current_player(self) -> int:
        """The first of those who owe a decision."""
        if self._world is None:
            return int(pyspiel.PlayerId.CHANCE)
        acting = self._world.state.to_act
        return acting[0] if acting else int(pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self._legal(player)) if self._world else []

    def _legal(self, player: int) -> dict[int, str]:
        """Legal actions by number."""
        assert self._world is not None
        return self._told.legal(self._world.state.legal_text(Seat(player)), player)

    @property
    def _told(self) -> Encoding:
        told: Encoding = self.get_game().encoding
        return told

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The next part of the deal's seed, each as likely."""
        return _CHANCE

    def _apply_action(self, action: int) -> None:
        """Raises IllegalAction, and changes nothing, where the action is not legal."""
        if self._world is not None:
            player = self.current_player()
            legal = self._legal(player) if player >= 0 else {}
            if action not in legal:
                raise _illegal(player, action, legal)
            self._world.apply(player, legal[action])
            return
        if action not in range(OUTCOMES):
            raise IllegalAction(f"chance cannot say {action}: it draws a number from 0 to {OUTCOMES - 1}")
        self._drawn.append(action)
        if len(self._drawn) == DRAWS:
            game = self.get_game()
            self._world = World(game.variant.id, bytes(self._drawn).hex(), nothing(game.num_players()))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == int(pyspiel.PlayerId.CHANCE):
            return f"deal {action:02x}"
        return self._told.label(action, player)

    def is_terminal(self) -> bool:
        """Whether the rules say that it is over."""
        return self._world is not None and not self._world.state.to_act

    def returns(self) -> list[float]:
        """0 for all until the end, then `coding.by_place`."""
        outcome = self._world.state.outcome if self._world else None
        return by_place(outcome) if outcome else [0.0] * self.num_players()

    def __str__(self) -> str:
        """What `arena replay` draws: everything."""
        if self._world is None:
            return f"dealing {bytes(self._drawn).hex()}"
        drawn: str = self.get_game().rules.render(self._world.state)
        return drawn

    def resample_from_infostate(
        self, player: int, probability_sampler: Callable[[], float]
    ) -> KingmakerState:
        """A state drawn from those that agree with all that `player` knows (`Game.sample`).

        `probability_sampler` gives numbers from 0 to 1, of which one makes the seed of what is drawn. In the middle
        of the deal nobody knows what chance has said: as much of it is drawn anew.
        """
        state: KingmakerState = self.get_game().new_initial_state()
        if self._world is not None:
            state._world = self._world.drawn(player, probability_sampler())
            return state
        for _ in self._drawn:
            state.apply_action(min(int(probability_sampler() * OUTCOMES), OUTCOMES - 1))
        return state


def _illegal(player: int, action: int, legal: dict[int, str]) -> IllegalAction:
    known = ", ".join(f"{number} ({text})" for number, text in sorted(legal.items()))
    if not known:
        return IllegalAction(f"the game is over: nobody may take action {action}")
    return IllegalAction(f"player {player} may not take action {action}; legal: {known}")


class Observer:
    """What a seat sees of a state, as OpenSpiel asks for it.

    The text is a view as JSON, or that of somebody who sits in no seat where private information is not asked for; with
    perfect recall it has all that the seat was told and chose, too. The tensor is `Encoding.observation`, with perfect
    recall followed by `Encoding.recall`.
    """

    def __init__(self, game: KingmakerGame, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observations have no parameters; given: {params}")
        self._encoding = game.encoding
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._public = kind.public_info
        self._recall = kind.perfect_recall
        self.tensor: Vector | None = None
        self.dict: dict[str, Vector] = {}
        if self._private and self._public and (self._encoding.past or not self._recall):
            shown, past = len(game.encoding.names), len(game.encoding.past) if self._recall else 0
            self.tensor = np.zeros(shown + past, np.float32)
            self.dict = {"view": self.tensor[:shown]} | ({"past": self.tensor[shown:]} if past else {})

    def set_from(self, state: KingmakerState, player: int) -> None:
        """Zeros before the deal."""
        if self.tensor is None:
            return
        self.tensor[:] = 0
        if world := state._world:
            self.dict["view"][:] = self._encoding.observation(world.state.view(Seat(player)))
            if self._recall:
                told = map(json.loads, world.memory(player)[0])
                self.dict["past"][:] = self._encoding.recall(player, told)

    def string_from(self, state: KingmakerState, player: int) -> str:
        """JSON; empty where nothing is asked for."""
        world = state._world
        if world is None:
            return "dealing"
        shown = self._shown(world, player)
        return text([*shown, *world.memory(player)] if self._recall and self._private else shown)

    def _shown(self, world: World, player: int) -> list[dict[str, Any]]:
        view = world.state.view(Seat(player))
        if self._public and self._private:
            return [view]
        public = world.state.public()
        if self._public:
            return [public]
        return [{name: value for name, value in view.items() if public.get(name) != value}]


def _register() -> None:
    # OpenSpiel lets go of what makes a game after Python has ended, which aborts where nothing else holds it; a class
    # holds itself.
    for game in GAMES.values():
        kind = _game_type(game)
        made = type(f"{game.title}Game", (KingmakerGame,), {"rules": game, "kind": kind})
        pyspiel.register_game(kind, made)


_register()
