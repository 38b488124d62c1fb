"""Bots taken in: what is a version, what is refused, and that nothing half-made is ever found."""

import logging
import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from arena import building, manifests
from arena.building import listed_files
from arena.bundles import (
    Bot,
    Pruned,
    limits_of,
    prune,
    rename,
    resolve,
    short_of,
    take_in,
)
from arena.errors import Busy, CannotStart, InputError, StorageError
from arena.home import Home
from arena.ledger import Ledger
from protocol.manifest import Asked, Manifest
from protocol.vocabulary import BotId
from referee.clocks import NO_LIMITS, Limits
from tests.arena.made import MANIFEST, a_bot, is_alive, taken


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "home")
    home.folder()
    return home


@pytest.fixture
def ledger(home: Home) -> Iterator[Ledger]:
    with closing(Ledger(home.ledger)) as ledger:
        yield ledger


@pytest.fixture(autouse=True)
def nobody_listens(caplog: pytest.LogCaptureFixture) -> None:
    """To what a build prints: a command line in this process may have."""
    caplog.set_level(logging.WARNING, "arena.building")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return a_bot(tmp_path / "work" / "mybot")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def kept_folders(home: Home) -> list[str]:
    return names(home.path / "bots")


def test_a_folder_is_copied_whole_and_the_name_means_it(home: Home, ledger: Ledger, folder: Path) -> None:
    bot = taken(home, ledger, folder)
    assert (bot.folder / "lib" / "more.py").read_text() == "x = 1\n"
    assert bot.folder.parent == home.path / "bots"
    assert resolve(home, ledger, "mybot") == bot
    assert resolve(home, ledger, str(bot.id)) == bot
    assert bot.launch.argv == (sys.executable, "bot.py")


def test_one_script_is_a_bot(home: Home, ledger: Ledger, folder: Path) -> None:
    bot = taken(home, ledger, folder / "bot.py")
    assert (bot.id.name, bot.manifest.run) == ("bot", ["python3", "bot.py"])
    assert list(listed_files(bot.folder)) == ["bot.py"]


def test_a_script_that_may_not_be_run_is_refused(home: Home, ledger: Ledger, tmp_path: Path) -> None:
    script = tmp_path / "mybot"
    script.write_text("#!/bin/sh\n")
    with pytest.raises(InputError, match="not executable") as error:
        taken(home, ledger, script)
    assert error.value.fix.startswith("chmod +x")
    script.chmod(0o755)
    assert taken(home, ledger, script).manifest.run == ["./mybot"]


def test_taken_in_twice_is_one_version(home: Home, ledger: Ledger, folder: Path) -> None:
    assert taken(home, ledger, folder) == taken(home, ledger, folder)
    assert len(kept_folders(home)) == len(ledger.bots()) == 1


@pytest.mark.parametrize("change", ["bot.py", "lib/more.py", "bot.toml", "mode", "new file"])
def test_any_change_is_a_new_version_and_the_name_means_the_newest(
    home: Home, ledger: Ledger, folder: Path, change: str
) -> None:
    old = taken(home, ledger, folder)
    if change == "mode":
        (folder / "bot.py").chmod(0o755)
    elif change == "new file":
        (folder / "data").write_text("")
    else:
        (folder / change).write_text((folder / change).read_text() + "# changed\n")
        if change == "bot.toml":
            (folder / change).write_text(MANIFEST + 'version = "2"\n')
    new = taken(home, ledger, folder)
    assert new.id.digest != old.id.digest and old.folder.is_dir()
    assert resolve(home, ledger, str(old.id)).folder == old.folder


def test_the_version_depends_on_neither_place_nor_hidden_files_nor_caches(
    home: Home, ledger: Ledger, folder: Path, tmp_path: Path
) -> None:
    old = taken(home, ledger, folder)
    other = shutil.copytree(folder, tmp_path / "elsewhere")
    (other / ".git").mkdir()
    (other / ".git" / "config").write_text("x")
    (other / ".env").write_text("x")
    (other / "__pycache__").mkdir()
    (other / "__pycache__" / "bot.pyc").write_text("x")
    (other / "bot.py").chmod(0o600)
    assert taken(home, ledger, other).id == old.id


