"""`arena bot`: everything that starts no bot; so bots are added with --no-check."""

from __future__ import annotations

import json
import tarfile
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.home import Home
from arena.ledger import Ledger
from arena.reading import to_play
from tests.arena.made import tournament
from tests.referee.driving import bot_ids

MANIFEST = 'name = "{name}"\nversion = "{version}"\nrun = ["python3", "bot.py"]\ngames = ["claim/2p/*"]\n'


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def made(tmp_path: Path, name: str = "mybot", version: str = "1") -> Path:
    folder = tmp_path / "work" / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.toml").write_text(MANIFEST.format(name=name, version=version))
    (folder / "bot.py").write_text("print()\n")
    return folder


def bot(home: Path, *words: str | Path) -> Result:
    return CliRunner().invoke(main, ["--home", str(home), "bot", *map(str, words)])


def add(home: Path, path: Path) -> Result:
    return bot(home, "add", path, "--no-check")


def listed(home: Path) -> dict[str, dict[str, Any]]:
    document = json.loads(bot(home, "list", "--json").stdout)
    assert document["schema"] == "kingmaker/bots/1"
    return {row["name"]: row for row in document["bots"]}


def test_the_houses_bots_are_there_from_the_start_and_marked(home: Path) -> None:
    rows = listed(home)
    assert rows["random"]["added"] is rows["greedy"]["added"] is None
    table = bot(home, "list").stdout
    assert table.splitlines()[0].split() == ["name", "digest", "version", "language", "plays", "from"]
    assert "random" in table and "house" in table


def test_games_that_are_not_known_here_are_not_listed(home: Path, tmp_path: Path) -> None:
    warnings = {
        '["chess", "claim/2p/*"]': "warning: games: unknown here: chess (arena games lists those that are known)",
        '["chess"]': "warning: games: no variant here is one of chess (arena variants lists them)",
        '["claim/9p"]': "warning: games: no variant here is one of claim/9p (arena variants lists them)",
    }
    for name, games in zip(("some", "none", "never"), warnings, strict=True):
        manifest = made(tmp_path, name) / "bot.toml"
        manifest.write_text(manifest.read_text().replace('["claim/2p/*"]', games))
        assert warnings[games] in add(home, manifest.parent).stderr.splitlines()
    assert "warning" not in add(home, made(tmp_path)).stderr
    rows = {line.split()[0]: line for line in bot(home, "list").stdout.splitlines()}
    assert "claim/2p/*" in rows["some"] and "nothing here" in rows["none"]
    assert "chess" not in rows["some"] + rows["none"]


def test_an_added_bot_is_listed_until_removed(home: Path, tmp_path: Path) -> None:
    added = add(home, made(tmp_path))
    assert (
        added.exit_code == 0 and "added: mybot@" in added.stderr and "arena bot check mybot" in added.stderr
    )
    row = listed(home)["mybot"]
    assert row["added"] and row["manifest"]["games"] == ["claim/2p/*"] and len(row["digest"]) == 40
    removed = bot(home, "remove", "mybot")
    assert removed.exit_code == 0 and "games that it played stay" in removed.stderr
    assert "arena bot prune" in removed.stderr and "mybot" not in listed(home)
    assert (home / "bots" / row["digest"]).is_dir()
    id = f"mybot@{row['digest'][:12]}"
    for words, said in (
        (["--dry-run"], "would be removed: 1 version, 0.0 MiB"),
        ([], "removed: 1 version, 0.0 MiB"),
    ):
        pruned = bot(home, "prune", *words)
        assert pruned.exit_code == 0 and pruned.stdout == f"{id}\n" and pruned.stderr == f"{said}\n"
    assert not (home / "bots" / row["digest"]).exists()


def test_added_again_and_a_new_version(home: Path, tmp_path: Path) -> None:
    add(home, made(tmp_path))
    assert "was there already" in add(home, made(tmp_path)).stderr
    old = listed(home)["mybot"]["digest"]
    newer = add(home, made(tmp_path, version="2"))
    assert f"its name meant mybot@{old[:12]} until now" in newer.stderr
    document = json.loads(bot(home, "show", "mybot", "--json").stdout)
    assert document["manifest"]["version"] == "2"
    assert {one["digest"] for one in document["versions"]} == {old, document["digest"]}


def test_show_says_what_a_bot_says_of_itself(home: Path, tmp_path: Path) -> None:
    add(home, made(tmp_path))
    text = bot(home, "show", "mybot").stdout
    assert "games     claim/2p/*" in text and "run       python3 bot.py" in text and "kept in" in text
    assert "limits" not in text and "env" not in text and "None" not in text
    assert bot(home, "show", "random").exit_code == 0


