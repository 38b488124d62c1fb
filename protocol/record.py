"""GameRecord: the portable, replayable, hash-chained score of one game.

    play      what was settled, the actions in order, how it ended: the same on every machine for the
              same seed and answers. `links` and `play_hash` chain it.
    account   times, notes, evidence, versions: what happened around it. `account_hash`.

A record holds the seeds, so it is shown only when the last game on its deal is over.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from hashlib import sha256
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from protocol.codec import encode
from protocol.vocabulary import FaultKind, Verdict, VoidReason

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

FORMAT = "kingmaker/record/1"
LINK = 4
"""Hex digits of the chain kept for each action, so that a break can be placed."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class RecordSeat(_Part):
    """Who sat there."""

    bot: str
    digest: str
    team: int


class RecordFault(_Part):
    """A fault, and how many actions had been taken by then."""

    seat: int
    kind: FaultKind = Field(strict=False)
    reason: str
    turn: int
    at: int


class RecordPlay(_Part):
    """The reproducible part."""

    id: str
    game: str
    variant: str
    rules: str
    deal: str
    seed: str
    """The deal's seed; empty where `cards` is given."""
    cards: list[str]
    """A literal deal; empty where `seed` is given."""
    nonce: str
    commitment: str
    block: str
    block_size: int
    seats: list[RecordSeat]
    actions: list[tuple[int, str]]
    """Seat and action, in the order applied; from a fault on, its seat is a house player's."""
    verdict: Verdict = Field(strict=False)
    void: VoidReason | None = Field(default=None, strict=False)
    ranks: list[int]
    scores: list[int]
    faults: list[RecordFault]


class LogPart(_Part):
    """What a bot's process printed on stderr during a game, as a part of its log.

    A process plays several games, and each of its parts begins where the one before ends: the first has what was
    printed before the game, too, the last all that came until the process was gone. What a bot prints with its
    answer to `end` is still of that game, as a rule; an instant later it is of the next. A log keeps the
    first and the last of what a process prints (see docs/operating.md): of games that begin when the first is full
    there is no part, as nobody knows where in the last theirs would begin.
    """

    file: str
    """Its name among the logs of the tournament."""
    start: int
    end: int | None
    """In bytes; null: to the end of the file."""


class RecordAccount(_Part):
    """What happened around the game; free to grow within a format."""

    model_config = ConfigDict(extra="allow", frozen=True)

    isolation: str
    """What its bots were kept in: none, default or strict."""
    layers: list[str] = []
    """What that was made of."""
    missing: list[str] = []
    """Layers of it that were not to be had."""
    attempt: int
    limits: dict[str, int | None]
    ms: list[float]
    """Thinking time of each action."""
    cpu_ms: list[float | None] = []
    """CPU time of the bot's processes in each action; null: not known, or a house player."""
    lag_ms: float | None = None
    """The longest that the host kept a bot from running in one move; null: not known."""
    notes: dict[str, str]
    """By the number of the action."""
    evidence: dict[str, str]
    """By the number of the fault."""
    logs: dict[str, LogPart] = {}
    """By the number of the seat; of who printed nothing there is none, or a part of a file that is not there."""
    versions: dict[str, str]


class GameRecord(_Part):
    """One game."""

    format: Literal["kingmaker/record/1"]
    play: RecordPlay
    links: Annotated[str, Field(pattern="^[0-9a-f]*$")]
    play_hash: str
    account: RecordAccount
    account_hash: str


def chain(play: dict[str, Any]) -> Iterator[str]:
    """The hashes of a play: of what was settled, then after each action, then of the whole.

    Each is SHA-256 in hex over the one before it and the canonical JSON of the next piece.
    """
    settled = {k: v for k, v in play.items() if k in _SETTLED}
    ended = {k: v for k, v in play.items() if k not in _SETTLED and k != "actions"}
    link = ""
    for piece in (settled, *play["actions"], ended):
        link = sha256(link.encode() + encode(piece)).hexdigest()
        yield link


_SETTLED = frozenset(
    ("id", "game", "variant", "rules", "deal", "seed", "cards", "nonce", "commitment", "block",
     "block_size", "seats")
)  # fmt: skip


def seal(play: dict[str, Any], account: dict[str, Any]) -> dict[str, Any]:
    """A record with its hashes, JSON-able (the fields of GameRecord)."""
    hashes = list(chain(play))
    return {
        "format": FORMAT,
        "play": play,
        "links": "".join(link[:LINK] for link in hashes),
        "play_hash": hashes[-1],
        "account": account,
        "account_hash": sha256(encode(account)).hexdigest(),
    }


_compressor = zstd.ZstdCompressor(3)  # to make one costs twice what a record does


def pack(record: dict[str, Any]) -> bytes:
    """A record as the ledger keeps it: canonical JSON under zstd."""
    return _compressor.compress(encode(record), zstd.ZstdCompressor.FLUSH_FRAME)


def unpack(blob: bytes) -> bytes:
    """The JSON of a packed record. Raises ValueError where the bytes are no packed record."""
    try:
        return zstd.decompress(blob)
    except zstd.ZstdError as error:
        raise ValueError(f"not a packed record: {error}") from None
