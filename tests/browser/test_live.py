"""The live page of `arena serve`: a tournament seen while it is played."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from arena.home import Home
from arena.serving import application, pages
from tests.arena.made import tournament
from tests.arena.served import TOKEN, serving

pytestmark = pytest.mark.web

CUP = """\
name = "cup"
bots = ["greedy", "./thinker.py"]
variants = ["claim"]
deals = 3
spectator_delay_ms = 700
"""
THINKER = '''\
"""Takes its time."""
import time

from protocol.client import Bot, run

class Thinker(Bot):
    def choose(self, turn):
        time.sleep(0.25)
        return turn["legal"][-1], "a thought"

run(Thinker())
'''
PROGRAM = "import arena.cli; arena.cli.main()"
PATIENCE = 60_000


@contextmanager
def command(home: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """`arena` as a process, for as long as it is needed."""
    arena = [sys.executable, "-c", PROGRAM, "--home", str(home), *words]
    with subprocess.Popen(
        arena, text=True, cwd=home.parent, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield process
        finally:
            process.terminate()


def harmless(page: Page) -> None:
    """axe finds nothing that is serious."""
    found = Axe().run(page).response["violations"]
    assert [one for one in found if one["impact"] in ("serious", "critical")] == []


def until(page: Page, script: str) -> None:
    """Wait for a script to say so; Playwright's own way of waiting evaluates text, which our policy forbids."""
    for _ in range(PATIENCE // 100):
        if page.evaluate(script):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"it never came to {script}")


