"""A bot's files copied, built and kept: whole or not at all, under the digest of the files, and read-only.

Beside them lies the list `.files`, which says what was handed in and what was built.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import shutil
import signal
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from arena import sealing
from arena.errors import CannotStart, InputError, StorageError
from arena.manifests import MAX_BYTES
from protocol.escape import visible
from protocol.manifest import Manifest
from referee.processes import NONE, Command, Sandbox, StartError, become_subreaper, clean_environment, keep

BUILD_SECONDS = 600
BUILD_MB = 4096
"""Memory, and disk for what is thrown away, that a build may use."""
BUILD_PIDS = 1024
BUILD_ENV = (
    "CARGO_*", "RUSTUP_*", "RUST*", "GO*", "npm_config_*", "NPM_CONFIG_*", "NODE_*", "MAVEN_*", "JAVA_HOME", "PIP_*",
    "PYENV_*", "CC", "CXX", "*FLAGS", "PKG_CONFIG_*", "SSL_CERT_*", "*_CA_*", "*_PROXY", "*_proxy",
)  # fmt: skip
"""Patterns of the names that a build inherits beside what a bot does."""
SECRET = re.compile("TOKEN|SECRET|PASS|KEY|AUTH|CREDENTIAL", re.IGNORECASE)
REGISTRIES = (53, 80, 443)
NETWORK = ("/etc/resolv.conf", "/etc/hosts", "/etc/ssl", "/etc/ca-certificates", "/etc/pki")
"""What is read to find a registry."""
COMPILE = (sys.executable, "-I", "-m", "compileall", "-qq", ".")
LINES = 20
"""Of a build's output, from its end, that are told where it fails."""
LINE_BYTES = 2000
LOG_BYTES = 64 << 20
"""Of a build's output at most; what is beyond the first half of it is told when the build is over."""
LOOK_SECONDS = 0.05
"""Between two looks at what a build has printed."""
NEW = ".new-"
"""Begins the names of folders that are not whole yet."""
log = logging.getLogger("arena.building")
"""Told of each build and what it prints."""


@contextlib.contextmanager
def built(
    files: Mapping[str, Path], manifest: Manifest, folder: Path, sandbox: Callable[[], Sandbox] = lambda: NONE
) -> Iterator[Path]:
    """Copy, build and show the copy; only then does it get the name `folder`, which is the digest of the files.

    What is run for that is kept in `sandbox`, as bots are.

    Where `folder` is there already, it is shown. After an error inside nothing is kept of what was not there.
    Raises InputError (files that change meanwhile), CannotStart (the build) and StorageError.
    """
    if folder.exists():
        yield folder
        return
    with temporary(folder.parent) as temp:
        copy = _copy(files, temp / "build", folder)
        handed = {
            name: _Handed((copy / name).stat().st_size, sealing.entry_of(name, copy / name))
            for name in sorted(files)
        }
        if sealing.digest_of(one.entry for one in handed.values()) != folder.name:
            raise InputError(f"{manifest.name}: its files changed meanwhile", "run the command again", "E213")
        if manifest.build:
            _build(manifest, copy, temp, sandbox())
            _check(copy, handed, f"{manifest.name}: its build")
        if manifest.run[0].startswith("python"):  # the folder will be read-only
            _run(COMPILE, copy, temp / "compiling", _Printed(temp / "compiled"), sandbox())
        # a path into the copy that the build has written down is wrong from now on, not only once it is kept
        whole = copy.rename(temp / "bot")
        sealing.seal(whole, files)
        yield whole
        _move(whole, folder)


@contextlib.contextmanager
def temporary(bots: Path) -> Iterator[Path]:
    """A folder beside the kept bots for something that is not whole yet."""
    _sweep(bots)
    temp = Path(tempfile.mkdtemp(dir=bots, prefix=NEW))
    try:
        yield temp
    finally:
        sealing.remove(temp)


def listed_files(folder: Path) -> dict[str, Path]:
    """What was handed in of a kept bot. Raises InputError where the files are no longer what they were."""
    try:
        with sealing.regular(sealing.own(folder, sealing.LIST), MAX_BYTES) as listed:
            names = os.fsdecode(listed.read()).split("\0")
        files = {name: sealing.own(folder, name) for name in names}
        whole = sealing.digest(files) == folder.name
    except (OSError, InputError):
        whole = False
    if not whole:
        raise InputError(
            f"the files in {folder} are not those that were taken in", "add the bot again", "E211"
        )
    return files


def discard(folder: Path) -> None:
    """Let go of a kept bot's files: all of them at once, for whoever looks."""
    if folder.exists():
        with temporary(folder.parent) as temp:
            folder.chmod(0o755)
            folder.rename(temp / folder.name)


def _copy(files: Mapping[str, Path], copy: Path, folder: Path) -> Path:
    try:
        for name, file in files.items():
            target = copy / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)
    except OSError as error:
        raise StorageError(f"cannot copy {name} to {folder.parent}: {error.strerror}", code="E401") from None
    return copy


def _move(sealed: Path, to: Path) -> None:
    """Give a folder that nobody may write another name, unless somebody else has just taken in the same files."""
    sealed.chmod(0o755)
    try:
        sealed.rename(to)
    except OSError:
        if not to.exists():
            raise
    else:
        to.chmod(0o555)


class _Handed(NamedTuple):
    """A file as it was handed in."""

    size: int
    entry: bytes


