"""What the reference shows, made from the code: a directive `generated`, which takes the name of one of PARTS.

Each part is MyST, so it may link as pages do, and begins with a heading: what stood before one would end up below
all. Tables of fields are read off the published JSON Schemas.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

Schema = dict[str, Any]
EXACT = 2**53 - 1
"""Every integer in JSON is this or less, so it need not be said."""
KINDS = {
    0: "What was asked does not hold",
    2: "Wrong command line or input",
    3: "Something does not start",
    4: "Storage or the host fails",
    5: "Somebody else is at it",
}
"""By the first digit of a code."""


@dataclass(frozen=True, slots=True)
class Objects:
    """The objects of a JSON Schema, as sections with a table of their fields each."""

    schema: Schema
    prefix: str
    """Of anchors, so that objects of several schemas on a page are told apart."""

    def sections(self, level: int, names: Iterable[str] | None = None) -> Iterator[str]:
        """Of all definitions, or of those named."""
        for name in self.schema.get("$defs", {}) if names is None else names:
            found = self.schema["$defs"][name]
            yield f"({self._anchor(name)})=\n{'#' * level} {name}\n"
            yield from self.about(found)

    def about(self, of: Schema) -> Iterator[str]:
        """What an object is, and its fields."""
        if said := of.get("description"):
            yield _paragraphs(said)
        if "properties" in of:
            yield self._fields(of)
        elif "enum" in of or "oneOf" in of or "type" in of:
            yield f"{self.type(of)}\n"

    def _fields(self, of: Schema) -> str:
        required = set(of.get("required", ()))
        if required == set(of["properties"]):
            required = set()  # where nothing may be left out nothing needs to be said
        rows = [
            (f"`{name}`", self.type(field), _meaning(field, name in required))
            for name, field in of["properties"].items()
        ]
        return table(("key", "type", ""), rows, (22, 28, 50)) if rows else "No fields.\n"

    def type(self, of: Schema) -> str:
        """In words: what a value may be."""
        match of:
            case {"$ref": str(name)}:
                name = name.rpartition("/")[2]
                return f"[{name}](#{self._anchor(name)})"
            case {"const": value}:
                return _code(value)
            case {"enum": list(values)}:
                return ", ".join(map(_code, values))
            case {"anyOf": list(ways)} | {"oneOf": list(ways)}:
                return " or ".join(dict.fromkeys(map(self.type, ways)))
            case {"allOf": [dict(only)]}:
                return self.type(only)
            case {"type": "array", "prefixItems": list(items)}:
                return f"\\[{', '.join(map(self.type, items))}\\]"
            case {"type": "array", "items": dict(items)}:
                return f"list of {self.type(items)}"
            case {"type": "object", "patternProperties": dict(values)}:
                return "object: " + "; ".join(
                    f"{_code(key)} to {self.type(value)}" for key, value in values.items()
                )
            case {"type": "object", "additionalProperties": dict(values)}:
                return f"object of {self.type(values)}"
        return _simple(of)

    def _anchor(self, name: str) -> str:
        return f"{self.prefix}-{name.lower()}"


def _simple(of: Schema) -> str:
    kind = str(of.get("type", "anything"))
    said = [{"string": "text", "boolean": "true or false"}.get(kind, kind)]
    if "pattern" in of:
        said.append(_code(of["pattern"], quoted=False))
    limits = {"minimum": "from", "exclusiveMinimum": "above", "maximum": "to", "exclusiveMaximum": "below"}
    said += [f"{word} {of[key]:,}" for key, word in limits.items() if abs(of.get(key, EXACT)) < EXACT]
    return " ".join(said)


def _code(value: Any, quoted: bool = True) -> str:
    text = json.dumps(value, ensure_ascii=False) if quoted and not isinstance(value, str) else str(value)
    return f"``{text}``" if "`" in text else f"`{text}`"


def _meaning(field: Schema, required: bool) -> str:
    said = [_joined(field["description"])] if "description" in field else []
    if required:
        said.append("*Required.*")
    elif not isinstance(field.get("default"), dict | None):
        default = json.dumps(field["default"], ensure_ascii=False)
        said.append(f"Default: {_code(default, quoted=False)}.")
    return "\n".join(said)


def _paragraphs(text: str) -> str:
    return _joined(text).replace("\n", "\n\n") + "\n"


def _joined(text: str) -> str:
    """Without the line ends inside of sentences."""
    return re.sub(r"(?<![.:])\n+", " ", text)


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]], widths: tuple[int, ...]) -> str:
    """A table whose cells may have several paragraphs: each line is one."""
    lines = [f"````{{list-table}}\n:header-rows: 1\n:widths: {' '.join(map(str, widths))}\n"]
    for row in (head, *rows):
        for number, cell in enumerate(row):
            lines.append(("* - " if number == 0 else "  - ") + cell.replace("\n", "\n\n    "))
    return "\n".join([*lines, "````\n"])


def schema_of(name: str) -> Schema:
    from arena.documents import published

    return published()[name]


def tournament() -> Iterator[str]:
    """The keys of a tournament file: those at its top, then its tables."""
    whole = Objects(schema_of("tournament"), "tournament")
    yield "## At the top\n"
    yield from whole.about(whole.schema)
    for key, field in whole.schema["properties"].items():
        if "$ref" in field:
            name = field["$ref"].rpartition("/")[2]
            yield f"(tournament-{name.lower()})=\n## `[{key}]`\n"
            yield from whole.about(whole.schema["$defs"][name])


def manifest() -> Iterator[str]:
    """The keys of a bot.toml."""
    whole = Objects(schema_of("bot"), "manifest")
    yield "## At the top\n"
    yield from whole.about(whole.schema)
    yield from whole.sections(2)


def messages() -> Iterator[str]:
    """Every message of the protocol, with its fields."""
    for title, side in (("What a bot says", "from_bot"), ("What the referee says", "from_referee")):
        yield f"## {title}\n"
        for name in (way["$ref"].rpartition("/")[2].lower() for way in schema_of(side)["oneOf"]):
            found = Objects(schema_of(name), f"message-{name}")
            yield f"(message-{name})=\n### `{name}`\n"
            yield from found.about(found.schema)
            yield from found.sections(4)


def games() -> Iterator[str]:
    """Of every game of the registry: variants, options, view, setup and events."""
    from referee.games import GAMES

    for name in GAMES:
        yield from _game(name)


def _game(name: str) -> Iterator[str]:
    from arena.catalogue import game_info, variant_infos

    info = game_info(name)
    players = ", ".join(map(str, info.players))
    yield f"## {info.title}\n"
    yield f"Name `{name}`, rules number {info.rules}, for {players} players. Rules and notation: [{info.title}](../../referee/games/{name}/README.md).\n"
    yield f"### Variants and options of {info.title}\n"
    known = variant_infos(name)
    shown = [one for one in known if one.aliases] or known
    yield f"{info.variants} variants; these have names of their own, and `arena variants {name}` lists all.\n"
    yield table(
        ("variant", "also", "players", "teams"),
        [(f"`{one.id}`", ", ".join(f"`{alias}`" for alias in one.aliases), str(one.players), _teams(one.teams)) for one in shown],
        (40, 30, 12, 18),
    )  # fmt: skip
    if info.options:
        yield "Options, the default first:\n"
        yield table(
            ("option", "values"),
            [(f"`{key}`", ", ".join(map(_code, values))) for key, values in info.options.items()],
            (30, 70),
        )
    schema = schema_of(name)
    whole = Objects(schema, name)
    events = schema["properties"]["events"]["properties"]
    yield f"### Events of {info.title}\n"
    yield table(
        ("kind", "body", ""),
        [(f"`{kind}`", whole.type(body), _described(schema, body)) for kind, body in events.items()],
        (22, 22, 56),
    )
    yield f"### Objects of {info.title}\n"
    yield f"What a seat sees is a [View](#{name}-view); [Setup](#{name}-setup) is what all know before the first card is dealt.\n"
    first = [one for one in ("View", "Setup") if one in schema["$defs"]]
    yield from whole.sections(4, [*first, *(one for one in schema["$defs"] if one not in first)])


def _teams(teams: tuple[int, ...]) -> str:
    return "each for itself" if len(set(teams)) == len(teams) else " ".join(map(str, teams))


def _described(schema: Schema, body: Schema) -> str:
    name = body.get("$ref", "").rpartition("/")[2]
    return _joined(schema["$defs"].get(name, {}).get("description", ""))


def documents() -> Iterator[str]:
    """What --json prints."""
    from arena.documents import published

    for name, schema in published().items():
        if kind := name.removeprefix("output-") if name.startswith("output-") else "":
            whole = Objects(schema, f"json-{kind}")
            yield f"(json-{kind})=\n## `{kind}`\n"
            yield f"{schema['description']}\n"
            yield from whole.sections(3)


def errors() -> Iterator[str]:
    """Every code."""
    from arena.explained import EXPLAINED

    for digit, title in KINDS.items():
        yield f"## {title} (E{digit})\n"
        for code in sorted(code for code in EXPLAINED if code[1] == str(digit)):
            found = EXPLAINED[code]
            yield f"({code.lower()})=\n### {code}: {found.title}\n\n{found.cause}\n\n**What to do.** {found.cure}\n"


PARTS: dict[str, Callable[[], Iterator[str]]] = {
    part.__name__: part for part in (tournament, manifest, messages, games, documents, errors)
}


class Generated(SphinxDirective):
    """The part of that name, in place."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Its nodes. KeyError: there is no such part."""
        return self.parse_text_to_nodes("\n".join(PARTS[self.arguments[0]]()), allow_section_headings=True)


def _plain_help(app: Sphinx, context: Any, lines: list[str]) -> None:
    """Help of a command is no markup: examples and lists, which sphinx-click begins with a bar, stay as they are."""
    found: list[str] = []
    for is_block, group in groupby(lines, key=lambda line: line.startswith("|")):
        said = list(group)
        found += ["::", "", *(f"   {line[2:]}" for line in said), ""] if is_block else map(_escaped, said)
    lines[:] = found


def _plain_options(app: Sphinx, context: Any, lines: list[str]) -> None:
    lines[:] = [_escaped(line).replace(r"\*\*Required\*\*", "**Required.**") for line in lines]


def _escaped(line: str) -> str:
    return line if line.lstrip().startswith((".. ", ":")) else line.replace("*", r"\*")


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_directive("generated", Generated)
    app.connect("sphinx-click-process-description", _plain_help)
    app.connect("sphinx-click-process-options", _plain_options)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
