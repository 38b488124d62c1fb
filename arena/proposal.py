"""What an organiser wants to have simulated: a tournament file, or a few options, or both."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arena import lineup, quality
from arena.config import Tournament, load, parse
from arena.errors import InputError
from arena.home import Home
from arena.planning import course_of
from arena.reading import leaderboard
from arena.schedules import SCHEDULES
from arena.simulation import Odds, World, spread
from arena.trials import QUALITY, Entry
from leaderboards.luck import Luck
from leaderboards.standings import Standings
from protocol.vocabulary import BotId

BOTS = 20
SPREAD = 0.75
VARIANT = "claim/2p/GK-UWX"
ENDLESS = ("finals", "adaptive", QUALITY)
UNBOUND = 1_000_000
"""Deals, or games, that no simulation comes to."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """As the command line has them; None or nothing: it says nothing of that."""

    file: str | None = None
    bots: int | None = None
    spread: float | None = None
    strengths: tuple[float, ...] | None = None
    like: str | None = None
    luck: float | None = None
    draws: float | None = None
    costs: tuple[float, ...] = ()
    patterns: tuple[str, ...] = ()
    schedules: tuple[str, ...] = ()
    games: int | None = None
    deals: int | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is to be simulated."""

    world: World
    entries: tuple[Entry, ...]


def proposal(wishes: Wishes, home: Home) -> Proposal:
    """Raises InputError: no such file, schedule or leaderboard, or wishes that go against each other."""
    file = load(wishes.file) if wishes.file else None
    known = leaderboard(wishes.like, None, home) if wishes.like else None
    strengths = _strengths(wishes, file, known)
    base = _base(wishes, file, len(strengths))
    default: tuple[str | None, ...] = (None,) if file else ("round_robin",)
    entries = tuple(_entry(kind, base, wishes) for kind in wishes.schedules or default)
    for entry in entries:
        _check(entry)
    odds = {variant: _odds(variant, wishes, known) for variant in entries[0].tournament.variant_ids}
    if wishes.costs and (
        len(wishes.costs) != len(strengths) or not all(0 < cost < math.inf for cost in wishes.costs)
    ):
        raise InputError(
            f"--costs has {len(wishes.costs)} numbers for {len(strengths)} bots",
            "name the CPU seconds a game, above 0, of each bot, in the order of the strengths", "E311",
        )  # fmt: skip
    return Proposal(World(strengths, odds, wishes.costs), entries)


def _strengths(wishes: Wishes, file: Tournament | None, known: Standings | None) -> tuple[float, ...]:
    said = [
        name for name, one in (("--strengths", wishes.strengths), ("--like", known), ("--spread", wishes.spread))
        if one is not None
    ]  # fmt: skip
    if len(said) > 1:
        raise InputError(
            f"{' and '.join(said)} both say how strong the bots are", "leave one of them out", "E311"
        )
    found = wishes.strengths if known is None else _measured(known)
    if found is None:
        share = SPREAD if wishes.spread is None else wishes.spread
        if not 0.5 < share < 1:
            raise InputError(
                f"--spread {share:.0%}: the best beats the worst more often than not, and not always",
                "such as --spread 75%", "E311",
            )  # fmt: skip
        return spread(wishes.bots or (len(file.bots) if file else BOTS), share)
    if wishes.bots not in (None, len(found)):
        raise InputError(f"--bots {wishes.bots}, and strengths of {len(found)}", "leave --bots out", "E311")
    for strength in found:
        if not math.isfinite(strength):
            raise InputError(
                f"--strengths: {strength} is no strength", "write numbers, such as 27,25.5,24", "E311"
            )
    if len(set(found)) < 2:
        raise InputError(
            "all bots are equally strong: there is no order to find",
            "name two strengths at least that differ, such as 27,25", "E311",
        )  # fmt: skip
    return found


def _measured(known: Standings) -> tuple[float, ...]:
    """Of the bots that have an overall rating."""
    found = tuple(row.rating.mu for row in known.rows if row.rating)
    if len(found) < 2:
        raise InputError(
            "--like: fewer than two bots have an overall rating there", "play more of it", "E313"
        )
    return found


def _odds(variant: str, wishes: Wishes, known: Standings | None) -> Odds:
    """Of a variant: as wished, else as measured, else the common ones."""
    luck, draws = wishes.luck, wishes.draws
    board = next((one for one in known.boards if one.kind.variant == variant), None) if known else None
    if known and board is None:
        raise InputError(
            f"--like: nothing is known there of {variant}",
            f"it has {', '.join(one.kind.variant for one in known.boards)}", "E313",
        )  # fmt: skip
    if board:
        luck = measured_luck(board.luck) if luck is None else luck
        draws = board.draw_probability if draws is None else draws
    if draws == 1:
        raise InputError("--draws 100%: no game would have a winner", "such as --draws 5%", "E311")
    common = Odds()
    return Odds(common.luck if luck is None else luck, common.draws if draws is None else draws)


