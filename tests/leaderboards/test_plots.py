"""Pictures for papers: the same bytes for the same games, names as they stand, and words where there is too little."""

import random
from functools import partial
from io import BytesIO
from typing import get_args
from xml.etree import ElementTree

import pytest

from leaderboards import panels
from leaderboards.choices import PictureFormat
from leaderboards.history import ending, history
from leaderboards.measured import Timing
from leaderboards.plots import Panel, TooLarge, TooLittle, render
from leaderboards.settings import Settings
from leaderboards.standings import Standings, standings
from protocol.escape import label
from protocol.result import GameResult
from tests.leaderboards.leaderboard_results import DUEL, bot, duels, game, tournament
from tests.leaderboards.test_leaderboard_tables import HOSTILE, ring

SVG = "{http://www.w3.org/2000/svg}"
FORMULAS = ["$x^2$", "$\\frac", "\\alpha", "a_b", "漢字", "\N{ROBOT FACE}"]


def texts(drawn: list[Panel]) -> list[str]:
    """What can be read in a picture."""
    tree = ElementTree.parse(BytesIO(render(drawn, "svg")))
    return ["".join(text.itertext()) for text in tree.iter(f"{SVG}text")]


def intervals(table: Standings) -> Panel:
    return panels.intervals("", table.rows, table.confidence)


@pytest.fixture(scope="module")
def results() -> list[GameResult]:
    return [result for result in tournament() if result.variant == DUEL]


@pytest.fixture(scope="module")
def table(results: list[GameResult]) -> Standings:
    return standings(results)


@pytest.mark.parametrize("form", get_args(PictureFormat))
def test_equal_games_give_equal_bytes_whatever_the_user_has_set(
    results: list[GameResult], table: Standings, form: PictureFormat
) -> None:
    import matplotlib

    first = render([panels.matrix(table.boards[0])], form, about="cup")
    again = standings(random.Random(1).sample(results, len(results)))
    with matplotlib.rc_context({"font.size": 20, "axes.grid": True, "svg.hashsalt": None, "pdf.fonttype": 3}):
        assert render([panels.matrix(again.boards[0])], form, about="cup") == first
        assert matplotlib.rcParams["font.size"] == 20
    assert b"Date" not in first and b"cup" in first


def test_letters_stay_letters_in_pdf(table: Standings) -> None:
    pdf = render([intervals(table)], "pdf")
    assert b"/CIDFontType2" in pdf and b"/Type3" not in pdf


def test_names_are_drawn_as_they_stand() -> None:
    names = HOSTILE[:14] + FORMULAS
    table = standings(ring(names, "=claim/\x1b[31m|<i>&_{$"))
    svg = render([panels.intervals(table.boards[0].label, table.rows, table.confidence)], "svg")
    tree = ElementTree.fromstring(svg)
    read = ["".join(text.itertext()) for text in tree.iter(f"{SVG}text")]
    for name in names:
        if len(label(name)) <= 18:
            assert read.count(label(name)) == 1, name
    assert "=claim/\\x1b[31m|<i>&_{$" in read
    assert all(text.isprintable() for text in read)
    assert not {f"{SVG}script", f"{SVG}i", f"{SVG}b"} & {element.tag for element in tree.iter()}


def test_a_name_that_the_font_lacks_is_drawn_too() -> None:
    table = standings(duels({("漢字", "\N{ROBOT FACE}"): 4}))
    assert render([panels.matrix(table.boards[0])], "pdf")


def test_a_matrix_has_the_shares_of_the_table_and_never_a_nan() -> None:
    table = standings(duels({("a", "b"): 3, ("b", "a"): 1, ("b", "c"): 1}))
    read = texts([panels.matrix(table.boards[0])])
    assert [read.count(share) for share in ("75", "25", "100", "0")] == [1, 1, 1, 1]
    assert read.count("–") == 2, "a and c never met"
    assert "nan" not in " ".join(read)


def test_of_many_bots_a_matrix_has_no_numbers_but_colours_that_are_explained() -> None:
    few, many = (
        texts([panels.matrix(standings(ring([f"b{n}" for n in range(size)])).boards[0])]) for size in (8, 36)
    )
    assert "b3  " in " ".join(few) and "67" in few
    assert "67" not in many and "50" in many and "100%" in many


def test_a_line_ends_where_the_table_has_its_bot(results: list[GameResult]) -> None:
    rows = standings(results, settings=Settings(anchor=("c", 40.0))).rows
    past = ending(history(results, points=2), rows)
    for row in rows:
        assert row.rating and past.mu[row.bot][-1] == pytest.approx(row.rating.mu)
    read = texts([panels.ratings("", past, [row.bot for row in rows], 2)])
    assert [name for name in read if name in "abcd"] == [row.bot.name for row in rows[:2]]
    assert "rated games; grey: other bots" in read


def test_luck_says_what_it_lacks_beside_what_it_has(results: list[GameResult]) -> None:
    boards = standings([*results, game(9999, ["a", "b"], (0, 1), variant="claim/2p/other")]).boards
    read = texts([panels.luck(boards)])
    assert {"skill", "seat", "deal", "rest"} <= set(read)
    assert "fewer than 30 say nothing of luck" in " ".join(read)


def test_thinking_times_of_nothing_at_all_are_drawn() -> None:
    times = {
        bot("quick"): Timing(5, 0.0, 0.0, 0.0, 0.0),
        bot("slow"): Timing(5, 900.0, 2000.0, 5000.0, 6000.0),
    }
    read = texts([panels.timing("", times)])
    assert read.index("quick") < read.index("slow") and "1 s" in read


def test_thinking_times_that_are_alike_have_a_scale_in_words() -> None:
    read = texts([panels.timing("", {bot("one"): Timing(5, 3.0, 4.0, 6.0, 7.0)})])
    assert {"5 ms"} <= set(read) and not any("{" in text for text in read)


@pytest.mark.parametrize(
    ("drawn", "said"),
    [
        (partial(panels.timing, DUEL, {}), f"{DUEL}: no move"),
        (lambda: intervals(standings([])), "no bot has a rating"),
        (lambda: intervals(standings(duels({("a", "b"): 1}))), "one deal"),
        (lambda: panels.luck(standings(duels({("a", "b"): 1})).boards), "fewer than 30"),
        (lambda: panels.ratings("", history([]), []), "too few games"),
    ],
)
def test_too_little_is_said_in_words(drawn: partial[Panel], said: str) -> None:
    with pytest.raises(TooLittle, match=said):
        render([drawn()], "svg")


def test_no_panel_at_all_is_too_little() -> None:
    with pytest.raises(TooLittle, match="no game is rated yet"):
        render([], "pdf")


def test_a_panel_that_lacks_something_says_so_beside_others(table: Standings) -> None:
    assert "no move of a rated game was timed" in " ".join(texts([intervals(table), panels.timing("", {})]))


def test_a_picture_of_too_many_pixels_is_refused(table: Standings) -> None:
    with pytest.raises(TooLarge, match=r"65,536"):
        render([intervals(table)], "png", width=100, dpi=2000)
