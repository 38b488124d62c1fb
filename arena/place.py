"""Where a ledger lies: a file of SQLite, or a database of a PostgreSQL server. Opens neither."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from arena.errors import InputError

_HOST = r"(?:\[[0-9A-Fa-f:.%]+\]|[^][:,@/?#&\s]*)(?::\d*)?"
_PAIR = r"[a-z_]+=[^@&#\s]*"
_ADDRESS = re.compile(
    rf"(postgres(?:ql)?://)(?:([^:@/?#\s]*)(?::[^@/?#\s]*)?@)?({_HOST}(?:,{_HOST})*)(/[^@/?#\s]*)?"
    rf"(?:\?({_PAIR}(?:&{_PAIR})*)?)?"
)
"""libpq's URI; stricter, so that no part of a password can be taken for something else, and be shown."""
_NO_PATH = re.compile(r"\s*[^/]*[:=]")
"""`host=db dbname=cups`, `postgresql:cups`: in the first part of a path."""
_SECRET = re.compile(r"password|secret|scram_.*_key")


@dataclass(frozen=True, slots=True)
class Server:
    """A database of a PostgreSQL server. As text it has no password."""

    address: str = field(repr=False)
    """As libpq takes it, perhaps with a password."""
    shown: str
    """The same without what is secret."""

    def __str__(self) -> str:
        return self.shown


Place: TypeAlias = Path | Server
"""Where a ledger lies; as text something that may be shown."""


def place_of(text: str) -> Place:
    """The place that somebody named: a URI of libpq (`postgresql://…`), else a file. Raises InputError.

    >>> str(place_of("postgresql://ann:secret@example.org/cups?sslmode=verify-full"))
    'postgresql://ann@example.org/cups?sslmode=verify-full'
    """
    if "://" not in text:
        return _file(text)
    found = _ADDRESS.fullmatch(text)
    if not found:
        raise _nothing()
    scheme, user, hosts, database, query = found.groups()
    pairs = [pair for pair in (query or "").split("&") if pair and not _SECRET.search(pair.partition("=")[0])]
    shown = scheme + (f"{user}@" if user else "") + hosts + (database or "")
    return Server(text, shown + ("?" + "&".join(pairs) if pairs else ""))


def _file(text: str) -> Path:
    """A path; what is no URI but looks like an address of a server, and nothing at all, is refused."""
    if not text or "\0" in text or _NO_PATH.match(text):
        raise _nothing()
    try:
        return Path(text).expanduser().absolute()
    except RuntimeError:  # ~somebody, and there is no such user
        raise _nothing() from None


def _nothing() -> InputError:
    """Which part is a password cannot be told: nothing is quoted."""
    return InputError(
        "what was given as a ledger names none",
        "write postgresql://USER@HOST/DATABASE, or the path of a file (./ before a name with : or = in it); in a "
        "name or password %40 stands for @, %2F for /, %3A for :, %25 for %",
        "E412",
    )


def address_of(place: Place) -> str:
    """What `place_of` takes for this place; with its password, so not to be shown."""
    return str(place) if isinstance(place, Path) else place.address
