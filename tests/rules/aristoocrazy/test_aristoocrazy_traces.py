"""What a seat can tell of things that it does not see (Aristoocrazy R36, R37, R37a)."""

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.aristoocrazy.traces import Entry, Ledger, contents

World: TypeAlias = tuple[tuple[int, ...], ...]
"""By place and kind, how many are there."""

NAMES = ("bow", "sword", "magic", "valour", "rule", "learning", "economy", "money", "luck", "folly")


class Deed(NamedTuple):
    """Something that may happen; numbers are taken modulo what there is."""

    what: str
    place: int
    other: int
    thing: int
    others: int
    """Kinds that it might have been as well, as bits."""


DEEDS = ("came", "closed", "twins", "went", "lost", "moved", "counted", "spied", "holds")


def deeds(most: int) -> st.SearchStrategy[list[Deed]]:
    number = st.integers(0, 1 << 10)
    return st.lists(st.builds(Deed, st.sampled_from(DEEDS), number, number, number, number), max_size=most)


def happen(deed: Deed, stocks: list[list[int]]) -> list[Entry]:
    """Let it happen, and say what an onlooker saw of it."""
    places, kinds = len(stocks), len(stocks[0])
    place, other = deed.place % places, (deed.place + 1 + deed.other % (places - 1)) % places
    stock, some = stocks[place], deed.thing % kinds
    among = deed.others & ((1 << kinds) - 1)
    if deed.what in ("came", "closed", "twins"):
        stock[some] += 2 if deed.what == "twins" else 1
        if deed.what == "came":
            return [Entry.came(place, 1 << some)]
        return [(Entry.twins if deed.what == "twins" else Entry.came)(place, among | 1 << some)]
    if deed.what == "counted":
        return [Entry.counted(place, some, stock[some])]
    if deed.what == "spied":
        return [Entry.counted(place, kind, count) for kind, count in enumerate(stock)]
    if not any(stock):
        return []
    things = [kind for kind, count in enumerate(stock) for _ in range(count)]
    gone = things[deed.thing % len(things)]
    if deed.what == "holds":
        return [Entry.holds(place, gone)]
    stock[gone] -= 1
    if deed.what == "moved":
        stocks[other][gone] += 1
        return [Entry.moved(place, other)]
    return [Entry.went(place, 1 << gone | (among if deed.what == "lost" else 0))]


def history(story: Iterable[Deed], places: int, kinds: int) -> tuple[list[Entry], World]:
    """What an onlooker saw of a true history, and how it ended."""
    stocks = [[0] * kinds for _ in range(places)]
    trace = [entry for deed in story for entry in happen(deed, stocks)]
    return trace, frozen(stocks)


def random_deeds(rng: random.Random, number: int) -> list[Deed]:
    return [Deed(rng.choice(DEEDS), *(rng.randrange(1 << 10) for _ in range(4))) for _ in range(number)]


def frozen(stocks: Sequence[Sequence[int]]) -> World:
    return tuple(tuple(stock) for stock in stocks)


def changed(world: World, *changes: tuple[int, int, int]) -> World:
    stocks = [list(stock) for stock in world]
    for place, kind, number in changes:
        stocks[place][kind] += number
    return frozen(stocks)


def nexts(world: World, entry: Entry) -> Iterator[World]:
    """Every world that may follow, none where the entry contradicts this one."""
    place, kinds = entry.place, range(len(world[0]))
    among = [kind for kind in kinds if entry.domain >> kind & 1]
    match entry.what:
        case "came" | "twins":
            yield from (changed(world, (place, kind, 1 + (entry.what == "twins"))) for kind in among)
        case "went":
            yield from (changed(world, (place, kind, -1)) for kind in among if world[place][kind])
        case "moved":
            there = [kind for kind in kinds if world[place][kind]]
            yield from (changed(world, (place, kind, -1), (entry.other, kind, 1)) for kind in there)
        case "counted" if world[place][among[0]] == entry.number:
            yield world
        case "holds" if world[place][among[0]]:
            yield world


