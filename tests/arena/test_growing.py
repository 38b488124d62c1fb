"""A begun tournament may grow; what would make its games unlike each other is refused by name."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.config import Tournament, parse
from arena.errors import CannotStart, InputError
from arena.events import Listener, RunStarted
from arena.home import Home
from arena.ledger import Ledger
from arena.moving import copy
from arena.place import Server
from arena.reading import status
from arena.schedules.gauntlet import Gauntlet
from arena.tournament import Prepared, _enter, check_bots, prepare
from protocol.vocabulary import BotId
from tests.arena.filled import ANN, BOB, fill

LATE = BotId("late", "c" * 40)
FIELDS: dict[str, Any] = {"name": "cup", "bots": ["random", "greedy"], "variants": ["claim"], "deals": 5}


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """The tournament, begun, with its bots."""
    home = Home(tmp_path_factory.mktemp("begun") / "home")
    home.folder()
    enter(home, parse(FIELDS, "test"))
    return home


@pytest.fixture
def home(begun: Home, tmp_path: Path) -> Home:
    """A copy of it."""
    home = Home(shutil.copytree(begun.path, tmp_path, symlinks=True, dirs_exist_ok=True))
    if isinstance(home.ledger, Server):
        copy(begun.ledger, home.ledger)
    return home


def enter(home: Home, tournament: Tournament) -> Prepared:
    with closing(Ledger(home.ledger)) as ledger:
        prepared = prepare(tournament, home, ledger)
        _enter(prepared, ledger)
        return prepared


def script(path: Path, name: str, text: str = "print('hello')") -> str:
    (path / f"{name}.py").write_text(text)
    return str(path / f"{name}.py")


@pytest.mark.parametrize(
    "change",
    [
        {"deals": 9},
        {"variants": ["claim-2", "claim"]},
        {"bots": ["greedy", "random", "NEW"]},
        {"concurrency": 7},
        {"missing_bots": "leave_out"},
        {"stop": {"games": 10}},
        {"schedule": {"kind": "gauntlet", "bots": ["greedy"]}},
    ],
    ids=str,
)
def test_what_only_adds_games_is_accepted_with_the_same_seed(
    change: dict[str, Any], home: Home, tmp_path: Path
) -> None:
    first = enter(home, parse(FIELDS, "test"))
    more = {**FIELDS, **change}
    more["bots"] = [script(tmp_path, "new") if bot == "NEW" else bot for bot in more["bots"]]
    second = enter(home, parse(more, "test"))
    assert second.seed == first.seed
    before, after = ({g.id for p in prepared.course.left() for g in p.games} for prepared in (first, second))
    assert before <= after
    with closing(Ledger(home.ledger)) as ledger:
        assert set(ledger.tournament("cup").bots) == set(second.bots)


@pytest.mark.parametrize(
    "change",
    [
        {"deals": 4},
        {"variants": ["claim-2"]},
        {"bots": ["random", "random-cpp"]},
        {"seed": "another"},
        {"seatings": "all"},
        {"partners": "both"},
        {"fresh_processes": True},
        {"names": "shown"},
        {"clock": {"move_ms": 4999}},
        {"clock": {"bank_ms": 0}},
    ],
    ids=str,
)
def test_any_other_change_is_refused_with_the_key(change: dict[str, Any], home: Home) -> None:
    if "random-cpp" in change.get("bots", []):
        change = {"bots": ["random", script(home.path, "other")]}
    with pytest.raises(InputError) as error:
        enter(home, parse({**FIELDS, **change}, "test"))
    assert str(error.value).startswith(next(iter(change)) + ":")


@pytest.mark.parametrize(
    ("kind", "change", "key"),
    [
        ("round_robin", {"schedule": {"kind": "swiss"}}, "schedule.kind"),
        ("knockout", {"schedule": {"kind": "round_robin"}}, "schedule.kind"),
        ("swiss", {"deals": 9}, "deals"),
        ("swiss", {"variants": ["claim", "claim-2"]}, "variants"),
        ("knockout", {"bots": ["greedy", "random"]}, "bots, in this order"),
    ],
    ids=str,
)
def test_rounds_that_hang_on_results_stay_as_they_began(
    kind: str, change: dict[str, Any], key: str, home: Home
) -> None:
    fields = {**FIELDS, "name": "two", "schedule": {"kind": kind}}
    enter(home, parse(fields, "test"))
    with pytest.raises(InputError, match=f"^{key}: .* began with") as error:
        enter(home, parse({**fields, **change}, "test"))
    assert (error.value.code, "Swiss or knockout" in error.value.fix) == ("E217", True)
    enter(home, parse({**fields, "stop": {"games": 7}, "suspend_after": 1}, "test"))


def test_a_refusal_tells_texts_from_its_own_words(home: Home, tmp_path: Path) -> None:
    enter(home, parse({**FIELDS, "name": "two", "seed": "drawn by lot"}, "test"))
    for change, said in (
        ({"seed": "by hand"}, "'two' began with 'drawn by lot', now 'by hand'"),
        ({"seed": "drawn by lot", "variants": ["claim-2"]}, "'claim/2p/GK-UWX', now it is left out"),
    ):
        with pytest.raises(InputError) as error:
            enter(home, parse({**FIELDS, "name": "two", **change}, "test"))
        assert said in str(error.value)


def test_a_bot_whose_files_changed_is_another_bot(home: Home, tmp_path: Path) -> None:
    fields = {**FIELDS, "name": "two", "bots": ["random", script(tmp_path, "mine", "1")]}
    enter(home, parse(fields, "test"))
    script(tmp_path, "mine", "2")
    with pytest.raises(InputError, match=r"bots: .*mine@"):
        enter(home, parse(fields, "test"))


def test_two_bots_of_one_name_are_refused(home: Home, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    bots = [script(tmp_path, "mine", "1"), script(tmp_path / "a", "mine", "2")]
    for names, said in ((bots, "called 'mine'"), (["random", "random"], "the same bot, random@[0-9a-f]{12}")):
        with pytest.raises(InputError, match=said):
            enter(home, parse({**FIELDS, "name": "two", "bots": names}, "test"))


@pytest.mark.parametrize(
    ("kept", "bots", "told"),
    [(3, [ANN, BOB, LATE], True), (0, [ANN, BOB, LATE], False), (3, [ANN, BOB], False)],
    ids=["joins", "nothing was played", "nobody joins"],
)
def test_a_bot_that_joins_when_games_were_played_is_told_of(
    kept: int, bots: list[BotId], told: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some of its deals may be public, though the tournament is not over."""
    fill(Home(tmp_path), "cup", ["claim"], games=3, deals=9)
    (tmp_path / "cup.toml").write_text('bots = ["ann", "bob", "late"]\nvariants = ["claim"]\ndeals = 9\n')

    def start(config: Tournament, home: Home, listen: Listener, *_: object) -> None:
        listen(RunStarted("cup", "a seed", tuple(map(str, bots)), 54, kept, ()))

    monkeypatch.setattr("arena.tournament.run", start)
    result = CliRunner().invoke(main, ["--home", str(tmp_path), "run", str(tmp_path / "cup.toml")])
    assert result.exit_code == 0, result.stderr
    assert (f"warning: {LATE}: added when 3 games had been played" in result.stderr) is told
    assert ("deals may be public" in result.stderr.replace("\n", " ")) is told