def _check(copy: Path, handed: Mapping[str, _Handed], build: str) -> None:
    """Raise CannotStart where a build has changed what was handed in, or left what cannot be kept."""
    for name, (size, entry) in handed.items():
        try:
            same = sealing.entry_of(name, sealing.own(copy, name), size) == entry
        except (OSError, InputError):
            same = False
        if not same:
            fix = "let it write other files; hand in a file of locked versions as the build leaves it"
            what = f"{visible(name)}, which was handed in: its content, or whether it may be run"
            raise CannotStart(f"{build} has changed {what}", fix, "E310")
    if flaw := next(sealing.flaws(copy), ""):
        raise CannotStart(
            f"{build} has left {flaw}", "let it leave files, folders and links of its own", "E310"
        )


def _sweep(bots: Path) -> None:
    """Remove what others that were killed have left half-made."""
    for left in bots.glob(f"{NEW}*"):
        with contextlib.suppress(FileNotFoundError):
            if time.time() - left.lstat().st_mtime > 2 * BUILD_SECONDS:
                sealing.remove(left)


def _build(manifest: Manifest, folder: Path, temp: Path, box: Sandbox) -> None:
    """Run its build in `folder`, with a scratch folder and its log in `temp`.

    Raises CannotStart, with the end of what it printed where nobody was told.
    """
    assert manifest.build
    command = " ".join(manifest.build)
    log.info("building %s: %s", manifest.name, command)
    what = f"{manifest.name}: its build {command!r}"
    printed = _Printed(temp / "log")
    try:
        ended = _run(manifest.build, folder, temp / "scratch", printed, box)
    except StartError as error:
        fix = manifest.needs and f"it needs: {manifest.needs}"
        why = str(error).rpartition(": ")[2]
        raise CannotStart(f"{what} cannot be run: {why}", fix, "E310") from None
    if ended != 0:
        how = ended if isinstance(ended, str) else f"ended with {ended}"
        doctor = "run it in the bot's folder; arena doctor says which compilers are missing"
        fix = f"it needs: {manifest.needs}" if manifest.needs else doctor
        untold = () if log.isEnabledFor(logging.INFO) else printed.last
        raise CannotStart("\n  | ".join([f"{what} {how}", *untold]), fix, "E310")


def _run(argv: Sequence[str], folder: Path, scratch: Path, printed: _Printed, box: Sandbox) -> int | str:
    """Its exit code, below 0 for a signal, or why it was ended. Whatever it started is ended with it."""
    until = time.monotonic() + BUILD_SECONDS
    scratch.mkdir(mode=0o700)
    become_subreaper()
    command = Command(
        tuple(argv), folder, build_environment(scratch, box), scratch, printed.path, LOG_BYTES,
        sandbox=_roomier(box), writable=(folder,), reaches=() if box.mode == "strict" else _ports(os.environ),
    )  # fmt: skip
    kept = keep(command)
    try:
        looks = 0
        while (ended := kept.poll()) is None and time.monotonic() < until:
            printed.tell()
            time.sleep(LOOK_SECONDS)
            looks += 1
            if looks % 20 == 0 and (excess := sealing.excess(folder, BUILD_MB)):
                return excess
    finally:
        kept.stop(0)
        printed.tell(over=True)
        sealing.take_back(folder, from_others=box.isolates)
    if ended is None:
        return f"took more than {BUILD_SECONDS} s"
    return -(ended.signal or signal.SIGKILL) if ended.code is None else ended.code


def build_environment(scratch: Path, box: Sandbox) -> dict[str, str]:
    """What a build finds: of settings what compilers and registries are told, and no secret that shows by its name."""
    if not box.isolates:
        return dict(os.environ)
    told = {
        name: value
        for name, value in os.environ.items()
        if any(fnmatchcase(name, pattern) for pattern in BUILD_ENV) and not SECRET.search(name)
    }
    home = Path.home() / ".rustup"
    toolchains = {"RUSTUP_HOME": str(home)} if home.is_dir() else {}
    return clean_environment(scratch, toolchains | told)


def _roomier(box: Sandbox) -> Sandbox:
    """As much as a compiler needs."""
    toolchains = (str(Path.home() / ".rustup"), str(Path.home() / ".cargo" / "bin"), *NETWORK)
    more = (*box.readable, *toolchains)
    return replace(box, memory_mb=BUILD_MB, scratch_mb=BUILD_MB, pids=BUILD_PIDS, readable=more)


def _ports(env: Mapping[str, str]) -> tuple[int, ...]:
    """Of TCP: where registries are found by name, and served, and those of a proxy that is set."""
    urls = [urlsplit(value) for name, value in env.items() if name.lower().endswith(("_proxy", "_index_url"))]
    return (*REGISTRIES, *(url.port for url in urls if url.port))


class _Printed:
    """What a build prints: told line by line while its log grows."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.last: deque[str] = deque(maxlen=LINES)
        self._read = 0
        self._rest = b""

    def tell(self, over: bool = False) -> None:
        """Tell the lines that are new; of one without an end its beginning, where it is long or all is `over`."""
        if not self.path.exists():
            return
        with self.path.open("rb") as file:
            file.seek(self._read)
            while data := file.read(1 << 16):
                self._read += len(data)
                *lines, self._rest = (self._rest + data).split(b"\n")
                if len(self._rest) > LINE_BYTES:
                    lines, self._rest = [*lines, self._rest], b""
                self._tell(lines)
        self._tell([self._rest] if over and self._rest else [])

    def _tell(self, lines: list[bytes]) -> None:
        for line in lines:
            text = line[:LINE_BYTES].decode("utf-8", "replace")
            self.last.append(text)
            log.info("  | %s", text)