def test_an_unknown_key_has_a_near_one(home: Home, ledger: Ledger, folder: Path) -> None:
    (folder / "bot.toml").write_text(MANIFEST + 'langauge = "python"\n')
    with pytest.raises(InputError, match="unknown key 'langauge'") as error:
        taken(home, ledger, folder)
    assert "language" in error.value.fix and error.value.exit_code == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('run = ["x"]\n', "'name' is missing"),
        ('name = "a b"\nrun = ["x"]\n', "name"),
        ('name = "../up"\nrun = ["x"]\n', "name"),
        ('name = "x"\nrun = "python3 bot.py"\n', "run"),
        ('name = "x"\nrun = []\n', "run"),
        ('name = "x"\nrun = ["x"]\n[env]\nARENA_TOKEN = "1"\n', "ARENA_TOKEN"),
        ("name = x\n", "not TOML"),
    ],
)
def test_a_wrong_manifest_names_the_key(
    home: Home, ledger: Ledger, folder: Path, text: str, said: str
) -> None:
    (folder / "bot.toml").write_text(text)
    with pytest.raises(InputError, match=said) as error:
        taken(home, ledger, folder)
    assert "bot.toml" in str(error.value)


@pytest.mark.parametrize("text", [b"\xff\xfe", None])
def test_a_manifest_that_is_no_text_or_not_there(
    home: Home, ledger: Ledger, folder: Path, text: bytes | None
) -> None:
    (folder / "bot.toml").unlink() if text is None else (folder / "bot.toml").write_bytes(text)
    with pytest.raises(InputError, match=r"bot\.toml"):
        taken(home, ledger, folder)


def test_links_and_devices_are_refused(home: Home, ledger: Ledger, folder: Path) -> None:
    for target in ("/etc", "/etc/passwd", "bot.py", "missing"):
        (folder / "odd").symlink_to(target)
        with pytest.raises(InputError, match=r"odd is a link"):
            taken(home, ledger, folder)
        (folder / "odd").unlink()
    os.mkfifo(folder / "odd")
    with pytest.raises(InputError, match="no regular file"):
        taken(home, ledger, folder)
    assert ledger.bots() == []


@pytest.mark.parametrize("what", ["folder", "script"])
def test_too_much_is_refused_before_it_is_read(home: Home, ledger: Ledger, folder: Path, what: str) -> None:
    with (folder / "bot.py").open("r+b") as file:
        file.truncate(manifests.MAX_BYTES + 1)
    with pytest.raises(InputError, match="MiB"):
        taken(home, ledger, folder if what == "folder" else folder / "bot.py")


def test_too_many_files_are_refused(
    home: Home, ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manifests, "MAX_FILES", 2)
    with pytest.raises(InputError, match="more than 2 files"):
        taken(home, ledger, folder)


def test_a_name_in_no_encoding_is_taken_in(home: Home, ledger: Ledger, folder: Path) -> None:
    Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9")).write_text("x")
    assert len(listed_files(taken(home, ledger, folder).folder)) == 4


def test_a_build_runs_in_the_copy(home: Home, ledger: Ledger, folder: Path) -> None:
    (folder / "bot.toml").write_text(
        MANIFEST + 'build = ["sh", "-c", "mkdir build && echo made > build/out"]\n'
    )
    bot = taken(home, ledger, folder)
    assert (bot.folder / "build" / "out").read_text() == "made\n"
    assert not (folder / "build").exists()
    shutil.copytree(bot.folder / "build", folder / "build")
    assert taken(home, ledger, folder).id == bot.id  # what was built is not part of the bot


@pytest.mark.parametrize(
    ("build", "said"),
    [
        ('["sh", "-c", "echo no compiler >&2; exit 7"]', r"ended with 7\n  \| no compiler"),
        ('["no-such-program"]', "cannot be run: No such file"),
        ('["sh", "-c", "kill -9 $$"]', "ended with -9"),
    ],
)
def test_a_build_that_fails_shows_its_log_and_leaves_nothing(
    home: Home, ledger: Ledger, folder: Path, build: str, said: str
) -> None:
    (folder / "bot.toml").write_text(MANIFEST + f"build = {build}\n")
    with pytest.raises(CannotStart, match=said) as error:
        taken(home, ledger, folder)
    assert error.value.exit_code == 3
    assert kept_folders(home) == [] and ledger.bots() == []


