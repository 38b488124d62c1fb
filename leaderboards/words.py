"""What is said of a leaderboard in words: above and below its tables, and in place of numbers that mean nothing.

The lines are plain text, to be escaped for their medium; names in them are labels already.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
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


def listed(said: Sequence[str], joint: str = ", ") -> str:
    """The first few of them, and how many more there are.

    >>> listed(["a", "b"]), listed(list("abcdefghijkl"))
    ('a, b', 'a, b, c, d, e, f, g, h, i, j, and 2 more')
    """
    more = len(said) - _MENTIONED
    return joint.join([*said[:_MENTIONED], *([f"and {more:,} more"] if more > 0 else [])])


def joined(said: Sequence[str]) -> str:
    """All of them in a sentence.

    >>> joined(["a"]), joined(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)


def _capped(lines: Sequence[str], what: str) -> list[str]:
    """The first few of them, and how many more there would be to say of."""
    more = len(lines) - _MENTIONED
    return [*lines[:_MENTIONED], *([f"The same of {more:,} more {what}."] if more > 0 else [])]


def order(rows: Sequence[Row], groups: Sequence[Group]) -> tuple[str, ...]:
    """How true the order of each group of several bots is to be taken."""
    number = {row.bot: row.group for row in rows}
    told = {number[next(iter(one.bots))]: _order(one) for one in groups}
    sizes = Counter(row.group for row in rows if row.group)
    lines = [
        (f"Group {group} ({size} bots): " if len(sizes) > 1 else "") + f"{told.get(group, _UNSURE)}."
        for group, size in sorted(sizes.items())
        if size > 1
    ]
    return tuple(_capped(lines, "groups"))


_UNSURE = "1 deal: nothing can be said of how sure this is"


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
    pairs, met = int((board.matrix.games > 0).sum()) // 2, board.matrix.games.sum() / 2
    if pairs <= len(board.rows) - len(board.groups):
        return "nothing to test: so few pairs always fit"
    needed = math.ceil(PAIR_GAMES * pairs * board.games / met)
    if board.games >= needed:
        return "nothing to test: pairs are too one-sided"
    return f"too few games ({board.games:,}), about {needed:,} are needed"


def below(standings: Standings, rows: Sequence[Row], *, faults: bool = True) -> list[str]:
    """What was rated and how, and what a reader must know of these rows; `faults`: which they made, too."""
    called = names([*standings.idle, *(row.bot for row in (*standings.rows, *rows))])
    lines = [
        *_rated(standings),
        *_left_out(standings),
        *_unrated(standings, called),
        *_method(standings, called),
    ]
    if any(row.provisional and row.rating for row in rows):
        lines.append(f"* provisional: fewer than {FEW_GAMES} games, or sigma above {WIDE_SIGMA}.")
    lines += _faults(rows, called) if faults else []
    lines += _partial(rows, called)
    split = [_unconnected(board, called) for board in standings.boards if len(board.groups) > 1]
    misfits = [_misfit(board) for board in standings.boards if board.fitting.fires]
    lines += [*_capped(split, "variants"), *_capped(misfits, "variants")]
    if standings.isolation:
        lines.append(f"Isolation: {standings.isolation}")
    lines += [f"Note: {note}" for note in standings.notes]
    parts = f"games {standings.games_digest[:12]}, settings {standings.settings.digest[:12]}"
    return [*lines, f"Digest: {standings.digest} ({parts})"]


def _misfit(board: Board) -> str:
    p = chance(board.fitting.p)
    p = p if p.startswith("<") else f"= {p}"
    return f"{board.label}: one strength a bot does not explain who beats whom (p {p}; see the fit)."


def _rated(standings: Standings) -> list[str]:
    if not standings.boards:
        partial = standings.selection.incomplete_games
        return [
            f"Nothing to rate yet{': a game counts when all games of its block are played' if partial else ''}."
        ]
    labels = listed([board.label for board in standings.boards])
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


def _unrated(standings: Standings, called: Mapping[BotId, str]) -> list[str]:
    """Variants and bots that there should be something of in a table, and is not."""
    if not standings.boards:
        return []
    lines = []
    if standings.unrated:
        lines.append(
            f"No rated game of {listed(standings.unrated)}: the overall rating is of {share(standings)}."
        )
    if standings.idle:
        lines.append(f"No rated game of {listed([called[bot] for bot in standings.idle])}: not in any table.")
    return lines


def share(standings: Standings) -> str:
    """Of how many of the variants the overall rating is."""
    rated = len(standings.boards)
    return f"{rated} of {rated + len(standings.unrated)} variants"


def _partial(rows: Sequence[Row], called: Mapping[BotId, str]) -> list[str]:
    """Bots that lack variants of others, those that lack the same ones together."""
    lacking: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for row in rows:
        if row.missing:
            lacking[row.missing].append(called[row.bot])
    lines = [
        f"{listed(bots)} {'is' if len(bots) == 1 else 'are'} partial, without an overall rating: "
        f"no rated game of {listed(missing)}."
        for missing, bots in lacking.items()
    ]
    return _capped(lines, "sets of bots")


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
    said = [f"{called[bot]} {number:,} {kind}" for (bot, kind), number in kinds.most_common()]
    return [f"Faults: {listed(said)}."] if said else []


def _unconnected(board: Board, called: Mapping[BotId, str]) -> str:
    sets = listed([listed(sorted(called[bot] for bot in group)) for group in board.groups], " | ")
    return f"{board.label} has bots that never met, not even through others: {sets}. Compare only inside a group."
