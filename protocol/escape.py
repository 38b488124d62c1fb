"""Texts from outside, so that each medium shows them and does nothing else: a function a medium.

Whatever a bot, an archive or a record says of itself is such a text. What cannot be seen, moves a cursor or turns
the writing is shown as Python would escape it. A backslash stays as it is, so that what was escaped once may be
escaped again: only markup (html, markdown, latex, cell) must be applied just once.

    visible     one line of a terminal, a log, an error
    terminal    the same, of any number of lines
    label       what somebody is called, or says of himself: composed and cut
    cell        CSV and TSV
    html        text and quoted attributes
    markdown    text and cells of tables, as GitHub reads them
    latex       text and cells of tables
    json_text   JSON that is written for people, too
"""

from __future__ import annotations

import html as _html
import json
import re
from unicodedata import category, normalize

LABEL = 64
"""Characters of a label."""
MARKS = 3
"""Accents on one letter; more of them would reach into the lines around it."""
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""What Python takes for printable, and nobody sees: Default_Ignorable_Code_Point of Unicode where it is no format
character, and the blank of Braille."""
_ACCENTS = ("Mn", "Me")


def visible(text: str) -> str:
    r"""One line without controls, format characters, half surrogates, line ends, odd spaces and stacks of accents.

    >>> visible("red \x1b[31m, left \u202e, nothing \u200b\ufe0f, \ud800\n")
    'red \\x1b[31m, left \\u202e, nothing \\u200b\\ufe0f, \\ud800\\n'
    """
    if text.isascii() and text.isprintable():
        return text
    shown, marks = [], MARKS  # an accent at the beginning would join what stands before the text
    for letter in text:
        marks = marks + 1 if category(letter) in _ACCENTS else 0
        seen = marks <= MARKS and _is_seen(letter)
        shown.append(letter if seen else letter.encode("unicode_escape").decode())
    return "".join(shown)


def _is_seen(letter: str) -> bool:
    return letter.isprintable() and not _BLANK.match(letter)


def terminal(text: str) -> str:
    r"""Lines of which each is visible.

    >>> terminal("one\r\ntwo")
    'one\\r\ntwo'
    """
    return "\n".join(map(visible, text.split("\n")))


def label(text: str, most: int = LABEL) -> str:
    r"""A name or what somebody says of himself: composed (NFC), visible, not longer than `most` and an ellipsis.

    >>> label("Zoe\u0308"), label("x" * 300, 5)
    ('Zoë', 'xxxxx…')
    """
    shown = visible(normalize("NFC", text))
    return shown if len(shown) <= most else shown[:most] + "…"


def cell(text: str) -> str:
    """A cell of CSV or TSV that no spreadsheet takes for a formula, even where it cuts at another separator.

    The writer puts quotation marks around it where they are needed. Source: OWASP, CSV Injection.

    >>> cell("=1+1"), cell("a; @sum"), cell("x-y")
    ("'=1+1", "a;' @sum", 'x-y')
    """
    return _FORMULA.sub(r"\1'", visible(text))


_FORMULA = re.compile(r"(^|[,;|])(?= *[=+\-@＝＋－＠])")


def html(text: str) -> str:
    """Text of an element, or of an attribute in either quotation marks.

    >>> html("<b>'x' & y")
    '&lt;b&gt;&#x27;x&#x27; &amp; y'
    """
    return _html.escape(visible(text), quote=True)


def markdown(text: str) -> str:
    r"""Text, or a cell of a table: no markup, no link, no mention, no end of its cell.

    >>> print(markdown("*a*|b <i> @c #1 www.d https://e"))
    \*a\*&#124;b \<i\> \@c \#1 www\.d https\://e
    """
    plain = _MARKUP.sub(r"\\\1", visible(text)).replace("|", "&#124;")
    return _LIST.sub(r"\1\\\2", plain)


_MARKUP = re.compile(r"([\\`*_{}\[\]<>#~!&@$]|:(?=//)|(?<=www)\.)", re.IGNORECASE)
_LIST = re.compile(r"^( *[0-9]*)([-+=.)])(?= |$)")
"""At the beginning of a paragraph."""


def latex(text: str) -> str:
    r"""Text, or a cell of a table: no command.

    >>> print(latex(r"50% \input{x}"))
    50\% \textbackslash{}input\{x\}
    """
    return visible(text).translate(_LATEX)


_LATEX = str.maketrans(
    {c: f"\\{c}" for c in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "−": "$-$"}
)


def json_text(document: str) -> str:
    r"""A JSON document, spaced by spaces and newlines alone, with what is not seen in its texts escaped as JSON does.

    >>> print(json_text('{"note": "\u202e\x9bé"}'))
    {"note": "\u202e\u009bé"}
    """
    return _SPECIAL.sub(
        lambda found: found[0] if _is_seen(found[0]) else json.dumps(found[0])[1:-1], document
    )


_SPECIAL = re.compile(r"[^\n -~]")
