"""bot.toml and what stands in for it: every wrong key is named, manifests beside each other, scripts alone."""

from __future__ import annotations

import json
import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from arena.config import load
from arena.errors import InputError
from arena.manifests import as_toml, house_bots, kits, proposal, read_manifest, source
from protocol.manifest import Asked, Manifest

SOUND = {"name": '"mybot"', "run": '["./bot"]'}
WRONG = {
    "name": [('"my bot"', "such as: my-bot"), ("7", "a valid string, not '7'")],
    "version": [("1.0", "a valid string, not '1.0'"), (f'"{"1" * 41}"', "at most 40 characters")],
    "language": [('["c"]', "a valid string"), (f'"{"c" * 41}"', "at most 40 characters")],
    "authors": [('"Ann"', "a valid list, not 'Ann'"), ('["Ann", 7]', "authors.1")],
    "games": [('"claim"', "a valid list, not 'claim' games = [\"claim\"]"), ("[7]", "games.0")],
    "build": [
        ('"sh -c \\"a b\\""', 'build = ["sh", "-c", "a b"]'),
        ('"a \\" b"', 'build = ["a", "\\"", "b"]'),
        ("[]", "at least 1"),
        ('["make", ""]', "build.1"),
    ],
    "needs": [("true", "a valid string, not 'True'"), (f'"{"x" * 301}"', "at most 300 characters")],
    "run": [
        ('"python3 bot.py"', 'a valid list, not \'python3 bot.py\' run = ["python3", "bot.py"]'),
        ("[]", "at least 1"),
    ],
    "deterministic": [('"yes"', "a valid boolean, not 'yes'"), ("1", "a valid boolean, not '1'")],
    "transport": [('"pipe"', "'ipc', 'tcp' or 'stdio', not 'pipe'")],
    "limits": [("5", "a valid dictionary"), ("{move_mss = 1}", "did you mean 'move_ms'?")],
    "env": [
        ('"A=1"', "a valid dictionary"),
        ("{A = 1}", "a valid string, not '1'"),
        ('{ARENA_TOKEN = "x"}', "'ARENA_TOKEN' may not be set"),
        ('{"a b" = "x"}', "'a b' may not be set: a plain name"),
    ],
}
"""Wrong values of each key, and what the user is told beside the key."""
WRONG_LIMITS = {
    "startup_ms": [("0", "greater than or equal to 1, not '0'"), ('"1 s"', "a valid integer, not '1 s'")],
    "move_ms": [("-5", "greater than or equal to 1, not '-5'"), ("0.5", "a valid integer, not '0.5'")],
    "memory_mb": [("0", "greater than or equal to 1, not '0'"), ("true", "a valid integer, not 'True'")],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "mybot"
    folder.mkdir()
    return folder


def written(folder: Path, file: str = "bot.toml", /, **keys: str) -> Path:
    path = folder / file
    path.write_text("".join(f"{key} = {value}\n" for key, value in (SOUND | keys).items()))
    return path


def refused(path: Path) -> str:
    with pytest.raises(InputError) as error:
        read_manifest(path)
    assert error.value.code == "E212"
    return f"{error.value} {error.value.fix}"


def test_no_key_is_left_out_here() -> None:
    assert set(WRONG) == set(Manifest.model_fields) and set(WRONG_LIMITS) == set(Asked.model_fields)


@pytest.mark.parametrize(("key", "value", "said"), [(key, *one) for key in WRONG for one in WRONG[key]])
def test_a_wrong_value_is_told_with_its_line_its_key_and_what_was_expected(
    folder: Path, key: str, value: str, said: str
) -> None:
    line = list(SOUND | {key: value}).index(key) + 1
    text = refused(written(folder, **{key: value}).parent)
    assert re.search(rf"bot\.toml:{line}: (unknown key ')?{key}[:.]", text) and said in text


@pytest.mark.parametrize(
    ("key", "value", "said"), [(key, *one) for key in WRONG_LIMITS for one in WRONG_LIMITS[key]]
)
def test_a_wrong_limit_is_told_with_its_table(folder: Path, key: str, value: str, said: str) -> None:
    path = written(folder)
    path.write_text(path.read_text() + f"[limits]\n{key} = {value}\n")
    text = refused(folder)
    assert f"bot.toml:4: limits.{key}: " in text and said in text


@pytest.mark.parametrize("key", SOUND)
def test_a_key_that_must_be_there_is_named(folder: Path, key: str) -> None:
    (folder / "bot.toml").write_text("".join(f"{k} = {v}\n" for k, v in SOUND.items() if k != key))
    assert f"the key {key!r} is missing" in refused(folder)


def test_all_that_is_wrong_is_told_at_once_in_the_order_of_the_file(folder: Path) -> None:
    written(folder, langauge='"c"', version="1", run="[]")
    text = refused(folder)
    assert "3 things are wrong" in text and "unknown key 'langauge' (did you mean 'language'?)" in text
    assert text.index("line 2: run") < text.index("line 3: unknown") < text.index("line 4: version")


def test_a_manifest_survives_being_written(folder: Path) -> None:
    said = Manifest(
        name="x", run=["./x", 'a "b"\\'], authors=["Ž"], env={"A": "1\n2"}, transport="stdio",
        limits=Asked(move_ms=5),
    )  # fmt: skip
    (folder / "bot.toml").write_text(as_toml(said), "utf-8")
    assert read_manifest(folder) == said


# manifests beside each other


def test_a_manifest_of_another_name_is_another_bot_of_the_folder(folder: Path) -> None:
    written(folder)
    other = source(written(folder, "other.toml", name='"other"', run='["./bot", "-o"]'))
    assert (other.manifest.name, other.manifest.run, other.folder) == ("other", ["./bot", "-o"], folder)
    assert other.files().keys() == source(folder).files().keys() == {"bot.toml", "other.toml"}


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ({"build": '["make"]'}, {"build": '["make", "other"]'}, 'bot.toml has: build = ["make"]'),
        ({"build": '["make"]'}, {}, 'bot.toml has: build = ["make"]'),
        ({}, {"build": '["make"]'}, "bot.toml has no build"),
    ],
)
def test_another_build_in_one_folder_is_refused(
    folder: Path, first: dict[str, str], second: dict[str, str], said: str
) -> None:
    written(folder, **first)
    text = refused(written(folder, "other.toml", **second))
    assert "other.toml: build: one folder is built once" in text and said in text


