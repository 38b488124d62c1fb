"""Bots that leave: what is packed is what was handed in, and comes to the same version elsewhere or to nothing."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena import archives
from arena.building import listed_files
from arena.bundles import rename, resolve
from arena.errors import InputError
from arena.home import Home
from arena.ledger import Ledger
from arena.shipping import carried, export, installed
from tests.arena.made import MANIFEST, a_bot, taken


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "home")
    home.folder()
    return home


@pytest.fixture
def ledger(home: Home) -> Iterator[Ledger]:
    with closing(Ledger(home.ledger)) as ledger:
        yield ledger


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return a_bot(tmp_path / "work" / "mybot")


def test_what_plays_here_can_be_carried_to_another_machine(
    home: Home, ledger: Ledger, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "MAX_FILES", 2)
    monkeypatch.setattr(archives, "MAX_BYTES", 1 << 20)
    with (folder / "weights").open("wb") as weights:
        weights.truncate(2 << 20)  # and far more than a hundred times what it is packed
    for name in (b"caf\xe9", b"Case", b"case"):
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_bytes(name)
    bot = taken(home, ledger, folder)
    there = installed(Home(tmp_path / "there"), bot.id, bot.manifest, carried(bot))
    assert listed_files(there.folder).keys() == listed_files(bot.folder).keys()
    assert (there.folder / "weights").stat().st_size == 2 << 20


@pytest.mark.parametrize(
    "spoil", [lambda data: data[: len(data) // 2], lambda data: b"", lambda data: b"x" * 1000]
)
def test_what_did_not_come_whole_is_refused(
    home: Home, ledger: Ledger, folder: Path, tmp_path: Path, spoil: Callable[[bytes], bytes]
) -> None:
    bot, there = taken(home, ledger, folder), Home(tmp_path / "there")
    with pytest.raises(InputError, match=r"did not come whole|are others"):
        installed(there, bot.id, bot.manifest, spoil(carried(bot)))
    assert list((there.path / "bots").iterdir()) == []


def test_an_export_taken_in_elsewhere_is_the_same_version(
    home: Home, ledger: Ledger, folder: Path, tmp_path: Path
) -> None:
    (folder / "tool").write_text("x")
    (folder / "tool").chmod(0o654)  # may be run by its group, and not by its owner
    (folder / "lib" / "run").write_text("x")
    (folder / "lib" / "run").chmod(0o755)
    (folder / "bot.toml").write_text(MANIFEST + 'build = ["sh", "-c", "echo > made"]\n')
    bot = taken(home, ledger, folder)
    export(bot, tmp_path / "once.tar.gz")
    export(bot, tmp_path / "again.tar.gz")
    assert (tmp_path / "once.tar.gz").read_bytes() == (tmp_path / "again.tar.gz").read_bytes()
    other = Home(tmp_path / "elsewhere")
    other.folder()
    with closing(Ledger(other.ledger)) as second:
        assert taken(other, second, tmp_path / "once.tar.gz").id == bot.id


def test_a_script_that_was_exported_is_a_script(
    home: Home, ledger: Ledger, folder: Path, tmp_path: Path
) -> None:
    bot = taken(home, ledger, folder / "bot.py")
    export(bot, tmp_path / "bot.tar.gz")
    ledger.unlist_bot("bot")
    shutil.rmtree(bot.folder)
    assert taken(home, ledger, tmp_path / "bot.tar.gz") == bot


@pytest.mark.parametrize("how", ["changed", "gone", "may be run", "no list"])
def test_files_that_were_tampered_with_are_not_exported(
    home: Home, ledger: Ledger, folder: Path, tmp_path: Path, how: str
) -> None:
    bot = taken(home, ledger, folder)
    file = bot.folder / ("bot.py" if how != "no list" else ".files")
    file.chmod(0o755)
    bot.folder.chmod(0o755)
    if how == "changed":
        file.write_text("evil()\n")
        file.chmod(0o444)
    elif how != "may be run":
        file.unlink()
    with pytest.raises(InputError, match="not those that were taken in") as error:
        export(bot, tmp_path / "bot.tar.gz")
    assert error.value.code == "E211" and not (tmp_path / "bot.tar.gz").exists()


def test_an_export_that_cannot_be_written_leaves_what_is_there(
    home: Home, ledger: Ledger, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot, there = taken(home, ledger, folder), tmp_path / "there"
    there.write_text("mine")
    for place in (tmp_path / "missing" / "bot.tar.gz", there / "below", tmp_path / "work"):
        with pytest.raises(InputError, match="cannot write") as error:
            export(bot, place)
        assert error.value.code == "E209"

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("arena.shipping.tarfile.open", full)
    with pytest.raises(InputError, match="No space left"):
        export(bot, there)
    assert there.read_text() == "mine" and sorted(path.name for path in tmp_path.iterdir()) == [
        "home",
        "there",
        "work",
    ]


@pytest.mark.parametrize("what", ["folder", "second manifest", "only a second manifest", "script"])
def test_an_export_comes_back_under_the_name_that_the_bot_has_now(
    home: Home, ledger: Ledger, folder: Path, tmp_path: Path, what: str
) -> None:
    (folder / "second.toml").write_text(f'{MANIFEST.replace("mybot", "second")}version = "2"\n')
    if what == "only a second manifest":
        (folder / "bot.toml").unlink()
    bot = taken(home, ledger, folder / {"folder": "", "script": "bot.py"}.get(what, "second.toml"))
    if what in ("folder", "script"):
        rename(ledger, bot.id.name, "better")
    packed = resolve(home, ledger, "better" if what in ("folder", "script") else "second")
    export(packed, tmp_path / "bot.tar.gz")
    back = taken(home, ledger, tmp_path / "bot.tar.gz")
    assert back.manifest == packed.manifest and back.id.digest != bot.id.digest
    files = set(listed_files(bot.folder)) | {"bot.toml"}
    assert set(listed_files(back.folder)) == files
    assert (back.folder / "bot.py").read_bytes() == (folder / "bot.py").read_bytes()


@pytest.mark.parametrize("what", ["pipe", "link", "link to a folder", "list"])
def test_what_is_no_longer_a_file_is_not_exported(
    home: Home, ledger: Ledger, folder: Path, tmp_path: Path, what: str
) -> None:
    bot = taken(home, ledger, folder)
    name = {"list": ".files", "link to a folder": "lib"}.get(what, "bot.py")
    bot.folder.chmod(0o755)
    original = (bot.folder / name).rename(tmp_path / "original")
    if what == "pipe":
        os.mkfifo(bot.folder / name)
    else:
        (bot.folder / name).symlink_to(original)
    with pytest.raises(InputError) as error:
        export(bot, tmp_path / "bot.tar.gz")
    assert error.value.code == "E211" and not (tmp_path / "bot.tar.gz").exists()
