"""`arena serve`: who is let in, what is shown, and nothing of open deals."""

from __future__ import annotations

import asyncio
import http.client
import json
import re
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from html import unescape
from pathlib import Path
from urllib.parse import urljoin

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.errors import InputError
from arena.home import Home
from arena.reading import opened
from arena.serving import application, pages, server, sites
from protocol.vocabulary import BotId
from tests.arena.made import SEED, tournament
from tests.arena.served import BEARER, TOKEN, Served, serving


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """`cup` is played but for a game on its last deal; `other` is over; nothing of `new` is played."""
    home = Home(tmp_path_factory.mktemp("serving") / "home")
    tournament(home, "cup", without=lambda n, pairing: n == 1 and pairing.seating[0].name == "bot0")
    tournament(home, "other", deals=1)
    tournament(home, "new", deals=1, without=lambda *_: True)
    (home.path / "secret.txt").write_text("not for anybody")
    return home


@pytest.fixture(scope="module")
def served(home: Home) -> Iterator[Served]:
    with serving(home) as running:
        yield running


def games(home: Home, name: str, deal: str) -> list[str]:
    with opened(home) as ledger:
        return [result.id for result in ledger.results(name) if result.deal.endswith(f"#{deal}")]


# who is let in


@pytest.mark.parametrize(
    "said", ["", "Bearer", "Bearer x", f"Bearer {TOKEN}x", f"Basic {TOKEN}", "Bearer \xe9"]
)
def test_nobody_without_the_token(served: Served, said: str) -> None:
    for path in ("/", "/cup/", "/cup/live/events", "/-/site.css", "/nothing"):
        answer = served.ask(path, Authorization=said)
        assert (answer.status, b"arena serve has printed" in answer.body) == (403, True)


def test_the_token_goes_from_the_address_into_a_cookie_that_lets_in(served: Served) -> None:
    entrance = served.ask("/cup/?token=the+token+of+this+test", Authorization="")
    cookie = entrance.headers["Set-Cookie"]
    assert entrance.status == 200 and b"url=./" in entrance.body and TOKEN.encode() not in entrance.body
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie
    assert served.ask("/cup/", Authorization="", Cookie=cookie.partition(";")[0]).status == 200


def test_the_token_does_not_stay_in_the_address_of_who_was_let_in(served: Served) -> None:
    answer = served.ask("/cup/?token=the+token+of+this+test")
    assert b"url=./" in answer.body and b"the leaderboard" not in answer.body


@pytest.mark.parametrize(
    "path", ["//evil.example/", "/%0d%0aX-Evil:1", "/%22%3E%3Cscript%3E", "/\\evil.example"]
)
def test_the_entrance_leads_nowhere_else(served: Served, path: str) -> None:
    answer = served.ask(f"{path}?token=the+token+of+this+test", Authorization="")
    assert (
        b'url=./">' in answer.body and b"evil" not in answer.body.lower() and "X-Evil" not in answer.headers
    )


def test_a_public_server_asks_for_no_token(home: Home) -> None:
    with serving(home, token="") as public:
        assert public.ask("/", Authorization="").status == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8000", 200), ("localhost:9", 200), ("[::1]:8000", 200), ("CUP.example.org", 200),
        ("evil.example", 421), ("127.0.0.1.evil.example", 421), ("localhost.evil.example:80", 421), ("", 421),
    ],
)  # fmt: skip
def test_only_hosts_of_ours(served: Served, host: str, status: int) -> None:
    assert served.ask("/", Host=host).status in ((status, 400) if not host else (status,))


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://127.0.0.1"}, 200),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403),
        ({"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 200),
    ],
)
def test_other_sites_may_link_here_and_not_read(served: Served, headers: dict[str, str], status: int) -> None:
    answer = served.ask("/", **headers)
    assert answer.status == status and "Access-Control-Allow-Origin" not in answer.headers


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND"])
def test_nothing_can_be_changed(served: Served, method: str) -> None:
    answer = served.ask("/cup/", method)
    assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD")


def test_head_has_no_body(served: Served) -> None:
    for path in ("/", "/cup/live", "/cup/live/events", "/-/site.css"):
        answer = served.ask(path, "HEAD")
        assert (answer.status, answer.body) == (200, b"")


