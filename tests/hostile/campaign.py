"""The hostile campaign: `python -m tests.hostile.campaign [--json] [THREAT ...]`. Exit 1: a row is wrong.

Two lanes, each a process with workers of its own, play the attacks; then the tests of the project are run that
cover what no bot can do.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout
from dataclasses import asdict
from io import StringIO
from pathlib import Path
from threading import Thread

import pytest

from referee.processes.sandbox import NONE
from tests.hostile.accounts import Account
from tests.hostile.bait import Bait
from tests.hostile.modes import modes
from tests.hostile.report import flaws, is_disturbed, rows, show
from tests.hostile.stage import Stage
from tests.hostile.threats import ATTACKS, COVERED, ESCAPES, RIVALS, Attack, Covered

ROOT = Path(__file__).parents[2]
LANES = 2
AGAIN = 2
"""How often what a busy machine may have spoilt is played again; it must be right each time."""
KEYS = 16
"""Of SysV memory, for each process."""


def main() -> int:
    """Play it all and print the table; 1 where a row is wrong."""
    begun = time.monotonic()
    options = _options()
    if options.lane is not None:
        _lane(options.lane, options.threats)
        return 0
    accounts = list(_all_lanes(options.threats))
    tested = _test([one for one in COVERED if _wanted(one.threat, options.threats)])
    table = rows(accounts, tested, options.threats)
    if options.json:
        shown = [asdict(row) | {"right": row.right} for row in table]
        print(json.dumps({"rows": shown, "accounts": [asdict(one) for one in accounts]}))
    else:
        print(show(table, accounts, [mode.note for mode in modes()], time.monotonic() - begun))
    return int(any(not row.right for row in table))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("threats", nargs="*", help="such as T3; all where none is named")
    parser.add_argument("--json", action="store_true", help="the rows and all accounts as JSON")
    parser.add_argument("--lane", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if unknown := set(options.threats) - {row.threat for row in (*ATTACKS, *ESCAPES, *COVERED, *RIVALS)}:
        parser.error(f"no threat {' '.join(sorted(unknown))}")
    return options


def _wanted(threat: str, threats: Iterable[str]) -> bool:
    return not threats or threat in threats


# lanes


def _all_lanes(threats: list[str]) -> Iterator[Account]:
    """The accounts of both lanes; what is told meanwhile goes to stderr."""
    command = [sys.executable, "-m", "tests.hostile.campaign", *threats, "--lane"]
    lanes = [
        subprocess.Popen([*command, str(lane)], cwd=ROOT, stdout=subprocess.PIPE, start_new_session=True)
        for lane in range(LANES)
    ]
    said: list[list[Account]] = [[] for _ in lanes]
    threads = [Thread(target=_listen, args=pair) for pair in zip(lanes, said, strict=True)]
    for thread in threads:
        thread.start()
    for thread, lane in zip(threads, lanes, strict=True):
        thread.join()
        if lane.wait():
            raise SystemExit(f"a lane ended with {lane.returncode}")
    for accounts in said:
        yield from accounts


def _listen(lane: subprocess.Popen[bytes], accounts: list[Account]) -> None:
    assert lane.stdout is not None
    for line in lane.stdout:
        account = Account(**json.loads(line))
        accounts.append(account)
        if sys.stderr.isatty():
            print(f"\r{account.attack} ({account.mode})\033[K", end="", file=sys.stderr, flush=True)


def _lane(number: int, threats: list[str]) -> None:
    """Play every second attack in every mode, and print the accounts as JSON, one a line."""
    folder = Path(tempfile.mkdtemp(prefix="kmh"))
    try:
        with Bait(folder, f"{folder.name}-bait", os.getpid() * KEYS) as bait:
            for box in (mode.sandbox for mode in modes() if mode.sandbox):
                with Stage(folder / box.mode, box, bait) as stage:
                    for account in _accounts(stage, number, threats):
                        print(json.dumps(asdict(account)), flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _accounts(stage: Stage, number: int, threats: list[str]) -> Iterator[Account]:
    attacks: list[Attack] = [one for one in ATTACKS if _wanted(one.threat, threats)]
    if stage.sandbox == NONE:
        attacks += [one for one in RIVALS if _wanted(one.threat, threats)]
    for attack in attacks[number::LANES]:
        yield _attack(stage, attack)
    if number == 0 and any(_wanted(one.threat, threats) for one in ESCAPES):
        yield from stage.probe()


def _attack(stage: Stage, attack: Attack) -> Account:
    account = stage.attack(attack)
    if is_disturbed(account):
        again = [stage.attack(attack) for _ in range(AGAIN)]
        account = max(again, key=lambda one: len(list(flaws(one))))
        account.tries += AGAIN
    return account


# tests of the project


class _Outcomes:
    """A plugin of pytest that notes what becomes of each test, by its id without parameters."""

    def __init__(self) -> None:
        self.worst: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        id = report.nodeid.split("[")[0].removeprefix("tests/")
        if self.worst.get(id, "passed") == "passed":
            self.worst[id] = report.outcome


def _test(covered: list[Covered]) -> dict[str, str]:
    """The worst outcome of each test that covers a threat (`passed`, `skipped`, `failed`), by its id."""
    ids = sorted({f"tests/{test}" for one in covered for test in one.tests})
    outcomes = _Outcomes()
    if ids:
        arguments = ["-q", "-m", "", "-p", "no:cacheprovider", "-n", str(LANES), "--dist", "loadgroup"]
        with redirect_stdout(StringIO()) as said:
            status = pytest.main([*arguments, *ids], plugins=[outcomes])
        if status:
            print(said.getvalue(), file=sys.stderr)
    return outcomes.worst


if __name__ == "__main__":
    sys.exit(main())
