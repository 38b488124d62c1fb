"""Claim 7 for the reference (see `claim`): who has which vote, and who wins."""

from __future__ import annotations

from tests.reference.claim_decks import faction, value
from tests.reference.claim_table import Table


def rule_7_1(table: Table, letter: str) -> int | None:
    """The team that has a faction's vote as things stand, or None. Rows count."""
    values: dict[int, list[int]] = {}
    for team in sorted(set(table.teams)):
        values[team] = sorted(
            (value(card) for card in rule_7_2_pool(table, team) if faction(card) == letter), reverse=True
        )
    most = max(len(has) for has in values.values())
    if most == 0:
        return None
    best = [team for team, has in values.items() if len(has) == most]
    compared = 1 if table.options["faction_tie"] == "void" else most
    for place in range(compared):
        highest = max(values[team][place] for team in best)
        best = [team for team in best if values[team][place] == highest]
    return best[0] if len(best) == 1 else None


def rule_7_2_pool(table: Table, team: int) -> list[str]:
    """All that a team has captured."""
    return [
        card
        for seat in range(table.players)
        if table.teams[seat] == team
        for card in table.piles[seat] + table.rows[seat]
    ]


def rule_7_2_places(table: Table) -> list[int]:
    """Each seat's place: how many sides are above it."""
    standing = {}
    for team in table.teams:
        cards = len(rule_7_2_pool(table, team)) if table.options["game_tie"] == "cards" else 0
        standing[team] = (rule_7_3_votes(table, team), cards)
    return [sum(other > standing[team] for other in standing.values()) for team in table.teams]


def rule_7_3_votes(table: Table, team: int) -> int:
    """Votes of a team."""
    return [rule_7_1(table, letter) for letter in table.letters].count(team)
