"""Bytes to message and back, within the limits of the protocol.

The fast parser sees neither duplicate keys nor depth. So what it read counts only where its canonical
encoding equals the bytes that came; other bytes are read again by a strict parser.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

import msgspec
from pydantic import ValidationError

from protocol.errors import ProtocolError
from protocol.messages import MAX_SAFE_INTEGER, Hello, Move, Ready, bot_messages

MAX_MESSAGE = 64 * 1024
"""Bytes of a message from a bot."""
MAX_DEPTH = 8

encode = msgspec.json.Encoder().encode
"""A plain structure as canonical JSON: no spaces, keys in the order given."""

_fast = msgspec.json.Decoder().decode
_KINDS = {"extra_forbidden": "unknown_field", "missing": "wrong_type"}


def decode(data: bytes) -> Hello | Ready | Move:
    """The message that a bot sent. Raises ProtocolError, the bot's mistake."""
    if len(data) > MAX_MESSAGE:
        raise ProtocolError("too_large", f"{len(data)} bytes; the limit is {MAX_MESSAGE}")
    try:
        return bot_messages.validate_python(_read(data))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        path = ".".join(str(part) for part in first["loc"])
        raise ProtocolError(_KINDS.get(first["type"], "wrong_type"), first["msg"], path) from None


def _read(data: bytes) -> Any:
    try:
        value = _fast(data)
        if encode(value) == data and b"[[" not in data:
            return value
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        pass
    return read_strictly(data)


def read_strictly(data: bytes) -> Any:
    """JSON with everything checked that the protocol asks for. Raises ProtocolError."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ProtocolError("bad_utf8", str(error)) from None
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_not_finite)
    except RecursionError:
        raise ProtocolError("too_deep", f"deeper than {MAX_DEPTH} levels") from None
    except ProtocolError:
        raise
    except ValueError as error:
        raise ProtocolError("not_json", str(error)) from None
    _check(value, 1)
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ProtocolError("duplicate_key", f"the key {twice!r} stands twice in one object")
    return result


def _not_finite(name: str) -> NoReturn:
    raise ProtocolError("not_finite", f"{name} is no JSON number")


def _check(value: Any, depth: int) -> None:
    if isinstance(value, int) and abs(value) > MAX_SAFE_INTEGER:
        raise ProtocolError("int_range", "integers are within ±2^53")
    if isinstance(value, dict | list):
        if depth > MAX_DEPTH:
            raise ProtocolError("too_deep", f"deeper than {MAX_DEPTH} levels")
        for item in value.values() if isinstance(value, dict) else value:
            _check(item, depth + 1)
