"""Which address is answered by what.

/                       the tournaments, and how far they are
/T/…                    the static site of tournament T; a page that waits where there is none yet
/T/replays/ID.js        any game of T that may be shown
/T/live                 T as it is played
/T/live/events          the same as a stream (see `channel`); ?game=ID follows one, ?from=N from its event N on
/T/live/games/ID        a game under way: a replay file so far, of what all seats have seen
/-/…, /T/assets/…       scripts and styles; no tournament is called -
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from arena import reading
from arena.config import load
from arena.errors import ArenaError, StorageError
from arena.home import Home
from arena.ledger import Ledger
from arena.live import Watch
from arena.reading import Status
from arena.serving import pages
from arena.serving.building import LIVE
from arena.serving.channel import MOST, Channel, Seen
from arena.serving.remaking import Remade
from arena.serving.shown import Shown, State, replay_of, shown, state
from arena.serving.sites import Build, Sites, build
from leaderboards.site.addresses import INDEX
from protocol.codec import encode
from protocol.vocabulary import GameId

HEX, ID_DIGITS = frozenset("0123456789abcdef"), 32
DIST = Path(__file__).parents[2] / "leaderboards" / "web" / "dist"
"""Scripts and styles, as they are shipped."""
AGAIN = {"Retry-After": "5"}
FOR_STREAMS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""nginx keeps answers back otherwise."""


def chosen(home: Home, references: Iterable[str]) -> tuple[str, ...]:
    """The names of tournaments: of files, also where they begin later, and of those that have begun.

    Raises InputError, StorageError.
    """
    with reading.opened(home) as ledger:
        return tuple(dict.fromkeys(_name(reference, ledger) for reference in references))


def _name(reference: str, ledger: Ledger) -> str:
    return load(reference).name if reading.is_file(reference) else reading.begun(reference, ledger).name


def application(
    home: Home, chosen: Sequence[str], guard: Callable[[ASGIApp], ASGIApp],
    failed: Callable[[ArenaError], None], build: Build = build, logs: bool = False,
) -> tuple[ASGIApp, Callable[[], None]]:  # fmt: skip
    """The server's side of `arena serve`, behind its guard, and what ends its streams.

    `chosen`: tournaments to show; none: all there are, those that begin later, too. `failed` is told what
    could not be shown or built; `logs`: replays have what bots printed. Raises StorageError.
    """
    front = Front(home, chosen, failed, build, logs)
    sorry = {ArenaError: front.sorry, HTTPException: front.sorry}
    app = Starlette(routes=front.routes(), lifespan=front.lifespan, exception_handlers=sorry)
    return guard(app), front.close


