"""Every format reads back, whatever the bots are called, and says what it rests on."""

import csv
import io
import json
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboards.choices import By, Format, Show
from leaderboards.settings import Settings
from leaderboards.sheets import Column, fitted, sheet
from leaderboards.standings import Standings, standings
from leaderboards.tables import render
from protocol.escape import label, visible
from protocol.result import GameResult
from protocol.vocabulary import FaultKind, Verdict
from tests.leaderboards.leaderboard_results import DUEL, FOUR, TRIO, bot, duels, game, tournament
from tests.protocol.outside import TEXTS, unsafe

HOSTILE = [
    "a|b",
    "<script>alert(1)</script>",
    "=HYPERLINK(1)",
    "@sum",
    "red \x1b[31m",
    "two\nlines\r\n",
    "right\u202eleft",
    "tab\there",
    '"quoted", with comma',
    "\ud800",
    "**bold** [x](y) `c`",
    "nan",
    "1e5",
    *filter(None, TEXTS),
]
OTHER = "claim/2p/other"


def ring(names: list[str], variant: str = DUEL, start: int = 0) -> list[GameResult]:
    """Each bot beats the next one twice and loses once."""
    pairs: dict[tuple[str, str], int] = {}
    for first, second in zip(names, names[1:] + names[:1], strict=True):
        pairs[first, second] = 2
        pairs[second, first] = 1
    return duels(pairs, variant=variant, start=start)


@pytest.fixture(scope="module")
def hostile() -> Standings:
    return standings(ring(HOSTILE, "=claim/\x1b[31m|<i>&_{"), isolation="none | <b>", notes=["=1+1 \x1b[2J"])


