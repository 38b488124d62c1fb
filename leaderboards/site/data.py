"""Everything on the pages as CSV and JSON. Texts from outside stay texts: no cell is a formula."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import cache
from typing import Any

from leaderboards.documents import document, records
from leaderboards.site.contest import Contest, Kept, Ranking
from leaderboards.views import VIEWS
from protocol.codec import encode
from protocol.escape import cell, visible
from protocol.vocabulary import BotId

_SEAT = (
    "game",
    "variant",
    "rules",
    "deal",
    "block",
    "block_size",
    "verdict",
    "finished",
    "seat",
    "bot",
    "digest",
    "team",
    "rank",
    "score",
    "fault",
)


def files(contest: Contest) -> Iterator[tuple[str, bytes]]:
    """Path and contents of each, from the root of the site. Raises NotConverged, NoEquilibrium."""
    whole = contest.standings
    yield "data/leaderboard.json", document(whole, tuple(VIEWS)).encode()
    yield "data/leaderboard.csv", records(whole, ",", by="overall", view="table").encode()
    yield "data/settings.json", _json({**asdict(whole.settings), "digest": whole.settings.digest})
    for ranking in contest.rankings:
        yield f"data/{ranking.entry.key}.csv", _ranking(ranking)
        if ranking.board:
            yield f"data/matrix-{ranking.entry.key}.csv", _of(ranking, "matrix")
    for view in ("seats", "luck", "fit"):
        yield f"data/{view}.csv", records(whole, ",", by="variant", view=view).encode()
    yield "data/results.csv", _csv(_SEAT, _seats(contest.games))
    yield "data/results.jsonl", b"".join(encode(_result(game)) + b"\n" for game in contest.games)
    yield "data/faults.csv", _faults(contest)
    yield "data/timing.csv", _timing(contest)
    yield "data/history.csv", _history(contest)


def _ranking(ranking: Ranking) -> bytes:
    if ranking.board:
        return _of(ranking, "table")
    return records(ranking.standings, ",", by="overall", view="table").encode()


def _of(ranking: Ranking, view: str) -> bytes:
    return records(ranking.standings, ",", by="variant", view=view).encode()


@cache
def _text(text: str) -> str:
    """As a cell; names come again and again."""
    return cell(text)


def _csv(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows(rows)
    return out.getvalue().encode()


def _seats(games: Iterable[Kept]) -> Iterator[tuple[Any, ...]]:
    """A line for each seat of each game."""
    for game in games:
        r = game.result
        texts = map(cell, (r.id, r.variant, r.rules, r.deal, r.block))
        of = (*texts, r.block_size, r.verdict.value, cell(game.finished))
        for number, seat in enumerate(r.seats):
            who = _text(seat.bot.name), _text(seat.bot.digest)
            yield (*of, number, *who, seat.team, seat.rank, seat.score, seat.fault or "")


def _result(game: Kept) -> dict[str, Any]:
    """A line of results.jsonl: the fields of protocol.result, and when the game was kept."""
    r = game.result
    seats = [
        {
            "bot": visible(seat.bot.name), "digest": visible(seat.bot.digest), "team": seat.team, "rank": seat.rank,
            "score": seat.score, "fault": seat.fault,
        }
        for seat in r.seats
    ]  # fmt: skip
    return {
        "id": visible(r.id), "game": visible(r.game), "variant": visible(r.variant), "rules": visible(r.rules),
        "deal": visible(r.deal), "block": visible(r.block), "block_size": r.block_size, "verdict": r.verdict,
        "finished": visible(game.finished), "seats": seats,
    }  # fmt: skip


def _faults(contest: Contest) -> bytes:
    heads = ("game", "variant", "finished", "bot", "digest", "kind", "reason", "turn", "unplayed", "evidence")
    rows = (
        (
            *map(cell, (f.game, f.variant, f.finished, f.bot.name, f.bot.digest, f.kind, f.reason)),
            f.turn,
            str(f.unplayed).lower(),
            cell(f.evidence),
        )
        for f in contest.faults
    )
    return _csv(heads, rows)


def _timing(contest: Contest) -> bytes:
    heads = ("variant", "bot", "digest", "moves", "median_ms", "p95_ms", "p99_ms", "most_ms")
    tables = {**contest.timing_by_variant, "all": contest.timing}
    rows = (
        (cell(variant), *_who(bot), t.moves, t.median, t.p95, t.p99, t.most)
        for variant, times in tables.items()
        for bot, t in times.items()
    )
    return _csv(heads, rows)


def _history(contest: Contest) -> bytes:
    rows = (
        (cell(ranking.entry.title), games, *_who(bot), "" if mu is None else mu)
        for ranking in contest.rankings
        for bot, values in ranking.history.mu.items()
        for games, mu in zip(ranking.history.games, values, strict=True)
    )
    return _csv(("leaderboard", "games", "bot", "digest", "mu"), rows)


def _who(bot: BotId) -> tuple[str, str]:
    return _text(bot.name), _text(bot.digest)


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=2, allow_nan=False) + "\n").encode()


def script(kind: str, key: str, value: Any) -> bytes:
    """Data for a page: a classic script that calls one function, since from file:// nothing else is loaded."""
    return b"kingmaker(%s,%s,%s);\n" % (encode(kind), encode(key), encode(value))
