"""The replay viewer in a browser: steps, keys, addresses, what a seat knew, faults, texts that mean harm."""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Locator, Page, expect

from arena.home import Home
from arena.ledger import Ledger
from protocol.record import GameRecord
from protocol.vocabulary import Seat
from referee.games import GAMES
from referee.replay import read, replay
from referee.telling import document
from tests.browser.conftest import WEB, Site

pytestmark = pytest.mark.web

PAGE = """<!doctype html>
<html lang="en" data-lang="en" data-shard="0" data-root="">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'">
<title>A game</title>
<link rel="stylesheet" href="assets/site.css"><script defer src="assets/replay.js"></script></head>
<body><main><h1>A game</h1>ELEMENT</main></body></html>
"""
CARD = re.compile(r"\b[GKUWXNATDS][0-9]\b")
HOSTILE = "<script>document.title='taken'</script>\"'\u202egnp.\x1b[31m\n" + "x" * 10_000

Open = Callable[..., Page]
"""Opens the pages of these games (replay files, or entries of those that have none), at a fragment."""


@pytest.fixture(scope="session")
def records(played: Path) -> list[GameRecord]:
    with closing(Ledger(Home(played).folder() / "ledger.sqlite")) as ledger:
        return [read(ledger.record(id)) for id in sorted(ledger.ids("cup"))]


@pytest.fixture
def show(page: Page, tmp_path: Path) -> Open:
    def opened(*games: dict[str, Any], at: str = "", element: str = "<arena-replay></arena-replay>") -> Page:
        write_pages(tmp_path, games, element)
        page.goto(f"{(tmp_path / 'game.html').as_uri()}#{at or games[0]['id']}")
        return page

    return opened


def write_pages(folder: Path, games: Iterable[dict[str, Any]], element: str) -> None:
    for name in ("assets", "data/games", "replays"):
        folder.joinpath(name).mkdir(parents=True, exist_ok=True)
    for name in ("replay.js", "site.css"):
        shutil.copy(WEB / "dist" / name, folder / "assets" / name)
    terms = {name: dict(game.terms("en")) for name, game in GAMES.items()}
    write_call(folder / "data/terms.js", "terms", "en", terms)
    write_call(folder / "data/games/all.js", "games", "all", {game["id"]: entry(game) for game in games})
    for game in games:
        if "events" in game:
            write_call(folder / f"replays/{game['id']}.js", "replay", game["id"], game)
    (folder / "game.html").write_text(PAGE.replace("ELEMENT", element))


def write_call(path: Path, kind: str, key: str, value: Any) -> None:
    path.write_text(f"kingmaker({json.dumps(kind)}, {json.dumps(key)}, {json.dumps(value)})\n")


def entry(game: dict[str, Any]) -> dict[str, Any]:
    """What the site says of a game."""
    if "events" not in game:
        return {key: value for key, value in game.items() if key != "id"} | {"replay": False}
    ranks, scores = game["events"][-1][3]["ranks"], game["events"][-1][3]["scores"]
    seats = [
        {"bot": "slug", "name": one["bot"], "score": scores[at], "rank": ranks[at], "team": one["team"], "fault": None}
        for at, one in enumerate(game["seats"])
    ]  # fmt: skip
    rest = {"variant": game["variant"], "deal": game["deal"], "finished": "2026-11-30T17:00:00Z"}
    return rest | {"seats": seats, "verdict": "finished", "replay": True}


def one(records: Iterable[GameRecord], variant: str, faulty: bool = False) -> GameRecord:
    """A game of a variant, with or without a fault in the middle of it."""
    return next(
        record
        for record in records
        if record.play.variant == variant
        and bool(record.play.faults) == faulty
        and all(fault.at > 2 for fault in record.play.faults)
    )


def at_step(page: Page, step: int) -> None:
    expect(page.locator(".said .at")).to_have_text(re.compile(rf"^{step} / "))


def shadow(page: Page) -> str:
    """All that the element has drawn, whether it can be seen or not."""
    html = page.evaluate("document.querySelector('arena-replay').shadowRoot.innerHTML")
    values = page.evaluate(
        "[...document.querySelector('arena-replay').shadowRoot.querySelectorAll('input')].map((i) => i.value)"
    )
    return f"{html} {values}"


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


CLAIM = "claim/2p/GK-UWX"


