"""A browser that forgives nothing, Node.js, and a real tournament of both games with the site made of it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
WEB = Path(__file__).parents[2] / "leaderboards" / "web"
OWN = ("file:", "data:", "blob:", "about:", "http://127.0.0.1:")
"""Where a page may ask: beside itself."""

CUP = """\
name = "cup"
bots = ["random", "greedy", "./talker.py", "./stumbler.py"]
variants = ["claim", "claim/3p/NA-UWTDS", "aristoocrazy"]
deals = 1
suspend_after = 0
seed = "looked at"
"""
TALKER = '''\
"""Says what it thinks, and now and then what a page must not take for its own."""
from protocol.client import Bot, run

WORDS = ["a plain word", "<script>document.title='taken'</script>", "\\u202eturned", "<b>bold</b> & 'quoted'"]

class Talker(Bot):
    def choose(self, turn):
        return turn["legal"][0], WORDS[turn["turn"] % len(WORDS)]

run(Talker())
'''
STUMBLER = '''\
"""Falls over its own feet in the middle of a game."""
from protocol.client import Bot, run

class Stumbler(Bot):
    def choose(self, turn):
        if turn["turn"] > 6:
            raise ValueError("a stone <i>in</i> my shoe")
        return turn["legal"][0]

run(Stumbler())
'''


@dataclass(frozen=True)
class Site:
    """A tournament that was played and the pages made of it."""

    home: Path
    """What `arena --home` takes."""
    tournament: str
    folder: Path
    """Where index.html lies."""


def arena(home: Path, *words: str, cwd: Path | None = None) -> str:
    """What the command prints. Raises AssertionError with what it says, where it fails."""
    program = "import arena.cli; arena.cli.main()"
    command = [sys.executable, "-c", program, "--home", str(home), *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=cwd)
    assert done.returncode == 0, f"arena {' '.join(words)}: {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of the tournament `cup`, all of it played by real bots."""
    folder = tmp_path_factory.mktemp("cup")
    (folder / "cup.toml").write_text(CUP)
    (folder / "talker.py").write_text(TALKER)
    (folder / "stumbler.py").write_text(STUMBLER)
    arena(folder / "home", "run", "cup.toml", cwd=folder)
    return folder / "home"


@pytest.fixture(scope="session")
def site(played: Path) -> Site:
    """Its pages, with the replays of all games."""
    folder = played.parent / "site"
    arena(played, "site", "build", "cup", "-o", str(folder), "--replays", "all")
    return Site(played, "cup", folder)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    yield browser
    browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of 1280 by 800 px; any error of its console, its scripts or its policy, and any request that leaves, fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(f"script: {error}"))
    page.on("console", lambda said: wrong.append(f"console: {said.text}") if said.type == "error" else None)
    page.on("request", lambda request: wrong.extend(left(request.url)))
    yield page
    context.close()
    assert wrong == []


def left(url: str) -> list[str]:
    """What is wrong about a request: where it goes, if that is another place."""
    return [] if url.startswith(OWN) else [f"request: {url}"]


@pytest.fixture(scope="session")
def node() -> str:
    """The Node.js that Playwright comes with."""
    from playwright._impl._driver import compute_driver_executable

    return compute_driver_executable()[0]


@pytest.fixture(scope="session")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A function that makes one script, as Node.js runs it, of a program in TypeScript that imports from `src`."""

    def bundle(program: str) -> Path:
        made = tmp_path_factory.mktemp("script") / "made.mjs"
        esbuild = str(WEB / "node_modules" / ".bin" / "esbuild")
        words = ["--bundle", "--platform=node", "--format=esm", "--loader=ts", f"--outfile={made}"]
        subprocess.run([esbuild, *words], input=program, text=True, check=True, cwd=WEB, timeout=60)
        return made

    return bundle
