r"""Lines of KGN and the values on them: words, numbers, texts, lists and maps. Knows nothing of records.

>>> [line] = lines(b'note [a "7" 7 "two words" "\\u202e" {k null}] ; what is behind a semicolon says nothing')
>>> line.name, line.value()
('note', ['a', '7', 7, 'two words', '\u202e', {'k': None}])
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf, isfinite
from typing import Any, Final, NamedTuple

from protocol.codec import MAX_DEPTH
from protocol.escape import visible
from protocol.messages import MAX_SAFE_INTEGER

BEGIN: Final = "KGN"
FIRST: Final = f"{BEGIN} 1"
"""The line with which a game begins."""
LONGEST: Final = 64
"""Characters of a string without quotation marks at most; a hash has as many."""
WORD: Final = re.compile(r'[^\s"\[\]{};\\]+')
MARK: Final = re.compile(r"-?\d+[.:]|[!+]$", re.ASCII)
"""What no word but the first of an action looks like: a number, a seat, a fault, a text that goes on."""
NUMBER: Final = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?", re.ASCII)
"""As in JSON."""
CONSTANTS: Final = {"null": None, "true": True, "false": False}
_TOKEN: Final = re.compile(
    r'\s*(?:(?P<comment>;.*)|"(?P<text>(?:[^"\\]|\\.)*+)"|(?P<sign>[\[\]{}])|(?P<word>' + WORD.pattern + "))"
)
_ESCAPE: Final = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|(.))")
_ESCAPED: Final = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}


class Malformed(ValueError):
    """A text that is no KGN: where, what, and how to mend it."""

    def __init__(self, line: int, what: str, fix: str) -> None:
        self.line, self.what, self.fix = line, what, fix
        super().__init__(f"line {line}: {what}")


class Token(NamedTuple):
    """What a line is made of."""

    line: int
    kind: str
    """`text` (quoted, here as it was), `sign` (a bracket) or `word`."""
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """A field's name and what is given for it, which reading takes away; with it go the indented lines below."""

    number: int
    name: str
    tokens: deque[Token]
    opens: bool
    """Whether a game begins with it: a field of that name is quoted."""

    def next(self) -> Token:
        """Take a token away. Raises Malformed where there is none left."""
        if not self.tokens:
            raise Malformed(
                self.number, f"{visible(self.name)!r} has no end", "give its value, all brackets closed"
            )
        return self.tokens.popleft()

    def begins(self, kind: str, text: str = "") -> bool:
        """Whether such a token is next."""
        return bool(self.tokens) and self.tokens[0].kind == kind and text in ("", self.tokens[0].text)

    def only(self) -> Any:
        """The one value of the line. Raises Malformed where there are none or more."""
        value = self.value()
        if self.tokens:
            text = visible(self.tokens[0].text)
            raise Malformed(
                self.tokens[0].line, f"{text!r} is one value too many", "put the values of a list in [ ]"
            )
        return value

    def value(self, depth: int = 0) -> Any:
        """The next value, JSON-able. Raises Malformed."""
        token = self.next()
        if depth > MAX_DEPTH:
            raise Malformed(token.line, "brackets lie too deep in each other", f"at most {MAX_DEPTH}")
        if token.kind == "text":
            return self.text(token)
        if token.kind == "word":
            return _scalar(token)
        if token.text in "]}":
            raise Malformed(token.line, f"{token.text} closes nothing", "take it away, or open it before")
        return self._list(depth) if token.text == "[" else self._map(depth)

    def text(self, token: Token) -> str:
        """The text that `token` is, with all that a + joins to it. Raises Malformed."""
        text = token.text
        while self.begins("word", "+"):
            self.next()
            token = self.next()
            if token.kind != "text":
                raise Malformed(
                    token.line, f"{visible(token.text)!r} behind a +", 'a + joins texts: "a" + "b"'
                )
            text += token.text
        return text

    def _list(self, depth: int) -> list[Any]:
        items = []
        while not self.begins("sign", "]"):
            items.append(self.value(depth + 1))
        self.next()
        return items

    def _map(self, depth: int) -> dict[str, Any]:
        pairs: dict[str, Any] = {}
        while not self.begins("sign", "}"):
            token = self.next()
            key = self.text(token) if token.kind == "text" else token.text
            if token.kind == "sign" or key in pairs:
                what = f"{visible(key)!r} is no name, or there already"
                raise Malformed(token.line, what, "a map is {name value name value}")
            pairs[key] = self.value(depth + 1)
        self.next()
        return pairs


def lines(data: bytes) -> Iterator[Line]:
    """The fields of a file in order. Raises Malformed."""
    under_way: deque[Token] = deque()
    for number, text in enumerate(_decoded(data).split("\n"), 1):
        tokens = list(_tokens(number, text.removesuffix("\r")))
        if tokens and not text.startswith(" ") and under_way:
            yield _line(under_way)
            under_way = deque()
        if tokens and text.startswith(" ") and not under_way:
            raise Malformed(number, "an indented line goes on with nothing", f"begin with {FIRST}")
        under_way.extend(tokens)
    if under_way:
        yield _line(under_way)


def _line(tokens: deque[Token]) -> Line:
    first = tokens.popleft()
    line = Line(first.line, first.text, tokens, (first.kind, first.text) == ("word", BEGIN))
    if first.kind == "sign":
        raise Malformed(
            first.line, f"{first.text} stands where a name should", "indent lines that go on with a value"
        )
    return line if first.kind == "word" else replace(line, name=line.text(first))


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Malformed(line, f"a byte that is no UTF-8 ({error.reason})", "save it as UTF-8") from None


def _tokens(number: int, text: str) -> Iterator[Token]:
    for letter, shown in zip(text, map(visible, text), strict=True) if visible(text) != text else ():
        if letter != shown:
            fix = f"in a text it is written {shown}; elsewhere take it out"
            raise Malformed(number, f"a character that nobody sees (U+{ord(letter):04X})", fix)
    at = 0
    while at < len(text.rstrip(" ")):
        found = _TOKEN.match(text, at)
        if found is None or found.lastgroup is None:
            shown = text[at:].strip()[:20]
            raise Malformed(
                number, f"{shown!r} is no word, text or bracket", 'write texts as "…", \\ as \\\\'
            )
        at, kind = found.end(), found.lastgroup
        if kind == "text":
            yield Token(number, kind, _ESCAPE.sub(lambda escape: _letter(number, escape), found["text"]))
        elif kind != "comment":
            yield Token(number, kind, found[kind])


def _letter(line: int, escape: re.Match[str]) -> str:
    *codes, other = escape.groups()
    code = int(next(filter(None, codes), "-1"), 16)
    if other in _ESCAPED:
        return _ESCAPED[other]
    if 0 <= code < 0xD800 or 0xE000 <= code <= 0x10FFFF:
        return chr(code)
    raise Malformed(
        line, f"{escape[0]} stands for nothing", r"escapes are \n \r \t \" \\ \x1b \u202e \U000e0001"
    )


def _scalar(token: Token) -> Any:
    if token.text in CONSTANTS:
        return CONSTANTS[token.text]
    if not NUMBER.fullmatch(token.text):
        return token.text
    value = json.loads(token.text) if len(token.text) <= LONGEST else inf
    if not isfinite(value) or (isinstance(value, int) and abs(value) > MAX_SAFE_INTEGER):
        raise Malformed(token.line, f"{token.text[:LONGEST]} is beyond numbers", "quote it if it is a text")
    return value