def possible(trace: Iterable[Entry], places: int, kinds: int) -> set[World]:
    """Every way that a trace can end, by trying them all."""
    worlds = {frozen([[0] * kinds] * places)}
    for entry in trace:
        worlds = {after for world in worlds for after in nexts(world, entry)}
    return worlds


def ledger_of(trace: Iterable[Entry], places: int, kinds: int) -> Ledger:
    ledger = Ledger(places, kinds)
    for entry in trace:
        ledger.note(entry)
    return ledger


@settings(deadline=None)
@given(deeds(16), st.randoms(use_true_random=False))
def test_r37a_what_is_drawn_agrees_with_all_that_was_seen(story: list[Deed], rng: random.Random) -> None:
    trace, _ = history(story, 3, 3)
    assert frozen(contents(trace, 3, 3, rng)) in possible(trace, 3, 3)


@pytest.mark.parametrize("seed", range(20))
def test_r37a_a_long_game_can_always_be_drawn(seed: int) -> None:
    rng = random.Random(seed)
    trace, _ = history(random_deeds(rng, 200), 4, 10)
    drawn = contents(trace, 4, 10, rng)
    looks = [Entry.counted(at, kind, n) for at, stock in enumerate(drawn) for kind, n in enumerate(stock)]
    assert contents(trace + looks, 4, 10, rng) == drawn


@pytest.mark.parametrize("seed", range(20))
def test_r37a_every_possibility_has_a_chance(seed: int) -> None:
    rng = random.Random(seed)
    trace, truth = history(random_deeds(rng, 10), 3, 3)
    expected = possible(trace, 3, 3)
    assert truth in expected
    assert {frozen(contents(trace, 3, 3, rng)) for _ in range(60 * len(expected))} == expected


@settings(deadline=None)
@given(deeds(10), st.integers(0, 9), deeds(2), st.randoms(use_true_random=False))
def test_r37a_a_trace_that_cannot_be_true_is_refused(
    story: list[Deed], at: int, lies: list[Deed], rng: random.Random
) -> None:
    trace, _ = history(story, 3, 2)
    trace[at:at] = history(lies, 3, 2)[0]
    worlds = possible(trace, 3, 2)
    if worlds:
        assert frozen(contents(trace, 3, 2, rng)) in worlds
    else:
        with pytest.raises(ValueError, match="no world agrees with the view"):
            contents(trace, 3, 2, rng)


@settings(deadline=None)
@given(deeds(12))
def test_r37a_a_ledger_tells_as_much_as_all_that_was_seen(story: list[Deed]) -> None:
    trace, truth = history(story, 3, 3)
    ledger = ledger_of(trace, 3, 3)
    sizes = [sum(known) + unknown for known, unknown in zip(ledger.known, ledger.unknown, strict=True)]
    assert sizes == [sum(stock) for stock in truth]
    told = {place for entry in ledger.trace for place in entry.places}
    worlds = {
        frozen([stock if place in told else ledger.known[place] for place, stock in enumerate(world)])
        for world in possible(ledger.trace, 3, 3)
    }
    assert worlds == possible(trace, 3, 3)


@settings(deadline=None)
@given(deeds(16), deeds(4), st.randoms(use_true_random=False))
def test_r37a_a_ledger_is_rebuilt_from_a_view(
    story: list[Deed], later: list[Deed], rng: random.Random
) -> None:
    stocks = [[0] * 3 for _ in range(3)]
    before = [entry for deed in story for entry in happen(deed, stocks)]
    ledger = ledger_of(before, 3, 3)
    again = Ledger.rebuilt(ledger.known, ledger.trace_json(NAMES[:3]), NAMES[:3])
    after = [entry for deed in later for entry in happen(deed, stocks)]
    for entry in after:
        ledger.note(entry)
        again.note(entry)
    assert (again.known, again.unknown, again.trace) == (ledger.known, ledger.unknown, ledger.trace)
    assert frozen(again.draw(rng)) in possible(before + after, 3, 3)


