"""What a schedule chooses from: blocks, each of which is one meeting on one deal, in every seating.

    two players           AB  BA
    three, four alone     ABC  BCA  CAB          (or all 6 / 24 orders)
    two teams of one bot  A B A B    B A B A
    mixed teams           the two ways round, times the two ways to sit in each mixed team

The luck of a deal cancels within a block. An id is a hash of what the game is, and of nothing that depends
on the schedule, the other bots, variants or deals: whatever is played next only adds games.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from hashlib import sha256
from itertools import combinations, groupby, permutations, product
from typing import NamedTuple

from arena.schedules.deals import NONE, Deals
from leaderboards.games import Log
from protocol.result import GameResult
from protocol.vocabulary import BotId, DealId, GameId, Team, Verdict
from referee.chance import deal_seed
from referee.faults import is_free_for_all
from referee.games import game_of
from referee.jobs import PlannedGame

Side = tuple[BotId, ...]
"""The bots of one team: one for each of its seats (the same one twice, or partners); sorted."""
Seating = tuple[BotId, ...]
"""The bot in each seat."""
DEALS_A_JOB = 200
"""So that blocks are completed as a run goes on."""
AT_ONCE = 100_000
"""Ways to sit that are remembered with who meets in them."""


class Meeting(NamedTuple):
    """Who meets in which variant."""

    variant: str
    sides: tuple[Side, ...]
    """Sorted."""

    @property
    def bots(self) -> frozenset[BotId]:
        """All that sit at the table."""
        return frozenset(bot for side in self.sides for bot in side)


class Block(NamedTuple):
    """A meeting on one deal."""

    meeting: Meeting
    deal: int
    """Counts from 0 in each variant; the same number is the same deal for every meeting."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What settles the games of a tournament, beside its bots."""

    name: str
    seed: str
    variants: tuple[str, ...]
    deals: int
    all_seatings: bool = False
    partners: str = "same"


