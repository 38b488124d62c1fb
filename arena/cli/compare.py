"""`arena compare`: is a new version better?"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from time import monotonic
from typing import TYPE_CHECKING

import click

from arena.cli.completing import variants
from arena.cli.output import columns, count, document, duration, is_live, note, show
from arena.cli.sandboxing import keeps_bots

if TYPE_CHECKING:
    from arena.comparing import Compared, Comparing, Question, Standing
    from arena.events import GamesKept, RunEvent, RunStarted
    from arena.home import Home
    from leaderboards.sprt import Sprt
    from protocol.result import GameResult

EXIT = {True: 0, False: 1, None: 6}
"""By whether the first bot is better."""
LINE_SECONDS, LIVE_SECONDS = 10.0, 0.2
"""How often a line is written: below the others, or in the place of the one before."""
LINE_SHARE = 0.05
"""Of all games: after so many a line comes sooner,"""
LEAST_SECONDS = 1.0
"""but not sooner than this."""
EFFORT = 20
"""To count takes at most one part in so many of the time."""
WIDTH = 80
"""Of a terminal that does not know its own."""
OPTIMISTIC = "\n       (a test that stops because of its score shows one that is a little too far from even)"


def _words(ctx: click.Context, option: click.Parameter, value: str) -> tuple[str, ...]:
    return tuple(filter(None, value.replace(" ", "").split(",")))


@click.command(short_help="Is a new version of a bot better?")
@click.argument("a")
@click.argument("b")
@click.option(
    "--variant", "patterns", metavar="PATTERN", multiple=True, default=["claim"], shell_complete=variants,
    help="Ids, aliases, patterns; may be given again. All count alike. [default: claim]",
)  # fmt: skip
@click.option(
    "--opponents", metavar="X,Y", default="", callback=_words,
    help="Who sits with them where three or four play for themselves.",
)  # fmt: skip
@click.option("--s0", type=float, metavar="SCORE", help="Not better: scores this or less.  [default: 0.5]")
@click.option("--s1", type=float, metavar="SCORE", help="Better: scores this or more.  [default: 0.55]")
@click.option("--elo0", type=float, metavar="ELO", help="The same as --s0 and --s1, as a lead in Elo.")
@click.option("--elo1", type=float, metavar="ELO")
@click.option("--alpha", type=float, default=0.05, show_default=True, help='Share of wrong "better".')
@click.option("--beta", type=float, default=0.05, show_default=True, help='Share of wrong "not better".')
@click.option("--max-games", type=click.IntRange(1), default=20_000, show_default=True)
@click.option("--seed", help="All luck comes from it; drawn, and shown, where left out.")
@click.option("--concurrency", type=click.IntRange(0, 1024), default=0, help="Referee processes.")
@click.option("--json", "as_json", is_flag=True, help="The verdict, for programs.")
@keeps_bots
@click.pass_context
def compare(
    ctx: click.Context, a: str, b: str, patterns: tuple[str, ...], opponents: tuple[str, ...], s0: float | None,
    s1: float | None, elo0: float | None, elo1: float | None, alpha: float, beta: float, max_games: int,
    seed: str | None, concurrency: int, as_json: bool,
) -> None:  # fmt: skip
    """Is bot A better than bot B? They play the same deals with seats swapped until a test is sure.

    \b
    arena compare ./mybot mybot              new files against what was added
    arena compare bot@1f3a bot@9c20 --variant 'claim/2p/*'
    arena compare ./mybot greedy --variant claim/3p/GK-UWXTD --opponents random

    The test may be watched and stopped at any time. The same command goes on.

    \b
    Exit codes: 0 A is better; 1 it is not; 6 undecided after --max-games.
    """
    from arena.comparing import Question, outcome, settle

    test = _test((s0, s1), (elo0, elo1), alpha, beta)
    question = Question(a, b, patterns, opponents, test, max_games, seed, concurrency)
    comparing = settle(question, ctx.obj)
    _play(comparing, question, ctx.obj)
    compared = outcome(comparing, ctx.obj)
    if as_json:
        document("comparison", asdict(compared))
    else:
        show(verdict(compared))
    note(_next(compared, question))
    ctx.exit(EXIT[compared.better])


def _test(
    scores: tuple[float | None, float | None],
    elos: tuple[float | None, float | None],
    alpha: float,
    beta: float,
) -> Sprt:
    from leaderboards.sprt import Sprt, score_of

    if scores != (None, None) and elos != (None, None):
        raise click.UsageError("--s0, --s1 and --elo0, --elo1 say the same in two ways; choose one")
    told = [score if elo is None else score_of(elo) for score, elo in zip(scores, elos, strict=True)]
    given = {key: score for key, score in zip(("s0", "s1"), told, strict=True) if score is not None}
    return Sprt(**given, alpha=alpha, beta=beta)


def _play(comparing: Comparing, question: Question, home: Home) -> None:
    from arena.cli.run import two_interrupts, warn_of_crowd
    from arena.tournament import run

    warn_of_crowd(comparing.tournament)
    view = Watch(comparing, lambda name: _earlier(home, name), is_live())
    try:
        with two_interrupts(view):
            run(comparing.tournament, home, view)
    except KeyboardInterrupt:
        view.close()
        note(f"interrupted; every finished game is kept\n  go on with: {_command(question)}")
        raise click.exceptions.Exit(130) from None
    finally:
        view.close()


def _earlier(home: Home, name: str) -> list[GameResult]:
    from arena.reading import opened

    with opened(home) as ledger:
        return ledger.results(name)


class Watch:
    """What shows a comparison as it goes on, on stderr."""

    def __init__(
        self, comparing: Comparing, earlier: Callable[[str], Iterable[GameResult]], live: bool,
        clock: Callable[[], float] = monotonic,
    ) -> None:  # fmt: skip
        from arena.schedules.blocks import Progress

        self._comparing, self._rounds, self._progress = comparing, comparing.rounds, Progress()
        self._earlier, self._live, self._clock = earlier, live, clock
        self._period = LIVE_SECONDS if live else LINE_SECONDS
        self._began = self._said_at = clock()
        self._played = self._said = 0
        self._open = False

    def __call__(self, event: RunEvent) -> None:
        """Take an event in."""
        from arena.events import BotSuspended, GamesKept, RunEnded, RunStarted

        match event:
            case RunStarted():
                note(_opening(event))
                self._progress.take(self._earlier(event.tournament) if event.kept else ())
                self._began = self._said_at = self._clock()
            case BotSuspended():
                self.close()
                note(event.note)
            case GamesKept():
                self._progress.take(event.results)
                self._played += len(event.results)
                if self._is_due(event):
                    self._say()
            case RunEnded():
                self.close()
                note(f"{count(self._played, 'game')} in {duration(event.seconds)}")

    def close(self) -> None:
        """End the line that is written again; may be called more than once."""
        if self._open:
            click.echo(err=True)
        self._open = False

    def _is_due(self, event: GamesKept) -> bool:
        since, news = self._clock() - self._said_at, self._played - self._said
        share = LINE_SHARE * (event.games or event.kept)
        return since >= self._period or (since >= LEAST_SECONDS and news >= share)

    def _say(self) -> None:
        from arena.comparing import standing

        began = self._clock()
        text = progress(standing(self._comparing, self._rounds, self._progress), self._comparing.test)
        self._write(f"{text}, {self._played / (began - self._began):,.1f} games/s")
        self._said_at, self._said = self._clock(), self._played
        self._period = max(LIVE_SECONDS if self._live else LINE_SECONDS, EFFORT * (self._said_at - began))

    def _write(self, text: str) -> None:
        if self._live:
            room = (os.get_terminal_size(sys.stderr.fileno()).columns or WIDTH) - 1
            click.echo(f"\r\x1b[K{text[:room]}", nl=False, err=True)
            self._open = True
        else:
            note(text)


def _opening(event: RunStarted) -> str:
    kept = f", {event.kept:,} of them kept" if event.kept else ""
    games = f"{event.tournament}: at most {count(event.games or 0, 'game')}{kept}"
    return f"seed: {event.seed}\n{games}; bots: {', '.join(event.bots)}"


def progress(now: Standing, test: Sprt) -> str:
    """How far it is, in a line.

    >>> from leaderboards.sprt import Sprt
    >>> from arena.comparing import Standing
    >>> progress(Standing(1000, 2000, 1.2345, 0.531, 0.5147, 0.5473, 0.9999, 21.6), Sprt())
    '1,000 rounds, score 0.531 ± 0.016, LLR 1.23 (-2.94 to 2.94), LOS above 99.9 %'
    >>> progress(Standing(0, 0, 0.0, None, None, None, None, None), Sprt())
    'no round is over yet, LLR 0.00 (-2.94 to 2.94)'
    """
    parts = [count(now.rounds, "round") if now.rounds else "no round is over yet"]
    if now.score is not None:
        width = "" if now.low is None or now.high is None else f" ± {(now.high - now.low) / 2:.3f}"
        parts.append(f"score {now.score:.3f}{width}")
    parts.append(f"LLR {_signed(now.ratio)} ({test.lower:.2f} to {test.upper:.2f})")
    if now.los is not None:
        parts.append(f"LOS {_share(now.los)}")
    return ", ".join(parts)


def _signed(ratio: float) -> str:
    """With two digits, and no minus before a nought.

    >>> _signed(-0.001), _signed(-1.5)
    ('0.00', '-1.50')
    """
    return f"{round(ratio, 2) + 0.0:.2f}"


def _share(chance: float) -> str:
    """A chance that is never quite 0 or 1.

    >>> _share(0.12345), _share(0.99999)
    ('12.3 %', 'above 99.9 %')
    """
    if 0.001 <= chance <= 0.999:
        return f"{100 * chance:.1f} %"
    return "below 0.1 %" if chance < 0.001 else "above 99.9 %"


def verdict(found: Compared) -> str:
    """What was found, for a person."""
    rows = [(tally.variant, tally.wins, tally.draws, tally.losses) for tally in found.tallies]
    parts = [_answer(found), _figures(found)]
    if rows:
        parts.append(columns(["variant", "wins", "draws", "losses"], rows))
    if found.faults:
        faults = [(fault.bot, fault.kind, fault.seats) for fault in found.faults]
        parts.append(columns(["bot", "fault", "seats"], faults))
    else:
        parts.append("No bot has made a fault.")
    return "\n\n".join(parts)


def _answer(found: Compared) -> str:
    if found.better is None:
        return f"Undecided: whether {found.a} is better than {found.b} cannot be said after these games."
    if found.better:
        return f"{found.a} is better than {found.b}: its score is {found.s1:.4g} or more, not {found.s0:.4g} or less."
    return f"{found.a} is not better than {found.b}: its score is {found.s0:.4g} or less, not {found.s1:.4g} or more."


def _figures(found: Compared) -> str:
    now = found.standing
    rounds = f"{count(now.rounds, 'round')} ({count(now.games, 'game')})"
    lines = [
        f"LLR    {_signed(now.ratio)}, bounds {found.lower:.2f} and {found.upper:.2f} (alpha {found.alpha:g}, beta {found.beta:g})"
    ]
    if now.score is None:
        return "\n".join(["score  no round is over", *lines])
    if now.low is None or now.high is None or now.los is None:
        lines.insert(
            0, f"score  {now.score:.3f} over {rounds}; all rounds ended alike, so without an interval"
        )
    else:
        lines.insert(
            0, f"score  {now.score:.3f}, 95 % from {now.low:.3f} to {now.high:.3f}, over {rounds}{OPTIMISTIC}"
        )
        lines.append(f"LOS    {_share(now.los)}")
    if now.elo is not None:
        lines.append(f"Elo    {round(now.elo, 1) + 0.0:+.1f}")
    return "\n".join(lines)


def _next(found: Compared, question: Question) -> str:
    command = _command(question)
    lines = [f"head: {found.head}", f"next: arena leaderboard {found.tournament} --by variant"]
    if found.better is None:
        lines.append(f"      {_command(replace(question, max_games=2 * question.max_games))}")
    if question.seed is None:
        lines.append(f"the same deals again: {command} --seed {found.seed}")
    return "\n".join(lines)


def _command(question: Question) -> str:
    """That asks the same again."""
    from arena.comparing import Question

    usual = Question(question.a, question.b)
    words = ["arena", "compare", question.a, question.b]
    if question.variants != usual.variants:
        words += [word for pattern in question.variants for word in ("--variant", pattern)]
    if question.opponents:
        words += ["--opponents", ",".join(question.opponents)]
    for key in ("s0", "s1", "alpha", "beta"):
        if (value := getattr(question.test, key)) != getattr(usual.test, key):
            words += [f"--{key}", repr(value)]
    for key in ("max_games", "seed", "concurrency"):
        if (value := getattr(question, key)) != getattr(usual, key):
            words += [f"--{key.replace('_', '-')}", str(value)]
    return shlex.join(words)
