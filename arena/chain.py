"""The chain over what a tournament keeps: whoever knows an old head sees that nothing before it was changed.

Each kept game has a link, SHA-256 in hex of the link before (nothing for the first) and the canonical JSON of
its entry. The order is that in which games were finished, so two runs of the same games have different heads;
results and ratings do not hang on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from protocol.codec import encode
from protocol.record import unpack


class Entry(NamedTuple):
    """What a link says of a game."""

    game: str
    """Its id."""
    finished: str
    """When it was kept: UTC, ISO 8601."""
    record: str
    """SHA-256 of the record, canonical JSON with all its hashes: whoever has an export can check it."""
    packed: str
    """SHA-256 of the bytes that the ledger holds: zstd does not mind every bit."""


def heads(entries: Iterable[Sequence[str]]) -> Iterator[str]:
    """Every link of a chain, from its entries."""
    head = ""
    for one in entries:
        head = chained(head, list(one))
        yield head


def entry(game: str, finished: str, packed: bytes) -> Entry:
    """The entry of a game. Bytes that are no record stand for themselves: what is damaged has a place, too."""
    try:
        record = unpack(packed)
    except ValueError:
        record = packed
    return Entry(game, finished, sha256(record).hexdigest(), sha256(packed).hexdigest())


def chained(head: str, body: Any) -> str:
    """The next value of a chain whose last was `head`."""
    return sha256(head.encode() + encode(body)).hexdigest()
