"""Which of the results count, and who met whom in them.

Everything here is a function of the set of results: neither their order, nor a result that was
delivered twice, nor the order of the seats inside a game can be seen in what comes out.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from leaderboards.results import Index, Numbers, Results, Shape
from protocol.result import GameResult, SeatResult
from protocol.vocabulary import BotId, Team, Verdict

Mask = NDArray[np.bool_]
_UNPLAYED = (Verdict.VOID, Verdict.ABORTED)


class ResultsError(ValueError):
    """The results contradict each other or themselves. The message names the game or the block."""


class Side(NamedTuple):
    """Those who win and lose a game together, as a rating sees them."""

    rank: int
    """0 best, without gaps; ties equal."""
    bots: tuple[BotId, ...]
    """Sorted and distinct; a bot that sat in all seats of its team stands here once."""


class Kind(NamedTuple):
    """What may be rated together: one variant of a game under one set of rules, with sides of one sort."""

    game: str
    variant: str
    rules: str
    partners: bool
    """Different bots share a team. Their strengths are not on the scale of bots that fill a team of their own."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The games that count, and how many were left out for which reason."""

    games: dict[Kind, Results]
    """The games to rate, sorted by their ids; kinds in sorted order, none of them empty."""
    blocks: int
    """Whole blocks; every game to rate is in one."""
    incomplete_blocks: int
    incomplete_games: int
    """Games that were played, in blocks that lack others."""
    void: int
    """Games that have no result yet but a void or an aborted one."""
    unratable: int
    """Games of whole blocks that compare nobody, see `sides`."""
    faulty_blocks: int = 0
    faulty_games: int = 0
    """Games of whole blocks that were left out because a bot made a fault in one of them."""
    kinds: tuple[Kind, ...] = ()
    """All that there are results of which compare bots, sorted, also of games that are left out or void."""
    bots: tuple[BotId, ...] = ()
    """All that there are results of, sorted."""

    @property
    def rated(self) -> int:
        """How many games are rated."""
        return sum(map(len, self.games.values()))


def kind_of(result: GameResult | Shape) -> Kind:
    """The kind of game that a result is about."""
    return Kind(result.game, result.variant, result.rules, _mixed(result))


def _mixed(result: GameResult | Shape) -> bool:
    """Whether different bots share a team; two seats are not looked at, as they are two sides or nothing to rate."""
    first: dict[Team, BotId] = {}
    return len(result.seats) > 2 and any(
        first.setdefault(seat.team, seat.bot) != seat.bot for seat in result.seats
    )


def select(results: Iterable[GameResult], *, without_forfeits: bool = False) -> Selection:
    """The results that count: final ones, each once, of whole blocks, that compare different bots.

    `without_forfeits` leaves out blocks in which a bot made a fault: all of each, so that seats stay even.
    Raises ResultsError where two different results have one id, a block disagrees with its size, or games of
    one kind have different numbers of sides.
    """
    results = Results.of(results)
    final, void = _final(results)
    block, blocks = _blocks(final)
    sizes = np.bincount(block, minlength=blocks)
    whole = _of_shapes(final, [shape.block_size for shape in final.shapes]) == sizes[block]
    faulty = np.zeros(len(final), bool)
    if without_forfeits:
        faults = _of_shapes(final, [any(seat.fault for seat in shape.seats) for shape in final.shapes])
        faulty = whole & (np.bincount(block, faults, blocks) > 0)[block]
    counted = whole & ~faulty
    games = _by_kind(final.take(counted))
    others = {kind for _, one in results.firsts() if (kind := kind_of(one)) not in games and sides(one)}
    return Selection(
        games=games,
        blocks=_distinct(block[counted]),
        incomplete_blocks=_distinct(block[~whole]),
        incomplete_games=int((~whole).sum()),
        void=void,
        unratable=int(counted.sum()) - sum(map(len, games.values())),
        faulty_blocks=_distinct(block[faulty]),
        faulty_games=int(faulty.sum()),
        kinds=tuple(sorted({*games, *others})),
        bots=tuple(sorted({seat.bot for shape, _ in results.counted() for seat in shape.seats})),
    )


def _of_shapes(results: Results, values: Sequence[int]) -> Numbers:
    """(G,): of each game what its shape has."""
    return np.array(values, np.int32)[results.shape]


def _distinct(numbers: Index) -> int:
    return int(np.count_nonzero(np.bincount(numbers)))


def _by_kind(results: Results) -> dict[Kind, Results]:
    """Those that compare bots; `results` are sorted by their ids, and these are."""
    found: defaultdict[Kind, dict[int, int]] = defaultdict(dict)
    for shape, first in results.firsts():
        if compared := sides(first):
            found[kind_of(first)][shape] = len(compared)
    games = {kind: results.take(np.isin(results.shape, list(found[kind]))) for kind in sorted(found)}
    for kind, some in games.items():
        _check_sides(kind, some, found[kind])
    return games


def _check_sides(kind: Kind, games: Results, sides: dict[int, int]) -> None:
    if len(set(sides.values())) > 1:
        first = sides[int(games.shape[0])]
        other = next(game for game, shape in enumerate(games.shape.tolist()) if sides[shape] != first)
        raise ResultsError(
            f"game {games[other].id} of {kind.variant} has {sides[int(games.shape[other])]} sides, and others have {first}"
        )


