"""What `arena serve` tells whoever listens, and how often it looks and builds for that."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import random
from typing import Any

import pytest

from arena.errors import ArenaError, StorageError
from arena.home import Home
from arena.serving import building, sites
from arena.serving import channel as channels
from arena.serving.channel import Channel
from arena.serving.remaking import Remade
from tests.arena.made import tournament

Event = tuple[str, str, Any]
"""Its kind, its id, its data."""


@dataclass
class Snapshot:
    """As much of one as is needed."""

    over: int = 0
    running: bool = True
    ended: str = ""


@dataclass
class Watched:
    """A tournament as a test has it."""

    now: Snapshot = field(default_factory=Snapshot)
    games: dict[str, list[Any]] = field(default_factory=dict)
    looks: int = 0
    watches: int = 0
    """Open now."""
    fails: str = ""

    @contextmanager
    def watch(self) -> Iterator[Watched]:
        self.watches += 1
        yield self
        self.watches -= 1

    def look(self) -> Snapshot:
        self.looks += 1
        if self.fails:
            raise StorageError(self.fails)
        return self.now

    def replay(self, game: str) -> Mapping[str, Any] | None:
        events = self.games.get(game)
        return None if events is None else {"id": game, "steps": len(events), "events": list(events)}

    def channel(self) -> Channel:
        return Channel(self.watch, told)


def told(snapshot: Snapshot) -> dict[str, Any]:
    return {
        "schema": "s/1",
        "at": str(random()),
        "over": snapshot.over,
        "ended": snapshot.ended,
        "left": None,
    }


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channels, "PERIOD", 0.01)


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(10):
            await test()

    asyncio.run(bounded())


async def heard(stream: AsyncIterator[bytes], kind: str) -> Event:
    """The next event of that kind."""
    async for chunk in stream:
        lines = dict(line.split(": ", 1) for line in chunk.decode().splitlines() if ": " in line)
        if lines.get("event") == kind:
            assert chunk.endswith(b"\n\n")
            return kind, lines.get("id", ""), json.loads(lines["data"])
    raise AssertionError(f"the stream ended before {kind}")


def test_a_snapshot_is_told_at_once_and_when_it_changes() -> None:
    async def test() -> None:
        watched = Watched()
        channel = watched.channel()
        with channel.listening():
            stream = channel.events()
            assert await anext(stream) == b"retry: 2000\n\n"
            whole = (await heard(stream, "snapshot"))[2]
            assert (whole.pop("at") != "", whole) == (
                True,
                {"schema": "s/1", "over": 0, "ended": "", "left": None},
            )
            watched.now = Snapshot(over=1)
            change = (await heard(stream, "snapshot"))[2]
            assert (change.pop("at") != "", change) == (True, {"schema": "s/1", "over": 1})
            assert (await heard(channel.events(), "snapshot"))[2].keys() == {
                "schema",
                "at",
                "over",
                "ended",
                "left",
            }

    run(test)


def test_all_listeners_share_one_look_and_nobody_looks_without_them() -> None:
    async def test() -> None:
        watched = Watched()
        channel = watched.channel()
        with channel.listening(), channel.listening():
            for stream in (channel.events(), channel.events()):
                await heard(stream, "snapshot")
            assert (watched.watches, watched.looks < 10) == (1, True)
        while watched.watches:
            await asyncio.sleep(0.01)
        looks = watched.looks
        await asyncio.sleep(0.05)
        assert watched.looks == looks and channel.listeners == 0
        watched.now = Snapshot(over=9)
        with channel.listening():
            assert (await heard(channel.events(), "snapshot"))[2]["over"] == 9

    run(test)


def test_a_game_is_told_once_and_on_from_what_is_known() -> None:
    async def test() -> None:
        watched = Watched(games={"aa": ["e0", "e1"]})
        channel = watched.channel()
        with channel.listening("aa"):
            stream = channel.events("aa")
            assert (await heard(stream, "moves"))[1:] == (
                "aa/2", {"game": "aa", "steps": 2, "from": 0, "events": ["e0", "e1"]},
            )  # fmt: skip
            watched.games["aa"] = ["e0", "e1", "e2"]
            assert (await heard(stream, "moves"))[2]["events"] == ["e2"]
            again = channel.events("aa", 2)
            assert (await heard(again, "moves"))[2] == {"game": "aa", "steps": 3, "from": 2, "events": ["e2"]}
            del watched.games["aa"]
            assert (await heard(stream, "gone"))[2] == {"game": "aa"}

    run(test)


def test_a_game_that_is_played_again_is_gone() -> None:
    async def test() -> None:
        watched = Watched(games={"aa": ["e0"]})
        channel = watched.channel()
        with channel.listening("aa"):
            assert (await heard(channel.events("aa", 5), "gone"))[2] == {"game": "aa"}

    run(test)


def test_a_stream_ends_with_the_tournament() -> None:
    async def test() -> None:
        watched = Watched(Snapshot(over=4, running=False, ended="all games are played"))
        channel = watched.channel()
        with channel.listening():
            events = [chunk async for chunk in channel.events()]
        assert len(events) == 2 and b"all games are played" in events[1]

    run(test)


def test_what_cannot_be_seen_is_said_and_seen_again_later() -> None:
    async def test() -> None:
        watched = Watched(fails="the disk is gone")
        channel = watched.channel()
        with channel.listening():
            assert (await heard(channel.events(), "trouble"))[2] == {"message": "the disk is gone"}
        watched.fails = ""
        with channel.listening():
            await heard(channel.events(), "snapshot")

    run(test)


def test_a_silent_stream_shows_that_it_is_alive_and_ends_with_the_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(channels, "HEARTBEAT", 0.05)

    async def test() -> None:
        channel = Watched().channel()
        with channel.listening():
            stream = channel.events()
            await heard(stream, "snapshot")
            assert (await anext(stream)).startswith(b":")
            channel.close()
            assert [chunk async for chunk in stream if not chunk.startswith(b":")] == []

    run(test)


# what takes its time


class Made:
    """Something that takes `seconds` to make, by a clock of its own."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.now, self.made = seconds, 0.0, 0
        self.failed: list[ArenaError] = []
        self.fails = False
        self.value = Remade(self.make, self.failed.append, lambda: self.now)

    async def make(self) -> int:
        await asyncio.sleep(0)
        self.now += self.seconds
        if self.fails:
            raise StorageError("no room")
        self.made += 1
        return self.made


