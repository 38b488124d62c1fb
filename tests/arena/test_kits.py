"""`arena bot new`: a folder to begin from in every language that has a kit. Nothing is built or started."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.kits import ALIASES
from arena.manifests import kits, read_manifest, source


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def new(*words: str) -> Result:
    return CliRunner().invoke(main, ["bot", "new", *words])


@pytest.mark.parametrize("language", sorted(kits()))
def test_a_folder_has_all_of_the_kit_and_nothing_of_the_second_bot(language: str) -> None:
    done = new("mybot", "--lang", language)
    assert done.exit_code == 0 and "arena bot check ./mybot" in done.stderr and done.stdout == ""
    kit, folder = kits()[language], Path("mybot")
    names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    apart = {name for name in source(kit).files() if Path(name).name.startswith("greedy")} | {"README.md"}
    assert names == set(source(kit).files()) - apart
    page = re.search(r"how to go on: (/.*README.md)", done.stderr)
    assert page and Path(page[1]).exists()
    assert "bot.toml" in names and all(
        name.split("/")[-1] in done.stderr for name in names if "/" not in name
    )
    sources = [path for path in folder.rglob("*") if path.is_file()]
    assert not any("greedy" in path.read_text("utf-8").lower() for path in sources)
    assert all(
        os.access(path, os.X_OK) == os.access(kit / path.relative_to(folder), os.X_OK) for path in sources
    )


@pytest.mark.parametrize("language", sorted(kits()))
def test_its_manifest_is_the_kits_under_the_new_name(language: str) -> None:
    new("mybot", "--lang", language)
    mine, kit = read_manifest(Path("mybot")), read_manifest(kits()[language])
    assert (mine.name, mine.version, mine.authors) == ("mybot", "0.1.0", [])
    anybodys = {"name", "version", "authors"}
    assert mine.model_dump(exclude=anybodys) == kit.model_dump(exclude=anybodys)
    assert mine.build or (Path("mybot") / mine.run[-1]).exists()


def test_help_lists_the_languages_that_have_a_kit() -> None:
    text = " ".join(new("--help").stdout.split())
    assert f"Languages: {', '.join(sorted(kits()))}." in text


@pytest.mark.parametrize(("other", "language"), [*ALIASES.items(), ("PYTHON", "python"), ("C++", "cpp")])
def test_a_language_has_other_names(other: str, language: str) -> None:
    assert language in kits()
    new("mybot", "--lang", other)
    assert read_manifest(Path("mybot")).language == read_manifest(kits()[language]).language


def test_a_folder_elsewhere_is_made_with_what_is_above_it() -> None:
    done = new("mybot", "--lang", "python", "--into", "a/b")
    assert read_manifest(Path("a/b/mybot")).name == "mybot" and "arena bot add a/b/mybot" in done.stderr


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("my bot", "such as: my-bot"),
        ("../up", "such as: up"),
        ("a/b", "such as: a-b"),
        (".hidden", "such as: hidden"),
        ("", "cannot be one"),
        ("x" * 64, f"such as: {'x' * 63}"),
        ('x"\nrun = ["evil"]', "cannot be one"),
    ],
)
def test_a_name_that_is_none_makes_nothing(name: str, said: str) -> None:
    done = new(name, "--lang", "python", "--into", "sub")
    assert done.exit_code == 2 and said in done.stderr and "E212" in done.stderr
    assert list(Path().iterdir()) == []


def test_what_is_there_is_left_as_it_is() -> None:
    Path("folder").mkdir()
    Path("file").write_text("mine")
    Path("link").symlink_to("nowhere")
    for name in ("folder", "file", "link"):
        done = new(name, "--lang", "python")
        assert done.exit_code == 2 and f"{name} is there already" in done.stderr and "E206" in done.stderr
    assert list(Path("folder").iterdir()) == [] and Path("file").read_text() == "mine"
    assert Path("link").is_symlink() and not Path("nowhere").exists()


@pytest.mark.parametrize(
    ("language", "said"), [("pyton", "did you mean 'python'?"), ("cobol", "there are: ")]
)
def test_a_language_without_a_kit_is_told_what_there_is(language: str, said: str) -> None:
    done = new("mybot", "--lang", language)
    assert done.exit_code == 2 and said in done.stderr and "E229" in done.stderr
    assert "docs/bare-socket.md" in done.stderr and not Path("mybot").exists()


def test_a_place_that_cannot_be_written_is_told() -> None:
    Path("file").write_text("")
    done = new("mybot", "--lang", "python", "--into", "file/below")
    assert done.exit_code == 4 and "choose another with --into" in done.stderr
