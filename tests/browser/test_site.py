"""The pages of a real tournament, as somebody finds them who opens the folder: from files, with a browser that forgives nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, expect

from leaderboards.history import history
from leaderboards.measured import FaultSeen, Timing
from leaderboards.pages import Fact
from leaderboards.site.build import files, meetings_of
from leaderboards.site.contest import About, Contest, Kept, Ranking, Report, entries
from leaderboards.standings import standings
from protocol.vocabulary import FaultKind
from tests.browser.conftest import Site
from tests.leaderboards.leaderboard_results import duels
from tests.leaderboards.site_made import built, contest

pytestmark = pytest.mark.web

KINDS = ("board", "boards", "charts", "bot", "pairing", "games", "game", "report")
PHONE = {"width": 390, "height": 844}
SHIFTS = """() => new Promise(done => new PerformanceObserver(list => done(list.getEntries().map(one => one.value)))
  .observe({type: "layout-shift", buffered: true}) ?? setTimeout(() => done([]), 300))"""
ROWS = """table => [...table.tBodies[0].rows].filter(row => !row.hidden && !("fixed" in row.dataset)).map(row =>
  [...row.cells].map(cell => cell.dataset.value ?? cell.textContent.trim()))"""


def a_page(site: Site, kind: str) -> str:
    """The path of one page of each kind, with what stands behind its `#`."""
    folder = site.folder
    if kind == "game":
        return f"game.html#{next(iter(sorted((folder / 'replays').glob('*.js')))).stem}"
    found = {
        "board": [folder / "index.html"],
        "boards": [one for one in folder.glob("boards/*.html") if not one.stem.endswith("-charts")],
        "charts": [
            one for one in folder.glob("boards/*-charts.html") if 'data-chart="matrix"' in one.read_text()
        ],
        "bot": folder.glob("bots/*.html"),
        "pairing": folder.glob("pairings/*.html"),
        "games": [folder / "games.html"],
        "report": [folder / "report.html"],
    }[kind]
    return str(min(found).relative_to(folder))


def opened(page: Page, site: Site, path: str) -> None:
    """Goes there, and waits until all that scripts draw is drawn."""
    page.goto("about:blank")  # the same file with another `#` would not be loaded anew
    page.goto(f"file://{site.folder}/{path}")
    for figure in page.locator("figure.chart").all():
        expect(figure.locator("svg.drawing")).to_be_visible()
    if path.startswith("game.html"):
        expect(page.locator("arena-replay").get_by_role("slider")).to_be_visible()


def rows(page: Page, table: str = "#board") -> list[list[str]]:
    """By row that is shown, the value of each cell."""
    found: list[list[str]] = page.locator(table).evaluate(ROWS)
    return found


def test_every_page_loads_without_an_error_and_leads_nowhere_else(page: Page, site: Site) -> None:
    pages = sorted(site.folder.rglob("*.html"))
    assert {"index.html", "games.html", "game.html", "report.html"} <= {one.name for one in pages}
    for one in pages:
        path = str(one.relative_to(site.folder))
        opened(page, site, a_page(site, "game") if path == "game.html" else path)
        assert page.locator("h1").count() == 1
        hrefs = page.locator("a[href]").evaluate_all("links => links.map(link => link.href)")
        assert [href for href in hrefs if not lies_there(href)] == []


def lies_there(href: str) -> bool:
    """Whether a link leads to a file that is there, and to a part of it that it has."""
    path, _, part = href.removeprefix("file://").partition("#")
    inside = Path(path)
    if not href.startswith("file://") or not inside.is_file():
        return False
    return inside.name == "game.html" or "=" in part or not part or f'id="{part}"' in inside.read_text()


@pytest.mark.parametrize("kind", ["board", "bot", "games"])
def test_every_column_sorts_both_ways_as_python_does(page: Page, site: Site, kind: str) -> None:
    opened(page, site, a_page(site, kind))
    table = page.locator("table.sortable").first
    heads = table.locator("thead th").all()
    sortable = [(n, head) for n, head in enumerate(heads) if head.locator("button").count()]
    assert len(sortable) > 3
    for column, head in sortable:
        for _ in ("one way", "the other"):
            head.locator("button").click()
            falling = head.get_attribute("aria-sort") == "descending"
            shown = [row[column] for row in table.evaluate(ROWS)]
            key = number if head.get_attribute("data-sort") == "number" else natural
            there = [value for value in map(key, shown) if value is not None]
            assert there == sorted(there, reverse=falling), (head.inner_text(), falling)
            assert [key(value) is None for value in shown] == sorted(key(value) is None for value in shown)


def number(text: str) -> Any:
    """What a cell is sorted by; None where it is none, which comes last."""
    found = re.match(r"-?\d+(\.\d+)?(e-?\d+)?", text.replace(",", ""))
    return float(found[0]) if found else None


def natural(text: str) -> Any:
    """Numbers in a text by their value, letters whatever their case."""
    parts = re.split(r"(\d+)", text.casefold())
    return [(0, int(part)) if part.isdigit() else (1, part) for part in parts if part]


def test_search_finds_bots_and_says_how_many(page: Page, site: Site) -> None:
    opened(page, site, "index.html")
    all_of_them = rows(page)
    page.get_by_role("searchbox").fill("RANDOM")
    assert rows(page) == [row for row in all_of_them if "random" in row[1]]
    expect(page.locator("[data-count=board]")).to_have_text(f"1 of {len(all_of_them)} rows")
    page.get_by_role("searchbox").fill("nobody at all")
    assert rows(page) == []


def test_filters_leave_what_was_asked_for(page: Page, site: Site) -> None:
    opened(page, site, "index.html")
    before = rows(page)
    heads = page.locator("#board thead th").evaluate_all("heads => heads.map(head => head.dataset.key)")
    games, faults = heads.index("games"), heads.index("faults")
    page.get_by_label("only with faults").check()
    assert rows(page) == [row for row in before if float(row[faults])]
    assert 0 < len(rows(page)) < len(before)
    page.get_by_label("only with faults").uncheck()
    least = int(max(float(row[games]) for row in before))
    page.get_by_label("at least so many games").fill(str(least))
    assert rows(page) == [row for row in before if float(row[games]) >= least]
    page.get_by_label("at least so many games").fill(str(least + 1))
    assert rows(page) == []
    page.get_by_label("at least so many games").fill("")
    page.get_by_label("hide provisional").check()
    assert rows(page) == []  # nobody has a hundred games here


def test_games_are_filtered_by_variant_end_and_bot(page: Page, site: Site) -> None:
    opened(page, site, "games.html")
    before = len(rows(page, "#games"))
    expect(page.locator("#games th[aria-sort]")).to_have_count(0)
    for choice in ("variant", "verdict", "bot"):
        select = page.locator(f"select[data-name={choice}]")
        chosen = select.locator("option").nth(1)
        value, said = str(chosen.get_attribute("value")), chosen.inner_text()
        select.select_option(value)
        after = rows(page, "#games")
        assert 0 < len(after) < before
        assert all(any((said if choice == "bot" else value) in cell for cell in row) for row in after)
        select.select_option("")
    assert len(rows(page, "#games")) == before


def test_an_address_gives_the_same_view_again(page: Page, site: Site) -> None:
    opened(page, site, "index.html")
    page.locator("#board th[data-key=mu] button").click()
    page.locator("#board th[data-key=mu] button").click()
    page.get_by_role("searchbox").fill("o")
    seen, address = rows(page), page.url
    assert "sort=mu-asc" in address
    assert "find=o" in address
    opened(page, site, f"index.html#{address.partition('#')[2]}")
    assert rows(page) == seen
    expect(page.get_by_role("searchbox")).to_have_value("o")
    expect(page.locator("#board th[data-key=mu]")).to_have_attribute("aria-sort", "ascending")


def test_keys_alone_skip_sort_and_find(page: Page, site: Site) -> None:
    opened(page, site, "index.html")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.locator("#board th[data-key=bot] button").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#board th[data-key=bot]")).to_have_attribute("aria-sort", "ascending")
    page.keyboard.press("Space")
    expect(page.locator("#board th[data-key=bot]")).to_have_attribute("aria-sort", "descending")


def test_without_scripts_a_page_still_reads(browser: Browser, site: Site) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"file://{site.folder}/index.html")
    expect(page.locator("#board tbody tr").first).to_be_visible()
    expect(page.get_by_role("searchbox")).to_be_hidden()
    context.close()


def paper(page: Page) -> str:
    """The colour behind everything."""
    return str(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))


def test_the_theme_is_switched_and_kept(page: Page, site: Site) -> None:
    page.emulate_media(color_scheme="light")
    opened(page, site, "index.html")
    light = paper(page)
    page.get_by_role("button", name="light and dark").click()
    dark = paper(page)
    assert dark != light
    opened(page, site, "games.html")
    assert paper(page) == dark


@pytest.mark.parametrize("kind", KINDS)
def test_a_phone_scrolls_no_page_sideways(page: Page, site: Site, kind: str) -> None:
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    opened(page, site, a_page(site, kind))
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_moves_once_it_is_there(page: Page, site: Site, kind: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    opened(page, site, a_page(site, kind))
    assert page.evaluate(SHIFTS) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_nothing_serious(browser: Browser, site: Site, kind: str, theme: Any) -> None:
    context = browser.new_context(color_scheme=theme, reduced_motion="reduce", bypass_csp=True)
    page = context.new_page()
    opened(page, site, a_page(site, kind))
    found = Axe().run(page).response["violations"]
    context.close()
    assert [
        (one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in ("serious", "critical")
    ] == []


def test_charts_are_drawn_anew_for_another_width_and_a_bot_stands_out(page: Page, site: Site) -> None:
    opened(page, site, a_page(site, "charts"))
    drawing = page.locator("figure[data-chart=history] svg.drawing")
    wide = drawing.bounding_box()
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    expect(drawing).to_have_attribute("width", re.compile(r"^(2|3)\d\d$"))
    narrow = drawing.bounding_box()
    assert wide
    assert narrow
    assert (narrow["height"], narrow["width"] < 390 < wide["width"]) == (wide["height"], True)
    assert page.locator("figure[data-chart=history] path[stroke='var(--accent)']").count() == 0
    page.get_by_label("focus on").select_option(index=1)
    assert page.locator("figure[data-chart=history] path[stroke='var(--accent)']").count() > 0


def test_what_a_chart_draws_stands_in_its_table(page: Page, site: Site) -> None:
    path = a_page(site, "charts")
    opened(page, site, path)
    matrix = page.locator("figure[data-chart=matrix]")
    drawn = set(matrix.locator("svg.drawing text").all_text_contents())
    source = (site.folder / path).parent / str(matrix.get_attribute("data-src"))
    data = json.loads(re.sub(r"^kingmaker\(\"charts\", ?\"[^\"]*\", ?|\);?\s*$", "", source.read_text()))
    shares = {f"{100 * share:.0f}" for line in data["matrix"]["share"] for share in line if share is not None}
    assert shares
    assert shares <= {text.strip("+−") for text in drawn}


NAMES = (
    "<script>alert(1)</script>", "<img src=x onerror=alert(2)>", "</title><b>bold</b>", "\"><svg onload=alert(3)>",
    "{{ 7 * 7 }}", "javascript:alert(4)", "red \x1b[31m", "\u202eturned", "two\nlines", "x" * 300, "Z\u0336\u0337\u0338\u0335a",
)  # fmt: skip


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Pages of bots that no tournament would take in, made of results alone."""
    results = duels(dict.fromkeys(zip(NAMES, NAMES[1:] + NAMES[:1], strict=True), 2))
    known = standings(results, notes=["<i>note</i>"])
    (entry,) = entries([known.boards[0].kind.game], [board.label for board in known.boards])
    bots = tuple(sorted({seat.bot for result in results for seat in result.seats}))
    seen = [
        FaultSeen(
            results[0].id, results[0].deal, results[0].variant, "", bot, FaultKind.CRASH, "", 1, bot.name
        )
        for bot in bots
    ]
    contest = Contest(
        name=NAMES[0], version="kingmaker", state=NAMES[1], over=True, facts=(Fact(NAMES[1], NAMES[2]),),
        marks=(Fact("head", NAMES[3]),), rankings=(Ranking(entry, known, history(results)),), entered=bots,
        games=tuple(Kept(result, "2026-11-30T17:04:05+00:00") for result in results),
        timing={bot: Timing(9, 1, 2, 3, 4) for bot in bots}, timing_by_variant={}, faults=tuple(seen),
        about={bot: About((Fact("authors", bot.name),), bot.name) for bot in bots}, versions={},
        replays=frozenset(), held=NAMES[1], report=Report(NAMES, (), ()), terms={},
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("hostile")
    for path, content in files(contest, meetings_of(contest)):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return Site(folder, NAMES[0], folder)


def test_hostile_names_are_shown_and_do_nothing(page: Page, hostile: Site) -> None:
    page.on("dialog", lambda dialog: pytest.fail(f"a name opened a dialog: {dialog.message}"))
    for one in sorted(hostile.folder.rglob("*.html")):
        path = str(one.relative_to(hostile.folder))
        opened(page, hostile, path if one.name != "game.html" else "index.html")
        assert page.locator("main b, main i:not(.ramp i), img, main script, [onload], [onerror]").count() == 0
        text = page.locator("body").inner_text()
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    opened(page, hostile, "index.html")
    names = page.locator("#board tbody bdi").evaluate_all("names => names.map(name => name.title)")
    assert "<img src=x onerror=alert(2)>" in names


def test_a_chart_says_hostile_names_in_its_tips_and_choices_as_text(page: Page, hostile: Site) -> None:
    opened(page, hostile, a_page(hostile, "charts"))
    shown = page.locator("select.focus option").all_text_contents()
    assert any("<script>alert(1)</script>" in text for text in shown)
    assert not any("\u202e" in text or "\x1b" in text for text in shown)
    drawing = page.locator("figure[data-chart=intervals] svg.drawing")
    drawing.hover(position={"x": 400, "y": 60})
    expect(drawing.locator("[aria-label=tip]")).to_contain_text("mu ")


LONG = ("a_minimax_bot_with_alpha_beta_pruning_1", "a_minimax_bot_with_alpha_beta_pruning_2")


@pytest.mark.parametrize("width", [1280, 390])
def test_long_names_stay_apart_and_are_found_by_what_is_cut(page: Page, tmp_path: Path, width: int) -> None:
    for path, content in built(contest(duels({LONG: 3}))).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    page.set_viewport_size({"width": width, "height": 800})
    opened(page, Site(tmp_path, "cup", tmp_path), "index.html")
    names = page.locator("#board tbody .name")
    assert names.evaluate_all("names => names.map(name => name.innerText.slice(-1))") == ["1", "2"]
    assert (
        names.evaluate_all("names => names.filter(name => name.scrollWidth > name.clientWidth).length") == 0
    )
    page.get_by_role("searchbox").fill("a_minimax_bot")
    assert len(rows(page)) == 2


def test_a_table_that_is_cut_fades_until_its_end_is_seen(page: Page, site: Site) -> None:
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    opened(page, site, "index.html")
    box = page.get_by_role("region", name="Leaderboard")
    expect(box).to_have_class(re.compile(r"\bmore\b"))
    box.evaluate("box => box.scrollTo(box.scrollWidth, 0)")
    expect(box).not_to_have_class(re.compile(r"\bmore\b"))


@pytest.mark.parametrize("kind", ["bot", "pairing", "report"])
def test_tables_have_the_room_that_they_take(page: Page, site: Site, kind: str) -> None:
    opened(page, site, a_page(site, kind))
    assert page.locator(".scroll.more").count() == 0


def test_without_scripts_charts_say_so(browser: Browser, site: Site) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"file://{site.folder}/{a_page(site, 'charts')}")
    expect(page.locator("noscript p")).to_be_visible()
    expect(page.locator(".plot").first).to_be_hidden()
    context.close()