def test_games_of_a_real_site_can_be_seen(records: list[GameRecord], site: Site, page: Page) -> None:
    shown = [record for record in records if record.play.actions][::3]
    assert len({record.play.variant for record in shown}) == 3
    for record in shown:
        page.goto(f"{(site.folder / 'game.html').as_uri()}#game={record.play.id}&step={10**5}")
        at_step(page, len(record.play.actions))
        expect(page.locator(".result")).to_contain_text(record.play.verdict.value)
        expect(page.locator(".stage .empty")).to_have_count(0)


def test_steps_by_buttons_keys_and_slider(records: list[GameRecord], show: Open) -> None:
    record = one(records, CLAIM)
    page = show(document(record))
    last = len(record.play.actions)
    at_step(page, 0)
    button(page, "A step on").click()
    at_step(page, 1)
    page.keyboard.press("ArrowRight")
    at_step(page, 2)
    page.keyboard.press("ArrowLeft")
    at_step(page, 1)
    page.keyboard.press("End")
    at_step(page, last)
    expect(button(page, "A step on")).to_be_disabled()
    expect(page.locator(".result")).to_contain_text(record.play.seats[record.play.ranks.index(0)].bot)
    page.keyboard.press("Home")
    at_step(page, 0)
    page.get_by_role("slider", name="Step").fill("17")
    at_step(page, 17)
    page.get_by_role("slider", name="Step").press("ArrowRight")
    at_step(page, 18)


def test_the_next_chapter_is_the_end_of_a_trick(records: list[GameRecord], show: Open) -> None:
    page = show(document(one(records, CLAIM)))
    at_step(page, 0)
    page.keyboard.press("Shift+ArrowRight")
    at_step(page, 2)
    button(page, "The next chapter").click()
    at_step(page, 4)
    page.keyboard.press("Shift+ArrowLeft")
    at_step(page, 2)


def test_plays_by_itself_until_it_is_stopped(records: list[GameRecord], show: Open) -> None:
    page = show(document(one(records, CLAIM)))
    at_step(page, 0)
    page.get_by_label("Speed").select_option("8")
    page.locator("h1").click()
    page.keyboard.press("Space")
    expect(button(page, "Pause")).to_be_visible()
    expect(page.locator(".said .at")).to_have_text(re.compile(r"^([3-9]|\d\d) / "))
    page.keyboard.press("Space")
    expect(button(page, "Play")).to_be_visible()
    stopped = page.locator(".said .at").inner_text()
    page.wait_for_timeout(300)
    assert page.locator(".said .at").inner_text() == stopped != "52 / 52"


def test_a_move_in_words_leads_to_it(records: list[GameRecord], show: Open) -> None:
    record = one(records, CLAIM)
    page = show(document(record))
    seat, card = record.play.actions[6]
    move = page.locator(".moves button").nth(7)
    expect(move).to_contain_text(f"seat {seat} plays {card}")
    move.click()
    at_step(page, 7)
    expect(move).to_have_attribute("aria-current", "step")
    expect(page.locator("[role=status][aria-live]")).to_contain_text(
        f"Step 7 of 52: seat {seat} plays {card}"
    )


