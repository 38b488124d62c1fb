"""Which of the results count, and who met whom in them.

Everything here is a function of the set of results: neither their order, nor a result that was
delivered twice, nor the order of the seats inside a game can be seen in what comes out.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from typing import NamedTuple

from protocol.result import GameResult, SeatResult
from protocol.vocabulary import BotId, GameId, Team, Verdict

Block = list[GameResult]
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

    games: dict[Kind, tuple[GameResult, ...]]
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


def kind_of(result: GameResult) -> Kind:
    """The kind of game that a result is about."""
    return Kind(result.game, result.variant, result.rules, _mixed(result))


def _mixed(result: GameResult) -> bool:
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
    results = list(results)
    final, void = _final(results)
    whole, partial = _split(_blocks(final), lambda block: len(block) == block[0].block_size)
    clean, faulty = _split(whole, lambda block: not without_forfeits or not any(map(_has_fault, block)))
    counted = list(chain.from_iterable(clean))
    games = _by_kind(counted)
    others = {kind for result in results if (kind := kind_of(result)) not in games and sides(result)}
    return Selection(
        games=games,
        blocks=len(clean),
        incomplete_blocks=len(partial),
        incomplete_games=sum(map(len, partial)),
        void=void,
        unratable=len(counted) - sum(map(len, games.values())),
        faulty_blocks=len(faulty),
        faulty_games=sum(map(len, faulty)),
        kinds=tuple(sorted({*games, *others})),
        bots=tuple(sorted({seat.bot for result in results for seat in result.seats})),
    )


def _by_kind(results: Iterable[GameResult]) -> dict[Kind, tuple[GameResult, ...]]:
    """Those that compare bots, sorted by their ids."""
    games: dict[Kind, list[GameResult]] = defaultdict(list)
    sizes: dict[Kind, int] = {}
    for result in sorted(results, key=lambda result: result.id):
        if found := sides(result):
            kind = kind_of(result)
            if sizes.setdefault(kind, len(found)) != len(found):
                raise ResultsError(
                    f"game {result.id} of {kind.variant} has {len(found)} sides, and others have {sizes[kind]}"
                )
            games[kind].append(result)
    return {kind: tuple(games[kind]) for kind in sorted(games)}


def _split(blocks: list[Block], is_good: Callable[[Block], bool]) -> tuple[list[Block], list[Block]]:
    good: list[Block] = []
    others: list[Block] = []
    for block in blocks:
        (good if is_good(block) else others).append(block)
    return good, others


def _has_fault(result: GameResult) -> bool:
    return any(seat.fault for seat in result.seats)


def _final(results: Iterable[GameResult]) -> tuple[list[GameResult], int]:
    final: dict[GameId, GameResult] = {}
    unplayed: set[GameId] = set()
    for result in results:
        if result.verdict in _UNPLAYED:
            unplayed.add(result.id)
        elif final.setdefault(result.id, result) != result:
            raise ResultsError(f"game {result.id} has two different results: one of them is not its own")
    return list(final.values()), len(unplayed - final.keys())


def _blocks(results: Iterable[GameResult]) -> list[Block]:
    blocks: dict[tuple[Kind, str], list[GameResult]] = defaultdict(list)
    for result in results:
        blocks[kind_of(result), result.block].append(result)
    for (_, name), games in blocks.items():
        if any(len(games) > game.block_size or game.block_size != games[0].block_size for game in games):
            sizes = sorted({game.block_size for game in games})
            raise ResultsError(f"block {name} has {len(games)} games, and they give its size as {sizes}")
    return list(blocks.values())


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
    """
    return sha256("\n".join(sorted(map(_canonical, results))).encode()).hexdigest()


def _canonical(result: GameResult) -> str:
    """What is rated of a game, as JSON: its seats in an order of their own, by team."""
    teams: dict[Team, list[tuple[int, str, str, int, str]]] = defaultdict(list)
    for seat in result.seats:
        entry = (seat.rank, seat.bot.name, seat.bot.digest, seat.score, seat.fault or "")
        teams[seat.team].append(entry)
    table = sorted(sorted(team) for team in teams.values())
    of = (result.id, result.game, result.variant, result.rules, result.deal, result.block, result.verdict)
    return json.dumps([*of, table])
