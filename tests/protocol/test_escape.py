"""Any text, in any medium, is shown and does nothing."""

import csv
import io
import json
import re
from html.parser import HTMLParser
from unicodedata import normalize

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from protocol import escape
from tests.protocol.outside import SURROGATE, TEXTS, unsafe

MARKS = "=+-@＝,;|\"' \t\n\r\x1b\u202e\u200b\ufe0f\u0301<>&\\`*_[](){}#~!$^%:/.w1a"
ANY = st.text(st.sampled_from(MARKS) | st.characters(), max_size=20) | st.sampled_from([*TEXTS, SURROGATE])
CHEAP = settings(max_examples=200, deadline=None)
TABLES = MarkdownIt("commonmark").enable("table")


class Page(HTMLParser):
    """Elements with their attributes, and all text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, attrs))

    def handle_data(self, data: str) -> None:
        self.text += data


@CHEAP
@given(ANY)
def test_a_visible_line_is_one_line_of_what_is_seen(text: str) -> None:
    shown = escape.visible(text)
    assert not unsafe(shown) and "\n" not in shown
    assert escape.visible(shown) == shown


@CHEAP
@given(ANY)
def test_a_terminal_gets_the_same_lines_and_nothing_that_it_obeys(text: str) -> None:
    shown = escape.terminal(text)
    assert not unsafe(shown)
    assert shown.count("\n") == text.count("\n")


@given(st.text(st.characters(codec="ascii", categories=["L", "N", "P", "S", "Zs"])))
def test_plain_text_stays_as_it_is(text: str) -> None:
    assert escape.visible(text) == escape.terminal(text) == text


@pytest.mark.parametrize("text", ["Zoë", "علی", "日本語", "Tiếng Việt", "\U0001f600", "שָׁלוֹם", "ไม้"])
def test_the_writing_of_any_language_stays_as_it_is(text: str) -> None:
    assert escape.visible(text) == text
    assert escape.label(normalize("NFD", text)) == normalize("NFC", text)


def test_accents_do_not_reach_out_of_their_line() -> None:
    assert escape.visible("\u0338") == "\\u0338"
    assert escape.visible("z" + "\u0301" * 40).count("\u0301") == escape.MARKS


@CHEAP
@given(ANY, st.integers(1, 30))
def test_a_label_is_one_visible_line_and_not_long(text: str, most: int) -> None:
    shown = escape.label(text, most)
    assert not unsafe(shown) and "\n" not in shown
    assert len(shown) <= most + 1


@CHEAP
@given(ANY)
@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
def test_a_cell_reads_back_as_text_that_is_no_formula(delimiter: str, text: str) -> None:
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter).writerow([escape.cell(text), "end"])
    [[read, end]] = csv.reader(io.StringIO(file.getvalue()), delimiter=delimiter, strict=True)
    assert end == "end" and not unsafe(read)
    assert not any(re.match(r"\s*[=+\-@＝＋－＠]", part) for part in re.split(r"[,;|\t]", read))
    assert read.replace("'", "") == escape.visible(text).replace("'", "")


@CHEAP
@given(ANY)
def test_html_is_the_same_text_and_no_element(text: str) -> None:
    shown = escape.html(text)
    page = Page(f"<p title=\"{shown}\" lang='{shown}'>{shown}</p>")
    visible = escape.visible(text)
    assert page.elements == [("p", [("title", visible), ("lang", visible)])]
    assert page.text == visible


@CHEAP
@given(ANY)
@example("a\\|b")
@example("    code")
def test_markdown_is_the_same_text_in_one_cell_without_markup(text: str) -> None:
    shown = escape.markdown(text)
    table = TABLES.render(f"| a | b |\n|---|---|\n| {shown} | end |\n")
    page = Page(table)
    cells = re.findall(r"<td>(.*?)</td>", table, re.DOTALL)
    assert "|" not in shown and len(cells) == 2 and cells[1] == "end"
    assert {tag for tag, _ in page.elements} == {"table", "thead", "tbody", "tr", "th", "td"}
    assert Page(cells[0]).text == escape.visible(text).strip()


@CHEAP
@given(ANY.filter(str.strip))
@example("1. a")
@example("- a")
@example("===")
def test_a_markdown_paragraph_is_one(text: str) -> None:
    page = Page(TABLES.render(escape.markdown(text.strip())))
    assert [tag for tag, _ in page.elements] == ["p"]
    assert page.text.strip() == escape.visible(text.strip()).strip()


@pytest.mark.parametrize("text", ["https://a.b", "www.a.b", "@a", "a@b.c", "#1"])
def test_github_makes_no_link_of_it(text: str) -> None:
    assert not re.search(r"(?<!\\)([@#]|://)|(?<=www)\.", escape.markdown(text))


@CHEAP
@given(ANY)
def test_latex_has_no_command_and_no_group_of_the_text(text: str) -> None:
    shown = escape.latex(text)
    bare = re.sub(r"\\(text(backslash|asciitilde|asciicircum|less|greater)\{\}|[&%$#_{}])|\$-\$", "", shown)
    assert not re.search(r"[\\&%$#_{}~^<>]", bare)


JSON = st.recursive(
    st.none() | st.integers() | ANY, lambda inner: st.lists(inner) | st.dictionaries(ANY, inner), max_leaves=5
)


@CHEAP
@given(JSON, st.sampled_from([None, 1]))
def test_json_means_the_same_and_has_nothing_unseen(value: object, indent: int | None) -> None:
    shown = escape.json_text(json.dumps(value, ensure_ascii=False, indent=indent))
    assert json.loads(shown) == json.loads(json.dumps(value))
    assert not unsafe(shown)
