"""Whether bots can play a tournament, and whether what has begun may go on as its file says now."""

from __future__ import annotations

from typing import Any

from arena.bundles import Bot, machine_memory, short_of, unfit
from arena.config import REPLAYED, Tournament
from arena.errors import InputError
from arena.ledger import Begun, Ledger
from arena.planning import Course, course_of
from arena.schedules.blocks import Field, pairings, teams_of
from arena.schedules.gauntlet import Gauntlet
from arena.schedules.knockout import Knockout, check
from arena.scheduling import named
from protocol.vocabulary import BotId


def check_lineup(tournament: Tournament, bots: list[Bot]) -> None:
    """Raise InputError where these bots cannot play `tournament`: names, games, limits, and as `check_course`."""
    ids = [bot.id for bot in bots]
    _check_names(ids, versions=tournament.schedule.kind == "compare")
    for bot, variant in unfit(bots, tournament.variant_ids):
        raise InputError(
            f"bots: {bot.id.name} does not play {variant}",
            f"its bot.toml has: games = {bot.manifest.games}",
            "E214",
        )
    for bot, key, asked, given in short_of(bots, tournament.clock.limits, _memory(tournament)):
        here = "the tournament" if key == "memory_mb" else "[clock]"
        raise InputError(
            f"bots: {bot.id.name} asks for {key} = {asked} in [limits] of its bot.toml, and {here} gives {key} = {given}",
            f"leave it out, or set {key} = {asked}",
            "E230",
        )
    check_course(course_of(tournament, "", ids))


def check_file(tournament: Tournament, bots: list[Bot], ledger: Ledger) -> None:
    """The same where these are all the bots that a file lists, and none has been built or left out yet."""
    ids = [bot.id for bot in bots]
    named(tournament.schedule.bots, ids)
    check_lineup(tournament, bots)
    if ledger.find(tournament.name) is None:
        check_budget(course_of(tournament, "", ids))


def check_course(course: Course) -> None:
    """Raise InputError where a variant has no game for all the bots of a course, suspended or not."""
    field = Field(course.plan, course.bots)
    _check_tables(field)
    if isinstance(course.whole, Knockout):
        check(field)
    if isinstance(course.whole, Gauntlet):
        _check_challengers(course.whole, field)


def _memory(tournament: Tournament) -> int:
    """What a bot may use, in MiB."""
    return machine_memory() if tournament.sandbox == "none" else tournament.memory_mb


def _check_names(bots: list[BotId], versions: bool) -> None:
    """`versions`: two versions of one name may meet."""
    names = [bot.name for bot in bots]
    for bot in bots:
        if bots.count(bot) > 1:
            raise InputError(f"bots: two of them are the same bot, {bot}", "name each once", "E215")
    for name in names:
        if names.count(name) > 1 and not versions:
            fix = "arena compare plays versions of one name; else change `name` in a bot.toml"
            raise InputError(f"bots: two of them are called {name!r}", fix, "E215")


def check_transport(transport: str, bots: list[Bot]) -> None:
    """Raise InputError where libzmq does not reach one of the bots."""
    for bot in bots:
        if transport == "libzmq" and bot.manifest.transport == "stdio":
            text = f"--transport libzmq: {bot.id.name} talks over standard input and output"
        elif (
            transport == "libzmq" and bot.manifest.transport == "tcp" and bot.sandbox().network == "loopback"
        ):
            text = f"--transport libzmq: {bot.id.name} is kept apart, with a loopback of its own"
        else:
            continue
        raise InputError(text, "leave --transport out: the arena's own serves every bot")


def _check_tables(field: Field) -> None:
    for variant in field.plan.variants:
        if not any(True for _ in pairings(teams_of(variant), field.bots, field.plan.partners)):
            raise InputError(
                f"variants: {variant} needs more bots than {len(field.bots)}",
                "add bots, or leave that variant out",
                "E216",
            )


def _check_challengers(schedule: Gauntlet, field: Field) -> None:
    for variant, (games, _) in schedule.most(field).items():
        if not games:
            raise InputError(
                f"schedule.bots: too few others are there for a game of {variant} with one challenger",
                "name fewer challengers, or add other bots", "E239",
            )  # fmt: skip


def check_budget(course: Course) -> None:
    """Raise InputError where [stop] has too few games for what all else builds on, beside those that are over.

    A schedule that goes by an opening must have something to choose after it.
    """
    lacking, kept = course.lacking(), course.progress.games
    least = kept + lacking + (not course.whole.static)
    if lacking and 0 < course.stop.games < least:
        what = "one deal of every meeting" if course.whole.static else "an opening"
        besides = f" more, and {kept:,} are there" if kept else ""
        raise InputError(
            f"stop.games: {course.stop.games:,} games are too few: {what} takes {lacking:,}{besides}",
            f"games = {least if course.whole.static else kept + 2 * lacking} or more, or fewer deals", "E240",
        )  # fmt: skip


GROWS = "bots, variants and deals may be added"
STAYS = "the rounds of a Swiss or knockout hang on all that was played before"
_GROWING = ("bots", "variants", "deals")
_FREE = (
    "concurrency", "sandbox", "seed", "missing_bots", "suspend_after", "on_suspend", "schedule", "stop",
    "spectator_delay_ms", *_GROWING,
)  # fmt: skip


def check_changes(begun: Begun, tournament: Tournament, bots: list[BotId]) -> None:
    """A tournament may grow; whatever would make its games unlike each other is refused."""
    old, new = Tournament.model_validate(begun.config), tournament
    for key in Tournament.model_fields:
        if key not in _FREE and getattr(old, key) != getattr(new, key):
            raise _changed(key, getattr(old, key), getattr(new, key), begun)
    if new.seed not in (None, begun.seed):
        raise _changed("seed", begun.seed, new.seed, begun)
    if new.deals < old.deals:
        raise _changed("deals", old.deals, new.deals, begun)
    for variant in old.variant_ids:
        if variant not in new.variant_ids:
            raise _changed("variants", variant, None, begun)
    for bot in begun.bots:
        if bot not in bots:
            now = next((b for b in bots if b.name == bot.name), None)
            raise _changed("bots", bot, now, begun)
    _check_rounds(begun, old, new, bots)


def _check_rounds(begun: Begun, old: Tournament, new: Tournament, bots: list[BotId]) -> None:
    """Rounds that follow from the results before them must stay what they were."""
    kinds = old.schedule.kind, new.schedule.kind
    if not set(kinds).intersection(REPLAYED):
        return
    if kinds[0] != kinds[1]:
        raise _changed("schedule.kind", *kinds, begun, STAYS)
    for key, was, now in (
        ("deals", old.deals, new.deals),
        ("variants", old.variant_ids, new.variant_ids),
        ("bots, in this order", [bot.name for bot in begun.bots], [bot.name for bot in bots]),
    ):
        if was != now:
            raise _changed(key, was, now, begun, STAYS)


def _changed(key: str, old: Any, new: Any, begun: Begun, may: str = GROWS) -> InputError:
    return InputError(
        f"{key}: tournament {begun.name!r} began with {_shown(old)}, now {_shown(new)}",
        f"put it back, or give the tournament another name; {may}",
        "E217",
    )


def _shown(value: Any) -> str:
    if value is None:
        return "it is left out"
    return repr(value) if isinstance(value, str) else str(value)
