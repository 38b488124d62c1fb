"""Where a ledger lies: what names a place, and that nothing that is shown has a password."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from arena.cli import main
from arena.errors import Busy, InputError
from arena.home import Home
from arena.place import Server, address_of, place_of

SECRET = "hun7er2"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://h/d", "postgresql://h/d"),
        ("postgres://", "postgres://"),
        (f"postgresql://ann:{SECRET}@h:5433/cups", "postgresql://ann@h:5433/cups"),
        (f"postgresql://ann:{SECRET}:x@h/d", "postgresql://ann@h/d"),
        (f"postgresql://:{SECRET}@/cups", "postgresql:///cups"),
        (f"postgresql://a@[::1]:1,b:2/d?password={SECRET}&sslmode=require&sslpassword={SECRET}",
         "postgresql://a@[::1]:1,b:2/d?sslmode=require"),
        (f"postgresql:///d?scram_client_key={SECRET}&scram_server_key={SECRET}", "postgresql:///d"),
        (f"postgresql:///d?user=a&password={SECRET}", "postgresql:///d?user=a"),
        ("postgresql://?service=cups", "postgresql://?service=cups"),
        ("postgresql://%2Ftmp%2Fx/d?options=-csearch_path%3Dours",
         "postgresql://%2Ftmp%2Fx/d?options=-csearch_path%3Dours"),
    ],
)  # fmt: skip
def test_an_address_is_shown_without_its_password(address: str, shown: str) -> None:
    place = place_of(address)
    assert isinstance(place, Server) and address_of(place) == address
    assert str(place) == shown and SECRET not in repr(place)


@pytest.mark.parametrize(
    "wrong",
    [
        f"postgresql://ann:{SECRET}/x@h/d", f"postgresql://ann:{SECRET}@x@h/d", f"postgresql://ann:{SECRET}?w=1@h/d",
        f"postgresql://ann:{SECRET}#x@h/d", f"postgresql://ann:{SECRET}",
        f"postgresql://ann:1{SECRET}/d?x", f"mysql://ann:{SECRET}@h/d", f"postgresql+psycopg://a:{SECRET}@h/d",
        "", f"host=/tmp dbname=x password={SECRET}", f"postgresql:{SECRET}", f"mysql:{SECRET}", f"~no-such-{SECRET}/x", f"{SECRET}\0",
        f"postgresql://ann:{SECRET} x@h/d", f"postgresql://h/d?{SECRET}", f"://{SECRET}",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused_and_not_repeated(wrong: str) -> None:
    with pytest.raises(InputError) as error:
        place_of(wrong)
    assert error.value.code == "E412" and SECRET not in str(error.value) + error.value.fix
    done = CliRunner().invoke(main, ["--ledger", wrong, "status"])
    assert done.exit_code == 2 and "E412" in done.stderr and SECRET not in done.output


@given(st.text(alphabet="ab1:/?#@%&=[], ", max_size=12), st.text(alphabet="ab1:/?#@%&=[]., ", max_size=12))
def test_a_password_that_stands_anywhere_is_not_shown(before: str, after: str) -> None:
    """Whatever is left of the last @ and right of the first : before it may be a part of one."""
    try:
        place = place_of(f"postgresql://u:{before}{SECRET}{after}@h/d")
    except InputError as error:
        assert SECRET not in f"{error} {error.fix}"
    else:
        assert SECRET not in f"{place} {place!r}"


def test_a_file_is_a_place_too_and_has_its_locks_beside_it(tmp_path: Path) -> None:
    shared = tmp_path / "shared" / "cups.sqlite"
    shared.parent.mkdir()
    one, other = (Home(tmp_path / name, ledger=place_of(str(shared))) for name in "ab")
    with one.lock("cup"):
        assert other.held("cup") and other.run_folder("cup") == one.run_folder("cup")
        assert sorted(path.name for path in shared.parent.iterdir()) == ["cups.sqlite.locks"]
    assert not other.held("cup")


@pytest.mark.parametrize(
    ("text", "path"),
    [("~/x.sqlite", "home/x.sqlite"), ("./host=a", "host=a"), ("/a:b/c=d", "/a:b/c=d"), ("x", "x")],
)
def test_a_path_may_begin_at_the_users_folder(
    text: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert place_of(text) == tmp_path / path


def test_a_ledger_by_two_paths_is_one_and_two_beside_each_other_are_two(tmp_path: Path) -> None:
    (tmp_path / "link.sqlite").symlink_to(tmp_path / "a.sqlite")
    one, again, other = (Home(tmp_path, ledger=tmp_path / f"{name}.sqlite") for name in ("a", "link", "b"))
    with one.lock("cup"):
        assert again.held("cup") and not other.held("cup")
        assert again.called("cup") == one.called("cup") != other.called("cup")
        with other.lock("cup"), pytest.raises(Busy), again.lock("cup"):
            pass
    assert Home(tmp_path).called("cup") == "cup" and len(one.ledgers()) == 2


def test_what_is_shared_by_homes_is_known_by_the_path_of_the_file(tmp_path: Path) -> None:
    own, other = Home(tmp_path / "own"), Home(tmp_path / "other", ledger=tmp_path / "own" / "ledger.sqlite")
    with own.lock("cup"):
        assert other.held("cup")


@pytest.mark.parametrize("server", ["postgresql://ann:pw@h/one", "postgresql://ann:pw@h/two"])
def test_logs_of_servers_are_told_apart_and_no_password_is_kept(tmp_path: Path, server: str) -> None:
    home = Home(tmp_path, ledger=place_of(server))
    with home.using_bots(), home.using_bots():
        assert (tmp_path / "ledgers").read_text() == server.replace(":pw", "") + "\n"
    assert home.called("cup") != Home(tmp_path, ledger=place_of(server + "3")).called("cup") != "cup"


def test_the_environment_names_a_ledger_and_words_win(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KINGMAKER_LEDGER", "postgresql://h/d")
    assert str(Home.default().ledger) == "postgresql://h/d"
    assert Home.named("x", "y.sqlite").ledger == Path("y.sqlite").absolute()
    monkeypatch.delenv("KINGMAKER_LEDGER")
    assert Home.named(str(tmp_path)).ledger == tmp_path / "ledger.sqlite"


def test_a_ledger_that_is_made_may_be_read_by_nobody_else(tmp_path: Path) -> None:
    from arena.reading import opened

    with opened(Home(tmp_path / "home", ledger=tmp_path / "cups.sqlite")) as ledger:
        ledger.begin("cup", "seed", {}, [])
    assert (tmp_path / "cups.sqlite").stat().st_mode & 0o077 == 0


def test_without_the_driver_it_is_said_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
    done = CliRunner().invoke(main, ["--home", str(tmp_path), "--ledger", "postgresql://h/d", "status"])
    assert (
        done.exit_code == 3 and "E413" in done.stderr and "pip install 'kingmaker[postgres]'" in done.stderr
    )


def test_a_server_that_is_not_there_is_code_4(tmp_path: Path) -> None:
    address = f"postgresql://ann:{SECRET}@/d?host={tmp_path}"
    done = CliRunner().invoke(main, ["--home", str(tmp_path), "--ledger", address, "status"])
    assert done.exit_code == 4 and "E411" in done.stderr and "run the same command again" in done.stderr
    assert SECRET not in done.output


@pytest.mark.parametrize("query", ["nonesuch=1", f"password={SECRET}%zz"])
def test_what_libpq_does_not_take_is_code_2(tmp_path: Path, query: str) -> None:
    done = CliRunner().invoke(main, ["--ledger", f"postgresql:///d?{query}", "status"])
    assert done.exit_code == 2 and "E412" in done.stderr and SECRET not in done.output
