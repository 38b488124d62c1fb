"""Run a command as root on another kernel: user-mode Linux, an ordinary process of this machine.

It is for what the machine's own kernel does not offer, above all memory limits by cgroup version 2. The
guest has the host's files, read-only, but empty folders of its own for /run, /tmp, /var/tmp, /root and
/home; the controllers memory, pids, cpu and io; one CPU; no network but its loopback; and no Landlock.

    python tests/uml/boot.py [--seconds 300] [--memory 512] -- COMMAND...

The command runs in this checkout with its .venv first on the PATH. Its output and its exit code are ours.
On Debian the kernel is the package user-mode-linux. No root is needed.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

KERNEL = shutil.which("linux.uml")
"""None where the package is missing."""
WATCHED = 'exec 3<&0; (read -r line <&3; kill -KILL 0) & exec "$@" 3<&- </dev/null'
"""All processes of a guest are one group, which ends when our end of the pipe closes, be it by our death."""
CHECKOUT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {
    "PATH": f"{CHECKOUT}/.venv/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/tmp",
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
}


@dataclass(frozen=True, slots=True)
class Ended:
    """How a guest ended."""

    code: int | None
    """Exit code of the command; None where it did not end in time, or the kernel did not come so far."""
    output: str
    """What the command wrote, standard output and error together."""
    console: str
    """What the kernel said."""


def boot(command: Sequence[str], seconds: float = 300, memory_mb: int = 512) -> Ended:
    """Run `command` in a guest with that much memory, and leave no process and no file.

    Raises FileNotFoundError where there is no such kernel.
    """
    if KERNEL is None:
        raise FileNotFoundError("linux.uml (Debian: apt-get install user-mode-linux)")
    with tempfile.TemporaryDirectory(prefix="uml-") as name:
        job = Path(name)
        (job / "command").write_text(_script(command))
        shutil.copy(Path(__file__).with_name("init.sh"), job)
        with (job / "console").open("wb") as console:
            _run([KERNEL, *_parameters(job, memory_mb)], console.fileno(), seconds)
        code = _read(job / "code")
        return Ended(int(code) if code else None, _read(job / "output"), _read(job / "console"))


def _script(command: Sequence[str]) -> str:
    python = (CHECKOUT / ".venv/bin/python").resolve()
    exports = [f"export {name}={shlex.quote(value)}" for name, value in ENVIRONMENT.items()]
    shown = [_shown(CHECKOUT), _shown(python.parents[1])]
    return "\n".join([*exports, *shown, f"cd {shlex.quote(str(CHECKOUT))}", f"exec {shlex.join(command)}"])


def _shown(path: Path) -> str:
    """Have a folder of the host there, read-only, also where the guest has an empty one above it."""
    at = shlex.quote(str(path))
    return f"[ -d {at} ] || {{ mkdir -p {at} && mount -t hostfs -o ro,{at} shown {at}; }}"


def _parameters(job: Path, memory_mb: int) -> list[str]:
    return [
        "rootfstype=hostfs", "rootflags=/", "ro", f"init={job}/init.sh", f"JOB={job}", f"mem={memory_mb}M",
        "con0=null,fd:1", "con=null", f"uml_dir={job}", "quiet",
    ]  # fmt: skip


def _run(argv: Sequence[str], console: int, seconds: float) -> None:
    """Until it ends or its time is over."""
    with (
        subprocess.Popen(
            ["sh", "-c", WATCHED, "sh", *argv],
            stdin=subprocess.PIPE, stdout=console, stderr=console, start_new_session=True,
        ) as kernel,
        suppress(subprocess.TimeoutExpired),
    ):  # fmt: skip
        kernel.wait(seconds)


def _read(path: Path) -> str:
    return path.read_text(errors="replace") if path.exists() else ""


def main() -> int:
    """The exit code of the command, or 125 where there is none (as timeout(1) and env(1) do)."""
    parser = argparse.ArgumentParser(description="Run a command in user-mode Linux, in this checkout.")
    parser.add_argument("--seconds", type=float, default=300, help="after which all is ended")
    parser.add_argument("--memory", type=int, default=512, metavar="MIB", help="of the guest")
    parser.add_argument("command", nargs="+", help="after --")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(125))  # with everything removed
    ended = boot(options.command, options.seconds, options.memory)
    sys.stdout.write(ended.output)
    if ended.code is None:
        print(
            f"no exit code within {options.seconds:g} s; the kernel said:\n{ended.console}", file=sys.stderr
        )
        return 125
    return ended.code


if __name__ == "__main__":
    sys.exit(main())
