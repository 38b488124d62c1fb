"""A site out of the ledger: what is held back, what is replaced, and what is left as it was."""

from __future__ import annotations

import errno
import json
import os
import signal
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena import reporting
from arena.cli import main
from arena.config import Tournament
from arena.errors import InputError, StorageError
from arena.home import Home
from arena.measures import Account, measures
from arena.planning import plan_of
from arena.publishing import MARK, publish
from arena.reading import opened
from arena.scripts import made
from arena.site import HELD_EVIDENCE, Source, build
from protocol.record import pack, unpack
from protocol.vocabulary import FaultKind, GameId
from referee.faults import Misstep
from tests.arena.filled import BOB, fill
from tests.arena.made import SEED, job_for, keep, played, round_robin, tournament
from tests.referee.driving import Player, bot_ids, planned, random_player

SECRET = "the card in my hand is G7"
PLACE = "/home/ann/cups/ann/bot.py"


def arena(home: Home, *words: str) -> Result:
    return CliRunner().invoke(main, ["--home", str(home.path), *words])


def tree(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def replays(folder: Path) -> set[str]:
    return {file.stem for file in folder.glob("replays/*.js")}


def told(folder: Path) -> dict[str, dict[str, object]]:
    """The games that the site tells of."""
    text = (folder / "data" / "games" / "all.js").read_text()
    found: dict[str, dict[str, object]] = json.loads(
        f"[{text.removeprefix('kingmaker(').rstrip(');' + chr(10))}]"
    )[2]
    return found


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A tournament that is over."""
    home = Home(tmp_path_factory.mktemp("home"))
    tournament(home)
    return home


def saying(evidence: str) -> Player:
    """A bot that crashes when it is to move."""
    return lambda message: Misstep(FaultKind.CRASH, "exit 3", evidence) if message["type"] == "turn" else ""


@pytest.fixture(scope="module")
def half(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A tournament that is not over: on its second deal, one of two games is to be played; on each a bot crashed."""
    home = Home(tmp_path_factory.mktemp("home"))
    tournament(home, without=lambda *_: True)
    config = Tournament(name="cup", bots=["bot0", "bot1"], variants=["claim"], deals=2)
    with opened(home) as ledger:
        for pairing in round_robin(plan_of(config, SEED), bot_ids(2)):
            job = job_for(pairing.variant, pairing.seating, pairing.games)
            closed, still_open = pairing.games
            keep(ledger, "cup", [played(job, closed, seat1=saying(f"a plain word\nand {PLACE}"))])
            if pairing.seating[0].name == "bot0":
                keep(ledger, "cup", [played(job, still_open, seat1=saying(f"{SECRET}\n{SECRET}"))])
    return home


def test_a_site_of_a_tournament_and_its_replays(cup: Home, tmp_path: Path) -> None:
    done = arena(cup, "site", "build", "cup", "-o", str(tmp_path / "site"))
    assert done.exit_code == 0, done.output
    assert done.stdout == f"{(tmp_path / 'site').resolve() / 'index.html'}\n"
    assert "4 replays" in done.stderr
    games = told(tmp_path / "site")
    assert len(games) == 4 and replays(tmp_path / "site") == set(games)
    assert all(one["replay"] for one in games.values())
    script = next((tmp_path / "site" / "replays").iterdir()).read_text()
    assert script.startswith('kingmaker("replay","') and '"kingmaker/replay-file/1"' in script


def test_replays_of_the_newest_of_all_or_of_none(cup: Home, tmp_path: Path) -> None:
    site = tmp_path / "site"
    build("cup", site, home=cup, replays=1)
    with opened(cup) as ledger:
        newest = [link.game for link in ledger.links("cup")][-1]
    assert replays(site) == {newest} == {game for game, one in told(site).items() if one["replay"]}
    assert "arena replay ID" in (site / "games.html").read_text()
    assert arena(cup, "site", "build", "cup", "-o", str(site), "--replays", "none").exit_code == 0
    assert not replays(site)
    assert arena(cup, "site", "build", "cup", "-o", str(site), "--replays", "some").exit_code == 2


def test_too_many_pairs_are_told_of(cup: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leaderboards.site.build.MOST_PAIRS", 0)
    done = arena(cup, "site", "build", "cup", "-o", str(tmp_path / "site"), "--replays", "none")
    assert done.exit_code == 0 and "no pages of pairings: 1 pair of bots met" in done.stderr
    assert not (tmp_path / "site" / "pairings").exists()


def test_the_same_ledger_makes_the_same_bytes(cup: Home, tmp_path: Path) -> None:
    for name in ("one", "two"):
        build("cup", tmp_path / name, home=cup)
    assert tree(tmp_path / "one") == tree(tmp_path / "two")


def test_nothing_of_a_deal_that_is_to_be_played_gets_out(half: Home, tmp_path: Path) -> None:
    site = tmp_path / "site"
    done = arena(half, "site", "build", "cup", "-o", str(site), "--replays", "all")
    assert done.exit_code == 0 and "the moves of 1 game are held back" in done.stderr
    games = told(site)
    shown = {game for game, one in games.items() if str(one["deal"]).endswith("#0")}
    assert len(games) == 3 and len(shown) == 2
    assert replays(site) == shown == {game for game, one in games.items() if one["replay"]}
    everything = b"".join(tree(site).values())
    assert SECRET.encode() not in everything and SEED.encode() not in everything
    assert PLACE.encode() not in everything and "…/ann/bot.py".encode() in everything
    assert b"a plain word" in everything and HELD_EVIDENCE.encode() in everything
    assert "held back" in (site / "games.html").read_text()
    assert {game for game, one in games.items() if one["held"]} == set(games) - shown


def test_the_seed_is_told_when_all_is_over(cup: Home, tmp_path: Path) -> None:
    assert arena(cup, "site", "report", "cup", "-o", str(tmp_path / "r.html")).exit_code == 0
    page = (tmp_path / "r.html").read_text()
    assert SEED in page and "round robin" in page and "none (no layers: bots were trusted)" in page
    assert "<dt>memory</dt><dd>no limit</dd>" in page
    with opened(cup) as ledger:
        assert f"--head {ledger.head('cup')}" in page
    assert arena(cup, "site", "report", "cup", "-o", str(tmp_path / "no" / "r.html")).exit_code == 2


def test_the_memory_of_a_bot_that_is_kept_apart_is_told(cup: Home) -> None:
    config = Tournament(name="cup", bots=["bot0", "bot1"], variants=["claim"], memory_mb=2048)
    account = Account("default", ("rlimits",), (), (("bank_ms", 20_000),), ())
    with opened(cup) as ledger:
        parts = reporting.before(ledger.tournament("cup"), config, "", Counter({account: 3}), [])
    facts = {fact.name: fact.text for part in parts for fact in part.facts}
    assert facts["memory"] == "2,048 MiB"


def test_a_tournament_without_a_game_has_a_page_that_says_so(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    tournament(home, without=lambda *_: True)
    done = arena(home, "site", "build", "cup", "-o", str(tmp_path / "site"))
    assert done.exit_code == 0, done.output
    page = (tmp_path / "site" / "index.html").read_text()
    assert "Nothing to rate yet" in page and "0 of 4 games are over" in page


def test_an_older_site_is_replaced_whole(cup: Home, tmp_path: Path) -> None:
    publish(tmp_path / "site", [("old/page.html", b"old"), ("index.html", b"old")])
    build("cup", tmp_path / "site", home=cup, replays=0)
    assert not (tmp_path / "site" / "old").exists()
    assert [one.name for one in tmp_path.iterdir()] == ["site"]


@pytest.mark.parametrize("name", ["notes.txt", "index.html", "assets/logo.svg", ".git/config"])
def test_a_folder_with_anything_else_is_refused(cup: Home, tmp_path: Path, name: str) -> None:
    site = tmp_path / "site"
    if name != "index.html":
        publish(site, [("index.html", b"ours"), ("assets/site.css", b"ours")])
    (site / name).parent.mkdir(parents=True, exist_ok=True)
    (site / name).write_text("mine")
    before = tree(tmp_path)
    done = arena(cup, "site", "build", "cup", "-o", str(site))
    assert done.exit_code == 2 and "E250" in done.stderr and name.split("/")[0] in done.stderr
    assert tree(tmp_path) == before


def test_a_mark_that_lists_what_is_elsewhere_lets_nothing_else_go(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / MARK).write_text("kingmaker/site/1\n../mine\n")
    (tmp_path / "mine").write_text("mine")
    publish(tmp_path / "site", [("index.html", b"new")])
    assert (tmp_path / "mine").read_text() == "mine"


@pytest.mark.parametrize("trouble", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_what_goes_wrong_leaves_the_old_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: BaseException
) -> None:
    publish(tmp_path / "site", [("index.html", b"old")])
    before = tree(tmp_path)
    write = Path.write_bytes

    def failing(path: Path, data: bytes) -> int:
        if path.name == "b.html":
            raise trouble
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", failing)
    with pytest.raises(StorageError if isinstance(trouble, OSError) else KeyboardInterrupt) as caught:
        publish(tmp_path / "site", [("a.html", b"new"), ("b.html", b"new")])
    assert tree(tmp_path) == before and len(list(tmp_path.iterdir())) == 1
    if isinstance(trouble, OSError):
        assert f"cannot write the site {tmp_path / 'site'}: No space left" in str(caught.value)


def test_files_that_fail_to_be_made_leave_the_old_site(tmp_path: Path) -> None:
    publish(tmp_path / "site", [("index.html", b"old")])

    def failing() -> Iterator[tuple[str, bytes]]:
        yield "index.html", b"new"
        raise ValueError("no rating")

    with pytest.raises(ValueError, match="no rating"):
        publish(tmp_path / "site", failing())
    assert (tmp_path / "site" / "index.html").read_bytes() == b"old" and len(list(tmp_path.iterdir())) == 1


def test_a_site_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "site").write_text("mine")
    with pytest.raises(InputError):
        publish(tmp_path / "site", [])


def test_faults_of_games_are_seen_with_what_there_is_to_see(half: Home) -> None:
    with opened(half) as ledger:
        found = measures(ledger, "cup")
    assert [fault.last_line for fault in found.faults].count(f"and {PLACE}") == 2
    assert {(fault.kind, fault.reason, fault.turn) for fault in found.faults} == {
        (FaultKind.CRASH, "exit 3", 1)
    }
    assert sum(found.accounts.values()) == 3
    assert [account.isolation for account in found.accounts] == ["none"]


def test_moves_of_a_house_player_are_no_time_of_the_bot(tmp_path: Path) -> None:
    variant = "claim/3p/NA-UWTDS"
    home = Home(tmp_path)
    tournament(home, without=lambda *_: True)
    job = job_for(variant, bot_ids(3), (planned(),))
    done = played(job, planned(), seat1=saying(""))
    moves = [seat for seat, _ in json.loads(unpack(done.record))["play"]["actions"]]
    assert 1 in moves
    with opened(home) as ledger:
        keep(ledger, "cup", [done])
        timing = measures(ledger, "cup").timing
    assert {bot.name: times.moves for bot, times in timing.items()} == {
        "bot0": moves.count(0),
        "bot2": moves.count(2),
    }


def test_times_are_quantiles_of_a_bots_moves(tmp_path: Path) -> None:
    seconds = iter(range(1, 1000))
    usual = random_player(1)
    job = job_for("claim/2p/GK-UWX", bot_ids(2), (planned(),))
    slow: Player = lambda message: (str(usual(message)), next(seconds) / 1000)  # noqa: E731
    done = played(job, planned(), seat0=slow)
    home = Home(tmp_path)
    tournament(home, without=lambda *_: True)
    with opened(home) as ledger:
        keep(ledger, "cup", [done])
        times = measures(ledger, "cup").timing[bot_ids(2)[0]]
    assert times.moves == 26
    assert times.median < times.p95 < times.p99 < times.most
    assert times.most - times.median == pytest.approx(12.5, abs=0.6)


def test_a_record_that_cannot_be_played_is_no_replay_and_a_damaged_one_is_named(tmp_path: Path) -> None:
    done = played(job_for("claim/2p/GK-UWX", bot_ids(2), (planned(),)), planned())
    record = json.loads(unpack(done.record))
    record["play"]["rules"] = "0-00000000"
    assert made(GameId("g"), pack(record)) == (GameId("g"), b"", made(GameId("g"), pack(record)).flaw)
    assert "0-00000000" in made(GameId("g"), pack(record)).flaw
    assert made(GameId("g"), b"junk").script == b""


@pytest.mark.file
def test_a_damaged_record_ends_the_site_with_its_name(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    fill(home, "cup", ["claim"], 2)
    with opened(home) as ledger:
        assert len(Source(ledger, ledger.tournament("cup")).games) == 2
    with sqlite3.connect(home.path / "ledger.sqlite") as db:
        db.execute("UPDATE records SET record = x'00'")
    done = arena(home, "site", "build", "cup", "-o", str(tmp_path / "site"))
    assert done.exit_code == 4 and "E407" in done.stderr
    assert not (tmp_path / "site").exists()


def test_suspended_bots_and_versions_are_on_a_bots_page(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    fill(home, "cup", ["claim"], 4, faulty=3)
    with opened(home) as ledger:
        ledger.add_bot(
            BOB, {"name": "bob", "authors": ["<b>Eve</b>"], "language": "rust", "version": "2"}, True
        )
        ledger.add_bot(replace(BOB, digest="c" * 40), {"name": "bob", "version": "1"}, False)
    build("cup", tmp_path / "site", home=home)
    page = next((tmp_path / "site" / "bots").glob("bob-*")).read_text()
    assert "is suspended since" in page and "&lt;b&gt;Eve&lt;/b&gt;" in page and "rust" in page
    assert "cccccccccccc" in page


def test_game_terms_come_in_the_language_that_is_asked_for(cup: Home, tmp_path: Path) -> None:
    assert arena(cup, "site", "build", "cup", "-o", str(tmp_path / "cs"), "--lang", "cs").exit_code == 0
    terms = (tmp_path / "cs" / "data" / "terms.js").read_text()
    assert terms.startswith('kingmaker("terms","cs",{"claim":{') and "aristoocrazy" not in terms
    assert 'data-lang="cs"' in (tmp_path / "cs" / "index.html").read_text()
    assert arena(cup, "site", "build", "cup", "-o", str(tmp_path / "xx"), "--lang", "xx").exit_code == 2


def test_an_unknown_tournament_writes_nothing(cup: Home, tmp_path: Path) -> None:
    done = arena(cup, "site", "build", "cap", "-o", str(tmp_path / "site"))
    assert done.exit_code == 2 and "did you mean 'cup'?" in done.stderr
    assert "reading" not in done.stderr and not list(tmp_path.iterdir())


def test_what_a_killed_build_left_is_removed_and_what_another_makes_is_not(tmp_path: Path) -> None:
    left, mine = tmp_path / ".site.new-0123abcd", tmp_path / ".site.new-mine"
    for folder in (left, mine):
        (folder / "data").mkdir(parents=True)

    def files() -> Iterator[tuple[str, bytes]]:
        (other,) = tmp_path.glob(".site.new-????????")
        publish(tmp_path / "site", [("index.html", b"quicker")])
        assert other.exists()
        yield "index.html", b"slower"

    publish(tmp_path / "site", files())
    assert {path.name for path in tmp_path.iterdir()} == {"site", ".site.new-mine"}
    assert (tmp_path / "site" / "index.html").read_bytes() == b"slower"


def test_a_build_that_is_told_to_end_leaves_nothing(
    cup: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told_to_end(contest: object) -> None:
        assert list(tmp_path.iterdir())
        os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr("leaderboards.site.build.meetings_of", told_to_end)
    before = signal.signal(signal.SIGTERM, lambda *_: pytest.fail("nobody listens"))
    try:
        done = arena(cup, "site", "build", "cup", "-o", str(tmp_path / "site"))
    finally:
        signal.signal(signal.SIGTERM, before)
    assert done.exit_code == 130 and not list(tmp_path.iterdir())


def test_where_the_new_site_cannot_take_its_place_the_old_one_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(tmp_path / "site", [("index.html", b"old")])
    before, rename = tree(tmp_path), Path.rename

    def failing(path: Path, target: Path) -> Path:
        if ".new-" in path.name:
            raise OSError(errno.EIO, "Input/output error")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(StorageError, match="Input/output error"):
        publish(tmp_path / "site", [("index.html", b"new")])
    assert tree(tmp_path) == before


def test_the_folder_that_one_is_in_is_no_place_for_a_site(
    cup: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = arena(cup, "site", "build", "cup", "-o", ".")
    assert done.exit_code == 2 and "you are in that" in done.stderr and list(tmp_path.iterdir()) == []
