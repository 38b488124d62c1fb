"""What a game must say of itself: the contract between the rules and everything that runs them.

Rules are values in, values out: no clock, no randomness of their own, no I/O, no penalties. Standard
library only. The laws that every game keeps (tests/every_game holds them over the registry):

* someone can act until the end, and every legal action succeeds;
* an action that is not legal raises `IllegalAction` and changes nothing;
* the same variant, deal and actions give the same events, views and outcome on every machine;
* what a seat is shown depends on nothing that the seat may not know.

What makes a view, a legal list, whose turn it is and the result is handed the state's public zone and
at most one private zone, never the state:

    +-------------------------- State --------------------------+
    |  public            everybody may know it                  |
    |  private[seat]     that seat alone (its hand)             |
    |  hidden            nobody (the order of the deck)         |
    +-----------------------------------------------------------+
        view(seat) = f(public, private[seat])        public() = f(public)
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from mypy_extensions import mypyc_attr

from protocol.vocabulary import Outcome, Seat, Team
from referee.variant import Variant

__all__ = [
    "Action", "Event", "Game", "GameError", "IllegalAction", "Outcome", "Seat", "State", "Team",
    "Variant", "VariantError", "WrongDeal",
]  # fmt: skip

Action = int
"""An action inside: a small int whose meaning is the game's own. At the edge it is a short string."""


class GameError(ValueError):
    """Someone asked a game for what its rules do not know. The message says what, and what is known."""


class IllegalAction(GameError):
    """An action that its seat may not take now. Nothing has changed."""


class VariantError(GameError):
    """No such variant, or an id that is not written as it should be (the message has the right one)."""


class WrongDeal(GameError):
    """A literal deal that is not an ordering of the variant's deck."""


class Event(NamedTuple):
    """Something that happened, and who may know it."""

    kind: str
    body: Mapping[str, Any]
    """JSON-able; cards and actions in the game's notation."""
    audience: tuple[Seat, ...] | None = None
    """The seats that see it; None: everybody."""

    def seen_by(self, seat: Seat) -> bool:
        """Whether `seat` may know of it."""
        return self.audience is None or seat in self.audience


