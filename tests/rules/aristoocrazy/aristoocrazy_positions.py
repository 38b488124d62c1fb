"""Positions of Aristoocrazy set up by hand, and how tests play from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.game import Event, Seat
from referee.games.aristoocrazy.data import CHARACTERS, TRAITS, data, field_of
from referee.games.aristoocrazy.evaluation import evaluate
from referee.games.aristoocrazy.game import Aristoocrazy, AristoocrazyState
from referee.games.aristoocrazy.luck import Luck
from referee.games.aristoocrazy.people import house_of, put
from referee.games.aristoocrazy.rules import begin, resume
from referee.games.aristoocrazy.state import (
    CRESTS,
    EVENT,
    GO_ON,
    MOVING,
    NOBODY,
    SUPPLY,
    UNSEEN,
    USING,
    Public,
)
from referee.games.aristoocrazy.tokens import take

GAME = Aristoocrazy()
PAIR = ("0M1 a1 bow+sword+rule", "0F1 a1 magic+valour+learning")
OTHER_PAIR = ("1M1 d3 bow+sword+rule", "1F1 d3 magic+valour+learning")
"""The first two characters of two players, with fixed traits."""


def position(
    people: Sequence[str],
    id: str = "aristoocrazy",
    *,
    phase: str = "move",
    turn: int = 0,
    round: int = 3,
    owners: Mapping[str, int | None] | None = None,
    stashes: Mapping[int, str] | None = None,
    hands: Mapping[int, Sequence[str]] | None = None,
    row: Sequence[str] = (),
    deck: Sequence[str] | None = None,
    luck: Mapping[str, tuple[int, ...]] | None = None,
) -> AristoocrazyState:
    """A position in `phase` ("move", "use" or "event") of a turn.

    `people`: `"0M1 b2 bow+sword+rule"`, then if wanted the number of red chips, `acted`, `new`. Who stands on a
    field owns it; `owners` adds fields (`{"b2": 0}`). `stashes`: `{0: "bow bow money"}`. `row`: events from
    this round's on. `deck`: action cards, the last drawn first. `luck`: occasions as in a literal deal.
    "event" evaluates the first card of `row` after the turns of the round.
    """
    variant = GAME.variant(id)
    by_event = {card.id: at for at, card in enumerate(variant.events)}
    by_action = {card.id: at for at, card in enumerate(data().actions)}
    events = [*variant.deck[: round - 1], *(by_event[name] for name in row), *variant.deck][: variant.rounds]
    actions = list(variant.actions) if deck is None else [by_action[name] for name in reversed(deck)]
    table = begin(replace(variant, draft=False), events, actions, Luck("position", dict(luck or {})))
    public = table.public
    public.variant, public.round, public.deck = variant, round, len(actions)
    public.order = tuple((round - 1 + place) % public.players for place in range(public.players))
    unseen = max(data().unscored - round + 1, 0)
    public.row = [UNSEEN] * unseen + events[round - 1 + unseen : round + 3]
    _clear(public)
    for person in people:
        _stand(public, *person.split())
    for name, owner in (owners or {}).items():
        public.owner[field_of(name)] = NOBODY if owner is None else owner
    public.crests = [CRESTS + 1 - public.owner.count(seat) for seat in range(public.players)]
    for seat, tokens in (stashes or {}).items():
        for trait in tokens.split():
            take(table, seat, TRAITS.index(trait), variant.traits, "use")
    for seat, cards in (hands or {}).items():
        table.private[seat].hand = sorted(by_action[name] for name in cards)
        public.cards_held[seat] = len(cards)
    table.log.clear()
    if phase == "event":
        public.turn, public.phase, public.place, public.decision = NOBODY, EVENT, public.players, GO_ON
        evaluate(table)
    else:
        public.turn, public.place, public.decision = turn, public.order.index(turn), GO_ON
        public.phase = {"move": MOVING, "use": USING}[phase]
    resume(table)
    return AristoocrazyState(table)


def _clear(public: Public) -> None:
    public.at = [()] * len(public.at)
    public.where = [SUPPLY] * len(public.where)
    public.traits = [()] * len(public.traits)


def _stand(public: Public, name: str, field: str, traits: str, red: str = "0", *flags: str) -> None:
    char = CHARACTERS.index(name)
    put(public, char, field_of(field), tuple(TRAITS.index(trait) for trait in traits.split("+")))
    public.red[char], public.acted[char], public.fresh[char] = int(red), "acted" in flags, "new" in flags
    public.owner[field_of(field)] = house_of(char)


def legal(state: AristoocrazyState, seat: int) -> list[str]:
    """What the seat may do, as text."""
    return state.legal_text(Seat(seat))


def play(state: AristoocrazyState, *plays: str) -> list[Event]:
    """Play `"0 move:0M1:b2"`, one after the other; all events that came of it."""
    start = len(state.events())
    for line in plays:
        seat, text = line.split()
        state.apply(Seat(int(seat)), state.parse(Seat(int(seat)), text))
    return state.events(start)


def person(state: AristoocrazyState, name: str) -> dict[str, Any] | None:
    """The character of that name as a view shows it; None in supply."""
    found = [one for one in state.view(Seat(0))["characters"] if one["id"] == name]
    return found[0] if found else None


def there(state: AristoocrazyState, name: str) -> dict[str, Any]:
    """The character of that name, which is on the board."""
    found = person(state, name)
    assert found, f"{name} is in supply"
    return found


def house(state: AristoocrazyState, seat: int) -> dict[str, Any]:
    """A house as itself sees it."""
    return state.view(Seat(seat))["houses"][seat]  # type: ignore[no-any-return]


def stash(state: AristoocrazyState, seat: int) -> dict[str, int]:
    """The tokens of a house."""
    return house(state, seat)["stash"]  # type: ignore[no-any-return]


def kinds(events: Sequence[Event]) -> list[str]:
    """What happened, in a word each."""
    return [event.kind for event in events]


def bodies(events: Sequence[Event], kind: str) -> list[dict[str, Any]]:
    """The bodies of all events of a kind."""
    return [dict(event.body) for event in events if event.kind == kind]


def drafted(id: str = "aristoocrazy") -> AristoocrazyState:
    """After the set-up, every house having taken the first choices."""
    state = GAME.setup(GAME.variant(id), "s")
    while state.view(Seat(0))["phase"] == "setup":
        seat = state.to_act[0]
        state.apply(seat, state.default(seat))
    return state


def on_by_default(state: AristoocrazyState, until: int) -> None:
    """Until round `until` begins, or the end."""
    while state.to_act and state.view(Seat(0))["round"] < until:
        seat = state.to_act[0]
        state.apply(seat, state.default(seat))
