"""`arena compare`: is a new version better?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from arena.cli.again import again, other
from arena.cli.completing import variants
from arena.cli.output import columns, count, document, is_live, note, show
from arena.cli.sandboxing import keeps_bots
from arena.interrupts import CODE

if TYPE_CHECKING:
    from arena.comparing import Compared, Comparing
    from arena.home import Home
    from leaderboards.sprt import Sprt
    from protocol.result import GameResult

EXIT = {True: 0, False: 1, None: 6}
"""By whether the first bot is better."""
ELO = click.FloatRange(-3000, 3000)
OPTIMISTIC = """\
       (score, its 95 %, LOS and Elo are as if the number of rounds had been fixed beforehand: a test that
       stops because of its score shows one that is a little too far from even)"""


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
@click.option("--elo0", type=ELO, metavar="ELO", help="The same as --s0 and --s1, as a lead in Elo.")
@click.option("--elo1", type=ELO, metavar="ELO")
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
    _play(comparing, ctx)
    compared = outcome(comparing, ctx.obj)
    if as_json:
        document("comparison", _rounded(asdict(compared)))
    else:
        show(verdict(compared))
    note(_next(compared, ctx))
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


def _play(comparing: Comparing, ctx: click.Context) -> None:
    from arena.cli.run import two_interrupts, warn_of_crowd
    from arena.cli.watching import Watch
    from arena.tournament import run

    warn_of_crowd(comparing.tournament)
    view = Watch(comparing, lambda name: _earlier(ctx.obj, name), is_live())
    try:
        with two_interrupts(view):
            run(comparing.tournament, ctx.obj, view)
    except KeyboardInterrupt:
        view.close()
        note(f"interrupted; every finished game is kept\n  go on with: {again(ctx)}")
        raise click.exceptions.Exit(CODE) from None
    finally:
        view.close()


def _earlier(home: Home, name: str) -> Sequence[GameResult]:
    from arena.reading import opened

    with opened(home) as ledger:
        return ledger.results(name)


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
    answer, fits, other = ("", found.s1, found.s0) if found.better else ("not ", found.s0, found.s1)
    return f"{found.a} is {answer}better than {found.b}: its games speak for a score of {fits:.4g} against {other:.4g}."


def _figures(found: Compared) -> str:
    from arena.cli.watching import percent, signed

    now = found.standing
    bounds = f"bounds {found.lower:.2f} and {found.upper:.2f} (alpha {found.alpha:g}, beta {found.beta:g})"
    lines = [f"score  {_score(found)}", f"LLR    {signed(now.ratio)}, {bounds}"]
    if now.los is not None:
        lines.append(f"LOS    {percent(now.los)}")
    if now.elo is not None:
        lines.append(f"Elo    {round(now.elo, 1) + 0.0:+.1f}")
    return "\n".join(lines if now.score is None else [*lines, OPTIMISTIC])


def _score(found: Compared) -> str:
    from leaderboards.sprt import FEWEST

    now = found.standing
    if now.score is None:
        return "no round is over"
    rounds = f"over {count(now.rounds, 'round')} ({count(now.games, 'game')})"
    if now.low is None or now.high is None:
        why = f"without an interval, which takes {FEWEST} rounds that are not all alike"
        return f"{now.score:.3f} {rounds}; {why}"
    return f"{now.score:.3f}, 95 % from {now.low:.3f} to {now.high:.3f}, {rounds}"


def _rounded(found: dict[str, Any]) -> dict[str, Any]:
    """What was found, to 1e-4; what was asked for as it is."""
    now = {key: _round(value) for key, value in found["standing"].items()}
    return found | {"standing": now} | {key: _round(found[key]) for key in ("lower", "upper")}


def _round(value: Any) -> Any:
    return round(value, 4) + 0.0 if isinstance(value, float) else value  # no minus before a nought


def _next(found: Compared, ctx: click.Context) -> str:
    table = other(ctx, "leaderboard", found.tournament, "--by", "variant")
    lines = [f"head: {found.head}", f"next: {table}"]
    if found.better is None:
        lines.append(f"      {again(ctx, max_games=2 * ctx.params['max_games'])}")
    if ctx.params["seed"] is None:
        lines.append(f"the same deals again: {again(ctx, seed=found.seed)}")
    return "\n".join(lines)
