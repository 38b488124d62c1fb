"""The laws of `referee.game`, over every variant of every registered game."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.game import Game, IllegalAction, Seat, VariantError
from referee.games import GAMES, game_of
from tests.every_game.game_walks import PAIRS, ended, everything, told, walk

every_variant = pytest.mark.parametrize(("game", "id"), PAIRS, ids=[id for _, id in PAIRS])


@every_variant
def test_someone_can_act_until_the_end_and_only_then_is_there_a_result(game: Game, id: str) -> None:
    for state in walk(game, id, 1):
        assert bool(state.to_act) == (state.outcome is None)
        for seat in range(game.variant(id).players):
            legal = state.legal(Seat(seat))
            assert bool(legal) == (seat in state.to_act)
            assert len(set(legal)) == len(legal)
            assert [state.parse(Seat(seat), text) for text in state.legal_text(Seat(seat))] == legal


@every_variant
def test_every_legal_action_succeeds_and_no_other_changes_anything(game: Game, id: str) -> None:
    players = game.variant(id).players
    rng = random.Random(2)
    for step, state in enumerate(walk(game, id, 2)):
        if step % 9:
            continue
        before = everything(state, players)
        for seat in range(players):
            legal = state.legal(Seat(seat))
            for action in legal:
                state.clone().apply(Seat(seat), action)
            for action in {rng.randrange(-2, 1000) for _ in range(12)} - set(legal):
                with pytest.raises(IllegalAction):
                    state.apply(Seat(seat), action)
        assert everything(state, players) == before


@every_variant
def test_same_deal_and_actions_same_everything(game: Game, id: str) -> None:
    players = game.variant(id).players
    for step, (one, two) in enumerate(zip(walk(game, id, 3), walk(game, id, 3), strict=True)):
        if step % 10 == 0 or not one.to_act:
            assert everything(one, players) == everything(two, players)
            assert one.outcome == two.outcome


@every_variant
def test_a_clone_is_independent(game: Game, id: str) -> None:
    players = game.variant(id).players
    for step, state in enumerate(walk(game, id, 4)):
        if step % 15:
            continue
        before = everything(state, players)
        copy = state.clone()
        assert everything(copy, players) == before
        while copy.to_act:
            copy.apply(copy.to_act[0], copy.default(copy.to_act[0]))
        assert everything(state, players) == before
    # What a copy had changed for the true game might come to light late.
    untouched = ended(game, id, 4)
    assert everything(state, players) == everything(untouched, players)
    assert state.outcome == untouched.outcome


@every_variant
def test_a_literal_deal_is_the_seeds_deal(game: Game, id: str) -> None:
    variant = game.variant(id)
    dealt = game.deal(variant, game.literal(variant, "seed"))
    assert everything(dealt, variant.players) == everything(game.setup(variant, "seed"), variant.players)


@every_variant
def test_events_from_a_start_are_the_rest_of_all(game: Game, id: str) -> None:
    state = ended(game, id, 5)
    events = state.events()
    assert all(event.audience != () for event in events)
    for start in range(0, len(events), 7):
        assert state.events(start) == events[start:]
    assert json.loads(json.dumps([dict(event.body) for event in events])) == [dict(e.body) for e in events]


@every_variant
def test_a_sample_looks_the_same_to_its_seat_and_plays_on(game: Game, id: str) -> None:
    rng = random.Random(6)
    for step, state in enumerate(walk(game, id, 6)):
        if step % 6:
            continue
        for seat in range(game.variant(id).players):
            view = json.loads(json.dumps(state.view(Seat(seat))))
            drawn = game.sample(view, rng)
            assert drawn.view(Seat(seat)) == view
            assert drawn.legal_text(Seat(seat)) == state.legal_text(Seat(seat))
            if step % 24 == 0:
                while drawn.to_act:
                    actor = drawn.to_act[0]
                    drawn.apply(actor, rng.choice(drawn.legal(actor)))
                    drawn.view(Seat(seat))
                assert drawn.outcome is not None


@every_variant
def test_seats_of_a_team_share_the_result(game: Game, id: str) -> None:
    outcome = ended(game, id, 7).outcome
    assert outcome is not None
    assert outcome.teams == game.variant(id).teams
    for team in set(outcome.teams):
        mine = {
            (r, s) for r, s, t in zip(outcome.ranks, outcome.scores, outcome.teams, strict=True) if t == team
        }
        assert len(mine) == 1
    assert min(outcome.ranks) == 0


@every_variant
def test_a_variant_is_found_by_its_id(game: Game, id: str) -> None:
    assert game_of(id) is game
    assert game.variant(id).id == id
    assert game.matching(id) == [id]
    assert game.rules_id(game.variant(id)).startswith(f"{game.rules}-")
    json.dumps(game.setup_info(game.variant(id)))


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_aliases_and_patterns(game: Game) -> None:
    for alias, id in game.aliases().items():
        assert game.variant(alias).id == id
        assert game_of(alias) is game
    assert set(game.matching(f"{game.name}/*")) == set(game.variants())
    with pytest.raises(VariantError):
        game.variant(f"{game.name}/no-such-variant")
    with pytest.raises(VariantError):
        game.matching(f"{game.name}/no-such-*")


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_every_alias_and_variant_has_rules_of_its_own(game: Game) -> None:
    digests = {game.rules_id(game.variant(id)) for id in game.variants()}
    assert len(digests) == len(game.variants())


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(PAIRS), st.integers(0, 2**32), st.data())
def test_any_walk_keeps_the_laws(pair: tuple[Game, str], seed: int, data: st.DataObject) -> None:
    game, id = pair
    state = game.setup(game.variant(id), str(seed))
    count = len(told(state, Seat(0)))
    for _ in range(data.draw(st.integers(0, 200))):
        if not state.to_act:
            break
        seat = state.to_act[0]
        legal = state.legal(seat)
        state.apply(seat, legal[data.draw(st.integers(0, len(legal) - 1))])
        seen = len(told(state, Seat(0)))
        assert seen >= count
        count = seen
    rendered = game.render(state) + "\n" + game.render(state, Seat(0))
    assert max(len(line) for line in rendered.split("\n")) <= 80
