"""A real run that is watched: what of its games is seen, when, and by whom."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from arena.feed import SHOWN
from arena.home import Home
from arena.live import Watch
from arena.snapshots import Snapshot

pytestmark = pytest.mark.long
DELAY = 1.0
SLOW = """
import os, sys, time
from protocol.client import Bot, run


class Slow(Bot):
    def choose(self, turn):
        time.sleep(0.15)
        print("took", turn["turn"], time.monotonic(), file=sys.stderr, flush=True)
        return turn["legal"][0]


def reads(path):
    try:
        with open(path, "rb") as file:
            return len(file.read())
    except OSError:
        return -1


for root, folders, files in os.walk("/tmp"):
    if "feed.json" in files or "watched" in files or "kingmaker" in root and reads(os.path.join(root, "feed.json")) >= 0:
        print("SEEN", root, file=sys.stderr, flush=True)
print("looked", flush=True, file=sys.stderr)
run(Slow())
"""
CUP = f"""
bots = ["./slow.py", "./other.py"]
variants = ["claim"]
deals = 2
spectator_delay_ms = {DELAY * 1000:.0f}
concurrency = 1
"""


@pytest.fixture(autouse=True)
def here(short: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(short)
    Path("slow.py").write_text(SLOW)
    Path("other.py").write_text(SLOW + "# another\n")
    Path("cup.toml").write_text(CUP)


def command(*words: str) -> list[str]:
    return [sys.executable, "-P", "-c", "import arena.cli; arena.cli.main()", "--home", "home", *words]


@contextmanager
def running(*words: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(command("run", *words), stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            process.communicate(timeout=30)


def looks(watch: Watch, seconds: float) -> Iterator[Snapshot]:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        yield watch.look()
        time.sleep(0.1)


def logs() -> list[str]:
    """What bots printed."""
    return [path.read_text() for path in Path("home/logs/cup").glob("*.log")]


def test_games_under_way_are_seen_public_and_never_younger_than_the_delay(
    nothing_left: Callable[[], list[str]],
) -> None:
    seen: list[tuple[float, int, int]] = []
    home, folders = Home("home"), set()
    with Watch("cup.toml", home) as watch, running("cup.toml") as run:
        for snapshot in looks(watch, 90):
            now = time.monotonic()
            folder = home.run_folder("cup")
            folders |= {folder} if folder and (folder / SHOWN).exists() else set()
            for game in snapshot.underway:
                seen.append((now, game.step, snapshot.over))
                told = watch.moves(game.id) or []
                assert {event.audience for event in told} == {None}
                assert not {event.kind for event in told} & {"@action", "@legal", "@unseen", "@fault"}
            if run.poll() is not None:
                break
        last = watch.look()
        assert last.ended == "all games are played" and last.over == 4 and not last.faults
    assert max(step for _, step, _ in seen) == 52, "to the end"
    assert len(seen) > 30 and len(folders) == 1
    said = [line.split() for log in logs() for line in log.splitlines()]
    of_all = [float(words[2]) for words in said if words[0] == "took"]
    assert len(of_all) == 4 * 52
    for now, step, over in seen:
        old = sum(at <= now - DELAY for at in of_all)
        assert step <= max(0, old - 52 * max(0, over - 1)), "an action that was younger"
    assert all("looked" in log and "SEEN" not in log for log in logs())
    assert nothing_left() == []


def test_where_bots_are_trusted_nothing_of_their_games_is_shown() -> None:
    Path("cup.toml").write_text(CUP.replace("deals = 2", "deals = 1"))
    found: list[Snapshot] = []
    with Watch("cup.toml", Home("home")) as watch, running("cup.toml", "--sandbox", "none") as run:
        for one in looks(watch, 60):
            found += [one] if one.running else []
            if run.poll() is not None:
                break
    assert found and not any(one.underway for one in found)
    told = [one for one in found if one.notes and "not shown" in one.notes[-1]]
    assert told and all(one.delay_seconds is None for one in told)
    assert any("SEEN" in log for log in logs()), "the spy of the other test sees what there is"


def test_watch_json_waits_for_a_run_and_ends_with_it() -> None:
    Path("cup.toml").write_text(CUP.replace("deals = 2", "deals = 1"))
    with subprocess.Popen(command("watch", "cup.toml", "--json"), stdout=subprocess.PIPE, text=True) as watch:
        time.sleep(1.5)
        with running("cup.toml") as run:
            said, _ = watch.communicate(timeout=90)
            assert run.wait(20) == 0 and watch.returncode == 0
    told: list[dict[str, Any]] = [json.loads(line) for line in said.splitlines()]
    assert not told[0]["running"] and "waited for" in told[0]["notes"][0]
    assert any(one["underway"] for one in told) and {one["schema"] for one in told} == {"kingmaker/live/1"}
    assert told[-1]["ended"] and told[-1]["over"] == 2 and told[-1]["leaders"]


@pytest.mark.parametrize("how", ["q", "\x03", "SIGTERM"])
def test_the_terminal_is_given_back(how: str) -> None:
    import termios

    master, slave = pty.openpty()
    before = termios.tcgetattr(slave)
    written: list[bytes] = []
    reader = threading.Thread(target=_drain, args=(master, written))
    reader.start()
    with running("cup.toml"):
        process = subprocess.Popen(
            command("watch", "cup.toml"), stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
            env={**os.environ, "TERM": "xterm"}, preexec_fn=_controls(slave),
        )  # fmt: skip
        until = time.monotonic() + 20
        while b" running" not in b"".join(written) and time.monotonic() < until:
            time.sleep(0.1)
        raw = termios.tcgetattr(slave)
        if how == "SIGTERM":
            process.terminate()
        else:
            os.write(master, how.encode())
        assert process.wait(10) == (0 if how == "q" else 130)
        assert not raw[3] & termios.ICANON and termios.tcgetattr(slave) == before
    os.close(slave)
    reader.join(10)
    os.close(master)
    said = b"".join(written)
    assert said.count(b"\x1b[?1049h") == said.count(b"\x1b[?1049l") == 1 and b"\x1b[?25h" in said


def _drain(terminal: int, into: list[bytes]) -> None:
    """Read all that is written, until nobody has the terminal any more."""
    with suppress(OSError):
        while read := os.read(terminal, 1 << 16):
            into.append(read)


def _controls(terminal: int) -> Callable[[], None]:
    import fcntl
    import termios

    def take() -> None:
        fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)

    return take