def broken(path: Path) -> str:
    folder = path / "broken"
    folder.mkdir()
    (folder / "bot.toml").write_text(
        'name = "broken"\nbuild = ["false"]\nneeds = "a better day"\nrun = ["./bot"]\n'
    )
    return str(folder)


def test_a_bot_that_does_not_build_stops_the_tournament_or_is_left_out_and_told(
    home: Home, tmp_path: Path
) -> None:
    fields = {**FIELDS, "name": "two", "bots": ["random", "greedy", broken(tmp_path)]}
    with pytest.raises(CannotStart, match="broken"):
        enter(home, parse(fields, "test"))
    prepared = enter(home, parse({**fields, "missing_bots": "leave_out"}, "test"))
    assert [bot.name for bot in prepared.bots] == ["random", "greedy"]
    with closing(Ledger(home.ledger)) as ledger:
        (note,) = ledger.tournament("two").notes
    assert "broken is left out" in note and "a better day" in note


def test_a_bot_that_was_left_out_joins_once_it_builds(home: Home, tmp_path: Path) -> None:
    path = broken(tmp_path)
    fields = {**FIELDS, "name": "two", "missing_bots": "leave_out", "bots": ["random", "greedy", path]}
    before = enter(home, parse(fields, "test"))
    Path(path, "bot.toml").write_text('name = "broken"\nrun = ["./bot"]\n')
    after = enter(home, parse(fields, "test"))
    assert len(after.bots) == 3 and not after.left_out
    assert after.course.most() == 3 * (before.course.most() or 0)


@pytest.mark.parametrize(("bank", "move"), [(0, 700), (9000, 0)])
def test_a_file_can_switch_bank_or_cap_off_but_not_both(bank: int, move: int) -> None:
    limits = parse({**FIELDS, "clock": {"bank_ms": bank, "move_ms": move}}, "test").clock.limits.wire()
    assert (limits["bank_ms"], limits["move_ms"]) == (bank or None, move or None)
    with pytest.raises(InputError, match="bank_ms and move_ms"):
        parse({**FIELDS, "clock": {"bank_ms": 0, "move_ms": 0}}, "test")


def test_a_schedule_goes_on_without_a_bot_that_is_left_out(home: Home, tmp_path: Path) -> None:
    bots = ["random", "greedy", broken(tmp_path), script(tmp_path, "new")]
    fields = {**FIELDS, "name": "two", "bots": bots, "missing_bots": "leave_out"}

    def told(*names: str) -> dict[str, Any]:
        return {**fields, "schedule": {"kind": "gauntlet", "bots": list(names)}}

    with closing(Ledger(home.ledger)) as ledger:
        check_bots(parse(told("broken"), "test"), home, ledger)
        with pytest.raises(InputError, match="'brocken' is no bot"):
            check_bots(parse(told("brocken", "new"), "test"), home, ledger)
    with pytest.raises(InputError, match="does not build or start here: broken"):
        enter(home, parse(told("broken"), "test"))
    prepared = enter(home, parse(told("broken", "new", "greedy"), "test"))
    _, greedy, new = prepared.course.bots
    assert prepared.course.whole == Gauntlet((new, greedy), 5)
    assert status("two", home).schedule == "gauntlet"
    failed = {bot: CannotStart(f"{bot.name}: no") for bot in (new, greedy)}
    assert prepared.without({new: failed[new]}).course.whole == Gauntlet((greedy,), 5)
    with pytest.raises(InputError, match="does not build or start here: broken, new, greedy"):
        prepared.without(failed)
