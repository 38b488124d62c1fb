"""Whether bots can play a tournament, and whether what has begun may go on as its file says now."""

from __future__ import annotations

from typing import Any

from arena.bundles import Bot, machine_memory, short_of, unfit
from arena.config import REPLAYED, Tournament
from arena.errors import InputError
from arena.ledger import Begun
from arena.planning import Course, course_of
from arena.schedules import knockout
from arena.schedules.blocks import Field, Progress, pairings, teams_of
from protocol.vocabulary import BotId


def check_lineup(tournament: Tournament, bots: list[Bot]) -> None:
    """Raise InputError where these bots cannot play `tournament`: names, games, sizes of tables."""
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
    course = course_of(tournament, "", ids)
    _check_tables(course.field)
    if tournament.schedule.kind == "knockout":
        knockout.check(course.field)
    _check_budget(course)


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


def _check_budget(course: Course) -> None:
    """A schedule without an end of its own has an opening, that all of it rests on."""
    if not course.stop.games or course.schedule.most(course.field):
        return
    games = opening(course)
    if games > course.stop.games:
        raise InputError(
            f"stop.games: {course.stop.games:,} games are fewer than the {games:,} of the opening",
            f"games = {2 * games} or more, or fewer deals",
            "E240",
        )


def opening(course: Course) -> int:
    """Games of the first step, if nobody were suspended."""
    everybody = Field(course.plan, course.bots)
    return sum(everybody.games(block.meeting) for block in course.schedule.step(everybody, Progress()))


GROWS = "bots, variants and deals may be added"
STAYS = "the rounds of a Swiss or knockout hang on all that was played before"
_GROWING = ("bots", "variants", "deals")
_FREE = (
    "concurrency", "sandbox", "seed", "missing_bots", "suspend_after", "on_suspend", "schedule", "stop", *_GROWING
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