def _final(results: Results) -> tuple[Results, int]:
    """Each game that was played once, sorted by id; and how many have no result but a void or an aborted one."""
    unplayed = _of_shapes(results, [shape.verdict in _UNPLAYED for shape in results.shapes]) > 0
    final = results.take(~unplayed)
    final = final.by_id()
    repeated = np.concatenate([np.zeros(1, bool)[: len(final)], final.id[1:] == final.id[:-1]])
    same = np.ones(len(final), bool)
    for column in (final.shape, final.deal, final.block):
        same[1:] &= column[1:] == column[:-1]
    if len(wrong := np.flatnonzero(repeated & ~same)):
        id = final[int(wrong[0])].id
        raise ResultsError(f"game {id} has two different results: one of them is not its own")
    once = final.take(~repeated)
    void = np.unique(results.id[unplayed])
    return once, int((~np.isin(void, once.id)).sum())


def _blocks(results: Results) -> tuple[Index, int]:
    """(G,): the number of each game's block; and how many there are. Blocks of different kinds are different."""
    kinds: dict[Kind, int] = {}
    number = [kinds.setdefault(kind_of(shape), len(kinds)) for shape in results.shapes]
    names, named = np.unique(results.block, return_inverse=True)
    both, block = np.unique(named * max(1, len(kinds)) + _of_shapes(results, number), return_inverse=True)
    said = _of_shapes(results, [shape.block_size for shape in results.shapes])
    largest, least = np.zeros(len(both), np.intp), np.full(len(both), np.iinfo(np.intp).max)
    np.maximum.at(largest, block, said)
    np.minimum.at(least, block, said)
    games = np.bincount(block, minlength=len(both))
    if len(wrong := np.flatnonzero((games > least) | (largest != least))):
        one = wrong[0]
        name, sizes = names[both[one] // len(kinds)].decode(), np.unique(said[block == one]).tolist()
        raise ResultsError(f"block {name} has {games[one]} games, and they give its size as {sizes}")
    return block, len(both)


def sides(result: GameResult) -> tuple[Side, ...]:
    """The sides of a game, best first; empty where it cannot be rated.

    A bot that fills a team is one entity, and two such teams meet as one against one; bots that share
    a team are rated each. What cannot be rated: a bot on two sides, or on several but not all seats of
    one; sides of unequal numbers (a team of copies against a mixed one), whose strengths are not on one
    scale; a single side.
    Raises ResultsError where seats of a team have different ranks.
    """
    teams: dict[Team, list[SeatResult]] = {}
    for seat in result.seats:
        teams.setdefault(seat.team, []).append(seat)
    ranks = [_rank(result, team) for team in teams.values()]
    lineups = [_lineup(team) for team in teams.values()]
    everybody = [bot for bots in lineups for bot in bots]
    if len(teams) < 2 or len(set(everybody)) < len(everybody) or len(set(map(len, lineups))) > 1:
        return ()
    places = sorted(set(ranks))
    return tuple(sorted(map(Side, map(places.index, ranks), lineups)))


def _rank(result: GameResult, team: list[SeatResult]) -> int:
    rank = team[0].rank
    if len(team) > 1 and any(seat.rank != rank for seat in team):
        raise ResultsError(f"game {result.id} gives seats of one team different ranks")
    return rank


def _lineup(team: list[SeatResult]) -> tuple[BotId, ...]:
    if len(team) == 1:
        return (team[0].bot,)
    bots = sorted(seat.bot for seat in team)
    return (bots[0],) if bots[0] == bots[-1] else tuple(bots)


def digest(results: Iterable[GameResult]) -> str:
    """SHA-256, 64 hex digits, of the sorted canonical results, a line each: of the games, in no order.

    Equal ones are rated alike. Who sat where is not in it: strengths do not hang on it, seats and luck do.
    `results`: each game once.
    """
    results = Results.of(results)
    shapes, deals = (
        [_canonical(shape) for shape in results.shapes],
        [json.dumps(deal) for deal in results.deals],
    )
    found, separator = sha256(), ""
    for shape, deal, block, id in results.by_id().rows():  # as lines begin with it
        head, tail = shapes[shape]
        line = f"[{json.dumps(id)}, {head}, {deals[deal]}, {json.dumps(block)}, {tail}]"
        found.update(f"{separator}{line}".encode())
        separator = "\n"
    return found.hexdigest()


def _canonical(shape: Shape) -> tuple[str, str]:
    """What is rated of a game, as JSON, before its deal and behind its block; its seats by team, in an order of
    their own.
    """
    teams: dict[Team, list[tuple[int, str, str, int, str]]] = defaultdict(list)
    for seat in shape.seats:
        entry = (seat.rank, seat.bot.name, seat.bot.digest, seat.score, seat.fault or "")
        teams[seat.team].append(entry)
    table = sorted(sorted(team) for team in teams.values())
    head, tail = json.dumps([shape.game, shape.variant, shape.rules]), json.dumps([shape.verdict, table])
    return head[1:-1], tail[1:-1]
