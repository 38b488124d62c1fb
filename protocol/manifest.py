"""bot.toml: what a bot says of itself."""

from __future__ import annotations

from typing import Annotated, Literal
from unicodedata import category

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator


def _one_line(text: str) -> str:
    """A text for people. What cannot be seen is no mistake, some writing needs it: it is shown by `escape.label`."""
    if any(category(letter) == "Cc" for letter in text):
        raise ValueError(f"{text[:80]!a} has control characters; a line of text is expected")
    return text


def _passable(word: str) -> str:
    """What a program can be given."""
    if "\0" in word:
        raise ValueError(f"{word[:80]!a} has a NUL, which no program can be given")
    return word


_LINE = AfterValidator(_one_line)
_WORD = AfterValidator(_passable)
Argv = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=1000), _WORD]], Field(min_length=1, max_length=64)
]
Env = Annotated[
    dict[Annotated[str, Field(max_length=100)], Annotated[str, Field(max_length=10_000), _WORD]],
    Field(max_length=100),
]


RESERVED = ("human", "shell")
"""Names that mean somebody else where a bot is expected."""


class Asked(BaseModel):
    """What a bot can't do without. A tournament that gives less is not played with it."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, use_attribute_docstrings=True)

    startup_ms: Annotated[int, Field(ge=1)] | None = None
    """From the start of its program to `hello`."""
    move_ms: Annotated[int, Field(ge=1)] | None = None
    """For one move."""
    memory_mb: Annotated[int, Field(ge=1)] | None = None
    """Of all its processes together, in MiB."""


class Manifest(BaseModel):
    """The fields of a bot.toml. Commands are lists of words; no shell reads them."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, use_attribute_docstrings=True)

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$")]
    """Letters, digits, `.`, `_` and `-`; at most 63."""
    version: Annotated[str, Field(max_length=40), _LINE] = ""
    """The bot's own, for people: two versions are told apart by their files."""
    language: Annotated[str, Field(max_length=40), _LINE] = ""
    """What it is written in, for people."""
    authors: Annotated[list[Annotated[str, Field(max_length=100), _LINE]], Field(max_length=20)] = []
    """Who wrote it, for people."""
    games: Annotated[list[Annotated[str, Field(max_length=200), _LINE]], Field(max_length=100)] = ["*"]
    """Patterns of the games or variants it plays: `claim`, `claim/2p/*`; everything where left out."""
    build: Argv | None = None
    """Run once in a copy of the folder when the bot is taken in; folders `build`, `target`
    and `node_modules` at its top are made by it, and not part of the bot."""
    needs: Annotated[str, Field(max_length=300), _LINE] = ""
    """What a machine must have for it, for people: shown where it does not build or start."""
    run: Argv
    """Run in that copy. `python3` means the interpreter that runs the arena."""
    transport: Literal["ipc", "tcp", "stdio"] = "ipc"
    """How it talks: ZeroMQ over a local socket, ZeroMQ over loopback, or a message a line on stdin and stdout."""
    deterministic: bool = False
    """It answers the same to the same questions of a game, on every machine: it draws from `bot_seed` alone, and
    looks at no clock and at no other game. Clusters play a share of the games of such bots twice, to compare."""
    limits: Asked = Asked()
    """What it asks for."""
    env: Env = {}
    """Set for it, beside the arena's allow-list."""

    @field_validator("name")
    @classmethod
    def _not_a_person(cls, name: str) -> str:
        if name in RESERVED:
            raise ValueError(f"{name!r} may not be one: among players it means a person")
        return name

    @field_validator("env")
    @classmethod
    def _not_ours(cls, env: dict[str, str]) -> dict[str, str]:
        for name in env:
            if name.startswith("ARENA_") or not (name.isascii() and name.isidentifier()):
                raise ValueError(
                    f"{name!r} may not be set: a plain name that does not begin with ARENA_ is expected"
                )
        return env