def test_the_address_leads_to_a_position(records: list[GameRecord], show: Open) -> None:
    record = one(records, CLAIM)
    page = show(document(record), at=f"game={record.play.id}&step=12&seat=1")
    at_step(page, 12)
    expect(page.get_by_role("radio", name="seat 1")).to_be_checked()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("0")
    page.wait_for_url(f"**#game={record.play.id}&step=13")
    page.evaluate(f"location.hash = 'game={record.play.id}&step=3&seat=0'")
    at_step(page, 3)
    expect(page.get_by_role("radio", name="seat 0")).to_be_checked()
    button(page, "Copy a link to this position").click()
    expect(page.get_by_text("Link copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").endswith(f"#game={record.play.id}&step=3&seat=0")


def test_another_game_in_the_address_is_loaded(records: list[GameRecord], show: Open) -> None:
    claim, other = one(records, CLAIM), one(records, "aristoocrazy/2p/classic")
    page = show(document(claim), document(other))
    at_step(page, 0)
    page.evaluate(f"location.hash = '{other.play.id}'")
    expect(page.locator("header code").first).to_have_text(other.play.variant)
    page.keyboard.press("End")
    at_step(page, len(other.play.actions))


def test_an_address_is_not_overwritten_by_where_one_was(records: list[GameRecord], show: Open) -> None:
    claim, other = one(records, CLAIM), one(records, "aristoocrazy/2p/classic")
    page = show(document(claim), document(other))
    at_step(page, 0)
    page.evaluate(
        """to => {
            dispatchEvent(new KeyboardEvent("keydown", { key: "End" }));  // its address is to follow
            for (const due = performance.now() + 400; performance.now() < due; );
            location.hash = to;
        }""",
        f"game={other.play.id}&step=99999",
    )
    at_step(page, len(other.play.actions))
    page.wait_for_url(f"**#game={other.play.id}&step={len(other.play.actions)}")


def test_a_fragment_that_is_no_game_changes_nothing(records: list[GameRecord], show: Open) -> None:
    record = one(records, CLAIM)
    page = show(document(record), at=f"game={record.play.id[:8]}&step=5")
    at_step(page, 5)
    page.evaluate("location.hash = 'main'")  # a skip link
    page.wait_for_timeout(100)
    at_step(page, 5)
    page.evaluate(f"location.hash = 'game={record.play.id[:8]}&step=99999&seat=7'")
    at_step(page, len(record.play.actions))
    expect(page.get_by_role("radio", name="Everything")).to_be_checked()


def positions(record: GameRecord, count: int) -> Iterator[tuple[int, int, set[str], set[str]]]:
    """Random steps with a seat, the cards that stand in its view there and those that are in the game."""
    rng = random.Random(record.play.id)
    wanted = set(rng.sample(range(len(record.play.actions) + 1), count))
    for step in replay(record.play):
        if step.number in wanted:
            seat = rng.randrange(len(record.play.seats))
            view = step.state.view(seat)  # type: ignore[arg-type]
            yield step.number, seat, set(CARD.findall(json.dumps(view))), set(GAMES["claim"].setup_info(
                GAMES["claim"].variant(record.play.variant))["deck"])  # fmt: skip


@pytest.mark.parametrize("variant", [CLAIM, "claim/3p/NA-UWTDS"])
def test_what_a_seat_did_not_know_is_nowhere_in_its_picture(
    variant: str, records: list[GameRecord], show: Open
) -> None:
    record = one(records, variant)
    page = show(document(record))
    names = {letter: GAMES["claim"].terms("en")[f"faction.{letter}"] for letter in "GKUWXNATDS"}
    hidden = 0
    for step, seat, known, deck in positions(record, 14):
        page.evaluate(f"location.hash = 'game={record.play.id}&step={step}&seat={seat}'")
        at_step(page, step)
        expect(page.get_by_role("radio", name=f"seat {seat}")).to_be_checked()
        drawn = shadow(page)
        secret = deck - known
        assert not secret & set(CARD.findall(drawn)), f"step {step}, seat {seat}"
        assert not [card for card in secret if f"{names[card[0]]} {card[1]}" in drawn]
        hidden += len(secret)
    assert hidden > 50, "there was something to hide"
    page.keyboard.press("Home")
    page.keyboard.press("0")
    expect(page.locator(".back")).to_have_count(1)  # the deck; each hand lies open
    dealt = {
        card for _, _, kind, body in document(record)["events"] if kind == "deal" for card in body["hand"]
    }
    assert dealt <= set(CARD.findall(shadow(page)))


def test_a_fault_comes_with_its_evidence(records: list[GameRecord], show: Open) -> None:
    record = one(records, CLAIM, faulty=True)
    fault = record.play.faults[0]
    page = show(document(record), at=f"game={record.play.id}&step={fault.at}")
    alert = page.get_by_role("group", name="Fault")
    expect(alert).to_contain_text("stumbler")
    expect(alert).to_contain_text("crash")
    expect(alert).to_contain_text("a stone <i>in</i> my shoe")
    page.keyboard.press(str(2 - fault.seat))
    expect(alert).to_have_count(0)  # what it printed is no other seat's business


def test_notes_stand_with_the_move_and_in_the_log(records: list[GameRecord], show: Open) -> None:
    record = next(
        record for record in records if record.account.notes and record.play.variant.startswith("aristo")
    )
    number, note = next(iter(record.account.notes.items()))
    page = show(document(record), at=f"game={record.play.id}&step={int(number) + 1}")
    expect(page.locator(".quote")).to_have_text(note)
    page.keyboard.press("End")
    page.get_by_text("Notes so far").click()
    assert page.locator(".log li").count() == len([note for note in record.account.notes.values() if note])
    assert page.title() != "taken"


def test_texts_that_mean_harm_are_texts(records: list[GameRecord], show: Open) -> None:
    game = document(one(records, CLAIM, faulty=True))
    game["seats"][0]["bot"] = HOSTILE
    for event in game["events"]:
        if event[2] in ("@action", "@fault"):
            event[3] |= (
                {"note": HOSTILE} if event[2] == "@action" else {"reason": HOSTILE, "evidence": HOSTILE}
            )
    page = show(game)
    page.keyboard.press("End")
    expect(page.get_by_role("group", name="Fault")).to_contain_text("<script>document.title='taken'</script>")
    drawn = page.evaluate("document.querySelector('arena-replay').shadowRoot.textContent")
    assert not set(drawn) & set("\u202e\x1b"), "what turns the writing is shown as its number"
    assert "\\u202e" in drawn and page.title() != "taken"
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator("script").count() == 4, "the page's own, terms, games and the replay"


@pytest.mark.parametrize(
    ("width", "scheme", "variant"), [(1280, "light", CLAIM), (390, "dark", "claim/3p/NA-UWTDS")]
)
def test_nothing_keeps_anybody_out_and_all_of_it_fits(
    width: int, scheme: Any, variant: str, records: list[GameRecord], show: Open, page: Page
) -> None:
    record = one(records, variant)
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    show(document(record), at=f"game={record.play.id}&step=30")
    at_step(page, 30)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    violations = Axe().run(page, options={"preload": False}).response["violations"]
    assert [one for one in violations if one["impact"] in ("serious", "critical")] == []


def test_a_game_without_moves_says_how_to_get_them(show: Open, page: Page) -> None:
    seats = [
        {"bot": "a-1", "name": name, "score": score, "rank": rank, "team": rank, "fault": fault}
        for name, score, rank, fault in [("ann", 5, 0, None), ("bob", 0, 1, "resource_memory")]
    ]
    game = {
        "id": "ab" * 16,
        "variant": CLAIM,
        "seats": seats,
        "verdict": "forfeit",
        "deal": "d",
        "finished": "",
    }
    show(game, at="ABAB")
    expect(page.locator(".result")).to_contain_text("won by ann")
    assert page.title() == "ann – bob · game abababababab"
    expect(page.get_by_text("resource memory")).to_be_visible()
    expect(page.get_by_text("arena replay abababababab")).to_be_visible()
    page.evaluate("location.hash = 'cdcd'")
    expect(page.get_by_role("alert")).to_contain_text("there is no game cdcd in this site")


def test_a_game_whose_deal_is_open_says_so_and_gives_no_command(show: Open, page: Page) -> None:
    seats = [
        {"bot": "a-1", "name": name, "score": 4 - at % 2, "rank": at % 2, "team": at % 2, "fault": None}
        for at, name in enumerate(["ann", "bob", "ann", "eve"])
    ]
    game = {"id": "ab" * 16, "variant": "claim/4p/GK-UWXDS", "seats": seats, "verdict": "finished"}
    show(game | {"deal": "d", "finished": "", "held": True})
    expect(page.locator(".result strong")).to_have_text("won by ann (seats 0 and 2)")
    expect(page.get_by_text("Its deal is still being played")).to_be_visible()
    expect(page.get_by_text("arena")).to_have_count(0)


def test_sides_that_share_are_each_named_once(records: list[GameRecord], show: Open) -> None:
    game = document(one(records, CLAIM))
    game["events"][-1][3] |= {"ranks": [0, 0], "scores": [2, 2]}
    page = show(game, at=f"game={game['id']}&step=52")
    first, second = (seat["bot"] for seat in game["seats"])
    expect(page.locator(".result strong")).to_have_text(f"shared by {first}, {second}")


def test_a_bot_that_was_not_started_has_no_turn_and_no_choice(records: list[GameRecord], show: Open) -> None:
    game = document(one(records, CLAIM))
    why = {
        "seat": 1,
        "kind": "illegal_move",
        "reason": "suspended",
        "turn": 0,
        "evidence": "3 times in a row",
    }
    game["events"] = [event for event in game["events"] if event[0] == 0] + [
        [0, [1], "@fault", why],
        [0, None, "@end", {"verdict": "forfeit", "void": None, "ranks": [0, 1], "scores": [0, 0]}],
    ]
    page = show(game)
    told = page.get_by_role("group", name="Suspended")
    expect(told).to_contain_text("not started")
    expect(told).to_contain_text("3 times in a row")
    expect(page.get_by_text("illegal move")).to_have_count(0)
    expect(page.get_by_text("may do")).to_have_count(0)
    expect(page.get_by_text("to act")).to_have_count(0)
    expect(button(page, "Play")).to_be_disabled()


def test_what_a_bot_printed_is_seen_by_its_seat_and_by_who_sees_everything(
    records: list[GameRecord], show: Open
) -> None:
    page = show(document(one(records, CLAIM), {Seat(1): f"of seat 1\n{HOSTILE}"}))
    said = page.locator("summary", has_text="printed in this game")
    for key, seen in (("0", 1), ("1", 0), ("2", 1)):
        page.keyboard.press(key)
        expect(said).to_have_count(seen)
        assert ("of seat 1" in shadow(page)) == bool(seen)
    said.click()
    text = page.locator("pre.log").inner_text()
    assert text.startswith("of seat 1\n<script>") and "\\u202e" in text and page.title() != "taken"


def test_an_address_of_no_position_is_set_right(records: list[GameRecord], show: Open) -> None:
    record = one(records, CLAIM)
    page = show(document(record), at=f"game={record.play.id.upper()}&step=999&seat=7")
    page.wait_for_url(f"**#game={record.play.id}&step=52")


@pytest.mark.parametrize("variant", ["claim/3p/NA-UWTDS", "aristoocrazy/2p/classic"])
def test_on_a_laptop_what_the_seat_has_or_the_whole_board_is_in_sight(
    variant: str, records: list[GameRecord], show: Open, page: Page
) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    record = one(records, variant)
    show(document(record), at=f"game={record.play.id}&step=30&seat=1")
    at_step(page, 30)
    part = page.locator(".place.of1 .fan" if variant.startswith("claim") else ".map").first.bounding_box()
    bar = page.locator(".bar").bounding_box()
    assert part and bar and part["y"] + part["height"] < bar["y"]


def test_no_word_of_a_picture_is_left_in_english(
    records: list[GameRecord], show: Open, tmp_path: Path
) -> None:
    for variant in ("claim/3p/NA-UWTDS", "aristoocrazy/2p/classic"):
        record = one(records, variant)
        page = show(document(record))
        terms = {name: dict(game.terms("cs")) for name, game in GAMES.items()}
        write_call(tmp_path / "data/terms.js", "terms", "cs", terms)
        path = tmp_path / "game.html"
        path.write_text(path.read_text().replace('data-lang="en"', 'data-lang="cs"'))
        page.goto(f"{path.as_uri()}?cs#game={record.play.id}&step=20")
        at_step(page, 20)
        expect(page.locator(".eyes")).to_contain_text("hráč 0")
        said = page.locator("arena-replay").inner_text()
        assert not re.search(r"\bseat \d|\bled\b|\btop first\b|\b2nd\b|\bdecides\b|\bacts\b", said)


def test_a_game_under_way_grows(records: list[GameRecord], show: Open) -> None:
    game = document(one(records, CLAIM))
    page = show(game, element="<arena-replay live></arena-replay>")
    public = [event for event in game["events"] if event[1] is None]
    first, then = ([event for event in public if low <= event[0] < high] for low, high in ((0, 5), (5, 9)))
    page.evaluate(
        "(game) => document.querySelector('arena-replay').replay = game", game | {"events": first, "steps": 4}
    )
    at_step(page, 4)
    page.evaluate("(events) => document.querySelector('arena-replay').append(events)", then)
    at_step(page, 8)
    page.keyboard.press("ArrowLeft")
    page.evaluate(
        "(events) => document.querySelector('arena-replay').append(events)",
        [[9, None, "@turn", {"seat": 0, "house": False}]],
    )
    expect(page.locator(".said .at")).to_have_text("7 / 9")
    page.wait_for_timeout(400)  # longer than an address waits to be written
    assert page.evaluate("location.hash") == f"#{game['id']}", "its address is left alone"


def test_keys_are_listed(records: list[GameRecord], show: Open) -> None:
    page = show(document(one(records, CLAIM)))
    at_step(page, 0)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
