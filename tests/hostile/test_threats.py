"""The table of threats is whole, and what it names is there. The campaign itself: `make hostile`."""

from __future__ import annotations

import re

from tests.hostile.threats import ATTACKS, BAD, COVERED, ESCAPES, NEVER, PROBE, RIVALS

HONEST = {"probe", "sleeper", "witness"}
"""Bots of the campaign that attack nobody, or many at once."""


def test_every_threat_has_a_row() -> None:
    shown = {row.threat for row in (*ATTACKS, *ESCAPES, *COVERED)}
    assert shown == {f"T{number}" for number in range(1, 73)}


def test_every_attack_is_a_bot_with_a_verdict_for_each_mode_and_transport() -> None:
    for attack in (*ATTACKS, *RIVALS, PROBE):
        assert attack.transports
        assert all(attack.expected(mode, way, ()) for mode in ("none", "strict") for way in attack.transports)


def test_no_hostile_bot_is_left_out() -> None:
    played = {attack.path for attack in ATTACKS}
    there = {path for path in BAD.glob("hostile/*.py") if path.stem not in HONEST}
    assert there <= played


def test_every_attempt_of_the_probe_counts_for_a_threat() -> None:
    made = re.findall(r'^@attempt\("(.+)"\)$', PROBE.path.read_text("utf-8"), re.MULTILINE)
    counted = [name for escape in ESCAPES for name in escape.attempts]
    assert sorted(made) == sorted(counted) and set(counted) >= NEVER


def test_every_test_that_is_named_is_there() -> None:
    for id in (id for covered in COVERED for id in covered.tests):
        file, name = id.split("::")
        assert f"\ndef {name}(" in (BAD.parent / file).read_text("utf-8"), id
