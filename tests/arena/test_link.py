"""Dask's end of a link, without Dask: what becomes of an error on the loop that nobody waits for."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

from arena.cluster import Cluster
from arena.errors import StorageError
from arena.executors import dask
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


def test_a_scheduler_is_gone_when_it_says_nothing_and_not_when_we_stood_still(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    now = 0.0
    monkeypatch.setattr(dask, "monotonic", lambda: now)
    link: Any = DaskLink(Cluster(kind="local", workers=1), "home", tmp_path / "scratch", tmp_path / "keys")
    link._client, link._watching = SimpleNamespace(status="running"), Future()
    for _ in range(3):  # stopped for an hour, then on at once, before anything was heard
        now += 3600.0
        assert link.workers() == {}
        now += 0.5
        link._heard = now
        assert link.workers() == {}
    with pytest.raises(StorageError, match="is gone"):
        for _ in range(int(dask.GONE) + 1):
            now += 1.0
            link.workers()
