"""Claim by counting votes: plays the card after which the votes look best once the trick is over.

The trick under way is played out for every legal card: one opponent is expected to reply as it hurts,
several to take it cheaply or throw their lowest. Cards that this seat cannot know are supposed to lie in
some ways at random. With two players the hands of the favour phase are known, and its end is looked
through. What a position is worth is said by `claim_model`. The same view and `bot_seed` give the same move.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from claim_model import (
    Card,
    Rules,
    Table,
    after,
    legal,
    power,
    prospects,
    ranked,
    settled,
    strength,
    value,
    wins,
)

from protocol.client import Bot, Start, Turn, run

SUPPOSED = 12
"""In how many ways unseen cards are supposed to lie."""
EXACT = 6
"""Cards in hand from which on two players' favour phase is looked through: a few milliseconds a move."""


class Heuristic(Bot):
    wants_events = False

    rules: Rules
    deck: Counter[Card]
    bot_seed: str

    def started(self, start: Start) -> None:
        setup = start["setup"]
        factions = "".join(dict.fromkeys(card[0] for card in setup["deck"]))
        self.rules = Rules(setup["teams"], factions, setup["options"], setup["cards_each"])
        self.deck = Counter(setup["deck"])
        self.bot_seed = start["bot_seed"]

    def choose(self, turn: Turn) -> str:
        view, options = turn["view"], turn["legal"]
        if len(options) == 1:
            return options[0]
        if view["decision"] == "recruit":
            return max(options, key=lambda take: power(view["look"] if take == "take deck" else take[5:]))
        if view["decision"] == "smash":
            return max(options, key=lambda smash: len(view["rows"][int(smash.split()[1])]))
        return self.play(view, options)

    def play(self, view: dict[str, Any], options: Sequence[Card]) -> Card:
        """The best of `options`; of equal ones the first."""
        rng = random.Random(f"{self.bot_seed} {view['phase']} {view['trick_number']}")
        seat, plays = view["seat"], [card for _, card in view["trick"]["plays"]]
        exact = view["phase"] == "favour" and len(view["hands"]) == 2
        last = len(plays) + 1 == len(view["hands"])
        tables = [self.suppose(view, rng) for _ in range(1 if exact or last else SUPPOSED)]
        options = sorted(
            options,
            key=lambda card: sum(outlook(table, seat, [*plays, card]) for table in tables),
            reverse=True,
        )
        if exact and len(view["hand"]) <= EXACT:
            return surest(tables[0], seat, plays, options)
        return options[0]

    def suppose(self, view: dict[str, Any], rng: random.Random) -> Table:
        """The position as the trick began, unseen cards dealt at random."""
        rules = self.rules
        unseen = sorted((self.deck - seen_cards(view)).elements())
        average = sum(map(power, unseen)) / max(len(unseen), 1)
        tally = [dict.fromkeys(rules.factions, 0) for _ in set(rules.teams)]
        for team, pile, row in zip(rules.teams, view["piles"], view["rows"], strict=True):
            for card in pile + row:
                tally[team][card[0]] += strength(card)
        recruited = [
            view["recruited"] if seat == view["seat"] else known for seat, known in enumerate(view["known"])
        ]
        prizes = sorted((power(card) - average for card in view["faceup"]), reverse=True)
        return Table(
            rules=rules,
            favour=view["phase"] == "favour",
            leader=view["trick"]["leader"],
            hands=suppose_hands(view, unseen, rng),
            tally=tally,
            open=open_cards(self.deck, view),
            rows=view["rows"],
            out=view["out"],
            followers=[sum(map(power, cards)) + average * (rules.tricks - len(cards)) for cards in recruited],
            prizes=prizes + [0.0] * (len(rules.teams) - len(prizes)),
        )


def seen_cards(view: dict[str, Any]) -> Counter[Card]:
    """All cards of which this seat knows where they are."""
    seen = Counter(card for trick in [*view["tricks"], view["trick"]] for _, card in trick["plays"])
    seen.update(view["hand"] + view["faceup"] + [card for _, card, _ in view["left"]])
    if view["phase"] == "recruit":
        seen.update(view["recruited"])
    if view["look"]:
        seen[view["look"]] += 1
    for seat, cards in enumerate(view["known"]):
        if seat != view["seat"]:
            seen.update(cards)
    return seen


