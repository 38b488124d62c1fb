"""Clusters, as far as they need no engine: which one is meant, how jobs are cut, and who may play."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections import defaultdict
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.cluster import Cluster, cluster_at
from arena.errors import CannotStart, InputError
from arena.executors.cores import claimed
from arena.executors.crew import LOOK, LOOK_AGAIN, STRIKES, Care, Crew, Seen
from arena.executors.entry import check
from arena.executors.orders import Enlist, Enlisted, Entrant, Look, Report, Speed, Terms, Trouble
from arena.executors.units import Cutter, Pace, Stopwatch, later, without
from arena.schedules.blocks import Plan
from protocol.vocabulary import BotId, VoidReason
from referee.clocks import Limits
from referee.jobs import Job, Launch
from referee.score import void
from tests.arena.made import round_robin
from tests.referee.driving import bot_ids

VARIANT = "claim/2p/GK-UWX"


def jobs(bots: int = 3, deals: int = 10) -> list[Job]:
    """Of a whole round robin, in the order in which a tournament gives them out."""
    plan = Plan("cup", "seed", (VARIANT,), deals)
    return [
        Job(
            f"job{n}",
            one.variant,
            tuple(Launch(bot, ("x",), "/") for bot in one.seating),
            one.games,
            Limits(),
            "s",
            "/",
        )
        for n, one in enumerate(round_robin(plan, bot_ids(bots)))
    ]


# which cluster


def test_what_plays_is_said_in_three_ways(tmp_path: Path) -> None:
    assert cluster_at("local:3", 8).workers == 3 and cluster_at("local", 8).workers == 8
    assert cluster_at("tls://10.0.0.5:8786", 1).encrypted
    here, elsewhere = cluster_at("tcp://127.0.0.1:8786", 1), cluster_at("tcp://10.0.0.5:8786", 1)
    assert not here.exposed and elsewhere.exposed and not here.encrypted
    assert not Cluster(kind="kubernetes", workers=1).encrypted
    file = tmp_path / "slurm.toml"
    file.write_text('[cluster]\nkind = "slurm"\nworkers = 3\n[cluster.options]\nqueue = "short"\n')
    found = cluster_at(str(file), 1)
    assert found.options == {"queue": "short"} and found.patience is None, "a queue takes what it takes"
    assert found.encrypted


def test_keys_are_beside_their_file(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    text = '[cluster]\nkind = "address"\naddress = "tls://a:1"\n[cluster.tls]\nca = "ca"\ncert = "c"\nkey = "k"\n'
    file.write_text(text)
    with pytest.raises(InputError, match=r"cluster\.tls\.ca: there is no file"):
        cluster_at(str(file), 1)
    for name in ("ca", "c", "k"):
        (tmp_path / name).touch()
    tls = cluster_at(str(file), 1).tls
    assert tls and tls.key == tmp_path / "k"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('kind = "slurm"\nworker = 3', "unknown key 'cluster.worker'"),
        ('kind = "slrm"\nworkers = 3', "did you mean 'slurm'"),
        ('kind = "slurm"', "either `workers`, or `minimum` and `maximum`"),
        ('kind = "slurm"\nworkers = 3\nminimum = 1\nmaximum = 3', "either `workers`"),
        ('kind = "slurm"\nminimum = 4\nmaximum = 3', "minimum = 4 is above maximum = 3"),
        ('kind = "address"', "`address` goes with"),
        ('kind = "address"\naddress = "10.0.0.5:8786"', "is no address"),
        ('kind = "local"\nworkers = 0', "greater than or equal to 1"),
        ('kind = "local"\nworkers = 2\naudit = 1.5', "less than or equal to 1"),
        ('kind = "address"\naddress = "tcp://a"', "is no address"),
        ('kind = "slurm"\nworkers = 2\nmaximum = 3', "either `workers`"),
        ('kind = "address"\naddress = "tcp://a:1"\nworkers = 3', "`workers` does not go with"),
        ('kind = "address"\naddress = "tcp://a:1"\n[cluster.options]\nx = 1', "an address starts none"),
        ('kind = "slurm"\nworkers = 2\n[cluster.tls]\nca = "a"\ncert = "b"\nkey = "c"', "goes with kind"),
        (
            'kind = "address"\naddress = "tcp://a:1"\n[cluster.tls]\nca = "a"\ncert = "b"\nkey = "c"',
            "'tls://a:1'",
        ),
        ('kind = "local"\nworkers = 500', "256 at most"),
        ('kind = "local"\nminimum = 1\nmaximum = 2', "fixed number"),
    ],
    ids=range(17),
)
def test_what_is_wrong_in_a_cluster_file(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "c.toml"
    file.write_text(f"[cluster]\n{text}\n")
    with pytest.raises(InputError) as raised:
        cluster_at(str(file), 1)
    assert says in f"{raised.value} {raised.value.fix}" and raised.value.code == "E262"


@pytest.mark.parametrize(
    "where",
    [
        "local:0",
        "local:x",
        "local:99999",
        "slurm",
        "nowhere.toml",
        "http://a:1",
        "tcp://",
        "tcp://a",
        "tls://a:b",
    ],
)
def test_no_cluster(where: str) -> None:
    with pytest.raises(InputError) as raised:
        cluster_at(where, 1)
    assert raised.value.code == "E263"


@pytest.mark.parametrize(
    ("lacking", "says"),
    [
        (("distributed",), "needs distributed$"),
        (("cryptography", "distributed"), "cryptography and distributed$"),
    ],
)
def test_all_that_is_not_installed_is_named_with_the_way_to_get_it(
    monkeypatch: pytest.MonkeyPatch, lacking: tuple[str, ...], says: str
) -> None:
    for name in lacking:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(CannotStart, match=says) as raised:
        check(Cluster(kind="local", workers=1))
    assert raised.value.fix == "pip install 'kingmaker[cluster]'"


@pytest.mark.parametrize(
    ("keys", "says", "fix", "code"),
    [
        ({"kind": "collections:OrderedDict", "workers": 1}, "no `adapt`", "Dask's interface", "E333"),
        ({"kind": "no_such_module:X", "workers": 1}, "no_such_module", "on the Python path", "E333"),
        ({"kind": "collections:Cluster", "workers": 1}, "Cluster", "on the Python path", "E333"),
        ({"kind": "ssh"}, "asyncssh", "pip install asyncssh", "E333"),
        ({"kind": "address", "address": "tls://127.0.0.1:9"}, "there is none", r"\[cluster.tls\]", "E331"),
    ],
    ids=["no cluster", "no module", "no class", "ssh", "no key"],
)
def test_what_a_cluster_lacks_is_said_before_anything_is_started(
    monkeypatch: pytest.MonkeyPatch, keys: dict[str, Any], says: str, fix: str, code: str
) -> None:
    monkeypatch.setitem(sys.modules, "asyncssh", None)
    with pytest.raises(CannotStart, match=says) as raised:
        check(Cluster(**keys))
    assert re.search(fix, raised.value.fix) and raised.value.code == code


def test_what_a_cluster_would_play_is_said_and_what_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text('bots = ["random", "greedy"]\nvariants = ["claim"]\ndeals = 1\n')
    words = ["--home", str(tmp_path / "home"), "run", str(tmp_path / "cup.toml"), "--dry-run", "--cluster"]
    done = CliRunner().invoke(main, [*words, "local:200"])
    assert done.exit_code == 0 and "played by 200 workers on this machine" in done.stdout
    assert "warning: 200 workers on" in done.stderr
    done = CliRunner().invoke(main, [*words, "tls://127.0.0.1:9"])
    assert done.exit_code == 3 and "E331" in done.stderr


def test_processes_are_counted_in_one_place(tmp_path: Path) -> None:
    words = ["--home", str(tmp_path), "run", "cup.toml", "--cluster", "local:2", "--concurrency", "2"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2 and "with --cluster say local:N" in done.stderr


# units


def all_of(cutter: Cutter, slots: int = 2) -> list[tuple[Job, ...]]:
    found = []
    while not cutter.empty:
        found.append(cutter.next(slots))
    return found


@pytest.mark.parametrize("seconds", [None, 0.01, 0.4, 100.0])
def test_units_are_whole_blocks_and_nothing_is_lost(seconds: float | None) -> None:
    pace, planned = Pace(), jobs(bots=4, deals=30)
    if seconds:
        pace.learn([VARIANT], seconds)
    units = all_of(Cutter(planned, pace))
    ids = [game.id for unit in units for job in unit for game in job.games]
    assert sorted(ids) == sorted(game.id for job in planned for game in job.games)
    for unit in units:
        seatings = defaultdict(set)
        for job in unit:
            for game in job.games:
                seatings[game.block].add(tuple(launch.bot for launch in job.seating))
        assert all(len(found) == 2 for found in seatings.values()), (
            "a block is in one unit, in all its seatings"
        )
    names = [job.id for unit in units for job in unit]
    assert len(set(names)) == len(names), "no two write one log"


def test_a_unit_takes_some_seconds() -> None:
    pace = Pace()
    cutter = Cutter(jobs(bots=4, deals=100), pace)
    first = cutter.next(2)
    assert sum(len(job.games) for job in first) == 2, "nobody knows yet what a block takes"
    pace.learn([VARIANT], 0.1)
    whole = cutter.next(2)
    assert sum(len(job.games) for job in whole) == 100, "ten seconds, also of several meetings"
    pace.learn([VARIANT] * 10, 100.0)
    assert sum(len(job.games) for job in cutter.next(2)) < 10, "they have become slower"


def timed(unit: tuple[Job, ...], start: float, game: float) -> tuple[float, Stopwatch]:
    """A unit whose jobs take so long to start, and its games so long each: the seconds of all, and what is seen of it."""
    now = 0.0
    watch = Stopwatch(lambda: now)
    for job in unit:
        now += start
        for planned in job.games:
            now += game
            watch.look([void(job, planned, VoidReason.WORKER_LOST, "")])
    return now, watch


def test_units_are_of_the_right_size_from_the_third_on() -> None:
    start, game, pace = 0.1, 0.004, Pace()
    cutter, sizes = Cutter(jobs(bots=4, deals=2000), pace), []
    for _ in range(3):
        unit = cutter.next(2)
        seconds, watch = timed(unit, start, game)
        sizes.append(sum(len(job.games) for job in unit))
        pace.learn([VARIANT] * sizes[-1], seconds, watch.hot, watch.start)
    assert sizes[0] == 2 and 50 <= sizes[1] < 200 and sizes[2] == pytest.approx(10 / game, abs=2)
    assert pace.startup == pytest.approx(start + game)


def test_what_is_left_of_a_unit_changes_little_of_what_games_are_said_to_take() -> None:
    pace = Pace()
    pace.learn([VARIANT] * 1000, 4.3, {VARIANT: (998, 3.992)}, 0.1)
    pace.learn([VARIANT] * 2, 0.2, {}, 0.1)
    pace.learn([VARIANT] * 4, 0.4, {VARIANT: (2, 0.1)}, 0.1)
    assert pace.of(VARIANT) == pytest.approx(0.004, rel=0.5)


def test_games_that_become_slow_or_quick_again_are_noticed_within_two_units() -> None:
    pace = Pace()
    for games, each in ((2500, 0.004), (60, 0.5), (60, 0.5)):
        pace.learn([VARIANT] * games, games * each, {VARIANT: (games, games * each)}, 0.1)
    assert pace.of(VARIANT) == pytest.approx(0.5, rel=0.2)
    pace.learn([VARIANT] * 2, 0.1)
    assert pace.of(VARIANT) == 0.05, "a job of one game has nothing but its start and that"


def test_who_is_alone_waits_for_nobody_and_has_no_small_units() -> None:
    pace = Pace()
    pace.learn([VARIANT] * 100, 0.4)
    assert len(all_of(Cutter(jobs(bots=2, deals=100), pace), slots=1)) == 1


def test_a_unit_is_not_cut_smaller_than_its_start_is_worth() -> None:
    pace = Pace()
    pace.learn([VARIANT] * 100, 0.4, start=0.02)
    units = all_of(Cutter(jobs(bots=2, deals=200), pace), slots=4)
    sizes = [sum(len(job.games) for job in unit) for unit in units]
    assert sizes == [100, 100, 100, 100], "0.4 s of games for a start of 20 ms"


def test_the_end_is_cut_smaller_so_that_nobody_waits() -> None:
    pace = Pace()
    pace.learn([VARIANT], 0.1)
    units = all_of(Cutter(jobs(bots=2, deals=40), pace, target=100.0), slots=4)
    sizes = [sum(len(job.games) for job in unit) for unit in units]
    assert len(units) >= 8 and sizes == sorted(sizes, reverse=True)


def test_what_is_left_of_a_unit() -> None:
    unit = tuple(jobs(bots=2, deals=3))
    over = {unit[0].games[0].id, *(game.id for game in unit[1].games)}
    (left,) = without(unit, over)
    assert [game.id for game in left.games] == [game.id for game in unit[0].games[1:]]
    (again,) = later([left])
    assert {game.attempt for game in again.games} == {2} and again.id != left.id


def test_two_processes_share_no_core() -> None:
    with claimed() as first, claimed() as second:
        assert first.core != second.core or (first.is_shared and second.is_shared)
        assert first.folder.is_dir() and second.folder.is_dir()
    assert not first.folder.exists()


def test_both_that_share_a_core_know_it_as_long_as_they_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {3})
    with claimed() as first:
        (first.folder.parent / "0.12.3").mkdir()  # scratch of another core's process, of that number
        assert not first.is_shared
        with claimed() as second:
            assert first.is_shared and second.is_shared and first.folder != second.folder
        assert not first.is_shared


# who may play

TERMS = Terms(
    {VARIANT: "rules"},
    (Entrant(BotId("a", "d" * 40), {}),),
    Limits(),
    "default",
    layers=("namespaces", "seccomp"),
)
QUICK = Speed(0.004, 0.0001)


def report(**said: object) -> Report:
    fine = Report(
        "host",
        4,
        {VARIANT: "rules"},
        1e-9,
        "default (…)",
        ("namespaces", "seccomp"),
        QUICK,
    )
    return replace(fine, **said)  # type: ignore[arg-type]


def crew(**care: float) -> Crew:
    return Crew(TERMS, Care(**care), QUICK, lambda digest: digest.encode())


def seen(heard: float = 0.0) -> Seen:
    return Seen("w", "10.0.0.1", 1, heard)


def hired(crew: Crew, address: str, said: Report, now: float = 0.0) -> None:
    """Let a worker come and answer."""
    crew.meet({**{one.address: one.seen for one in crew.ready}, address: seen()}, now)
    ((_, order),) = crew.orders(now)
    assert isinstance(order, Look)
    crew.take(address, said, now)
    for worker, order in crew.orders(now):
        assert isinstance(order, Enlist) and worker.address == address
        crew.take(address, Enlisted(), now)


def test_a_worker_plays_once_it_was_looked_at_and_has_the_bots() -> None:
    found = crew()
    found.meet({"a": seen()}, 0.0)
    assert found.hoped_for and not found.ready
    ((_, order),) = found.orders(0.0)
    assert order == Look(TERMS) and not list(found.orders(0.0)), "it is asked once"
    found.take("a", report(missing=frozenset({"d" * 40})), 0.0)
    ((_, order),) = found.orders(0.0)
    assert order == Enlist(TERMS, {"d" * 40: b"d" * 40}), "what it lacks is sent, and nothing else"
    found.take("a", Enlisted(), 0.0)
    assert [worker.address for worker in found.ready] == ["a"] and found.slots == 1


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"rules": {}}, f"other rules of {VARIANT}"),
        ({"clock": 0.01}, "steps of 10 ms"),
        ({"layers": ("seccomp",)}, "lacks namespaces"),
        ({"flaw": "no namespaces"}, "cannot keep bots in mode default: no namespaces"),
        ({"speed": Speed(0.009, 0.0001)}, "44% of the median's speed"),
        ({"speed": Speed(0.004, 0.0001, 0.2)}, "too loaded"),
    ],
    ids=["rules", "clock", "layers", "sandbox", "slow", "loaded"],
)
def test_who_may_not_play_and_why(said: dict[str, object], why: str) -> None:
    found = crew()
    hired(found, "a", report(**said))
    assert not found.ready and not found.hoped_for
    assert why in "".join(found.refusals.values())


def test_bots_that_do_not_start_there_and_a_worker_that_cannot_even_be_asked() -> None:
    found = crew()
    found.meet({"a": seen(), "b": seen(), "c": seen()}, 0.0)
    list(found.orders(0.0))
    found.take("a", report(), 0.0)
    list(found.orders(0.0))
    found.take("a", Enlisted(("a: no compiler",)), 0.0)
    found.take("b", ModuleNotFoundError("No module named 'arena'"), 0.0)
    found.take("c", Trouble("no space"), 0.0)
    reasons = " ".join(found.refusals.values())
    assert (
        not found.ready
        and "no compiler" in reasons
        and "not installed there" in reasons
        and "no space" in reasons
    )


def test_large_bots_are_sent_to_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.executors.crew.UNDER_WAY", 100)
    found = crew()
    found.meet({name: seen() for name in "abcde"}, 0.0)
    for worker, _ in list(found.orders(0.0)):
        lacks = frozenset({"d" * 40}) if worker.address != "e" else frozenset[str]()
        found.take(worker.address, report(missing=lacks), 0.0)
    sent = 0
    while orders := list(found.orders(0.0)):
        assert sum(len(order.bundles) for _, order in orders if isinstance(order, Enlist)) <= 3
        sent += len(orders)
        for worker, _ in orders:
            found.take(worker.address, Enlisted(), 0.0)
    assert sent == 5 and len(found.ready) == 5


@pytest.mark.parametrize("where", ["looked at", "enlisted"])
def test_what_may_pass_on_a_worker_is_looked_at_again_and_less_often_each_time(where: str) -> None:
    found, now = crew(), 0.0
    found.meet({"a": seen()}, now)
    for wait in (LOOK_AGAIN, 2 * LOOK_AGAIN, 4 * LOOK_AGAIN):
        ((_, order),) = found.orders(now)
        assert isinstance(order, Look)
        found.take("a", report(flaw="no space left" if where == "looked at" else ""), now)
        for _ in found.orders(now):
            found.take("a", Enlisted(("a: no space left",)), now)
        assert "no space left" in "".join(found.refusals.values()) and not found.ready
        assert not list(found.orders(now + wait - 1))
        now += wait
    list(found.orders(now))
    found.take("a", report(), now)
    list(found.orders(now))
    found.take("a", Enlisted(), now)
    assert found.ready, "it has passed"


def test_bots_without_a_network_of_their_own_are_not_let_beside_an_open_scheduler() -> None:
    terms = replace(TERMS, layers=("seccomp",), encrypted=False)
    found = Crew(terms, Care(), QUICK, lambda digest: b"")
    hired(found, "a", report(layers=("seccomp",)))
    assert "not encrypted" in "".join(found.refusals.values())
    hired(found, "b", report())
    assert len(found.ready) == 1


def test_an_exchange_that_takes_long_beside_those_of_others() -> None:
    found = crew()
    hired(found, "a", report())
    hired(found, "b", report(speed=Speed(0.004, 0.02)))
    assert [worker.address for worker in found.ready] == ["a"]
    assert "take 20 ms there" in "".join(found.refusals.values())


def test_who_becomes_loaded_or_slow_while_it_plays_is_used_no_more() -> None:
    found = crew()
    for worker in ("a", "b", "c"):
        hired(found, worker, report())
    found.weigh("b", Speed(0.004, share=0.1), 5.0)
    assert len(found.ready) == 3, "once is nothing"
    for now in (6.0, 7.0, 8.0):
        found.weigh("b", Speed(0.004, share=0.1), now)
        found.weigh("c", Speed(0.012), now)
    assert [worker.address for worker in found.ready] == ["a"]
    assert "too loaded" in (said := " ".join(found.refusals.values())) and "too slow" in said
    assert [worker.address for worker, _ in found.orders(8.0 + LOOK_AGAIN)] == ["b", "c"]


def test_a_load_passes() -> None:
    found = crew()
    hired(found, "a", report(speed=Speed(0.004, share=0.1)))
    assert not list(found.orders(LOOK_AGAIN - 1))
    ((_, order),) = found.orders(LOOK_AGAIN)
    assert isinstance(order, Look)
    found.take("a", report(), LOOK_AGAIN)
    list(found.orders(LOOK_AGAIN))
    found.take("a", Enlisted(), LOOK_AGAIN)
    assert len(found.ready) == 1


def test_who_is_not_heard_of_is_lost_until_it_is() -> None:
    found = crew(silent_seconds=10)
    hired(found, "a", report())
    answers = [(0, now) for now in (3, 6, 9, 12, 14)]
    told = [found.meet({"a": seen(heard)}, now) for heard, now in answers]
    assert told == [[], [], [], ["a"], []], "it is told once"
    assert not found.ready and "not heard of" in "".join(found.absent.values())
    assert found.meet({"a": seen(99)}, 15) == [] and len(found.ready) == 1 and not found.absent
    assert found.meet({}, 16.0) == ["a"] and not found.ready


def test_a_scheduler_that_does_not_answer_makes_nobody_silent() -> None:
    found = crew(silent_seconds=10)
    hired(found, "a", report())
    assert found.meet({"a": seen()}, 19.0) == [], "nobody could be heard of"
    assert found.meet({"a": seen()}, 19.0) == [], "the same answer once more"
    assert found.meet({"a": seen(1.0)}, 19.5) == [] and found.ready


@pytest.mark.parametrize("stage", ["met", "asked", "looked", "refused"])
def test_who_falls_silent_before_it_plays_is_hoped_for_no_more(stage: str) -> None:
    found = crew(silent_seconds=10)
    found.meet({"a": seen()}, 0.0)
    if stage != "met":
        list(found.orders(0.0))
    if stage in ("looked", "refused"):
        found.take("a", report() if stage == "looked" else Trouble("no space"), 0.0)
    for now in (3, 6, 9, 12):
        found.meet({"a": seen()}, now)
    assert not found.hoped_for and "not heard of" in "".join(found.absent.values())
    assert not list(found.orders(60.0)), "nor asked"
    assert found.meet({}, 61.0) == ["a"], "whatever it had is given to others"


def test_an_order_that_is_not_answered_ends() -> None:
    found = crew()
    found.meet({"a": seen()}, 0.0)
    list(found.orders(0.0))
    assert found.awaits("a") and not list(found.orders(LOOK - 1)) and found.hoped_for
    assert not list(found.orders(LOOK)) and not found.awaits("a") and not found.hoped_for
    assert "did not answer in time" in "".join(found.refusals.values())
    ((_, order),) = found.orders(LOOK + LOOK_AGAIN)
    assert isinstance(order, Look), "once more"


def test_who_loses_what_it_is_given_again_and_again_is_not_used() -> None:
    found = crew()
    hired(found, "a", report())
    for now in range(1, STRIKES):
        found.strike("a", "its bots end", now, now)
    found.praise("a")
    for now in range(11, 10 + STRIKES):
        found.strike("a", "its bots end", now, now)
    assert found.ready, "not in a row"
    found.strike("a", "its bots end", 20, 20)
    assert not found.ready and "3 times in a row: its bots end" in found.refusals.popitem()[1]


def test_units_that_are_lost_at_one_blow_are_one_strike() -> None:
    found = crew()
    hired(found, "a", report())
    for given in (1, 2, 3, 4, 5, 6):
        found.strike("a", "its machine was too small", given, 10)
    assert found.ready


def test_who_was_struck_out_is_looked_at_again_and_less_often_each_time() -> None:
    found = crew()
    hired(found, "a", report())
    for now in range(STRIKES):
        found.strike("a", "its bots end", now, now)
    for wait in (LOOK_AGAIN, 2 * LOOK_AGAIN, 4 * LOOK_AGAIN):
        assert not found.ready and not list(found.orders(now + wait - 1))
        now = int(now + wait)
        list(found.orders(now))
        found.take("a", report(), now)
        list(found.orders(now))
        found.take("a", Enlisted(), now)
        assert found.ready
        found.strike("a", "its bots end", now, now)


def test_a_worker_with_more_threads_than_cores_plays_on_its_cores(caplog: pytest.LogCaptureFixture) -> None:
    found = crew()
    found.meet({"a": Seen("w", "10.0.0.1", 8, 0.0)}, 0.0)
    for said in (report(cores=2), Enlisted()):
        list(found.orders(0.0))
        found.take("a", said, 0.0)
    assert found.slots == 2 and "8 threads and 2 cores: it plays 2 at a time" in caplog.text


def test_on_this_machine_nobody_is_too_slow() -> None:
    found = Crew(TERMS, Care(slowest=0.0, busiest=0.0), Speed(inf), lambda digest: b"")
    hired(found, "a", report(speed=Speed(9.0, 9.0, 0.01)))
    assert found.ready


def test_a_cluster_of_a_file_is_what_the_command_line_means() -> None:
    assert Cluster(kind="local", workers=2) == cluster_at("local:2", 1)
