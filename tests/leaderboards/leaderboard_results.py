"""Short ways to write down results."""

import random
from collections.abc import Sequence
from dataclasses import replace

from leaderboards.selection import Side
from protocol.result import GameResult, SeatResult
from protocol.vocabulary import BotId, DealId, FaultKind, GameId, Team, Verdict

DUEL = "claim/2p/GK-UWX"
TRIO = "aristoocrazy/3p"
FOUR = "claim/4p"
PARTNERS = (0, 1, 0, 1)
"""Teams of four seats, partners opposite each other."""


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
    deal: str | None = None,
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
        deal=DealId(deal or f"deal {number // 2}"),
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


def tournament(seed: int = 1, deals: int = 12) -> list[GameResult]:
    """Mirrored blocks of duels, of three for themselves with ties, and of mixed partners; some bots make faults.

    A bot is as good as its letter is early; on every deal the luck is that of the first seat.
    """
    rng = random.Random(seed)
    trios = [["abc"[(seat + turn) % 3] for seat in range(3)] for turn in range(3)]
    meetings: list[tuple[str, Sequence[int], list[list[str]]]] = [
        (DUEL, (0, 1), [list(pair), list(reversed(pair))]) for pair in ("ab", "ac", "ad", "bc", "bd", "cd")
    ]
    meetings.append((TRIO, (0, 1, 2), trios))
    meetings += [(FOUR, PARTNERS, [[a, c, b, d], [c, a, d, b]]) for a, b, c, d in ("abcd", "acbd", "adbc")]
    found: list[GameResult] = []
    for deal in range(deals):
        luck = rng.gauss(0, 2)
        for variant, teams, seatings in meetings:
            block = f"{variant} {deal} {''.join(seatings[0])}"
            for names in seatings:
                number = len(found)
                found.append(
                    game(
                        number, names, _ranks(names, teams, luck, rng), teams=teams, variant=variant, block=block,
                        block_size=len(seatings), deal=f"{variant}#{deal}",
                        faults=[FaultKind.TIMEOUT if name == "d" and rng.random() < 0.1 else None for name in names],
                    )
                )  # fmt: skip
    return found


def _ranks(names: Sequence[str], teams: Sequence[int], luck: float, rng: random.Random) -> list[int]:
    shown: dict[int, float] = dict.fromkeys(teams, 0.0)
    shown[0] += luck
    for name, team in zip(names, teams, strict=True):
        shown[team] += rng.gauss(-2 * ord(name), 2)
    places = sorted({-round(value / 3) for value in shown.values()})
    return [places.index(-round(shown[team] / 3)) for team in teams]