def suppose_hands(view: dict[str, Any], unseen: list[Card], rng: random.Random) -> list[list[Card]]:
    """Hands as they could be, with what each seat has played to this trick."""
    pool = rng.sample(unseen, len(unseen))
    hands = [sure_cards(view, seat) for seat in range(len(view["hands"]))]
    # Who has shown to lack most is dealt first, and gets what it lacks only where nothing else is left.
    for seat in sorted(range(len(hands)), key=lambda seat: -len(view["voids"][seat])):
        lacking = view["voids"][seat]
        dealt = sorted(pool, key=lambda card: card[0] in lacking)[: view["hands"][seat] - len(hands[seat])]
        hands[seat] += dealt
        for card in dealt:
            pool.remove(card)
    for seat, card in view["trick"]["plays"]:
        hands[seat].append(card)
    return hands


def sure_cards(view: dict[str, Any], seat: int) -> list[Card]:
    """What a seat certainly holds."""
    if seat == view["seat"]:
        return list(view["hand"])
    if view["phase"] == "recruit":
        return []
    return [*view["known"][seat], *(card for _, card, holder in view["left"] if holder == seat)]


def open_cards(deck: Counter[Card], view: dict[str, Any]) -> dict[str, float]:
    """By faction, how many cards somebody will still capture: in the recruit phase, as many as may be expected."""
    played = Counter(card for trick in view["tricks"] for _, card in trick["plays"])
    left = deck - played + Counter(view["out"])
    # Half of the deck is discarded in the first phase, all of it but the Undead.
    kept = 1.0 if view["phase"] == "favour" else deck.total() / 2 / left.total()
    counts = dict.fromkeys((card[0] for card in deck), 0.0)
    for card, copies in left.items():
        counts[card[0]] += copies * (1.0 if card[0] == "U" else kept)
    return counts


def outlook(table: Table, seat: int, plays: list[Card]) -> float:
    """The prospects of `seat` once the others have played to the trick, too."""
    players = len(table.hands)
    if len(plays) == players:
        return prospects(after(table, plays), table.rules.teams[seat])
    turn = (table.leader + len(plays)) % players
    return min(outlook(table, seat, [*plays, card]) for card in replies(table, turn, plays))


def replies(table: Table, turn: int, plays: Sequence[Card]) -> list[Card]:
    """What is to be expected of the seat that plays next to a trick."""
    options = legal(table.hands[turn], plays)
    if len(table.hands) == 2 and table.favour:
        return options
    options.sort(key=value)
    winning = [card for card in options if wins(table.rules, plays, card)][:1]
    if len(table.hands) == 2:
        return [options[0], *winning]
    best = (table.leader + ranked(table.rules, plays)[0]) % len(table.hands)
    partners = table.rules.teams[best] == table.rules.teams[turn]
    return options[:1] if partners else winning or options[:1]


def surest(table: Table, seat: int, plays: list[Card], options: Sequence[Card]) -> Card:
    """The first of `options` that brings most against the best play of the one opponent."""
    best, most = options[0], 0.0
    for card in options:
        result = look_through(table, seat, [*plays, card], most)
        if result > most:
            best, most = card, result
        if most == 1.0:
            break
    return best


def look_through(table: Table, seat: int, plays: list[Card], low: float = 0.0, high: float = 1.0) -> float:
    """What `seat` gets of a game of two if both play on without a mistake (alpha-beta, Knuth and Moore 1975)."""
    if len(plays) == 2:
        table, plays = after(table, plays), []
        if (result := settled(table, seat)) is not None:
            return result
    turn = (table.leader + len(plays)) % 2
    for card in sorted(legal(table.hands[turn], plays), key=value, reverse=True):
        found = look_through(table, seat, [*plays, card], low, high)
        if turn == seat:
            low = max(low, found)
        else:
            high = min(high, found)
        if low >= high:
            break
    return low if turn == seat else high


if __name__ == "__main__":
    run(Heuristic())
