"""Which games are to be played next: pure functions of the bots, the variants and what was played."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar, Protocol

from arena.schedules.adaptive import Adaptive
from arena.schedules.blocks import Block, Field, Progress
from arena.schedules.comparison import Comparison
from arena.schedules.finals import Finals
from arena.schedules.gauntlet import Gauntlet
from arena.schedules.knockout import Knockout
from arena.schedules.newcomer import Newcomer
from arena.schedules.round_robin import RoundRobin
from arena.schedules.swiss import Swiss
from leaderboards.sprt import Sprt
from protocol.vocabulary import BotId

SCHEDULES = ("round_robin", "gauntlet", "newcomer", "swiss", "knockout", "finals", "adaptive", "compare")
"""Their names in a tournament file."""


class Schedule(Protocol):
    """What chooses the blocks of a tournament; its fields are its settings, and nothing else is kept."""

    static: ClassVar[bool]
    """Whether all of it is known before anything is played."""

    def step(self, field: Field, progress: Progress) -> Iterable[Block]:
        """What to play next, all of which is waited for; nothing: the schedule is over."""

    def most(self, field: Field) -> dict[str, tuple[int, int]]:
        """By variant, the games and blocks of the whole schedule, at most; empty: there is no bound."""

    def unkept(self, field: Field, progress: Progress) -> list[str]:
        """What it promised and does not hold once it is over, in words."""


def schedule_of(
    kind: str,
    bots: tuple[BotId, ...] = (),
    rounds: int = 0,
    newcomer_deals: int = 10,
    ask: str = "order",
    deals: int = 1,
    stops: bool = False,
    test: Sprt = Sprt(),  # noqa: B008
    games: int = 0,
) -> Schedule:
    """The schedule with one of the names in SCHEDULES.

    `bots` are challengers, newcomers, the one whose rank is asked for, or the two that are compared by `test`, in
    so many `games` at most (0: no bound). `stops`: whether there are rules by which the tournament may end between
    two steps.
    """
    made: dict[str, Callable[[], Schedule]] = {
        "round_robin": lambda: RoundRobin(deals, stops),
        "gauntlet": lambda: Gauntlet(bots, deals, stops),
        "newcomer": lambda: Newcomer(bots, newcomer_deals, deals, stops),
        "swiss": lambda: Swiss(deals, rounds),
        "knockout": lambda: Knockout(deals),
        "finals": lambda: Finals(deals),
        "adaptive": lambda: Adaptive(deals, ask, bots[0] if bots else None),
        "compare": lambda: Comparison(bots[0], bots[1], test, games),
    }
    return made[kind]()
