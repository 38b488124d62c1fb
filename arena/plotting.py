"""Pictures of a tournament for papers, out of what the ledger knows. Changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from arena.config import Tournament
from arena.errors import ArenaError, CannotStart, InputError
from arena.home import Home
from arena.ledger import Begun, Ledger
from arena.measures import measured
from arena.reading import begun, of_variants, opened, ratable, rate
from leaderboards import panels
from leaderboards.choices import By, Picture, PictureFormat
from leaderboards.history import History, ending, history
from leaderboards.plots import COLUMN, Panel, TooLarge, TooLittle, render, side_by_side
from leaderboards.settings import Settings
from leaderboards.standings import Standings
from protocol.result import GameResult


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which picture, and of what."""

    picture: Picture
    form: PictureFormat
    variant: str | None = None
    """A pattern or an alias; None: all of them."""
    by: By = "overall"
    """One panel, or one of each variant; `matrix` and `luck` are of each variant in any case."""
    settings: Settings | None = None
    width: float = COLUMN
    """Centimetres."""
    dpi: int = 300
    """Of PNG: dots an inch."""
    top: int | None = None
    """Only so many bots, the best (of `timing`: the quickest) first."""


def picture(reference: str, wanted: Wanted, home: Home | None = None) -> tuple[bytes, tuple[str, ...]]:
    """The file's bytes, and what some of its panels lack, in words.

    Equal games and equal wishes give equal bytes. Raises ArenaError: no such tournament, variant or anchor; too
    little to draw; matplotlib is not installed; a ledger that fails.
    """
    with opened(home or Home.default()) as ledger:
        known = begun(reference, ledger)
        drawn, about = _panels(ledger, known, wanted)
    with _drawable(wanted):
        data = render(drawn, wanted.form, width=wanted.width, dpi=wanted.dpi, about=about)
    return data, tuple(f"{panel.title}: {panel.lacks}" for panel in drawn if panel.lacks)


@contextmanager
def _drawable(wanted: Wanted) -> Iterator[None]:
    """What goes wrong where a picture is drawn, as errors of the arena."""
    try:
        yield
    except TooLittle as error:
        fix = "play more of it: arena run TOURNAMENT"
        raise ArenaError(f"too little to draw {wanted.picture}: {error}", fix, "E265") from None
    except TooLarge as error:
        raise InputError(
            str(error), "fewer bots with --top, a smaller --dpi, or --format svg", "E266"
        ) from None
    except ImportError as error:
        if (error.name or "").partition(".")[0] != "matplotlib":
            raise
        raise CannotStart(
            "pictures are drawn by matplotlib, which is not installed",
            "pip install 'kingmaker[plot]'",
            "E323",
        ) from None


def _panels(ledger: Ledger, known: Begun, wanted: Wanted) -> tuple[list[Panel], str]:
    """What is to be drawn, and what that is of: the tournament, and the digest of its ratings."""
    kept = [one.result for one in ledger.kept_after(known.name, 0)]
    planned = Tournament.model_validate(known.config).variant_ids
    results, _ = of_variants(kept, wanted.variant, planned)
    table = rate(results, settings=wanted.settings)
    about = f"{known.name}: {wanted.picture}, {table.selection.rated:,} games, digest {table.digest}"
    with ratable():
        if wanted.picture == "ratings":
            return _ratings(table, results, wanted), about
        if wanted.picture == "timing":
            return _timing(ledger, known.name, table, wanted), about
        return _boards(table, wanted), about


def _ratings(table: Standings, kept: Sequence[GameResult], wanted: Wanted) -> list[Panel]:
    """Of the games that are rated; `kept` has all of them, in their order."""
    bots = [row.bot for row in table.rows]
    if wanted.by == "overall":
        past = _past([result for board in table.boards for result in board.results], kept)
        return [panels.ratings("", ending(past, table.rows), bots, wanted.top)]
    return [
        panels.ratings(board.label, ending(_past(board.results, kept), board.rows), bots, wanted.top)
        for board in table.boards
    ]


def _past(rated: Sequence[GameResult], kept: Sequence[GameResult]) -> History:
    ids = {result.id for result in rated}
    return history(result for result in kept if result.id in ids)


def _timing(ledger: Ledger, tournament: str, table: Standings, wanted: Wanted) -> list[Panel]:
    ids = {result.id for board in table.boards for result in board.results}
    found = measured((link for link in ledger.links(tournament) if link.game in ids), tournament)
    if wanted.by == "overall":
        return [panels.timing("", found.timing, wanted.top)]
    return [panels.timing(variant, times, wanted.top) for variant, times in found.by_variant.items()]


def _boards(table: Standings, wanted: Wanted) -> list[Panel]:
    match wanted.picture:
        case "luck":
            return [panels.luck(table.boards)]
        case "matrix":
            width = wanted.width / side_by_side(len(table.boards), wanted.width)
            return [panels.matrix(board, width, wanted.top) for board in table.boards]
    if wanted.by == "overall":
        return [panels.intervals("", table.rows, table.confidence, wanted.top)]
    return [panels.intervals(one.label, one.rows, one.confidence, wanted.top) for one in table.boards]
