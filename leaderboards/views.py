"""What can be shown of a leaderboard, as tables for people: who stands where, who beats whom, seats, luck."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from leaderboards import words
from leaderboards.boards import Board, Row
from leaderboards.confidence import Confidence, Group, by_bot
from leaderboards.matrix import Matrix
from leaderboards.sheets import GAP, SHORT_NAME, Column, Sheet, sheet, shortened
from leaderboards.words import names

_INTERVAL = "mu ± 1.96 sd{}, clustered by deal"
RANKED = (
    Column("rank"),
    Column("range", "ranks that it may have, 95% sure"),
    Column("group", "ranks are those in it"),
    Column("bot", left=True, cut=True),
    Column("mu"),
    Column("sigma", goes=5),
    Column("95% interval", _INTERVAL, goes=9),
    Column("exposure", "mu − 3 sigma", goes=2),
    Column("P(1st)", "chance to be the best", goes=7),
    Column("P(top 3)", goes=1),
    Column("games", goes=10),
    Column("W-D-L", "games in first place alone, in a shared one, in none", goes=3),
    Column("1st (fair)", "share of first places, and that of an equal", goes=4),
    Column("faults", "games with a fault", goes=6),
    Column("apart", "bots without a letter in common are told apart (Holm, 5%)", left=True, goes=8),
)


def ranking(title: str, rows: Sequence[Row], groups: Sequence[Group], *, anchored: bool = False) -> Sheet:
    """Who stands where, and how sure that is; `anchored`: intervals are against a bot, and not the middle."""
    called, known = names(row.bot for row in rows), by_bot(groups)
    tells_something = {
        "group": len({row.group for row in rows if row.group}) > 1,
        "P(top 3)": any(len(group.bots) > 3 for group in groups),
        "1st (fair)": any(row.tally.expected_share != 0.5 for row in rows),
    }
    middle = "" if anchored else " against the middle of the field"
    columns = [
        replace(column, says=column.says.format(middle))
        for column in RANKED
        if tells_something.get(column.name, True)
    ]
    cells = [ranked(row, called[row.bot], known.get(row.bot)) for row in rows]
    lines = [[line[column.name] for column in columns] for line in cells]
    return replace(sheet(title, columns, lines), above=words.order(rows, groups))


def ranked(row: Row, name: str, sure: Confidence | None) -> dict[str, str]:
    """The cells of a row of a ranking, by the names of its columns."""
    tally, rating = row.tally, row.rating
    mark = "*" if row.provisional else ""
    return {
        "rank": f"{row.rank}{mark}" if row.rank else "–",
        "range": "–".join(map(str, dict.fromkeys(sure.ranks))) if sure else "–",
        "group": str(row.group or "–"),
        "bot": name,
        "mu": f"{rating.mu:.2f}" if rating else "partial",
        "sigma": f"{rating.sigma:.2f}" if rating else "–",
        "95% interval": f"{sure.interval[0]:.2f} … {sure.interval[1]:.2f}" if sure else "–",
        "exposure": f"{rating.exposure:.2f}" if rating else "–",
        "P(1st)": likely(sure.first) if sure else "–",
        "P(top 3)": likely(sure.top3) if sure else "–",
        "games": f"{tally.games:,}",
        "W-D-L": f"{tally.wins:,}-{tally.draws:,}-{tally.losses:,}",
        "1st (fair)": f"{tally.win_share:.1%} ({tally.expected_share:.1%})",
        "faults": f"{tally.fault_share:.1%}" if tally.faulty else "0%",
        "apart": sure.letters if sure else "–",
    }


def likely(p: float) -> str:
    """A probability that draws have found.

    >>> [likely(p) for p in (0.0, 0.004, 0.42, 0.996)]
    ['<1%', '<1%', '42%', '>99%']
    """
    return "<1%" if p < 0.01 else ">99%" if p > 0.99 else f"{p:.0%}"


def matrix(boards: Sequence[Board], width: int | None) -> list[Sheet]:
    """Who does how well against whom, a table a variant, as wide as there is room."""
    crowd = _crowded(boards)
    return [_matrix(board, width, crowd) for board in boards]


def _matrix(board: Board, width: int | None, crowd: Sequence[str]) -> Sheet:
    found, called = board.matrix, names(row.bot for row in board.rows)
    bots = [row.bot for row in board.rows]
    room = (width - SHORT_NAME - 3 * GAP) if width else 10**9
    cell, shown = _cell, len(bots)
    if room < shown * (len("100 +10.0") + GAP):
        cell, shown = _marked, min(shown, room // (len("100++") + GAP))
    columns = [
        Column("#"),
        Column("bot", left=True, cut=True),
        *(Column(str(n)) for n in range(1, shown + 1)),
    ]
    order = [found.bots.index(bot) for bot in bots]
    shown_names = [called[bot] for bot in bots]
    if width:
        shown_names = shortened(shown_names, SHORT_NAME)
    lines = [
        [
            str(n),
            name,
            *(cell(found, i, j) for j in order[:shown]),
        ]
        for n, (name, i) in enumerate(zip(shown_names, order, strict=True), 1)
    ]
    below = [_MARKS if cell is _marked else _NUMBERS, *crowd]
    if shown < len(bots):
        below.append(f"The first {shown} of {len(bots)} columns: csv and json have all.")
    return sheet(f"{board.label}: wins in percent against", columns, lines, *below)


_NUMBERS = (
    "A cell is of the row's bot against the column's: wins in percent (a tie is half a win), and how many standard "
    "deviations that is above what the ratings expect; · is itself, – never met."
)
_MARKS = (
    "A cell is of the row's bot against the column's: wins in percent (a tie is half a win), with + or − where that is "
    "2 standard deviations off what the ratings expect, twice at 3; · is itself, – never met."
)


_CROWD = (
    "Where three or more play for themselves, pairs have games in common: X² and z come out too small there, and p too "
    "large."
)


def _crowded(boards: Iterable[Board]) -> list[str]:
    """What is to be said where a game compares several pairs at once."""
    return [_CROWD] if any(len(cell) > 2 for board in boards for cell in board.played.cells) else []


def _cell(found: Matrix, i: int, j: int) -> str:
    if i == j or not found.games[i, j]:
        return "·" if i == j else "–"
    return f"{100 * found.wins[i, j] / found.games[i, j]:.0f} {round(found.z[i, j], 1) + 0.0:+.1f}"


def _marked(found: Matrix, i: int, j: int) -> str:
    if i == j or not found.games[i, j]:
        return "·" if i == j else "–"
    z = float(found.z[i, j])
    mark = ("+" if z > 0 else "−") * ((abs(z) >= 2) + (abs(z) >= 3))
    return f"{100 * found.wins[i, j] / found.games[i, j]:.0f}{mark}"


_FIT = (
    Column("variant", left=True, cut=True),
    Column("games", goes=4),
    Column("X²", "squared residuals of the pairs, in units of their variance", goes=3),
    Column("dof", "degrees of freedom", goes=2),
    Column("p", "how likely a misfit as large is, were one strength a bot all there is"),
    Column("spread", "variance of the scores of blocks, in parts of that of single games", goes=1),
    Column("which says", left=True),
)
_SURPRISES = (
    Column("bot", left=True, cut=True),
    Column("does better against", left=True, cut=True),
    Column("wins"),
    Column("expected"),
    Column("z", "how many standard deviations that is off"),
)
_NASH = (
    Column("bot", left=True, cut=True),
    Column("weight", "how much of the mixture it is"),
    Column("included", "in which share of the resamples of the deals it is in the mixture at all"),
)


def fit(boards: Sequence[Board], width: int | None) -> list[Sheet]:
    """Whether one strength a bot explains who beats whom; where it does not, which mixture no bot beats."""
    title = "Does one strength a bot explain who beats whom?"
    found = [sheet(title, _FIT, map(_fit, boards), *_crowded(boards))]
    for board in boards:
        called = names(row.bot for row in board.rows)
        if board.fitting.surprises and board.fitting.dof:
            lines = [
                (called[bot], called[against], f"{share:.1%}", f"{expected:.1%}", f"{z:.1f}")
                for bot, against, share, expected, z in board.fitting.surprises
            ]
            found.append(sheet(f"{board.label}: largest differences", _SURPRISES, lines))
        if board.nash:
            parts = [(called[part.bot], f"{part.weight:.1%}", f"{part.included:.0%}") for part in board.nash]
            found.append(sheet(f"{board.label}: the mixture that no bot beats (Nash)", _NASH, parts))
    return found


def _fit(board: Board) -> tuple[str, ...]:
    one = board.fitting
    numbers = (f"{one.chi2:.1f}", f"{one.dof:,}", words.chance(one.p)) if one.dof else ("–", "–", "–")
    spread = "–" if board.dispersion is None else f"{board.dispersion:.2f}"
    return (board.label, f"{board.games:,}", *numbers, spread, words.fit(board))


_SEATS = (
    Column("variant", left=True, cut=True),
    Column("seat", "or team, in turn order"),
    Column("games"),
    Column("1st", "share of first places"),
    Column("fair", goes=1),
    Column("95% interval", "by deals, of which it needs five that differ"),
    Column("between equals", "of bots of one strength", goes=2),
)


def seats(boards: Sequence[Board], width: int | None) -> list[Sheet]:
    """What each seat is worth."""
    return [sheet("Seats", _SEATS, (line for board in boards for line in _seats(board)))]


def _seats(board: Board) -> list[tuple[str, ...]]:
    equals = board.advantage
    said = f"{equals.share:.1%}{_within(equals.low, equals.high)}" if equals else "–"
    return [
        (
            board.label, str(seat.seat), f"{seat.games:,}", f"{seat.share:.1%}", f"{seat.expected:.1%}",
            _within(seat.low, seat.high).strip(" ()") or "–", "–" if number else said,
        )
        for number, seat in enumerate(board.seats)
    ]  # fmt: skip


def _within(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f" ({low:.1%} … {high:.1%})"


_LUCK = (
    Column("variant", left=True, cut=True),
    Column("blocks"),
    Column("skill", "share of the variance of a score that is who plays whom"),
    Column("seat"),
    Column("deal", "luck that mirroring cancels"),
    Column("rest", "other luck, and play"),
    Column("rho", "correlation of a block's games for one side", goes=2),
    Column("worth", "games on other deals that say as much as one of a block", goes=1),
    Column("55%", "blocks to tell two bots apart of which one wins 55%, and so on"),
    Column("60%"),
    Column("70%"),
)


def luck(boards: Sequence[Board], width: int | None) -> list[Sheet]:
    """How much of a game is luck, and how many deals it takes to tell two bots apart."""
    notes = [f"{board.label}: {note}." for board in boards for note in board.luck.notes]
    return [sheet("Skill and luck", _LUCK, map(_luck, boards), *notes)]


def _luck(board: Board) -> tuple[str, ...]:
    found = board.luck
    shares = (found.bot, found.seat, found.deal, found.rest)
    needed = [found.needed(share) for share in (0.55, 0.6, 0.7)]
    return (
        board.label,
        f"{found.blocks:,}",
        *("–" if share is None else f"{share:.1%}" for share in shares),
        "–" if found.correlation is None else f"{found.correlation:+.2f}",
        "–" if found.saving is None else f"{found.saving:.2f}",
        *("–" if blocks is None else f"{blocks:,}" for blocks in needed),
    )


VIEWS: dict[str, Callable[[Sequence[Board], int | None], list[Sheet]]] = {
    "matrix": matrix, "fit": fit, "seats": seats, "luck": luck,
}  # fmt: skip
"""What there is besides the ranking; each has tables of some variants, for a terminal of some width."""
