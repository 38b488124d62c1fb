"""Modes of isolation: what is to be had here, what `strict` refuses, how an operator says that a layer may lack."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import protocol
import referee
import referee.processes
from arena import isolation
from arena.cli import main
from arena.errors import CannotStart, InputError
from arena.isolation import GROUPS, LAYERS, examined, sandbox
from referee.processes import NONE, Command, Kept, Sandbox, SandboxError, keep
from referee.processes.cgroups import Unavailable

ROOT = Path(__file__).parents[2]
REMEDY = "ask the kernel nicely"
Refuse = Callable[..., None]


@pytest.fixture(autouse=True)
def afresh() -> Iterator[None]:
    """What one test finds of the machine is not true for the next."""
    examined.cache_clear()
    yield
    examined.cache_clear()


@pytest.fixture
def ordinary(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user who is not root, or is taken for another."""
    monkeypatch.setattr(os, "getuid", lambda: 1000)


@pytest.fixture
def refuse(monkeypatch: pytest.MonkeyPatch) -> Refuse:
    """Let the machine lack layers."""
    real = referee.processes.keep

    def lack(*layers: str) -> None:
        def keep(command: Command) -> Kept:
            for layer in layers:
                if layer in command.sandbox.layers or layer == "user":
                    raise SandboxError(layer, errno.EPERM)
            return real(command)

        monkeypatch.setattr(isolation, "keep", keep)

    return lack


@pytest.fixture
def without_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    def delegated() -> str:
        raise Unavailable("no groups here", REMEDY)

    monkeypatch.setattr(isolation, "delegated", delegated)


def bare(box: Sandbox) -> set[str]:
    """Its layers without versions and without what root does besides."""
    return {layer.partition("-abi-")[0] for layer in box.layers} - {"own-user"}


def test_none_is_no_sandbox() -> None:
    assert sandbox("none") == NONE and str(NONE) == "none, so bots were trusted" and NONE.network == "all"


def test_default_has_what_the_machine_allows() -> None:
    box, lacks = examined("default")
    assert bare(box) | {lack.layer for lack in lacks} == {*LAYERS, "memory-watched"}
    assert box.missing == tuple(lack.layer for lack in lacks)
    assert ("own-user" in box.layers) == (os.getuid() == 0 and "namespaces" in box.layers)
    assert sandbox("default") == box and not box.cgroup


@pytest.mark.parametrize("layer", ["landlock", "namespaces", "seccomp"])
@pytest.mark.usefixtures("ordinary")
def test_default_goes_without_a_layer_and_says_so(refuse: Refuse, layer: str) -> None:
    refuse(layer)
    box = sandbox("default")
    assert bare(box) == {*LAYERS, "memory-watched"} - {layer} and box.missing == (layer,)
    assert str(box).endswith(f"; missing: {layer})")
    assert box.network == ("port" if layer == "namespaces" else "loopback")


@pytest.mark.usefixtures("ordinary", "without_groups")
def test_strict_refuses_and_says_what_to_do(refuse: Refuse) -> None:
    refuse("landlock")
    with pytest.raises(CannotStart) as refused:
        sandbox("strict")
    lines = str(refused.value).splitlines()
    assert lines[1:5] == [
        "  memory: no groups here",
        f"    fix: {REMEDY}",
        "  pids: no groups here",
        f"    fix: {REMEDY}",
    ]
    assert lines[5].startswith("  landlock: the layer landlock of the sandbox cannot be put on")
    assert lines[6:] == [f"    fix: {isolation.REMEDIES['landlock']}"]
    assert "--allow-missing memory,pids,landlock" in refused.value.fix
    assert (refused.value.code, refused.value.exit_code) == ("E303", 3)


@pytest.mark.usefixtures("ordinary", "without_groups")
def test_strict_goes_without_what_may_lack_and_with_nothing_else(refuse: Refuse) -> None:
    assert sandbox("strict", GROUPS).missing == GROUPS
    examined.cache_clear()
    refuse("seccomp")
    with pytest.raises(CannotStart, match="seccomp") as refused:
        sandbox("strict", GROUPS)
    assert "memory" not in str(refused.value)
    assert sandbox("strict", (*GROUPS, "seccomp")).mode == "strict"


@pytest.mark.usefixtures("without_groups")
def test_a_layer_that_is_there_may_be_allowed_to_lack() -> None:
    assert "seccomp" in sandbox("strict", (*GROUPS, "seccomp")).layers


@pytest.mark.parametrize(("word", "hint"), [("memroy", "memory"), ("land-lock", "landlock"), ("x", "")])
def test_an_unknown_layer_is_the_callers_mistake(word: str, hint: str) -> None:
    for mode in ("default", "strict"):
        with pytest.raises(InputError, match=f"no layer '{word}'") as error:
            sandbox(mode, (word,))
        assert hint in error.value.fix


