"""The pictures of docs/pictures, made anew from the tournaments of `make demo`: python -m tests.browser.shoot."""

from __future__ import annotations

import argparse
import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import CHROMIUM, FLAGS, arena

ROOT = Path(__file__).parents[2]
MOST = 120_000
"""Bytes of a picture, so that a checkout stays small."""
REPLAYS = {"demo-claim": "all", "demo-aristoocrazy": "90"}
"""The tournaments, and how many of their newest games it takes to have one of each variant below."""


@dataclass(frozen=True)
class Shot:
    """A picture: of which page, how large, in which theme."""

    name: str
    tournament: str
    page: str
    """From the root of the site; `game:VARIANT` is the middle of its newest game with the fewest random bots."""
    size: tuple[int, int] = (1280, 860)
    theme: Literal["light", "dark"] = "light"
    part: str = ""
    """What is scrolled to the top, as a selector."""


SHOTS = (
    Shot("leaderboard", "demo-claim", "index.html"),
    Shot("charts", "demo-claim", "boards/claim-3p-GK-UWXTD-charts.html", part="#history"),
    Shot("claim", "demo-claim", "game:claim/2p/GK-UWX", (1280, 1080)),
    Shot("aristoocrazy", "demo-aristoocrazy", "game:aristoocrazy/3p/quick2013", (1280, 1300)),
    Shot("phone", "demo-claim", "index.html", (390, 844)),
    Shot("dark", "demo-claim", "boards/claim-3p-GK-UWXTD-charts.html", theme="dark", part="#matrix"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--home", type=Path, default=ROOT / "build" / "demo", help="what `make demo` has played"
    )
    parser.add_argument("--folder", type=Path, default=ROOT / "docs" / "pictures")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as room, sync_playwright() as playwright:
        for name, replays in REPLAYS.items():
            arena(given.home, "site", "build", name, "-o", f"{room}/{name}", "--replays", replays)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for shot in SHOTS:
            picture = taken(browser, shot, Path(room) / shot.tournament)
            (given.folder / f"{shot.name}.webp").write_bytes(picture)
            print(f"{shot.name}: {len(picture):,} bytes")
        browser.close()


def taken(browser: Browser, shot: Shot, site: Path) -> bytes:
    """A picture as WebP, as good as its room allows. Raises AssertionError where it does not fit."""
    width, height = shot.size
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=shot.theme, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(f"file://{site}/{found(site, shot.page)}")
    page.wait_for_timeout(1500)
    if shot.part:
        page.locator(shot.part).evaluate("part => part.scrollIntoView()")
    picture = next((one for one in pictures(page) if len(one) <= MOST), b"")
    context.close()
    assert picture, f"{shot.name} is larger than {MOST:,} bytes"
    return picture


def pictures(page: Page) -> Iterator[bytes]:
    """Of a page, each smaller than the one before."""
    session = page.context.new_cdp_session(page)
    for quality in (92, 85, 75, 60):
        told = session.send("Page.captureScreenshot", {"format": "webp", "quality": quality})
        yield base64.b64decode(told["data"])


def found(site: Path, page: str) -> str:
    """The path of a page, with the game and the step that are meant."""
    if not page.startswith("game:"):
        return page
    games = [
        (-sum("random" in seat["name"] for seat in game["seats"]), game["finished"], id)
        for file in sorted(site.glob("data/games/*.js"))
        for id, game in json.loads(
            file.read_text().partition(",")[2].partition(",")[2].rstrip(");\n")
        ).items()
        if game["replay"] and game["variant"] == page.removeprefix("game:")
    ]
    *_, game = max(games)
    replay = json.loads(
        (site / f"replays/{game}.js").read_text().partition(",")[2].partition(",")[2].rstrip(");\n")
    )
    return f"game.html#game={game}&step={replay['steps'] // 2}"


if __name__ == "__main__":
    main()
