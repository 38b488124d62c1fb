"""Claim 1 and 2 as plain lists: which cards there are, which variants, and how the cards are dealt.

Part of the reference that the engine is compared with (see `claim`): written from the rules alone, and it imports
nothing of the engine. A card is a string, `K7`; a function has the number of its rule.
"""

from __future__ import annotations

from itertools import combinations

VALUES = {
    "G": [0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    "K": [2, 3, 4, 5, 6, 7, 8, 9],
    "U": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    "W": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    "X": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    "N": [1, 1, 1, 3, 3, 3, 5, 5, 5, 7, 7, 7, 9],
    "A": [1, 1, 3, 3, 5, 5, 7, 7, 9],
    "T": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    "D": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    "S": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
}
"""Claim 1: a faction's letter, and the values of its cards. The order of the table is the order of sorting."""

PAIRS = ["GK", "NA"]
SINGLES = "UWXTDS"
SINGLES_OF = {2: 3, 3: 5, 4: 5}
"""Number of single factions, by number of players."""
CARDS_EACH = {2: 13, 3: 12, 4: 9}
FACEUP = {2: 1, 3: 2, 4: 2}
"""Claim 4.1: cards turned up for a trick."""
TEAMS = {2: [0, 1], 3: [0, 1, 2], 4: [0, 1, 0, 1]}
"""Claim 2.4: who plays for whom, by seat."""

OPTIONS = {
    "knight_vs_doppelganger": ("KX", ["beats", "no"]),
    "dwarf_taker": ("W", ["last_ranked", "second_ranked", "last_losing_side"]),
    "seer_loser": ("S", ["faceup", "draw"]),
    "seer_multi": ("S", ["three_way", "off"]),
    "dragon_over_phase": ("D", ["yes", "no"]),
    "troll_carry": ("T", ["pile", "bonus", "cap"]),
    "troll_leftover": ("T", ["none", "last_winner"]),
    "giant_multi": ("A", ["choose", "all_opponents"]),
    "faction_tie": ("", ["lexicographic", "void"]),
    "game_tie": ("", ["draw", "cards"]),
}
"""Claim 2.2: an option, the factions that it needs in the deck, and its values, the default first."""


def faction(card: str) -> str:
    """Letter of a card's faction."""
    return card[0]


def value(card: str) -> int:
    """The number on a card."""
    return int(card[1:])


def in_order(cards: list[str]) -> list[str]:
    """Cards in the order of the table of rule 1, values ascending."""
    letters = list(VALUES)
    return sorted(cards, key=lambda card: (letters.index(faction(card)), value(card)))


def rule_2_1_variants() -> list[str]:
    """The ids of all variants that keep every option at its default."""
    return [
        f"claim/{players}p/{pair}-{''.join(singles)}"
        for players in (2, 3, 4)
        for pair in PAIRS
        for singles in combinations(SINGLES, SINGLES_OF[players])
    ]


def rule_2_1_deck(letters: str) -> list[str]:
    """Every card of a deck, by the letters of its factions, in the order of rule 2.6."""
    return in_order([f"{letter}{number}" for letter in letters for number in VALUES[letter]])


def rule_2_2_options(letters: str) -> dict[str, list[str]]:
    """The options that a deck has, with their values."""
    return {name: values for name, (needs, values) in OPTIONS.items() if all(n in letters for n in needs)}


def rule_2_2_id(id: str) -> tuple[int, str, dict[str, str]]:
    """Number of players, letters of the deck, and the value of each option that it has.

    >>> rule_2_2_id("claim/2p/GK-UWX+game_tie=cards")[1:]
    ('GKUWX', {'knight_vs_doppelganger': 'beats', 'dwarf_taker': 'last_ranked', 'faction_tie': 'lexicographic', 'game_tie': 'cards'})
    """
    base, *given = id.split("+")
    _, seats, deck = base.split("/")
    letters = deck.replace("-", "")
    options = {name: values[0] for name, values in rule_2_2_options(letters).items()}
    for text in given:
        name, _, chosen = text.partition("=")
        options[name] = chosen
    return int(seats[0]), letters, options


def rule_2_6(deal: list[str], players: int) -> tuple[list[list[str]], list[str]]:
    """Each seat's hand, and the deck, its top first."""
    each = CARDS_EACH[players]
    hands = [deal[seat * each : (seat + 1) * each] for seat in range(players)]
    return hands, deal[players * each :]
