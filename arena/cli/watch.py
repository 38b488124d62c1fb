"""`arena watch`: a tournament as it goes on, in the terminal."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import click

from arena.cli.again import other
from arena.cli.completing import tournaments
from arena.cli.output import note, say
from protocol.escape import json_text
from protocol.vocabulary import LANGS

if TYPE_CHECKING:
    from rich.console import Console

    from arena.home import Home
    from arena.live import Watch
    from arena.snapshots import Snapshot

PERIOD = 1.0
"""Seconds from one look to the next."""
NEXT, BACK = {"n", "\x1b[C", "\x1b[B", " "}, {"p", "\x1b[D", "\x1b[A"}
"""Keys; arrows, too."""


@click.command(short_help="See a tournament as it goes on.")
@click.argument("tournament", shell_complete=tournaments)
@click.option("--once", is_flag=True, help="Show it as it is now, and end.")
@click.option("--json", "as_json", is_flag=True, help="For programs: JSON Lines, one a second.")
@click.option("--lang", type=click.Choice(LANGS), default=LANGS[0], help="Of the words of games.")
@click.pass_context
def watch(ctx: click.Context, tournament: str, once: bool, as_json: bool, lang: str) -> None:
    """Who leads, how far it is, newest results and faults, and games under way: until it is over.

    \b
    arena watch cup.toml                 also before it begins, and between runs
    arena watch cup --once               as it is now
    arena watch cup --json | jq .over    for programs

    What is shown of games under way is what all may know, some time later (spectator_delay_ms in the file). Keys:
    n and p turn to the next game and back, q ends. To watch changes nothing.
    """
    from arena.live import Watch

    home: Home = ctx.obj
    with Watch(tournament, home) as source:
        if as_json:
            _stream(ctx, source, once)
        elif once:
            _once(ctx, source, lang)
        elif sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
            _live(ctx, source, lang)
        else:
            _lines(ctx, source)


def _stream(ctx: click.Context, source: Watch, once: bool) -> None:
    from arena.snapshots import entry

    for snapshot in _looks(source, sleep):
        body = {"schema": "kingmaker/live/1", **asdict(entry(snapshot))}
        click.echo(json_text(json.dumps(body, allow_nan=False, ensure_ascii=False)))
        if once:
            return
    _part(ctx, snapshot)


def _once(ctx: click.Context, source: Watch, lang: str) -> None:
    from arena.cli.screen import Screen

    console = _console(ctx)
    console.print(Screen(lang).draw(source.look(), source.moves, console.width, None))


def _lines(ctx: click.Context, source: Watch) -> None:
    """A line now and then, and one for each fault."""
    from arena.cli.lines import Lines

    lines = Lines()
    for snapshot in _looks(source, sleep):
        say(*lines.of(snapshot))
    _part(ctx, snapshot)


def _live(ctx: click.Context, source: Watch, lang: str) -> None:
    """The whole terminal, which is given back however this ends."""
    from rich.live import Live

    from arena.cli.screen import Screen

    console, screen = _console(ctx), Screen(lang)
    with _ending(), keys() as pressed:
        with Live(" reading what is kept …", console=console, screen=True, auto_refresh=False) as live:
            for snapshot in _looks(source, lambda _: None):
                until = monotonic() + PERIOD
                while monotonic() < until:
                    size = console.size
                    picture = screen.draw(snapshot, source.moves, size.width, size.height)
                    live.update(picture, refresh=True)
                    key = pressed(max(0.0, until - monotonic()))
                    if key == "q":
                        return
                    screen.turn(snapshot, (key in NEXT) - (key in BACK))
        console.print(Screen(lang).draw(snapshot, source.moves, console.width, None))
    _part(ctx, snapshot)


def _looks(source: Watch, wait: Callable[[float], object]) -> Iterator[Snapshot]:
    """A snapshot a second, until there is nothing more to come."""
    while True:
        began = monotonic()
        yield (snapshot := source.look())
        if snapshot.ended:
            return
        wait(max(0.0, PERIOD - (monotonic() - began)))


def _part(ctx: click.Context, snapshot: Snapshot) -> None:
    """Why it is over, and what to look at then."""
    note(f"{snapshot.tournament}: {snapshot.ended}\n  next: {other(ctx, 'leaderboard', snapshot.tournament)}")


def _console(ctx: click.Context) -> Console:
    from rich.console import Console

    plain = ctx.color is False
    return Console(no_color=plain or None, force_terminal=True if ctx.color else None, highlight=False)


@contextmanager
def _ending() -> Iterator[None]:
    """Whoever ends this process has the terminal put back before; to be stopped (Ctrl-Z) would leave it as it is."""

    def interrupted(number: int, frame: Any) -> None:
        for each in before:
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt

    ends = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.getsignal(number) for number in (*ends, signal.SIGTSTP)}
    for number in ends:
        signal.signal(number, interrupted)
    signal.signal(signal.SIGTSTP, signal.SIG_IGN)
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def _nothing(seconds: float) -> str:
    sleep(seconds)
    return ""


@contextmanager
def keys() -> Iterator[Callable[[float], str]]:
    """What waits for so many seconds for a key, and gives it; empty: there was none."""
    if not sys.stdin.isatty():
        yield _nothing
        return
    import termios
    import tty
    from select import select

    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)

    def pressed(seconds: float) -> str:
        ready, _, _ = select([fd], [], [], seconds)
        return os.read(fd, 16).decode("ascii", "replace") if ready else ""

    tty.setcbreak(fd)
    try:
        yield pressed
    finally:
        termios.tcsetattr(fd, termios.TCSAFLUSH, before)
