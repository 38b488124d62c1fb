"""Short ways to write down results."""

from collections.abc import Sequence
from dataclasses import replace

from leaderboards.selection import Side
from protocol.result import GameResult, SeatResult
from protocol.vocabulary import BotId, DealId, FaultKind, GameId, Team, Verdict

DUEL = "claim/2p/GK-UWX"


def bot(name: str) -> BotId:
    return BotId(name, name.encode(errors="surrogatepass").hex().rjust(64, "0"))


def won(*names: str) -> tuple[Side, ...]:
    """A game of single bots that ended in this order."""
    return tuple(Side(rank, (bot(name),)) for rank, name in enumerate(names))


def drawn(*names: str) -> tuple[Side, ...]:
    return tuple(sorted(Side(0, (bot(name),)) for name in names))


def game(
    number: int,
    names: Sequence[str],
    ranks: Sequence[int],
    *,
    teams: Sequence[int] | None = None,
    variant: str = DUEL,
    faults: Sequence[FaultKind | None] | None = None,
    block: str | None = None,
    block_size: int = 1,
    verdict: Verdict = Verdict.FINISHED,
    rules: str = "1-0a1b2c3d",
) -> GameResult:
    """A game with one name, rank, … for each seat; by itself a whole block."""
    teams = teams or range(len(names))
    faults = faults or [None] * len(names)
    seats = tuple(
        SeatResult(bot(name), Team(team), rank, 10 - rank, fault)
        for name, team, rank, fault in zip(names, teams, ranks, faults, strict=True)
    )
    return GameResult(
        id=GameId(f"{number:032x}"),
        game=variant.split("/")[0],
        variant=variant,
        rules=rules,
        deal=DealId(f"deal {number // 2}"),
        block=block or f"block {number}",
        block_size=block_size,
        seats=seats,
        verdict=verdict,
    )


def duels(pairs: dict[tuple[str, str], int], *, start: int = 0, variant: str = DUEL) -> list[GameResult]:
    """So many wins of the first of each two over the second."""
    played = [names for names, wins in pairs.items() for _ in range(wins)]
    return [game(start + i, names, (0, 1), variant=variant) for i, names in enumerate(played)]


def reseated(result: GameResult, order: Sequence[int]) -> GameResult:
    """The same game, its seats listed in another order."""
    return replace(result, seats=tuple(result.seats[i] for i in order))
