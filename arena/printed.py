"""What bots printed in a game: parts of the logs of their processes, which lie in the home folder.

A log may be gone, or be another machine's; then there is nothing to tell. A record may be anybody's, so that no name
in it is a path.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from arena.home import Home
from protocol.record import GameRecord, LogPart
from protocol.vocabulary import Seat

MOST = 16 * 1024
"""Bytes of a seat's that are told of a game, the last ones."""


def log_folders(home: Home) -> list[Path]:
    """The folders of all logs: one a tournament, and one of single games."""
    return sorted(path for path in (home.path / "logs").glob("*") if path.is_dir())


def printed(record: GameRecord, folders: Iterable[Path]) -> dict[Seat, str]:
    """By seat, what its bot printed in a game, as it printed it; `folders`: where its log may lie."""
    seats = {str(at): Seat(at) for at in range(len(record.play.seats))}
    folders = list(folders)
    said = {seats[seat]: _part(part, folders) for seat, part in record.account.logs.items() if seat in seats}
    return {seat: text for seat, text in said.items() if text}


def _part(part: LogPart, folders: list[Path]) -> str:
    """Its text; empty where there is no such file, or where nobody knows which of several it is."""
    found = [folder / part.file for folder in folders if Path(part.file).name == part.file]
    found = [path for path in found if path.is_file()]
    if len(found) != 1 or part.start < 0:
        return ""
    try:
        with found[0].open("rb") as file:
            size = file.seek(0, 2)
            end = size if part.end is None else min(part.end, size)
            start = max(part.start, end - MOST)
            file.seek(start)
            text = file.read(max(0, end - start)).decode(errors="replace")
    except OSError:
        return ""
    return f"[{start - part.start:,} bytes before this are left out]\n{text}" if start > part.start else text
