"""Each language in turn, as its first user: `new`, edit nothing, `check`, `add`, a tournament."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from arena.bundles import resolve
from arena.home import Home
from arena.manifests import house_bots, kits
from arena.reading import opened
from arena.repro import reproduce
from arena.single import play_one
from arena.toolchains import missing
from protocol.record import unpack
from referee.replay import read

SEATS = {
    "claim/2p/GK-UWX": ["greedy", "random"],
    "claim/2p/NA-TDS": ["random", "greedy"],
    "claim/3p/NA-UWTDS": ["random", "greedy", "greedy"],
    "claim/4p/GK-UWXDS": ["greedy", "random", "greedy", "random"],
}
"""Games of the greedy bot in Python, which those of all languages play alike."""


def arena(home: Home, *words: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [Path(sys.executable).with_name("arena"), "--home", home.path, *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_a_new_bot_is_added_conforms_and_passes_its_check(home: Home, language: str, tmp_path: Path) -> None:
    made = arena(home, "bot", "new", "fresh", "--lang", language, folder=tmp_path)
    assert made.returncode == 0, made.stderr
    for words in (["add", "./fresh"], ["conform", "fresh"], ["check", "./fresh", "--seconds", "6"]):
        done = arena(home, "bot", *words, folder=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "FAILED" not in done.stdout and "claim/4p" in done.stdout
    by_hand = [path for path in (tmp_path / "fresh").rglob("bot.*") if path.suffix != ".toml"]
    lines = sum(bool(line.strip()) for path in by_hand for line in path.read_text().splitlines())
    assert by_hand and lines <= 25, f"{lines} lines to write a first bot"


def test_a_kit_of_zeromq_talks_over_lines_too(home: Home, language: str, tmp_path: Path) -> None:
    with opened(home) as ledger:
        bot = resolve(home, ledger, "random" if language == "python" else f"random-{language}")
    if bot.manifest.transport == "stdio":
        pytest.skip(f"the kit in {language} talks over lines as it is")
    done = arena(home, "bot", "conform", "--transport", "stdio", "--", *bot.launch.argv, folder=bot.folder)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_kit_in_rust_talks_zeromq_where_it_is_built_so(home: Home, tmp_path: Path) -> None:
    if absent := missing("rust"):
        pytest.skip(f"the kit in rust needs {', '.join(absent)}")
    arena(home, "bot", "new", "rusty", "--lang", "rust", folder=tmp_path)
    manifest = tmp_path / "rusty" / "bot.toml"
    text = manifest.read_text().replace('"--quiet"]', '"--quiet", "--features", "zeromq"]')
    manifest.write_text(text.replace('transport = "stdio"', 'transport = "ipc"'))
    with opened(home) as ledger:
        bot = resolve(home, ledger, str(tmp_path / "rusty"))
    for transport in ("ipc", "tcp"):
        command = ["bot", "conform", "--transport", transport, "--", *bot.launch.argv]
        done = arena(home, *command, folder=bot.folder)
        assert done.returncode == 0, done.stdout + done.stderr


def test_its_greedy_bot_plays_what_the_one_in_python_plays(home: Home, language: str) -> None:
    name = "greedy" if language == "python" else f"greedy-{language}"
    with opened(home) as ledger:
        bot = resolve(home, ledger, name)
    for variant, bots in SEATS.items():
        record = read(unpack(play_one(variant, bots, seed=f"kits {variant}", home=home).record))
        done = reproduce(home, record, bots.index("greedy"), bot, lambda mark, what: None)
        assert (done.fault, done.other) == (None, 0) and done.same > 5, variant


def test_all_of_them_play_a_tournament_without_a_fault(home: Home, tmp_path: Path) -> None:
    names = [name for name in sorted(house_bots()) if name.startswith("random") or name == "greedy"]
    absent = {language for language in kits() if missing(language)}
    bots = [name for name in names if name.partition("-")[2] not in absent]
    file = tmp_path / "all.toml"
    file.write_text(f'bots = {json.dumps(bots)}\nvariants = ["claim"]\ndeals = 1\nseed = "kits"\n')
    done = arena(home, "run", file, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    board = json.loads(arena(home, "leaderboard", file, "--json", folder=tmp_path).stdout)
    rows = board["rows"]
    assert {row["bot"]["name"] for row in rows} == set(bots)
    assert not [row for row in rows if any(row["faults"].values())]
    if absent:
        pytest.skip(f"played without {', '.join(sorted(absent))}: their toolchains are missing")
