"""What this machine's kernel does not offer, tested on one that does: see `boot.py`."""

from pathlib import Path

import pytest

from .boot import KERNEL, boot

GUEST = Path(__file__).parent / "guest"
pytestmark = [
    pytest.mark.hostile,
    pytest.mark.skipif(KERNEL is None, reason="no linux.uml (Debian: apt-get install user-mode-linux)"),
]


@pytest.mark.parametrize("module", ["limits", "escapes", "strict"])
def test_in_a_guest(module: str) -> None:
    options = ["-q", "-p", "no:cacheprovider", "--tb=short", "-o", "addopts=", "--import-mode=importlib"]
    ended = boot(["python", "-m", "pytest", *options, str(GUEST / f"{module}.py")], seconds=200)
    assert ended.code == 0, ended.output + ended.console
    assert "skipped" not in ended.output


def test_a_command_is_run_as_root_in_the_checkout() -> None:
    ended = boot(["sh", "-c", "id -u; pwd; echo $PATH; exit 7"])
    checkout = str(GUEST.parents[2])
    assert (ended.code, ended.output.split()[:2]) == (7, ["0", checkout])
    assert f"{checkout}/.venv/bin" in ended.output


def test_a_command_without_end_is_ended() -> None:
    ended = boot(["sh", "-c", "echo started; sleep 100"], seconds=8)
    assert (ended.code, ended.output) == (None, "started\n")
