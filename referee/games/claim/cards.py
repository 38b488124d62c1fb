"""The ten factions and their 104 cards (Claim 1).

Inside, a card is its face: ten times the faction's number plus the value. Equal copies are the same
face, as nothing in the rules tells them apart. Knows no variant and no state.

>>> NAMES[card_of("K7")], faction_of(card_of("K7")) == KNIGHTS
('K7', True)
>>> sum(len(values) for values in VALUES)
104
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

Card = int
"""A face: `10 * faction + value`, so that sorted cards stand by faction, then by value."""

GOBLINS: Final = 0
KNIGHTS: Final = 1
UNDEAD: Final = 2
DWARVES: Final = 3
DOPPELGANGERS: Final = 4
GNOMES: Final = 5
GIANTS: Final = 6
TROLLS: Final = 7
DRAGONS: Final = 8
SEERS: Final = 9

LETTERS: Final = "GKUWXNATDS"
"""The letter of each faction, in the order of the table."""

TITLES: Final = (
    "Goblins", "Knights", "Undead", "Dwarves", "Doppelgangers",
    "Gnomes", "Giants", "Trolls", "Dragons", "Seers",
)  # fmt: skip

_EACH_VALUE = tuple(range(10))
VALUES: Final[tuple[tuple[int, ...], ...]] = (
    (0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    (2, 3, 4, 5, 6, 7, 8, 9),
    _EACH_VALUE,
    _EACH_VALUE,
    _EACH_VALUE,
    (1, 1, 1, 3, 3, 3, 5, 5, 5, 7, 7, 7, 9),
    (1, 1, 3, 3, 5, 5, 7, 7, 9),
    _EACH_VALUE,
    _EACH_VALUE,
    _EACH_VALUE,
)
"""The values of each faction's cards, ascending, one entry a copy."""

NAMES: Final = tuple(f"{letter}{value}" for letter in LETTERS for value in range(10))
"""How a face is written; index: the face."""

_CARDS: Final = {name: card for card, name in enumerate(NAMES)}


def card_of(name: str) -> Card:
    """The face that `name` (`K7`) writes. KeyError where it writes none."""
    return _CARDS[name]


def names(cards: Iterable[Card]) -> list[str]:
    """The cards in notation, in the same order."""
    return [NAMES[card] for card in cards]


def faction_of(card: Card) -> int:
    """The faction's number, 0 to 9."""
    return card // 10


def deck_of(factions: Iterable[int]) -> list[Card]:
    """The cards of some factions, in that order: with all of a deck, what is shuffled to deal (Claim 2.6)."""
    return [10 * faction + value for faction in factions for value in VALUES[faction]]
