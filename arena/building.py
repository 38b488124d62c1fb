"""A bot's files copied, built and kept: whole or not at all, under the digest of the files, and read-only.

Beside them lies the list `.files`, which says what was handed in and what was built.
"""

from __future__ import annotations

import compileall
import contextlib
import logging
import os
import select
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from hashlib import file_digest, sha256
from pathlib import Path

from arena.errors import CannotStart, InputError, StorageError
from arena.manifests import unreadable
from protocol.manifest import Manifest

BUILD_SECONDS = 600
LINES = 20
"""Of a build's output, from its end, that are told where it fails."""
LINE_BYTES = 2000
TOO_LONG = -1000
"""In place of an exit code."""
NEW = ".new-"
"""Begins the names of folders that are not whole yet."""
LIST = ".files"
log = logging.getLogger("arena.building")
"""Told of each build and what it prints."""


def digest(files: Mapping[str, Path]) -> str:
    """40 hex digits of the files alone, so that a new key of bot.toml makes no old bot another one."""
    total = sha256()
    for name, file in sorted(files.items()):
        try:
            with file.open("rb") as opened:
                content = file_digest(opened, "sha256").hexdigest()
        except OSError as error:
            unreadable(error)
        runs = bool(file.stat().st_mode & stat.S_IXUSR)
        total.update(os.fsencode(f"\n{name}\0{content}\0{runs}"))
    return total.hexdigest()[:40]


def install(files: Mapping[str, Path], manifest: Manifest, folder: Path) -> None:
    """Copy, build and only then give the folder its name, which is the digest of the files.

    Raises InputError (files that change meanwhile), CannotStart (the build) and StorageError.
    """
    with temporary(folder.parent) as temp:
        copy = temp / "bot"
        copies = _copy(files, copy, folder)
        if digest(copies) != folder.name:
            raise InputError(f"{manifest.name}: its files changed meanwhile", "run the command again", "E213")
        if manifest.build:
            _build(manifest, copy)
        if manifest.run[0].startswith("python"):
            compileall.compile_dir(copy, quiet=2)  # the folder will be read-only
        _seal(copy, files)
        try:
            copy.rename(folder)
        except OSError:  # somebody else has just taken in the same files
            if not folder.exists():
                raise
        else:
            folder.chmod(0o555)


@contextlib.contextmanager
def temporary(bots: Path) -> Iterator[Path]:
    """A folder beside the kept bots for something that is not whole yet."""
    _sweep(bots)
    with tempfile.TemporaryDirectory(dir=bots, prefix=NEW) as name:
        yield Path(name)


def listed_files(folder: Path) -> dict[str, Path]:
    """What was handed in of a kept bot. Raises InputError where the files are no longer what they were."""
    try:
        names = os.fsdecode((folder / LIST).read_bytes()).split("\0")
        files = {name: folder / name for name in names}
        whole = digest(files) == folder.name
    except (OSError, InputError):
        whole = False
    if not whole:
        raise InputError(
            f"the files in {folder} are not those that were taken in", "add the bot again", "E211"
        )
    return files


def remove(folder: Path) -> None:
    """Let go of a kept bot's files."""
    for here, _, _ in os.walk(folder):
        Path(here).chmod(0o700)
    shutil.rmtree(folder)


def _copy(files: Mapping[str, Path], copy: Path, folder: Path) -> dict[str, Path]:
    copies = {name: copy / name for name in files}
    try:
        for name, target in copies.items():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(files[name], target)
    except OSError as error:
        raise StorageError(f"cannot copy {name} to {folder.parent}: {error.strerror}", code="E401") from None
    return copies


def _seal(copy: Path, files: Iterable[str]) -> None:
    """Note what was handed in, and let nobody write there. The top folder must still be moved."""
    (copy / LIST).write_bytes(os.fsencode("\0".join(files)))
    for folder, folders, names in os.walk(copy):
        here = Path(folder)
        for name in folders + names:
            path = here / name
            if not path.is_symlink():
                path.chmod(path.stat().st_mode & 0o555 | 0o444)


def _sweep(bots: Path) -> None:
    """Remove what others that were killed have left half-made."""
    for left in bots.glob(f"{NEW}*"):
        with contextlib.suppress(FileNotFoundError):
            if time.time() - left.stat().st_mtime > 2 * BUILD_SECONDS:
                shutil.rmtree(left, ignore_errors=True)


def _build(manifest: Manifest, folder: Path) -> None:
    """Run its build in `folder`. Raises CannotStart with the end of what it printed."""
    assert manifest.build
    command = " ".join(manifest.build)
    log.info("building %s: %s", manifest.name, command)
    what = f"{manifest.name}: its build {command!r}"
    said: deque[str] = deque(maxlen=LINES)
    try:
        ended = _run(manifest.build, folder, said)
    except OSError as error:
        fix = manifest.needs and f"it needs: {manifest.needs}"
        raise CannotStart(f"{what} cannot be run: {error.strerror}", fix, "E310") from None
    if ended:
        how = f"took more than {BUILD_SECONDS} s" if ended == TOO_LONG else f"ended with {ended}"
        doctor = "run it in the bot's folder; arena doctor says which compilers are missing"
        fix = f"it needs: {manifest.needs}" if manifest.needs else doctor
        raise CannotStart("\n  | ".join([f"{what} {how}", *said]), fix, "E310")


def _run(command: list[str], folder: Path, said: deque[str]) -> int:
    """Its exit code, or TOO_LONG; whatever it started is ended with it. Its lines are logged and `said`."""
    until = time.monotonic() + BUILD_SECONDS
    process = subprocess.Popen(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    rest = b""
    try:
        while (left := until - time.monotonic()) > 0:
            over = process.poll() is not None  # asked first: what it printed before its end is then there
            if select.select([process.stdout], [], [], 0 if over else min(left, 0.05))[0]:
                data = os.read(process.stdout.fileno(), 1 << 16)
                *lines, rest = (rest + data).split(b"\n")
                _tell([*lines, rest[:LINE_BYTES]] if len(rest) > LINE_BYTES else lines, said)
                rest = b"" if len(rest) > LINE_BYTES else rest
                if data:
                    continue
                process.wait(left)
                over = True
            if over:
                return process.wait()
        return TOO_LONG
    except subprocess.TimeoutExpired:
        return TOO_LONG
    finally:
        _tell([rest] if rest else [], said)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()


def _tell(lines: list[bytes], said: deque[str]) -> None:
    for line in lines:
        text = line[:LINE_BYTES].decode("utf-8", "replace")
        said.append(text)
        log.info("  | %s", text)
