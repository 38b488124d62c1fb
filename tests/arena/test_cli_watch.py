"""`arena watch`: what stands in a terminal of any size, in lines and in JSON, whatever bots are called."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from io import StringIO
from itertools import product
from pathlib import Path
from unicodedata import east_asian_width

from click.testing import CliRunner, Result
from rich.console import Console

from arena.cli import main
from arena.cli.lines import Lines, pace
from arena.cli.screen import Screen
from arena.config import Tournament
from arena.feed import TRUSTED
from arena.home import Home
from arena.ledger import Ledger
from arena.live import Watch
from arena.planning import plan_of
from arena.snapshots import Away, RecentFault, Snapshot, Underway
from leaderboards.standings import standings
from protocol.vocabulary import BotId, FaultKind
from referee.telling import Told
from tests.arena.filled import done, fill
from tests.arena.made import keep, round_robin
from tests.protocol.outside import TEXTS, unsafe

NOW = Snapshot(
    tournament="cup", running=True, games=400, over=120, per_second=35.14, left_seconds=8.0, ended="",
    head="ab" * 32, standings=None, faults=(), newest=(), underway=(), notes=(), at="2026-01-01T00:00:00+00:00",
    delay_seconds=30.0,
)  # fmt: skip
GAME = Underway("g1", "claim/2p/GK-UWX", ("ann", "bob"), 7, 40.0)
TOLD = [
    Told(6, None, "@view", [[["hands"], [12, 12]]]),
    Told(7, None, "play", {"seat": 1, "card": "K7"}),
    Told(7, None, "strange", {"ranking": [1, 0]}),
]


def drawn(
    snapshot: Snapshot, width: int = 80, height: int | None = 24, screen: Screen | None = None,
    told: Sequence[Told] = TOLD,
) -> list[str]:  # fmt: skip
    """The lines of the picture."""
    console = Console(file=StringIO(), width=width, height=height or 24, highlight=False, color_system=None)
    console.print((screen or Screen()).draw(snapshot, lambda _: list(told), width, height))
    assert isinstance(console.file, StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def filled(folder: Path, names: Sequence[str] = ("ann", "bob"), games: int = 4) -> Home:
    """A home with a tournament of such bots, of which the second makes a fault in every game."""
    home, bots = Home(folder / "home"), tuple(BotId(name, f"{n:040x}") for n, name in enumerate(names))
    config = Tournament(name="cup", bots=["x", "y"], variants=["claim"], deals=10)
    home.folder()
    with closing(Ledger(home.ledger)) as ledger:
        ledger.begin("cup", "a seed", config.model_dump(mode="json"), bots, [f"left out: {names[0]}"])
        pairings = round_robin(plan_of(config, "a seed"), bots)
        planned = [(p.variant, p.seating, game) for p in pairings for game in p.games]
        planned.sort(key=lambda one: one[2].block)
        made = [done(*one, False) for one in planned[:games]]
        for one in made:
            seats = (
                replace(
                    seat, rank=bots.index(seat.bot), fault=FaultKind.CRASH if seat.bot == bots[1] else None
                )
                for seat in one.result.seats
            )
            object.__setattr__(one, "result", replace(one.result, seats=tuple(seats)))
        keep(ledger, "cup", made)
    return home


def arena(home: Home, *words: str) -> Result:
    result = CliRunner().invoke(main, ["--home", str(home.path), "watch", *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_as_it_is_now(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    fill(home, "cup", ["claim"], games=4, faulty=1)
    result = arena(home, "cup", "--once")
    assert result.exit_code == 0 and result.stderr == ""
    for part in (
        "cup  ✔ all games are played",
        "4 of 4 games",
        "carl is left out",
        "newest faults",
        "bob: timeout in game",
    ):
        assert part in result.stdout, part
    assert not set("\r\x1b") & set(result.stdout), "no terminal, so nothing for one"
    lines = [line.split() for line in result.stdout.splitlines()]
    assert [line[1] for line in lines if line[:1] in (["1"], ["2"])] == ["ann", "bob"]


def test_one_that_is_over_ends_the_watch_and_says_what_next(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    fill(home, "cup", ["claim"], games=4)
    plain = arena(home, "cup")
    assert plain.exit_code == 0 and plain.stdout.startswith(
        "cup: over (all games are played), 4 of 4 games; first is ann"
    )
    assert plain.stderr.splitlines()[0] == "cup: all games are played" and "leaderboard cup" in plain.stderr
    stream = arena(home, "cup", "--json")
    (one,) = map(json.loads, stream.stdout.splitlines())
    assert one["schema"] == "kingmaker/live/1" and one["over"] == 4 and one["ended"]


def test_no_such_tournament_is_exit_2(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    fill(home, "cup", ["claim"], games=1)
    result = arena(home, "cub", "--once")
    assert result.exit_code == 2 and "did you mean 'cup'?" in result.stderr and result.stdout == ""


def test_texts_of_others_are_shown_and_do_nothing(tmp_path: Path) -> None:
    texts = [text for text in TEXTS if text][::2]
    home = filled(tmp_path, texts, games=12)
    for options in (("--once",), ("--once", "--json")):
        assert not unsafe(arena(home, "cup", *options).stdout)
    with Watch("cup", home) as watch:
        whole = watch.look()
    assert len(whole.standings.rows if whole.standings else ()) > 5
    for text in texts:
        one = replace(whole, running=True, underway=(replace(GAME, bots=(text, text)),), notes=(text,))
        fault = RecentFault("g1", BotId(text, "d"), FaultKind.CRASH, one.at)
        lines, told = Lines(lambda: 0.0), [Told(1, None, "strange", {"card": text})]
        said = [*lines.of(one), *lines.of(replace(one, faults=(fault, *one.faults)))]
        assert len(said) == 2 and not unsafe("".join([*said, *drawn(one, 120, 40, told=told)])), text


def test_it_fits_every_terminal_and_the_keys_stand_in_its_last_line(tmp_path: Path) -> None:
    with Watch("cup", filled(tmp_path, ("a name that is far too long for it" * 2, "bob"))) as watch:
        one = replace(watch.look(), running=True, underway=(GAME,), notes=("a long note " * 20,))
    for width, height in product((20, 48, 64, 80, 130), (10, 24, 50)):
        lines = drawn(one, width, height)
        assert len(lines) == height and lines[-1].startswith(" q quit"), (width, height)
        wide = [line for line in lines if sum(1 + (east_asian_width(c) in "WF") for c in line) > width]
        assert not wide, (width, height)


def test_long_names_that_differ_at_their_end_stay_apart(tmp_path: Path) -> None:
    pair = ("a-name-of-forty-letters-or-so-version-1.1", "a-name-of-forty-letters-or-so-version-1.2")
    with Watch("cup", filled(tmp_path, pair)) as watch:
        one = replace(watch.look(), running=True, underway=(replace(GAME, bots=pair),))
    for width in (60, 80, 130):
        lines = drawn(one, width, 24)
        rows = [line.split()[1] for line in lines if line.split()[:1] in (["1"], ["2"])]
        assert [name[-3:] for name in rows] == ["1.1", "1.2"], (width, rows)
        assert any("0: " in line and "1.1" in line and "1.2" in line for line in lines), width
        assert any("crash in game" in line and "1.2" in line for line in lines), width


def test_what_has_no_room_is_counted(tmp_path: Path) -> None:
    with Watch("cup", filled(tmp_path, [f"bot{n}" for n in range(1, 10)], games=72)) as watch:
        one = watch.look()
    for height, more in ((12, "… 6 more"), (24, "… 2 more"), (50, "")):
        lines = drawn(one, height=height)
        shown = [line for line in lines if re.match(r" \d +bot\d ", line)]
        assert [line.strip() for line in lines if "more" in line] == [more] * bool(more), height
        assert len(shown) == (9 - int(more.split()[1]) if more else 9), height


def test_where_bots_could_read_it_no_game_is_promised() -> None:
    hidden = replace(NOW, notes=(TRUSTED,), delay_seconds=None)
    assert "not shown: its bots could read it" in "".join(drawn(hidden)) and "old yet" not in "".join(
        drawn(hidden)
    )


def test_how_far_it_is() -> None:
    assert pace(NOW) == "120 of 400 games, 35.1 games/s, 8 s left"
    assert (
        pace(replace(NOW, per_second=0.05, left_seconds=5600))
        == "120 of 400 games, 3.0 games/min, 1 h 33 min left"
    )
    assert pace(replace(NOW, games=None, per_second=None, left_seconds=None)) == "120 games"


def test_a_game_under_way_is_told_in_words_and_can_be_turned() -> None:
    two = replace(NOW, underway=(GAME, replace(GAME, id="g2", bots=("eve", "dan"))))
    screen = Screen()
    shown = drawn(two, screen=screen)
    assert " under way, 1 of 2, as it was 30 s ago" in shown and "   0: ann   1: bob" in shown
    assert any(
        line.startswith("      7  ") and line.endswith("plays K7") for line in shown
    ) and "@view" not in "".join(shown)
    for by, names in ((1, "eve"), (1, "ann"), (-1, "eve"), (0, "eve")):
        screen.turn(two, by)
        assert f"   0: {names}" in "".join(drawn(two, screen=screen))
    assert "   0: ann" in "".join(drawn(replace(two, underway=two.underway[:1]), screen=screen)), (
        "the other is over"
    )
    assert "no game is 30 s old yet" in "".join(drawn(NOW))


def test_places_that_changed_are_marked(tmp_path: Path) -> None:
    with Watch("cup", filled(tmp_path)) as watch:
        one = watch.look()
    assert one.standings and not [line for line in drawn(one) if "▲" in line or "▼" in line]
    screen = Screen()
    drawn(one, screen=screen)
    turned = [
        replace(result, seats=tuple(replace(s, rank=1 - s.rank) for s in result.seats))
        for result in one.newest
    ]
    later = replace(one, standings=standings(turned))
    first, second = [line for line in drawn(later, screen=screen) if line.startswith((" 1", " 2"))]
    assert "▲1" in first and "▼1" in second


def test_what_a_suspended_bot_lost_unplayed_is_one_line() -> None:
    away = Away(BotId("bob", ""), FaultKind.CRASH, 136)
    fault = RecentFault("g1", away.bot, FaultKind.CRASH, NOW.at)
    one = replace(NOW, faults=(fault,), away=(away,))
    for height in (24, 50):
        shown = drawn(one, height=height)
        assert "   00:00:00 bob: crash in game g1" in shown, height
        assert "   bob: 136 games lost unplayed, suspended" in shown, height
    lines = Lines(lambda: 0.0)
    list(lines.of(NOW))
    assert list(lines.of(one)) == [
        "00:00:00 bob: crash in game g1",
        "bob is suspended: crash too often in a row",
    ]
    assert list(lines.of(replace(one, away=(replace(away, unplayed=137),)))) == []


def test_lines_come_at_a_change_after_some_seconds_or_games_and_for_each_fault() -> None:
    clock = [100.0]
    lines = Lines(lambda: clock[0])
    first, second = (RecentFault(f"g{n}", BotId("bob", ""), FaultKind.CRASH, NOW.at) for n in (1, 2))

    def said(seconds: float, **changed: object) -> list[str]:
        clock[0] += seconds
        return list(lines.of(replace(NOW, **changed)))  # type: ignore[arg-type]

    assert said(0, faults=(first,)) == ["cup: running, 120 of 400 games, 35.1 games/s, 8 s left"]
    assert said(20, faults=(first,)) == [], "nothing is new"
    assert said(1, faults=(second, first)) == ["00:00:00 bob: crash in game g2"]
    assert len(said(1, over=121, faults=(second, first))) == 1 and said(5, over=122, faults=(second,)) == []
    assert len(said(1, over=142, faults=(second,))) == 1
    assert said(1, over=143, running=False, faults=(second,))[0].startswith("cup: stopped, 143 of 400")
