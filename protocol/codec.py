"""Bytes to message and back, within the limits of the protocol.

Two readers, one verdict. The fast one sees neither duplicate keys nor depth, so it may only accept, and
only bytes that are the canonical encoding of what it read; no model of a bot's message has an open
field, so what is accepted is shallow, bounded and finite. All else is read again by the strict one,
which alone refuses. The first of these that applies is the reason:

    too_large       more than MAX_MESSAGE bytes
    bad_utf8        not strict UTF-8, or with a byte order mark
    too_deep        more than MAX_DEPTH brackets open outside strings (valid JSON or not)
    not_json        not one JSON value (NaN, Infinity and -Infinity are taken for numbers here)
    bad_utf8        an escape \\ud800 to \\udfff without its other half
    not_finite      NaN, Infinity, or a number beyond the range of a double
    int_range       an integer beyond ±2^53, in any place
    duplicate_key   a key twice in one object, in any place
    wrong_type      no object, no known `type`, a field missing or not as its model says
    unknown_field   a field that the message does not have
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from math import isfinite
from typing import Any, TypeVar

import msgspec
from pydantic import ValidationError

from protocol.errors import ProtocolError
from protocol.messages import MAX_SAFE_INTEGER, Hello, Move, Ready, bot_messages

T = TypeVar("T")
MAX_MESSAGE = 64 * 1024
"""Bytes of a message from a bot."""
MAX_DEPTH = 8
"""Objects and arrays within each other; the message itself is the first."""

encode = msgspec.json.Encoder().encode
"""A plain structure as canonical JSON: no spaces, keys in the order given, UTF-8 unescaped."""


def reader(kind: type[T]) -> Callable[[bytes], T]:
    """What reads canonical JSON of our own into a dataclass, and only the fields that it has: fast, and no check of
    a protocol. It raises ValueError where the bytes are no such thing."""
    return msgspec.json.Decoder(kind).decode


_fast = msgspec.json.Decoder().decode
_model: Callable[[Any], Hello | Ready | Move] = bot_messages.validator.validate_python
# Possessive, so that an unterminated string costs one pass and hides the brackets in it.
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)


def decode(data: bytes) -> Hello | Ready | Move:
    """The message that a bot sent. Raises ProtocolError, the bot's mistake."""
    if len(data) > MAX_MESSAGE:
        raise ProtocolError("too_large", f"{len(data)} bytes; the limit is {MAX_MESSAGE}")
    try:
        value = _fast(data)
        if encode(value) == data:
            return _model(value)
    except (ValueError, RecursionError):  # msgspec's and pydantic's errors are ValueErrors
        pass
    return _validated(read_strictly(data))


def as_json(value: Any) -> Any:
    """The value as it comes out of JSON again: an independent copy, tuples are lists."""
    return _fast(encode(value))


def read_strictly(data: bytes) -> Any:
    """JSON with everything checked that the protocol asks for. Raises ProtocolError."""
    text = _text(data)
    if text.count("[") + text.count("{") > MAX_DEPTH:
        _check_depth(text)
    flaws = _Flaws()
    try:
        value = json.loads(
            text,
            object_pairs_hook=flaws.object,
            parse_constant=flaws.constant,
            parse_int=flaws.integer,
            parse_float=flaws.number,
        )
    except ValueError as error:
        raise ProtocolError("not_json", str(error)) from None
    try:
        encode(value)
    except UnicodeEncodeError:
        raise ProtocolError("bad_utf8", "an escape stands for half a surrogate pair") from None
    flaws.check()
    return value


def _validated(value: Any) -> Hello | Ready | Move:
    try:
        return _model(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
    path = ".".join(str(part) for part in first["loc"])
    match first["type"]:
        case "extra_forbidden":
            raise ProtocolError("unknown_field", "this message has no such field", path)
        case "union_tag_not_found" | "union_tag_invalid":
            raise ProtocolError("wrong_type", "a bot sends hello, ready or move", "type")
        case "model_attributes_type":
            raise ProtocolError("wrong_type", "a message is one JSON object")
        case _:
            raise ProtocolError("wrong_type", first["msg"], path)


def _text(data: bytes) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ProtocolError("bad_utf8", f"byte {error.start}: {error.reason}") from None
    if text.startswith("\ufeff"):
        raise ProtocolError("bad_utf8", "a byte order mark before the message")
    return text


def _check_depth(text: str) -> None:
    depth = 0
    for token in _BRACKETS.finditer(text):
        mark = token.group()[0]
        depth += (mark in "[{") - (mark in "]}")
        if depth > MAX_DEPTH:
            raise ProtocolError("too_deep", f"deeper than {MAX_DEPTH} levels (character {token.start()})")


class _Flaws:
    """Hooks for the parser that note what is JSON, but not allowed: the first detail of each reason."""

    __slots__ = ("_details",)

    def __init__(self) -> None:
        self._details: dict[str, str] = {}

    def check(self) -> None:
        """Raises ProtocolError with the first reason in the order of this module's docstring."""
        for reason in ("not_finite", "int_range", "duplicate_key"):
            if reason in self._details:
                raise ProtocolError(reason, self._details[reason])

    def constant(self, name: str) -> None:
        self._details.setdefault("not_finite", f"{name} is no JSON number")

    def number(self, digits: str) -> float:
        value = float(digits)
        if not isfinite(value):
            self._details.setdefault("not_finite", f"{digits} is beyond the range of a double")
        return value

    def integer(self, digits: str) -> int:
        # By length first: int() of thousands of digits is slow, and refused with an error of its own.
        if len(digits) <= 17 and abs(value := int(digits)) <= MAX_SAFE_INTEGER:
            return value
        self._details.setdefault("int_range", f"{digits} is not within ±2^53")
        return 0

    def object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(pairs)
        if len(result) != len(pairs):
            twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
            self._details.setdefault("duplicate_key", f"the key {twice!r} stands twice in one object")
        return result