class Cells(HTMLParser):
    """The text of every cell, and every tag."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.rows: list[list[str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


@pytest.mark.parametrize("delimiter", [("csv", ","), ("tsv", "\t")])
def test_csv_and_tsv_read_back_and_hold_no_formula(hostile: Standings, delimiter: tuple[Format, str]) -> None:
    text = render(hostile, delimiter[0])
    rows = list(csv.DictReader(io.StringIO(text), delimiter=delimiter[1], strict=True))
    assert {row["bot"].replace("'", "") for row in rows} == {
        visible(name).replace("'", "") for name in HOSTILE
    }
    assert not any(re.match(r"\s*[=+\-@＝]", row["bot"]) for row in rows)
    assert len(text.splitlines()) == len(HOSTILE) + 1
    best = hostile.rows[0]
    assert best.rating and float(rows[0]["mu"]) == best.rating.mu
    assert (rows[0]["rank"], rows[0]["games"], rows[0]["provisional"]) == ("1", "6", "yes")


def test_large_numbers_have_commas_for_people_only() -> None:
    many = standings(duels({("ann", "bob"): 1200}))
    for format in get_args(Format):
        for_programs = format in ("csv", "tsv", "json")
        text = render(many, format)
        assert ("1,200" in text) is not for_programs, format
        assert (re.search(r"\b1200\b", text) is not None) is for_programs, format


def test_json_reads_back_with_names_as_they_are(hostile: Standings) -> None:
    text = render(hostile, "json")
    document = json.loads(text)
    assert document["schema"] == "kingmaker/leaderboard/2"
    assert {row["bot"]["name"] for row in document["rows"]} == set(HOSTILE)
    assert document["variants"][0]["rows"] == document["rows"]
    assert document["settings"]["tau"] == 0
    assert document["digest"] == hostile.digest
    assert text.isascii() and text.replace("\n", "").isprintable()


def test_html_reads_back_and_has_no_foreign_tag(hostile: Standings) -> None:
    page = Cells()
    page.feed(render(hostile, "html"))
    assert page.tags == {"table", "thead", "tbody", "tr", "th", "td", "p"}
    names = {row[[cell.strip() for cell in page.rows[0]].index("bot")].strip() for row in page.rows[1:]}
    assert names == {label(name).strip() for name in HOSTILE}


def test_github_has_the_same_cells_in_every_line(hostile: Standings) -> None:
    text = render(hostile, "github")
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert len(table) == len(HOSTILE) + 2
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in table} == {len(table[0].split("|")) - 1}
    assert not re.search(r"(?<!\\)[<*\[`]", text)


def test_latex_has_balanced_braces_and_no_foreign_command(hostile: Standings) -> None:
    text = render(hostile, "latex")
    bare = re.sub(r"\\[&%$#_{}]", "", text)
    assert bare.count("{") == bare.count("}")
    known = {"begin", "end", "hline", "par", "noindent", "textless", "textgreater", "textbackslash"}
    assert set(re.findall(r"\\([a-z]+)", bare)) <= known | {"textasciitilde", "textasciicircum"}
    rows = [line for line in bare.splitlines() if line.endswith(r"\\")]
    assert {line.count("&") for line in rows} == {12}
    assert len(rows) == len(HOSTILE) + 1


@pytest.fixture(scope="module")
def in_circles() -> Standings:
    """Some of them, so that the mixture that no bot beats is shown, too."""
    names = HOSTILE[::4]
    pairs = dict.fromkeys(zip(names, names[1:] + names[:1], strict=True), 20)
    results = duels(pairs | {(loser, winner): 4 for winner, loser in pairs}, variant="=claim/\x1b[31m|<i>&_{")
    return standings(results, isolation="none | <b>", notes=["=1+1 \x1b[2J"])


@pytest.mark.parametrize("show", get_args(Show))
@pytest.mark.parametrize("format", get_args(Format))
def test_nothing_moves_the_cursor_in_any_view(in_circles: Standings, format: Format, show: Show) -> None:
    if show == "all" and format in ("csv", "tsv"):
        return
    assert in_circles.boards[0].nash
    text = render(in_circles, format, by="variant", show=show)
    assert not unsafe(text) - {"\t"} and text.endswith("\n")
    if format == "html":
        page = Cells()
        page.feed(text)
        assert page.tags == {"table", "thead", "tbody", "tr", "th", "td", "p"}
    if format == "github":
        assert not re.search(r"(?<!\\)[<*\[`]", text)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=12), min_size=2, max_size=4, unique=True))
def test_any_names_keep_the_lines_of_a_table(names: list[str]) -> None:
    table = standings(ring(names))
    assert len(list(csv.reader(io.StringIO(render(table, "csv")), strict=True))) == len(names) + 1
    for show in ("table", "matrix"):
        text = render(table, "table", show="matrix" if show == "matrix" else "table")
        assert len(text.split("\n\n")[1].split("\n")) == len(names) + 2


@pytest.mark.parametrize("format", ["table", "github"])
def test_a_name_that_looks_like_a_number_stays_as_it_is(format: Format) -> None:
    text = render(standings(ring(["1e5", "0070.50"])), format)
    assert "1e5" in text and "0070.50" in text


def test_two_versions_of_a_bot_are_told_apart_by_their_digests() -> None:
    (result,) = duels({("a", "b"): 1})
    old, other = result.seats
    new = replace(old.bot, digest="f" * 64)
    text = render(standings([replace(result, seats=(old, replace(other, bot=new)))]), "table")
    assert "a@ffffffffffff" in text and "a@000000000000" in text


@pytest.fixture(scope="module")
def usual() -> Standings:
    names = ["champion", "greedy", "random", "mybot", "a-bot-with-quite-a-long-name", "minimax"]
    return standings([*tournament(), *ring(names, start=1000)], isolation="default")


@pytest.mark.parametrize("width", [80, 100, 160])
@pytest.mark.parametrize("show", get_args(Show))
def test_a_usual_tournament_fits_the_terminal(usual: Standings, show: Show, width: int) -> None:
    text = render(usual, "table", show=show, width=width)
    assert max(map(len, text.splitlines())) <= width
    assert "a-bot-wi" in text or show in ("seats", "luck", "fit")


def test_variants_stay_different_on_a_narrow_terminal() -> None:
    variants = ["claim/2p/GK-UWX", "claim/2p/GK-UWT", "claim/3p/GK-UWXTD", "claim/4p/GK-UWXTD"]
    results = [
        result
        for n, variant in enumerate(variants)
        for result in duels({("a", "b"): 9, ("b", "a"): 9}, start=100 * n, variant=variant)
    ]
    table = standings(results)
    for show in ("seats", "luck", "fit"):
        lines = render(table, "table", show=show, width=60).split("\n\n")[1].splitlines()
        assert max(map(len, lines)) <= 60
        assert len({line.split()[0] for line in lines[2:]}) == 4, lines


def test_a_column_is_as_wide_as_its_letters_are_on_a_terminal() -> None:
    text = render(standings(duels({("漢字bot", "b"): 9, ("b", "漢字bot"): 5})), "table")
    head, _, *rows = text.split("\n\n")[1].splitlines()
    ends = [
        row.replace("漢字", "four").index(mu) + len(mu)
        for row, mu in zip(rows, ("26.12", "23.88"), strict=True)
    ]
    assert ends == [head.index("mu") + 2] * 2


def test_a_legend_stands_once_below_the_last_table_that_it_is_of() -> None:
    text = render(standings(tournament()), "table", show="all", by="variant", width=200)
    legends = ("range: ranks", "A cell is of", "X²: squared", "seat: or team", "skill: share")
    assert [text.count(legend) for legend in legends] == [2, 1, 1, 1, 1]  # only one variant has a fair share
    assert text.index("claim/4p: wins in percent") < text.index("A cell is of") < text.index("X²: squared")


def test_columns_go_in_their_order_and_are_named() -> None:
    table = standings(ring(["a" * 30, "b" * 30, "c" * 30, "d" * 30]))
    gone = {
        125: "", 100: "P(top 3), exposure", 90: "P(top 3), exposure, W-D-L",
        70: "P(top 3), exposure, W-D-L, sigma, faults, P(1st)",
    }  # fmt: skip
    for width, names in gone.items():
        text = render(table, "table", width=width)
        head = text.split("\n\n")[1].split("\n")[0]
        assert (f"No room for: {names}." in text) if names else "No room" not in text
        assert all(name not in head for name in names.split(", ") if name)
        assert "rank  range  bot" in head and "mu" in head


def test_columns_that_tell_nothing_are_not_there() -> None:
    small = render(standings(duels({("a", "b"): 1})), "github")
    assert not any(name in small for name in ("| group", "P(top 3)", "1st (fair)"))
    large = render(standings(tournament()), "github", by="variant")
    assert "P(top 3)" in large and "1st (fair)" in large


def test_faults_are_a_share_of_games_and_their_kinds_are_told() -> None:
    teams, two = (0, 0, 1, 1), [FaultKind.CRASH, FaultKind.ILLEGAL_MOVE]
    results = [game(n, "aabb", teams, teams=teams, variant=FOUR) for n in range(3)]
    results.append(game(9, "aabb", teams, teams=teams, variant=FOUR, faults=[None, None, *two]))
    text = render(standings(results), "table")
    assert "25.0%" in text and "Faults: b 1 crash, b 1 illegal_move." in text
    results.append(game(10, "aabb", teams, teams=teams, variant=FOUR, faults=[None, None, *two[:1] * 2]))
    assert "Faults: b 2 crash, b 1 illegal_move." in render(standings(results), "table")


def test_a_narrow_terminal_shortens_names_and_wraps_the_lines_below() -> None:
    table = standings(ring(["a" * 60, "b" * 60]))
    wide, narrow = render(table, "table", width=200), render(table, "table", width=80)
    assert "a" * 60 in wide
    assert "a…" in narrow and max(map(len, narrow.splitlines())) <= 80
    tiny = render(table, "table", width=32)
    assert "aaaaaaa…" in tiny and max(map(len, tiny.split("\n\n")[1].splitlines())) <= 32


def test_the_numbers_of_a_row() -> None:
    table = standings(duels({("a", "b"): 60, ("b", "a"): 40}))
    low, high = table.confidence[0].bots[bot("a")].interval
    text = render(table, "table")
    above, _, head, _, first, *_ = text.splitlines()
    assert above == "Expected Kendall tau to the true order 0.73; 0% of neighbours told apart; 50 deals."
    assert head.split("  ")[0] == "rank" and "95% interval" in head
    assert re.split(r" {2,}", first.strip()) == [
        "1", "1–2", "a", "25.75", "0.75", f"{low:.2f} … {high:.2f}", "23.51", "87%", "100", "60-0-40", "0%", "a",
    ]  # fmt: skip


def test_below_the_table_stands_what_was_rated_and_how() -> None:
    results = [
        *duels({("a", "b"): 60, ("b", "a"): 60}),
        *duels({("b", "c"): 2}, start=200, variant=OTHER),
        game(300, "ab", (0, 1), block="half", block_size=2),
        game(301, "ab", (0, 1), verdict=Verdict.VOID),
        game(302, "aa", (0, 1)),
    ]
    text = render(standings(results, isolation="default", notes=["x is suspended"]), "github")
    for line in [
        f"Rated: 122 games of {DUEL}, {OTHER}, out of 123 whole blocks.",
        "Left out: 1 game of 1 incomplete block; 1 game void or aborted and not yet played again; "
        "1 game with nobody to compare (a bot met itself, or copies met a mixed team).",
        "95% interval: mu ± 1.96 sd against the middle of the field, clustered by deal; exposure: mu − 3 sigma;",
        "mu and sigma: TrueSkill's, of all games at once (before any 25 ± 8.33; tau 0).",
        f"Estimated share of ties: 0.41% in {DUEL} (draw margin 0.030), 16.67% in {OTHER} (draw margin 1.240).",
        "Overall: mean of the 2 variants, rated each by itself, with weight 1/2 each.",
        f"a is partial, without an overall rating: no rated game of {OTHER}.",
        r"\* provisional: fewer than 100 games, or sigma above 0.8.",
        "Isolation: default",
        "Note: x is suspended",
    ]:
        assert line in text


def test_what_has_no_rated_game_is_named() -> None:
    void = game(300, "abc", (0, 0, 0), variant=TRIO, verdict=Verdict.VOID)
    table = standings([*duels({("a", "b"): 9, ("b", "a"): 5}), void], variants=[DUEL, OTHER])
    text = render(table, "github")
    assert text.startswith("Of 1 of 3 variants, see below.\n\nExpected")
    assert f"No rated game of {TRIO}, {OTHER}: the overall rating is of 1 of 3 variants." in text
    assert "No rated game of c: not in any table." in text
    document = json.loads(render(table, "json"))
    assert document["unrated"] == [TRIO, OTHER] and [one["name"] for one in document["idle"]] == ["c"]
    whole = render(standings(duels({("a", "b"): 9})), "github")
    assert "Of 1 of" not in whole and "No rated game" not in whole


def test_one_deal_says_nothing_of_how_sure_the_table_is() -> None:
    results = [game(n, names, (0, 1), deal="one") for n, names in enumerate(["ab", "ba", "bc", "ca"] * 20)]
    table = standings(results)
    text = render(table, "table", width=120)
    assert text.startswith("1 deal: nothing can be said of how sure this is.") and "Kendall" not in text
    assert re.search(r"\n +1\* +– +\S+ +\d", text), "no range"
    document = json.loads(render(table, "json"))
    assert document["groups"] == document["variants"][0]["groups"] == []
    assert {(row["first"], row["interval_low"], row["rank_high"]) for row in document["rows"]} == {
        (None,) * 3
    }


def test_a_group_is_named_where_several_have_ranks() -> None:
    """a and b met in both variants, c met others than they did in one of them: it is alone overall."""
    pairs = {("a", "b"): 3, ("b", "a"): 3, ("c", "d"): 3, ("d", "c"): 3}
    results = [*duels(pairs), *duels({("a", "b"): 9, ("b", "c"): 9}, start=90, variant=OTHER)]
    text = render(standings(results), "table", width=120)
    assert text.startswith("Group 1 (2 bots): Expected Kendall") and "Group 2" not in text
    assert re.search(r"\n +1\* +– +2 +c ", text), "rank 1 of group 2"


def test_what_is_said_below_has_an_end() -> None:
    results = [
        result
        for n in range(30)
        for result in duels(
            {(f"x{n}", f"y{n}"): 3, (f"y{n}", f"x{n}"): 3}, start=100 * n, variant=(DUEL, OTHER)[n % 2]
        )
    ]
    text = render(standings(results), "github")
    assert "and 20 more are partial" in text and "and 5 more. Compare only" in text
    many = duels({(f"{side}{n}", f"z{side}{n}"): 3 for n in range(30) for side in "xy"})
    text = render(standings(many), "table", width=200)
    assert "Group 10 " in text and "Group 11 " not in text and "The same of 50 more groups." in text
    variants = [result for n in range(15) for result in duels({("a", "b"): 1}, start=n, variant=f"claim/{n}")]
    assert "claim/3, claim/4, and 5 more, out of" in render(standings(variants), "github")


def test_intervals_against_an_anchor_are_not_said_to_be_against_the_middle() -> None:
    results = duels({("a", "b"): 9, ("b", "a"): 5})
    for by in get_args(By):
        text = render(standings(results, settings=Settings(("b", 30.0))), "github", by=by)
        assert "95% interval: mu ± 1.96 sd, clustered by deal" in text and "against the middle" not in text


def test_a_misfit_is_not_sought_where_it_cannot_be_found() -> None:
    one_sided = duels({("a", "b"): 300, ("b", "c"): 300, ("a", "c"): 300})
    text = render(standings(one_sided), "table", show="fit")
    assert "nothing to test: pairs are too one-sided" in text and "too few games" not in text


def test_a_spread_that_was_not_measured_is_not_shown() -> None:
    for results, measured in ((duels({("a", "b"): 9, ("b", "a"): 9}), False), (tournament(deals=40), True)):
        table = standings(results)
        (one, *_) = (
            v for v in json.loads(render(table, "json", show="fit"))["variants"] if v["variant"] == DUEL
        )
        assert (one["fit"]["dispersion"] is not None) is measured
        (row,) = (
            row
            for row in csv.DictReader(io.StringIO(render(table, "csv", show="fit")))
            if row["variant"] == DUEL
        )
        assert bool(row["dispersion"]) is measured


def test_where_a_game_compares_several_pairs_the_fit_says_so() -> None:
    trio = standings([game(n, "abc", (0, 1, 2), variant=TRIO) for n in range(9)])
    crowds: dict[Show, bool] = {"fit": True, "matrix": True, "seats": False}
    for show, crowded in crowds.items():
        text = " ".join(render(trio, "table", show=show).split())
        assert ("pairs have games in common" in text) is crowded
        assert "games in common" not in render(standings(duels({("a", "b"): 9})), "table", show=show)


def test_copies_and_partners_have_tables_of_their_own() -> None:
    copies = [game(n, "abab", (0, 1, 0, 1), teams=(0, 1, 0, 1), variant=FOUR) for n in range(4)]
    mixed = [game(n, "abcd", (0, 1, 0, 1), teams=(0, 1, 0, 1), variant=FOUR) for n in range(10, 14)]
    text = render(standings([*copies, *mixed]), "github", by="variant")
    assert f"{FOUR}\n" in text and f"{FOUR} (partners)\n" in text
    assert "(partners)" not in render(standings(mixed), "github", by="variant")
    document = json.loads(render(standings(mixed), "json"))
    assert [variant["partners"] for variant in document["variants"]] == [True]


def test_bots_that_never_met_are_said_not_to_compare() -> None:
    text = render(standings(duels({("a", "b"): 1, ("c", "d"): 1})), "csv")
    assert "never met" not in text
    text = render(standings(duels({("a", "b"): 1, ("c", "d"): 1})), "table", width=200)
    assert "never met, not even through others: a, b | c, d. Compare only inside a group." in text


def test_one_table_for_each_variant() -> None:
    results = duels({("a", "b"): 2}) + duels({("b", "c"): 2}, start=10, variant=OTHER)
    results += duels({("b", "a"): 2}, start=20) + duels({("c", "b"): 2}, start=30, variant=OTHER)
    text = render(standings(results), "table", by="variant")
    assert text.index(f"{DUEL}\nExpected") < text.index(f"{OTHER}\nExpected")
    assert "partial" not in text
    rows = list(csv.DictReader(io.StringIO(render(standings(results), "csv", by="variant"))))
    assert [(row["variant"], row["bot"]) for row in rows] == [
        (DUEL, "a"),
        (DUEL, "b"),
        (OTHER, "b"),
        (OTHER, "c"),
    ]


def test_first_places_stand_beside_their_fair_share_where_more_than_two_play() -> None:
    assert "1st (fair)" not in render(standings(duels({("a", "b"): 1})), "table")
    trio = render(standings([game(1, "abc", (0, 1, 2), variant="aristoocrazy/3p")]), "table")
    assert "1st (fair)" in trio and "100.0% (33.3%)" in trio


@pytest.mark.parametrize("format", get_args(Format))
def test_nothing_to_rate_is_said_in_words(format: Format) -> None:
    text = render(standings([game(1, "ab", (0, 1), block_size=2)]), format)
    assert not re.search(r"\b(nan|inf|None)\b", text)
    if format not in ("csv", "tsv", "json"):
        assert "Nothing to rate yet" in text and "Left out: 1 game of 1 incomplete block." in text


@cache
def few(blocks: int) -> Standings:
    """After so many blocks of three games."""
    games = range(blocks * 3)
    return standings(
        [game(n, "abc", (0, 1, 2), variant=TRIO, block=f"b{n // 3}", block_size=3) for n in games]
    )


@pytest.mark.parametrize("show", get_args(Show))
@pytest.mark.parametrize("format", get_args(Format))
@pytest.mark.parametrize("games", [1, 2, 30])
def test_few_games_give_words_in_place_of_numbers_that_mean_nothing(
    games: int, format: Format, show: Show
) -> None:
    if show == "all" and format in ("csv", "tsv"):
        return
    text = render(few(games), format, show=show)
    assert not re.search(r"\b(nan|NaN|inf|Infinity|None)\b", text)
    if format == "table" and games == 1 and show == "fit":
        assert "too few games (3), about 8 are needed" in text
    if format == "table" and games == 1 and show == "luck":
        assert "fewer than 30 say nothing of luck" in text


def test_another_format_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match="no table of 'yaml'; there are table, github, csv"):
        render(standings([]), "yaml")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="csv holds one table: show one of table, matrix, seats, luck, fit"):
        render(standings([]), "csv", show="all")


def test_of_many_variants_the_least_and_the_most_ties_are_told() -> None:
    variants = [DUEL, OTHER, "claim/2p/a", "claim/2p/b"]
    results = [game(n, ("a", "b"), (0, int(n % 4 != 1)), variant=variants[n % 4]) for n in range(40)]
    text = render(standings(results), "github")
    assert text.count("draw margin") == 2 and " to " in text


def circle() -> Standings:
    """Three that beat each other in a circle."""
    wins = {("a", "b"): 70, ("b", "a"): 30, ("b", "c"): 70, ("c", "b"): 30, ("c", "a"): 70, ("a", "c"): 30}
    return standings(duels(wins))


def test_a_circle_is_said_below_every_table_and_its_mixture_shown_with_the_fit() -> None:
    text = render(circle(), "table")
    assert "one strength a bot does not explain who beats whom (p < 0.0001; see the fit)" in " ".join(
        text.split()
    )
    shown = render(circle(), "table", show="fit")
    assert "it does not: look at who beats whom" in shown
    assert re.search(
        r"mixture that no bot beats.*\n\nbot  weight  included\n─+\na     33.3%      100%", shown
    )
    assert re.search(r"\na +b +70.0% +50.0% +4.0\n", shown)


def test_the_matrix_has_shares_and_z_or_marks_where_there_is_less_room() -> None:
    wide, narrow = (render(circle(), "table", show="matrix", width=width) for width in (100, 50))
    assert "1  a          ·  70 +4.0  30 -4.0" in wide
    assert "1  a       ·  70++  30−−" in narrow
    rows = list(csv.DictReader(io.StringIO(render(circle(), "csv", show="matrix"))))
    assert [(row["bot"], row["against"], row["games"], row["wins"], row["z"]) for row in rows[:2]] == [
        ("a", "b", "100", "70.0", "4.0"),
        ("a", "c", "100", "30.0", "-4.0"),
    ]


def test_words_stay_whole_on_a_narrow_terminal() -> None:
    text = render(circle(), "table", show="fit", width=80)
    assert "it does not: look at who beats whom" in text and "No room for: spread." in text
    anchored = render(standings(duels({("a", "b"): 9}), settings=Settings(("b", 30.0))), "table", width=80)
    assert "Anchor: b has mu 30; those it met are shifted with it" in anchored


def test_the_matrix_is_in_the_order_of_the_table() -> None:
    wins = {("zed", "ann"): 7, ("ann", "zed"): 3, ("zed", "bob"): 9, ("ann", "bob"): 8, ("bob", "ann"): 1}
    (variant,) = json.loads(render(standings(duels(wins)), "json", show="matrix"))["variants"]
    assert [one["name"] for one in variant["matrix"]["bots"]] == ["zed", "ann", "bob"]
    assert variant["matrix"]["wins"] == [[0, 7, 9], [3, 0, 8], [0, 1, 0]]
    assert variant["matrix"]["games"] == [[0, 10, 9], [10, 0, 9], [9, 9, 0]]


def test_a_matrix_too_wide_says_which_columns_are_missing() -> None:
    names = [f"bot{n:02}" for n in range(30)]
    text = render(standings(ring(names)), "table", show="matrix", width=80)
    assert max(map(len, text.splitlines())) <= 80
    assert re.search(r"The first \d of 30 columns: csv and json have all\.", text)


def test_json_has_every_view_that_is_asked_for() -> None:
    table = standings(tournament())
    (plain, *_), (whole, *_) = (
        json.loads(render(table, "json", show=show))["variants"] for show in ("table", "all")
    )
    views = ("matrix", "fit", "seats", "luck")
    assert [plain[view] for view in views] == [None] * 4 and all(whole[view] for view in views)
    assert {key: value for key, value in whole.items() if key not in views} == {
        key: value for key, value in plain.items() if key not in views
    }
    assert sum(map(sum, whole["matrix"]["games"])) == 6 * whole["games"]
    assert [seat["seat"] for seat in whole["seats"]] == [0, 1, 2]


def test_csv_of_seats_luck_and_fit_has_a_line_a_seat_or_variant() -> None:
    table = standings(tournament())
    found = {
        show: list(csv.DictReader(io.StringIO(render(table, "csv", show=show))))
        for show in ("seats", "luck", "fit")
    }
    assert {show: len(rows) for show, rows in found.items()} == {"seats": 7, "luck": 3, "fit": 3}
    assert all(None not in row and None not in row.values() for rows in found.values() for row in rows)
    (duel,) = [row for row in found["luck"] if row["variant"] == DUEL]
    shares = [float(duel[key]) for key in ("skill", "seat", "deal", "rest")]
    assert sum(shares) == pytest.approx(1, abs=1e-3)


def test_a_column_that_goes_early_stays_where_there_is_room_beside_the_others() -> None:
    columns = [Column("bot", cut=True), Column("wide", goes=2), Column("n", goes=1), Column("mu", goes=3)]
    table = sheet("", columns, [["ann", "x" * 30, "7", "25.00"]])
    assert [column.name for column in fitted(table, 20).columns] == ["bot", "n", "mu"]
    assert fitted(table, 20).gone == ("wide",)
    assert fitted(table, 80).gone == ()
    assert [column.name for column in fitted(table, 11).columns] == ["bot", "mu"]
