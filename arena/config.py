"""tournament.toml: what is to be played. Every error names the key and what was expected."""

from __future__ import annotations

import secrets
import tomllib
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from arena.errors import InputError, did_you_mean
from referee.clocks import Limits
from referee.game import VariantError
from referee.games import game_of

NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$"
Milliseconds = Annotated[int, Field(ge=1, le=86_400_000)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Clock(_Table):
    """Time limits, in milliseconds."""

    startup_ms: Milliseconds = 10_000
    """For a bot's `hello`, and for each `ready`."""
    bank_ms: Milliseconds | None = 20_000
    """For all moves of a game together."""
    increment_ms: Annotated[int, Field(ge=0, le=86_400_000)] = 100
    """Goes into the bank after each move."""
    move_ms: Milliseconds | None = 5_000
    """The most that one move may take."""

    @property
    def limits(self) -> Limits:
        """As the referee takes them."""

        def ms(value: int | None) -> timedelta | None:
            return None if value is None else timedelta(milliseconds=value)

        return Limits(
            ms(self.startup_ms), ms(self.bank_ms), timedelta(milliseconds=self.increment_ms), ms(self.move_ms)
        )


class Tournament(_Table):
    """A tournament as its file says it."""

    name: Annotated[str, Field(pattern=NAME)]
    """Names it in the ledger; the file's own name where left out."""
    bots: Annotated[list[str], Field(min_length=2)]
    """Names of bots, or paths of their folders or scripts."""
    variants: Annotated[list[str], Field(min_length=1)]
    """Ids, aliases or patterns: `claim`, `claim/2p/*`."""
    deals: Annotated[int, Field(ge=1, le=1_000_000)] = 10
    """Deals for each pairing and variant; each is played in a whole block of seatings."""
    seed: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    """All luck comes from it; drawn, and kept in the ledger, where left out."""
    seatings: Literal["rotations", "all"] = "rotations"
    """For three and four who play for themselves: every rotation, or every order."""
    partners: Literal["same", "mixed", "both"] = "same"
    """Four in two teams: both seats by one bot, by two different ones, or both kinds."""
    fresh_processes: bool = False
    """Start the bots anew for each game."""
    names: Literal["hidden", "shown"] = "hidden"
    """Whether bots are told whom they play."""
    concurrency: Annotated[int, Field(ge=0, le=1024)] = 0
    """Referee processes; 0: one a core."""
    clock: Clock = Clock()

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
            raise ValueError("clock: one of bank_ms and move_ms must be set")
        return self

    @property
    def variant_ids(self) -> list[str]:
        """The variants meant, each once, in the order of the file."""
        ids = (id for pattern in self.variants for id in game_of(pattern).matching(pattern))
        return list(dict.fromkeys(ids))


def load(path: Path | str) -> Tournament:
    """Read and check a tournament file. Raises InputError: the file, the line or key, what is wrong."""
    path = Path(path)
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise InputError(f"there is no file {path}", f"arena init {path}", "E201") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}", code="E201") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: not TOML: {error}", "mend that line", "E202") from None
    data.setdefault("name", path.stem)
    data = data | {"bots": _beside(data.get("bots"), path.parent)}
    return parse(data, str(path))


def parse(data: dict[str, Any], where: str) -> Tournament:
    """A checked tournament. Raises InputError, which names `where` and the key."""
    try:
        return Tournament.model_validate(data)
    except ValidationError as error:
        raise InputError(*complaint(error, Tournament, where), "E203") from None


def _beside(bots: Any, folder: Path) -> Any:
    """Paths in a file are meant from the file's folder."""
    if not isinstance(bots, list):
        return bots
    return [str(folder / bot) if isinstance(bot, str) and bot.startswith(".") else bot for bot in bots]


def complaint(error: ValidationError, model: type[BaseModel], where: str) -> tuple[str, str]:
    """The first thing that is wrong in an input file, and how to mend it."""
    first = error.errors(include_url=False)[0]
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        fields: dict[str, Any] = dict(model.model_fields)
        for part in first["loc"][:-1]:
            inner = fields[str(part)].annotation
            fields = dict(inner.model_fields)
        return f"{where}: unknown key {key!r}", did_you_mean(str(first["loc"][-1]), fields)
    if first["type"] == "missing":
        return f"{where}: the key {key!r} is missing", ""
    text = first["msg"].removeprefix("Value error, ")
    got = "" if first["type"] == "value_error" else f" (it is {str(first['input'])[:60]!r})"
    return (f"{where}: {key}: {text}{got}" if key else f"{where}: {text}"), ""


def draw_seed() -> str:
    """256 bits that nobody can guess, in hex."""
    return secrets.token_hex(32)
