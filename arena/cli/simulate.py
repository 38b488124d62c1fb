"""`arena simulate`: how true the ranking of a tournament will be."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from arena.cli.completing import variants
from arena.cli.output import columns, count, document, duration, is_live, note, show

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arena.accuracy import Figure, Outcome, Simulation
    from arena.home import Home
    from arena.proposal import Proposal
    from arena.trials import Trial

HEAD = (
    "schedule",
    "games",
    "tau",
    "first",
    "top 3",
    "off by",
    "rmse",
    "in 95 %",
    "tau claimed",
    "tau 0.9 at",
)
LINE_SECONDS = 10.0


def _share(ctx: click.Context, param: click.Parameter, text: str | None) -> float | None:
    """A part of a whole, written as 75% or 0.75."""
    if text is None:
        return None
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        raise click.BadParameter(f"{text!r} is no share; write it as 75% or 0.75") from None
    if not 0 <= share <= 1:
        raise click.BadParameter(f"{text} is not between 0 and 100%")
    return share


def _numbers(ctx: click.Context, param: click.Parameter, text: str | None) -> tuple[float, ...] | None:
    """Numbers with commas between them."""
    try:
        return None if text is None else tuple(map(float, text.split(",")))
    except ValueError:
        raise click.BadParameter(f"{text!r} is no list of numbers such as 27,25.5,24") from None


@click.command(short_help="How true a ranking will be, before anything is played.")
@click.argument("tournament", required=False)
@click.option("--bots", type=click.IntRange(2, 500), help="Size of the field; else as in the file, or 20.")
@click.option(
    "--spread", callback=_share, metavar="SHARE", help="The best beats the worst so often.  [default: 75%]"
)
@click.option(
    "--strengths", callback=_numbers, metavar="MU,MU,...", help="Of each bot, in place of --spread."
)
@click.option(
    "--like", metavar="TOURNAMENT", help="Strengths, ties and luck as that leaderboard has measured them."
)
@click.option(
    "--luck",
    callback=_share,
    metavar="SHARE",
    help="Of a game's chance, what changing seats cancels.  [default: 30%]",
)
@click.option("--draws", callback=_share, metavar="SHARE", help="Ties between equal bots.  [default: 0]")
@click.option(
    "--costs", callback=_numbers, metavar="S,S,...", help="CPU seconds a game of each bot, as --strengths."
)
@click.option(
    "--variant", "patterns", multiple=True, metavar="PATTERN", shell_complete=variants,
    help="Else as in the file, or Claim for two.",
)  # fmt: skip
@click.option(
    "--schedule", "schedules", multiple=True, metavar="KIND",
    help="Another one than the file's; several are compared. Also adaptive:champion, adaptive:rank, quality.",
)  # fmt: skip
@click.option("--games", type=click.IntRange(1, 1_000_000), help="Budget of a tournament.")
@click.option("--deals", type=click.IntRange(1, 1_000_000), help="As in a tournament file.")
@click.option(
    "--rating", type=click.Choice(["batch", "online"]), default="batch", show_default=True,
    help="online: beside the board's rating, TrueSkill as it is usually used.",
)  # fmt: skip
@click.option(
    "--runs", type=click.IntRange(1, 100_000), default=50, show_default=True, help="Simulated contests."
)
@click.option("--seed", default="1", show_default=True, help="All luck comes from it.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes; else one a core.")
@click.option("--json", "as_json", is_flag=True, help="As a document for programs.")
@click.pass_obj
def simulate(
    home: Home, tournament: str | None, bots: int | None, spread: float | None, strengths: tuple[float, ...] | None,
    like: str | None, luck: float | None, draws: float | None, costs: tuple[float, ...] | None,
    patterns: tuple[str, ...], schedules: tuple[str, ...], games: int | None, deals: int | None, rating: str,
    runs: int, seed: str, jobs: int | None, as_json: bool,
) -> None:  # fmt: skip
    """Play a tournament many times with bots of known strength, and say how often its ranking is true.

    \b
    arena simulate cup.toml              a tournament file, as it is
    arena simulate cup.toml --like cup   with strengths and luck as measured
    arena simulate --bots 20 --spread 75% --games 8000 --deals 5 \\
        --schedule round_robin --schedule finals
    """
    from arena.executors.local import processes
    from arena.proposal import Wishes, proposal

    wishes = Wishes(
        tournament, bots, spread, strengths, like, luck, draws, costs or (), patterns, schedules, games, deals
    )
    wanted = proposal(wishes, home)
    whole = _contests(wanted, runs, seed, rating == "online", jobs or processes())
    found, interrupted = _gathered(whole, runs)
    if found:
        _tell(wanted, found, runs, seed, as_json)
    if interrupted:
        note(f"interrupted after {count(len(found), 'contest')} of {runs:,}")
        raise click.exceptions.Exit(130)


def _contests(wanted: Proposal, runs: int, seed: str, online: bool, jobs: int) -> Iterator[list[Trial]]:
    from arena.errors import InputError
    from arena.trials import seeds, trials
    from leaderboards.ratings import NotConverged

    try:
        yield from trials(wanted.entries, wanted.world, seeds(seed, runs), online, min(jobs, runs))
    except NotConverged as error:
        raise InputError(
            f"no ratings come of such a field: {error}", "bring the bots nearer together", "E311"
        ) from None


def _gathered(contests: Iterator[list[Trial]], runs: int) -> tuple[list[list[Trial]], bool]:
    """What there is when all are over, or the user has seen enough; and whether that is so."""
    from time import monotonic

    found: list[list[Trial]] = []
    began = said = monotonic()
    try:
        for trials in contests:
            found.append(trials)
            now = monotonic()
            if len(found) < runs and (is_live() or now - said >= LINE_SECONDS):
                left = duration((now - began) / len(found) * (runs - len(found)))
                line = f"{len(found):,} of {count(runs, 'contest')}, {left} left"
                click.echo(f"\r\x1b[K{line}" if is_live() else line, err=True, nl=not is_live())
                said = now
    except KeyboardInterrupt:
        return found, True
    finally:
        if is_live() and found:
            click.echo("\r\x1b[K", err=True, nl=False)
    return found, False


def _tell(wanted: Proposal, found: list[list[Trial]], runs: int, seed: str, as_json: bool) -> None:
    from arena.accuracy import simulation

    answer = simulation(wanted.world, found, runs, seed)
    if as_json:
        document("simulation", asdict(answer))
        return
    show(_assumed(answer))
    show(columns(HEAD, [_row(one) for one in answer.outcomes]))
    show("\n" + "\n".join(map(in_words, answer.outcomes)))


def _assumed(answer: Simulation) -> str:
    spread = max(answer.strengths) - min(answer.strengths)
    lines = [f"{len(answer.strengths)} bots, {spread:.2f} of mu from the first to the last"]
    lines += [f"{one.variant}: luck {one.luck:.0%}, ties {one.draws:.1%}" for one in answer.variants]
    return "\n".join([*lines, ""])


def _row(one: Outcome) -> list[object]:
    end = one.end
    return [
        label(one), round(end.games), _figure(end.tau), _figure(end.first), _figure(end.top3),
        f"{end.rank_error.mean:.2f}", f"{end.rmse.mean:.2f}", f"{end.coverage.mean:.1%}",
        f"{end.claimed_tau.mean:.3f}" if end.claimed_tau else "says none",
        f"{one.games_to_goal:,} games" if one.games_to_goal else "not reached",
    ]  # fmt: skip


def _figure(figure: Figure) -> str:
    return f"{figure.mean:.3f}" + (f" ± {figure.error:.3f}" if figure.error is not None else "")


def label(one: Outcome) -> str:
    """The schedule, with the rating where it is not the board's."""
    return one.schedule if one.rating == "batch" else f"{one.schedule}, TrueSkill game after game"


def in_words(one: Outcome) -> str:
    """The answer for somebody who plans a contest."""
    end, wrong = one.end, round((1 - one.end.tau.mean) / 2 * 100)
    return (
        f"{label(one)}: with {round(end.games):,} games the true best is first in {round(one.runs * end.first.mean)} of "
        f"{one.runs} such contests, and among the first three in {round(one.runs * end.top3.mean)}; of 100 pairs of "
        f"bots {wrong} stand in the wrong order."
    )