def test_a_tournament_is_seen_from_its_first_game_to_its_last(page: Page, tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text(CUP)
    (tmp_path / "thinker.py").write_text(THINKER)
    home = tmp_path / "home"
    with command(home, "run", "cup.toml") as run, command(home, "serve", "--port", "0") as serve:
        assert serve.stdout
        address = serve.stdout.readline().strip()
        page.goto(address)
        page.wait_for_url(address.partition("?")[0])
        page.get_by_role("link", name="Live").click(timeout=PATIENCE)
        follow_a_game(page)
        see_the_end(page)
        assert run.wait(30) == 0
        look_at_what_is_left(page)


def follow_a_game(page: Page) -> None:
    page.locator(".games button").first.click(timeout=PATIENCE)
    slider = page.locator("arena-replay input[type=range]")
    expect(slider).to_be_visible(timeout=PATIENCE)
    first = int(slider.get_attribute("max") or 0)
    last = "document.querySelector('arena-replay').shadowRoot.querySelector('input[type=range]').max"
    until(page, f"() => +{last} > {first} + 2")
    replay = page.evaluate("document.querySelector('arena-replay').replay")
    assert {event[1] is None for event in replay["events"]} == {True}
    assert {event[2] for event in replay["events"]}.isdisjoint({"@unseen", "@action", "@legal"})
    assert "a thought" not in json.dumps(replay) and replay["deal"] == ""


def see_the_end(page: Page) -> None:
    expect(page.locator(".state")).to_contain_text("over: all games are played", timeout=PATIENCE)
    expect(page.locator(".facts dd").first).to_contain_text("6")
    expect(page.locator("[data-part=leaders] tr")).to_have_count(2)
    expect(page.locator("[data-part=newest] li")).to_have_count(6)
    assert "NaN" not in page.locator("#live").inner_text()
    harmless(page)


def look_at_what_is_left(page: Page) -> None:
    """The leaderboard comes up by itself; a game is replayed that nobody has built a file for."""
    page.get_by_role("link", name="Leaderboard").click()
    expect(page.locator("table.board tbody tr")).to_have_count(2, timeout=PATIENCE)
    page.get_by_role("link", name="Games", exact=True).click()
    page.locator("main table a[href*='game.html#']").first.click()
    expect(page.locator("arena-replay input[type=range]")).to_be_visible()


# made up: what a real run does not do on demand

EVIL = "<img src=x onerror=\"document.title='taken'\"> & 'quoted'\u202e"


def bot(name: str) -> dict[str, Any]:
    return {"name": name, "digest": "a" * 40}


def leader(rank: int, name: str, mu: float) -> dict[str, Any]:
    return {
        "rank": rank, "bot": bot(name), "mu": mu, "sigma": 1.0, "low": mu - 2, "high": mu + 2,
        "games": 40, "faults": 1, "unplayed": 0, "provisional": rank > 2,
    }  # fmt: skip


def told(**changes: Any) -> dict[str, Any]:
    """A snapshot as the page gets it, of bots of which one has a name that means harm."""
    names = ["ann", EVIL, "bob"]
    seats: list[dict[str, Any]] = [
        {"bot": bot(name), "team": n, "rank": n, "score": 9 - n, "fault": None}
        for n, name in enumerate(names)
    ]
    seats[2]["fault"] = "timeout"
    body = {
        "schema": "kingmaker/live/1", "tournament": "cup", "at": "2026-11-30T17:00:00+00:00", "running": True,
        "games": 400, "over": 120, "per_second": 2.5, "left_seconds": 112.0, "ended": "", "head": "",
        "leaders": [leader(n, name, 30.0 - n) for n, name in enumerate(names, 1)],
        "newest": [{"id": "ab" * 16, "variant": "claim/3p", "verdict": "forfeit", "seats": seats}],
        "unplayed": [], "away": [],
        "faults": [{"game": "ab" * 16, "bot": bot("bob"), "kind": "timeout", "at": "2026-11-30T17:00:00+00:00"}],
        "underway": [{"id": "cd" * 16, "variant": "claim/3p", "bots": names, "step": 7, "since_seconds": 3.0}],
        "delay_seconds": 30.0, "notes": [f"{EVIL} is suspended"],
    }  # fmt: skip
    seen: dict[str, Any] = pages.visible({**body, **changes})
    return seen


@dataclass
class Watched:
    """Stands in for arena.live.Watch."""

    body: dict[str, Any] = field(default_factory=told)
    running, ended = True, ""

    def __call__(self, name: str, home: Home) -> Watched:
        return self

    def __enter__(self) -> Watched:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to close."""

    def look(self) -> Watched:
        return self

    def replay(self, game: str) -> Mapping[str, Any] | None:
        return None


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: Page) -> Iterator[Watched]:
    """A tournament that a test moves, and the page open on it."""
    home, watched = Home(tmp_path / "home"), Watched()
    tournament(home, deals=1)
    monkeypatch.setattr(application, "Watch", watched)
    monkeypatch.setattr(pages, "told", lambda now: now.body)
    with serving(home) as served:
        page.goto(f"http://127.0.0.1:{served.port}/cup/live?token={TOKEN.replace(' ', '+')}")
        page.wait_for_url("**/cup/live")
        expect(page.locator("[data-part=leaders] tr")).to_have_count(3)
        yield watched
        page.goto("about:blank")


def names(page: Page) -> list[str]:
    return [text.strip() for text in page.locator("[data-part=leaders] th").all_inner_texts()]


def test_who_gains_a_place_moves_up(page: Page, watched: Watched) -> None:
    assert names(page)[0] == "ann" and names(page)[2] == "bob"
    order = [leader(1, "bob", 31.0), leader(2, "ann", 30.0), leader(3, EVIL, 28.0)]
    watched.body = told(over=121, leaders=order)
    expect(page.locator("[data-part=leaders] th").first).to_have_text("bob")
    marks = page.locator("[data-part=leaders] .move")
    expect(marks.nth(0)).to_have_text("▲2up by 2")
    expect(marks.nth(1)).to_have_text("▼1down by 1")
    expect(page.locator("[data-part=said]")).to_contain_text("bob leads. 121 of 400 games are over.")


def test_rows_slide_for_whoever_does_not_mind(page: Page, watched: Watched) -> None:
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate("""() => { window.slid = 0; const animate = HTMLElement.prototype.animate;
        HTMLElement.prototype.animate = function (...how) { window.slid += 1; return animate.apply(this, how); } }""")
    watched.body = told(leaders=[leader(1, "bob", 31.0), leader(2, "ann", 30.0), leader(3, EVIL, 28.0)])
    until(page, "() => window.slid === 3")
    page.emulate_media(reduced_motion="reduce")
    watched.body = told()
    expect(page.locator("[data-part=leaders] th").first).to_have_text("ann")
    assert page.evaluate("window.slid") == 3


def test_texts_of_others_are_texts(page: Page, watched: Watched) -> None:
    assert page.locator("#live img").count() == 0 and "taken" not in page.title()
    for part in ("leaders", "newest", "underway", "notes"):
        text = page.locator(f"[data-part={part}]").inner_text()
        assert "<img src=x onerror=" in text and "\u202e" not in text and "\\u202e" in text


def test_the_head_is_that_of_the_games_that_are_seen(page: Page, watched: Watched) -> None:
    head = page.locator("[data-part=head]")
    assert "as of" not in page.locator("footer").inner_text() and head.inner_text() == ""
    for digit, over in (("a", 121), ("b", 122)):
        watched.body = told(head=digit * 64, over=over)
        expect(head).to_contain_text(digit * 64)


def test_games_of_a_suspended_bot_are_one_line_and_no_faults(page: Page, watched: Watched) -> None:
    faults, newest = page.locator("[data-part=faults]"), page.locator("[data-part=newest]")
    assert "timeout" in newest.inner_text() and "suspended" not in newest.inner_text()
    away = [{"bot": bot("bob"), "kind": "timeout", "unplayed": 136}]
    watched.body = told(away=away, unplayed=["ab" * 16], over=121)
    expect(faults.locator("li").last).to_contain_text("136 games lost unplayed: timeout too often in a row")
    assert faults.locator("li").count() == 2, "the fault itself, and all that is lost since"
    assert "suspended" in newest.inner_text() and "timeout" not in newest.inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_is_readable_everywhere(page: Page, watched: Watched, scheme: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    harmless(page)


def test_what_is_not_known_is_said_in_words(page: Page, watched: Watched) -> None:
    watched.body = told(
        games=None,
        per_second=None,
        left_seconds=None,
        delay_seconds=None,
        leaders=[leader(1, "ann", 30.0) | {"mu": None, "low": None}],
    )
    expect(page.locator("[data-part=leaders] tr")).to_have_count(1)
    text = page.locator("#live").inner_text()
    assert "as many as it takes" in text and "nobody knows how many games" in text and "partial" in text
    assert "too few deals" in text and "Nothing is shown of games under way" in text
    assert not {"NaN", "null", "undefined", "Infinity"} & set(text.split())


def test_it_sleeps_with_its_tab_and_catches_up(page: Page, watched: Watched) -> None:
    hide = "is => { Object.defineProperty(document, 'hidden', { value: is, configurable: true }); document.dispatchEvent(new Event('visibilitychange')) }"
    page.evaluate(hide, True)
    expect(page.locator(".state")).to_have_text("asleep")
    watched.body = told(over=300)
    page.evaluate(hide, False)
    expect(page.locator(".state")).to_contain_text("live")
    expect(page.locator(".facts dd").first).to_contain_text("300")


def test_a_game_that_is_gone_is_said(page: Page, watched: Watched) -> None:
    watched.body = told(underway=[])
    expect(page.locator(".games button")).to_have_count(0)
    expect(page.locator("[data-part=underway]")).to_contain_text("30 s later")
