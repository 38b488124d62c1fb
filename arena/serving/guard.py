"""Who is let in, and what each answer lets a browser do. It knows no page.

    method      GET and HEAD: nothing can be changed from here
    Host        an address, localhost, or a name of ours: a page elsewhere whose name is made to lead here (DNS
                rebinding) is told apart by it
    Origin      none, or the page's own; no other page may read (no CORS)
    token       in a cookie, or `Authorization: Bearer TOKEN`; in the address it is put into the cookie, and goes

A bot that is not sandboxed, and any other user of the machine, reaches the loopback: what they lack is the token. It
goes by a page that leads on, and not by a redirection: a browser that was sent here by another site would follow that
without a cookie that is SameSite=Strict.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from hashlib import sha256
from ipaddress import ip_address
from itertools import chain
from secrets import compare_digest
from types import MappingProxyType

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
"""The content security policy of whatever has none of its own."""
HEADERS: Mapping[str, str] = MappingProxyType(
    {
        "Content-Security-Policy": POLICY,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cache-Control": "private, no-cache",
    }
)
"""Of every answer that does not say otherwise."""
HEADER_BYTES = 16 * 1024
"""Of the address and all headers."""
_PLAIN = re.compile(r"[A-Za-z0-9._-]+", re.ASCII)


class Guard:
    """Stands before an application and lets through what may come in.

    `token`: empty lets everybody in. `names`: hosts that are ours, beside addresses and localhost.
    """

    def __init__(self, app: ASGIApp, token: str, names: Collection[str] = ()) -> None:
        self._app, self._token = app, token.encode()
        self._names = {"localhost", *map(str.lower, names)}
        self.cookie = f"kingmaker-{sha256(self._token).hexdigest()[:8]}"
        """Its name; cookies do not tell ports apart, so two servers need two names."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: D102 - ASGI
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            answer = self._refusal(Request(scope)) or self._app
            await answer(scope, receive, _with_headers(send))

    def _refusal(self, request: Request) -> Response | None:
        """What is answered in place of the application; None where it may answer itself."""
        if _size(request) > HEADER_BYTES:
            return _no(431, f"Too long: an address and headers of {HEADER_BYTES} bytes are read.")
        if request.method not in ("GET", "HEAD"):
            return _no(405, "Read only: GET and HEAD.", Allow="GET, HEAD")
        if not self._is_ours(request.headers.get("host", "")):
            return _no(421, "This host name is not one of this server's: arena serve --name NAME adds one.")
        if not _is_same_origin(request):
            return _no(403, "Pages of other sites may not read from here.")
        if self._token and not self._has_token(request):
            return self._entrance(request)
        return None

    def _is_ours(self, host: str) -> bool:
        name = _name_of(host)
        return name in self._names or _is_address(name)

    def _has_token(self, request: Request) -> bool:
        kind, _, said = request.headers.get("authorization", "").partition(" ")
        given = (request.cookies.get(self.cookie, ""), said if kind.lower() == "bearer" else "")
        return "token" not in request.query_params and any(map(self._is_token, given))

    def _is_token(self, given: str) -> bool:
        return compare_digest(given.encode(), self._token)

    def _entrance(self, request: Request) -> Response:
        """Takes the token out of the address into a cookie; refuses whoever has none."""
        if not self._is_token(request.query_params.get("token", "")):
            return _no(403, "Use the address that arena serve has printed: the token in it lets you in.")
        last = request.url.path.rpartition("/")[2]
        path = last if _PLAIN.fullmatch(last) else "./"
        page = HTMLResponse(
            f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={path}">'
            f'<title>kingmaker</title><link rel="icon" href="data:,"><p><a href="{path}">Go on</a></p>'
        )
        page.set_cookie(self.cookie, self._token.decode(), httponly=True, samesite="strict")
        return page


def _size(request: Request) -> int:
    scope = request.scope
    return len(scope["raw_path"]) + len(scope["query_string"]) + sum(map(len, chain(*scope["headers"])))


def _no(status: int, text: str, **headers: str) -> Response:
    return PlainTextResponse(text + "\n", status, headers)


def _name_of(host: str) -> str:
    """A Host header without its port, in small letters.

    >>> _name_of("LOCALHOST:8000"), _name_of("[::1]:8000"), _name_of("10.0.0.7")
    ('localhost', '::1', '10.0.0.7')
    """
    bare = re.sub(r":[0-9]*$", "", host.strip().lower())
    return bare[1:-1] if bare.startswith("[") and bare.endswith("]") else bare


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _is_same_origin(request: Request) -> bool:
    """Browsers say Origin where another page asks by script; some say Sec-Fetch-Site always, of links too."""
    origin, host = request.headers.get("origin"), request.headers.get("host", "")
    if origin is not None and origin.partition("://")[2].lower() != host.lower():
        return False
    site, mode = request.headers.get("sec-fetch-site", "none"), request.headers.get("sec-fetch-mode", "")
    return site in ("none", "same-origin") or mode == "navigate"


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
