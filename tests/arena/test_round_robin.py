"""The schedule: everybody meets everybody, on the same deals, in every seat."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.schedules.blocks import Pairing, Plan
from protocol.vocabulary import BotId, GameId
from referee.games import game_of
from tests.arena.made import round_robin

TWO, THREE, FOUR = "claim/2p/GK-UWX", "claim/3p/GK-UWXTD", "claim/4p/GK-UWXTD"


def bots(count: int) -> list[BotId]:
    return [BotId(f"b{i}", f"{i:040x}") for i in range(count)]


def plan(*variants: str, **more: object) -> Plan:
    fields: dict[str, object] = {"name": "cup", "seed": "s", "variants": variants, "deals": 2, **more}
    return Plan(**fields)  # type: ignore[arg-type]


def schedule(plan: Plan, count: int) -> list[Pairing]:
    return list(round_robin(plan, bots(count)))


def ids(pairings: list[Pairing]) -> list[GameId]:
    return [game.id for pairing in pairings for game in pairing.games]


def names(pairings: list[Pairing]) -> list[str]:
    return ["".join(bot.name[1:] for bot in pairing.seating) for pairing in pairings]


@pytest.mark.parametrize(
    ("variant", "more", "count", "expected"),
    [
        (TWO, {}, 3, "01 10 02 20 12 21"),
        (THREE, {}, 3, "012 120 201"),
        (THREE, {"all_seatings": True}, 3, "012 021 102 120 201 210"),
        (FOUR, {}, 3, "0101 1010 0202 2020 1212 2121"),
        (FOUR, {"partners": "mixed"}, 4,
         "0213 0312 1203 1302 2031 2130 3021 3120 0123 0321 1023 1320 2013 2310 3012 3210 "
         "0132 0231 1032 1230 2103 2301 3102 3201"),
    ],
)  # fmt: skip
def test_every_pairing_sits_in_every_way(
    variant: str, more: dict[str, object], count: int, expected: str
) -> None:
    found = names(schedule(plan(variant, **more), count))
    assert sorted(found) == sorted(expected.split())


@pytest.mark.parametrize("variant", [TWO, THREE, FOUR])
@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("partners", ["same", "mixed", "both"])
def test_each_bot_sits_in_each_seat_alike_on_each_deal(variant: str, every: bool, partners: str) -> None:
    seats: dict[tuple[str, BotId], Counter[int]] = defaultdict(Counter)
    for pairing in schedule(plan(variant, all_seatings=every, partners=partners), 5):
        for game in pairing.games:
            for seat, bot in enumerate(pairing.seating):
                seats[game.deal, bot][seat] += 1
    players = game_of(variant).variant(variant).players
    assert all(len(counts) == players and len(set(counts.values())) == 1 for counts in seats.values())


@pytest.mark.parametrize("variant", [TWO, THREE, FOUR])
@pytest.mark.parametrize("partners", ["same", "both"])
def test_a_block_is_one_pairing_on_one_deal_and_as_large_as_it_says(variant: str, partners: str) -> None:
    blocks = defaultdict(list)
    for pairing in schedule(plan(variant, partners=partners), 4):
        for game in pairing.games:
            blocks[game.block].append((game, pairing.seating))
    for games in blocks.values():
        assert {game.block_size for game, _ in games} == {len(games)}
        assert len({game.deal for game, _ in games}) == 1 and len({game.seed for game, _ in games}) == 1
        assert len({tuple(sorted(seating)) for _, seating in games}) == 1


def test_all_pairings_of_a_variant_play_the_same_deals() -> None:
    deals = {tuple(game.seed for game in pairing.games) for pairing in schedule(plan(TWO, deals=7), 4)}
    assert len(deals) == 1
    assert len(set(deals.pop())) == 7


@given(st.permutations(range(5)), st.permutations([TWO, THREE, FOUR]))
def test_ids_do_not_depend_on_the_order_of_anything(order: list[int], variants: list[str]) -> None:
    shuffled = [bots(5)[i] for i in order]
    mine = {g.id for p in round_robin(plan(*variants, deals=1), shuffled) for g in p.games}
    assert mine == set(ids(schedule(plan(TWO, THREE, FOUR, deals=1), 5)))


@pytest.mark.parametrize(
    ("larger", "count"),
    [({"deals": 60}, 3), ({}, 4), ({"variants": (TWO, THREE, FOUR)}, 3), ({"partners": "both"}, 4)],
)
def test_adding_deals_bots_or_variants_only_adds_games(larger: dict[str, object], count: int) -> None:
    small = set(ids(schedule(plan(FOUR, TWO), 3)))
    assert small < set(ids(schedule(plan(*larger.pop("variants", (FOUR, TWO)), **larger), count)))  # type: ignore[misc]


def test_no_id_comes_twice() -> None:
    found = ids(schedule(plan(TWO, THREE, FOUR, deals=55, partners="both", all_seatings=True), 5))
    assert len(found) == len(set(found))


@pytest.mark.parametrize("change", [{"name": "other"}, {"seed": "t"}])
def test_other_tournaments_have_other_games(change: dict[str, object]) -> None:
    assert not set(ids(schedule(plan(TWO), 3))) & set(ids(schedule(plan(TWO, **change), 3)))


@pytest.mark.parametrize("variant", [TWO, THREE, FOUR])
@pytest.mark.parametrize("partners", ["same", "mixed", "both"])
def test_one_set_of_processes_never_plays_a_deal_twice(variant: str, partners: str) -> None:
    for pairing in schedule(plan(variant, partners=partners, deals=450, all_seatings=True), 4):
        deals = [game.deal for game in pairing.games]
        assert len(deals) == len(set(deals)) <= 200


def test_teams_sit_where_the_variant_says() -> None:
    teams = game_of(FOUR).variant(FOUR).teams
    for pairing in schedule(plan(FOUR), 3):
        sides = {
            team: {bot for bot, t in zip(pairing.seating, teams, strict=True) if t == team} for team in teams
        }
        assert all(len(side) == 1 for side in sides.values())


def test_the_first_blocks_are_complete_before_the_next_deals_begin() -> None:
    deals = [{int(g.deal.split("#")[1]) for g in p.games} for p in schedule(plan(TWO, deals=450), 3)]
    assert [max(d) for d in deals] == sorted(max(d) for d in deals)
    assert len(deals) == 3 * 2 * 3, "three parts of three pairings in two seatings"