def test_a_bot_of_a_houses_name_gives_it_back(home: Path, tmp_path: Path) -> None:
    add(home, made(tmp_path, "random"))
    assert listed(home)["random"]["added"]
    assert "the name means the house's 'random' again" in bot(home, "remove", "random").stderr
    assert listed(home)["random"]["added"] is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["remove", "random"], "comes with the arena"),
        (["remove", "mybto"], "did you mean 'mybot'"),
        (["show", "mybto"], "did you mean 'mybot'"),
        (["add", "./missing"], "no file or folder missing"),
        (["add", "."], "there is no bot.toml"),
    ],
)
def test_mistakes_are_exit_2_with_a_hint(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    add(home, made(tmp_path))
    monkeypatch.chdir(tmp_path)
    result = bot(home, *words)
    assert result.exit_code == 2 and said in result.stderr and result.stdout == ""
    assert "fix: " in result.stderr


def test_a_build_that_fails_is_exit_3(home: Path, tmp_path: Path) -> None:
    folder = made(tmp_path)
    manifest = folder / "bot.toml"
    manifest.write_text(manifest.read_text() + 'build = ["sh", "-c", "echo no compiler; exit 1"]\n')
    result = add(home, folder)
    assert result.exit_code == 3 and "| no compiler" in result.stderr
    assert "mybot" not in listed(home)


def test_show_says_limits_and_environment_in_words(home: Path, tmp_path: Path) -> None:
    manifest = made(tmp_path) / "bot.toml"
    manifest.write_text(manifest.read_text() + "[limits]\nmove_ms = 800\n[env]\nA = '1'\nB = '2'\n")
    add(home, manifest.parent)
    lines = bot(home, "show", "mybot").stdout.splitlines()
    assert "limits    move_ms=800" in lines and "env       A=1 B=2" in lines


def test_a_script_is_added_with_the_manifest_that_is_proposed(home: Path, tmp_path: Path) -> None:
    script = tmp_path / "mine.py"
    script.write_text("import sys\n")
    done = add(home, script)
    told = [line.removeprefix("  | ") for line in done.stderr.splitlines() if line.startswith("  | ")]
    assert f"{script} has no manifest" in done.stderr and 'transport = "stdio"' in told
    assert listed(home)["mine"]["manifest"]["run"] == ["python3", "mine.py"]
    assert "has no manifest" not in add(home, made(tmp_path)).stderr


# archives


def packed(folder: Path, kind: str, top: str) -> Path:
    """The files of `folder` in an archive, below `top`."""
    path = folder.parent / f"mybot.{kind}"
    files = [(file, top + file.name) for file in folder.iterdir()]
    if kind == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            for file, name in files:
                archive.write(file, name)
    else:
        with tarfile.open(path, "w:gz") as archive:
            for file, name in files:
                archive.add(file, name)
    return path


@pytest.mark.parametrize("top", ["", "mybot-1.0/"])
@pytest.mark.parametrize("kind", ["zip", "tar.gz"])
def test_an_archive_is_the_bot_in_it(home: Path, tmp_path: Path, kind: str, top: str) -> None:
    folder = made(tmp_path)
    done = add(home, packed(folder, kind, top))
    assert done.exit_code == 0 and "added: mybot@" in done.stderr and "has no manifest" not in done.stderr
    assert "was there already" in add(home, folder).stderr  # the same files, the same version
    assert len(list((home / "bots").iterdir())) == 1


def test_a_manifest_that_is_nested_too_deep_is_not_toml(home: Path, tmp_path: Path) -> None:
    folder = made(tmp_path)
    (folder / "bot.toml").write_text("x = " + "[" * 20_000)
    for path in (folder, packed(folder, "zip", "")):
        done = add(home, path)
        assert done.exit_code == 2 and "not TOML: it is nested too deep" in done.stderr
        assert "E202" in done.stderr and "Traceback" not in done.stderr


def tricks(path: Path) -> dict[str, Callable[[tarfile.TarFile], None]]:
    def link(tar: tarfile.TarFile) -> None:
        info = tarfile.TarInfo("data")
        info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(info)

    def upwards(tar: tarfile.TarFile) -> None:
        tar.addfile(tarfile.TarInfo("../../evil.py"))

    def rooted(tar: tarfile.TarFile) -> None:
        tar.addfile(tarfile.TarInfo(f"{path}/evil.py"))

    def twice(tar: tarfile.TarFile) -> None:
        tar.addfile(tarfile.TarInfo("BOT.py"))

    return {"link": link, "upwards": upwards, "rooted": rooted, "twice": twice}


@pytest.mark.parametrize("trick", tricks(Path()))
def test_a_trick_archive_is_refused_and_leaves_nothing(home: Path, tmp_path: Path, trick: str) -> None:
    folder, archive = made(tmp_path), tmp_path / "mybot.tar"
    with tarfile.open(archive, "w") as tar:
        for file in folder.iterdir():
            tar.add(file, file.name)
        tricks(tmp_path)[trick](tar)
    done = add(home, archive)
    assert done.exit_code == 2 and str(archive) in done.stderr and "E228" in done.stderr
    assert list((home / "bots").iterdir()) == [] and "mybot" not in listed(home)
    assert not list(tmp_path.rglob("evil.py"))


def test_an_archive_without_a_bot_is_told_by_its_own_name(home: Path, tmp_path: Path) -> None:
    folder = made(tmp_path)
    (folder / "bot.toml").unlink()
    (folder / "more").write_text("")
    archive = packed(folder, "zip", "")
    done = add(home, archive)
    assert done.exit_code == 2 and f"there is no bot.toml in {archive}" in done.stderr
    (folder / "bot.toml").write_text("name = 1\nrun = ['x']\n")
    assert f"{archive}/bot.toml:1: name: " in add(home, packed(folder, "zip", "top/")).stderr
    assert list((home / "bots").iterdir()) == []


# rename, export


def test_a_bot_is_called_otherwise_and_its_tournament_reads_on(home: Path) -> None:
    tournament(Home(home), "cup")
    old = bot_ids(2)[0]
    (home / "bots" / old.digest).mkdir(parents=True)
    with closing(Ledger(home / "ledger.sqlite")) as ledger:
        ledger.add_bot(old, {"name": old.name, "run": ["./x"]}, listed=True)
    commands = (["status", "cup"], ["leaderboard", "cup"], ["verify", "cup"], ["record", "list", "cup"])
    before = [CliRunner().invoke(main, ["--home", str(home), *words]) for words in commands]
    done = bot(home, "rename", old.name, "champion")
    assert done.exit_code == 0 and "bot0 is called champion now (1 version)" in done.stderr
    after = [CliRunner().invoke(main, ["--home", str(home), *words]) for words in commands]
    assert [one.stdout for one in after] == [one.stdout for one in before]
    assert {one.exit_code for one in after} == {0} and "bot0" in after[1].stdout
    assert bot(home, "show", str(to_play("cup", Home(home)).bots[0])).exit_code == 0


def test_an_exported_bot_is_added_again_as_the_same_version(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    add(home, made(tmp_path))
    digest = listed(home)["mybot"]["digest"]
    done = bot(home, "export", "mybot")
    name = f"mybot-{digest[:12]}.tar.gz"
    assert done.exit_code == 0 and f"arena bot add {name}" in done.stderr
    assert add(tmp_path / "other", tmp_path / name).exit_code == 0
    assert listed(tmp_path / "other")["mybot"]["digest"] == digest
    assert bot(home, "export", "random", "-o", "house.tar.gz").exit_code == 0
    assert Path("house.tar.gz").exists()


# tournaments


def tried(home: Path, tmp_path: Path, bots: list[str], clock: str = "") -> list[Result]:
    """What `config check` and `run` say to a tournament of these bots that can't be played."""
    file = tmp_path / "cup.toml"
    file.write_text(f"bots = {json.dumps(bots)}\nvariants = ['claim']\n{clock}")
    commands = (["config", "check", str(file)], ["run", str(file)])
    return [CliRunner().invoke(main, ["--home", str(home), *words]) for words in commands]


@pytest.mark.parametrize(
    ("asked", "clock", "said", "fix"),
    [
        ("move_ms = 5001", "", "and [clock] gives move_ms = 5000", "set move_ms = 5001"),
        ("move_ms = 900", "[clock]\nmove_ms = 800\n", "and [clock] gives move_ms = 800", "set move_ms = 900"),
        ("startup_ms = 60000", "", "and [clock] gives startup_ms = 10000", "set startup_ms = 60000"),
        ("memory_mb = 100000000", "", "and the tournament gives memory_mb = 1024", "leave it out"),
    ],
)
def test_a_tournament_that_gives_less_than_a_bot_asks_for_is_not_played(
    home: Path, tmp_path: Path, asked: str, clock: str, said: str, fix: str
) -> None:
    manifest = made(tmp_path) / "bot.toml"
    manifest.write_text(f"{manifest.read_text()}[limits]\n{asked}\n")
    add(home, manifest.parent)
    for done in tried(home, tmp_path, ["mybot", "random"], clock):
        assert done.exit_code == 2 and f"mybot asks for {asked}" in done.stderr and said in done.stderr
        assert fix in done.stderr and "E230" in done.stderr
    with closing(Ledger(home / "ledger.sqlite")) as ledger:
        assert ledger.names() == []


def test_two_bots_of_one_name_are_told_apart_by_nobody(home: Path, tmp_path: Path) -> None:
    for place, version in (("one", "1"), ("two", "2")):
        made(tmp_path / place, version=version)
    paths = [f"./{place}/work/mybot" for place in ("one", "two")]
    for done in tried(home, tmp_path, paths):
        assert done.exit_code == 2 and "two of them are called 'mybot'" in done.stderr
        assert "change `name` in a bot.toml" in done.stderr and "E215" in done.stderr
    forecast = CliRunner().invoke(main, ["--home", str(home), "run", str(tmp_path / "cup.toml"), "--dry-run"])
    assert forecast.exit_code == 2 and "E215" in forecast.stderr
    assert list(home.glob("*locks")) == [] and list(home.glob("bots/*")) == []
