"""The documents that commands print with --json (and the events of a run), by the name in their schema.

A document is a dataclass as JSON, so its schema is read off the dataclass. A version is raised when a
field goes or changes its meaning; fields may be added within one.

`published` has these schemas, and all others there are: of messages, games and input files.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import models_json_schema

from arena.accuracy import Simulation
from arena.bundles import BotDetail, BotInfo
from arena.catalogue import GameInfo, VariantInfo
from arena.checkup import CheckUp
from arena.comparing import Compared
from arena.config import Tournament
from arena.conformance import Conformance
from arena.events import RunEvent
from arena.explained import Explanation
from arena.forecast import Forecast
from arena.machine import Finding
from arena.notation import ReplayStep
from arena.reading import Status
from arena.snapshots import LiveEntry
from arena.verification import Verification
from leaderboards.documents import SCHEMA
from leaderboards.entries import LeaderboardEntry
from protocol.result import GameResult
from protocol.schema import documents as messages
from referee.game import Game
from referee.games import GAMES

DIALECT = "https://json-schema.org/draft/2020-12/schema"


@dataclass(frozen=True, slots=True)
class Statuses:
    """`arena status`."""

    tournaments: list[Status]


@dataclass(frozen=True, slots=True)
class Settings:
    """`arena config check`."""

    settings: Tournament
    """With the defaults filled in."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """`arena games`."""

    games: list[GameInfo]


@dataclass(frozen=True, slots=True)
class Variants:
    """`arena variants`."""

    variants: list[VariantInfo]


@dataclass(frozen=True, slots=True)
class Codes:
    """`arena explain`."""

    codes: dict[str, Explanation]


@dataclass(frozen=True, slots=True)
class Findings:
    """`arena doctor`."""

    findings: list[Finding]


@dataclass(frozen=True, slots=True)
class Bots:
    """`arena bot list`."""

    bots: list[BotInfo]


@dataclass(frozen=True, slots=True)
class Results:
    """`arena record list`."""

    tournament: str
    results: list[GameResult]


KINDS: dict[str, Any] = {
    "leaderboard": LeaderboardEntry,
    "status": Status,
    "statuses": Statuses,
    "plan": Forecast,
    "comparison": Compared,
    "event": RunEvent,
    "tournament": Settings,
    "catalogue": Catalogue,
    "variants": Variants,
    "codes": Codes,
    "doctor": Findings,
    "bots": Bots,
    "bot": BotDetail,
    "bot-check": CheckUp,
    "bot-conform": Conformance,
    "results": Results,
    "live": LiveEntry,
    "replay": ReplayStep,
    "simulation": Simulation,
    "verification": Verification,
}
"""What each document is made of, by the name in its schema."""


def schema_name(name: str) -> str:
    """As documents carry it."""
    return SCHEMA if name == "leaderboard" else f"kingmaker/{name}/1"


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of a document; a reader takes fields that it does not know."""
    body = TypeAdapter(KINDS[name]).json_schema(mode="serialization")
    named = {"type": "object", "properties": {"schema": {"const": schema_name(name)}}, "required": ["schema"]}
    about = f"What a command prints as {schema_name(name)}."
    defs = body.pop("$defs", {})
    return {"$schema": DIALECT, "description": about, "$defs": defs, "allOf": [named, body]}


def tournament_schema() -> dict[str, Any]:
    """The JSON Schema of a tournament file."""
    body = Tournament.model_json_schema()
    body["required"].remove("name")  # a file is named by itself
    return {"$schema": DIALECT} | body


def game_schema(game: Game) -> dict[str, Any]:
    """The JSON Schema of what a game puts into messages: `view`, `setup`, and the body of each kind of event.

    The models are those of `wire`, the module that every game has beside its rules.
    """
    wire = import_module(f"{type(game).__module__.rpartition('.')[0]}.wire")
    models = [wire.View, wire.Setup, *wire.EVENTS.values()]
    refs, body = models_json_schema([(model, "validation") for model in dict.fromkeys(models)])
    events = {kind: refs[model, "validation"] for kind, model in wire.EVENTS.items()}
    return {
        "$schema": DIALECT,
        "$id": f"urn:kingmaker:game:{game.name}:{game.rules}",
        "title": game.title,
        "description": f"{game.title}: `view`, `setup`, and the `body` of each kind of event.",
        "type": "object",
        "properties": {
            "view": refs[wire.View, "validation"],
            "setup": refs[wire.Setup, "validation"],
            "events": {"type": "object", "properties": events},
        },
        **body,
    }


def published() -> dict[str, dict[str, Any]]:
    """Every JSON Schema there is, by the name of its file without `.json`; what commands print is `output-NAME`."""
    return {
        **{file.removesuffix(".json"): document for file, document in messages().items()},
        "tournament": tournament_schema(),
        **{game.name: game_schema(game) for game in GAMES.values()},
        **{f"output-{name}": schema(name) for name in KINDS},
    }
