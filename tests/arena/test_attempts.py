"""The matrix of escapes: what `arena.attempts` can do in each mode, and where a single layer lacks.

As root, where the tests are root, whose bots get a user of their own; and as an ordinary user.
"""

from __future__ import annotations

import json
import os
import sys
from functools import cache
from pathlib import Path

import pytest

from arena import attempts, machine
from arena.isolation import examined
from referee.processes.system import landlock_abi
from tests.referee.processes.caged import ARGUMENTS, LAYERS, as_ordinary_user, run
from tests.referee.processes.caged import lacking as lacking_here

READS = {"read a file of the user's", "list the folder that it is in", "write beside it"}
SEES = {"learn that it exists"}
CALLS = {"become root in a namespace", "join a keyring", "share memory by System V", "set up io_uring"}
SIGNAL = "signal another process"
"""What Landlock forbids, too, from its sixth version on."""
NET = {"connect to a port of this machine", "send to the network"}
LACKING = {
    "": set[str](),
    "rlimits": set[str](),
    "no-new-privileges": set[str](),  # cannot be left out: the filters need it
    "memory-watched": set[str](),
    "landlock": set[str](),  # says what namespaces say, but see the next
    "namespaces": SEES,
    "seccomp": CALLS,
    "namespaces,landlock": SEES | READS | {SIGNAL, "look into another process"},
    "namespaces,seccomp": SEES | CALLS | {"limit another process", "send to the network"},
    "landlock,seccomp": CALLS,
}
"""What can be done without which layers. Limits of what a bot may use up: `test_sandbox`."""
PROGRAM = Path(attempts.__file__).read_bytes()
TRIAL = """
import ctypes, json, os, socket, tempfile
from pathlib import Path
from referee.processes import Command, Sandbox, SandboxError, become_subreaper, clean_environment, keep
become_subreaper()

def tried(layers, folder):
    (folder / "own").mkdir(mode=0o700)
    box = Sandbox("default" if layers else "none", tuple(layers), readable=(sys.prefix,))
    words = (secret, str(os.getpid()), str(port.getsockname()[1]), name)
    argv = (sys.executable, "-I", "-S", "attempts.py", *words)
    env = clean_environment(folder / "own", {})
    command = Command(argv, Path(program), env, folder / "own", folder / "log", sandbox=box)
    try:
        kept = keep(command)
    except SandboxError as error:
        return [f"not to be had: {error}"]
    *lines, last = kept.stop(20).tail.splitlines()
    assert last == "done", last
    return lines

with (
    tempfile.TemporaryDirectory() as program,
    tempfile.TemporaryDirectory() as other,
    tempfile.TemporaryDirectory() as private,
    socket.create_server(("127.0.0.1", 0)) as port,
    socket.socket(socket.AF_UNIX) as abstract,
):
    name = f"kingmaker-matrix-{os.getpid()}"
    abstract.bind(f"\\0{name}")
    abstract.listen()
    secret = os.path.join(private, "secret")
    Path(secret).write_text("a secret")
    os.chmod(program, 0o755)
    Path(program, "attempts.py").write_bytes(sys.stdin.buffer.read())
    results = []
    for number, layers in enumerate(json.loads(sys.argv[1])):
        folder = Path(other, str(number))
        folder.mkdir()
        results.append(tried(layers, folder))
libc = ctypes.CDLL(None)
libc.shmctl(libc.shmget(0x6B6D, 0, 0), 0, None)
print(json.dumps(results))
"""


@cache
def done(user: str) -> dict[str, set[str]]:
    """By the layers that lack, what a program could do; `all`: in no sandbox."""
    ways = {lacking: [layer for layer in LAYERS if layer not in lacking.split(",")] for lacking in LACKING}
    if user == "ordinary":
        ways["all"] = []
        text = as_ordinary_user(TRIAL, json.dumps(list(ways.values())), stdin=PROGRAM)
    else:
        del ways["namespaces,landlock"]  # it would write among the system's programs
        text = run([sys.executable, *ARGUMENTS], TRIAL, json.dumps(list(ways.values())), stdin=PROGRAM)
    return dict(zip(ways, map(set, json.loads(text)), strict=True))


@pytest.mark.parametrize("lacking", LACKING, ids=lambda lacking: lacking or "nothing")
@pytest.mark.parametrize("user", ["root", "ordinary"])
def test_what_can_be_done_without_a_layer(user: str, lacking: str) -> None:
    if user == "root" and os.getuid():
        pytest.skip("the tests are not root")
    if lacking not in done(user):
        pytest.skip("root would change the machine")
    if refusal := [text for text in done(user)[lacking] if text.startswith("not to be had")]:
        assert lacking_here(), refusal
        pytest.skip(lacking_here())
    expected = LACKING[lacking]
    if "namespaces" in lacking and landlock_abi() < 6:
        expected = expected | {SIGNAL}
    assert done(user)[lacking] == expected & done("ordinary")["all"]


def test_without_a_sandbox_nearly_all_can_be_done() -> None:
    robust = (
        SEES
        | READS
        | NET
        | {SIGNAL, "connect to an abstract socket", "look into another process", "limit another process"}
    )
    assert robust <= done("ordinary")["all"]
    assert len(done("ordinary")["all"]) < len(attempts.attempts("", 0, 0, ""))  # /usr is not the user's


@pytest.mark.parametrize("mode", ["default", "strict"])
def test_no_attempt_succeeds_in_a_mode_of_this_machine(mode: str) -> None:
    box, _ = examined(mode)
    if "namespaces" not in box.layers or "seccomp" not in box.layers:
        pytest.skip(f"this machine has no more than {box}")
    assert machine.succeeded(box) == []
