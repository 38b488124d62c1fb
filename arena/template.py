"""A new tournament.toml, with every key, what it means and its default, read off `arena.config`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from arena.config import Tournament

_EXAMPLES = {"seed": "…"}
"""For keys whose default is not a value."""


def template(name: str, bots: Sequence[str], variants: Sequence[str]) -> str:
    """The text of a tournament file for `bots` and `variants`; what is left at its default is a comment.

    >>> print(template("cup", ["a", "b"], ["claim"]).splitlines()[3])
    # Names it in the ledger; the file's own name where left out.
    """
    given = {"bots": list(bots), "variants": list(variants)}
    lines = [
        "# A tournament: `arena config check` tests this file, `arena run` plays it.",
        "# A key behind a # shows its default. Bots, variants and deals may be added later.",
        "",
        *_keys(Tournament, given, {**_EXAMPLES, "name": name}),
    ]
    for key, table in _tables(Tournament):
        lines += [f"[{key}]", "", *_keys(table, {}, {})]
    return "\n".join(lines)


def _tables(model: type[BaseModel]) -> Iterator[tuple[str, type[BaseModel]]]:
    """The keys that are tables of their own; they come last."""
    for key, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield key, field.annotation


def _keys(model: type[BaseModel], given: Mapping[str, Any], examples: Mapping[str, Any]) -> Iterator[str]:
    tables = dict(_tables(model))
    for key, field in model.model_fields.items():
        if key in tables:
            continue
        yield from (f"# {line}" for line in (field.description or "").splitlines())
        if choices := get_args(field.annotation) if get_origin(field.annotation) is Literal else ():
            yield f"# One of: {', '.join(map(_value, choices))}."
        if key in given:
            yield f"{key} = {_value(given[key])}"
        else:
            yield f"# {key} = {_value(examples.get(key, field.default))}"
        yield ""


def _value(value: Any) -> str:
    """In TOML, which writes texts, whole numbers, truth values and lists of them as JSON does."""
    return json.dumps(value, ensure_ascii=False)
