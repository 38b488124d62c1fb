"""Claim by search: playouts of worlds that the view allows, and an exact end for two players.

How strong it is follows SEARCH_PLAYOUTS or SEARCH_MS of its environment (see `bot.toml`). By playouts the
same view and `bot_seed` give the same move; the clock is kept in either case.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
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
"""Cards in hand from which on the favour phase of two is searched to its end at once."""


class Search(Bot):
    wants_events = False

    judge: Judge
    bot_seed: str

    def __init__(self) -> None:
        milliseconds = os.environ.get("SEARCH_MS")
        self.seconds = float(milliseconds) / 1000 if milliseconds else inf
        self.playouts = inf if milliseconds else float(os.environ.get("SEARCH_PLAYOUTS", PLAYOUTS))

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
        seconds = min(self.seconds, inf if limit is None else limit / 4000)
        return Budget(self.playouts, seconds)

    def duel(self, view: dict[str, Any], options: Sequence[str], rng: Random, budget: Budget) -> str:
        """The best of `options` where two play and nothing is hidden: deeper and deeper, to the end at last."""
        position = position_of(self.judge, self.game.sample(view, rng), rng)
        cards = [position.hand_card(name) for name in options]
        left = len(view["hand"])
        search = Duel(self.judge, position, budget)
        try:
            for depth in range(left if left <= EXACT else 1, left + 1):
                cards = search.ranked(cards, depth)
        except TooLong:
            pass
        return self.judge.deck.names[cards[0]]

    def race(self, view: dict[str, Any], options: Sequence[str], rng: Random, budget: Budget) -> str:
        """The option that does best in worlds drawn from the view; the worse half leaves now and then."""
        team = self.judge.deck.teams[view["seat"]]
        total, left = dict.fromkeys(options, 0.0), list(options)
        rounds = len(options).bit_length()
        for number in range(1, rounds + 1):
            while len(left) > 1 and budget.left > 1 - number / rounds:
                state = self.game.sample(view, rng)
                for option, position in zip(left, self.outcomes(state, left, rng), strict=True):
                    total[option] += playout(position, self.judge, team)
                budget.spend(PLAYOUT * len(left))
            left = sorted(left, key=total.__getitem__, reverse=True)[: (len(left) + 1) // 2]
        return left[0]

    def outcomes(self, state: State, options: Sequence[str], rng: Random) -> list[Position]:
        """What each of `options` leads to."""
        deck, seat = self.judge.deck, state.to_act[0]
        if options[0] in deck.first:
            position = position_of(self.judge, state, rng)
            positions = [position.clone() for _ in options]
            for position, name in zip(positions, options, strict=True):
                position.play(position.hand_card(name))
            return positions
        positions = []
        for option in options:
            after = state.clone()
            after.apply(seat, after.parse(seat, option))
            while after.to_act and after.view(after.to_act[0])["decision"] != "play":
                after.apply(after.to_act[0], after.legal(after.to_act[0])[0])
            positions.append(position_of(self.judge, after, rng))
        return positions


if __name__ == "__main__":
    run(Search())
