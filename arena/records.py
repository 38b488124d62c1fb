"""Records as files: a tournament exported as JSON Lines, and whether such a file, or the ledger, holds.

Each line of an export is one object: `format`, one of `header`, `record` and `trailer`, and `chain`, the
SHA-256 in hex of the chain of the line before (nothing for the first) and this line's canonical body.

    header     tournament, settings, bots, games (how many are planned; null: nobody knows), seed (null while games are open),
               left_out (suspended bots of which no more games are to come), notes (what a table of it says of bots)
    record     a GameRecord, only of deals whose games are all over
    trailer    records (how many lines of them there are), kept (the entries of the ledger's chain, see
               arena.chain, also of games held back); its chain is the digest of the whole file
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from arena import files
from arena.chain import chained, entry
from arena.config import parse
from arena.errors import InputError, StorageError
from arena.home import Home
from arena.ledger import Begun, Ledger, Link
from arena.planning import Course, course_in, course_of
from arena.reading import notes, opened
from protocol.codec import encode, read_strictly
from protocol.kgn import ENDING, is_kgn
from protocol.vocabulary import BotId, DealId, GameId

FORMAT = "kingmaker/export/1"
_PARTS = ("header", "record", "trailer")
_UNTOLD = {"name", "seed", "bots", "concurrency"}
"""Keys of a tournament that its header has elsewhere, or not at all: paths and the machine."""


class Line(NamedTuple):
    """One line of an export."""

    part: str
    """`header`, `record` or `trailer`."""
    body: dict[str, Any]
    chain: str


class Held(NamedTuple):
    """What an export leaves out."""

    exported: int
    held: int
    """Games that are over, on deals with games to come."""
    missing: int | None
    """Games that are still to be played; None where it hangs on results how many."""


def course(
    name: str, seed: str, settings: dict[str, Any], bots: Sequence[BotId], away: Collection[BotId]
) -> Course:
    """A tournament as a header says it. Raises InputError where the settings are no tournament's."""
    fields = {**settings, "name": name, "seed": seed, "bots": [bot.name for bot in bots]}
    return course_of(parse(fields, "settings"), seed, bots, away=away)


# export


def export(ledger: Ledger, begun: Begun) -> tuple[Iterator[bytes], Held]:
    """The lines of a tournament's export, made as they are read, and what is left out.

    Reading them raises StorageError where a record is damaged.
    """
    results, course = ledger.results(begun.name), course_in(ledger, begun)
    closed = course.closed({result.deal for result in results})
    shown = {result.id for result in results if result.deal in closed}
    missing = course.missing()
    header = {
        "tournament": begun.name,
        "settings": {key: value for key, value in begun.config.items() if key not in _UNTOLD},
        "bots": [[bot.name, bot.digest] for bot in begun.bots],
        "left_out": sorted([bot.name, bot.digest] for bot in course.away),
        "games": None if missing is None else len(results) + missing,
        "seed": begun.seed if missing == 0 else None,
        "notes": list(notes(ledger, begun)),
    }
    held = Held(len(shown), len(results) - len(shown), missing)
    return _lines(header, ledger.records(begun.name), shown, ledger.links(begun.name)), held


def _lines(
    header: dict[str, Any], records: Iterator[bytes], shown: set[GameId], links: Iterator[Link]
) -> Iterator[bytes]:
    head, count = "", 0
    line, head = _line("header", header, head)
    yield line
    try:
        for record in map(read_strictly, records):
            if record["play"]["id"] in shown:
                line, head = _line("record", record, head)
                count += 1
                yield line
    except ValueError as error:
        fix = f"see which: arena verify {header['tournament']}"
        raise StorageError(f"a record in the ledger is damaged: {error}", fix, "E407") from None
    kept = [entry(link.game, link.finished or "", link.record or b"") for link in links]
    yield _line("trailer", {"records": count, "kept": kept}, head)[0]


def _line(part: str, body: dict[str, Any], head: str) -> tuple[bytes, str]:
    head = chained(head, body)
    return encode({"format": FORMAT, part: body, "chain": head}) + b"\n", head


def write_whole(path: Path, chunks: Iterable[bytes]) -> None:
    """Write a file that is there whole or not at all, and safe on the disk. Raises StorageError."""
    try:
        files.replace(path, chunks)
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror}", "choose another place", "E406") from None


# reading


def id_of(body: dict[str, Any]) -> str:
    """The id of the record in a line; empty where it has none."""
    play = body.get("play")
    id = play.get("id") if isinstance(play, dict) else None
    return id if isinstance(id, str) else ""