def test_r37_while_all_takes_are_open_there_is_no_trace() -> None:
    ledger = ledger_of([Entry.came(0, 1), Entry.came(0, 2), Entry.went(0, 1), Entry.counted(0, 1, 1)], 2, 2)
    assert (ledger.known, ledger.unknown, ledger.trace) == ([[0, 1], [0, 0]], [0, 0], [])


def test_r37a_a_theft_leaves_a_trace_until_both_houses_are_spied() -> None:
    ledger = ledger_of([Entry.came(0, 0b01), Entry.came(0, 0b10), Entry.moved(0, 1)], 2, 2)
    assert ledger.trace_json(NAMES[:2]) == [["came", 0, "bow"], ["came", 0, "sword"], ["moved", 0, 1]]
    assert (ledger.known, ledger.unknown) == ([[1, 1], [0, 0]], [-1, 1])
    ledger.seen(0, [1, 0])
    assert ledger.clear(0) and not ledger.clear(1)
    assert ledger.draw(random.Random(0)) == [[1, 0], [0, 1]]
    ledger.seen(1, [0, 1])
    assert (ledger.known, ledger.unknown, ledger.trace) == ([[1, 0], [0, 1]], [0, 0], [])


def test_r37a_an_empty_stash_is_known() -> None:
    ledger = ledger_of([Entry.came(0, 0b01), Entry.moved(0, 1)], 3, 2)
    assert ledger.clear(0) and ledger.known[0] == [0, 0]
    assert ledger.draw(random.Random(0)) == [[0, 0], [1, 0], [0, 0]]
    ledger.went(1, 0b01)
    assert (ledger.unknown, ledger.trace) == ([0, 0, 0], [])


def test_r37a_a_tithe_brings_two_of_a_kind() -> None:
    ledger = ledger_of([Entry.twins(0, 0b11), Entry.went(0, 0b01)], 1, 2)
    assert ledger.draw(random.Random(0)) == [[1, 0]]


def test_r37a_a_clear_house_that_spends_what_it_has_not_is_short_of_it() -> None:
    ledger = ledger_of([Entry.came(0, 0b01), Entry.went(0, 0b10)], 1, 2)
    assert (ledger.known, ledger.unknown) == ([[1, 0]], [-1])


def test_r37a_a_copy_of_a_ledger_goes_its_own_way() -> None:
    ledger = ledger_of([Entry.came(0, 0b11)], 2, 2)
    copy = ledger.clone()
    copy.holds(0, 1)
    copy.came(1, 0b10)
    assert (ledger.known, ledger.unknown, len(ledger.trace)) == ([[0, 0], [0, 0]], [1, 0], 1)
    assert (copy.known, copy.unknown) == ([[0, 1], [0, 1]], [0, 0])


@pytest.mark.parametrize(
    "row",
    [
        ["gone", 0, "bow"],
        ["came", 0],
        ["came", 0, "spoon"],
        ["came", "bow", 0],
        ["moved", 0],
        ["counted", 0, "bow"],
        ["counted", 0, "bow", -1],
        ["came", 2, "bow"],
        ["moved", 0, -1],
    ],
)
def test_r37a_a_row_that_is_none_is_refused(row: list[object]) -> None:
    with pytest.raises(ValueError):
        Ledger.rebuilt([[0, 0], [0, 0]], [row], NAMES[:2])


def test_r37a_what_was_not_seen_is_drawn_evenly() -> None:
    rng, trace = random.Random(0), [Entry.came(0, 0b111), Entry.counted(0, 0, 0)]
    swords = sum(contents(trace, 1, 3, rng)[0][1] for _ in range(400))
    assert 170 < swords < 230


def test_r37a_a_house_without_doubt_is_drawn_as_it_is_known() -> None:
    ledger = ledger_of([Entry.came(0, 0b11), Entry.came(1, 0b10)], 2, 2)
    assert ledger.draw(random.Random(0))[1] == [0, 1]