class Front:
    """The answers, and what they are made of."""

    def __init__(
        self, home: Home, chosen: Sequence[str], failed: Callable[[ArenaError], None], build: Build,
        logs: bool,
    ) -> None:  # fmt: skip
        self._home, self._chosen, self._failed = home, chosen, failed
        self._logs = logs
        self._sites = Sites(home, failed, build)
        self._channels: dict[str, Channel] = {}
        self._states: dict[str, State] = {}
        """As they were when the ledger last answered."""
        self._shown: dict[str, Remade[Shown]] = {}
        self._statuses: dict[str, Remade[Status]] = {}

    def routes(self) -> list[Route]:
        """Every address."""
        return [
            Route("/", self.tournaments),
            Route("/-/{file}", self.asset),
            Route("/{tournament}", self.folder),
            Route("/{tournament}/assets/{file}", self.asset),
            Route("/{tournament}/live", self.live),
            Route("/{tournament}/live/events", self.events),
            Route("/{tournament}/live/games/{game}", self.underway),
            Route("/{tournament}/replays/{game}.js", self.replay),
            Route("/{tournament}/data/terms.js", self.terms),
            Route("/{tournament}/{path:path}", self.page),
        ]

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        """What is to be ended with the server."""
        yield
        self.close()
        await self._sites.close()
        await asyncio.gather(*(made.close() for made in self._shown.values()))
        await asyncio.gather(*(made.close() for made in self._statuses.values()))

    def close(self) -> None:
        """End all streams."""
        for channel in self._channels.values():
            channel.close()

    # pages

    async def tournaments(self, request: Request) -> Response:
        """All of them, the newest first."""
        names = await asyncio.to_thread(self._names)
        found = [status for name in reversed(names) if (status := await self._status(name))]
        return HTMLResponse(pages.tournaments(found, _root(request)))

    async def folder(self, request: Request) -> Response:
        """A tournament without the slash that links on its pages count on."""
        return RedirectResponse(f"{(await self._state(request)).begun.name}/")

    async def page(self, request: Request) -> Response:
        """A file of the static site."""
        now = await self._state(request)
        folder = self._sites.folder(now)
        path = request.path_params["path"] or INDEX
        if folder is None and path.endswith(".html"):
            why = pages.MAKING if now.head else pages.NO_GAME
            return HTMLResponse(pages.waiting(now.begun.name, why, _root(request)))
        if folder is None:
            raise HTTPException(404)
        return await _file(folder, path, request.scope)

    async def asset(self, request: Request) -> Response:
        """A script or a style sheet."""
        return await _file(DIST, request.path_params["file"], request.scope)

    async def live(self, request: Request) -> Response:
        """A tournament as it is played."""
        now = await self._state(request)
        folder, policy = self._sites.folder(now), {"Content-Security-Policy": pages.LIVE_POLICY}
        if folder is None or not (folder / LIVE).is_file():
            return HTMLResponse(pages.early(now.begun), headers=policy)
        page = await _file(folder, LIVE, request.scope)
        page.headers.update(policy)
        return page

    async def terms(self, request: Request) -> Response:
        """The words of games, which the live page needs before there is a site."""
        await self._state(request)
        return Response(pages.terms(), media_type="text/javascript")

    async def replay(self, request: Request) -> Response:
        """The moves of a game that is over, and so is its deal."""
        now, game = await self._state(request), _game(request)
        if game not in await self._games(now):
            raise HTTPException(404)
        logs = self._home.path / "logs" / self._home.called(now.begun.name) if self._logs else None
        script = await asyncio.to_thread(replay_of, self._home, game, logs)
        return Response(script, media_type="text/javascript")

    async def sorry(self, request: Request, error: Exception) -> Response:
        """What went wrong, in words."""
        name, root = request.path_params.get("tournament", ""), _root(request)
        if isinstance(error, _NotBegun):
            return HTMLResponse(pages.waiting(name, pages.NOT_BEGUN, root), 404)
        if isinstance(error, HTTPException):
            return HTMLResponse(pages.sorry(error.status_code, root), error.status_code, error.headers)
        if isinstance(error, ArenaError):
            self._failed(error)
        return HTMLResponse(pages.sorry(503, root), 503, AGAIN)

    # what is under way

    async def events(self, request: Request) -> Response:
        """A stream of what happens."""
        channel = self._channel((await self._state(request)).begun.name)
        if request.method == "HEAD":
            return Response(media_type="text/event-stream", headers=FOR_STREAMS)
        self._check_room()
        game = request.query_params.get("game", "")
        game = game if _is_id(game) else ""
        return Stream(channel, game, _known(request, game))

    async def underway(self, request: Request) -> Response:
        """A game under way, as far as all may see it."""
        channel, game = self._channel((await self._state(request)).begun.name), _game(request)
        self._check_room()
        with channel.listening(game):
            found = await _followed(channel, game)
        if found is None:
            raise HTTPException(404)
        return Response(encode(found), media_type="application/json", headers=FOR_STREAMS)

    def _channel(self, name: str) -> Channel:
        if name not in self._channels:
            self._channels[name] = Channel(partial(Watch, name, self._home), pages.told)
        return self._channels[name]

    def _check_room(self) -> None:
        if sum(channel.listeners for channel in self._channels.values()) >= MOST:
            raise HTTPException(503, headers=AGAIN)

    # what is in the ledger

    def _names(self) -> list[str]:
        with reading.opened(self._home) as ledger:
            names = ledger.names()
        return [name for name in names if not self._chosen or name in self._chosen]

    async def _state(self, request: Request) -> State:
        """How the tournament that is asked for is now; there is an answer of its own where there is none."""
        name = request.path_params["tournament"]
        found = None
        if not self._chosen or name in self._chosen:
            found = await self._found(name)
        if found is None:
            raise _NotBegun(404) if name in self._chosen else HTTPException(404)
        return found

    async def _found(self, name: str) -> State | None:
        """The same; as it was last, where the ledger fails: what is built is served on."""
        try:
            found = await asyncio.to_thread(state, self._home, name)
        except StorageError as error:
            if name not in self._states:
                raise
            self._failed(error)
            return self._states[name]
        if found:
            self._states[name] = found
        return found

    async def _status(self, name: str) -> Status | None:
        now = await self._found(name)
        if name not in self._statuses:
            find = partial(asyncio.to_thread, reading.status, name, self._home)
            self._statuses[name] = Remade(find, self._failed)
        running = await asyncio.to_thread(self._home.held, name)
        return await self._statuses[name].wait((now, running))

    async def _games(self, now: State) -> frozenset[GameId]:
        """Those that may be shown; where bots or deals were added since, none until that is known."""
        name = now.begun.name
        if name not in self._shown:
            self._shown[name] = Remade(partial(asyncio.to_thread, shown, self._home, name), self._failed)
        found = await self._shown[name].wait(now)
        return found.games if found and found.begun == now.begun else frozenset()


class _NotBegun(HTTPException):
    """A tournament that is to be shown stands in no ledger yet."""


class Stream(StreamingResponse):
    """What a channel tells, for as long as somebody listens."""

    def __init__(self, channel: Channel, game: str, told: int) -> None:
        super().__init__(channel.events(game, told), media_type="text/event-stream", headers=FOR_STREAMS)
        self._channel, self._game = channel, game

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: D102 - ASGI
        with self._channel.listening(self._game):
            await super().__call__(scope, receive, send)


def _root(request: Request) -> str:
    """The way back to the first page, as a browser counts: by the slashes in the address as it was sent."""
    return "../" * (request.scope["raw_path"].count(b"/") - 1) or "./"


def _is_id(game: str) -> bool:
    return 0 < len(game) <= ID_DIGITS and HEX.issuperset(game)


def _game(request: Request) -> GameId:
    game = request.path_params["game"]
    if not _is_id(game):
        raise HTTPException(404)
    return GameId(game)


def _known(request: Request, game: str) -> int:
    """How many events of a game a browser has: it says so in the address, and when it comes again."""
    last, _, number = request.headers.get("last-event-id", "").partition("/")
    number = number if game and last == game else request.query_params.get("from", "")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 10 else 0


async def _followed(channel: Channel, game: str) -> Mapping[str, Any] | None:
    """What is shown of a game that is followed as from now."""
    seen: Seen | None = None
    while (seen := await channel.next(seen)) is not None:
        if seen.trouble or game in seen.replays:
            return seen.replays.get(game)
    return None


async def _file(folder: Path, path: str, scope: Scope) -> Response:
    """A file in a folder, and in no other; the folder may be replaced by another one at any time."""
    files = StaticFiles(directory=folder, check_dir=False)
    return await files.get_response(os.path.normpath(path), scope)
