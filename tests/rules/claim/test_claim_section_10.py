"""The figures of random games (Claim 10), over all variants of each number of players."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from statistics import mean, stdev

from pytest import approx

from referee.game import Outcome
from referee.games.claim import Claim
from referee.games.claim.game import ClaimState
from referee.games.claim.state import PLAY

CLAIM = Claim()


@dataclass(slots=True)
class Figures:
    """What was counted in games in which every card in hand is as likely."""

    leading: list[int] = field(default_factory=list)
    """For each play, how many cards were legal, equal copies counted apart."""
    following: list[int] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)

    def play(self, state: ClaimState, rng: random.Random) -> None:
        """One game to its end."""
        public = state.table.public
        while state.to_act:
            seat = state.to_act[0]
            choices = state.legal(seat)
            if public.decision == PLAY:
                choices = [card for card in state.table.private[seat].hand if card in choices]
                (self.following if public.plays else self.leading).append(len(choices))
            state.apply(seat, rng.choice(choices))
        assert state.outcome is not None
        self.outcomes.append(state.outcome)


def random_games(players: int, deals: int) -> Figures:
    """Of each variant so many deals."""
    figures, rng = Figures(), random.Random(players)
    for id in CLAIM.matching(f"claim/{players}p/*"):
        for number in range(deals):
            figures.play(CLAIM.setup(CLAIM.variant(id), f"random {id} {number}"), rng)
    return figures


def winners(outcome: Outcome) -> set[int]:
    """The teams that share the first place."""
    return {team for team, rank in zip(outcome.teams, outcome.ranks, strict=True) if rank == 0}


def test_claim_10_two_players_choose_among_so_many_and_neither_seat_is_better() -> None:
    figures = random_games(2, 100)
    assert mean(figures.leading) == approx(7.0, abs=0.05)
    assert mean(figures.following) == approx(3.18, abs=0.05)
    first = [(0 in best) / len(best) for best in map(winners, figures.outcomes)]
    assert abs(mean(first) - 1 / 2) < 4 * stdev(first) / len(first) ** 0.5


def test_claim_10_three_players_choose_among_so_many_and_often_share_the_first_place() -> None:
    figures = random_games(3, 250)
    assert mean(figures.leading) == approx(6.5, abs=0.05)
    assert mean(figures.following) == approx(3.31, abs=0.05)
    assert 0.11 < mean(len(winners(outcome)) > 1 for outcome in figures.outcomes) < 0.17


def test_claim_10_four_players_choose_among_so_many() -> None:
    figures = random_games(4, 100)
    assert mean(figures.leading) == approx(5.0, abs=0.05)
    assert mean(figures.following) == approx(2.95, abs=0.05)
