"""The campaign's judgement: whatever is wrong makes its row wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocol.vocabulary import FaultKind
from referee import score
from referee.faults import Misstep
from referee.jobs import GameDone, Job, Launch
from tests.hostile.accounts import Account, allowed, harm, matches, verdict
from tests.hostile.report import GROWTH_KIB, LATE, WIDTH, Row, is_disturbed, rows, show
from tests.hostile.threats import COVERED, ESCAPES, NEVER, OF_NAMESPACES, PROBE
from tests.referee.driving import bot_ids, drive, planned, random_player, spec_for

GOOD = Account(
    "T1 not_json", "default", "protocol_error/not_json", "protocol_error/not_json", 0.1, 0.6, 0, 90, [], []
)


def row(*accounts: Account, threat: str = "T1") -> Row:
    return rows(accounts, {}, [threat])[0]


def test_a_good_account_makes_a_good_row() -> None:
    assert row(GOOD).right and row(GOOD, replace(GOOD, mode="strict")).parts[0].modes == ("default", "strict")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"got": "protocol_error/bad_utf8"}, "got protocol_error/bad_utf8"),
        ({"got": "nothing"}, "got nothing"),
        ({"seconds": 0.6 + LATE + 0.001}, "took 0.851 s"),
        ({"grew": GROWTH_KIB}, "grew"),
        ({"left": ["process 17 sleep"]}, "left process 17 sleep"),
        ({"trouble": ["an innocent seat is at fault"]}, "innocent"),
    ],
)
def test_one_flaw_in_one_mode_makes_it_wrong(change: dict[str, object], told: str) -> None:
    found = row(GOOD, replace(GOOD, mode="strict", **change))  # type: ignore[arg-type]
    assert not found.right
    (wrong,) = found.wrong
    assert wrong.startswith("strict: ") and told in wrong
    assert f"T1 {wrong}" in show([found], [GOOD], [], 1.0)


def test_what_was_not_played_is_wrong() -> None:
    assert not row().right and not row(threat="T40").right and not row(threat="T54").right


def test_what_the_host_took_from_a_bot_is_not_counted() -> None:
    late = replace(GOOD, seconds=2.0)
    assert is_disturbed(late) and not is_disturbed(replace(late, lag=1.2))


def probed(mode: str, *done: str) -> Account:
    did = {name: "yes" if name in done else "no" for escape in ESCAPES for name in escape.attempts}
    return Account(f"{PROBE.threat} {PROBE.bot}", mode, "nothing", "nothing", 0, 10, 0, 0, [], [], did=did)


def test_an_attempt_that_succeeds_is_wrong_where_bots_are_kept_apart() -> None:
    everything = [name for name in probed("none").did if name not in NEVER]
    trusted = probed("none", *everything)
    assert row(trusted, probed("default"), threat="T44").right
    (service,) = next(escape.attempts for escape in ESCAPES if escape.threat == "T44")
    assert row(trusted, probed("default", service), threat="T44").wrong == (f"default: did: {service}",)


def test_some_attempts_must_fail_where_bots_are_trusted_too() -> None:
    found = [one for one in rows([probed("none", *NEVER)], {}, []) if one.threat in ("T47", "T51")]
    assert {wrong for one in found for wrong in one.wrong} >= {f"none: did: {name}" for name in NEVER}


def test_an_attempt_that_was_not_made_is_wrong() -> None:
    lazy = replace(probed("strict"), did={})
    assert not row(lazy, threat="T44").right


def test_one_test_that_fails_makes_its_row_wrong() -> None:
    covered = next(one for one in COVERED if one.threat == "T64")
    passed = dict.fromkeys(covered.tests, "passed")
    assert rows([], passed, ["T64"])[0].right
    assert not rows([], passed | {covered.tests[0]: "skipped"}, ["T64"])[0].right


def test_the_table_has_120_columns() -> None:
    long = replace(GOOD, expected="x" * 99, got="y" * 99, mode="strict")
    table = rows([GOOD, long, probed("none"), probed("default")], {}, [])
    lines = show([replace(one, wrong=(), notes=()) for one in table], [], ["note " * 99], 1.0).splitlines()
    assert max(map(len, lines)) <= WIDTH


# what is read off a record


def done(variant: str, *faulty: int) -> GameDone:
    """A game in which seats fail at their first turn."""

    def fails(message: dict[str, object]) -> str | Misstep:
        return Misstep(FaultKind.TIMEOUT) if message["type"] == "turn" else ""

    spec = spec_for(variant)
    players = [fails if seat in faulty else random_player() for seat in range(spec.variant.players)]
    played, _ = drive(spec, players)
    seats = tuple(Launch(bot, (), "") for bot in bot_ids(len(players)))
    job = Job("duel", spec.variant.id, seats, (planned(),), spec.limits, "secret", "")
    return score.finished(job, planned(), played)


def test_the_fault_of_the_first_seat_is_the_verdict() -> None:
    assert verdict(done("claim", 0)) == "timeout" and verdict(done("claim")) == "nothing"


def test_an_innocent_seat_at_fault_is_harm() -> None:
    assert not harm(done("claim", 0)) and not harm(done("claim/3p/GK-UWXTD", 0))
    assert harm(done("claim", 1)) and harm(done("claim/3p/GK-UWXTD", 0, 2))


def test_a_kind_alone_means_all_its_reasons() -> None:
    assert matches("crash/exit 3", "crash") and matches("crash/exit 3", "timeout or crash/exit 3")
    assert not matches("crash/exit 3", "crash/exit 30") and not matches("crash/exit 30", "crash/exit 3")


def test_a_bot_has_the_time_of_a_move_and_its_margin() -> None:
    assert allowed(done("claim", 0)) == (5.02, 0.0)


def test_filters_alone_let_some_attempts_pass() -> None:
    done = probed("default", *OF_NAMESPACES)
    found = rows([probed("none"), replace(done, whole=False)], {}, ["T41"])
    assert all(one.right for one in found if one.title in {escape.title for escape in ESCAPES})
    assert not any(one.right for one in rows([probed("none"), done], {}, ["T41"]))