@dataclass(frozen=True, slots=True)
class Pairing:
    """One meeting in one seating on some deals: what one set of processes plays."""

    variant: str
    seating: Seating
    games: tuple[PlannedGame, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """What there is to choose from: the bots, and the variants of the plan."""

    plan: Plan
    bots: tuple[BotId, ...]
    """In the order of the tournament file, which seeds a knockout."""

    def meetings(self, variant: str) -> tuple[Meeting, ...]:
        """All meetings that a variant allows; each once, whatever the order of the bots."""
        found = pairings(teams_of(variant), self.bots, self.plan.partners)
        return tuple(Meeting(variant, sides) for sides in found)

    def games(self, meeting: Meeting) -> int:
        """Of one block of it."""
        who_is_who = tuple(tuple(map(side.index, side)) for side in meeting.sides)
        return _size(teams_of(meeting.variant), who_is_who, self.plan.all_seatings)


@dataclass(slots=True)
class Progress:
    """What has been played, as far as it is whole: fed with finished games, in any order.

    `closed`, `void` and `games` can be had without results: see `close`.
    """

    results: list[GameResult] = field(default_factory=list)
    """Of closed blocks, of which no game is void: what is left of the others would favour a seat. None if `lean`."""
    void: list[Block] = field(default_factory=list)
    """The others."""
    closed: defaultdict[Meeting, Deals] = field(default_factory=lambda: defaultdict(Deals))
    """The deals of blocks of which every game is over (void ones, tried often enough, too)."""
    log: Log = field(default_factory=Log)
    """The same results, as ratings take them; so, too."""
    cost: Mapping[BotId, float] = field(default_factory=dict)
    """CPU seconds that a bot takes for a game; a bot that is not in here is taken for a common one."""
    lean: bool = False
    """Whether results are counted and let go, for who goes by none of them: so a million games weigh nothing."""
    games: int = 0
    """That count: of closed blocks, of which no game is void."""
    sat: Counter[tuple[str, BotId, int]] = field(default_factory=Counter)
    """How often a bot sat in a seat of a variant, in those of them that were taken in as results."""
    begun_games: set[GameId] = field(default_factory=set)
    """Those that are over in blocks that are not."""
    _open: dict[Block, list[GameResult]] = field(default_factory=dict)

    def take(self, results: Iterable[GameResult]) -> None:
        """Games that are over; each once. Raises ValueError where a result is of no deal."""
        for result in results:
            block = block_of(result)
            games = self._open.setdefault(block, [])
            games.append(result)
            self.begun_games.add(result.id)
            if len(games) >= result.block_size:
                del self._open[block]
                self.begun_games.difference_update(game.id for game in games)
                self._take_whole(block, games)

    def _take_whole(self, block: Block, games: Sequence[GameResult]) -> None:
        void = any(game.verdict is Verdict.VOID for game in games)
        self.close(block, len(games), void)
        if void:
            return
        self.sat.update(
            (game.variant, seat.bot, number) for game in games for number, seat in enumerate(game.seats)
        )
        if not self.lean:
            self.results += games
            self.log.take(games)

    def close(self, block: Block, games: int, void: bool) -> None:
        """A block of so many games, all of which are over. Raises ValueError where there is no such deal."""
        self.closed[block.meeting].add(block.deal)
        if void:
            self.void.append(block)
        else:
            self.games += games

    @property
    def begun(self) -> list[Block]:
        """Blocks of which some games are over and others are not; sorted."""
        return sorted(self._open)

    def over(self, meeting: Meeting) -> Deals:
        """The deals of its closed blocks."""
        return self.closed.get(meeting, NONE)

    def __contains__(self, block: Block) -> bool:
        return block.deal in self.over(block.meeting)


def block_of(result: GameResult) -> Block:
    """The block that a game is in."""
    met = _meeting(result.variant, tuple((seat.team, seat.bot) for seat in result.seats))
    return Block(met, number_of(result.deal))


@lru_cache(AT_ONCE)
def _meeting(variant: str, seats: tuple[tuple[Team, BotId], ...]) -> Meeting:
    return Meeting(variant, sides_of([team for team, _ in seats], [bot for _, bot in seats]))


def deal_of(variant: str, number: int) -> DealId:
    """What a variant's deal of that number is called.

    >>> deal_of("claim/2p/GK-UWX", 12), number_of(deal_of("claim/2p/GK-UWX", 12))
    ('claim/2p/GK-UWX#12', 12)
    """
    return DealId(f"{variant}#{number}")


def number_of(deal: str) -> int:
    """Its number. Raises ValueError where it has none."""
    return int(deal.rpartition("#")[2])


def sides_of(teams: Sequence[Team], seating: Sequence[BotId]) -> tuple[Side, ...]:
    """Who sat against whom, whatever the seats."""
    sides: dict[Team, list[BotId]] = defaultdict(list)
    for team, bot in zip(teams, seating, strict=True):
        sides[team].append(bot)
    return tuple(sorted(tuple(sorted(bots)) for bots in sides.values()))


@cache
def teams_of(variant: str) -> tuple[Team, ...]:
    """The team of each seat of a variant."""
    return tuple(game_of(variant).variant(variant).teams)


def pairings(teams: Sequence[Team], bots: Sequence[BotId], partners: str) -> Iterator[tuple[Side, ...]]:
    """Every group of sides that can meet; each once, whatever the order of `bots`."""
    count, size = len(set(teams)), len(teams) // len(set(teams))
    same = [(bot,) * size for bot in sorted(bots)]
    mixed = list(combinations(sorted(bots), size)) if size > 1 else []
    if partners != "mixed" or size == 1:
        yield from combinations(same, count)
    if partners != "same":
        for sides in combinations(mixed, count):
            if len({bot for side in sides for bot in side}) == count * size:
                yield sides


def seats_of(plan: Plan, meeting: Meeting) -> list[Seating]:
    """Every seating of a block of this meeting."""
    return seatings(teams_of(meeting.variant), meeting.sides, plan.all_seatings)


@cache
def _size(teams: tuple[Team, ...], who_is_who: tuple[tuple[int, ...], ...], every: bool) -> int:
    """How many seatings there are for sides of bots that are the same ones or not, whoever they are."""
    sides = [tuple(BotId(f"{side} {bot}", "") for bot in bots) for side, bots in enumerate(who_is_who)]
    return len(seatings(teams, sides, every))


def seatings(teams: Sequence[Team], sides: Sequence[Side], every: bool = False) -> list[Seating]:
    """Every way to sit that a block has, each once."""
    if is_free_for_all(teams):
        order = list(sides)
        turns = permutations(order) if every else (order[i:] + order[:i] for i in range(len(order)))
    else:
        turns = permutations(sides)
    result = [
        _seated(teams, inner) for turn in turns for inner in product(*(sorted(set(permutations(side))) for side in turn))
    ]  # fmt: skip
    return list(dict.fromkeys(result))


def _seated(teams: Sequence[Team], sides: Sequence[Side]) -> Seating:
    waiting = {team: list(side) for team, side in zip(sorted(set(teams)), sides, strict=True)}
    return tuple(waiting[team].pop(0) for team in teams)


def pairings_of(plan: Plan, blocks: Iterable[Block]) -> Iterator[Pairing]:
    """The same blocks as jobs: those of one meeting that follow each other together, a job for each seating."""
    for meeting, group in groupby(blocks, key=lambda block: block.meeting):
        deals = [block.deal for block in group]
        seats = seats_of(plan, meeting)
        for first in range(0, len(deals), DEALS_A_JOB):
            for seating in seats:
                games = _games(plan, meeting, seats, seating, deals[first : first + DEALS_A_JOB])
                yield Pairing(meeting.variant, seating, games)


def spread(pairings: Iterable[Pairing], jobs: int) -> list[Pairing]:
    """The same games in as many jobs at least, as far as there are games: so that nobody waits for work."""
    whole = list(pairings)
    parts = -(-jobs // max(1, len(whole)))
    split = (replace(one, games=one.games[part::parts]) for one in whole for part in range(parts))
    return [one for one in split if one.games]


def _games(
    plan: Plan, meeting: Meeting, seats: Sequence[Seating], seating: Seating, deals: Iterable[int]
) -> tuple[PlannedGame, ...]:
    variant = meeting.variant
    game = game_of(variant)
    rules = game.rules_id(game.variant(variant))
    met = "|".join("+".join(_exact(bot) for bot in side) for side in meeting.sides)
    there = "|".join(_exact(bot) for bot in seating)
    return tuple(
        PlannedGame(
            GameId(_id("game", plan.name, plan.seed, variant, rules, str(n), there)),
            deal_of(variant, n),
            deal_seed(plan.seed, variant, n),
            _id("block", plan.name, plan.seed, variant, rules, str(n), met, str(len(seats))),
            len(seats),
        )
        for n in deals
    )


def _exact(bot: BotId) -> str:
    return f"{bot.name}@{bot.digest}"


def _id(*parts: str) -> str:
    return sha256("\n".join(parts).encode()).hexdigest()[:32]
