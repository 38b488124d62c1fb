"""A drawn state agrees with every event that its seat has received (Aristoocrazy R37a).

What the events allow is worked out here anew from their bodies: for each house and trait the least and the
most that it can hold, and which cards it must.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from referee.game import Event, Seat
from referee.games.aristoocrazy import Aristoocrazy
from referee.games.aristoocrazy.data import TRAITS
from referee.games.aristoocrazy.events import card_names
from referee.games.aristoocrazy.game import AristoocrazyState
from referee.games.aristoocrazy.state import LAYING

GAME = Aristoocrazy()
VARIANTS = [
    *GAME.variants(),
    *(f"aristoocrazy/{n}p/classic+take_visibility=closed" for n in (2, 3, 4)),
    "aristoocrazy/3p/classic+trait_set=rulebook9+take_visibility=closed",
    "aristoocrazy/4p/quick2013+take_visibility=closed",
]


def bounds(events: list[Event], house: int) -> dict[str, tuple[int, int]]:
    """By trait, the least and the most tokens that `house` can hold after what was seen."""
    least, most = Counter[str](), Counter[str]()
    family: dict[str, list[str]] = {}
    for event in events:
        body = event.body
        if event.kind in ("born", "tutored"):
            family[body["char"]] = body["traits"]
        elif event.kind == "setup":
            for seat, pair in enumerate(body["houses"]):
                family |= {f"{seat}M1": pair["man"], f"{seat}F1": pair["woman"]}
        elif event.kind == "taken" and body["seat"] == house:
            for trait in body["traits"] or ():
                least[trait] += 1
                most[trait] += 1
            if body["traits"] is None:
                possible = family[body["char"]] if body["char"] else TRAITS
                most.update(dict.fromkeys(possible, body["count"]))
        elif event.kind == "spent" and body["seat"] == house:
            _pay(least, most, body["tokens"])
        elif event.kind == "stolen":
            _steal(least, most, body, house)
        elif event.kind == "spied" and body["of"] == house and body["stash"] is not None:
            least, most = Counter(body["stash"]), Counter(body["stash"])
    return {trait: (max(least[trait], 0), most[trait]) for trait in TRAITS}


def _pay(least: Counter[str], most: Counter[str], tokens: dict[str, int]) -> None:
    for trait, count in tokens.items():
        least[trait] = max(least[trait] - count, 0)
        most[trait] -= count


def _steal(least: Counter[str], most: Counter[str], body: Mapping[str, Any], house: int) -> None:
    seen = body["trait"]
    for trait in TRAITS if seen is None else [str(seen)]:
        if body["seat"] == house:
            most[trait] += 1
            least[trait] += seen is not None
        elif body["from"] == house:
            least[trait] = max(least[trait] - 1, 0)
            most[trait] -= seen is not None


def committed(events: list[Event]) -> Iterator[Event]:
    """The events with every battle's tokens as spent by its two houses when it ends."""
    houses = (0, 0)
    for event in events:
        yield event
        if event.kind == "attack":
            houses = (int(event.body["char"][0]), event.body["defender"])
        elif event.kind == "battle":
            for seat, tokens in zip(houses, event.body["committed"], strict=True):
                yield Event("spent", {"seat": seat, "tokens": tokens})


def must_hold(events: list[Event], house: int) -> Counter[str]:
    """The cards that a spy has seen in that hand and that it has not played since."""
    cards = Counter[str]()
    for event in events:
        if event.kind == "spied" and event.body["of"] == house and event.body["hand"] is not None:
            cards = Counter(event.body["hand"])
        elif event.kind == "card" and event.body["seat"] == house:
            cards -= Counter([event.body["card"]])
    return cards


def agrees(drawn: AristoocrazyState, state: AristoocrazyState, seat: Seat) -> None:
    seen = list(committed([event for event in state.events() if event.seen_by(seat)]))
    for house, zone in enumerate(drawn.table.private):
        if house == seat:
            continue
        assert sum(zone.stash) == state.table.public.size[house]
        if state.table.public.decision != LAYING:
            for trait, (least, most) in bounds(seen, house).items():
                assert least <= zone.stash[TRAITS.index(trait)] <= most, (house, trait)
        assert not must_hold(seen, house) - Counter(card_names(zone.hand))
    zones = drawn.table.private
    cards = [*(card for zone in zones for card in zone.hand), *drawn.table.hidden.actions]
    assert sorted([*cards, *drawn.table.public.discard]) == sorted(drawn.table.public.variant.actions)


@pytest.mark.parametrize("id", VARIANTS)
def test_R37a_a_drawn_state_agrees_with_all_events_of_its_seat(id: str) -> None:
    variant, rng = GAME.variant(id), random.Random(id)
    for number in range(6):
        state = GAME.setup(variant, f"drawn {number}")
        step = 0
        while state.to_act:
            actor = rng.choice(state.to_act)
            state.apply(actor, rng.choice(state.legal(actor)))
            step += 1
            if step % 13 == 0:
                seat = Seat(rng.randrange(variant.players))
                agrees(GAME.sample(json.loads(json.dumps(state.view(seat))), rng), state, seat)


@pytest.mark.parametrize("id", ["aristoocrazy/2p/classic", "aristoocrazy/2p/quick2013"])
def test_R37_between_two_with_open_takes_a_stash_is_known(id: str) -> None:
    """All that happens to one's tokens, the other sees."""
    state, rng = GAME.setup(GAME.variant(id), "open"), random.Random(1)
    while state.to_act:
        actor = rng.choice(state.to_act)
        state.apply(actor, rng.choice(state.legal(actor)))
        if state.table.public.decision != LAYING:
            drawn = GAME.sample(state.view(Seat(0)), rng)
            assert drawn.table.private[1].stash == state.table.private[1].stash