@pytest.mark.parametrize("path", ["/", "/cup/", "/cup/live", "/-/site.css", "/nothing/", "/cup/nothing"])
def test_each_answer_says_what_a_browser_may_do_with_it(served: Served, path: str) -> None:
    for headers in (served.ask(path).headers, served.ask(path, Authorization="").headers):
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff" and headers["Referrer-Policy"] == "no-referrer"
        assert "server" not in headers


def test_headers_have_a_limit(served: Served) -> None:
    assert served.ask("/", X_Long="x" * 40_000).status in (400, 431)
    assert served.ask("/" + "x" * 40_000).status in (400, 414, 431)
    assert served.ask("/").status == 200


@pytest.fixture(scope="module")
def with_site(served: Served) -> Served:
    """Once the site of `cup` is there: before, any page of it says that it is made."""
    for _ in range(400):
        if "the leaderboard" in served.page("/cup/"):
            return served
        time.sleep(0.05)
    raise TimeoutError("no site was made")


@pytest.mark.parametrize("folder", ["/cup/", "/cup/assets/", "/-/", "/cup/replays/", "/"])
@pytest.mark.parametrize(
    "way",
    [
        "../../secret.txt", "..%2f..%2fsecret.txt", "%2e%2e/%2e%2e/secret.txt", "..%5c..%5csecret.txt",
        "%252e%252e/%252e%252e/secret.txt", "//../../secret.txt", "x/../../../secret.txt", "..%00/secret.txt",
        "%c0%ae%c0%ae/%c0%ae%c0%ae/secret.txt", "../../ledger.sqlite", "x%00.html", "y" * 300,
    ],
)  # fmt: skip
def test_no_path_leads_out_of_a_site(with_site: Served, folder: str, way: str) -> None:
    answer = with_site.ask(folder + way)
    assert answer.status in (404, 400) and b"not for anybody" not in answer.body


# what is shown


def test_all_tournaments_and_how_far_they_are(served: Served) -> None:
    page = served.page("/")
    assert "3 of 4 games" in page and 'href="./cup/live"' in page and "stopped" in page and "complete" in page


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/cup",
        "/cup/",
        "/cup/live",
        "/new/",
        "/new/live",
        "/nothing",
        "/cup/some/page%2fless/",
        "/cup/?token=",
    ],
)
def test_behind_a_proxy_that_puts_us_into_a_folder_all_links_stay_in_it(served: Served, path: str) -> None:
    front = "https://cup.example.org/contests"
    answer = served.ask(path.replace("token=", "token=the+token+of+this+test"))
    said = re.findall(r'(?:href|src)="([^"#]+)"|url=([^"]*)"', answer.body.decode())
    links = {urljoin(front + path, unescape(link or again)) for link, again in said}
    links |= {urljoin(front + path, answer.headers["Location"])} if answer.status == 307 else set()
    assert all(link.startswith((f"{front}/", "data:")) for link in links), links
    reached = [link.removeprefix(front) for link in links if link.startswith(front)]
    assert reached or "the leaderboard" in answer.body.decode() or "as it is played" in answer.body.decode()
    for link in reached:
        assert link.endswith(".html") or served.ask(link).status in (200, 307), link


def test_only_the_chosen_ones(home: Home) -> None:
    with serving(home, ("other",)) as one:
        assert 'href="./other/"' in one.page("/") and "cup" not in one.page("/")
        assert [one.ask(path).status for path in ("/cup/", "/cup/live/events")] == [404, 404]


def test_a_tournament_without_its_slash_leads_to_it(served: Served) -> None:
    answer = served.ask("/cup")
    assert (answer.status, answer.headers["Location"]) == (307, "cup/")


def test_a_site_that_is_not_there_yet_is_waited_for(served: Served) -> None:
    assert "No game is over yet" in served.page("/new/")
    first = served.page("/other/")
    assert 'http-equiv="refresh"' in first or "the leaderboard" in first
    for _ in range(100):
        if "the leaderboard" in served.page("/other/"):
            break
    assert "the leaderboard" in served.page("/other/index.html")


