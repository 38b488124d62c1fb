"""Lists of games, and the files that tell of every game."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from leaderboards import pages, words
from leaderboards.pages import Cell, Column, GameRow, Link, Table
from leaderboards.site import addresses
from leaderboards.site.contest import Contest, Kept
from leaderboards.site.frames import frame
from leaderboards.site.meetings import newest, spread
from protocol.escape import visible
from protocol.result import GameResult, SeatResult
from protocol.vocabulary import BotId, GameId, Verdict

LISTED = 500
"""Games in the list of the newest ones."""
ID = 12
"""Digits of a game's id that are shown."""
DOWNLOADS = (Link("results as CSV", "data/results.csv"), Link("results as JSON Lines", "data/results.jsonl"))


def games_page(contest: Contest) -> pages.GamesPage:
    """The newest games of each variant."""
    shown = list(reversed(spread(contest.games, LISTED)))
    rows = tuple(_row(contest, game) for game in shown)
    notes = [contest.held] if contest.held else []
    if len(shown) < len(contest.games):
        of_all = f"{len(shown):,} of {words.count(len(contest.games), 'game')}"
        notes.insert(0, f"{of_all}, the newest of each variant; the files have all.")
    return pages.GamesPage(
        frame=frame("Games", addresses.GAMES, f"{words.count(len(contest.games), 'game')} of {contest.name}"),
        rows=rows,
        notes=tuple(notes),
        variants=_variants(contest.games, shown),
        verdicts=tuple(Cell(text, text) for text in sorted({row.verdict.text for row in rows})),
        bots=_bots(contest, shown),
        downloads=DOWNLOADS,
    )


def game_page(contest: Contest) -> pages.GamePage:
    """The page that shows any game."""
    return pages.GamePage(frame("Game", addresses.GAME, f"A game of {contest.name}"))


def _variants(games: Sequence[Kept], shown: Sequence[Kept]) -> tuple[Cell, ...]:
    """Those of the games, with how many of each are shown."""
    here, all_ = (Counter(game.result.variant for game in some) for some in (shown, games))
    return tuple(
        Cell(f"{name} ({here[name]:,}{f' of {all_[name]:,}' if here[name] < all_[name] else ''})", name)
        for name in sorted(all_)
    )


def _bots(contest: Contest, shown: Iterable[Kept]) -> tuple[Cell, ...]:
    bots = {seat.bot for game in shown for seat in game.result.seats}
    return tuple(sorted(Cell(contest.called[bot], contest.slugs[bot]) for bot in bots))


def _row(contest: Contest, game: Kept) -> GameRow:
    seats = game.result.seats
    return GameRow(
        id=id_cell(game.result.id),
        variant=Cell(game.result.variant),
        seats=tuple(_seat(contest, game.result, seat) for seat in seats),
        first=tuple(is_first(game.result, seat) for seat in seats),
        verdict=Cell(ending(contest, game.result)),
        finished=Cell(moment(game.finished), game.finished),
        replay=game.result.id in contest.replays,
    )


def _seat(contest: Contest, result: GameResult, seat: SeatResult) -> Cell:
    href = addresses.bot_page(contest.slugs[seat.bot])
    return Cell(contest.called[seat.bot], seat.score, href, _fault(contest, result, seat))


def _fault(contest: Contest, result: GameResult, seat: SeatResult) -> str:
    """What a bot did wrong in a game; of one that it lost unplayed, why; or nothing."""
    if (result.id, seat.bot) in contest.unplayed:
        return "suspended"
    return str(seat.fault or "")


def is_first(result: GameResult, seat: SeatResult) -> bool:
    """Whether the first place, or a part of it, went to a seat."""
    return seat.rank == 0 and result.verdict is not Verdict.VOID


def ending(contest: Contest, result: GameResult) -> str:
    """How a game ended: `finished`, `forfeit: timeout`, `forfeit: suspended`."""
    kinds = dict.fromkeys(_fault(contest, result, seat) for seat in result.seats if seat.fault)
    return f"{result.verdict}: {', '.join(kinds)}" if kinds else str(result.verdict)


def moment(iso: str) -> str:
    """A time as people read it, in UTC.

    >>> moment("2026-11-30T17:04:05+00:00")
    '2026-11-30 17:04'
    """
    return iso[:16].replace("T", " ")


def id_cell(game: GameId) -> Cell:
    """A game, with its page."""
    return Cell(game[:ID], game, addresses.game_page(game))


_COLUMNS = (
    Column("game", "game", number=False),
    Column("variant", "variant", number=False),
    Column("seats", "seats and points", "The best first.", number=False, wraps=True),
    Column("place", "place"),
    Column("end", "end", number=False),
    Column("finished", "over (UTC)", number=False),
)


def games_table(
    contest: Contest, id: str, title: str, games: Sequence[Kept], most: int, bot: BotId | None = None
) -> Table:
    """The newest of some games; `bot`: with the place that it came in on."""
    rows = tuple(_line(contest, game, bot) for game in newest(games, most))
    columns = tuple(column for column in _COLUMNS if bot or column.key != "place")
    notes = (f"The newest {most} of {words.count(len(games), 'game')}.",) if len(games) > most else ()
    return Table(id, title, columns, rows, notes, "No game is over yet.")


def _line(contest: Contest, game: Kept, bot: BotId | None) -> tuple[Cell, ...]:
    result = game.result
    ranked = sorted(result.seats, key=lambda seat: seat.rank)
    said = ", ".join(f"{contest.called[seat.bot]} {seat.score}" for seat in ranked)
    cells = [id_cell(result.id), Cell(result.variant), Cell(said)]
    if bot:
        best = min(seat.rank for seat in result.seats if seat.bot == bot)
        cells.append(Cell("–") if result.verdict is Verdict.VOID else Cell(str(best + 1), best))
    return (*cells, Cell(ending(contest, result)), Cell(moment(game.finished), game.finished))


def shards(contest: Contest) -> Iterator[tuple[str, dict[GameId, Any]]]:
    """Name and contents of each file of games."""
    digits = contest.shard
    found: defaultdict[str, dict[GameId, Any]] = defaultdict(dict)
    for game in sorted(contest.games, key=lambda game: game.result.id):
        found[addresses.shard(game.result.id, digits)][game.result.id] = _told(contest, game)
    yield from sorted(found.items())


def _told(contest: Contest, game: Kept) -> dict[str, Any]:
    result = game.result
    return {
        "variant": visible(result.variant),
        "seats": [_seat_told(contest, result, seat) for seat in result.seats],
        "verdict": result.verdict,
        "deal": visible(result.deal),
        "finished": visible(game.finished),
        "replay": result.id in contest.replays,
        "held": result.id in contest.held_back,
    }


def _seat_told(contest: Contest, result: GameResult, seat: SeatResult) -> dict[str, Any]:
    return {
        "bot": contest.slugs[seat.bot], "name": contest.called[seat.bot], "score": seat.score, "rank": seat.rank,
        "team": seat.team, "fault": _fault(contest, result, seat) or None,
    }  # fmt: skip
