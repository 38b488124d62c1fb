"""What a check of the whole engine should find (Claim 10), over random games of every variant and option."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

import pytest

from referee.game import Seat
from referee.games.claim import Claim
from referee.games.claim.cards import names
from referee.games.claim.game import ClaimState
from referee.games.claim.sampling import draw
from referee.games.claim.state import NOTHING_SHOWN, UNSEEN, Table
from referee.games.claim.variants import OPTIONS
from tests.rules.claim.claim_positions import cards

CLAIM = Claim()
WITH_OPTIONS = [
    id
    for option in OPTIONS
    for value in option.values[1:]
    for id in CLAIM.matching(f"claim/*+{option.name}={value}")[::5]
]


def walk(id: str, seed: int) -> Iterator[ClaimState]:
    rng = random.Random(seed)
    state = CLAIM.setup(CLAIM.variant(id), str(seed))
    yield state
    while state.to_act:
        seat = state.to_act[0]
        state.apply(seat, rng.choice(state.legal(seat)))
        yield state


def views(state: ClaimState) -> list[dict[str, Any]]:
    return [state.view(Seat(seat)) for seat in range(len(state.table.private))]


def everywhere(table: Table) -> Counter[int]:
    """The cards in all places, the discards of the recruit phase included."""
    public = table.public
    found = Counter(table.hidden.deck + public.faceup + public.out + public.removed)
    for zone in table.private:
        found.update(zone.hand)
        if not public.favour:
            found.update(zone.recruited)
    for pile in public.piles + public.rows:
        found.update(pile)
    found.update(card for card in discarded(table))
    return found + Counter(on_the_table(table))


def discarded(table: Table) -> list[int]:
    public = table.public
    first_phase = [trick for trick in public.tricks if trick.recruits]
    return [card for trick in first_phase for card in trick.cards if card // 10 != 2]


def on_the_table(table: Table) -> list[int]:
    """The cards of the trick under way that nobody has been given yet (Claim 6)."""
    public = table.public
    if not public.ranking:
        return public.plays
    if not public.favour:
        return [card for card in public.plays if card // 10 != 2]
    waiting = [card for card in public.plays if card // 10 not in (3, 6, 7)]
    return waiting + public.giants


@pytest.mark.parametrize("id", [*CLAIM.variants(), *WITH_OPTIONS])
def test_claim_10_cards_are_conserved_after_every_action(id: str) -> None:
    deck = Counter(CLAIM.variant(id).deck)
    for state in walk(id, 1):
        assert everywhere(state.table) == deck
        for zone in state.table.private:
            assert zone.faces == sorted({*zone.faces, *zone.twins})
            assert zone.twins == sorted(zone.twins)


@pytest.mark.parametrize("id", [*CLAIM.variants(), *WITH_OPTIONS])
def test_claim_10_the_deck_is_empty_just_when_the_recruit_phase_ends(id: str) -> None:
    for state in walk(id, 2):
        public = state.table.public
        assert public.deck == len(state.table.hidden.deck)
        assert (public.deck + len(public.faceup) == 0) == public.favour
        if not public.favour:
            assert all(len(zone.recruited) <= public.variant.each for zone in state.table.private)
    assert all(not zone.hand for zone in state.table.private)
    assert all(len(zone.recruited) == public.variant.each for zone in state.table.private)


@pytest.mark.parametrize("id", CLAIM.variants()[:40:3])
def test_claim_10_with_two_players_all_is_known_in_the_favour_phase(id: str) -> None:
    for state in walk(id, 3):
        if state.table.public.favour:
            drawn = CLAIM.sample(state.view(Seat(0)), random.Random(5))
            assert drawn.table.private[1].hand == state.table.private[1].hand


def votes_counted(state: ClaimState) -> dict[str, int | None]:
    """The votes counted afresh, card by card."""
    public = state.table.public
    teams = public.variant.teams
    found: dict[str, int | None] = {}
    for faction in public.variant.factions:
        marks: list[tuple[int, list[int]]] = []
        for team in range(public.variant.sides):
            mine = [
                card
                for seat, pile in enumerate(zip(public.piles, public.rows, strict=True))
                for card in pile[0] + pile[1]
                if teams[seat] == team and card // 10 == faction
            ]
            marks.append((len(mine), sorted(mine, reverse=True)))
        best = max(marks)
        found["GKUWXNATDS"[faction]] = marks.index(best) if best[0] and marks.count(best) == 1 else None
    return found


@pytest.mark.parametrize("id", CLAIM.variants()[::2])
def test_claim_7_1_votes_as_they_stand_are_those_of_a_fresh_count(id: str) -> None:
    for state in walk(id, 4):
        assert state.view(Seat(0))["votes"] == votes_counted(state)


@pytest.mark.parametrize("id", CLAIM.variants()[::3])
def test_claim_8_a_sample_respects_all_that_is_known(id: str) -> None:
    rng = random.Random(8)
    for step, state in enumerate(walk(id, 5)):
        if step % 4:
            continue
        for seat in range(len(state.table.private)):
            drawn = CLAIM.sample(state.view(Seat(seat)), rng).table
            assert everywhere(drawn) == Counter(CLAIM.variant(id).deck)
            assert_agrees(state.table, drawn, seat)


def assert_agrees(true: Table, drawn: Table, seat: int) -> None:
    for zone, like in zip(drawn.private, true.private, strict=True):
        assert zone.look == (UNSEEN if like.look == UNSEEN else drawn.hidden.deck[-1])
    for other, zone in enumerate(drawn.private):
        lacking = true.public.voids[other]
        assert not [card for card in names(zone.hand) if card[0] in lacking]
        held = Counter(zone.hand if true.public.favour else zone.recruited)
        assert Counter(true.public.known[other]) <= held
        left = Counter(left.card for left in true.private[seat].left if left.seat == other)
        assert left + Counter(true.public.known[other]) <= held or other == seat
        assert len(zone.recruited) == len(true.private[other].recruited)
        for seen in zone.left:
            taker = drawn.private[seen.seat]
            assert seen.card in (taker.hand if true.public.favour else taker.recruited)


def worlds(
    unseen: Sequence[int], sizes: Sequence[int], voids: Sequence[str]
) -> Counter[tuple[tuple[int, ...], ...]]:
    """Every way to deal distinct copies, by brute force: hands as seen, with the number of ways."""
    found: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for order in permutations(unseen):
        hands, at = [], 0
        for size in sizes:
            hands.append(tuple(sorted(order[at : at + size])))
            at += size
        if not any(
            names([card])[0][0] in void for hand, void in zip(hands, voids, strict=True) for card in hand
        ):
            found[tuple(hands)] += 1
    return found


@pytest.mark.parametrize(
    ("unseen", "sizes", "voids"),
    [
        ("G0 G0 K2 K3 U1 U2 W4", (2, 2), ("K", "GU")),
        ("G0 G0 G1 K2 K3 U1", (1, 2, 2), ("", "G", "K")),
        ("N7 N7 N7 D1 D2 S3", (2, 2, 2), ("N", "", "D")),
        ("K2 K3 U4 U5", (0, 2), ("", "K")),
    ],
)
def test_claim_8_every_world_is_drawn_as_often_as_it_should_be(
    unseen: str, sizes: tuple[int, ...], voids: tuple[str, ...]
) -> None:
    expected = worlds(cards(unseen), sizes, voids)
    rng = random.Random(11)
    rounds = 3000
    drawn: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for _ in range(rounds):
        hands, free = draw(cards(unseen), sizes, voids, rng)
        drawn[tuple(tuple(sorted(hand)) for hand in hands)] += 1
        assert Counter(free + [card for hand in hands for card in hand]) == Counter(cards(unseen))
    assert set(drawn) == set(expected)
    chances = {world: ways / expected.total() for world, ways in expected.items()}
    for world, chance in chances.items():
        deviation = (rounds * chance * (1 - chance)) ** 0.5
        assert abs(drawn[world] - rounds * chance) <= 4.5 * deviation


def test_claim_8_no_world_is_an_error() -> None:
    with pytest.raises(ValueError, match="no world agrees"):
        draw(cards("K2 K3"), (1,), ("K",), random.Random(0))


@pytest.mark.parametrize(
    "id",
    [
        pytest.param(id, marks=() if number % 3 == 0 else pytest.mark.long)
        for number, id in enumerate([*CLAIM.variants(), *WITH_OPTIONS])
    ],
)
def test_claim_8_a_view_hangs_on_no_view_before_it_and_changes_no_more(id: str) -> None:
    given = []
    for state in walk(id, 8):
        unwatched = state.clone()
        public = unwatched.table.public
        public.shown, public.stale, public.captured = NOTHING_SHOWN, True, True
        given.append((views(state), views(unwatched)))
    assert all(one == other for one, other in given)
