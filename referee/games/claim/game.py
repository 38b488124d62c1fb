"""Claim as a `Game`: what the rest of the house sees of it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from referee.chance import shuffled
from referee.game import Action, Event, Game, Outcome, Seat, State, Variant, VariantError, WrongDeal
from referee.games.claim import sampling, scoring, variants
from referee.games.claim.actions import TEXTS, legal_actions
from referee.games.claim.cards import NAMES, Card, card_of, names
from referee.games.claim.draw import INKS, board
from referee.games.claim.events import render
from referee.games.claim.rules import apply, begin
from referee.games.claim.state import NOBODY, Table
from referee.games.claim.terms import TERMS
from referee.games.claim.variants import ClaimVariant
from referee.games.claim.view import public_view, view
from referee.wording import in_language

_TURNS: Final[tuple[tuple[Seat, ...], ...]] = tuple([(Seat(seat),) for seat in range(4)])


class ClaimState(State):
    """A game of Claim under way."""

    __slots__ = ("table",)

    def __init__(self, table: Table) -> None:
        self.table = table
        """The zones; searches that want speed may work on a clone of it with `rules.apply`."""

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The one seat that decides; nobody at the end."""
        turn = self.table.public.turn
        return () if turn == NOBODY else _TURNS[turn]

    def legal(self, seat: Seat) -> list[Action]:
        """Ascending numbers, so cards by faction and value; empty where it is not the seat's turn."""
        table = self.table
        public = table.public
        return legal_actions(public, table.private[seat]) if seat == public.turn else []

    def apply(self, seat: Seat, action: Action) -> None:
        """Do it. Raises IllegalAction, and changes nothing, where it is not legal."""
        apply(self.table, seat, action)

    def text(self, action: Action) -> str:
        """`K7`, `take K7`, `take deck`, `smash 2 N5` (Claim 8)."""
        return TEXTS[action]

    def default(self, seat: Seat) -> Action:
        """The first legal action."""
        return self.legal(seat)[0]

    def events(self, start: int = 0) -> list[Event]:
        """What happened from event `start` on; of a sampled state, since it was sampled."""
        table = self.table
        variant = table.public.variant
        return [render(variant, entry) for entry in table.log[start:]]

    @property
    def outcome(self) -> Outcome | None:
        """Places, votes and teams at the end (Claim 7.3)."""
        public = self.table.public
        return scoring.outcome(public, scoring.owners(public)) if public.turn == NOBODY else None

    def view(self, seat: Seat) -> dict[str, Any]:
        """All that the seat may know (README, "The view")."""
        return view(self.table.public, self.table.private[seat], seat)

    def public(self) -> dict[str, Any]:
        """The view without what only a seat has: `seat`, `hand`, `recruited`, `look`, `left`."""
        return public_view(self.table.public)

    def unseen(self) -> dict[str, Any]:
        """The deck, the card that is turned up next first."""
        return {"deck": names(reversed(self.table.hidden.deck))}

    def clone(self) -> ClaimState:
        """An independent copy."""
        return ClaimState(self.table.clone())


class Claim(Game):
    """Claim and Claim 2, for two, three and four players: 64 variants and their options."""

    name = "claim"
    title = "Claim"
    rules = variants.RULES

    def variants(self) -> tuple[str, ...]:
        """The 64 ids with default options, fewer players first."""
        return variants.bases()

    def aliases(self) -> dict[str, str]:
        """The two boxes as sold."""
        return dict(variants.ALIASES)

    def terms(self, lang: str) -> dict[str, str]:
        """The catalogue in one language. Raises ValueError where there is none in it."""
        return in_language(TERMS, lang)

    def options(self) -> dict[str, tuple[str, ...]]:
        """The rules that no source settles, in the order in which an id writes them."""
        return {option.name: option.values for option in variants.OPTIONS}

    def variant(self, id: str) -> ClaimVariant:
        """The variant of an id or alias. Raises VariantError (see `variants.variant_of`)."""
        return variants.variant_of(id)

    def matching(self, pattern: str) -> list[str]:
        """The ids that a pattern means. Raises VariantError where it means none."""
        return variants.matching(pattern)

    def rules_id(self, variant: Variant) -> str:
        """`1-<8 hex digits>` of players, cards and options."""
        return variants.rules_id(_claim(variant))

    def setup(self, variant: Variant, seed: str) -> ClaimState:
        """A game dealt from stream `deck` of the seed (Claim 2.6)."""
        return self.deal_cards(variant, shuffled(seed, "deck", _claim(variant).deck))

    def deal(self, variant: Variant, literal: Sequence[str]) -> ClaimState:
        """A game from an ordering of the deck (Claim 2.6). Raises WrongDeal: what is missing or too much."""
        wanted, given = Counter(names(_claim(variant).deck)), Counter(literal)
        problems = [
            f"{what} {' '.join(sorted(cards.elements()))}"
            for what, cards in (("missing", wanted - given), ("too much", given - wanted))
            if cards
        ]
        if problems:
            raise WrongDeal(f"not a deal of {variant.id}: {'; '.join(problems)}")
        return self.deal_cards(variant, [card_of(name) for name in literal])

    def deal_cards(self, variant: Variant, cards: Sequence[Card]) -> ClaimState:
        """As `deal`, from faces and without a check."""
        return ClaimState(begin(_claim(variant), cards))

    def literal(self, variant: Variant, seed: str) -> list[str]:
        """The deal that `setup` makes of `seed`."""
        return names(shuffled(seed, "deck", _claim(variant).deck))

    def setup_info(self, variant: Variant) -> dict[str, Any]:
        """Deck, sizes, teams and options (README, "The setup")."""
        claim = _claim(variant)
        return {
            "variant": claim.id,
            "teams": list(claim.teams),
            "deck": [NAMES[card] for card in claim.deck],
            "cards_each": claim.each,
            "faceup": claim.turned,
            "options": variants.option_values(claim),
        }

    def sample(self, view: Mapping[str, Any], rng: random.Random) -> ClaimState:
        """A state drawn evenly from those that agree with `view`; its log starts empty."""
        return ClaimState(sampling.sample(view, rng))

    def render(self, state: State, seat: Seat | None = None, lang: str = "en") -> str:
        """The table in at most 80 columns: what `seat` sees, or everything."""
        if not isinstance(state, ClaimState):
            raise TypeError(f"not a state of Claim: {type(state).__name__}")
        table = state.table
        shown = range(len(table.private)) if seat is None else (seat,)
        return board(table.public, {number: table.private[number] for number in shown}, self.terms(lang))

    def inks(self) -> dict[str, str]:
        """Factions in ten colours, and who sits where in bold."""
        return INKS


def _claim(variant: Variant) -> ClaimVariant:
    if not isinstance(variant, ClaimVariant):
        raise VariantError(f"{variant.id!r} is no variant of Claim")
    return variant
