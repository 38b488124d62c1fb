"""The rounds of a schedule that has some, in words: who met whom, and with what score."""

from __future__ import annotations

from collections.abc import Iterator

from arena.schedules import Schedule
from arena.schedules.blocks import Field, Progress
from arena.schedules.knockout import Knockout, Match
from arena.schedules.swiss import Round, Swiss


def rounds(schedule: Schedule, field: Field, progress: Progress) -> tuple[str, ...]:
    """A line for each match of a knockout or each round of a Swiss; nothing for other schedules."""
    match schedule:
        case Knockout():
            bracket = schedule.bracket(field, progress)
            return tuple(line for n, met in enumerate(bracket, 1) for line in _matches(n, len(bracket), met))
        case Swiss():
            return tuple(
                f"round {number} of {schedule.length(field, size)}: {_tables(one)}"
                for size, drawn in schedule.drawn(field, progress).items()
                for number, one in enumerate(drawn, 1)
            )
        case _:
            return ()


def _matches(number: int, of: int, matches: list[Match]) -> Iterator[str]:
    name = "final" if number == of else f"round {number}"
    return (f"{name}: {_match(match)}" for match in matches if match.bots)


def _match(match: Match) -> str:
    """`ann 75 %, bob 25 %: ann wins`."""
    if match.score:
        scores = zip(match.bots, match.score, strict=True)
        met = ", ".join(f"{bot.name} {float(share):.1%}" for bot, share in scores)
    else:
        met = " against ".join(bot.name for bot in match.bots)
    if len(match.bots) < 2:
        return f"{met} has a bye" if match.winner else f"{met} waits"
    return f"{met}: {match.winner.name} wins" if match.winner else met


def _tables(drawn: Round) -> str:
    """`ann against bob, cat against dan; bye: eve`."""
    tables = ", ".join(" against ".join(bot.name for bot in table) for table in drawn.tables)
    return tables + (f"; bye: {', '.join(bot.name for bot in drawn.byes)}" if drawn.byes else "")