def test_a_value_is_made_anew_when_its_key_has_moved_and_after_a_rest() -> None:
    async def test() -> None:
        made = Made(seconds=2.0)
        assert made.value.look("a") is None and await made.value.wait("a") == 1
        assert await made.value.wait("a") == 1
        made.now = 2.0 + 9 * 2.0 - 0.1
        assert await made.value.wait("b") == 1
        made.now += 0.2
        assert made.value.look("b") == 1, "the old one is given meanwhile"
        await asyncio.sleep(0.01)
        assert (made.value.look("b"), made.made) == (2, 2)

    run(test)


def test_what_fails_is_told_and_tried_again_after_a_rest() -> None:
    async def test() -> None:
        made = Made(seconds=1.0)
        made.fails = True
        assert await made.value.wait("a") is None and str(made.failed[0]) == "no room"
        made.fails = False
        assert await made.value.wait("a") is None
        made.now = 10.0
        assert await made.value.wait("a") == 1

    run(test)


def test_a_site_is_built_without_replays_and_says_that_there_are_some(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    tournament(home, without=lambda n, pairing: n == 1 and pairing.seating[0].name == "bot0")
    building.build(home, "cup", tmp_path / "site")
    shard = (tmp_path / "site" / "data" / "games" / "all.js").read_text()
    assert not (tmp_path / "site" / "replays").exists()
    assert (shard.count('"replay":true'), shard.count('"replay":false')) == (2, 1)
    page = (tmp_path / "site" / "index.html").read_text()
    assert 'href="live"' in page and "live.js" in (tmp_path / "site" / "live.html").read_text()


def test_a_site_that_cannot_be_built_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "python"
    program.write_text('#!/bin/sh\necho "a warning" >&2; echo "error: no room for $5" >&2; exit 1\n')
    program.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(program))
    with pytest.raises(ArenaError, match="the site of cup cannot be built: no room for cup") as error:
        asyncio.run(sites.build(Home(tmp_path), "cup", tmp_path / "site"))
    assert error.value.code == "E321"


def test_a_build_that_is_not_waited_for_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "python"
    program.write_text(
        f'#!/bin/sh\ntrap "echo cleared > {tmp_path}/end; exit" TERM\ntouch {tmp_path}/begun\nwhile :; do sleep 0.01; done\n'
    )
    program.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(program))

    started = asyncio.Event()
    start = asyncio.create_subprocess_exec

    async def noted(*words: Any, **how: Any) -> Any:
        process = await start(*words, **how)
        started.set()
        return process

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)

    async def test() -> None:
        task = asyncio.create_task(sites.build(Home(tmp_path), "cup", tmp_path / "site"))
        await started.wait()
        while not (tmp_path / "begun").exists():
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert (tmp_path / "end").read_text() == "cleared\n"

    run(test)
