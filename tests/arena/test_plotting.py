"""`arena plot` and `arena.results`, on a ledger that is there."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import arena
from arena.cli import main
from arena.errors import CannotStart, InputError
from arena.home import Home
from tests.arena.filled import fill
from tests.arena.made import tournament

COLUMNS = (
    "game", "variant", "deal", "block", "seat", "bot", "digest", "team", "rank", "score", "fault", "verdict", "finished",
)  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """`cup`: ann beats bob in 7 of 8 games of two variants, without records; `real`: two bots at random, with them."""
    home = Home(tmp_path_factory.mktemp("home"))
    fill(home, "cup", ["claim", "claim-2"], games=7, deals=2, faulty=1)
    tournament(home, "real")
    return home


def plot(home: Home, *words: str | Path) -> Result:
    return CliRunner().invoke(main, ["--home", str(home.path), "plot", *map(str, words)])


@pytest.mark.parametrize(
    ("words", "name", "begins"),
    [
        (["ratings", "cup", "--by", "variant", "--anchor", "ann=30"], "a.svg", b"<?xml"),
        (["intervals", "cup", "--variant", "claim"], "a.pdf", b"%PDF"),
        (["matrix", "cup", "--without-forfeits"], "a.PNG", b"\x89PNG"),
        (["timing", "real", "--top", "1"], "picture", b"<?xml"),
    ],
)
def test_a_picture_is_written_in_the_format_of_its_ending(
    home: Home, tmp_path: Path, words: list[str], name: str, begins: bytes
) -> None:
    format = ["--format", "svg"] if name == "picture" else []
    result = plot(home, *words, *format, "-o", tmp_path / name)
    assert (result.exit_code, result.stdout) == (0, ""), result.stderr
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_a_picture_goes_to_stdout_and_says_what_it_is_of(home: Home) -> None:
    result = plot(home, "timing", "real", "--format", "svg", "-o", "-")
    digest = arena.leaderboard("real", home=home).digest
    assert result.exit_code == 0
    assert f"real: timing, 4 games, digest {digest}".encode() in result.stdout_bytes
    assert result.stdout_bytes.endswith(b"</svg>\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["luck", "cup"], "fewer than 30"),
        (["timing", "cup"], "no move"),
        (["intervals", "cup", "--variant", "claim-2"], "nothing can be said of how sure"),
    ],
)
def test_too_little_is_said_and_nothing_is_written(
    home: Home, tmp_path: Path, words: list[str], said: str
) -> None:
    result = plot(home, *words, "-o", tmp_path / "a.svg")
    assert result.exit_code == 1
    assert said in result.stderr and "E265" in result.stderr
    assert not (tmp_path / "a.svg").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["matrix", "cup", "-o", "a.jpg"], "E266"),
        (["matrix", "cup", "-o", "-"], "--format"),
        (["matrix", "cup", "-o", "a.svg", "--by", "variant"], "leave out --by"),
        (["ratings", "cup", "-o", "a.svg", "--anchor", "nobody"], "E248"),
        (["ratings", "cap", "-o", "a.svg"], "did you mean 'cup'"),
        (["matrix", "cup", "-o", "/nowhere/a.svg"], "E209"),
    ],
)
def test_what_is_wrong_is_said(home: Home, words: list[str], said: str) -> None:
    result = plot(home, *words)
    assert result.exit_code == 2
    assert said in result.stderr


def test_without_matplotlib_it_says_what_to_install(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = plot(home, "matrix", "cup", "-o", "a.svg")
    assert result.exit_code == 3
    assert "kingmaker[plot]" in result.stderr and "E323" in result.stderr


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_results_are_a_row_a_seat_with_types_that_hang_on_nothing(home: Home, library: str) -> None:
    cup = arena.results("cup", frame=library, home=home)  # type: ignore[call-overload]
    real = arena.results("real", frame=library, home=home)  # type: ignore[call-overload]
    assert type(cup).__module__.startswith(library)
    assert tuple(cup.columns) == COLUMNS
    assert (len(cup), len(real)) == (14, 8)
    assert list(cup.dtypes) == list(real.dtypes), "also where nobody made a fault"
    results = arena.leaderboard("cup", home=home).selection
    assert set(cup["game"]) >= {result.id for games in results.games.values() for result in games}
    assert list(cup["seat"])[:4] == [0, 1, 0, 1]
    assert set(cup["bot"]) == {"ann", "bob"}
    assert [fault for fault in cup["fault"] if isinstance(fault, str)] == ["timeout"]
    assert cup["finished"][0].utcoffset().total_seconds() == 0


def test_results_of_a_variant_alone_and_pandas_unless_one_says_otherwise(home: Home) -> None:
    seats = arena.results("cup", variant="claim-2", home=home)
    assert type(seats).__module__.startswith("pandas")
    assert set(seats["variant"]) == {"claim/2p/NA-TDS"}


def test_results_of_a_home_by_its_folder(home: Home) -> None:
    seats = arena.results("cup", home=home)
    assert seats.equals(arena.results("cup", home=str(home.path)))
    assert seats.equals(arena.results("cup", home=home.path))


def test_without_a_library_of_frames_both_are_named(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert type(arena.results("cup", home=home)).__module__.startswith("polars")
    with pytest.raises(CannotStart, match="pandas is not installed"):
        arena.results("cup", frame="pandas", home=home)
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(CannotStart, match="neither pandas nor polars") as error:
        arena.results("cup", home=home)
    assert "pip install pandas" in str(error.value), "a traceback has the text alone"
    with pytest.raises(InputError, match="'numpy'"):
        arena.results("cup", frame="numpy", home=home)  # type: ignore[call-overload]
