"""Claim 5 for the reference (see `claim`): what factions do. 5.1 is nothing, and a part of `claim`'s rule 3."""

from __future__ import annotations

from tests.reference.claim_decks import CARDS_EACH, faction, in_order, value
from tests.reference.claim_table import Asking, Table, played


def rule_5_2(table: Table) -> None:
    """Undead of the recruit phase go to the winner's pile."""
    table.piles[table.tricks[-1].ranking[0]] += [card for card in played(table) if faction(card) == "U"]


def rule_5_3(table: Table) -> int:
    """Who takes the Dwarves of the favour phase."""
    ranking = table.tricks[-1].ranking
    taker = table.options.get("dwarf_taker")
    if taker == "second_ranked":
        return ranking[1]
    if taker == "last_losing_side":
        return [seat for seat in ranking if table.teams[seat] != table.teams[ranking[0]]][-1]
    return ranking[-1]


def rule_5_4_look(table: Table) -> None:
    """Where a Seer has won its player sees the top of the deck."""
    now = table.tricks[-1]
    won = dict(now.plays)[now.ranking[0]]
    off = table.players > 2 and table.options.get("seer_multi") == "off"
    if faction(won) == "S" and not off:
        table.look = table.deck[0]


def rule_5_4_draws(table: Table) -> bool:
    """Whether the second of two takes the next card of the deck and lets the face-up one lie."""
    draw = table.options.get("seer_loser") == "draw"
    return table.players == 2 and draw and bool(table.faceup) and bool(table.deck)


def rule_5_5(table: Table) -> int | None:
    """The seat that played the last Dragon of the trick, where that counts."""
    over_phase = table.phase == "recruit" and len(table.tricks) == CARDS_EACH[table.players]
    if over_phase and table.options.get("dragon_over_phase") == "no":
        return None
    dragons = [seat for seat, card in table.tricks[-1].plays if faction(card) == "D"]
    return dragons[-1] if dragons else None


def rule_5_6(table: Table) -> list[str]:
    """The Trolls that the winner gets; `out` becomes what lies out then. (Their order is no rule: it is by value.)"""
    trolls = in_order([card for card in played(table) if faction(card) == "T"])
    both = in_order(table.out + trolls)
    carry = table.options.get("troll_carry")
    if carry == "cap":
        table.out = both[:-1]
        return both[-1:]
    if len(trolls) < 2:
        table.out = []
        return both
    if carry == "bonus":
        won = in_order([*table.out, trolls[-1]])
        table.out = trolls[:-1]
        return won
    table.out = in_order(table.out + trolls[:-1])
    return trolls[-1:]


def rule_5_6_leftover(table: Table) -> None:
    """Trolls that are out after the last trick."""
    if table.options.get("troll_leftover") == "last_winner":
        table.piles[table.tricks[-1].ranking[0]] += table.out
        table.out = []


def rule_5_7_end(table: Table) -> None:
    """Gnomes alive join the pile."""
    for pile, row in zip(table.piles, table.rows, strict=True):
        pile += row
        row.clear()


def rule_5_8(table: Table, giants: list[str]) -> Asking:
    """Each Giant, in order of play, removes an equal Gnome of an opponent, and joins the pile."""
    winner = table.tricks[-1].ranking[0]
    table.giants = list(giants)
    while table.giants:
        gnome = f"N{value(table.giants[0])}"
        victims = [seat for seat in range(table.players) if table.teams[seat] != table.teams[winner]]
        victims = [seat for seat in victims if gnome in table.rows[seat]]
        if len(victims) > 1 and table.options.get("giant_multi") == "choose":
            answer = yield winner, "smash", [f"smash {seat} {gnome}" for seat in victims]
            victims = [int(answer.split()[1])]
        for seat in victims:
            table.rows[seat].remove(gnome)
            table.removed.append(gnome)
        table.piles[winner].append(table.giants.pop(0))
