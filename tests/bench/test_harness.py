"""How benchmarks are judged: what counts, what passes, and what never does."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import pytest

from arena.home import Home
from arena.ledger import Ledger
from protocol.vocabulary import BotId
from tests.benchmarks import build, engine, harness
from tests.benchmarks import ledger as ledgers
from tests.benchmarks.build import MADE, lack
from tests.benchmarks.full import others_of
from tests.benchmarks.harness import Bar, Case, Figures, NotMeasured, Round, Row, Session, at_least, measure
from tests.benchmarks.report import Grid, Part, Section, as_json, bars, status, table, verdict
from tests.benchmarks.stage import scratch

QUIET = [Round({"ours µs": ours, "theirs µs": 2.0}, 0.0) for ours in (9.0, 1.0, 2.0, 3.0, 4.0)]


def test_a_figure_is_the_median_of_its_rounds() -> None:
    row = Session(QUIET).row("us", "ours µs", "what", Bar(3))
    assert (row.middle, row.range, row.status) == ("3", "1 to 9", "pass")


def test_a_ratio_is_the_median_of_the_ratios_within_a_round() -> None:
    rounds = [Round({"a": a, "b": b}, 0.0) for a, b in ((1, 1), (10, 2), (100, 50), (1000, 10), (4, 1))]
    assert Session(rounds).ratio("ratio", "a", "b", "a / b").json()["median"] == 4


@pytest.mark.parametrize(
    ("bar", "said"),
    [(Bar(3), "pass"), (Bar(2.9), "FAIL"), (at_least(3), "pass"), (at_least(3.1), "FAIL")],
    ids=str,
)
def test_a_bar_is_passed_when_it_is_reached(bar: Bar, said: str) -> None:
    session = Session(QUIET)
    row = session.row("us", "ours µs", "what", bar)
    assert row.status == said
    assert status(session, [row]) == (said == "FAIL")


@pytest.mark.parametrize(("foreign", "drift"), [(0.11, 0.0), (0.0, 0.26)], ids=["others", "pace"])
def test_rounds_in_which_the_machine_was_not_ours_or_not_the_same_do_not_count(
    foreign: float, drift: float
) -> None:
    loud = [Round({"ours µs": 1000.0}, foreign, drift)] * 20
    assert Session([*loud, *QUIET]).row("us", "ours µs", "what").middle == "3"


def test_nothing_passes_with_too_few_quiet_rounds() -> None:
    session = Session([*QUIET[:4], Round({"ours µs": 5.0}, 0.5)])
    row = session.row("us", "ours µs", "what", Bar(100))
    assert (len(row.values), row.status, status(session, [row])) == (5, "too noisy", 0)


def test_what_was_found_in_too_few_of_the_rounds_does_not_pass() -> None:
    rare = [Round({"b µs": 2.0}, 0.0)] * 4 + [Round({"a µs": 1.0, "b µs": 2.0}, 0.0)]
    session = Session(rare)
    rows = [session.row("a", "a µs", "a", Bar(9)), session.ratio("ab", "a µs", "b µs", "a / b", Bar(9))]
    assert [row.status for row in rows] == ["only 1 of 5 rounds"] * 2
    assert session.row("b", "b µs", "b", Bar(9)).status == "pass"
    grid = Grid("µs", ["of a"], [("first", rows[:1])])
    assert "Only 1 of 5 rounds: a." in str(Section("Title", "", [], [grid]))


def test_however_few_rounds_are_asked_for_fewer_than_enough_pass_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(harness, "_busy_seconds", lambda: 0.0)
    session = measure([Case("a", lambda: {"µs": 1.0})], seconds=60, enough=1)
    assert len(session.rounds) == 1 and session.row("a", "a µs", "a", Bar(9)).status == "too noisy"


def test_how_the_bars_came_out_is_said_in_a_line() -> None:
    def row(values: list[float], quiet: bool = True, of: int = 0) -> Row:
        return Row("key", "what", values, quiet, Bar(1), of=of)

    every = [row([1.0]), row([1.0]), row([2.0]), row([1.0], quiet=False), row([1.0], of=5), row([])]
    said = "6 bars: 2 passed, 1 missed, 1 too noisy, 1 in too few rounds, 1 not measured"
    assert verdict([*every, Row("key", "without", [1.0])]) == said
    assert verdict([]) == "0 bars: none was asked for"


def test_compiled_engines_are_measured_only_where_they_are_those_of_the_sources(tmp_path: Path) -> None:
    tree, sources = tmp_path / "compiled", tmp_path / "sources"
    (tree / "referee").mkdir(parents=True)
    (sources / "referee").mkdir(parents=True)
    (tree / "referee/game.cpython-311.so").touch()
    for file in (sources / "hatch_build.py", sources / "referee/game.py"):
        file.touch()
        os.utime(file, (1000, 1000))
    assert lack(tree, sources) == "there is no build/compiled: make compiled"
    (tree / MADE).touch()
    os.utime(tree / MADE, (2000, 2000))
    assert lack(tree, sources) == ""
    os.utime(sources / "referee/game.py", (3000, 3000))
    assert lack(tree, sources) == "build/compiled is stale: make compiled"


def test_quick_says_that_the_compiled_engines_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "lack", lambda: "make compiled")
    part = engine.part(quick=True)
    (row, *_) = part.rows(measure(part.cases, 0.0))
    assert (row.key, row.status) == ("compiled", "not measured: make compiled")


def test_what_was_not_measured_says_why_and_never_passes() -> None:
    rounds = [Round({"ours µs": 1.0}, 0.0, lacks={"theirs": "it is not installed"})] * 5
    for row in (
        Session(rounds).row("theirs", "theirs µs", "what", Bar(1)),
        Session(rounds).ratio("ratio", "ours µs", "theirs µs", "what", Bar(1)),
    ):
        assert row.status == "not measured: it is not installed"
        assert row.middle == row.range == "-"
    assert Session(rounds).row("none", "unknown µs", "what", Bar(1)).status == "not measured"


def test_what_is_measured_once_says_so_and_is_judged_by_its_own_round() -> None:
    session = Session(QUIET, once=[Round({"resume s": 5.0}, 0.0), Round({"build s": 1.0}, 0.9)])
    resume, build = (session.row(name, f"{name} s", "what", Bar(10)) for name in ("resume", "build"))
    assert (resume.range, resume.status, build.status) == ("once", "pass", "too noisy")
    together = Session(QUIET, once=[Round({"a": 1.0}, 0.0), Round({"a": 6.0, "b": 2.0}, 0.0)])
    assert together.ratio("ratio", "a", "b", "a / b").json()["median"] == 3


def test_with_nothing_for_every_round_there_is_none() -> None:
    session = measure([], seconds=60, once=[[Case("c", lambda: {"s": 1.0})]])
    assert (session.rounds, session.row("c", "c s", "what").range) == ([], "once")


def test_every_case_runs_once_a_round_under_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(harness, "_busy_seconds", lambda: 0.0)  # nobody else is here
    monkeypatch.setattr(harness, "_pace", lambda: 1.0)
    runs: list[str] = []

    def case(name: str) -> Case:
        def work() -> Figures:
            runs.append(name)
            return {"µs": 1.0}

        return Case(name, work)

    session = measure([case("a"), case("b")], seconds=60, enough=3, once=[[case("c")]])
    assert sorted(runs) == ["a", "a", "a", "b", "b", "b", "c"]
    assert [round.figures for round in session.rounds] == [{"a µs": 1.0, "b µs": 1.0}] * 3


@pytest.mark.parametrize(
    ("paces", "drift"),
    [([1.0] * 18 + [9.0] * 2, 8.0), ([1.0] * 19 + [9.0], 0.0), ([1.2, 1.0], 0.2), ([1.0, 1.5], 0.5)],
    ids=["a tenth", "a hiccup", "faster", "slower"],
)
def test_a_round_knows_how_much_the_machine_changed_in_it(
    monkeypatch: pytest.MonkeyPatch, paces: list[float], drift: float
) -> None:
    left = iter(paces)
    monkeypatch.setattr(harness, "_pace", lambda: next(left))
    cases = [Case(str(number), lambda: {"s": 1.0}) for number in range(len(paces) - 1)]
    (found,) = measure(cases, 0.0, 1).rounds
    assert found.drift == pytest.approx(drift)


def test_a_case_that_fails_is_told_of_and_costs_only_itself(capsys: pytest.CaptureFixture[str]) -> None:
    def broken() -> Figures:
        raise ValueError("our own mistake")

    def refused() -> Figures:
        raise NotMeasured("not here")

    session = measure([Case("bad", broken), Case("no", refused), Case("good", lambda: {"s": 1.0})], 0.0, 1)
    rows = [session.row(name, f"{name} s", "what") for name in ("bad", "no", "good")]
    assert [row.lack for row in rows] == ["it failed with ValueError", "not here", ""]
    assert status(session, rows) == 1
    assert "our own mistake" in capsys.readouterr().err


def test_a_pinned_case_has_one_core_and_gives_the_others_back() -> None:
    before = os.sched_getaffinity(0)
    found = Case("cores", lambda: {"n": float(len(os.sched_getaffinity(0)))}, pinned=True).figures()
    assert (found, os.sched_getaffinity(0)) == ({"cores n": 1.0}, before)


def test_a_section_has_its_table_its_grids_and_what_is_said_of_them() -> None:
    session = Session([Round({"x µs": 1.0, "y µs": 2.0}, 0.0, lacks={"z": "no such thing"})] * 5)
    cells = [session.row(name, f"{name} µs", name) for name in "yz"]
    part = Part(
        "Title", "\nAbout.\n", [], lambda found: [found.row("x", "x µs", "an x", Bar(2))],
        lambda _: [Grid("µs", ["of y", "of z"], [("first", cells)])],
    )  # fmt: skip
    section = Section.of(part, session)
    assert str(section).split("\n\n") == [
        "## Title",
        table(section.rows),
        "| µs | of y | of z |\n| --- | ---: | ---: |\n| first | 2 | - |",
        "Not measured: no such thing.",
        "About.",
    ]
    assert [row.key for row in bars([section])] == ["x"]
    assert [row.key for row in section.all] == ["x", "y", "z"]
    assert '"load": 0.5' in as_json(section.all, load=0.5)


def test_sections_of_other_commands_stay_on_the_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Performance\n\nold\n\n## Bars\n\nold\n\n## (a) Old\n\nold\n\n## Isolation\n\nkept\n")
    assert others_of(page) == "\n## Isolation\n\nkept\n"


def test_what_a_killed_benchmark_left_goes_with_the_next(tmp_path: Path) -> None:
    (tmp_path / "left/deeper").mkdir(parents=True)
    with scratch(tmp_path) as first:
        (first / "file").touch()
        with scratch(tmp_path) as second:
            assert set(tmp_path.iterdir()) == {first, second} and list(first.iterdir())
    assert not list(tmp_path.iterdir())


def test_a_ledger_that_is_used_again_does_not_grow(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.folder()
    bots = [BotId(name, name * 64) for name in "ab"]
    kept = {}
    with closing(Ledger(home.ledger)) as ledger:
        for name in ("cup", "more"):
            ledger.begin(name, "seed", {}, bots)
            games = list(ledgers.made(name, 1, bots))
            ledger.take_up(name).lease(done.planned for done in games[:1])  # one that is never kept
            ledgers.keep(ledger, name, iter(games))
            kept[name] = len(ledger.ids(name))
        with ledgers.alone(home):
            assert ledger.names() == ["cup"]
            ledger.begin("more", "seed", {}, bots)
            ledgers.keep(ledger, "more", ledgers.made("more", 1, bots))
            assert len(ledger.ids("more")) == kept["more"]
        assert ledger.names() == ["cup"] and len(ledger.ids("cup")) == kept["cup"] > 0
        assert not list(ledger.damage())
