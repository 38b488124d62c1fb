"""Attack, battle and what comes after (Aristoocrazy R21 to R27, Q4).

    attack -> no defender: the field is taken
           -> STAKE (both) -> LAYING (both) ... -> lost or tied: over
                                                -> won: AFTERMATH -> betrothal | plunder | RETREAT ... -> taken

In quick2013 there is no LAYING: the stakes are compared at once.
"""

from __future__ import annotations

from itertools import product
from typing import Final

from referee.games.aristoocrazy.actions import (
    BETROTH,
    COMMIT,
    EXPEL,
    LAY,
    PLUNDER,
    QCOMMIT,
    QCOMMIT_NONE,
    TO,
    act,
    kind_of,
    numbers,
)
from referee.games.aristoocrazy.births import conceive
from referee.games.aristoocrazy.data import FOLLY, data
from referee.games.aristoocrazy.events import (
    AFTERMATH as CHOSEN,
)
from referee.games.aristoocrazy.events import (
    ATTACK,
    BATTLE,
    COMMITTED,
    LAID,
    log,
)
from referee.games.aristoocrazy.people import (
    capture,
    chip,
    cradles,
    die,
    heir_possible,
    house_of,
    move,
    sex_of,
)
from referee.games.aristoocrazy.state import (
    AFTERMATH,
    GO_ON,
    LAYING,
    NOBODY,
    RETREAT,
    STAKE,
    Battle,
    Private,
    Public,
    Table,
)
from referee.games.aristoocrazy.tokens import part_with, single, steal, tell_parted

MOST: Final = 9
"""Tokens of a trait that one battle can take (Aristoocrazy R39)."""
EDGE: Final = 2
"""What a kind that beats the other's adds to its score (Aristoocrazy Q4)."""


def attack(table: Table, char: int, field: int) -> None:
    """Declare an attack; where nobody defends, the field is taken (Aristoocrazy R21, R22)."""
    public = table.public
    seat, owner, defenders = house_of(char), public.owner[field], public.at[field]
    public.attacked[seat] = True
    log(table, ATTACK, (char, field, owner, defenders))
    if not defenders:
        capture(table, field, char)
        return
    public.task = Battle(char, field, (seat, owner), defenders, public.hired)
    public.hired = 0
    public.decision, public.pending = STAKE, tuple(sorted((seat, owner)))


def battle_of(public: Public) -> Battle:
    """The battle under way."""
    battle = public.task
    assert isinstance(battle, Battle)
    return battle


def _side(public: Public, battle: Battle, seat: int) -> tuple[int, ...]:
    """The characters that fight for `seat`."""
    return (battle.char,) if seat == battle.seats[0] else battle.defenders


def known_traits(public: Public, chars: tuple[int, ...]) -> set[int]:
    """The traits that some of `chars` have."""
    return {trait for char in chars for trait in public.traits[char]}


def teachable(public: Public, chars: tuple[int, ...]) -> bool:
    """Whether some of `chars` can be taught (Aristoocrazy R23)."""
    return any(FOLLY not in public.traits[char] for char in chars)


def legal_stake(public: Public, private: Private, seat: int) -> list[int]:
    """What a side may commit in secret (Aristoocrazy R23, Q4)."""
    chars = _side(public, battle_of(public), seat)
    known = known_traits(public, chars)
    most = {trait: min(private.stash[trait], MOST) for trait in data().combat}
    if public.variant.quick:
        stakes = [(trait, count) for trait, n in most.items() if trait in known for count in range(1, n + 1)]
        return [act(QCOMMIT_NONE), *(act(QCOMMIT, *stake) for stake in stakes)]
    taught = teachable(public, chars)
    ranges = [
        range(n + 1) if trait in known else [0, *range(2, n + 1)] if taught else [0]
        for trait, n in most.items()
    ]
    return [act(COMMIT, *counts) for counts in product(*ranges)]