def measured_luck(found: Luck) -> float | None:
    """The share of luck with which games of a block go together as they were measured to; None: not known.

    Two games with seats changed are won or lost by normal differences of correlation −luck; what is won or lost
    then has (2/π) arcsin of that (Sheppard 1899). For k sides the part of each other is 1 / (k − 1) of it.
    """
    if found.correlation is None:
        return None
    latent = max(-1.0, found.correlation * (found.sides - 1))
    return min(1.0, max(0.0, math.sin(-math.pi / 2 * latent)))


def _base(wishes: Wishes, file: Tournament | None, size: int) -> dict[str, Any]:
    """The tournament as a file would have it, but for its schedule. Its bots have numbers for names."""
    base: dict[str, Any] = (
        file.model_dump(mode="json") if file else {"name": "simulation", "variants": [VARIANT]}
    )
    base["bots"] = [f"bot-{place:0{len(str(size))}}" for place in range(1, size + 1)]
    if wishes.patterns:
        base["variants"] = list(wishes.patterns)
    if wishes.deals:
        base["deals"] = wishes.deals
    if wishes.games:
        base["stop"] = {**base.get("stop", {}), "games": wishes.games}
    return base


def _entry(kind: str | None, base: Mapping[str, Any], wishes: Wishes) -> Entry:
    """One schedule, by a name of SCHEDULES; after a colon comes what an adaptive one asks. None: the file's."""
    said, stop = base.get("schedule", {}), dict(base.get("stop", {}))
    deals = base.get("deals", 10)
    if kind is None:
        kind = _kind(said)
    else:
        _check_kind(kind)
        if kind == "round_robin" and wishes.games:
            deals = UNBOUND  # it is compared with schedules that go on until then
    if kind.partition(":")[0] in ENDLESS and not any(stop.values()):
        raise InputError(f"{kind} goes on until it is stopped", "add a budget, such as --games 8000", "E312")
    if stop.get("minutes") and not any((stop.get("games"), stop.get("tau"), stop.get("first"), wishes.costs)):
        raise InputError(
            "minutes alone end this tournament, and nobody knows how many games that is",
            "say --costs SECONDS,..., or a budget such as --games 8000", "E312",
        )  # fmt: skip
    if not any(stop.values()):
        stop["games"] = UNBOUND  # so that it goes round by round, and can be looked at between
    schedule = _schedule(kind, said, base["bots"])
    whole = {**base, "schedule": schedule, "stop": stop, "deals": deals}
    return Entry(kind, parse(whole, wishes.file or "arena simulate"))


def _kind(table: Mapping[str, Any]) -> str:
    """What a file asks for, as --schedule would."""
    asks = table["kind"] == "adaptive" and table["ask"] != "order"
    return f"adaptive:{table['ask']}" if asks else str(table["kind"])


def _check_kind(kind: str) -> None:
    known = [name for name in SCHEDULES if name != "compare"]
    known += [*(f"adaptive:{ask}" for ask in ("order", "champion", "rank")), QUALITY]
    if kind not in known:
        raise InputError(f"there is no schedule {kind!r}", f"one of {', '.join(known)}", "E312")


def _schedule(kind: str, file: Mapping[str, Any], bots: list[str]) -> dict[str, Any]:
    """The table of a tournament file, for a kind that it may not have itself.

    Who is how strong is drawn for each contest: whichever bots it names, their number is what counts.
    """
    name, _, ask = kind.partition(":")
    many = max(1, len(file.get("bots", ())))
    named = {"gauntlet": many, "newcomer": many, "adaptive:rank": 1, "compare": 2}.get(kind, 0)
    table = {key: value for key, value in file.items() if key != "ask"} | ({"ask": ask} if ask else {})
    return table | {"kind": "round_robin" if kind == QUALITY else name, "bots": bots[:named]}


def _check(entry: Entry) -> None:
    """Raise InputError where the schedule cannot be played by such a field, as `arena run` does."""
    tournament = entry.tournament
    course = course_of(tournament, "", [BotId(name, "") for name in tournament.bots])
    lineup.check_course(course)
    if entry.name == QUALITY:
        quality.check(course.field)
    else:
        lineup.check_budget(course)
