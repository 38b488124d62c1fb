"""A site: whole, closed in itself, and the same for the same games; names in it do nothing."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from posixpath import dirname, normpath
from typing import Any
from unicodedata import category

import pytest

from leaderboards.history import history
from leaderboards.measured import FaultSeen
from leaderboards.selection import kind_of
from leaderboards.site import addresses
from leaderboards.site.build import MOST_PAIRS, files, meetings_of, report
from leaderboards.site.contest import Contest, Kept
from leaderboards.site.meetings import spread
from leaderboards.standings import standings
from protocol.escape import label
from protocol.result import GameResult
from protocol.vocabulary import BotId, FaultKind, Verdict
from tests.leaderboards.leaderboard_results import DUEL, TRIO, bot, duels, game, tournament
from tests.leaderboards.site_made import Seen, built, contest, pages, seen

HOSTILE = (
    "<script>alert(1)</script>", "\"'><img src=x onerror=y>", "\u202eturned\u200b", "a\nb\r\tc", "x" * 10_000,
    "../../etc/passwd", "nul\0nul", "=1+1", "{{ 7*7 }}{% x %}", "half \ud800 pair", "--", "</style><!--",
)  # fmt: skip
LISTED = re.compile(r"[A-Za-z0-9._/-]+")


def ring(names: tuple[str, ...], deals: int = 3) -> list[GameResult]:
    """Mirrored duels of each with the next."""
    found: list[GameResult] = []
    for deal in range(deals):
        for n, name in enumerate(names):
            pair = (name, names[(n + 1) % len(names)])
            for seats in (pair, pair[::-1]):
                ranks = (0, 1) if (deal + n + len(found)) % 3 else (1, 0)
                block = f"block {deal} {n}"
                found.append(game(len(found), seats, ranks, block=block, block_size=2, deal=f"cup#{deal}"))
    return found


@pytest.fixture(scope="module")
def hostile() -> Contest:
    return contest(ring(HOSTILE))


@pytest.fixture(scope="module")
def site(hostile: Contest) -> dict[str, bytes]:
    return built(hostile)


@pytest.fixture(scope="module")
def read(site: dict[str, bytes]) -> dict[str, Seen]:
    """Its pages, taken apart."""
    return pages(site)


def test_every_link_leads_to_a_file_of_the_site_or_a_place_in_a_page(
    hostile: Contest, site: dict[str, bytes], read: dict[str, Seen]
) -> None:
    ids = {path: set(page.all("id")) for path, page in read.items()}
    games = {played.result.id for played in hostile.games}
    links = [
        (path, link)
        for path, page in read.items()
        for name in ("href", "src", "data-src")
        for link in page.all(name)
    ]
    assert len(links) > 500
    for path, link in links:
        address, _, place = link.partition("#")
        target = normpath(f"{dirname(path)}/{address}" if dirname(path) else address) if address else path
        assert target in site, f"{path}: {link}"
        known = ids.get(target, set()) | (games if target == addresses.GAME else set())
        assert not place or place in known, f"{path}: {link}"


def test_every_page_says_what_it_may_load_and_has_nothing_inline(read: dict[str, Seen]) -> None:
    for path, page in read.items():
        policy = next(
            a["content"] for tag, a in page.tags if a.get("http-equiv") == "Content-Security-Policy"
        )
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'"), path
        assert "unsafe" not in policy and "http" not in policy
        assert not page.inline, path
        assert not [name for _, a in page.tags for name in a if name == "style" or name.startswith("on")], (
            path
        )
        assert not [
            v for _, a in page.tags for v in a.values() if re.match(r"(?i)(https?:)?//|javascript:", v)
        ], path


def test_hostile_names_make_no_element_and_no_path(site: dict[str, bytes], read: dict[str, Seen]) -> None:
    tame = built(contest(ring(("a", "b", "c" * 50))))
    usual = {tag for page in pages(tame).values() for tag, _ in page.tags}
    for path, page in read.items():
        assert {tag for tag, _ in page.tags} <= usual, path
    for path in site:
        assert LISTED.fullmatch(path) and ".." not in path.split("/") and len(path) < 130
        assert path == normpath(path)


def test_hostile_names_are_shown_and_nothing_unseen_is_in_any_file(site: dict[str, bytes]) -> None:
    shown = seen(site["index.html"]).text
    for name in HOSTILE:
        assert label(name) in shown
    for path, data in site.items():
        if path.startswith("assets/"):
            continue
        odd = {c for c in set(data.decode()) if category(c) in ("Cc", "Cf", "Cs") and c != "\n"}
        assert not odd, f"{path}: {odd}"


def test_no_cell_is_a_formula(site: dict[str, bytes]) -> None:
    tables = [path for path in site if path.endswith(".csv")]
    assert len(tables) >= 10
    for path in tables:
        for row in csv.reader(io.StringIO(site[path].decode())):
            assert not [c for c in row if re.match(r"[=@+-](?![0-9.]+$)", c)], path


def test_scripts_are_one_call_with_json(hostile: Contest, site: dict[str, bytes]) -> None:
    scripts = [path for path in site if path.startswith("data/") and path.endswith(".js")]
    assert {path.split("/")[1] for path in scripts} == {"charts", "games", "terms.js"}
    told = {}
    for path in scripts:
        call = site[path].decode().rstrip()
        assert call.startswith("kingmaker(") and call.endswith(");")
        kind, key, value = json.loads(f"[{call.removeprefix('kingmaker(').removesuffix(');')}]")
        told[kind, key] = value
    games = told["games", "all"]
    assert set(games) == {played.result.id for played in hostile.games}
    slugs = {seat["bot"] for one in games.values() for seat in one["seats"]}
    assert all(addresses.bot_page(slug) in site for slug in slugs)


def test_numbers_of_charts_are_those_of_the_board(hostile: Contest, site: dict[str, bytes]) -> None:
    key = hostile.rankings[0].entry.key
    call = site[addresses.chart_data(key)].decode().rstrip()
    drawn = json.loads(f"[{call.removeprefix('kingmaker(').removesuffix(');')}]")[2]
    rows = hostile.rankings[0].rows
    assert [one["slug"] for one in drawn["bots"]] == [hostile.slugs[row.bot] for row in rows]
    assert [one["mu"] for one in drawn["intervals"]] == [row.rating.mu for row in rows if row.rating]
    assert drawn["history"]["games"][-1] == len(hostile.games)
    assert [mu[-1] for mu in drawn["history"]["mu"]] == [one["mu"] for one in drawn["intervals"]]
    met = drawn["matrix"]["games"]
    assert sum(map(sum, met)) == 2 * len(hostile.games)
    assert all(
        (share is None) == (not n)
        for shares, ns in zip(drawn["matrix"]["share"], met, strict=True)
        for share, n in zip(shares, ns, strict=True)
    )


def test_the_same_games_make_the_same_bytes(hostile: Contest, site: dict[str, bytes]) -> None:
    again = built(contest([played.result for played in hostile.games]))
    assert again.keys() == site.keys()
    assert [path for path in site if not path.startswith("assets/") and again[path] != site[path]] == []


def test_a_replay_is_linked_where_there_is_one() -> None:
    results = ring(("a", "b", "c"))
    made = contest(results, [results[0].id])
    index = json.loads(
        b"[" + built(made)["data/games/all.js"].removeprefix(b"kingmaker(").rstrip(b");\n") + b"]"
    )
    assert [id for id, told in index[2].items() if told["replay"]] == [results[0].id]


def test_nothing_played_is_a_page_that_says_so() -> None:
    site = built(contest([]))
    assert "Nothing to rate yet" in pages(site)["index.html"].text
    assert "nan" not in site["index.html"].decode().split()
    assert not [path for path in site if path.startswith(("bots/", "pairings/", "replays/"))]


def test_too_many_pairs_have_no_pages_and_no_links(monkeypatch: pytest.MonkeyPatch) -> None:
    made = contest(ring(("a", "b", "c")))
    assert MOST_PAIRS >= 4950
    monkeypatch.setattr("leaderboards.site.build.MOST_PAIRS", 2)
    site = dict(files(made, meetings_of(made)))
    assert not [path for path in site if path.startswith("pairings/")]
    assert not [link for page in pages(site).values() for link in page.all("href") if "pairings" in link]


def test_results_against_an_opponent_are_those_of_the_games() -> None:
    results = duels({("a", "b"): 3, ("b", "a"): 1, ("a", "c"): 2, ("b", "c"): 2})
    site = built(contest(results))
    slugs = addresses.bot_slugs({seat.bot for result in results for seat in result.seats})
    pair = pages(site)[addresses.pairing_page(slugs[bot("b")], slugs[bot("a")])]
    assert "3-0-1" in pair.text and "75.0%" in pair.text
    other = pages(site)[addresses.bot_page(slugs[bot("b")])]
    assert "1-0-3" in other.text and "25.0%" in other.text


def test_the_report_alone_has_its_style_in_it_and_nothing_else_to_load() -> None:
    page = report(contest(ring(("a", "b", "c"))))
    found = seen(page)
    policy = next(a["content"] for _, a in found.tags if a.get("http-equiv") == "Content-Security-Policy")
    digest = re.search(r"style-src 'sha256-([^']+)'", policy)
    assert digest and "script-src" not in policy
    assert [b64encode(sha256(text.encode()).digest()).decode() for text in found.inline] == [digest[1]]
    assert not found.all("src") and not [link for link in found.all("href") if not link.startswith("#")]


def test_slugs_are_told_apart_on_every_system() -> None:
    same = "0123456789" + "a" * 54
    bots = [
        BotId("Ann", same),
        BotId("ann", same),
        BotId("a nn", same),
        BotId("a-nn", same),
        BotId("..", ""),
        BotId("/", "../x"),
    ]
    slugs = addresses.bot_slugs(bots)
    assert len({slug.lower() for slug in slugs.values()}) == len(bots)
    assert all(
        re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", slug) and "--" not in slug for slug in slugs.values()
    )
    boards = addresses.board_slugs(["x", "x-charts", "X", "x/charts"])
    assert len({name.lower() for name in (*boards, *(f"{one}-charts" for one in boards))}) == 8


def test_history_ends_with_the_table_and_goes_by_whole_blocks() -> None:
    results = tournament(deals=2)
    random.Random(1).shuffle(results)
    found = history(results, 2)
    assert found.games == tuple(sorted(found.games)) and len(found.games) == 2
    rows = {row.bot: row.rating.mu if row.rating else None for row in standings(results).rows}
    assert {bot: mu[-1] for bot, mu in found.mu.items()} == pytest.approx(rows, abs=1e-6)
    half = ring(("a", "b"), deals=2)
    assert history(half[:-1]).games == history(half[:-2]).games


def test_history_at_a_moment_is_the_table_of_the_games_until_then() -> None:
    results = ring(("a", "b", "c"), deals=4)
    found = history(results, 4)
    for n, games in enumerate(found.games):
        table = standings(results[:games])
        assert {row.bot: row.rating.mu for row in table.rows if row.rating} == pytest.approx(
            {bot: mu[n] for bot, mu in found.mu.items() if mu[n] is not None}, abs=1e-6
        )


def test_a_block_counts_from_its_last_game_on() -> None:
    first, second, third = (ring(("a", "b", "c"), deals=1)[n : n + 2] for n in (0, 2, 4))
    found = history([*first, second[0], *third, second[1]], 3)
    assert found.games == (2, 4, 6)
    table = standings([*first, *third])
    assert {row.bot: row.rating.mu for row in table.rows if row.rating} == pytest.approx(
        {bot: mu[1] for bot, mu in found.mu.items()}, abs=1e-6
    )


def test_a_part_of_the_standings_is_the_standings_of_that_part() -> None:
    results = tournament(deals=2)
    whole = standings(results)
    for variants in ((DUEL,), (DUEL, TRIO)):
        some = [result for result in results if result.variant in variants]
        part = whole.part({kind_of(result) for result in some}, some)
        alone = standings(some)
        assert part.rows == alone.rows and part.games_digest == alone.games_digest
        assert part.selection == alone.selection


def test_a_void_game_has_no_winner_and_a_fault_is_named() -> None:
    results = ring(("a", "b", "c"))
    results[0] = replace(results[0], verdict=Verdict.VOID)
    page = pages(built(contest(results)))["games.html"]
    assert "void" in page.text


def told(data: bytes) -> Any:
    """What a script hands over."""
    return json.loads(b"[" + data.removeprefix(b"kingmaker(").rstrip(b");\n") + b"]")[2]


@pytest.fixture(scope="module")
def suspended() -> Contest:
    """A bot made an illegal move in one game, and lost three unplayed for that."""
    results = duels({("a", "b"): 4, ("a", "c"): 2, ("b", "c"): 2})
    lost = [r for r in results if {seat.bot for seat in r.seats} == {bot("a"), bot("b")}]
    spoilt = {
        r.id: replace(r, verdict=Verdict.FORFEIT, seats=(r.seats[0], replace(r.seats[1], fault=FaultKind.ILLEGAL_MOVE)))
        for r in lost
    }  # fmt: skip
    assert all(r.seats[1].bot == bot("b") for r in lost)
    made = contest([spoilt.get(r.id, r) for r in results])
    faults = [
        FaultSeen(r.id, r.deal, r.variant, "2026", bot("b"), FaultKind.ILLEGAL_MOVE, "", 4, "bad", n > 0)
        for n, r in enumerate(lost)
    ]
    return replace(made, faults=tuple(faults))


def test_games_that_a_suspended_bot_lost_unplayed_are_told_apart(suspended: Contest) -> None:
    site = built(suspended)
    read, slug = pages(site), suspended.slugs[bot("b")]
    page = read[addresses.bot_page(slug)].text
    assert re.search(r"games with a fault\s*1\s*games lost unplayed\s*3", page)
    assert "1 game with illegal_move." in page and "3 games besides lost unplayed" in page
    key = suspended.rankings[0].entry.key
    assert told(site[addresses.chart_data(key)])["faults"] == [{"bot": 1, "kind": "illegal_move", "games": 1}]
    assert "Games lost unplayed by suspended bots: b 3 (illegal_move)." in read["index.html"].text
    assert "forfeit: suspended" in read["games.html"].text
    kinds = [
        seat["fault"]
        for one in told(site["data/games/all.js"]).values()
        for seat in one["seats"]
        if seat["fault"]
    ]
    assert sorted(kinds) == ["illegal_move", *["suspended"] * 3]
    rows = list(csv.DictReader(io.StringIO(site["data/faults.csv"].decode())))
    assert [row["unplayed"] for row in rows] == ["false", "true", "true", "true"]


def test_who_leads_is_said_as_far_as_it_is_known() -> None:
    def said(results: list[GameResult]) -> str:
        found = re.search(
            r"(\S+(?: and \S+)?) (leads|are level)[^.]*\.", pages(built(contest(results)))["index.html"].text
        )
        return found[0] if found else ""

    assert said(duels({("a", "b"): 1})) == "a leads."
    assert said(duels({("a", "b"): 2, ("b", "a"): 2})) == "a and b are level."
    assert said(duels({("a", "b"): 9, ("b", "a"): 3})).startswith(
        "a leads; the chance that it is the best is "
    )
    assert said([]) == ""


def test_a_game_on_an_open_deal_is_held_back_and_no_other() -> None:
    results = ring(("a", "b", "c"))
    site = built(replace(contest(results), held_back=frozenset({results[0].id})))
    assert [id for id, one in told(site["data/games/all.js"]).items() if one["held"]] == [results[0].id]


def test_the_newest_games_are_spread_over_variants(monkeypatch: pytest.MonkeyPatch) -> None:
    results = [game(n, "ab", (0, 1), variant=DUEL if n < 6 else TRIO) for n in range(10)]
    games = [Kept(result, "2026") for result in results]
    assert [kept.result.id for kept in spread(games, 5)] == [results[n].id for n in (4, 5, 7, 8, 9)]
    assert spread(games, 20) == games
    monkeypatch.setattr("leaderboards.site.games.LISTED", 5)
    page = pages(built(replace(contest(results[:6]), games=tuple(games))))["games.html"]
    assert f"{DUEL} (2 of 6)" in page.text and f"{TRIO} (3 of 4)" in page.text


def test_names_that_differ_at_their_ends_stay_apart_where_they_are_cut() -> None:
    one, two = ("x" * 40 + "_one", "x" * 40 + "_two")
    short = contest(duels({(one, two): 2})).short
    assert len({name.wide for name in short.values()}) == len({name.narrow for name in short.values()}) == 2
    assert max(len(text) for name in short.values() for text in name) <= 22


def test_captions_tell_of_what_is_drawn_alone() -> None:
    few, many = (
        pages(built(contest(ring(("a", "b", "c"), deals))))["boards/claim-2p-GK-UWX-charts.html"].text
        for deals in (3, 8)
    )
    assert "There are no intervals: they take 5 deals" in few and "95% interval by deals" not in few
    assert "95% interval by deals" in many
    assert "Hollow: provisional." in few
