"""What this machine's kernel does not offer, tested on one that does: see `boot.py`."""

import tempfile
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from .boot import KERNEL, boot
from .guest.inside import until

GUEST = Path(__file__).parent / "guest"
pytestmark = [
    pytest.mark.hostile,
    pytest.mark.timeout(600),
    pytest.mark.skipif(KERNEL is None, reason="no linux.uml (Debian: apt-get install user-mode-linux)"),
]


@pytest.mark.parametrize("module", ["limits", "escapes", "strict"])
def test_in_a_guest(module: str) -> None:
    options = ["-q", "-p", "no:cacheprovider", "--tb=short", "-o", "addopts=", "--import-mode=importlib"]
    ended = boot(["python", "-m", "pytest", *options, str(GUEST / f"{module}.py")], seconds=500)
    assert ended.code == 0, ended.output + ended.console
    assert "skipped" not in ended.output


def test_a_command_is_run_as_root_in_the_checkout() -> None:
    ended = boot(["sh", "-c", "id -u; pwd; echo $PATH; exit 7"])
    checkout = str(GUEST.parents[2])
    assert (ended.code, ended.output.split()[:2]) == (7, ["0", checkout])
    assert f"{checkout}/.venv/bin" in ended.output


def test_a_command_without_end_is_ended_and_nothing_is_left(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ended = boot(["sh", "-c", "echo started; sleep 100"], seconds=10)
    assert (ended.code, ended.output) == (None, "started\n")
    assert not list(tmp_path.iterdir())
    until(lambda: not [pid for pid in psutil.pids() if str(tmp_path) in command_of(pid)])


def command_of(pid: int) -> str:
    with suppress(psutil.Error):
        return " ".join(psutil.Process(pid).cmdline())
    return ""
