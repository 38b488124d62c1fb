"""Aristoocrazy as a `Game`: what the rest of the house sees of it."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from referee.game import Action, Event, Game, Outcome, Seat, State, Variant, VariantError
from referee.games.aristoocrazy import deals, sampling, scoring, variants
from referee.games.aristoocrazy.actions import text
from referee.games.aristoocrazy.data import data
from referee.games.aristoocrazy.draw import INKS, board
from referee.games.aristoocrazy.events import card_names, render
from referee.games.aristoocrazy.luck import Luck
from referee.games.aristoocrazy.rulebook import check
from referee.games.aristoocrazy.rules import apply, begin, legal_actions
from referee.games.aristoocrazy.state import OVER, Table
from referee.games.aristoocrazy.terms import TERMS
from referee.games.aristoocrazy.variants import AristoocrazyVariant
from referee.games.aristoocrazy.view import public_view, view
from referee.wording import in_language

_SEATS: Final = tuple(map(Seat, range(4)))


class AristoocrazyState(State):
    """A game of Aristoocrazy under way."""

    __slots__ = ("_legal", "table")

    def __init__(self, table: Table) -> None:
        self.table = table
        """The zones."""
        self._legal: dict[int, list[Action]] = {}

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that owe an answer: several in a secret simultaneous choice (Aristoocrazy R39)."""
        return tuple([_SEATS[seat] for seat in self.table.public.pending])

    def legal(self, seat: Seat) -> list[Action]:
        """The first is what a house player does; empty where the seat owes nothing."""
        if seat not in self._legal:
            self._legal[seat] = legal_actions(self.table.public, self.table.private[seat], seat)
        return self._legal[seat][:]

    def apply(self, seat: Seat, action: Action) -> None:
        """Do it. Raises IllegalAction, and changes nothing, where it is not legal."""
        apply(self.table, seat, action, self.legal(seat))
        self._legal = {}

    def text(self, action: Action) -> str:
        """`move:0M1:b2`, `commit:1,0,2` (Aristoocrazy R39)."""
        return text(action)

    def default(self, seat: Seat) -> Action:
        """The first legal action."""
        return self.legal(seat)[0]

    def events(self, start: int = 0) -> list[Event]:
        """What happened from event `start` on; of a sampled state, since it was sampled."""
        table = self.table
        return [render(table.public.variant, entry) for entry in table.log[start:]]

    @property
    def outcome(self) -> Outcome | None:
        """Places and victory points at the end (Aristoocrazy R35)."""
        public = self.table.public
        return scoring.outcome(public) if public.phase == OVER else None

    def view(self, seat: Seat) -> dict[str, Any]:
        """All that the seat may know (README, "The view")."""
        return view(self.table.public, self.table.private[seat], seat)

    def public(self) -> dict[str, Any]:
        """The view without what only a seat has: `seat`, `sealed`, `committed`, `traces`, what lies behind screens."""
        return public_view(self.table.public)

    def unseen(self) -> dict[str, Any]:
        """The event cards of the whole game in order, and the deck of action cards, the next to be drawn first."""
        hidden = self.table.hidden
        events = self.table.public.variant.events
        return {
            "events": [events[card].id for card in hidden.events],
            "actions": card_names(reversed(hidden.actions)),
        }

    def clone(self) -> AristoocrazyState:
        """An independent copy."""
        return AristoocrazyState(self.table.clone())


class Aristoocrazy(Game):
    """Aristoocrazy, classic and quick2013, for two, three and four players."""

    name = "aristoocrazy"
    title = "Aristoocrazy"
    rules = variants.RULES

    def variants(self) -> tuple[str, ...]:
        """The six ids with default options, fewer players first."""
        return variants.bases()

    def aliases(self) -> dict[str, str]:
        """The two forms of the game for two players."""
        return dict(variants.ALIASES)

    def terms(self, lang: str) -> dict[str, str]:
        """The catalogue in one language. Raises ValueError where there is none in it."""
        return in_language(TERMS, lang)

    def options(self) -> dict[str, tuple[str, ...]]:
        """The configuration (README 1), in the order in which an id writes it; defaults are classic's."""
        return {option.name: option.values for option in variants.OPTIONS}

    def variant(self, id: str) -> AristoocrazyVariant:
        """The variant of an id or alias. Raises VariantError (see `variants.variant_of`)."""
        return variants.variant_of(id)

    def matching(self, pattern: str) -> list[str]:
        """The ids that a pattern means. Raises VariantError where it means none."""
        return variants.matching(pattern)

    def rules_id(self, variant: Variant) -> str:
        """`1-<8 hex digits>` of all data that the variant plays with."""
        return variants.rules_id(_own(variant))

    def setup(self, variant: Variant, seed: str) -> AristoocrazyState:
        """A game whose decks are shuffled by streams `events` and `actions` of the seed (Aristoocrazy R38)."""
        own = _own(variant)
        return AristoocrazyState(begin(own, *deals.decks(own, seed), Luck(seed)))

    def deal(self, variant: Variant, literal: Sequence[str]) -> AristoocrazyState:
        """A game from decks and dice given word by word (README, "Literal deals"). Raises WrongDeal."""
        own = _own(variant)
        return AristoocrazyState(begin(own, *deals.read(own, literal)))

    def literal(self, variant: Variant, seed: str) -> list[str]:
        """The deal that `setup` makes of `seed`."""
        own = _own(variant)
        return deals.written(own, *deals.decks(own, seed), Luck(seed))

    def setup_info(self, variant: Variant) -> dict[str, Any]:
        """Board, traits, dice, decks and options (README, "The setup")."""
        return deals.setup_info(_own(variant))

    def sample(self, view: Mapping[str, Any], rng: random.Random) -> AristoocrazyState:
        """A state that agrees with all that the seat of `view` knows; its log starts empty."""
        return AristoocrazyState(sampling.sample(view, rng))

    def render(self, state: State, seat: Seat | None = None, lang: str = "en") -> str:
        """The board in at most 80 columns: what `seat` sees, or everything."""
        if not isinstance(state, AristoocrazyState):
            raise TypeError(f"not a state of Aristoocrazy: {type(state).__name__}")
        table = state.table
        shown = range(len(table.private)) if seat is None else (seat,)
        return board(table.public, {number: table.private[number] for number in shown}, self.terms(lang))

    def inks(self) -> dict[str, str]:
        """Houses in their colours."""
        return INKS


def _own(variant: Variant) -> AristoocrazyVariant:
    if not isinstance(variant, AristoocrazyVariant):
        raise VariantError(f"{variant.id!r} is no variant of Aristoocrazy")
    _require_functions()
    return variant


@cache
def _require_functions() -> None:
    """Once: every name in the data has its function. Raises BrokenData."""
    check(data())