def test_a_manifest_alone_in_its_folder_needs_no_other(folder: Path) -> None:
    assert read_manifest(written(folder, "alone.toml", build='["make"]')).build == ["make"]


def test_a_manifest_that_is_not_there_is_named(folder: Path) -> None:
    assert f"no file or folder {folder / 'gone.toml'}" in refused(folder / "gone.toml")


# scripts


@pytest.mark.parametrize(
    ("name", "text", "run", "language", "transport"),
    [
        ("mine.py", "import json, sys", ["python3", "mine.py"], "python", "stdio"),
        ("mine.py", "from protocol.client import Bot", ["python3", "mine.py"], "python", "ipc"),
        ("mine.py", "import zmq", ["python3", "mine.py"], "python", "ipc"),
        ("mine.py", 'os.environ["ARENA_ENDPOINT"]', ["python3", "mine.py"], "python", "ipc"),
        ("mine.sh", "read line", ["bash", "mine.sh"], "bash", "stdio"),
        ("mine.pl", "print", ["perl", "mine.pl"], "perl", "stdio"),
        ("mine.js", "console.log()", ["node", "mine.js"], "javascript", "stdio"),
        ("mine.js", 'require("zeromq") // zmq', ["node", "mine.js"], "javascript", "ipc"),
        ("mine.py", "# for kingmaker", ["python3", "mine.py"], "python", "stdio"),
    ],
)
def test_a_script_is_proposed_a_manifest(
    tmp_path: Path, name: str, text: str, run: list[str], language: str, transport: str
) -> None:
    script = tmp_path / name
    script.write_text(text)
    manifest = read_manifest(script)
    assert (manifest.name, manifest.run) == ("mine", run)
    assert (manifest.language, manifest.transport) == (language, transport)
    said = proposal(script)
    assert said and f"run = {json.dumps(run)}" in said and f'transport = "{transport}"' in said
    (tmp_path / "bot.toml").write_text(said)
    assert read_manifest(tmp_path) == manifest


def test_a_program_runs_by_itself(tmp_path: Path) -> None:
    program = tmp_path / "mine"
    program.write_bytes(b"\x7fELF")
    program.chmod(0o755)
    assert read_manifest(program).run == ["./mine"]


def test_a_script_whose_name_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "my bot.py").write_text("")
    assert "'my bot' cannot be one" in refused(tmp_path / "my bot.py")


def test_what_is_no_regular_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "mine.py")
    with pytest.raises(InputError, match=r"mine\.py is no regular file") as error:
        read_manifest(tmp_path / "mine.py")
    assert error.value.code == "E213"


def test_of_a_long_script_only_the_beginning_is_looked_at(tmp_path: Path) -> None:
    script = tmp_path / "mine.py"
    for size, transport in ((1 << 10, "ipc"), (1 << 16, "stdio")):
        script.write_text("#" * size + "\nimport zmq\n")
        assert read_manifest(script).transport == transport


@pytest.mark.parametrize("name", ["a\nb", "\x1b[1m", "sub\x7f/file", "a\\b"])
def test_names_that_no_archive_may_have_no_folder_may_have(folder: Path, name: str) -> None:
    (folder / "bot.toml").write_text('name = "mybot"\nrun = ["./bot"]\n')
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).touch()
    with pytest.raises(InputError, match=r"^the name of .* has (a|control)") as error:
        source(folder).files()
    assert error.value.code == "E213" and str(error.value).isprintable()


def test_folders_nested_without_end_are_an_error_of_input(folder: Path) -> None:
    (folder / "bot.toml").write_text('name = "mybot"\nrun = ["./bot"]\n')
    (folder / "/".join(["aa"] * 500)).mkdir(parents=True)
    with pytest.raises(InputError, match=r"has more than 1,024 bytes"):
        source(folder).files()


def test_a_manifest_without_end_is_not_read(folder: Path) -> None:
    with (folder / "bot.toml").open("wb") as file:
        file.truncate(1 << 42)
    with pytest.raises(InputError, match="more than 1 MiB"):
        source(folder)


def test_a_tournament_without_end_is_not_read() -> None:
    with pytest.raises(InputError, match="cannot read /dev/zero: it has more than 1 MiB") as error:
        load("/dev/zero")
    assert error.value.code == "E201"


def test_a_tournament_may_come_through_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "cup")
    said = b'bots = ["a", "b"]\nvariants = ["claim"]\n'
    with ThreadPoolExecutor(1) as writer:
        writer.submit((tmp_path / "cup").write_bytes, said)
        assert load(tmp_path / "cup").name == "cup"


def test_what_has_a_manifest_is_proposed_none(folder: Path) -> None:
    assert proposal(folder) is None and proposal(written(folder)) is None
    assert proposal(folder / "missing.py") is None


# what comes with the arena


def test_a_house_bot_lies_where_its_name_says() -> None:
    assert {"random", "greedy"} <= set(house_bots())
    assert all(read_manifest(path).name == name for name, path in house_bots().items())


def test_a_kits_bot_is_one_of_the_house() -> None:
    assert set(kits().values()) <= set(house_bots().values()) and "python" in kits()
