"""What a seat of the reference knows (rules 4.3 and 8), found again and again out of all that has happened."""

from __future__ import annotations

from typing import Any

from tests.reference import claim_votes
from tests.reference.claim_decks import faction, in_order
from tests.reference.claim_table import Asked, Table, Trick


def view(table: Table, seat: int, asked: Asked | None) -> dict[str, Any]:
    """The fields of rule 8's view, but for the variant's id. At the end `asked` is None, and no trick is under way."""
    seats, favour = range(table.players), table.phase == "favour"
    under_way = {"trick": shown(table.tricks[-1])} if asked else {}
    finished = table.tricks[:-1] if asked else table.tricks
    return under_way | {
        "seat": seat,
        "to_act": [asked[0]] if asked else [],
        "decision": asked[1] if asked else None,
        "phase": table.phase,
        "trick_number": len([trick for trick in table.tricks if trick.phase == table.phase]),
        "tricks": [shown(trick) for trick in finished],
        "hand": in_order(table.hands[seat]),
        "recruited": table.recruited[seat],
        "look": table.look if asked and asked[:2] == (seat, "recruit") and table.look else None,
        "left": left(table, seat),
        "faceup": table.faceup,
        "deck": len(table.deck),
        "hands": [len(hand) for hand in table.hands],
        "followers": [0 if favour else len(table.recruited[seat]) for seat in seats],
        "known": [known(table, seat) for seat in seats],
        "voids": [voids(table, seat) for seat in seats],
        "piles": table.piles,
        "rows": table.rows,
        "out": table.out,
        "giants": table.giants,
        "removed": table.removed,
        "votes": {letter: claim_votes.rule_7_1(table, letter) for letter in table.letters},
    }


def shown(trick: Trick) -> dict[str, Any]:
    """A trick as views have it."""
    found: dict[str, Any] = {
        "leader": trick.leader,
        "led": faction(trick.plays[0][1]) if trick.plays else None,
        "plays": [[seat, card] for seat, card in trick.plays],
        "ranking": trick.ranking,
    }
    if trick.phase == "recruit":
        found["recruits"] = trick.recruits
    return found


def known(table: Table, seat: int) -> list[str]:
    """What a seat recruited face up and has not played since."""
    cards = [trick.recruits[seat] for trick in table.tricks]
    found = [card for card in cards if card]
    for card in played_later(table, seat):
        if card in found:
            found.remove(card)
    return found


def left(table: Table, looker: int) -> list[list[Any]]:
    """What a seat saw as a Seer's winner and left, while it is not played; a known card of that face goes first."""
    found = [[number, card, got] for number, who, card, got in table.left if who == looker]
    for seat in range(table.players):
        faceup = [trick.recruits[seat] for trick in table.tricks]
        for card in played_later(table, seat):
            if card in faceup:
                faceup.remove(card)
            elif entries := [entry for entry in found if entry[1:] == [card, seat]]:
                found.remove(entries[0])
    return found


def played_later(table: Table, seat: int) -> list[str]:
    """What a seat has played in the favour phase."""
    tricks = [trick for trick in table.tricks if trick.phase == "favour"]
    return [card for trick in tricks for who, card in trick.plays if who == seat]


def voids(table: Table, seat: int) -> str:
    """Letters of the factions that a seat did not follow in this phase, and so has not; the first shown first."""
    found = []
    for trick in [trick for trick in table.tricks if trick.phase == table.phase]:
        for who, card in trick.plays:
            led = faction(trick.plays[0][1])
            if who == seat and faction(card) not in (led, "X"):
                found.append(led)
    return "".join(dict.fromkeys(found))
