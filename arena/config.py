"""tournament.toml: what is to be played. Every error names the key and what was expected."""

from __future__ import annotations

import os
import secrets
import shlex
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

from arena.errors import InputError
from arena.inputs import NAME, complaint, input_text, toml
from referee.clocks import Limits
from referee.game import VariantError
from referee.games import game_of

SAFE_SEED = 16
"""Characters below which a seed is taken for one that can be guessed."""
REPLAYED = ("swiss", "knockout")
"""Kinds of schedule whose rounds hang on all that was played before them."""
DAY = 86_400_000
Milliseconds = Annotated[int, Field(ge=1, le=DAY)]
Share = Annotated[float, Field(gt=0, lt=1)]
Chance = Annotated[float, Field(gt=0, lt=0.5)]
OrNone = Annotated[int, Field(ge=0, le=DAY)]
"""Milliseconds, or 0 for no limit."""


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, use_attribute_docstrings=True)


class Clock(_Table):
    """What time bots have, in milliseconds, and what they may do while others are to move."""

    startup_ms: Milliseconds = 10_000
    """For a bot's `hello`, and for each `ready`."""
    bank_ms: OrNone = 20_000
    """For all moves of a game together; 0: no bank."""
    increment_ms: OrNone = 100
    """Goes into the bank after each move."""
    move_ms: OrNone = 5_000
    """The most that one move may take; 0: no cap."""
    margin_ms: Annotated[int, Field(ge=0, le=DAY)] = 20
    """How much later than that an answer is still in time, for the machine's jitter; the bank pays for it."""
    pondering: Literal["off", "on"] = "off"
    """Whether a bot may think while others are to move: off stops it until it is asked again."""

    @property
    def limits(self) -> Limits:
        """As the referee takes them."""

        def ms(value: int) -> timedelta:
            return timedelta(milliseconds=value)

        bank, move = ms(self.bank_ms) or None, ms(self.move_ms) or None
        return Limits(
            ms(self.startup_ms), bank, ms(self.increment_ms), move, ms(self.margin_ms), self.pondering == "on"
        )


class ScheduleTable(_Table):
    """Who meets whom, and how often."""

    kind: Literal[
        "round_robin", "gauntlet", "newcomer", "swiss", "knockout", "finals", "adaptive", "compare"
    ] = "round_robin"
    """round_robin: everybody against everybody.
    gauntlet: `bots` against all others.
    newcomer: a round robin, in which meetings with `bots` have `newcomer_deals` deals.
    swiss: rounds, in each of which neighbours in the table meet.
    knockout: pairs, whose loser is out.
    finals: an opening of all, then the bots that may be the first among each other.
    adaptive: an opening of all, then the games that tell most of what `ask` says.
    compare: two `bots`, until one is known to be better, as `arena compare` does."""
    bots: list[str] = []
    """Names: the challengers of a gauntlet, the newcomers, the one whose rank is asked, or the two to compare."""
    rounds: Annotated[int, Field(ge=0, le=1000)] = 0
    """Of a Swiss; 0: as many as a field of this size needs."""
    newcomer_deals: Annotated[int, Field(ge=1, le=1_000_000)] = 10
    """For each meeting with a newcomer; the others have `deals`."""
    ask: Literal["order", "champion", "rank"] = "order"
    """What an adaptive schedule is to find out: the whole order, who is the first, or the rank of one bot."""
    s0: Share = 0.5
    """Of two that are compared: the first is not better where its mean score is this or less,"""
    s1: Share = 0.55
    """and better where it is this or more."""
    alpha: Chance = 0.05
    """How often it may be called better where it is not,"""
    beta: Chance = 0.05
    """and not better where it is."""

    @model_validator(mode="after")
    def _named(self) -> ScheduleTable:
        ranked = self.kind == "adaptive" and self.ask == "rank"
        if not self.bots and (ranked or self.kind in ("gauntlet", "newcomer")):
            asked = 'ask = "rank"' if ranked else f'kind = "{self.kind}"'
            raise ValueError(f'{asked} needs bots = ["NAME"]')
        if self.kind == "compare":
            if len(self.bots) != 2 or self.s0 >= self.s1:
                raise ValueError('kind = "compare" needs two bots, and s0 below s1')
        elif self.bots and not (ranked or self.kind in ("gauntlet", "newcomer")):
            raise ValueError(f'kind = "{self.kind}" takes no bots here')
        if ranked and len(self.bots) > 1:
            raise ValueError('ask = "rank" is about one bot')
        return self


class StopTable(_Table):
    """When a tournament ends before its schedule does: looked at between steps. 0: there is no such rule."""

    games: Annotated[int, Field(ge=0)] = 0
    """Once so many are over."""
    minutes: Annotated[int, Field(ge=0, le=525_600)] = 0
    """Of a run; another run goes on."""
    tau: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """Once the table's Kendall tau with the true order is expected to be so high."""
    first: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """Once a bot is the best one with this probability."""


