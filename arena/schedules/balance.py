"""Whether a schedule did what it promises: seen in the games that were played, not in what it meant to play."""

from __future__ import annotations

from collections import Counter, defaultdict

from arena.schedules import Schedule
from arena.schedules.blocks import Field, Progress
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
    sat: defaultdict[tuple[str, BotId], Counter[int]] = defaultdict(Counter)
    for result in progress.results:
        for number, seat in enumerate(result.seats):
            sat[result.variant, seat.bot][number] += 1
    seats = {result.variant: range(len(result.seats)) for result in progress.results}
    return [
        f"{bot.name} sat in the seats of {variant} {', '.join(str(count[n]) for n in seats[variant])} times"
        for (variant, bot), count in sorted(sat.items())
        if len({count[n] for n in seats[variant]}) > 1
    ]
