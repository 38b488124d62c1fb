"""Texts as somebody may send, write or pack them who means to be taken for another, or to do harm."""

from unicodedata import category

TEXTS = [
    "\x1b]0;owned\x07x",
    "\x1b[2J",
    "\x9b31m",
    "\r\x08overwritten",
    "left\u202egnp.exe",
    "isolate\u2066d\u2069",
    "nothing\u200b\u2060\ufeff",
    "nothing\u034f\u3164\ufe0f\u2800",
    "soft\xadhyphen",
    "b\u043eb",
    "<img src=x onerror=alert(1)>",
    "'\"><script>",
    "&lt;b&gt; &#124;",
    "=cmd|'/c calc'!A1",
    "@SUM(1)",
    "-1+1",
    "\uff1d1+1",
    "a;=1+1",
    "  =1+1",
    "..",
    "a/b",
    "a\0b",
    "-rf",
    "",
    "x" * 300,
    "\u0338stroke",
    "z" + "\u0301" * 40,
    "e\u0301",
    "two\nerror: lines\r\nfix: \u2028 of\x85them",
    "a|b\\|c",
    "**bold** [x](javascript:y) `c` https://d www.e.f",
    r"\input{passwd} 50% $x_1$ & ~",
    "\U0001f600",
    "\U000e0041\ue000",
]
SURROGATE = "half \udcff"
"""Of a file's name that is not UTF-8; no JSON and no TOML may have it."""
_UNSEEN = "\u034f\u115f\u1160\u2800\u3164\uffa0\ufe0e\ufe0f\u180b"


def unsafe(text: str) -> set[str]:
    """What a terminal would obey, or not show, newlines apart."""
    hidden = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
    return {letter for letter in text if letter in _UNSEEN or category(letter) in hidden} - {"\n"}
