"""Other worlds that a seat cannot tell from the true one, and what a seat may observe in them.

`OTHER_WORLD[game]` gives a literal deal, and plays, that have shown the seat the same things as the true ones;
`OBSERVED[game]` reads off a state what the seat may observe, `HAPPENED[game]` what a play shows it beside that
(dice, revealed answers), by the rules and without views and events. A game joins the non-interference tests by
an entry in each.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from referee.game import Event, Game, Seat, State
from referee.games.claim.cards import names
from referee.games.claim.events import render
from referee.games.claim.game import ClaimState
from tests.every_game.aristoocrazy_worlds import (
    aristoocrazy_happened,
    aristoocrazy_observed,
    aristoocrazy_other_world,
)

Play = tuple[Seat, str]
OtherWorld = Callable[
    [Game, str, Sequence[str], Sequence[Play], Seat, random.Random], tuple[list[str], list[Play]]
]
Observed = Callable[[State, Seat], Any]
Happened = Callable[[State, Play, State, Seat], Any]


def claim_other_world(
    game: Game, id: str, literal: Sequence[str], plays: Sequence[Play], seat: Seat, rng: random.Random
) -> tuple[list[str], list[Play]]:
    """The same plays on another deal: all that is secret in Claim lies in the cards."""
    state = game.deal(game.variant(id), literal)
    for play in plays:
        state.apply(play[0], state.parse(*play))
    return _claim_other_deal(game, state, seat, rng), list(plays)


def _claim_other_deal(game: Game, state: State, seat: Seat, rng: random.Random) -> list[str]:
    """A sampled world's hands and deck, put back in the order in which cards left the deck."""
    drawn = game.sample(json.loads(json.dumps(state.view(seat))), rng)
    assert isinstance(drawn, ClaimState)
    # From the log, so that a leak planted in `events` cannot spoil the other world.
    assert isinstance(state, ClaimState)
    events = [render(state.table.public.variant, entry) for entry in state.table.log]
    players = range(len(drawn.table.private))
    recruits = [_recruits(events, drawn, Seat(other), seat, rng) for other in players]
    deck: list[str] = []
    for event in events:
        body = event.body
        if event.kind == "turned":
            deck += body["cards"]
        elif event.kind == "recruit" and body["card"] is not None:
            card = recruits[body["seat"]].pop(0)
            deck += [card] if body["source"] == "deck" else []
    hands = [name for other in players for name in _first_hand(events, drawn, other)]
    return hands + deck + names(reversed(drawn.table.hidden.deck))


def _recruits(
    events: list[Event], drawn: ClaimState, other: Seat, seat: Seat, rng: random.Random
) -> list[str]:
    """What `other` recruited in the drawn world, in an order that agrees with all that `seat` was told."""
    told = [
        e.body["card"] for e in events if e.kind == "recruit" and e.seen_by(seat) and e.body["seat"] == other
    ]
    rest = list((Counter(names(drawn.table.private[other].recruited)) - Counter(told)).elements())
    rng.shuffle(rest)
    return [rest.pop() if card is None else card for card in told]


def _first_hand(events: list[Event], drawn: ClaimState, seat: int) -> list[str]:
    kinds = [event.kind for event in events]
    recruit_phase = events[: kinds.index("phase")] if "phase" in kinds else events
    played = [str(e.body["card"]) for e in recruit_phase if e.kind == "play" and e.body["seat"] == seat]
    return played if "phase" in kinds else played + names(drawn.table.private[seat].hand)


def claim_observed(state: State, seat: Seat) -> Any:
    """Cards on the table, and what the seat drew or looked at; who recruits what follows from plays."""
    assert isinstance(state, ClaimState)
    public, own = state.table.public, state.table.private[seat]
    tricks = [trick.cards for trick in public.tricks]
    return [public.plays, public.faceup, tricks, public.turn, own.recruited, own.look, own.left]


OTHER_WORLD: dict[str, OtherWorld] = {
    "claim": claim_other_world,
    "aristoocrazy": aristoocrazy_other_world,
}
OBSERVED: dict[str, Observed] = {"claim": claim_observed, "aristoocrazy": aristoocrazy_observed}
HAPPENED: dict[str, Happened] = {
    "claim": lambda before, play, after, seat: play,
    "aristoocrazy": aristoocrazy_happened,
}
