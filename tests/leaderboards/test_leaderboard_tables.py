"""Every format reads back, whatever the bots are called, and says what it rests on."""

import csv
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboards.standings import Standings, standings
from leaderboards.tables import Format, render
from protocol.escape import label, visible
from protocol.result import GameResult
from protocol.vocabulary import FaultKind, Verdict
from tests.leaderboards.leaderboard_results import DUEL, duels, game
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


def ring(names: list[str], variant: str = DUEL) -> list[GameResult]:
    """Each bot beats the next one twice and loses once."""
    pairs: dict[tuple[str, str], int] = {}
    for first, second in zip(names, names[1:] + names[:1], strict=True):
        pairs[first, second] = 2
        pairs[second, first] = 1
    return duels(pairs, variant=variant)


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
    assert document["schema"] == "kingmaker/leaderboard/1"
    assert {row["bot"]["name"] for row in document["rows"]} == set(HOSTILE)
    assert document["variants"][0]["rows"] == document["rows"]
    assert document["settings"]["tau"] == 0
    assert document["digest"] == hostile.digest
    assert text.isascii() and text.replace("\n", "").isprintable()


def test_html_reads_back_and_has_no_foreign_tag(hostile: Standings) -> None:
    page = Cells()
    page.feed(render(hostile, "html"))
    assert page.tags == {"table", "thead", "tbody", "tr", "th", "td", "p"}
    names = {row[1].strip() for row in page.rows[1:]}
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
    assert {line.count("&") for line in rows} == {8}
    assert len(rows) == len(HOSTILE) + 1


@pytest.mark.parametrize("format", [f for f in get_args(Format) if f != "json"])
@pytest.mark.parametrize("by", ["overall", "variant"])
def test_nothing_moves_the_cursor(hostile: Standings, format: Format, by: str) -> None:
    text = render(hostile, format, by="variant" if by == "variant" else "overall")
    assert not unsafe(text) - {"\t"}
    assert text.endswith("\n")


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=12), min_size=2, max_size=4, unique=True))
def test_any_names_keep_the_lines_of_a_table(names: list[str]) -> None:
    table = standings(ring(names))
    assert len(list(csv.reader(io.StringIO(render(table, "csv")), strict=True))) == len(names) + 1
    lines = render(table, "table").split("\n\n")[0].split("\n")
    assert len(lines) == len(names) + 2


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


def test_the_table_of_a_usual_tournament_fits_a_hundred_columns() -> None:
    names = ["champion", "greedy", "random", "mybot", "a-bot-with-quite-a-long-name", "minimax"]
    results = ring(names) + [
        game(500 + i, ("mybot", "greedy"), (1, 0), faults=(FaultKind.ILLEGAL_MOVE, None)) for i in range(3)
    ]
    text = render(standings(results, isolation="default"), "table")
    assert max(map(len, text.splitlines())) <= 100
    assert "3 illegal_move (33.3%)" in text
    assert "a-bot-wi" in text


def test_a_narrow_terminal_shortens_names_and_wraps_the_lines_below() -> None:
    table = standings(ring(["a" * 60, "b" * 60]))
    wide, narrow = render(table, "table", width=200), render(table, "table", width=80)
    assert "a" * 60 in wide
    assert "a…" in narrow and max(map(len, narrow.splitlines())) <= 80


def test_the_numbers_of_a_row() -> None:
    text = render(standings(duels({("a", "b"): 60, ("b", "a"): 40})), "table")
    head, _, first, *_ = text.splitlines()
    assert head.split("  ")[0] == "rank" and "95% interval" in head
    assert re.split(r" {2,}", first.strip()) == [
        "1", "a", "25.75", "0.75", "24.28 … 27.22", "23.51", "100", "60-0-40",
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
        "95% interval: mu ± 1.96 sigma. Exposure: mu − 3 sigma.",
        "tau 0",
        f"Estimated share of ties: 0.41% in {DUEL} (draw margin 0.030), 16.67% in {OTHER} (draw margin 1.240).",
        "Overall: mean of the 2 variants, rated each by itself, with weight 1/2 each.",
        f"a is partial, without an overall rating: no rated game of {OTHER}.",
        r"\* provisional: fewer than 100 games, or sigma above 0.8.",
        "Isolation: default",
        "Note: x is suspended",
    ]:
        assert line in text


def test_bots_that_never_met_are_said_not_to_compare() -> None:
    text = render(standings(duels({("a", "b"): 1, ("c", "d"): 1})), "csv")
    assert "never met" not in text
    text = render(standings(duels({("a", "b"): 1, ("c", "d"): 1})), "table", width=200)
    assert "never met, not even through others: a, b | c, d. Compare only inside a group." in text


def test_one_table_for_each_variant() -> None:
    results = duels({("a", "b"): 2}) + duels({("b", "c"): 2}, start=10, variant=OTHER)
    text = render(standings(results), "table", by="variant")
    assert text.index(f"{DUEL}\n\nrank") < text.index(f"{OTHER}\n\nrank")
    assert "partial" not in text
    rows = list(csv.DictReader(io.StringIO(render(standings(results), "csv", by="variant"))))
    assert [(row["variant"], row["bot"]) for row in rows] == [
        (DUEL, "a"),
        (DUEL, "b"),
        (OTHER, "b"),
        (OTHER, "c"),
    ]


def test_first_places_stand_beside_their_fair_share_where_more_than_two_play() -> None:
    assert "first (of)" not in render(standings(duels({("a", "b"): 1})), "table")
    trio = render(standings([game(1, "abc", (0, 1, 2), variant="aristoocrazy/3p")]), "table")
    assert "first (of)" in trio and "100.0% (33.3%)" in trio


@pytest.mark.parametrize("format", get_args(Format))
def test_nothing_to_rate_is_said_in_words(format: Format) -> None:
    text = render(standings([game(1, "ab", (0, 1), block_size=2)]), format)
    assert not re.search(r"\b(nan|inf|None)\b", text)
    if format not in ("csv", "tsv", "json"):
        assert "Nothing to rate yet" in text and "Left out: 1 game of 1 incomplete block." in text


def test_another_format_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match="no table 'yaml' by 'overall'; formats: table, github, csv"):
        render(standings([]), "yaml")  # type: ignore[arg-type]


def test_of_many_variants_the_least_and_the_most_ties_are_told() -> None:
    variants = [DUEL, OTHER, "claim/2p/a", "claim/2p/b"]
    results = [game(n, ("a", "b"), (0, int(n % 4 != 1)), variant=variants[n % 4]) for n in range(40)]
    text = render(standings(results), "github")
    assert text.count("draw margin") == 2 and " to " in text
