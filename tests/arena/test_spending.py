"""What games cost, out of records: CPU time of each bot, and the time that a game takes."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena import recent
from arena.home import Home
from arena.ledger import Ledger
from arena.spending import RECENT, Spending, seconds_a_game
from protocol.record import pack
from protocol.vocabulary import BotId, VoidReason
from referee.score import void
from tests.arena.made import job_for, keep, played
from tests.referee.driving import bot_ids, planned

ANN, BOB = BotId("ann", "a"), BotId("bob", "b")


def record(*actions: tuple[int, float | None], ms: float = 10.0) -> bytes:
    """A game of ann, bob and ann again: seat and CPU milliseconds of each action."""
    seats = [{"bot": bot.name, "digest": bot.digest} for bot in (ANN, BOB, ANN)]
    account = {"ms": [ms] * len(actions), "cpu_ms": [cpu for _, cpu in actions]}
    return pack({"play": {"seats": seats, "actions": [[s, "x"] for s, _ in actions]}, "account": account})


def test_a_bot_costs_what_all_its_seats_take_in_a_game_on_average() -> None:
    spending = Spending()
    spending.take([record((0, 1000.0), (1, 100.0), (2, 500.0)), record((0, 500.0), (1, None))])
    assert spending.cost == {ANN: (1.5 + 0.5) / 2, BOB: 0.1}


def test_the_newest_games_tell_and_old_ones_are_forgotten() -> None:
    spending = Spending()
    spending.take(record((0, 9000.0)) for _ in range(RECENT))
    spending.take(record((0, 1000.0)) for _ in range(RECENT))
    assert spending.cost == {ANN: 1.0}


def test_what_is_not_known_is_left_out() -> None:
    spending = Spending()
    spending.take([record((0, None)), b"damaged"])
    assert spending.cost == {}
    assert seconds_a_game([b"damaged"]) is None
    assert seconds_a_game([record((0, None), (1, None)), record((0, None), ms=20.0)]) == 0.02


def test_the_newest_records_of_a_ledger_come_oldest_first_and_without_void_ones(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.folder()
    games = [planned(number) for number in range(4)]
    job = job_for("claim", bot_ids(2), tuple(games))
    with closing(Ledger(home.ledger)) as ledger:
        ledger.begin("cup", "seed", {}, bot_ids(2))
        done = [played(job, game) for game in games[:3]]
        keep(ledger, "cup", [*done, void(job, games[3], VoidReason.REFEREE_ERROR, "ours")])
        variant = done[0].result.variant
        assert sorted(ledger.newest(9, variant)) == sorted(one.record for one in done)
        assert len(ledger.newest(2, variant)) == 2
        assert ledger.newest(9, "claim/2p/NA-TDS") == []


def goes_back(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """From which links on the newest games are looked for, as it is done."""
    goes: list[int] = []
    played_up_to = recent._played

    def played_again(db: Any, name: str, last: int) -> Any:
        goes.append(last)
        return played_up_to(db, name, last)

    monkeypatch.setattr(recent, "_played", played_again)
    return goes


@pytest.mark.parametrize("links", [1, 2, 5, 6, 1000])
def test_what_a_bot_costs_is_known_again_however_long_ago_it_played(
    tmp_path: Path, links: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a run that goes on: of each bot the newest games, in the order in which they were kept."""
    monkeypatch.setattr("arena.recent.AT_ONCE", links)
    goes = goes_back(monkeypatch)
    home = Home(tmp_path / str(links))
    home.folder()
    ann, bob, cat = bot_ids(3)
    done = []
    for number, pair in enumerate([(ann, bob), (bob, ann), (ann, cat), (cat, ann), (ann, cat)]):
        job = job_for("claim", pair, (planned(number),))
        done.append(played(job, job.games[0]))
    with closing(Ledger(home.ledger)) as ledger:
        ledger.begin("cup", "seed", {}, (ann, bob, cat))
        for one in done:
            keep(ledger, "cup", [one])
        spoilt = void(job, planned(9), VoidReason.REFEREE_ERROR, "ours")
        keep(ledger, "cup", [spoilt])
        records = [one.record for one in done]
        assert ledger.newest_of_each(1, "cup") == [records[1], records[4]]
        assert len(goes) == {1: 5, 2: 3}.get(links, 1)  # back to game 2 of 6, and no further
        assert ledger.newest_of_each(2, "cup") == [records[0], records[1], records[3], records[4]]
        assert ledger.newest_of_each(9, "cup") == records and ledger.newest_of_each(9, "another") == []


@pytest.mark.parametrize("many", [1000, 1])
def test_who_has_hardly_played_is_not_looked_for_to_the_beginning(
    tmp_path: Path, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One has no game, another its only one at the end; nobody misses any of theirs."""
    for name, value in {"AT_ONCE": 1, "NEAR": 1, "MANY": many}.items():
        monkeypatch.setattr(recent, name, value)
    home = Home(tmp_path / str(many))
    home.folder()
    ann, bob, cat = bot_ids(3)
    with closing(Ledger(home.ledger)) as ledger:
        ledger.begin("cup", "seed", {}, (ann, bob, cat, BotId("new", "n")))
        for number, pair in enumerate([(ann, bob), (ann, bob), (ann, cat)]):
            job = job_for("claim", pair, (planned(number),))
            keep(ledger, "cup", [played(job, job.games[0])])
        assert len(ledger.newest_of_each(1, "cup")) == 2 and len(ledger.newest_of_each(9, "cup")) == 3
        goes = goes_back(monkeypatch)
        ledger.begin("cup", "seed", {}, [BotId("new", "n")])
        assert len(ledger.newest_of_each(1, "cup")) == 1 and goes == [3]
