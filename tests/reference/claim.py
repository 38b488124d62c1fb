"""Claim's rules, played as plainly as they are written: what the engine is compared with.

Written from the text of the rules alone (referee/games/claim/README.md), before the engine's code was looked at, and it
shares nothing with it. Cards are strings, all else is lists and dicts of them, and nothing is meant to be quick.
A function has the number of its rule; `claim_decks` has rules 1 and 2, `claim_powers` 5, `claim_votes` 7,
`claim_views` what a seat knows. Where a seat decides it is a generator: it yields who is asked, for what, and
what is legal, and is sent the answer.

    game = play(table)
    asked = next(game)                       (0, "play", ["G0", "G3", …])
    asked = game.send("G3")                  until StopIteration: `table` has the end
"""

from __future__ import annotations

from tests.reference.claim_decks import CARDS_EACH, FACEUP, faction, in_order, value
from tests.reference.claim_powers import (
    rule_5_2,
    rule_5_3,
    rule_5_4_draws,
    rule_5_4_look,
    rule_5_5,
    rule_5_6,
    rule_5_6_leftover,
    rule_5_7_end,
    rule_5_8,
)
from tests.reference.claim_table import Asking, Play, Table, Trick, played


def play(table: Table) -> Asking:
    """A whole game."""
    for _ in range(CARDS_EACH[table.players]):
        yield from rule_4_1(table)
    table.phase = "favour"
    table.hands = [list(cards) for cards in table.recruited]
    for _ in range(CARDS_EACH[table.players]):
        yield from rule_4_2(table)
    rule_5_6_leftover(table)
    rule_5_7_end(table)


def trick(table: Table) -> Asking:
    """All seats play a card, and are ranked."""
    now = Trick(table.phase, table.leader, [None] * table.players)
    table.tricks.append(now)
    for step in range(table.players):
        seat = (table.leader + step) % table.players
        legal = rule_3_1(table.hands[seat]) if step == 0 else rule_3_2(table.hands[seat], led(now))
        card = yield seat, "play", in_order(list(set(legal)))
        table.hands[seat].remove(card)
        now.plays.append((seat, card))
    now.ranking = [seat for seat, _ in rule_3_6(now.plays, table.options)]


def led(now: Trick) -> str:
    """The led faction."""
    return faction(now.plays[0][1])


def rule_3_1(hand: list[str]) -> list[str]:
    """The leader plays any card."""
    return hand


def rule_3_2(hand: list[str], led: str) -> list[str]:
    """The others play a card of the led faction or a Doppelganger; any card where they hold none of that faction."""
    if not any(faction(card) == led for card in hand):
        return hand
    return [card for card in hand if faction(card) == led or faction(card) == "X"]


def rule_3_3(card: str, led: str) -> bool:
    """Whether a card follows: of the led faction, or a Doppelganger."""
    return faction(card) == led or faction(card) == "X"


def rule_3_4(plays: list[Play], followed: list[Play], options: dict[str, str]) -> Play | None:
    """The Knight that wins against Goblins, where there is one; `followed`: those that followed, best first."""
    knights = highest_first([play for play in plays if faction(play[1]) == "K"])
    if faction(plays[0][1]) != "G" or not knights:
        return None
    if options.get("knight_vs_doppelganger") == "no" and faction(followed[0][1]) == "X":
        return None
    return knights[0]


def rule_3_5(plays: list[Play]) -> list[Play]:
    """The plays that followed, the best first; of equal ones the earlier."""
    return highest_first([play for play in plays if rule_3_3(play[1], faction(plays[0][1]))])


def rule_3_6(plays: list[Play], options: dict[str, str]) -> list[Play]:
    """The rank of each play: the winner, the others that followed, those that did not."""
    followed = rule_3_5(plays)
    rest = highest_first([play for play in plays if play not in followed])
    winner = rule_3_4(plays, followed, options) or followed[0]
    return [winner] + [play for play in followed + rest if play != winner]


def highest_first(plays: list[Play]) -> list[Play]:
    """Plays by value, the higher first, equal ones in order of play."""
    return sorted(plays, key=lambda play: -value(play[1]))


def rule_3_7(table: Table) -> int:
    """Who leads next: the winner, where no Dragon says otherwise."""
    now = table.tricks[-1]
    dragon = rule_5_5(table)
    return now.ranking[0] if dragon is None else dragon


def rule_4_1(table: Table) -> Asking:
    """A trick of the recruit phase; the cards played that are no Undead are out of the game."""
    while len(table.faceup) < FACEUP[table.players]:
        table.faceup.append(table.deck.pop(0))
    yield from trick(table)
    rule_5_2(table)
    rule_5_4_look(table)
    yield from rule_4_1_recruits(table)
    table.leader = rule_3_7(table)


def rule_4_1_recruits(table: Table) -> Asking:
    """In order of rank: a face-up card, which is chosen where there are two; then the deck's."""
    for place, seat in enumerate(table.tricks[-1].ranking):
        if place == 0 and table.look:
            yield from choose(table, seat, [*in_order(table.faceup), "deck"])
        elif place == 1 and rule_5_4_draws(table):
            take(table, seat, "deck")
        elif len(table.faceup) == 2:
            yield from choose(table, seat, in_order(table.faceup))
        elif len(table.faceup) == 1:
            take(table, seat, table.faceup[0])
        else:
            take(table, seat, "deck")


def choose(table: Table, seat: int, cards: list[str]) -> Asking:
    """A seat takes one of `cards`; equal ones are one choice."""
    answer = yield seat, "recruit", [f"take {card}" for card in dict.fromkeys(cards)]
    take(table, seat, answer.removeprefix("take "))


def take(table: Table, seat: int, what: str) -> None:
    """A seat recruits a face-up card, or `deck`: its top."""
    now = table.tricks[-1]
    if what != "deck":
        table.faceup.remove(what)
        table.recruited[seat].append(what)
        now.recruits[seat] = what
        return
    table.recruited[seat].append(table.deck.pop(0))
    if table.look and seat != now.ranking[0]:
        table.left.append((len(table.tricks) - 1, now.ranking[0], table.look, seat))
    table.look = ""


def rule_4_2(table: Table) -> Asking:
    """A trick of the favour phase."""
    yield from trick(table)
    winner = table.tricks[-1].ranking[0]
    cards = played(table)
    dwarves = [card for card in cards if faction(card) == "W"]
    giants = [card for card in cards if faction(card) == "A"]
    gnomes = [card for card in cards if faction(card) == "N"]
    table.piles[rule_5_3(table)] += dwarves
    table.piles[winner] += rule_5_6(table)
    yield from rule_5_8(table, giants)
    table.rows[winner] += gnomes
    table.piles[winner] += [card for card in cards if faction(card) not in "WTAN"]
    table.leader = rule_3_7(table)
