"""Views and actions as numbers: both ways, the same for ever, and nothing in them that a seat may not know."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.errors import InputError
from arena.rl.coding import REWARDS, VERSION, Encoding, encoding
from referee.game import Outcome, Seat, State, Team
from referee.games import GAMES, game_of
from referee.games.aristoocrazy import actions
from referee.games.claim.cards import names
from referee.games.claim.game import ClaimState
from tests.arena.rl.choices import EVERY, every_variant, few_variants, walk
from tests.every_game.game_worlds import OTHER_WORLD
from tests.every_game.test_every_game_secrets import random_plays

Look = Callable[[State, Seat], dict[str, Any]]

NUMBERING = Path(__file__).with_name("numbering.json")


@every_variant
def test_legal_actions_have_numbers_of_their_own_and_lead_back_to_their_texts(id: str) -> None:
    numbers = encoding(id)
    for state in walk(id, 1):
        for seat in state.to_act:
            legal = numbers.legal(state.legal_text(seat), seat)
            assert list(legal.values()) == state.legal_text(seat)
            assert np.flatnonzero(numbers.mask(legal)).tolist() == sorted(legal)
            for number, text in legal.items():
                label = numbers.label(number, seat)
                assert numbers.number(label, seat) == number
                head, *words = text.split(":")
                assert label == (f"court:{words[0]}:{words[2]}" if head == "court" else text)


@every_variant
def test_an_observation_has_named_numbers_within_its_bounds(id: str) -> None:
    numbers = encoding(id)
    assert len(set(numbers.names)) == len(numbers.names)
    seen = np.zeros(len(numbers.names))
    for state in walk(id, 2):
        for seat in range(numbers.players):
            told = numbers.observation(state.view(Seat(seat)))
            assert told.shape == (len(numbers.names),) and told.dtype == np.float32
            assert numbers.low <= told.min() and told.max() <= numbers.high
            seen += told != 0
    assert (seen != 0).mean() > 0.15


@pytest.mark.parametrize("kind", range(len(actions.KINDS)), ids=lambda kind: actions.KINDS[kind].head)
def test_every_kind_of_action_of_aristoocrazy_is_in_the_vocabulary(kind: int) -> None:
    """Written of the first character or house, or of the first of the next house."""
    written = set()
    for numbers in ((0, 0, 10), (0, 1, 2), (10, 0), (1, 0)):
        with suppress(IndexError):  # it has fewer of them
            written.add(actions.text(actions.act(kind, *numbers)))
    known = [encoding("aristoocrazy"), encoding("aristoocrazy-quick")]
    assert any(_has(numbers, text) for numbers in known for text in written), written


def _has(numbers: Encoding, text: str) -> bool:
    try:
        return numbers.number(text, 0) >= 0
    except KeyError:
        return False


@pytest.mark.parametrize("id", ["claim/2p/GK-UWX", "claim/3p/NA-UWXTS", "claim/4p/NA-UWXDS"])
def test_unseen_cards_are_those_of_other_hands_and_followers_and_the_deck(id: str) -> None:
    numbers = encoding(id)
    for state in walk(id, 3):
        assert isinstance(state, ClaimState)
        table = state.table
        for seat, own in enumerate(table.private):
            view = state.view(Seat(seat))
            hidden = Counter(names(table.hidden.deck))
            for other, zone in enumerate(table.private):
                if other != seat:
                    followers = [] if table.public.favour else zone.recruited
                    hidden.update(names([*zone.hand, *followers]))
                    hidden.subtract(view["known"][other])
            hidden.subtract([card for _, card, _ in view["left"]])
            hidden.subtract(names([own.look]) if view["look"] else [])
            assert _plane(numbers.names, numbers.observation(view), "unseen") == +hidden


def _plane(labels: tuple[str, ...], told: Any, name: str) -> Counter[str]:
    found = {label.split(".")[1]: int(count) for label, count in zip(labels, told, strict=True)
             if label.startswith(f"{name}.")}  # fmt: skip
    return +Counter(found)


@pytest.mark.parametrize(
    ("view", "takes"),
    [
        ({"plays": [[2, "G5"]], "leader": 2, "led": "G", "ranking": []}, {"G9", "K2"}),
        ({"plays": [[1, "U4"], [2, "U6"]], "leader": 1, "led": "U", "ranking": []}, {"U7"}),
        ({"plays": [], "leader": 0, "led": None, "ranking": []}, {"G9", "K2", "U5", "U7"}),
    ],
    ids=["goblin", "third", "leads"],
)
def test_takes_are_the_cards_that_win_as_the_trick_lies(view: dict[str, Any], takes: set[str]) -> None:
    numbers = encoding("claim/3p/GK-UWXTD")
    state = GAMES["claim"].setup(numbers.variant, "takes")
    shown = {**state.view(Seat(0)), "hand": ["G9", "K2", "U5", "U7"], "trick": view, "to_act": [0]}
    assert set(_plane(numbers.names, numbers.observation(shown), "takes")) == takes


@few_variants
def test_another_world_that_agrees_with_what_a_seat_knows_gives_the_same_numbers(id: str) -> None:
    for seed in range(4):
        one, two = _observed_in_two_worlds(id, seed)
        assert np.array_equal(one, two)


def test_a_leak_into_the_view_is_found() -> None:
    """Else the two worlds might be one."""

    def leaky(state: State, seat: Seat) -> dict[str, Any]:
        assert isinstance(state, ClaimState)
        return {**state.view(seat), "known": [names(zone.hand) for zone in state.table.private]}

    pairs = [_observed_in_two_worlds("claim/4p/NA-UWXDS", seed, leaky) for seed in range(4)]
    assert not all(np.array_equal(one, two) for one, two in pairs)


def _view(state: State, seat: Seat) -> dict[str, Any]:
    return state.view(seat)


def _observed_in_two_worlds(id: str, seed: int, view: Look = _view) -> tuple[Any, Any]:
    """All observations of a seat in a game, and in another that has shown it the same."""
    game, numbers, rng = game_of(id), encoding(id), random.Random(seed)
    seat = Seat(seed % numbers.players)
    literal = game.literal(numbers.variant, f"worlds {seed}")
    plays = random_plays(game.deal(numbers.variant, literal), 9 + 8 * seed, rng, sealed=seed % 2 == 1)
    other_deal, other_plays = OTHER_WORLD[game.name](game, id, literal, plays, seat, rng)
    told = []
    for deal, course in ((literal, plays), (other_deal, other_plays)):
        state = game.deal(numbers.variant, deal)
        seen = [numbers.observation(view(state, seat))]
        for actor, text in course:
            state.apply(actor, state.parse(actor, text))
            seen.append(numbers.observation(view(state, seat)))
        told.append(np.array(seen))
    return told[0], told[1]


def test_seats_are_counted_from_the_own() -> None:
    numbers = encoding("aristoocrazy/3p/classic")
    assert numbers.number("use:0M1:bow", 0) == numbers.number("use:2M1:bow", 2)
    assert numbers.label(numbers.number("card:spy:0", 2), 1) == "card:spy:2"
    smashing = encoding("claim/3p/NA-UWXTS")
    assert smashing.label(smashing.number("smash 0 N5", 1), 0) == "smash 2 N5"


@pytest.mark.parametrize(
    ("id", "text"),
    [("claim", "smash 0 N5"), ("claim", "K77"), ("aristoocrazy", "use:1M1:bow"), ("aristoocrazy", "bid:512")],
)
def test_what_a_seat_never_may_has_no_number(id: str, text: str) -> None:
    with pytest.raises(KeyError):
        encoding(id).number(text, 0)


def test_numbers_mean_for_ever_what_they_meant() -> None:
    """Nets that others have trained hang on it: raise `coding.VERSION` where this must change, then write it anew."""
    found = {id: _fingerprint(id) for id in EVERY if id.startswith("aristoocrazy") or "GK-UWX" in id}
    assert json.loads(NUMBERING.read_text("utf-8")) == {"version": VERSION, "numbers": found}


def _fingerprint(id: str) -> list[Any]:
    numbers = encoding(id)
    labels = [numbers.label(number, 0) for number in range(numbers.actions)]
    parts = (labels, numbers.names, numbers.past)
    return [[len(part), sha256("\n".join(part).encode()).hexdigest()[:16]] for part in parts]


@pytest.mark.parametrize("rewards", REWARDS)
@pytest.mark.parametrize(
    ("ranks", "scores", "teams"),
    [
        ((0, 1, 0, 1), (4, 3, 4, 3), (0, 1, 0, 1)),
        ((0, 1, 1, 3), (9, 4, 4, 0), (0, 1, 2, 3)),
        ((0, 0), (2, 2), (0, 1)),
    ],
    ids=["pairs", "four", "tie"],
)
def test_rewards_are_zero_sum_and_those_of_partners_equal(
    rewards: str, ranks: tuple[int, ...], scores: tuple[int, ...], teams: tuple[int, ...]
) -> None:
    outcome = Outcome(ranks, scores, tuple(map(Team, teams)))
    given = REWARDS[rewards](outcome)
    assert sum(given) == pytest.approx(0)
    for team in set(outcome.teams):
        assert len({value for value, of in zip(given, outcome.teams, strict=True) if of == team}) == 1
    assert max(given) == given[outcome.ranks.index(0)]


def test_an_unknown_variant_is_refused_with_what_is_known() -> None:
    with pytest.raises(InputError, match="written 'claim/2p/GK-UWX'") as caught:
        encoding("claim/2p/GK-XWU")
    assert caught.value.code == "E219"