def staked(table: Table) -> None:
    """Both have committed: tell what is public of it (Aristoocrazy R23)."""
    public, battle = table.public, battle_of(table.public)
    stakes = [_stake_of(table.private[seat].sealed) for seat in battle.seats]
    for seat, stake in zip(battle.seats, stakes, strict=True):
        part_with(table, seat, stake)
    if public.variant.quick:
        _compare(table, battle, stakes)
        return
    attacker, defender = (
        _teach(table, seat, stake) for seat, stake in zip(battle.seats, stakes, strict=True)
    )
    taught, playable = (attacker[0], defender[0]), (attacker[1], defender[1])
    public.task = battle._replace(taught=taught, playable=playable)
    log(table, COMMITTED, (taught, playable))
    _next_clash(table)


def _teach(table: Table, seat: int, stake: list[int]) -> tuple[tuple[int, ...], int]:
    """Pay for what a side is taught: those traits, and the number of tokens that it can lay."""
    public = table.public
    known = known_traits(public, _side(public, battle_of(public), seat))
    taught = tuple(trait for trait in data().combat if stake[trait] and trait not in known)
    left = [count - (trait in taught) for trait, count in enumerate(stake)]
    table.private[seat].staked = left
    return taught, sum(left)


def _stake_of(action: int) -> list[int]:
    """What a side commits, as counts by trait."""
    if kind_of(action) == COMMIT:
        counts = iter(numbers(action))
        return [next(counts) if trait in data().combat else 0 for trait in range(FOLLY + 1)]
    if kind_of(action) == QCOMMIT:
        trait, count, _ = numbers(action)
        return single(trait, count)
    return single(0, 0)


def _next_clash(table: Table) -> None:
    public, battle = table.public, battle_of(table.public)
    if all(battle.playable):
        public.decision, public.pending = LAYING, tuple(sorted(battle.seats))
    else:
        _count_up(table)


def legal_lay(public: Public, private: Private, seat: int) -> list[int]:
    """One of its own committed tokens (Aristoocrazy R24)."""
    return [act(LAY, trait) for trait, count in enumerate(private.staked or ()) if count]


def laid(table: Table) -> None:
    """Both have laid a token: compare, and go on (Aristoocrazy R24)."""
    public, battle = table.public, battle_of(table.public)
    traits = tuple(numbers(table.private[seat].sealed)[0] for seat in battle.seats)
    for seat, trait in zip(battle.seats, traits, strict=True):
        rest = table.private[seat].staked
        assert rest is not None
        rest[trait] -= 1
    won = _won(traits[0], traits[1])
    wins = (battle.wins[0] + won[0], battle.wins[1] + won[1])
    public.task = battle._replace(
        playable=(battle.playable[0] - 1, battle.playable[1] - 1),
        laid=((*battle.laid[0], traits[0]), (*battle.laid[1], traits[1])),
        wins=wins,
    )
    log(table, LAID, (traits, wins))
    _next_clash(table)


def _won(one: int, other: int) -> tuple[bool, bool]:
    """Which of two kinds beats the other: magic beats sword beats bow beats magic."""
    beats = data().beats
    return beats.get(one) == other, beats.get(other) == one


def _count_up(table: Table) -> None:
    """Leftover tokens and mercenaries count; then the wounds (Aristoocrazy R24)."""
    battle = battle_of(table.public)
    wins = (battle.wins[0] + battle.playable[0] + battle.bonus, battle.wins[1] + battle.playable[1])
    committed = []
    for side, seat in enumerate(battle.seats):
        rest, seen = table.private[seat].staked or [], (*battle.laid[side], *battle.taught[side])
        committed.append(tuple(count + seen.count(trait) for trait, count in enumerate(rest)))
        table.private[seat].staked = None
    won = wins[0] > wins[1]
    winner = battle.seats[0] if won else battle.seats[1] if wins[0] < wins[1] else NOBODY
    _reveal(table, battle, winner, wins, committed)
    if won:
        for defender in battle.defenders:
            chip(table, defender, battle.seats[0])
    elif winner != NOBODY:
        chip(table, battle.char, winner)
    _end_battle(table, battle, won)


