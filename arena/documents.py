"""The documents that commands print with --json (and the events of a run), by the name in their schema.

A document is a dataclass as JSON, so its schema is read off the dataclass. A version is raised when a
field goes or changes its meaning; fields may be added within one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from arena.bundles import BotDetail, BotInfo
from arena.catalogue import GameInfo, VariantInfo
from arena.checkup import CheckUp
from arena.config import Tournament
from arena.conformance import Conformance
from arena.errors import Explanation
from arena.forecast import Forecast
from arena.machine import Finding
from arena.notation import ReplayStep
from arena.reading import Status
from arena.tournament import RunEvent
from arena.verification import Verification
from protocol.result import GameResult

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
    "status": Status,
    "statuses": Statuses,
    "plan": Forecast,
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
    "replay": ReplayStep,
    "verification": Verification,
}
"""What each document is made of, by the name in its schema."""


def schema_name(name: str) -> str:
    """As documents carry it."""
    return f"kingmaker/{name}/1"


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of a document; a reader takes fields that it does not know."""
    body = TypeAdapter(KINDS[name]).json_schema(mode="serialization")
    named = {"type": "object", "properties": {"schema": {"const": schema_name(name)}}, "required": ["schema"]}
    return {"$schema": DIALECT, "$defs": body.pop("$defs", {}), "allOf": [named, body]}