@pytest.mark.parametrize("mode", ["default", "strict"])
def test_root_keeps_nobody_apart_without_namespaces(
    monkeypatch: pytest.MonkeyPatch, refuse: Refuse, mode: str
) -> None:
    refuse("namespaces")
    examined(mode)
    monkeypatch.setattr(os, "getuid", lambda: 0)
    with pytest.raises(CannotStart, match="as root") as refused:
        sandbox(mode, (*GROUPS, *LAYERS))
    assert "--sandbox none" in refused.value.fix


def test_a_machine_that_starts_nothing_is_no_endless_search(monkeypatch: pytest.MonkeyPatch) -> None:
    def keep(command: Command) -> Kept:
        raise SandboxError("rlimits" if "rlimits" in command.sandbox.layers else "no-such", errno.EPERM)

    monkeypatch.setattr(isolation, "keep", keep)
    with pytest.raises(CannotStart, match="no bot can be started"):
        examined("default")


def test_bots_read_the_sources_where_compiled_engines_only_link_to_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """`PYTHONPATH=build/compiled` gives the arena a tree of links; a bot imports what they lead to."""
    checkout, tree = tmp_path / "checkout", tmp_path / "checkout/build/compiled"
    for package in (protocol, referee):
        (checkout / package.__name__).mkdir(parents=True)
        (tree / package.__name__).mkdir(parents=True)
        source, link = (root / package.__name__ / "__init__.py" for root in (checkout, tree))
        source.write_text("found = 1")
        link.symlink_to(source)
        monkeypatch.setattr(package, "__file__", str(link))
    box = sandbox("default")
    argv = (sys.executable, "-c", "import protocol, referee; assert protocol.found == referee.found == 1")
    for name, root in (("sources", checkout), ("links", tree)):
        (own := tmp_path / name).mkdir()
        command = Command(argv, Path("/usr"), {"PYTHONPATH": str(root)}, own, tmp_path / "log", sandbox=box)
        assert keep(command).stop(20).code == 0, (tmp_path / "log").read_text()


# the command line


def arena(home: Path, *words: str | Path, **env: str) -> Result:
    return CliRunner(env=env).invoke(main, ["--home", str(home), *map(str, words)])


DUEL = ("play", "random", "greedy", "--seed", "7")


@pytest.mark.usefixtures("without_groups")
def test_a_refusal_is_exit_3_before_anything_is_played(tmp_path: Path) -> None:
    for done in (
        arena(tmp_path, *DUEL, "--sandbox", "strict"),
        arena(tmp_path, *DUEL, KINGMAKER_SANDBOX="strict"),
    ):
        assert done.exit_code == 3 and done.stdout == ""
        assert "  memory: no groups here" in done.stderr and f"fix: {REMEDY}" in done.stderr
        assert "(E303;" in done.stderr and "--allow-missing memory,pids" in done.stderr
    assert not (tmp_path / "games").exists()


@pytest.mark.parametrize(
    ("words", "env", "said"),
    [
        (["--sandbox", "loose"], {}, "'loose' is not one of 'none', 'default', 'strict'"),
        ([], {"KINGMAKER_SANDBOX": "loose"}, "'loose' is not one of"),
        (["--sandbox", "strict", "--allow-missing", "memroy"], {}, "did you mean 'memory'"),
    ],
)
def test_a_wrong_word_is_exit_2(tmp_path: Path, words: list[str], env: dict[str, str], said: str) -> None:
    done = arena(tmp_path, *DUEL, *words, **env)
    assert done.exit_code == 2 and said in done.stderr


def account(done: Result) -> dict[str, Any]:
    assert done.exit_code == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)["account"]
    return found


@pytest.mark.usefixtures("without_groups")
def test_what_was_allowed_to_lack_is_in_the_record(tmp_path: Path) -> None:
    words = ("--sandbox", "strict", "--allow-missing", "memory, pids", "--json")
    found = account(arena(tmp_path, *DUEL, *words, KINGMAKER_SANDBOX="none"))
    assert (found["isolation"], found["missing"][:2]) == ("strict", ["memory", "pids"])
    assert "memory-watched" in found["layers"]


@pytest.mark.parametrize("transport", ["ipc", "tcp", "stdio"])
def test_where_there_are_no_namespaces_bots_play_over_every_transport(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refuse: Refuse, transport: str
) -> None:
    refuse("namespaces")
    box, _ = examined("default")
    monkeypatch.setattr(isolation, "sandbox", lambda *_: box)  # to root it would be refused
    for name in ("one", "two"):
        shutil.copytree(ROOT / "bots/python/random", tmp_path / name)
        shutil.copytree(ROOT / "protocol", tmp_path / name / "protocol")  # a checkout may not be listed
        text = (tmp_path / name / "bot.toml").read_text().replace('"random"', f'"{name}"')
        (tmp_path / name / "bot.toml").write_text(f'{text}\ntransport = "{transport}"\n')
    done = arena(tmp_path / "home", "play", tmp_path / "one", tmp_path / "two", "--seed", "7", "--json")
    found = account(done)
    assert (found["isolation"], found["missing"]) == ("default", ["namespaces"])
    assert json.loads(done.stdout)["play"]["faults"] == []