def read_line(line: bytes) -> Line:
    """A line of an export, its own form alone checked. Raises ValueError: what is wrong with it."""
    value = read_strictly(line)
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise ValueError(f"it is no line of an export ({FORMAT})")
    part = next((part for part in _PARTS if isinstance(value.get(part), dict)), None)
    if part is None or set(value) != {"format", part, "chain"} or not isinstance(value["chain"], str):
        raise ValueError("it has not got format, one of header, record and trailer, and chain")
    return Line(part, value[part], value["chain"])


def find_record(home: Home, reference: str, game: str = "", anyway: bool = False) -> bytes:
    """The record (JSON) that `reference` means: a file, or the first digits of a game's id.

    A file is a record, or an export, of which `game` says which. An id is looked for among single games
    and in the ledger. Raises InputError, also for a game of the ledger on whose deal games are still to
    come, unless they may be known (`anyway`).
    """
    if is_record_file(reference):
        return _in_file(Path(reference), game)
    if game:
        raise InputError("--game goes with a file", f"leave out {reference!r} or --game", "E224")
    single = list((home.path / "games").glob(f"{reference}*.json")) if reference.isalnum() else []
    if len(single) == 1:
        return single[0].read_bytes()
    with opened(home) as ledger:
        record = ledger.record(reference)
        if not anyway:
            _check_deal_is_over(ledger, reference, record)
        return record


def _check_deal_is_over(ledger: Ledger, prefix: str, record: bytes) -> None:
    """Raise InputError where other games are still to be played with the cards of the one meant."""
    ids = {name: ledger.ids(name) for name in ledger.names()}
    name, id = next((name, id) for name, over in ids.items() for id in over if id.startswith(prefix))
    deal = DealId(read_strictly(record)["play"]["deal"])
    if not course_in(ledger, ledger.tournament(name)).closed([deal]):
        raise InputError(
            f"game {id[:12]} shows a deal that other games of {name} are still to be played with",
            f"play them first: arena run {name}; or, if no author looks on, add --anyway",
            "E227",
        )


def is_record_file(reference: str) -> bool:
    """Whether a file of records is meant, and not a game's or a tournament's name."""
    path = Path(reference)
    if path.suffix == ".toml":
        return False
    return "/" in reference or path.suffix in (".json", ".jsonl", ENDING) or path.is_file()


def _in_file(path: Path, game: str) -> bytes:
    """The record in a file. Raises InputError where there is none, or not just one."""
    found: dict[str, bytes] = {}
    with open_file(path) as file:
        if not is_export(file) and not is_text(file):
            return file.read()
        for id, record in _records_in(path, file):
            if id.startswith(game):
                found[id] = record
    if len(found) != 1:
        some = ", ".join(id[:12] for id in list(found)[:3])
        raise InputError(
            f"{path} has {len(found):,} games" + (f" that begin with {game!r}" if game else ""),
            f"say which with --game: {some}, …" if found else "give the first digits of one that it has",
            "E223",
        )
    return next(iter(found.values()))


def _records_in(path: Path, file: BinaryIO) -> Iterator[tuple[str, bytes]]:
    """The records of an export or a text, each with its id."""
    if is_text(file):
        from arena.textform import records_in

        for _, record in records_in(path, file.read()):
            yield id_of(read_strictly(record)), record
        return
    for line in file:
        if (read := _record_in(line)) is not None:
            yield id_of(read), encode(read)


def _record_in(line: bytes) -> dict[str, Any] | None:
    try:
        part, body, _ = read_line(line)
    except ValueError:  # what is wrong with a file is for `arena verify` to say
        return None
    return body if part == "record" else None


def open_file(path: Path) -> BinaryIO:
    """A file to read. Raises InputError where it can't be opened."""
    try:
        return path.open("rb")
    except OSError as error:
        fix = "check the path; a game of the ledger is named by the first digits of its id alone"
        raise InputError(f"cannot read {path}: {error.strerror}", fix, "E221") from None


def is_text(file: BinaryIO) -> bool:
    """Whether a file is KGN, the text form of records, or is called so; it is rewound."""
    first = file.read(1024)
    file.seek(0)
    return is_kgn(first) or (file.name.endswith(ENDING) and not first.startswith(b"{"))


def is_export(file: BinaryIO) -> bool:
    """Whether a file is JSON Lines (a single record, or JSON over several lines, is not); it is rewound."""
    first = file.readline()
    file.seek(0)
    return f'"{FORMAT}"'.encode() in first
