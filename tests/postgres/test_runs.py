"""Real tournaments with a ledger on a server: killed, taken over, cut off; and the same as in a file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import random

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.config import load
from arena.errors import Busy
from arena.home import Home
from arena.ledger import Ledger
from arena.place import place_of
from arena.tournament import _enter, prepare
from protocol.vocabulary import BotId
from tests.e2e.conftest import home, nothing_left, short
from tests.postgres.server import PASSWORD, PostgresServer

pytestmark = pytest.mark.postgres
__all__ = ["home", "nothing_left", "short"]  # fixtures
ARENA = [sys.executable, "-P", "-c", "import arena.cli; arena.cli.main()"]
CUP = 'name = "cup"\nbots = ["random", "greedy"]\nvariants = ["claim"]\ndeals = {deals}\nseed = "the same"\n'


class Machine:
    """One with a home folder of its own, and a ledger that others have, too."""

    def __init__(self, folder: Path, ledger: str) -> None:
        self.folder = folder
        folder.mkdir()
        self.env = os.environ | {"KINGMAKER_LEDGER": ledger, "KINGMAKER_HOME": str(folder / "home")}
        self.home = Home(folder / "home", ledger=place_of(ledger))

    def write(self, deals: int) -> None:
        (self.folder / "cup.toml").write_text(CUP.format(deals=deals))

    def call(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*ARENA, *words],
            env=self.env,
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )

    def start(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*ARENA, *words], env=self.env, cwd=self.folder, text=True, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )  # fmt: skip

    def kept(self) -> list[str]:
        with closing(Ledger(self.home.ledger)) as ledger:
            return [link.game for link in ledger.links("cup")] if ledger.find("cup") else []

    def running(self, more: int = 1) -> subprocess.Popen[str]:
        """A run that has kept something by now."""
        before, runner = len(self.kept()), self.start("run", "cup.toml")
        while len(self.kept()) < before + more:
            assert runner.poll() is None, runner.communicate()
            time.sleep(0.05)
        return runner


@pytest.fixture
def ledger(postgres: PostgresServer, short: Path) -> str:
    return postgres.make(short.name)


@pytest.fixture
def machine(short: Path, ledger: str) -> Machine:
    return Machine(short / "one", ledger)


@pytest.fixture
def other(short: Path, ledger: str) -> Machine:
    return Machine(short / "other", ledger)


def ended(runner: subprocess.Popen[str]) -> tuple[int, str]:
    _, said = runner.communicate(timeout=60)
    return runner.returncode, said


def whole(machine: Machine, deals: int) -> None:
    """Play what is missing: each game that was scheduled is there once."""
    machine.write(deals)
    done = machine.call("run", "cup.toml")
    assert done.returncode == 0, done.stderr
    assert set(Counter(machine.kept()).values()) == {1} and len(machine.kept()) == 2 * deals
    assert machine.call("verify", "cup").returncode == 0


def test_a_tournament_is_the_same_in_a_file_and_on_a_server(
    machine: Machine, postgres: PostgresServer, short: Path
) -> None:
    address = postgres.at_port(short.name)
    machine.env["KINGMAKER_LEDGER"] = address
    whole(machine, 6)
    file = str(short / "cups.sqlite")
    copied = machine.call("ledger", "copy", address, file)
    assert copied.returncode == 0 and "12 games" in copied.stderr, copied.stderr
    shown = [_all_that_is_shown(machine.home.path, ledger, short / ledger[-6:]) for ledger in (address, file)]
    assert shown[0] == shown[1] and len(shown[0]) > 20
    assert PASSWORD not in copied.stderr
    written = [path for path in short.rglob("*") if path.is_file()]
    assert not [path for path in written if PASSWORD.encode() in path.read_bytes()]


def _all_that_is_shown(home: Path, ledger: str, folder: Path) -> dict[str, str | bytes]:
    folder.mkdir()
    words = {
        "board": "leaderboard cup --format json", "by variant": "leaderboard cup --by variant", "status": "status cup",
        "list": "record list cup --json", "export": f"record export cup -o {folder}/cup.jsonl",
        "site": f"site build cup -o {folder}/site", "bots": "bot list",
    }  # fmt: skip
    shown: dict[str, str | bytes] = {}
    for name, line in words.items():
        done = CliRunner().invoke(main, ["--home", str(home), "--ledger", ledger, *line.split()])
        assert done.exit_code == 0 and PASSWORD not in done.output, (name, done.output)
        shown[name] = done.stdout.replace(str(folder), "")
    files = [path for path in folder.rglob("*") if path.is_file()]
    return shown | {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_a_run_that_is_killed_goes_on(machine: Machine, nothing_left: Callable[[], list[str]]) -> None:
    machine.write(40)
    for _ in range(2):
        runner = machine.running()
        runner.kill()
        ended(runner)
    assert nothing_left() == []
    whole(machine, 40)


def test_one_machine_at_a_time_runs_a_tournament_and_all_see_that(machine: Machine, other: Machine) -> None:
    machine.write(5000)
    other.write(5000)
    runner = machine.running()
    busy = other.call("run", "cup.toml")
    assert busy.returncode == 5 and "E501" in busy.stderr and "another machine" in busy.stderr
    assert "running" in other.call("status", "cup").stdout
    assert other.call("bot", "prune").returncode == 5, "it may have bots that are in no tournament yet"
    copied = other.call("ledger", "copy", other.env["KINGMAKER_LEDGER"], str(other.folder / "x.sqlite"))
    assert copied.returncode == 5 and not (other.folder / "x.sqlite").exists()
    runner.send_signal(signal.SIGINT)
    assert ended(runner)[0] == 130
    assert not other.home.held("cup")


@pytest.mark.parametrize(
    ("writes", "ends"), [(False, (5, "taken up by another process")), (True, (4, "E411"))]
)
def test_a_run_that_lost_its_lock_and_is_taken_over_keeps_nothing_more(
    machine: Machine,
    other: Machine,
    postgres: PostgresServer,
    short: Path,
    writes: bool,
    ends: tuple[int, str],
) -> None:
    machine.write(2000)
    runner = machine.running()
    with pytest.raises(Busy), other.home.lock("cup"):
        pass
    sleeps(runner, postgres, short.name, writes)
    end_holder(postgres, short.name)
    with other.home.lock("cup"):  # the server ends who sleeps in the middle of writing
        kept = machine.kept()
        runner.send_signal(signal.SIGCONT)
        code, said = ended(runner)
        assert (code, ends[1] in said) == (ends[0], True), said
        assert machine.kept() == kept, "nothing after the other has the lock"
    assert set(Counter(kept).values()) == {1}


def sleeps(runner: subprocess.Popen[str], postgres: PostgresServer, database: str, writes: bool) -> None:
    """Stop a run, as on a machine that sleeps, in the middle of writing or out of it."""
    writer = b"SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 0 AND granted"
    with postgres.asking(database) as db:
        while True:
            runner.send_signal(signal.SIGSTOP)
            time.sleep(0.5)  # the server gets what was sent
            if (db.execute(writer).fetchone() is not None) == writes:
                return
            runner.send_signal(signal.SIGCONT)
            time.sleep(random())


def end_holder(postgres: PostgresServer, database: str) -> None:
    holder = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid > 0"
    with postgres.asking(database) as db:
        assert db.execute(holder.encode()).fetchall() == [(True,)]


def test_a_run_whose_lock_is_lost_ends(machine: Machine, postgres: PostgresServer, short: Path) -> None:
    machine.write(2000)
    runner = machine.running()
    end_holder(postgres, short.name)
    code, said = ended(runner)
    assert code == 4 and "E411" in said and "lock of tournament 'cup' is lost" in said, said
    kept = machine.kept()
    assert set(Counter(kept).values()) == {1} and len(kept) < 4000


def test_a_run_that_lost_its_lock_while_it_took_bots_in_takes_nothing_over(
    machine: Machine, other: Machine, postgres: PostgresServer, short: Path
) -> None:
    machine.write(2)
    with machine.home.lock("cup"), closing(Ledger(machine.home.ledger)) as ledger:
        late = prepare(load(str(machine.folder / "cup.toml")), machine.home, ledger)
        end_holder(postgres, short.name)
        whole(other, 2)
        with pytest.raises(Busy, match="taken up by another process"):
            _enter(late, ledger)
    whole(other, 3)


def test_a_lock_lasts_however_little_idle_sessions_are_given(
    machine: Machine, postgres: PostgresServer, short: Path
) -> None:
    with postgres.asking() as db:
        db.execute(f'ALTER DATABASE "{short.name}" SET idle_session_timeout = 200'.encode())
    with machine.home.lock("cup"):
        time.sleep(0.5)
        assert machine.home.held("cup")


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT])
def test_a_server_that_ends_in_the_middle_is_code_4_and_the_next_run_goes_on(
    how: signal.Signals, machine: Machine, postgres: PostgresServer, nothing_left: Callable[[], list[str]]
) -> None:
    machine.write(100)
    runner = machine.running()
    postgres.stop(how)
    code, said = ended(runner)
    gone = machine.call("status", "cup")
    postgres.start()
    assert code == 4 and "E411" in said and "it goes on" in said, said
    assert gone.returncode == 4 and "E411" in gone.stderr
    assert nothing_left() == []
    assert machine.kept()
    whole(machine, 100)


def test_files_of_a_bot_that_are_on_another_machine_are_said_so(machine: Machine, other: Machine) -> None:
    whole(machine, 1)
    lacking = other.call("run", "cup")
    assert lacking.returncode == 2 and "E211" in lacking.stderr and "not on this machine" in lacking.stderr
    for name in ("random", "greedy"):
        file = str(other.folder / f"{name}.tar.gz")
        digest = next(bot.digest for bot in _bots(machine) if bot.name == name)
        assert machine.call("bot", "export", f"{name}@{digest}", "-o", file).returncode == 0
        added = other.call("bot", "add", "--no-check", file)
        assert added.returncode == 0, added.stderr
    done = other.call("run", "cup")
    assert done.returncode == 0, done.stderr


def _bots(machine: Machine) -> Iterator[BotId]:
    with closing(Ledger(machine.home.ledger)) as ledger:
        yield from ledger.tournament("cup").bots