class Tournament(_Table):
    """A tournament as its file says it."""

    name: Annotated[str, Field(pattern=NAME)]
    """Names it in the ledger; the file's own name where left out."""
    bots: Annotated[list[str], Field(min_length=2)]
    """Names of bots, or paths of their folders or scripts."""
    variants: Annotated[list[str], Field(min_length=1)]
    """Ids, aliases or patterns: `claim`, `claim/2p/*`."""
    deals: Annotated[int, Field(ge=1, le=1_000_000)] = 10
    """Deals for each pairing and variant; each is played in a whole block of seatings. Of a match in a Swiss or
    knockout; of the opening before finals or an adaptive schedule."""
    seed: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    """All luck comes from it; drawn, and kept in the ledger, where left out."""
    seatings: Literal["rotations", "all"] = "rotations"
    """For three and four who play for themselves: every rotation, or every order."""
    partners: Literal["same", "mixed", "both"] = "same"
    """Four in two teams: both seats by one bot, by two different ones, or both kinds."""
    missing_bots: Literal["stop", "leave_out"] = "stop"
    """Where a bot does not build or start: stop before anything is played, or play without it and say so."""
    suspend_after: Annotated[int, Field(ge=0, le=1_000_000)] = 3
    """Faults of one kind in a row, after which a bot is suspended for this tournament; 0: never."""
    on_suspend: Literal["forfeit", "drop"] = "forfeit"
    """A suspended bot's games that are left: it loses each of them unplayed (where more than two sides play, a house
    player sits in for it), or they are left out, and with them the blocks that they belong to."""
    fresh_processes: bool = False
    """Start the bots anew for each game."""
    spectator_delay_ms: Annotated[int, Field(ge=0, le=DAY)] = 30_000
    """How old an action is before whoever watches is shown it (`arena watch`, `arena serve`)."""
    names: Literal["hidden", "shown"] = "hidden"
    """Whether bots are told whom they play."""
    sandbox: Literal["none", "default", "strict"] = "default"
    """What bots are kept in: nothing, whatever this machine gives without help, or all of it or nothing is played."""
    memory_mb: Annotated[int, Field(ge=16, le=1 << 20)] = 1024
    """For all processes of a bot together, where it is kept apart."""
    concurrency: Annotated[int, Field(ge=0, le=1024)] = 0
    """Referee processes; 0: one a physical core."""
    clock: Clock = Clock()
    schedule: ScheduleTable = ScheduleTable()
    stop: StopTable = StopTable()

    @field_validator("variants")
    @classmethod
    def _known(cls, variants: list[str]) -> list[str]:
        for variant in variants:
            try:
                game_of(variant).matching(variant)
            except VariantError as error:
                raise ValueError(str(error)) from None
        return variants

    @model_validator(mode="after")
    def _timed(self) -> Tournament:
        if not self.clock.limits.rated:
            raise _misfit("clock", "one of bank_ms and move_ms must be above 0")
        return self

    @model_validator(mode="after")
    def _ends(self) -> Tournament:
        kind = self.schedule.kind
        if kind in ("finals", "adaptive") and self.stop == StopTable():
            why = f'"{kind}" goes on until a rule stops it, such as games = 10000 under [stop]'
            raise _misfit("schedule.kind", why)
        usual = ("same", "forfeit", "stop")
        if kind == "compare" and (self.partners, self.on_suspend, self.missing_bots) != usual:
            raise _misfit(
                "schedule.kind", '"compare" needs partners, on_suspend and missing_bots at their defaults'
            )
        if kind in REPLAYED and self.on_suspend == "drop":
            why = f'"drop" would change the rounds of a {kind} that are over; use "forfeit"'
            raise _misfit("on_suspend", why)
        return self

    @property
    def variant_ids(self) -> list[str]:
        """The variants meant, each once, in the order of the file."""
        ids = (id for pattern in self.variants for id in game_of(pattern).matching(pattern))
        return list(dict.fromkeys(ids))


def load(path: Path | str) -> Tournament:
    """Read and check a tournament file. Raises InputError: the file, the line, the key, what is wrong."""
    path = Path(path)
    try:
        text = input_text(path)
    except FileNotFoundError:
        raise InputError(f"there is no file {path}", f"arena init {shlex.quote(str(path))}", "E201") from None
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        fix = "it must be a text file in UTF-8 that you may read"
        raise InputError(f"cannot read {path}: {why}", fix, "E201") from None
    data = toml(text, str(path))
    data.setdefault("name", path.stem)
    return parse(data | {"bots": _beside(data.get("bots", ...), path.parent)}, str(path), text)


def parse(data: dict[str, Any], where: str, text: str = "") -> Tournament:
    """A checked tournament. Raises InputError, which names `where`, the key and its line in `text`."""
    try:
        return Tournament.model_validate({key: value for key, value in data.items() if value is not ...})
    except ValidationError as error:
        raise InputError(*complaint(error, Tournament, where, text), "E203") from None


def _misfit(key: str, what: str) -> ValidationError:
    """Values of several keys that do not go together, shown at the line of one of them."""
    said = PydanticCustomError("value_error", "{what}", {"what": what})
    place = tuple(key.split("."))
    return ValidationError.from_exception_data(key, [InitErrorDetails(type=said, loc=place, input=None)])


def _beside(bots: Any, folder: Path) -> Any:
    """Paths in a file are meant from the file's folder, wherever the reader is."""
    if not isinstance(bots, list):
        return bots
    return [
        os.path.normpath(folder.absolute() / bot) if isinstance(bot, str) and is_path(bot) else bot
        for bot in bots
    ]


def is_path(reference: str) -> bool:
    """Whether a bot is named by the path of its folder or script."""
    return "/" in reference or reference.endswith(".py") or reference in (".", "..")


def is_guessable(seed: str) -> bool:
    """Whether a bot could find it out by trying: it would then know every deal."""
    return len(seed) < SAFE_SEED


def draw_seed() -> str:
    """256 bits that nobody can guess, in hex."""
    return secrets.token_hex(32)
