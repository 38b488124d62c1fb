"""The schedule that a tournament file means, and which bots it goes by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arena.config import StopTable, Tournament
from arena.errors import InputError, did_you_mean
from arena.schedules import Schedule, schedule_of
from leaderboards.sprt import Sprt
from protocol.vocabulary import BotId


def schedules(tournament: Tournament, bots: Sequence[BotId]) -> tuple[Schedule, Schedule]:
    """The one whose steps are played, and the same as if no rule would stop it.

    A bot that may be left out is none of `bots` then. Raises InputError where [schedule] means none of them.
    """
    said = tournament.schedule
    here = {word for bot in bots for word in _words(bot)}
    names = [name for name in said.bots if name in here or tournament.missing_bots == "stop"]
    if said.bots and not names:
        raise InputError(
            f"schedule.bots: left out, since it does not build or start here: {', '.join(said.bots)}",
            "mend it, or name another bot there", "E239",
        )  # fmt: skip
    chosen = named(names, bots)

    def made(stops: bool) -> Schedule:
        return schedule_of(
            said.kind, chosen, said.rounds, said.newcomer_deals, said.ask, tournament.deals, stops,
            Sprt(said.s0, said.s1, said.alpha, said.beta), tournament.stop.games,
        )  # fmt: skip

    return made(tournament.stop != StopTable()), made(False)


def named(names: Iterable[str], bots: Sequence[BotId]) -> tuple[BotId, ...]:
    """Who is meant by the names in [schedule]. Raises InputError: it is none of `bots`, or it is there twice."""
    meant = {word: bot for bot in bots for word in _words(bot)}
    chosen: list[BotId] = []
    for name in names:
        if name not in meant:
            fix = did_you_mean(name, {bot.name for bot in bots})
            raise InputError(f"schedule.bots: {name!r} is no bot of this tournament", fix, "E239")
        if meant[name] in chosen:
            raise InputError(f"schedule.bots: {name!r} is there twice", "name each once", "E239")
        chosen.append(meant[name])
    return tuple(chosen)


def _words(bot: BotId) -> tuple[str, str]:
    """What it may be called."""
    return f"{bot.name}@{bot.digest}", bot.name
