"""Results as frames of pandas or polars, for notebooks. The one home of both, which are imported when asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args, overload

from arena.config import Tournament
from arena.errors import CannotStart, InputError
from arena.home import Home
from arena.reading import begun, of_variants, opened
from arena.stored import Kept

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped]
    import polars as pl

Frame = Literal["pandas", "polars"]
Place: TypeAlias = Home | str | PathLike[str]
"""A home, or its folder."""
_TEXT, _NUMBER, _TIME = ("string", "String"), ("int64", "Int64"), ("datetime64[us, UTC]", "Datetime")
"""What pandas and polars call a type."""
_COLUMNS = {
    "game": _TEXT, "variant": _TEXT, "deal": _TEXT, "block": _TEXT, "seat": _NUMBER, "bot": _TEXT, "digest": _TEXT,
    "team": _NUMBER, "rank": _NUMBER, "score": _NUMBER, "fault": _TEXT, "verdict": _TEXT, "finished": _TIME,
}  # fmt: skip


@overload
def results(
    reference: str, *, frame: Literal["pandas"], variant: str | None = None, home: Place | None = None
) -> pd.DataFrame: ...
@overload
def results(
    reference: str, *, frame: Literal["polars"], variant: str | None = None, home: Place | None = None
) -> pl.DataFrame: ...
@overload
def results(
    reference: str, *, frame: None = None, variant: str | None = None, home: Place | None = None
) -> Any: ...
def results(
    reference: str, *, frame: Frame | None = None, variant: str | None = None, home: Place | None = None
) -> Any:
    """A row for each seat of each game of a tournament that is over, in the order in which games were kept::

        game       id of the game, 32 hex digits
        variant    claim/2p/GK-UWX
        deal       games that share it were dealt the same cards
        block      games of one pairing on one deal, in every seating
        seat       from 0, in turn order
        bot        the name, as the bot gave it: escape it before you show it to anybody
        digest     of the bot's files, hex
        team       seats of one team win and lose together
        rank       0 is best, ties are equal
        score      in the game's own points
        fault      what the bot did wrong, or missing
        verdict    finished, forfeit, or void: the arena's own fault, and never rated
        finished   when, UTC

    `frame` is the library, by default the one that is installed, pandas first; `variant` a pattern or an alias;
    `home` the folder that has the ledger, or a Home.
    Raises ArenaError: no such tournament or variant; no such library, or none is installed; a ledger that fails.
    """
    library = _library(frame)
    with opened(_home(home)) as ledger:
        known = begun(reference, ledger)
        kept = ledger.kept_after(known.name, 0)
    planned = Tournament.model_validate(known.config).variant_ids
    wanted = {result.id for result in of_variants([one.result for one in kept], variant, planned)[0]}
    return _frame(library, _rows(one for one in kept if one.result.id in wanted))


def _home(place: Place | None) -> Home:
    if place is None or isinstance(place, Home):
        return place or Home.default()
    return Home(Path(place).expanduser())


def _rows(kept: Iterable[Kept]) -> Iterator[tuple[Any, ...]]:
    for one in kept:
        of, finished = one.result, datetime.fromisoformat(one.finished)
        for number, seat in enumerate(of.seats):
            yield (
                of.id, of.variant, of.deal, of.block, number, seat.bot.name, seat.bot.digest, int(seat.team),
                seat.rank, seat.score, seat.fault and str(seat.fault), str(of.verdict), finished,
            )  # fmt: skip


def _frame(library: Any, rows: Iterable[tuple[Any, ...]]) -> Any:
    """The types of its columns hang on nothing that is in them."""
    columns = list(zip(*rows, strict=True)) or [()] * len(_COLUMNS)
    data = dict(zip(_COLUMNS, map(list, columns), strict=True))
    if library.__name__ == "pandas":
        return library.DataFrame(data).astype({name: types[0] for name, types in _COLUMNS.items()})
    types = {name: getattr(library, types[1]) for name, types in _COLUMNS.items()}
    return library.DataFrame(data, schema=types | {"finished": library.Datetime("us", "UTC")})


def _library(frame: str | None) -> Any:
    """The one that is wanted, or the first that is there."""
    known = get_args(Frame)
    if frame is not None and frame not in known:
        raise InputError(f"no frames of {frame!r}", f"there are {' and '.join(known)}", "E267")
    for name in [frame] if frame else known:
        try:
            return import_module(name)
        except ModuleNotFoundError as error:
            if error.name != name:
                raise
    what = f"{frame} is not installed" if frame else "neither pandas nor polars is installed"
    fix = f"pip install {frame}" if frame else "pip install pandas, or pip install polars"
    raise CannotStart(f"{what}: {fix}", fix, "E324")  # in a notebook the text is all that is seen