def _compare(table: Table, battle: Battle, stakes: list[list[int]]) -> None:
    """The fight of quick2013: numbers, and an edge for the kind that beats (Aristoocrazy Q4)."""
    public = table.public
    kinds = [next((trait for trait, count in enumerate(stake) if count), NOBODY) for stake in stakes]
    edges = _won(kinds[0], kinds[1])
    scores = (sum(stakes[0]) + EDGE * edges[0], sum(stakes[1]) + EDGE * edges[1])
    won = scores[0] > scores[1]
    winner = battle.seats[0] if won else battle.seats[1] if scores[1] else NOBODY
    if winner != NOBODY:
        public.battles_won[winner] += 1
    _reveal(table, battle, winner, scores, [tuple(stake) for stake in stakes])
    _end_battle(table, battle, won)


def _reveal(
    table: Table, battle: Battle, winner: int, wins: tuple[int, int], committed: list[tuple[int, ...]]
) -> None:
    for seat, stake in zip(battle.seats, committed, strict=True):
        tell_parted(table, seat, stake)
    log(table, BATTLE, (winner, wins, tuple(committed)))


def _end_battle(table: Table, battle: Battle, won: bool) -> None:
    public = table.public
    if won:
        public.decision, public.pending = AFTERMATH, (battle.seats[0],)
    else:
        public.task, public.decision = None, GO_ON


def survivors(public: Public, battle: Battle) -> list[int]:
    """The defenders who are still on the field."""
    return [char for char in battle.defenders if public.where[char] == battle.field]


def legal_aftermath(public: Public, private: Private, seat: int) -> list[int]:
    """What the winner may do with the field and those on it (Aristoocrazy R25)."""
    battle = battle_of(public)
    actions = [act(PLUNDER if battle.field in public.variant.board.homes else EXPEL)]
    if heir_possible(public, seat, battle.field):
        actions += [
            act(BETROTH, char)
            for char in survivors(public, battle)
            if sex_of(char) != sex_of(battle.char) and not public.fresh[char]
        ]
    return actions


def aftermath(table: Table, seat: int, action: int) -> None:
    """Plunder a home, betroth a survivor, or expel them all (Aristoocrazy R25)."""
    public, battle = table.public, battle_of(table.public)
    log(table, CHOSEN, (seat, action))
    public.decision = GO_ON
    if kind_of(action) == EXPEL:
        _expel(table, battle, tuple(survivors(public, battle)))
        return
    public.task = None
    if kind_of(action) == PLUNDER:
        steal(table, seat, battle.seats[1])
    else:
        partner = numbers(action)[0]
        conceive(table, battle.char, partner, battle.field, public.traits[partner])


def _expel(table: Table, battle: Battle, fleeing: tuple[int, ...]) -> None:
    """The next defender leaves, or dies where it cannot; after the last the field falls (Aristoocrazy R26)."""
    public, (seat, owner) = table.public, battle.seats
    while fleeing and not cradles(public, owner, battle.field):
        die(table, fleeing[0], seat)
        fleeing = fleeing[1:]
    if fleeing:
        public.task = battle._replace(fleeing=fleeing)
        public.decision, public.pending = RETREAT, (owner,)
    else:
        public.task, public.decision = None, GO_ON
        capture(table, battle.field, battle.char)


def legal_retreat(public: Public, private: Private, seat: int) -> list[int]:
    """Own fields next to the lost one that have a place (Aristoocrazy R26)."""
    return [act(TO, field) for field in cradles(public, seat, battle_of(public).field)]


def retreat(table: Table, seat: int, action: int) -> None:
    """Who flees goes there."""
    battle = battle_of(table.public)
    move(table, battle.fleeing[0], numbers(action)[0], "retreat")
    _expel(table, battle, battle.fleeing[1:])
