"""Whether a schedule did what it promises: seen in the games that were played, not in what it meant to play."""

from __future__ import annotations

from collections import Counter, defaultdict

from arena.schedules import Schedule
from arena.schedules.blocks import Field, Progress, teams_of
from arena.schedules.rounds import told
from protocol.vocabulary import BotId


def imbalance(field: Field, progress: Progress, schedule: Schedule) -> list[str]:
    """What is not balanced, in words; nothing: all is well.

    Games that became void, and bots that were suspended, added or taken out, explain what is here. Where
    there were none of these it is a mistake of the schedule or of whoever played it.
    """
    begun = [f"{told(meeting)}: deal {deal} was not played to its end" for meeting, deal in progress.begun]
    void = [f"{told(meeting)}: a game on deal {deal} is void" for meeting, deal in sorted(progress.void)]
    return begun + void + _seats(progress) + schedule.unkept(field, progress)


def _seats(progress: Progress) -> list[str]:
    """Bots that did not sit in each seat of a variant equally often."""
    seats: defaultdict[tuple[str, BotId], Counter[int]] = defaultdict(Counter)
    for (variant, bot, number), games in progress.sat.items():
        seats[variant, bot][number] = games
    return [
        f"{bot.name} sat in the seats of {variant} {', '.join(str(sat[n]) for n in _numbers(variant))} times"
        for (variant, bot), sat in sorted(seats.items())
        if len({sat[n] for n in _numbers(variant)}) > 1
    ]


def _numbers(variant: str) -> range:
    return range(len(teams_of(variant)))
