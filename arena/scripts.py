"""Replay files out of records, as scripts that a page loads: several processes make many of them."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from arena.pools import Pool
from arena.printed import printed
from leaderboards.site.data import script
from protocol.record import GameRecord, unpack
from protocol.vocabulary import GameId
from referee.replay import Broken, read
from referee.telling import document

_ALONE = 50
"""So many are made here: to start processes takes longer."""
_CHUNK = 16
_FROM_PROGRAMS = {"@fault": "evidence", "@log": "text"}
"""Events with a text that bots printed, and its field."""
_PATH = re.compile(r"""(?<![\w.~/:…-])(?:/[^\s/"'`<>:;,()\[\]]+){2,}""")


class Made(NamedTuple):
    """A replay, or why there is none."""

    game: GameId
    script: bytes
    """Empty where there is none."""
    flaw: str = ""
    """What this version of the rules cannot play, or what is damaged."""


def made(game: GameId, packed: bytes, logs: Path | None = None) -> Made:
    """The replay of a packed record; `logs`: the folder of those that are to be told in it, too."""
    try:
        return Made(game, replay(game, read(unpack(packed)), logs))
    except (Broken, ValueError) as error:
        return Made(game, b"", str(error))


def replay(game: GameId, record: GameRecord, logs: Path | None = None) -> bytes:
    """The script of a replay, `logs` as for `made`. Raises Broken."""
    found = document(record, printed(record, [logs]) if logs else {})
    for _, _, kind, body in found["events"]:
        if name := _FROM_PROGRAMS.get(kind):
            body[name] = placeless(body[name])
    return script("replay", game, found)


def placeless(text: str) -> str:
    """What a program printed, without the folders of this machine: of a path there stay the last names.

    >>> placeless('File "/home/ann/cups/bots/ann/bot.py", line 3'), placeless("claim/2p/GK-UWX at /bot/main.py")
    ('File "…/ann/bot.py", line 3', 'claim/2p/GK-UWX at /bot/main.py')
    """
    return _PATH.sub(_last, text)


def _last(path: re.Match[str]) -> str:
    names = path[0].strip("/").split("/")
    own = names[2 if names[0] == "home" else names[0] == "root" :]
    return path[0] if len(names) == len(own) < 3 else "/".join(["…", *own[-2:]])


def make(records: Iterable[tuple[GameId, bytes]], logs: Path | None = None) -> Iterator[Made]:
    """The replays of packed records, in their order; `logs` as for `made`."""
    records = iter(records)
    first = list(islice(records, _ALONE))
    if len(first) < _ALONE:
        yield from _several(first, logs)
        return
    with Pool(os.cpu_count()) as pool:
        yield from _through(pool, chain(first, records), logs)


def _through(
    pool: Pool, records: Iterator[tuple[GameId, bytes]], logs: Path | None, ahead: int = 16
) -> Iterator[Made]:
    """A few chunks ahead of what is taken, so that no memory fills with replays."""
    waiting = deque[Future[list[Made]]]()
    while chunk := list(islice(records, _CHUNK)):
        waiting.append(pool.submit(_several, chunk, logs))
        if len(waiting) > ahead:
            yield from waiting.popleft().result()
    for future in waiting:
        yield from future.result()


def _several(records: list[tuple[GameId, bytes]], logs: Path | None) -> list[Made]:
    return [made(*record, logs) for record in records]
