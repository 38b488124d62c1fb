"""What `arena watch` draws: a tournament at one instant, for a terminal of any size. Texts from outside are escaped here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from arena.cli.lines import fault_line, lost_lines, pace
from arena.notation import event_line
from protocol.escape import label, visible
from protocol.vocabulary import LANGS
from referee.games import game_of

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

    from arena.snapshots import Leader, Snapshot, Underway
    from protocol.result import GameResult
    from protocol.vocabulary import BotId
    from referee.telling import Told

    Moves = Callable[[str], list[Told] | None]

WIDE = 64
"""Columns from which on there is room for intervals,"""
BESIDE = 110
"""and for a game beside the table."""
TALL = 34
"""Lines from which on there is room for more than the least of everything."""
LEADERS, EVENTS = 100, 7
"""Lines of each where there is no end of room."""
LEAST = 4
"""Lines of leaders that are always shown."""
NAME, LONGEST = 24, 200
"""Columns of a name in a line with others at most, and the letters of one that are looked at to tell it from others."""


class Screen:
    """What is drawn, with what has changed since the first time."""

    def __init__(self, lang: str = LANGS[0]) -> None:
        """`lang`: of the words of games."""
        self._lang = lang
        self._first: dict[BotId, int] = {}
        """The ranks that bots had."""
        self._chosen = ""
        """The game that is looked at."""

    def turn(self, snapshot: Snapshot, by: int) -> None:
        """Look at another game under way."""
        ids = [game.id for game in snapshot.underway]
        if by and ids:
            at = ids.index(self._chosen) if self._chosen in ids else 0
            self._chosen = ids[(at + by) % len(ids)]

    def draw(self, snapshot: Snapshot, moves: Moves, width: int, height: int | None) -> RenderableType:
        """All of it; `height`: as much as fits, the leaders in what the others leave (None: all)."""
        from rich.console import Group

        from arena.snapshots import leaders

        rows, above = leaders(snapshot), _heading(snapshot, width)
        beside = width >= BESIDE and bool(snapshot.underway)
        column = width // 2 if beside else width
        names = _short(_names(snapshot), max(8, min(NAME, (column - 13) // 2)))
        news = _news(snapshot, names, column, height is None or height >= TALL)
        room = (height or TALL + LEADERS) - len(above) - 2
        left = room - (0 if beside else min(len(rows), max(LEAST, room // 3)) + len(news) + 1)
        game = self._game(snapshot, moves, names, column, max(1, left - 3 if height else EVENTS))
        table = self._leaders(rows, column, max(LEAST, room - len(news) - (0 if beside else len(game))))
        body = [_side_by_side([table, *news], game[1:])] if beside else [table, *news, *game]
        return Group(*above, *body) if height is None else _footed(Group(*above, *body), _foot(snapshot))

    def _leaders(self, rows: Sequence[Leader], width: int, most: int) -> RenderableType:
        from rich.table import Table
        from rich.text import Text

        if not rows:
            return Text("  no ratings yet", style="dim")
        table = Table(box=None, padding=(0, 2, 0, 0), expand=width < WIDE, header_style="dim", pad_edge=False)
        for name in ("", "", "bot"):
            table.add_column(name, justify="right" if not name else "left", no_wrap=True)
        for name in ("rating", *(("95 % interval",) if width >= WIDE else ()), "games", "faults"):
            table.add_column(name, justify="right", no_wrap=True)
        self._first = self._first or {row.bot: row.rank for row in rows if row.rank}
        room = max(8, min(40, width - (52 if width >= WIDE else 36)))
        names = _short([row.bot.name for row in rows], room)
        shown = rows if len(rows) <= most else rows[: most - 1]
        for row in shown:
            table.add_row(*self._leader(row, names[row.bot.name], width))
        if more := len(rows) - len(shown):
            table.add_row("", "", Text(f"… {more:,} more", style="dim"))
        return table

    def _leader(self, row: Leader, name: str, width: int) -> list[Text | str]:
        from rich.text import Text

        interval = "few deals" if row.low is None or row.high is None else f"{row.low:.2f} … {row.high:.2f}"
        faults = Text(f"{row.faults:,}", style="red" if row.faults else "dim")
        return [
            Text(f" {row.rank or '–'}", style="bold" if row.rank == 1 else ""),
            self._change(row),
            Text(name, style="bold" if row.rank == 1 else ""),
            "partial" if row.mu is None else f"{row.mu:.2f}" + ("*" if row.provisional else " "),
            *([Text(interval, style="dim")] if width >= WIDE else []),
            f"{row.games:,}", faults,
        ]  # fmt: skip

    def _change(self, row: Leader) -> Text:
        """How many places up or down since the first time."""
        from rich.text import Text

        before = self._first.get(row.bot)
        up = before - row.rank if before and row.rank else 0
        return Text(f"▲{up}", style="green") if up > 0 else Text(f"▼{-up}" if up else "", style="red")

    def _game(
        self, snapshot: Snapshot, moves: Moves, names: Mapping[str, str], width: int, most: int
    ) -> list[Text]:
        """One of the games under way, with the newest `most` of what happened."""
        games = snapshot.underway
        if not games:
            return _part("under way", [_unseen(snapshot)]) if snapshot.running else []
        at = next((n for n, game in enumerate(games) if game.id == self._chosen), 0)
        self._chosen = games[at].id
        ago = f", as it was {snapshot.delay_seconds:g} s ago" if snapshot.delay_seconds else ""
        title = f"under way, {at + 1} of {len(games)}{ago}"
        terms = game_of(games[at].variant).terms(self._lang)
        events = _events(terms, moves(games[at].id) or (), most, width)
        return _part(title, [*_who(games[at], names, width), *events])


def _side_by_side(left: Sequence[RenderableType], right: Sequence[RenderableType]) -> RenderableType:
    from rich.console import Group
    from rich.table import Table

    table = Table.grid(expand=True)
    table.add_column(ratio=1)
    table.add_column(ratio=1)
    table.add_row(Group(*left), Group(*right))
    return table


def _footed(body: RenderableType, foot: Text) -> RenderableType:
    """What fills a terminal."""
    from rich.layout import Layout

    whole = Layout()
    whole.split_column(Layout(body), Layout(foot, size=1))
    return whole


def _names(snapshot: Snapshot) -> list[str]:
    """Of all bots that anything is said of."""
    found = [row.bot.name for row in snapshot.standings.rows] if snapshot.standings else []
    found += [fault.bot.name for fault in snapshot.faults] + [away.bot.name for away in snapshot.away]
    found += [seat.bot.name for result in snapshot.newest for seat in result.seats]
    return found + [bot for game in snapshot.underway for bot in game.bots]


def _short(names: Iterable[str], room: int) -> dict[str, str]:
    """Each name in so many columns, or as many more as it takes to tell it from the others."""
    from leaderboards.sheets import shortened

    known = list(dict.fromkeys(names))
    return dict(zip(known, shortened([label(name, LONGEST) for name in known], room), strict=True))


def _news(snapshot: Snapshot, names: Mapping[str, str], width: int, tall: bool) -> list[Text]:
    results = [_result(snapshot, one, names, width) for one in snapshot.newest[: 5 if tall else 2]]
    faults = [
        _cut(f"   {fault_line(one, names)}", width, "red") for one in snapshot.faults[: 4 if tall else 1]
    ]
    lost = [_cut(f"   {line}", width, "yellow") for line in lost_lines(snapshot, names)[: 3 if tall else 1]]
    found = _part("newest results", results) if results else []
    return found + (_part("newest faults", [*faults, *lost]) if faults or lost else [])


def _heading(snapshot: Snapshot, width: int) -> list[RenderableType]:
    from rich.padding import Padding
    from rich.progress_bar import ProgressBar
    from rich.text import Text

    title = Text.assemble((f" {label(snapshot.tournament)}", "bold"), "  ", _state(snapshot))
    lines: list[RenderableType] = [title, _cut(f" {pace(snapshot)}", width)]
    if snapshot.games:
        bar = ProgressBar(
            snapshot.games, snapshot.over, width - 2, complete_style="cyan", finished_style="green"
        )
        lines.append(Padding(bar, (0, 0, 0, 1)))
    notes = [_cut(f" {visible(line)}", width, "yellow") for line in snapshot.notes]
    return [*lines, *notes, Text("")]


def _state(snapshot: Snapshot) -> Text:
    from rich.text import Text

    if snapshot.running:
        return Text("● running", style="green")
    if snapshot.ended:
        return Text(f"✔ {snapshot.ended}", style="green")
    return Text("○ stopped" if snapshot.over else "○ waiting", style="yellow")


def _part(title: str, lines: Sequence[Text]) -> list[Text]:
    from rich.text import Text

    return [Text(""), Text(f" {title}", style="dim"), *lines]


def _result(snapshot: Snapshot, result: GameResult, names: Mapping[str, str], width: int) -> Text:
    """`ann 31, bob 12 (timeout)   claim/2p/GK-UWX`, the best first."""
    if result.verdict == "void":
        return _cut(f"   void: {result.id[:12]}  {result.variant}", width, "yellow")
    seats = sorted(result.seats, key=lambda seat: seat.rank)
    faults = [snapshot.seat_says(result, seat) for seat in seats]
    said = (
        f"{names[seat.bot.name]} {seat.score}" + (f" ({fault})" if fault else "")
        for seat, fault in zip(seats, faults, strict=True)
    )
    text = _cut(f"   {', '.join(said)}  {result.variant}", width)
    text.stylize("dim", max(0, text.plain.find(f"  {result.variant[:8]}")))
    return text


def _unseen(snapshot: Snapshot) -> Text:
    from rich.text import Text

    from arena.feed import TRUSTED

    delay = snapshot.delay_seconds
    said = "no game is seen yet" if delay is None else f"no game is {delay:g} s old yet"
    if TRUSTED in snapshot.notes:
        said = "not shown: its bots could read it (sandbox none)"
    return Text(f"   {said}", style="dim")


def _who(game: Underway, names: Mapping[str, str], width: int) -> list[Text]:
    bots = "   ".join(f"{seat}: {names[bot]}" for seat, bot in enumerate(game.bots))
    about = f"{visible(game.variant)}, after {game.step:,} actions"
    return [_cut(f"   {bots}", width, "bold"), _cut(f"   {about}", width, "dim")]


def _events(terms: Mapping[str, str], told: Sequence[Told], most: int, width: int) -> list[Text]:
    """The newest of what happened, in words."""
    events = [event for event in told if not event.kind.startswith("@")]
    return [
        _cut(f"   {e.step:4}  {visible(event_line(terms, e.kind, e.body))}", width) for e in events[-most:]
    ]


def _cut(line: str, width: int, style: str = "") -> Text:
    from rich.text import Text

    text = Text(line, style=style, no_wrap=True, overflow="ellipsis")
    text.truncate(max(1, width - 1), overflow="ellipsis")
    return text


def _foot(snapshot: Snapshot) -> Text:
    from rich.text import Text

    head = f"   head {snapshot.head[:12]}" if snapshot.head else ""
    turn = "   n p next, previous game" if len(snapshot.underway) > 1 else ""
    return Text(f" q quit{turn}{head}", style="dim", no_wrap=True)