def test_a_tournament_that_begins_later_is_waited_for(tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text('name = "cup"\nbots = ["random", "greedy"]\nvariants = ["claim"]\n')
    home = Home(tmp_path / "home")
    with serving(home, application.chosen(home, [str(tmp_path / "cup.toml")])) as running:
        early = running.ask("/cup/live")
        assert early.status == 404 and b"It has not begun yet" in early.body and b"refresh" in early.body
        tournament(home, deals=1, without=lambda *_: True)
        assert "No game is over yet" in running.page("/cup/")


def test_the_replay_of_a_closed_deal_and_of_no_other(served: Served, home: Home) -> None:
    (shown,) = games(home, "cup", "0")[:1]
    script = served.page(f"/cup/replays/{shown}.js")
    assert script.startswith(f'kingmaker("replay","{shown}",') and '"@view"' in script
    (held,) = games(home, "cup", "1")
    others = [held, *games(home, "other", "0"), shown[:8], shown.upper(), "0" * 32]
    assert [served.ask(f"/cup/replays/{id}.js").status for id in others] == [404] * len(others)


def test_a_deal_that_is_opened_again_is_shown_no_more(tmp_path: Path) -> None:
    home = Home(tmp_path)
    tournament(home, deals=1)
    (game, _) = games(home, "cup", "0")
    with serving(home) as running:
        assert running.ask(f"/cup/replays/{game}.js").status == 200
        with opened(home) as ledger:
            begun = ledger.tournament("cup")
            third = [*begun.bots, begun.bots[0].__class__("bot2", "c" * 40)]
            config = {
                **begun.config,
                "bots": ["bot0", "bot1", "bot2"],
                "seatings": "all",
                "variants": ["claim", "claim/3p"],
            }
            ledger.begin("cup", begun.seed, config, third)
        assert running.ask(f"/cup/replays/{game}.js").status == 404


def test_no_answer_has_the_seed_or_a_deal_that_is_open(served: Served, home: Home) -> None:
    (held,) = games(home, "cup", "1")
    for path in ("/", "/cup/", "/cup/live", "/cup/data/terms.js", f"/cup/replays/{held}.js"):
        assert SEED.encode() not in served.ask(path).body


def test_names_of_bots_are_texts_on_the_live_page(tmp_path: Path) -> None:
    home = Home(tmp_path)
    tournament(home, deals=1)
    with opened(home) as ledger:
        begun = ledger.tournament("cup")
        evil = begun.bots[0].__class__("'\"><script>alert(1)</script>\u202e", "d" * 40)
        ledger.begin("cup", begun.seed, begun.config, [*begun.bots, evil])
    with serving(home) as running:
        page = running.page("/cup/live")
    assert "<script>alert" not in page and "\u202e" not in page and "&lt;script&gt;alert" in page


# streams


def test_a_tournament_that_is_over_is_told_and_its_stream_ends(served: Served, home: Home) -> None:
    answer = served.ask("/other/live/events")
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    assert (answer.headers["Cache-Control"], answer.headers["X-Accel-Buffering"]) == ("no-store", "no")
    retry, snapshot = answer.body.decode().removesuffix("\n\n").split("\n\n")
    event, data = snapshot.split("\n")
    told = json.loads(data.removeprefix("data: "))
    assert (retry, event, told["schema"]) == ("retry: 2000", "event: snapshot", "kingmaker/live/1")
    assert (told["over"], told["ended"], len(told["newest"])) == (2, "all games are played", 2)
    assert SEED not in data


def test_a_game_that_is_not_under_way_is_not_there(served: Served, home: Home) -> None:
    (held,) = games(home, "cup", "1")
    assert served.ask(f"/cup/live/games/{held}").status == 404
    assert served.ask("/cup/live/games/..%2f").status == 404


def test_so_many_may_listen_and_no_more(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "MOST", 1)
    first = http.client.HTTPConnection("127.0.0.1", served.port, timeout=10)
    first.request("GET", "/cup/live/events", headers=BEARER)
    assert first.getresponse().readline() == b"retry: 2000\n"
    refused = served.ask("/cup/live/events")
    assert (refused.status, refused.headers["Retry-After"]) == (503, "5")
    first.close()
    for _ in range(100):
        if served.ask("/other/live/events").status == 200:
            break
    assert served.ask("/other/live/events").status == 200


def test_texts_of_a_snapshot_are_visible_and_cut() -> None:
    assert pages.visible({"a": ["x\u202e", 1, None], "b": "y" * 999}) == {
        "a": ["x\\u202e", 1, None], "b": "y" * 400 + "…",
    }  # fmt: skip


# the command


def test_a_port_that_is_taken_is_said_with_what_to_do() -> None:
    with server.listening("127.0.0.1", 0) as sock:
        port = sock.getsockname()[1]
        with pytest.raises(InputError, match=f"port {port} of 127.0.0.1 is taken") as error:
            server.listening("127.0.0.1", port)
    assert error.value.code == "E260" and "--port 0" in error.value.fix


@pytest.mark.parametrize("bind", ["192.0.2.1", "no such name", "300.1.1.1"])
def test_an_address_that_is_not_here_is_said(bind: str) -> None:
    with pytest.raises(InputError, match="cannot listen at") as error:
        server.listening(bind, 0)
    assert error.value.code == "E261"


def test_who_can_reach_it_is_said() -> None:
    with server.listening("127.0.0.1", 0) as here, server.listening("0.0.0.0", 0) as everywhere:
        assert server.warnings(here, public=False) == []
        assert "no token" in server.warnings(here, public=True)[0]
        assert "every machine that reaches this one" in server.warnings(everywhere, public=False)[0]
        assert server.address(everywhere) == f"http://127.0.0.1:{everywhere.getsockname()[1]}"


def test_what_is_not_installed_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    said = CliRunner().invoke(main, ["--home", str(tmp_path), "serve"])
    assert said.exit_code == 3 and "pip install 'kingmaker[web]'" in said.stderr


def test_the_live_page_tells_long_names_apart(home: Home) -> None:
    bots = tuple(BotId(f"a-name-of-forty-letters-or-so-version-1.{n}", f"{n:040x}") for n in (1, 2))
    with opened(home) as ledger:
        page = pages.early(replace(ledger.tournament("cup"), bots=bots)).decode()
    found = re.search(r'data-bots="([^"]*)"', page)
    known = json.loads(unescape(found[1])) if found else []
    assert [bot["name"] for bot in known] == [bot.name for bot in bots]
    for room in ("wide", "narrow"):
        assert [bot[room][-3:] for bot in known] == ["1.1", "1.2"] and len(known[0][room]) < 25


def test_an_unknown_tournament_is_said(tmp_path: Path) -> None:
    said = CliRunner().invoke(main, ["--home", str(tmp_path), "serve", "nothing"])
    assert said.exit_code == 2 and "E204" in said.stderr


def test_the_address_is_printed_and_an_interruption_is_the_end(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.Server, "answer", lambda self: self._sock.close())
    said = CliRunner().invoke(main, ["--home", str(home.path), "serve", "cup", "--port", "0"])
    assert (
        re.fullmatch(r"http://127\.0\.0\.1:\d+/cup/\?token=[\w-]{32}\n", said.stdout) and said.exit_code == 0
    )
    public = CliRunner().invoke(main, ["--home", str(home.path), "serve", "--public", "--port", "0"])
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\n", public.stdout) and "no token" in public.stderr


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost:"])
def test_who_sends_no_whole_request_is_not_waited_for(
    home: Home, sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "HURRY", 0.2)
    with serving(home) as quick, socket.create_connection(("127.0.0.1", quick.port), timeout=10) as idle:
        idle.sendall(sent)
        assert idle.recv(1) == b""


def test_who_listens_is_not_hurried(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "HURRY", 0.2)
    with serving(home) as quick, socket.create_connection(("127.0.0.1", quick.port), timeout=10) as stream:
        host = f"Host: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}"
        stream.sendall(f"GET /cup/live/events HTTP/1.1\r\n{host}\r\n\r\n".encode())
        assert b"200 OK" in stream.recv(4096)
        time.sleep(0.4)
        stream.setblocking(False)
        with suppress(BlockingIOError):
            while True:
                assert stream.recv(4096), "it was dropped"


def test_a_site_is_built_by_our_modules_wherever_serve_was_started(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("signal", "arena", "numpy"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(0)")
    monkeypatch.chdir(tmp_path)
    asyncio.run(sites.build(home, "other", tmp_path / "site"))
    assert "bot0" in (tmp_path / "site" / "index.html").read_text()


@pytest.mark.parametrize("chosen", [(), ("cup",)], ids=["all", "chosen"])
def test_while_the_ledger_fails_what_was_built_is_served_on(tmp_path: Path, chosen: tuple[str, ...]) -> None:
    home = Home(tmp_path / "home")
    tournament(home, "cup", deals=1)
    assert isinstance(home.ledger, Path)
    with serving(home, chosen, fails=True) as running:
        while "the leaderboard" not in running.page("/cup/"):
            time.sleep(0.01)
        for file in home.path.glob("ledger.sqlite*"):
            file.write_bytes(b"what is this?" * 1000)
        assert "the leaderboard" in running.page("/cup/")
        assert running.ask("/other/").status == (404 if chosen else 503)
    with serving(home, chosen, fails=True) as later:
        assert later.ask("/cup/").status == 503, "nothing is known of it"
