"""Dask's end of a link, without Dask: what becomes of an error on the loop that nobody waits for."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

from arena.cluster import Cluster
from arena.errors import StorageError
from arena.executors.dask import DaskLink


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever)
    thread.start()
    yield loop
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@pytest.mark.parametrize(
    ("workers", "says"),
    [(TypeError("unexpected keyword"), "unexpected keyword"), ({"tcp://a:1": {"name": "w"}}, "host")],
    ids=["it raises", "it answers otherwise"],
)
def test_a_scheduler_that_cannot_say_who_is_there_is_told_with_the_reason(
    loop: asyncio.AbstractEventLoop, tmp_path: Path, workers: Any, says: str
) -> None:
    async def identity() -> dict[str, Any]:
        if isinstance(workers, Exception):
            raise workers
        return {"workers": workers}

    link = DaskLink(Cluster(kind="address", address="tcp://a:1"), "", tmp_path, tmp_path)
    scheduler = SimpleNamespace(identity=identity)
    client: Any = SimpleNamespace(
        status="running", scheduler=scheduler, loop=SimpleNamespace(asyncio_loop=loop)
    )
    link._client = client
    link._watching = link._spawn(link._watch())
    assert link._watching.exception(timeout=10)
    with pytest.raises(StorageError, match=f"does not say who is there: .*{says}") as raised:
        link.workers()
    assert raised.value.code == "E418"
