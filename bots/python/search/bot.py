"""Claim by search: playouts of worlds that the view allows, and an exact end for two players.

How strong it is follows SEARCH_PLAYOUTS or SEARCH_MS of its environment (see `bot.toml`). By playouts the
same view and `bot_seed` give the same move; the clock is kept in either case.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from math import inf
from random import Random
from typing import Any

from claim_budget import PLAYOUT, Budget
from claim_deck import Deck
from claim_duel import Duel, TooLong
from claim_playout import playout, position_of
from claim_position import Position
from claim_worth import Judge

from protocol.client import Bot, Start, Turn, run
from referee.game import State
from referee.games import game_of

PLAYOUTS = 100
"""For a move, where the environment says nothing."""
EXACT = 7
"""Cards in hand from which on the favour phase of two is searched to its end after one quick look."""


class Search(Bot):
    wants_events = False

    judge: Judge
    bot_seed: str

    def __init__(self) -> None:
        self.seconds = setting("SEARCH_MS", inf) / 1000
        self.playouts = setting("SEARCH_PLAYOUTS", PLAYOUTS if self.seconds == inf else inf)

    def started(self, start: Start) -> None:
        self.game = game_of(start["game"])
        self.judge = Judge(Deck(start["setup"]))
        self.bot_seed = start["bot_seed"]

    def choose(self, turn: Turn) -> str:
        view, options = turn["view"], turn["legal"]
        if len(options) == 1:
            return options[0]
        budget = self.budget(turn)
        rng = Random(f"{self.bot_seed} {view['phase']} {view['trick_number']} {view['decision']}")
        if view["decision"] == "play" and view["phase"] == "favour" and len(view["hands"]) == 2:
            return self.duel(view, options, rng, budget)
        return self.race(view, options, rng, budget)

    def budget(self, turn: Turn) -> Budget:
        """What this move may cost: never more than a quarter of what the clock allows."""
        limit = (turn.get("clock") or {}).get("move_ms")
        seconds = min(self.seconds, inf if limit is None else max(limit, 1) / 4000)
        return Budget(self.playouts, seconds)

    def duel(self, view: dict[str, Any], options: Sequence[str], rng: Random, budget: Budget) -> str:
        """The best of `options` where two play and nothing is hidden: deeper and deeper, to the end at last."""
        position = position_of(self.judge, self.game.sample(view, rng), ())
        cards = [position.hand_card(name) for name in options]
        left = len(view["hand"])
        search = Duel(self.judge, position, budget)
        with suppress(TooLong):
            for depth in [2, left] if left <= EXACT else range(1, left + 1):
                cards = search.ranked(cards, depth)
        return self.judge.deck.names[cards[0]]

    def race(self, view: dict[str, Any], options: Sequence[str], rng: Random, budget: Budget) -> str:
        """The option that does best in worlds drawn from the view; the worse half leaves now and then."""
        team = self.judge.deck.teams[view["seat"]]
        total, left = dict.fromkeys(options, 0.0), list(options)
        rounds, cards = len(options).bit_length(), len(self.judge.deck.names)
        for number in range(1, rounds + 1):
            while len(left) > 1 and budget.left > 1 - number / rounds:
                state, order = self.game.sample(view, rng), rng.sample(range(cards), cards)
                for option, position in zip(left, self.outcomes(state, left, order), strict=True):
                    total[option] += playout(position, self.judge, team)
                budget.spend(PLAYOUT * len(left))
            left = sorted(left, key=total.__getitem__, reverse=True)[: (len(left) + 1) // 2]
        return left[0]

    def outcomes(self, state: State, options: Sequence[str], order: Sequence[int]) -> list[Position]:
        """What each of `options` leads to, a card played or the next one to be played."""
        if options[0] not in self.judge.deck.first:
            return [position_of(self.judge, done(state, option), order) for option in options]
        position = position_of(self.judge, state, order)
        positions = [position.clone() for _ in options]
        for after, name in zip(positions, options, strict=True):
            after.play(after.hand_card(name))
        return positions


def setting(name: str, otherwise: float) -> float:
    """A number of the environment. SystemExit with a message where it is none or not above 0."""
    text = os.environ.get(name)
    if text is None:
        return otherwise
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not number > 0:
        sys.exit(f"{name}={text!r}: a number above 0 is expected")
    return number


def done(state: State, option: str) -> State:
    """The state after a recruit or a smash, and after such decisions of others, made in any way."""
    after, (seat,) = state.clone(), state.to_act
    after.apply(seat, after.parse(seat, option))
    while after.to_act and after.view(after.to_act[0])["decision"] != "play":
        (seat,) = after.to_act
        after.apply(seat, after.legal(seat)[0])
    return after


if __name__ == "__main__":
    run(Search())
