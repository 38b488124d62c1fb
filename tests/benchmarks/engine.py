"""(c) The engines without a referee, in plain Python and compiled: `engine_runs` in a process for each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from tests.benchmarks import build
from tests.benchmarks.harness import Case, Row, Session, at_least
from tests.benchmarks.peers import peer
from tests.benchmarks.report import Grid, Part

RUNS = "tests.benchmarks.engine_runs"
HEARTS = 500
PLAYED = {
    "claim": "Claim, all 64 variants",
    "claim looped": "the same, the loop in Python",
    "claim for two": "Claim, the 40 for two",
    "houses for two": "Aristoocrazy, classic for two",
    "houses for four": "Aristoocrazy, classic for four",
    "houses quick": "Aristoocrazy, quick2013 for two",
}
CALLED = {"claim": "Claim, base game for two", "houses": "Aristoocrazy, classic for two"}
CALLS = ("clone", "legal", "view", "sample")
ABOUT = """
Random games by `State.play_out`, in CPU time, from given deals; what a deal takes stands beside. A call is timed in
states on the way, each a fresh copy, so that nothing kept from the call before helps. *Compiled*: the same script
with `build/compiled` (`make compiled`) first on its path; `play_out` is compiled with the rules there, a loop in a
program of one's own is not.

OpenSpiel deals hearts card by card. Its documentation draws each card with numpy from a list of probabilities,
which is most of that loop's time; a program that knows that all cards are alike can do without. Both are
shown, and both engines from given deals: an engine in C++ behind a Python loop is faster a step than one that is
Python all through.
"""


def part(quick: bool = False) -> Part:
    """All of it, or what `make bench-quick` has time for: Claim, where there is a compiled one to compare with."""
    words = ["quick"] if quick else []
    cases = [Case("compiled", partial(build.ran, RUNS, True, words))]
    if not quick or not build.lack():
        cases.append(Case("plain", partial(build.ran, RUNS, False, words)))
    if not quick:
        cases.append(peer("hearts", "open_spiel", "open_spiel_hearts.py", str(HEARTS)))
    return Part("(c) Engines", ABOUT, cases, _rows, lambda session: [] if quick else _grids(session))


def _rows(session: Session) -> list[Row]:
    row, ratio = session.row, session.ratio
    hearts, rate = "OpenSpiel's hearts", "plain claim games/s"
    return [
        ratio("compiled", "compiled claim games/s", rate, "compiled / plain, Claim, all 64 variants, games/s", at_least(4)),
        ratio("compiled_looped", "compiled claim looped games/s", "plain claim looped games/s", "the same, each in a Python loop"),
        ratio("compiled_houses", "compiled houses for two games/s", "plain houses for two games/s", "compiled / plain, Aristoocrazy for two"),
        ratio("engine", rate, "hearts documented", f"Claim, all 64 variants, plain / {hearts} in its documented loop, games/s", at_least(1.5)),
        ratio("engine_lean", rate, "hearts lean", f"the same / {hearts}, dealt without numpy"),
        ratio("engine_dealt", rate, "hearts dealt", f"the same / {hearts}, both from given deals"),
        ratio("engine_compiled", "compiled claim games/s", "hearts dealt", "the same, compiled"),
        row("hearts_documented", "hearts documented", f"games/s: {hearts}, documented loop"),
        row("hearts_lean", "hearts lean", f"games/s: {hearts}, dealt without numpy"),
        row("hearts_dealt", "hearts dealt", f"games/s: {hearts}, from given deals"),
    ]  # fmt: skip


def _grids(session: Session) -> list[Grid]:
    units = {
        "games/s": "games/s",
        "decisions/s": "decisions/s",
        "µs": "µs a decision",
        "deal µs": "µs a deal",
    }
    played = [(what, _line(session, name, units)) for name, what in PLAYED.items()]
    called = [(what, _line(session, name, [f"{call} µs" for call in CALLS])) for name, what in CALLED.items()]
    return [
        Grid("random games", _both(list(units.values())), played),
        Grid("µs a call", _both([f"`{call}()`" for call in CALLS]), called),
    ]


def _both(columns: Sequence[str]) -> list[str]:
    return [f"{column}, {kind}" for column in columns for kind in ("plain", "compiled")]


def _line(session: Session, name: str, units: Sequence[str] | dict[str, str]) -> list[Row]:
    return [
        session.row(
            f"{name} {unit} {kind}".replace(" ", "_"), f"{kind} {name} {unit}", f"{name}: {unit}, {kind}"
        )
        for unit in units
        for kind in ("plain", "compiled")
    ]