def test_a_build_that_takes_too_long_is_ended_with_all_it_started(
    home: Home, ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "BUILD_SECONDS", 0.3)
    (folder / "bot.toml").write_text(MANIFEST + 'build = ["sh", "-c", "sleep 61.25 & echo $!; wait"]\n')
    with pytest.raises(CannotStart, match="took more than") as error:
        taken(home, ledger, folder)
    pid = int(str(error.value).split("|")[1])
    assert not is_alive(pid)


def test_a_kill_during_the_build_leaves_no_bot(home: Home, ledger: Ledger, folder: Path) -> None:
    (folder / "bot.toml").write_text(
        MANIFEST + 'build = ["sh", "-c", "echo $$ > pid; mv pid built; exec sleep 60"]\n'
    )
    code = (
        "import sys; from pathlib import Path; from arena.home import Home; from arena.ledger import Ledger\n"
        "from arena.bundles import take_in; home = Home(sys.argv[1])\n"
        "take_in(home, Ledger(home.ledger), Path(sys.argv[2]), True)"
    )
    process = subprocess.Popen([sys.executable, "-c", code, home.path, folder], start_new_session=True)
    while not (built := list(home.path.glob("bots/.new-*/*/built"))):
        assert process.poll() is None
        time.sleep(0.02)
    pid = int(built[0].read_text())
    process.kill()
    process.wait()
    while is_alive(pid) or list(home.path.glob("bots/.new-*/scratch")):
        time.sleep(0.02)
    assert not [name for name in kept_folders(home) if not name.startswith(".")] and ledger.bots() == []
    (left,) = home.path.glob("bots/.new-*")
    os.utime(left, (0, 0))
    (folder / "bot.toml").write_text(MANIFEST)
    bot = taken(home, ledger, folder)
    assert kept_folders(home) == [bot.id.digest]


