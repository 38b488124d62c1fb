"""What a trick's winner and loser get in the favour phase: Dwarves, Trolls, Giants, Gnomes (Claim 5, 6)."""

from __future__ import annotations

from typing import Final

from referee.games.claim.actions import GNOME_OF_GIANT, victims
from referee.games.claim.cards import DWARVES, GIANTS, GNOMES, TROLLS, UNDEAD, Card
from referee.games.claim.events import CAPTURE, OUT, ROW, SMASHED
from referee.games.claim.scoring import WEIGHT
from referee.games.claim.state import NOBODY, Public, Table

_UNDEAD: Final = 1 << UNDEAD
_DWARVES: Final = 1 << DWARVES
_TROLLS: Final = 1 << TROLLS
_GIANTS: Final = 1 << GIANTS
_ORDERED: Final = 1 << DWARVES | 1 << GNOMES | 1 << GIANTS | 1 << TROLLS
"""The factions that have a step of their own in the order of work (Claim 6), as bits."""


def give(table: Table, seat: int, cards: list[Card]) -> None:
    """Put cards on a seat's score pile."""
    if cards:
        table.public.piles[seat] += cards
        count_captured(table.public, seat, cards)
        table.log.append((CAPTURE, seat, *cards))


def give_undead(table: Table, factions: int) -> None:
    """Undead played in the recruit phase go to the winner (Claim 5.2)."""
    public = table.public
    if factions & _UNDEAD:
        give(table, public.ranking[0], _of(UNDEAD, public.plays))


def special(public: Public, factions: int) -> bool:
    """Whether anything but "the winner takes all" happens to a full trick of these factions in the favour phase."""
    return bool(public.out) or factions & _ORDERED != 0


def share_out(table: Table, factions: int) -> None:
    """Dwarves, Trolls and which Giants will smash: steps 2 to 4 of the favour phase (Claim 6)."""
    public = table.public
    plays = public.plays
    if factions & _DWARVES:
        give(table, _dwarf_taker(public), _of(DWARVES, plays))
    if factions & _TROLLS or public.out:
        _settle_trolls(table, _of(TROLLS, plays))
    if factions & _GIANTS:
        public.giants = _of(GIANTS, plays)
    public.captured = True


def smash_all(table: Table) -> bool:
    """Let Giants capture and smash in order of play; False where the winner has to choose (Claim 5.8)."""
    public = table.public
    while public.giants:
        found = victims(public)
        if len(found) > 1 and public.variant.options.giant_multi == "choose":
            return False
        smash_one(table, found)
    return True


def smash_one(table: Table, found: list[int]) -> None:
    """The next Giant goes to the winner's pile and removes one Gnome from before each seat in `found`."""
    public = table.public
    giant = public.giants.pop(0)
    winner = public.ranking[0]
    gnome = giant + GNOME_OF_GIANT
    give(table, winner, [giant])
    for victim in found:
        public.rows[victim].remove(gnome)
        public.removed.append(gnome)
        public.tally[10 * public.teams[victim] + GNOMES] -= WEIGHT[gnome % 10]
        table.log.append((SMASHED, winner, giant, victim))


def give_rest(table: Table) -> None:
    """Gnomes of the trick before the winner, all else to its pile: steps 5 and 6 (Claim 6)."""
    public = table.public
    winner = public.ranking[0]
    gnomes = _of(GNOMES, public.plays)
    if gnomes:
        public.rows[winner] += gnomes
        count_captured(public, winner, gnomes)
        table.log.append((ROW, winner, *gnomes))
    give(table, winner, [card for card in public.plays if not 1 << card // 10 & _ORDERED])


def gather_gnomes(table: Table) -> None:
    """At the end Gnomes alive join their captors' piles (Claim 5.7); they were counted when captured."""
    public = table.public
    for seat, row in enumerate(public.rows):
        if row:
            public.piles[seat] += row
            table.log.append((CAPTURE, seat, *row))
            public.rows[seat] = []


def give_leftover_trolls(table: Table, winner: int) -> None:
    """Trolls out after the last trick: nobody's, or its winner's (Claim 5.6, `troll_leftover`)."""
    public = table.public
    if public.variant.options.troll_leftover == "last_winner":
        give(table, winner, public.out)
        public.out = []


def _settle_trolls(table: Table, trolls: list[Card]) -> None:
    public = table.public
    carry = public.variant.options.troll_carry
    out = public.out
    captured, left = _divide_trolls(carry, sorted(trolls), out)
    give(table, public.ranking[0], captured)
    if left != out:
        public.out = left
        table.log.append((OUT, NOBODY, *left))


def _divide_trolls(carry: str, trolls: list[Card], out: list[Card]) -> tuple[list[Card], list[Card]]:
    """What the winner gets, and what is out afterwards (Claim 5.6); both lists ascending."""
    if carry == "cap":
        everything = sorted(trolls + out)
        return everything[-1:], everything[:-1]
    if len(trolls) < 2:
        return sorted(trolls + out), []
    if carry == "bonus":
        return sorted([trolls[-1], *out]), trolls[:-1]
    return trolls[-1:], sorted(trolls[:-1] + out)


def _dwarf_taker(public: Public) -> int:
    """Who takes the Dwarves of a trick (Claim 5.3, `dwarf_taker`)."""
    order, taker = public.ranking, public.variant.options.dwarf_taker
    if taker == "second_ranked":
        return order[1]
    if taker == "last_ranked":
        return order[-1]
    teams = public.teams
    return next(seat for seat in reversed(order) if teams[seat] != teams[order[0]])


def _of(faction: int, cards: list[Card]) -> list[Card]:
    return [card for card in cards if card // 10 == faction]


def count_captured(public: Public, seat: int, cards: list[Card]) -> None:
    """Add cards to the strength of a seat's team in the vote (see `scoring`)."""
    public.captured = True
    base, tally = 10 * public.teams[seat], public.tally
    for card in cards:
        tally[base + card // 10] += WEIGHT[card % 10]