@mypyc_attr(allow_interpreted_subclasses=True)
class State(ABC):
    """A game under way. Changed in place by `apply`; `clone` before trying things out."""

    __slots__ = ()

    @property
    @abstractmethod
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that owe a decision: one, or several in a secret simultaneous choice; empty at the end."""

    @abstractmethod
    def legal(self, seat: Seat) -> list[Action]:
        """What `seat` may do now, in a stable order; never empty for a seat in `to_act`, else empty."""

    @abstractmethod
    def apply(self, seat: Seat, action: Action) -> None:
        """Do it. Raises IllegalAction, and changes nothing, where `action` is not in `legal(seat)`."""

    @abstractmethod
    def text(self, action: Action) -> str:
        """The action in the game's notation."""

    def legal_text(self, seat: Seat) -> list[str]:
        """`legal(seat)` in the game's notation, in the same order."""
        return [self.text(action) for action in self.legal(seat)]

    def parse(self, seat: Seat, text: str) -> Action:
        """The legal action that `text` writes. Raises IllegalAction with the legal ones."""
        for action in self.legal(seat):
            if self.text(action) == text:
                return action
        legal = " ".join(self.legal_text(seat)) or "nothing: it is not its turn"
        raise IllegalAction(f"seat {seat} may not {text!r}; legal: {legal}")

    @abstractmethod
    def default(self, seat: Seat) -> Action:
        """What a house player does in a seat whose bot is gone."""

    @abstractmethod
    def events(self, start: int = 0) -> list[Event]:
        """All that has happened, from the event of index `start` on (for all audiences)."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """The result by the rules; None while the game goes on."""

    @abstractmethod
    def view(self, seat: Seat) -> dict[str, Any]:
        """All that `seat` may know, JSON-able; it is read at once and not kept (parts may be shared)."""

    @abstractmethod
    def public(self) -> dict[str, Any]:
        """What somebody knows who sits in no seat, JSON-able: the view of those who watch a game under way.

        In the shape of a view, made of the public zone alone. What only a seat has is not in it; all else is a part
        of every seat's view.
        """

    def unseen(self) -> dict[str, Any]:
        """What no seat knows (the order of the deck), JSON-able: for those who watch the whole game, never for bots."""
        return {}

    @abstractmethod
    def clone(self) -> State:
        """An independent copy, cheap enough for a search."""

    def __copy__(self) -> State:
        return self.clone()

    def __deepcopy__(self, memo: object) -> State:
        return self.clone()

    def __reduce__(self) -> str:
        # Compiled classes would be written, and fail to be read where they arrive.
        raise TypeError("states are not pickled; send variant, seed and actions, or a view to sample from")

    def play_out(self, rng: random.Random) -> int:
        """Play on to the end, each decision drawn evenly with `rng`; the number of decisions.

        What a search makes of a position over and over: where the rules are compiled, so is this.
        """
        decisions, luck = 0, rng.random
        while acting := self.to_act:
            seat = acting[0]
            legal = self.legal(seat)
            self.apply(seat, legal[int(luck() * len(legal))])
            decisions += 1
        return decisions


@mypyc_attr(allow_interpreted_subclasses=True)
class Game(ABC):
    """A game: its variants, and how one is set up."""

    name: ClassVar[str]
    """As in ids: `claim`."""
    title: ClassVar[str]
    """As people write it: `Claim`."""
    rules: ClassVar[int]
    """Raised by hand when play changes: results of different rules never mix."""

    @abstractmethod
    def variants(self) -> Sequence[str]:
        """The ids of all variants with default options, in a stable order."""

    @abstractmethod
    def aliases(self) -> Mapping[str, str]:
        """Short names of variants, with the id that each stands for."""

    def terms(self, lang: str) -> Mapping[str, str]:
        """Its words in a language, by keys that all games form alike (see `referee.wording`); a game may have none.

        `kind.<kind of event>`, `phase.<phase>`, `decision.<decision>`, and what the game's own catalogue has.
        Raises ValueError where `lang` is none of LANGS.
        """
        return {}

    def options(self) -> Mapping[str, Sequence[str]]:
        """The values of every option of the rules, the default first; a game may have none."""
        return {}

    @abstractmethod
    def variant(self, id: str) -> Variant:
        """The variant of that id or alias. Raises VariantError: what is wrong, and what is known."""

    @abstractmethod
    def matching(self, pattern: str) -> list[str]:
        """The ids that `pattern` (`claim/2p/*`, `claim/2p/*+troll_carry=cap`) means. Raises VariantError."""

    @abstractmethod
    def rules_id(self, variant: Variant) -> str:
        """`<rules>-<8 hex digits of the data and options>`: what may be rated together."""

    @abstractmethod
    def setup(self, variant: Variant, seed: str) -> State:
        """A game dealt from `seed` (see `referee.chance`)."""

    @abstractmethod
    def deal(self, variant: Variant, literal: Sequence[str]) -> State:
        """A game from a deal given literally. Raises WrongDeal: what is missing or too much."""

    @abstractmethod
    def literal(self, variant: Variant, seed: str) -> list[str]:
        """The deal that `setup` makes of `seed`, written as `deal` takes it."""

    @abstractmethod
    def setup_info(self, variant: Variant) -> dict[str, Any]:
        """What every seat may know before the first move (the deck list, the board); JSON-able."""

    @abstractmethod
    def sample(self, view: Mapping[str, Any], rng: random.Random) -> State:
        """A full state that agrees with all that the view's seat knows, drawn with `rng`."""

    @abstractmethod
    def render(self, state: State, seat: Seat | None = None, lang: str = "en") -> str:
        """The position as plain text of at most 80 columns: all of it, or what `seat` sees.

        Raises ValueError where `lang` is none of LANGS.
        """

    def inks(self) -> Mapping[str, str]:
        """How a terminal may colour what the game writes: a colour by the pattern of what has it.

        A colour is `red`, `green`, `yellow`, `blue`, `magenta` or `cyan`, `bright` or `strong` (bold) before it; or
        `strong` alone. It repeats what the text says, and a pattern has no groups that capture.
        """
        return {}
