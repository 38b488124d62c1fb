"""What holds of every position (Aristoocrazy 3.16), at every action of random games of each variant.

`make test-long` plays 250 of each; `KINGMAKER_GAMES=1000 pytest tests/rules/aristoocrazy/test_aristoocrazy_invariants.py`
a thousand, in a minute.

That a house has five men and five women at most is true by how characters are numbered.
"""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest

from referee.games.aristoocrazy import Aristoocrazy
from referee.games.aristoocrazy.data import FOLLY, data
from referee.games.aristoocrazy.people import house_of
from referee.games.aristoocrazy.state import OVER, SUPPLY, UNSEEN, Table

GAME = Aristoocrazy()
GAMES = int(os.environ.get("KINGMAKER_GAMES", "40"))
SEEDS = range(GAMES), pytest.param(range(GAMES, 250), marks=pytest.mark.long)
OPTIONS = (
    "aristoocrazy/3p/classic+trait_set=rulebook9+take_visibility=closed",
    "aristoocrazy/4p/classic+rounds=8+setup_traits=fixed+vp_visibility=public+max_heirs_per_turn=1",
    "aristoocrazy/2p/quick2013+rounds=10+take_visibility=closed",
)


def check(table: Table) -> None:
    """Every invariant of 3.16, and that nothing is counted twice."""
    check_board(table)
    check_houses(table)
    check_cards(table)


def check_board(table: Table) -> None:
    public = table.public
    board = public.variant.board
    standing = 0
    for field in board.fields:
        people = public.at[field]
        standing += len(people)
        assert len(people) <= board.places[field]
        for char in people:
            assert public.where[char] == field
            assert public.owner[field] == house_of(char)
            assert len(public.traits[char]) == 3
            plain = [trait for trait in public.traits[char] if trait != FOLLY]
            assert len(plain) == len(set(plain))
            assert 0 <= public.red[char] <= 4
    assert standing == sum(field != SUPPLY for field in public.where)
    for seat, home in enumerate(board.homes):
        assert public.owner[home] == seat
        assert public.owner.count(seat) == 6 - public.crests[seat] <= 6


def check_houses(table: Table) -> None:
    public = table.public
    for seat, zone in enumerate(table.private):
        assert min(zone.stash) >= 0
        assert sum(zone.stash) == public.size[seat]
        assert all(zone.stash[trait] == 0 for trait in range(10) if trait not in public.variant.traits)
        assert len(zone.hand) == public.cards_held[seat] <= data().hand_limit
        assert zone.sealed == UNSEEN or (public.pending and seat not in public.pending)
        for other in range(public.players):
            if other != seat:
                told = zone.tokens.known[other], zone.tokens.unknown[other]
                staked = table.private[other].staked is not None
                assert sum(told[0]) + told[1] == public.size[other] or staked


def check_cards(table: Table) -> None:
    public, hidden = table.public, table.hidden
    held = [card for zone in table.private for card in zone.hand]
    assert sorted([*held, *public.discard, *hidden.actions]) == sorted(public.variant.actions)
    assert public.deck == len(hidden.actions)
    assert not Counter(hidden.events) - Counter(public.variant.deck)
    if public.phase != OVER:
        shown = hidden.events[public.round - 1 : public.round + 3]
        unseen = max(data().unscored - public.round + 1, 0)
        assert public.row == [UNSEEN] * unseen + shown[unseen:]


def play(id: str, seed: int) -> None:
    state = GAME.setup(GAME.variant(id), f"invariants {seed}")
    events = state.table.hidden.events[:]
    rng, actions = random.Random(seed), 0
    check(state.table)
    while state.to_act:
        seat = rng.choice(state.to_act)
        state.apply(seat, rng.choice(state.legal(seat)))
        check(state.table)
        actions += 1
    assert sorted(state.table.hidden.events) == sorted(events), "the events that come don't depend on play"
    assert actions < 5000


@pytest.mark.parametrize("seeds", SEEDS, ids=["few", "many"])
@pytest.mark.parametrize("id", GAME.variants())
def test_3_16_invariants_hold_at_every_action_of_random_games(id: str, seeds: range) -> None:
    for seed in seeds:
        play(id, seed)


@pytest.mark.parametrize("seeds", SEEDS, ids=["few", "many"])
@pytest.mark.parametrize("id", OPTIONS)
def test_3_16_invariants_hold_with_options(id: str, seeds: range) -> None:
    for seed in seeds[::5]:
        play(id, seed)
