"""The JSON Schema (draft 2020-12) of every message and of bot.toml, and an AsyncAPI document.

    python -m protocol.schema            write protocol/schema/
    python -m protocol.schema --check    exit 1, with the names, where files there are stale

A file a message, one a direction (`from_bot`, `from_referee`), `bot` for bot.toml, and `asyncapi`. Their source is
`protocol.messages` and `protocol.manifest`.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from protocol import manifest, messages
from protocol.codec import MAX_DEPTH, MAX_MESSAGE
from protocol.version import PROTOCOL

FOLDER = Path(__file__).parent / "schema"

FROM_BOT = (messages.Hello, messages.Ready, messages.Move)
FROM_REFEREE = (messages.Start, messages.Turn, messages.End, messages.Error, messages.Bye)
ANSWERS = {"start": ["ready"], "turn": ["move"], "end": ["ready"], "error": ["ready", "move"], "bye": []}

UNSAID = (
    f" A schema cannot say: the whole message is at most {MAX_MESSAGE} bytes of strict UTF-8 without a byte"
    f" order mark, objects and arrays nest at most {MAX_DEPTH} deep, no key stands twice in an object, an"
    " integer is written without fraction or exponent, and no escape stands for half a surrogate pair."
)

Document = dict[str, Any]


class _Untitled(GenerateJsonSchema):
    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def documents() -> dict[str, Document]:
    """Every document by the name of its file."""
    docs = {model.__name__.lower(): _schema(TypeAdapter(model)) for model in FROM_BOT + FROM_REFEREE}
    docs["from_bot"] = _schema(messages.bot_messages) | {"description": "Any message of a bot."}
    docs["from_referee"] = _schema(messages.referee_messages) | {"description": "Any message of the referee."}
    docs["bot"] = _schema(TypeAdapter(manifest.Manifest))
    for name in ("hello", "ready", "move", "from_bot"):
        docs[name]["description"] += UNSAID
    for name, document in docs.items():
        docs[name] = _head(name) | document
    docs["asyncapi"] = _asyncapi()
    return {f"{name}.json": document for name, document in docs.items()}


def _head(name: str) -> Document:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:kingmaker:protocol:{PROTOCOL}:{name}",
    }


def _schema(adapter: TypeAdapter[Any]) -> Document:
    schema = adapter.json_schema(schema_generator=_Untitled)
    schema.pop("discriminator", None)  # OpenAPI's; `type` is a const in every branch
    docs = _field_docs()
    for title, properties in _objects(schema):
        for name, field in properties.items():
            if (title, name) in docs:
                field["description"] = docs[title, name]
    return schema


def _objects(schema: Document) -> Iterator[tuple[str, Document]]:
    """The title and properties of the schema and of its definitions."""
    for part in (schema, *schema.get("$defs", {}).values()):
        if "properties" in part:
            yield part["title"], part["properties"]


def _field_docs() -> dict[tuple[str, str], str]:
    """The line under each field of a message, by class and field: to keep them would slow every start."""
    docs = {}
    for node in ast.parse(Path(messages.__file__).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            for field, line in zip(node.body, node.body[1:], strict=False):
                match field, line:
                    case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(text))):
                        docs[node.name, name] = text
    return docs


def _asyncapi() -> Document:
    """The conversation as the bot sees it: it sends and receives on one channel."""
    names = [model.__name__.lower() for model in FROM_BOT + FROM_REFEREE]
    receives = {
        f"on_{name}": _operation("receive", [name]) | _reply(answers) for name, answers in ANSWERS.items()
    }
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "kingmaker bot protocol",
            "version": f"{PROTOCOL}.0.0",
            "description": "One JSON object a message; the bot speaks first, then the sides alternate."
            " SPEC.md has the rules, the limits and the order of messages.",
        },
        "defaultContentType": "application/json",
        "channels": {
            "conversation": {
                "address": None,
                "description": "ARENA_ENDPOINT: ZeroMQ (ipc://, tcp://), where the bot connects with REQ or DEALER;"
                " or standard input and output (stdio:), one message a line.",
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in names},
            }
        },
        "operations": {
            "greet": _operation("send", ["hello"]) | _reply(["start", "error", "bye"]),
            **receives,
        },
        "components": {"messages": {name: _message(name) for name in names}},
    }


def _operation(action: str, names: Sequence[str]) -> Document:
    return {"action": action, "channel": {"$ref": "#/channels/conversation"}, "messages": _refs(names)}


def _reply(names: Sequence[str]) -> Document:
    if not names:
        return {}
    return {"reply": {"channel": {"$ref": "#/channels/conversation"}, "messages": _refs(names)}}


def _refs(names: Sequence[str]) -> list[Document]:
    return [{"$ref": f"#/channels/conversation/messages/{name}"} for name in names]


def _message(name: str) -> Document:
    return {
        "name": name,
        "payload": {
            "schemaFormat": "application/schema+json;version=draft-2020-12",
            "schema": {"$ref": f"./{name}.json"},
        },
    }


def stale(folder: Path = FOLDER) -> list[str]:
    """Names of files in `folder` that are not as they would be written: changed, missing or too many."""
    wanted = {name: _text(document) for name, document in documents().items()}
    found = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.json")}
    return sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))


def write(folder: Path = FOLDER) -> None:
    """Write every document into `folder`; files that belong to none are removed."""
    folder.mkdir(exist_ok=True)
    wanted = documents()
    for path in folder.glob("*.json"):
        if path.name not in wanted:
            path.unlink()
    for name, document in wanted.items():
        (folder / name).write_text(_text(document), encoding="utf-8")


def _text(document: Document) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m protocol.schema", description=documents.__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where files are stale")
    if not parser.parse_args(arguments).check:
        write()
        return 0
    for name in (names := stale()):
        print(f"{FOLDER / name} is stale: run python -m protocol.schema", file=sys.stderr)
    return 1 if names else 0


if __name__ == "__main__":
    sys.exit(main())
