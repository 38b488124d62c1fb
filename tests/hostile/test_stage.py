"""The harness of the campaign finds what is planted: a sandbox of no layers, litter, an innocent that fails."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee.processes.sandbox import NONE, Sandbox
from tests.hostile import stage as stages
from tests.hostile.bait import Bait
from tests.hostile.report import rows
from tests.hostile.stage import WITNESS, Stage
from tests.hostile.threats import ATTACKS, ESCAPES, NEVER, OF_NAMESPACES, PROBE, Attack

pytestmark = pytest.mark.hostile


@pytest.fixture
def folder() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="kmh"))
    yield path
    shutil.rmtree(path)


@pytest.fixture
def bait(folder: Path) -> Iterator[Bait]:
    with Bait(folder, f"{folder.name}-bait", os.getpid() * 16) as bait:
        yield bait


def test_a_sandbox_that_keeps_nothing_apart_is_found_out(folder: Path, bait: Bait) -> None:
    with Stage(folder / "x", Sandbox("default"), bait) as stage:
        accounts = stage.probe()
    assert [account.got for account in accounts] == ["nothing"] * len(PROBE.transports)
    of_escapes = [row for row in rows(accounts, {}, []) if row.title in {escape.title for escape in ESCAPES}]
    # The first two are stopped without a layer; the others may be done where there are no namespaces.
    alike = {"gain by a setuid program", "make a setuid program"} | OF_NAMESPACES
    told = {line.removeprefix("default: did: ") for row in of_escapes for line in row.wrong}
    assert told >= {name for escape in ESCAPES for name in escape.attempts} - NEVER - alike


def test_what_a_bot_leaves_is_found(folder: Path, bait: Bait, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Attack, "litters", lambda attack, mode: False)
    litters = next(attack for attack in ATTACKS if attack.bot == "hostile/litters")
    with Stage(folder / "x", NONE, bait) as stage:
        left = stage.attack(litters).left
    assert {one.split()[0] for one in left} == {"file", "shm"}


def test_an_innocent_that_fails_is_found(folder: Path, bait: Bait, monkeypatch: pytest.MonkeyPatch) -> None:
    with Stage(folder / "x", NONE, bait) as stage:
        monkeypatch.setattr(stages, "WITNESS", replace(WITNESS, bot="not_json"))
        monkeypatch.setattr(stage, "_waited", lambda job: (0.0, 0.0))
        account = stage.attack(next(attack for attack in ATTACKS if attack.bot == "daemon"))
    assert any("innocent seat is at fault" in text for text in account.trouble)
    assert any("the match at the side" in text for text in account.trouble)