def test_files_that_change_meanwhile_are_noticed(
    home: Home, ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def copy(source: Path, target: Path) -> None:
        shutil.copyfile(source, target)
        target.write_bytes(target.read_bytes() + b"#")

    monkeypatch.setattr("arena.building.shutil.copy", copy)
    with pytest.raises(InputError, match="changed meanwhile"):
        taken(home, ledger, folder)
    assert kept_folders(home) == []


def test_files_that_are_gone_are_said_to_be(home: Home, ledger: Ledger, folder: Path) -> None:
    shutil.rmtree(taken(home, ledger, folder).folder)
    with pytest.raises(InputError, match="gone") as error:
        resolve(home, ledger, "mybot")
    assert "arena bot add" in error.value.fix


def test_an_unknown_name_has_a_near_one(home: Home, ledger: Ledger) -> None:
    with pytest.raises(InputError, match="no bot 'gredy'") as error:
        resolve(home, ledger, "gredy")
    assert "did you mean 'greedy'?" in error.value.fix


def test_an_added_bot_hides_the_houses_of_its_name_until_it_goes(
    home: Home, ledger: Ledger, folder: Path
) -> None:
    (folder / "bot.toml").write_text(MANIFEST.replace("mybot", "random"))
    mine = taken(home, ledger, folder)
    assert resolve(home, ledger, "random") == mine
    ledger.unlist_bot("random")
    assert resolve(home, ledger, "random").id != mine.id


def test_a_path_alone_does_not_claim_a_name(home: Home, ledger: Ledger, folder: Path) -> None:
    resolve(home, ledger, str(folder))
    with pytest.raises(InputError, match="no bot 'mybot'"):
        resolve(home, ledger, "mybot")


@pytest.mark.parametrize(
    ("games", "plays", "not_"),
    [
        (["*"], "claim/2p/GK-UWX", None),
        (["claim"], "claim/4p/GK-UWXTD", "other/2p"),
        (["claim/2p/*"], "claim/2p/GK-UWX", "claim/3p/GK-UWXTD"),
        (["claim/2p"], "claim/2p/GK-UWX", "claim/3p/GK-UWXTD"),
        ([], None, "claim/2p/GK-UWX"),
    ],
)
def test_what_a_bot_plays(
    home: Home, ledger: Ledger, folder: Path, games: list[str], plays: str | None, not_: str | None
) -> None:
    (folder / "bot.toml").write_text(MANIFEST + f"games = {games}\n")
    bot = taken(home, ledger, folder)
    assert (plays is None or bot.plays(plays)) and (not_ is None or not bot.plays(not_))


@pytest.mark.parametrize("error", [CannotStart("it faults"), KeyboardInterrupt()])
def test_a_bot_that_fails_its_trial_is_not_kept(
    home: Home, ledger: Ledger, folder: Path, error: BaseException
) -> None:
    shown: list[Bot] = []

    def trial(bot: Bot) -> None:
        shown.append(bot)
        assert (bot.folder / "bot.py").exists()
        raise error

    with pytest.raises(type(error)):
        take_in(home, ledger, folder, listed=True, trial=trial)
    assert len(shown) == 1 and kept_folders(home) == [] and ledger.bots(listed=False) == []


def test_a_trial_that_fails_takes_nothing_from_a_bot_of_the_same_files(
    home: Home, ledger: Ledger, folder: Path
) -> None:
    (folder / "other.toml").write_text(MANIFEST.replace("mybot", "other"))
    first = taken(home, ledger, folder)

    def trial(bot: Bot) -> None:
        raise CannotStart("it faults")

    with pytest.raises(CannotStart):
        take_in(home, ledger, folder / "other.toml", listed=True, trial=trial)
    assert resolve(home, ledger, "mybot") == first
    assert len(listed_files(first.folder)) == 4


def test_a_trial_that_fails_takes_nothing_from_who_added_the_same_files_meanwhile(
    home: Home, ledger: Ledger, folder: Path
) -> None:
    others: list[Bot] = []

    def trial(bot: Bot) -> None:
        others.append(taken(home, ledger, folder))
        raise CannotStart("it faults")

    with pytest.raises(CannotStart):
        take_in(home, ledger, folder, listed=True, trial=trial)
    assert kept_folders(home) == [others[0].id.digest] and resolve(home, ledger, "mybot") == others[0]


def test_a_bot_is_tried_as_it_will_be_kept(home: Home, ledger: Ledger, folder: Path) -> None:
    build = 'build = ["sh", "-c", "pwd > built"]\n'
    (folder / "bot.toml").write_text(MANIFEST + build)

    def trial(bot: Bot) -> None:
        files = [bot.folder, *bot.folder.rglob("*")]
        assert {stat.S_IMODE(file.stat().st_mode) & 0o222 for file in files} == {0}
        # a path that the build has written down will lead nowhere: so it does now
        assert not Path((bot.folder / "built").read_text().strip()).exists()
        tried.append(bot)

    tried: list[Bot] = []
    bot = take_in(home, ledger, folder, listed=True, trial=trial)
    assert [one.id for one in tried] == [bot.id] and bot.folder.name == bot.id.digest
    take_in(home, ledger, folder, listed=True, trial=tried.append)
    assert tried[1] == bot  # what is there already is tried where it is


def test_two_manifests_of_a_folder_are_two_bots_in_one(home: Home, ledger: Ledger, folder: Path) -> None:
    build = 'build = ["sh", "-c", "date +%N >> built"]\n'
    (folder / "bot.toml").write_text(MANIFEST + build)
    (folder / "other.toml").write_text(MANIFEST.replace("mybot", "other") + build)
    first, second = taken(home, ledger, folder), taken(home, ledger, folder / "other.toml")
    assert first.folder == second.folder and kept_folders(home) == [first.id.digest]
    assert {known.id.name for known in ledger.bots()} == {"mybot", "other"}
    assert len((first.folder / "built").read_text().splitlines()) == 1


# rename


@pytest.fixture
def two(home: Home, ledger: Ledger, folder: Path) -> list[Bot]:
    """Two versions of mybot, the older first."""
    old = taken(home, ledger, folder)
    (folder / "bot.py").write_text("print(2)\n")
    return [old, taken(home, ledger, folder)]


def test_all_versions_answer_to_a_new_name(home: Home, ledger: Ledger, two: list[Bot]) -> None:
    old, new = two
    assert rename(ledger, "mybot", "better") == 2
    found = resolve(home, ledger, "better")
    assert (found.id.name, found.id.digest, found.manifest.name) == ("better", new.id.digest, "better")
    assert resolve(home, ledger, f"better@{old.id.digest}").folder == old.folder
    with pytest.raises(InputError, match="no bot 'mybot'"):
        resolve(home, ledger, "mybot")
    assert resolve(home, ledger, str(old.id)) == old  # a tournament may have it so


def test_a_bot_may_have_its_name_back(home: Home, ledger: Ledger, two: list[Bot]) -> None:
    rename(ledger, "mybot", "better")
    assert rename(ledger, "better", "mybot") == 2
    assert resolve(home, ledger, "mybot") == two[1]
    assert [known.id.digest for known in ledger.bots("mybot")] == [two[1].id.digest, two[0].id.digest]
    assert ledger.bots("better") == []


@pytest.mark.parametrize(
    ("old", "new", "said", "fix"),
    [
        ("mybot", "random", "there is a bot 'random' already", "another name"),
        ("mybot", "mybot", "there is a bot 'mybot' already", "another name"),
        ("mybto", "better", "no bot 'mybto' was added", "did you mean 'mybot'?"),
        ("random", "better", "no bot 'random' was added", "mybot"),
        ("mybot", "a b", "'a b' cannot be one", "such as: a-b"),
    ],
)
def test_a_rename_that_is_refused_changes_nothing(
    home: Home, ledger: Ledger, two: list[Bot], old: str, new: str, said: str, fix: str
) -> None:
    before = ledger.bots(listed=False)
    with pytest.raises(InputError, match=said) as error:
        rename(ledger, old, new)
    assert fix in error.value.fix and ledger.bots(listed=False) == before


# prune


def test_only_versions_that_nothing_needs_are_pruned(home: Home, ledger: Ledger, folder: Path) -> None:
    def version(text: str, listed: bool = False) -> Bot:
        (folder / "bot.py").write_text(text)
        return take_in(home, ledger, folder, listed=listed)

    played, listed, unused = version("one"), version("two", listed=True), version("three" * 1000)
    ledger.begin("cup", "seed", {}, [played.id])
    found = prune(home, ledger, dry_run=True)
    assert found.versions == (unused.id,) and 10_000 < found.bytes < 20_000
    assert len(kept_folders(home)) == 3
    assert prune(home, ledger) == found
    assert set(kept_folders(home)) == {played.id.digest, listed.id.digest}
    assert {known.id for known in ledger.bots(listed=False)} == {played.id, listed.id}
    assert resolve(home, ledger, str(played.id)) == played and resolve(home, ledger, "mybot") == listed
    assert prune(home, ledger) == Pruned((), 0)


def test_files_that_another_bot_has_too_are_not_pruned(home: Home, ledger: Ledger, folder: Path) -> None:
    (folder / "other.toml").write_text(MANIFEST.replace("mybot", "other"))
    taken(home, ledger, folder)
    take_in(home, ledger, folder / "other.toml", listed=False)
    rename(ledger, "mybot", "better")
    assert prune(home, ledger) == Pruned((), 0)
    assert [known.id.name for known in ledger.bots(listed=False)] == ["better"]
    assert rename(ledger, "better", "mybot") == 1 and resolve(home, ledger, "mybot").folder.is_dir()


def test_versions_whose_files_are_gone_are_pruned(home: Home, ledger: Ledger, folder: Path) -> None:
    shutil.rmtree(resolve(home, ledger, str(folder)).folder)
    assert prune(home, ledger).bytes == 0 and ledger.bots(listed=False) == []


def test_nothing_is_pruned_while_a_tournament_takes_its_bots_in(
    home: Home, ledger: Ledger, folder: Path
) -> None:
    resolve(home, ledger, str(folder))
    with home.lock("cup"), pytest.raises(Busy, match="'cup'"):
        prune(home, ledger)
    assert len(kept_folders(home)) == len(ledger.bots(listed=False)) == 1


@pytest.fixture
def others(home: Home) -> Iterator[tuple[Home, Ledger]]:
    """The same home with another ledger."""
    other = Home(home.path, ledger=home.path / "other.sqlite")
    with closing(Ledger(other.ledger)) as ledger:
        yield other, ledger


def test_files_that_another_ledger_needs_are_not_pruned(
    home: Home, ledger: Ledger, others: tuple[Home, Ledger], folder: Path
) -> None:
    bot = resolve(home, ledger, str(folder))
    others[1].begin("cup", "seed", {}, [resolve(*others, str(folder)).id])
    assert prune(home, ledger).versions == () and ledger.bots(listed=False) == []
    assert bot.folder.is_dir() and resolve(*others, str(bot.id)).id == bot.id
    mine = taken(home, ledger, folder)
    others[1].begin("cup", "seed", {}, [])
    assert prune(*others).versions == () and ledger.bots()[0].id == mine.id and bot.folder.is_dir()
    ledger.unlist_bot(mine.id.name)
    assert prune(home, ledger).versions == (mine.id,) and kept_folders(home) == []


def test_nothing_is_pruned_while_a_tournament_of_another_ledger_is_run(
    home: Home, ledger: Ledger, others: tuple[Home, Ledger], folder: Path
) -> None:
    bot = resolve(home, ledger, str(folder))
    with others[0].lock("cup"), pytest.raises(Busy, match="in use"):
        prune(home, ledger)
    with home.pruning(), pytest.raises(Busy, match="in use"), home.pruning():
        pass
    assert bot.folder.is_dir()


def test_a_ledger_that_is_gone_keeps_what_it_may_need(
    home: Home, ledger: Ledger, others: tuple[Home, Ledger], folder: Path
) -> None:
    bot = resolve(home, ledger, str(folder))
    resolve(*others, str(folder))
    assert isinstance(others[0].ledger, Path)
    others[0].ledger.rename(home.path / "away.sqlite")
    with pytest.raises(StorageError, match=r"other\.sqlite may need .*not there; nothing") as error:
        prune(home, ledger)
    assert error.value.code == "E419" and str(home.path / "ledgers") in error.value.fix
    assert bot.folder.is_dir() and len(ledger.bots(listed=False)) == 1
    (home.path / "ledgers").unlink()
    assert prune(home, ledger).versions == (bot.id,)


# limits asked for


@pytest.mark.parametrize(
    ("asked", "seconds"), [((), 10), ((2_000,), 10), ((20_000, 15_000), 20), ((10**20,), 86_400)]
)
def test_outside_tournaments_a_bot_may_take_to_start_what_it_asks_for(
    asked: tuple[int, ...], seconds: int
) -> None:
    said = [Manifest(name="x", run=["x"], limits=Asked(startup_ms=ms)) for ms in asked]
    bots = [Bot(BotId("x", ""), one, Path()) for one in said]
    assert limits_of(bots) == Limits(startup=timedelta(seconds=seconds))


MEMORY = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
SECONDS_5 = timedelta(seconds=5)


@pytest.mark.parametrize(
    ("asked", "limits", "short"),
    [
        ("move_ms = 5000", Limits(move=SECONDS_5), []),
        ("move_ms = 5001", Limits(move=SECONDS_5), [("move_ms", 5001, 5000)]),
        ("move_ms = 5001", Limits(move=None), []),
        ("startup_ms = 5001", Limits(startup=SECONDS_5), [("startup_ms", 5001, 5000)]),
        ("startup_ms = 5001", NO_LIMITS, []),
        (f"memory_mb = {MEMORY}", Limits(), []),
        (f"memory_mb = {MEMORY + 1}", NO_LIMITS, [("memory_mb", MEMORY + 1, MEMORY)]),
        ("", Limits(startup=timedelta(0), move=timedelta(0)), []),
    ],
)
def test_a_bot_gets_what_it_asks_for_or_is_named(
    home: Home, ledger: Ledger, folder: Path, asked: str, limits: Limits, short: list[tuple[str, int, int]]
) -> None:
    (folder / "bot.toml").write_text(f"{MANIFEST}[limits]\n{asked}\n")
    bot = taken(home, ledger, folder)
    assert list(short_of([bot], limits, MEMORY)) == [(bot, *one) for one in short]
