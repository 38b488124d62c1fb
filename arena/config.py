"""tournament.toml: what is to be played. Every error names the key and what was expected."""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
import shlex
import tomllib
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic_core import ErrorDetails

from arena.errors import InputError, did_you_mean
from referee.clocks import Limits
from referee.game import VariantError
from referee.games import game_of

NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$"
NAMES = "1 to 63 of A-Z, a-z, 0-9 and . _ -, the first a letter or a digit"
"""NAME in words."""
SAFE_SEED = 16
"""Characters below which a seed is taken for one that can be guessed."""
TEXT_BYTES = 1 << 20
"""Of an input file that somebody writes by hand."""
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

    kind: Literal["round_robin", "gauntlet", "newcomer", "swiss", "knockout", "finals", "adaptive", "compare"] = (
        "round_robin"
    )
    """Everybody against everybody; `bots` against all others; `bots` against everybody, and the others as in a
    round robin; neighbours in the table; pairs of which one is out; a round robin, then the bots that may be the
    first among each other; whatever tells most of what is asked; two `bots` until one is known to be better, as
    `arena compare` does."""
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
            raise ValueError("clock: one of bank_ms and move_ms must be above 0")
        return self

    @model_validator(mode="after")
    def _ends(self) -> Tournament:
        kind = self.schedule.kind
        if kind in ("finals", "adaptive") and self.stop == StopTable():
            raise ValueError(f'stop: kind = "{kind}" goes on until a rule stops it, such as games = 10000')
        usual = ("same", "forfeit", "stop")
        if kind == "compare" and (self.partners, self.on_suspend, self.missing_bots) != usual:
            raise ValueError('kind = "compare" needs partners, on_suspend and missing_bots at their defaults')
        if kind in REPLAYED and self.on_suspend == "drop":
            raise ValueError(
                f'on_suspend: "drop" would change the rounds of a {kind} that are over; use "forfeit"'
            )
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


def input_text(path: Path) -> str:
    """The text of an input file; a pipe is one, too. Raises OSError (also of more than TEXT_BYTES), UnicodeDecodeError."""
    with path.open("rb") as file:
        data = file.read(TEXT_BYTES + 1)
    if len(data) > TEXT_BYTES:
        raise OSError(errno.EFBIG, f"it has more than {TEXT_BYTES >> 20} MiB", str(path))
    return data.decode("utf-8")


def toml(text: str, where: str) -> dict[str, Any]:
    """The TOML of an input file. Raises InputError, which shows the line."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise InputError(f"{where}: not TOML: it is nested too deep", "mend its brackets", "E202") from None
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"line (\d+), column (\d+)", str(error))
        number, column = (int(place[1]), int(place[2])) if place else (text.count("\n") + 1, 0)
        line = "".join(text.splitlines()[number - 1 : number]).replace("\t", " ")
        pointer = f"\n  {number} | {line}\n  {' ' * len(str(number))} | {'^':>{column}}" if place else ""
        what = str(error).split(" (at ")[0]
        raise InputError(f"{where}:{number}: not TOML: {what}{pointer}", "mend that line", "E202") from None


def parse(data: dict[str, Any], where: str, text: str = "") -> Tournament:
    """A checked tournament. Raises InputError, which names `where`, the key and its line in `text`."""
    try:
        return Tournament.model_validate({key: value for key, value in data.items() if value is not ...})
    except ValidationError as error:
        raise InputError(*complaint(error, Tournament, where, text), "E203") from None


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


def complaint(error: ValidationError, model: type[BaseModel], where: str, text: str = "") -> tuple[str, str]:
    """All that is wrong in an input file (with lines, where its `text` is given), and how to mend it."""
    found = [(_line(text, one["loc"]), *_problem(one, model)) for one in error.errors(include_url=False)]
    found.sort(key=lambda problem: problem[0] or 0)
    if len(found) == 1:
        line, what, fix = found[0]
        return f"{where}:{line}: {what}" if line else f"{where}: {what}", fix
    lines = [
        f"  {f'line {line}: ' if line else ''}{what}{f' ({fix})' if fix else ''}" for line, what, fix in found
    ]
    return "\n".join([f"{where}: {len(found)} things are wrong", *lines]), "mend each of them"


def _problem(error: ErrorDetails, model: type[BaseModel]) -> tuple[str, str]:
    key = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        fields: dict[str, Any] = dict(model.model_fields)
        for part in error["loc"][:-1]:
            fields = dict(fields[str(part)].annotation.model_fields)
        return f"unknown key {key!r}", did_you_mean(str(error["loc"][-1]), fields)
    if error["type"] == "missing":
        return f"the key {key!r} is missing", ""
    if error["type"] == "too_short":
        return f"{key}: at least {error['ctx']['min_length']} are needed", ""
    if error["type"] == "string_pattern_mismatch" and error["ctx"]["pattern"] == NAME:
        return f"{key}: {error['input'][:80]!a} cannot be one: a name has {NAMES}", _as_name(error["input"])
    what = error["msg"].removeprefix("Value error, ").replace("Input should", "it should")
    got = "" if error["type"] == "value_error" else f", not {str(error['input'])[:60]!r}"
    fix = _as_list(key, error["input"]) if error["type"] == "list_type" else ""
    return (f"{key}: {what}{got}" if key else f"{what}"), fix


def _as_list(key: str, value: Any) -> str:
    """A hint with the list that a text was meant to be: the words of a command, else the text itself.

    >>> _as_list("run", "sh -c 'a b'"), _as_list("games", "claim")
    ('run = ["sh", "-c", "a b"]', 'games = ["claim"]')
    """
    if not isinstance(value, str) or len(value) > 200:
        return ""
    words = [value]
    if key in ("run", "build"):
        try:
            words = shlex.split(value)
        except ValueError:  # a quotation mark without another
            words = value.split()
    return f"{key} = {json.dumps(words, ensure_ascii=False)}"


def _as_name(text: str) -> str:
    """A hint with the name that is nearest to `text`.

    >>> _as_name("n w"), _as_name("?")
    ('such as: n-w', '')
    """
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("._-")[:63]
    return f"such as: {name}" if name else ""


def _line(text: str, place: tuple[int | str, ...]) -> int | None:
    """The line of a key in TOML, or of its table; None where it is not written in the common way."""
    keys = [part for part in place if isinstance(part, str)]
    table: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if head := re.match(r"\s*\[\s*([\w.-]+)\s*\]", line):
            table = head[1].split(".")
            if keys == table:
                return number
        word = re.match(r"""\s*["']?([\w.-]+)["']?\s*=""", line)
        if word and keys[: len(table) + 1] == [*table, word[1]]:
            return number
    return None


def is_guessable(seed: str) -> bool:
    """Whether a bot could find it out by trying: it would then know every deal."""
    return len(seed) < SAFE_SEED


def draw_seed() -> str:
    """256 bits that nobody can guess, in hex."""
    return secrets.token_hex(32)
