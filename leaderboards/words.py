"""What is said of a leaderboard in words: above and below its tables, and in place of numbers that mean nothing.

The lines are plain text, to be escaped for their medium; names in them are labels already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from leaderboards.boards import FEW_GAMES, WIDE_SIGMA, Board, Row
from leaderboards.confidence import Group
from leaderboards.standings import Standings
from protocol import escape
from protocol.vocabulary import BotId

PAIR_GAMES = 8
"""Games that a pair needs before its score can speak against the ratings, if it is not one-sided."""
_MENTIONED = 10
"""Names in a line."""


def names(bots: Iterable[BotId]) -> dict[BotId, str]:
    """What to call each bot: its name, with the digest where several go by it."""
    known = sorted(set(bots))
    versions = Counter(bot.name for bot in known)
    ends = {bot: str(bot).removeprefix(bot.name) if versions[bot.name] > 1 else "" for bot in known}
    return {bot: escape.label(bot.name) + end for bot, end in ends.items()}


def count(number: int, what: str) -> str:
    """A number with its noun."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def chance(p: float) -> str:
    """A probability of a test.

    >>> chance(0.3817), chance(0.0042), chance(1e-9)
    ('0.38', '0.0042', '< 0.0001')
    """
    return "< 0.0001" if p < 1e-4 else f"{p:.2g}"


def order(groups: Sequence[Group]) -> tuple[str, ...]:
    """How true the order of each group is to be taken."""
    if len(groups) == 1:
        return (_order(groups[0]) + ".",)
    return tuple(f"Group {n} ({len(one.bots)} bots): {_order(one)}." for n, one in enumerate(groups, 1))


def _order(group: Group) -> str:
    return (
        f"Expected Kendall tau to the true order {group.tau:.2f}; "
        f"{group.neighbours:.0%} of neighbours told apart; {count(group.deals, 'deal')}"
    )


def fit(board: Board) -> str:
    """Whether one strength a bot explains who beats whom, without the numbers."""
    found = board.fitting
    if found.fires:
        return "it does not: look at who beats whom"
    if found.dof:
        return "nothing speaks against it"
    if board.matrix.teams:
        return "not tested where partners are mixed"
    pairs = int((board.matrix.games > 0).sum()) // 2
    if pairs <= len(board.rows) - len(board.groups):
        return "nothing to test: so few pairs always fit"
    return f"too few games ({board.games:,}), about {PAIR_GAMES * pairs:,} are needed"


def below(standings: Standings, rows: Sequence[Row]) -> list[str]:
    """What was rated and how, and what a reader must know of these rows."""
    called = names(row.bot for row in (*standings.rows, *rows))
    lines = [*_rated(standings), *_left_out(standings), *_method(standings, called)]
    if any(row.provisional and row.rating for row in rows):
        lines.append(f"* provisional: fewer than {FEW_GAMES} games, or sigma above {WIDE_SIGMA}.")
    lines += _faults(rows, called)
    lines += [
        f"{called[row.bot]} is partial, without an overall rating: no rated game of {', '.join(row.missing)}."
        for row in rows
        if row.missing
    ]
    for board in standings.boards:
        if len(board.groups) > 1:
            lines.append(_unconnected(board, called))
        if board.fitting.fires:
            p = _is(board.fitting.p)
            lines.append(
                f"{board.label}: one strength a bot does not explain who beats whom (p {p}; see the fit)."
            )
    if standings.isolation:
        lines.append(f"Isolation: {standings.isolation}")
    lines += [f"Note: {note}" for note in standings.notes]
    return [*lines, f"Digest: {standings.digest}"]


def _is(p: float) -> str:
    said = chance(p)
    return said if said.startswith("<") else f"= {said}"


def _rated(standings: Standings) -> list[str]:
    if not standings.boards:
        return ["Nothing to rate yet: a game counts when all games of its block are played."]
    labels = ", ".join(board.label for board in standings.boards)
    blocks = count(standings.selection.blocks, "whole block")
    return [f"Rated: {count(standings.selection.rated, 'game')} of {labels}, out of {blocks}."]


def _left_out(standings: Standings) -> list[str]:
    chosen = standings.selection
    parts = [
        (chosen.incomplete_games, f"of {count(chosen.incomplete_blocks, 'incomplete block')}"),
        (chosen.void, "void or aborted and not yet played again"),
        (chosen.unratable, "with nobody to compare (a bot met itself, or copies met a mixed team)"),
        (chosen.faulty_games, f"of {count(chosen.faulty_blocks, 'block')} with a fault, as was asked for"),
    ]
    said = "; ".join(f"{count(number, 'game')} {what}" for number, what in parts if number)
    return [f"Left out: {said}."] if said else []


def _method(standings: Standings, called: Mapping[BotId, str]) -> list[str]:
    if not standings.boards:
        return []
    settings = standings.settings
    lines = [
        f"mu and sigma: TrueSkill's, of all games at once (before any {settings.mu:g} ± {settings.sigma:.2f}; "
        f"tau {settings.tau:g})."
    ]
    anchor = standings.boards[0].anchor
    if anchor is not None and settings.anchor is not None:
        mu = settings.anchor[1]
        lines.append(
            f"Anchor: {called[anchor]} has mu {mu:g}; those it met are shifted with it, and their intervals are against it."
        )
    lines.append(_ties(standings.boards))
    if (k := len(standings.boards)) > 1:
        lines.append(f"Overall: mean of the {k} variants, rated each by itself, with weight 1/{k} each.")
    return lines


def _ties(boards: Sequence[Board]) -> str:
    """What the fits took for the share of ties: of each board, or of many the least and the most."""
    if len(boards) > 3:
        ordered = sorted(boards, key=lambda board: board.draw_probability)
        boards, joint = (ordered[0], ordered[-1]), " to "
    else:
        joint = ", "
    shares = [
        f"{board.draw_probability:.2%} in {board.label} (draw margin {board.draw_margin:.3f})"
        for board in boards
    ]
    return f"Estimated share of ties: {joint.join(shares)}."


def _faults(rows: Sequence[Row], called: Mapping[BotId, str]) -> list[str]:
    kinds = Counter[tuple[BotId, str]]()
    for row in rows:
        for kind, number in row.tally.faults:
            kinds[row.bot, kind] += number
    said = [f"{called[bot]} {number:,} {kind}" for (bot, kind), number in kinds.most_common(_MENTIONED)]
    more = f", and {len(kinds) - _MENTIONED} more" if len(kinds) > _MENTIONED else ""
    return [f"Faults: {', '.join(said)}{more}."] if said else []


def _unconnected(board: Board, called: Mapping[BotId, str]) -> str:
    sets = " | ".join(", ".join(sorted(called[bot] for bot in group)) for group in board.groups)
    return f"{board.label} has bots that never met, not even through others: {sets}. Compare only inside a group."
