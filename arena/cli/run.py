"""`arena run`: play a tournament, or what is missing of it."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.again import again, other
from arena.cli.completing import tournaments
from arena.cli.output import columns, complain, count, document, duration, is_live, note, show, width
from arena.cli.sandboxing import keeps_bots
from arena.errors import InputError
from arena.interrupts import CODE, twice
from referee.processes.sandbox import MODES
from referee.transports import NAMES

if TYPE_CHECKING:
    from arena.cli.progress import View
    from arena.cluster import Cluster
    from arena.config import Tournament
    from arena.events import RunEvent, RunStarted
    from arena.forecast import Forecast, VariantForecast
    from arena.home import Home
    from protocol.result import GameResult

OPENING = 5
"""Deals from which on intervals of finals and adaptive schedules were seen to hold nearly as often as they say."""


@click.command(short_help="Play a tournament; goes on where it stopped.")
@click.argument("tournament", shell_complete=tournaments)
@click.option("--dry-run", is_flag=True, help="Show what would be played; start nothing.")
@click.option("--events", metavar="-|FILE", help="Write what happens as JSON Lines.")
@click.option("--json", "as_json", is_flag=True, help="End with the leaderboard as JSON.")
@click.option(
    "--transport", type=click.Choice(NAMES), default=NAMES[0], show_default=True,
    help="Who speaks ZeroMQ for the arena: itself, or libzmq (slower; to compare).",
)  # fmt: skip
@click.option("--concurrency", type=click.IntRange(1, 1024), help="Referee processes, this time.")
@click.option(
    "--cluster", metavar="WHERE",
    help="Who plays: local:N, a scheduler's tcp://… or tls://…, or a cluster file (docs/clusters.md).",
)  # fmt: skip
@click.option(
    "--fail-on", type=click.Choice(["bot-fault"]), help="Exit with 1 where a game of the tournament has one."
)
@keeps_bots
@click.pass_context
def run(
    ctx: click.Context, tournament: str, dry_run: bool, events: str | None, as_json: bool,
    transport: str, concurrency: int | None, cluster: str | None, fail_on: str | None,
) -> None:  # fmt: skip
    """Play what is missing of a tournament, and show its leaderboard.

    \b
    arena run cup.toml --dry-run            how many games, of what
    arena run cup.toml                      play; after Ctrl-C: go on
    arena run cup                           go on, with the same bot versions
    arena run cup.toml --events - | jq .    for scripts
    arena run cup.toml --cluster slurm.toml on many machines
    """
    if events == "-" and as_json:
        raise click.UsageError("--events - and --json both write to stdout; choose one")
    from arena.reading import to_play

    home: Home = ctx.obj
    where = _cluster(cluster, concurrency)
    config = to_play(tournament, home)
    if concurrency is not None:
        config = config.model_copy(update={"concurrency": concurrency})
    if home.mode and MODES.index(home.mode) < MODES.index(config.sandbox):
        note(
            f"warning: {config.name} asks for sandbox = {config.sandbox!r}; this run keeps bots in {home.mode!r}"
        )
    if dry_run:
        _forecast(ctx, config, as_json, where)
        return
    _play(ctx, config, events, transport, where)
    _finish(ctx, config.name, quiet=events == "-", as_json=as_json)
    if fail_on and _faults(home, config.name):
        note(f"bots made faults: see {other(ctx, 'status', config.name)}")
        raise click.exceptions.Exit(1)


def _cluster(where: str | None, concurrency: int | None) -> Cluster | None:
    """What plays in place of this machine; None: nothing does."""
    if where is None:
        return None
    if concurrency is not None:
        raise click.UsageError(
            "--concurrency is of this machine; with --cluster say local:N, or how many workers in its file"
        )
    from arena.cluster import cluster_at
    from arena.executors.local import processes

    return cluster_at(where, processes())


def _play(
    ctx: click.Context, config: Tournament, events: str | None, transport: str, cluster: Cluster | None
) -> None:
    from arena.cli.progress import LiveView, PlainView
    from arena.events import RunStarted
    from arena.tournament import run as play

    home: Home = ctx.obj
    warn_of_crowd(config, cluster)
    warn_of_opening(config)
    before = _entered(home, config.name)
    view: View = LiveView(lambda name: _earlier(home, name)) if is_live() else PlainView()
    note(f"{config.name}: taking in {count(len(config.bots), 'bot')}, and starting each once")
    try:
        with _stream(events) as write, two_interrupts(view):

            def listen(event: RunEvent) -> None:
                write(event)
                if isinstance(event, RunStarted):
                    _warn_of_newcomers(before, event)
                view(event)

            play(config, home, listen, transport, cluster)
    except (KeyboardInterrupt, BrokenPipeError) as error:
        view.close()
        if isinstance(error, BrokenPipeError):
            complain(error)
            note("whoever read the events has left")
        note(f"interrupted; every finished game is kept\n  go on with: {again(ctx)}")
        raise click.exceptions.Exit(CODE) from None
    finally:
        view.close()


def warn_of_crowd(config: Tournament, cluster: Cluster | None = None) -> None:
    """Say where more referees are asked for than there are cores."""
    from arena.executors.local import oversubscribed, processes

    asked = config.concurrency if cluster is None else (cluster.is_local and cluster.workers) or 0
    if oversubscribed(asked):
        what = "referee processes" if cluster is None else "workers"
        note(
            f"warning: {asked:,} {what} on {count(processes(), 'core')}: times of moves "
            "are not comparable, and bots may be late by no fault of theirs"
        )


def warn_of_opening(config: Tournament) -> None:
    """Say where what a schedule goes by rests on few deals (docs/simulating.md has what that does)."""
    kind = config.schedule.kind
    if kind in ("finals", "adaptive") and config.deals < OPENING:
        note(
            f"warning: deals = {config.deals} is a short opening of {kind}: fewer than 95 of 100 of its 95 % intervals "
            f"will hold; with deals = {OPENING} or more they nearly do"
        )


def _entered(home: Home, name: str) -> frozenset[str]:
    """The bots that a tournament has so far; none where it has not begun."""
    from arena.reading import opened

    with opened(home) as ledger:
        known = ledger.find(name)
    return frozenset(map(str, known.bots)) if known else frozenset()


def _warn_of_newcomers(before: frozenset[str], event: RunStarted) -> None:
    new = [bot for bot in event.bots if bot not in before]
    if new and event.kept:
        note(
            f"warning: {', '.join(new)}: added when {count(event.kept, 'game')} had been played, whose deals may be "
            "public: whoever wrote such a bot can know them; a fair comparison wants a new tournament"
        )


def _faults(home: Home, name: str) -> bool:
    from arena.reading import opened

    with opened(home) as ledger:
        return bool(ledger.faults(name))


def _earlier(home: Home, name: str) -> Sequence[GameResult]:
    from arena.reading import opened

    with opened(home) as ledger:
        return ledger.results(name)


@contextmanager
def _stream(events: str | None) -> Iterator[Callable[[RunEvent], None]]:
    """What writes events as JSON Lines, each as soon as it happens."""
    if events is None:
        yield lambda event: None
        return
    from arena.events import GamesKept
    from arena.events import document as plain

    with ExitStack() as stack:
        try:
            file = sys.stdout if events == "-" else stack.enter_context(Path(events).open("w"))
        except OSError as error:
            why = f"cannot write {events}: {error.strerror}"
            raise InputError(why, "choose another place", "E209") from None

        def write(event: RunEvent) -> None:
            if not isinstance(event, GamesKept) or event.results:
                file.write(json.dumps(plain(event), allow_nan=False) + "\n")
                file.flush()

        yield write


@contextmanager
def two_interrupts(view: View) -> Iterator[None]:
    """The first Ctrl-C (or SIGTERM) stops the run in order; the second at once."""

    def stopping() -> None:
        os.write(2, b"\nstopping; once more to stop at once\n")  # not by a buffer that may be in use

    with twice(signal.SIGINT, signal.SIGTERM, stopping=stopping, leaving=view.close):
        yield


def _finish(ctx: click.Context, name: str, quiet: bool, as_json: bool) -> None:
    from arena.reading import leaderboard, opened
    from leaderboards.tables import render

    home: Home = ctx.obj
    if not quiet:
        click.echo(
            render(leaderboard(name, None, home), "json" if as_json else "table", width=width()), nl=False
        )
    logs = home.path / "logs" / home.called(name)
    said = f"what bots printed: {logs}\n" if logs.is_dir() and any(logs.iterdir()) else ""
    with opened(home) as ledger:
        head = ledger.head(name)
    table, games = other(ctx, "leaderboard", name, "--by", "variant"), other(ctx, "record", "list", name)
    note(f"{said}head: {head}\nnext: {table}\n      {games}")


def _forecast(ctx: click.Context, config: Tournament, as_json: bool, cluster: Cluster | None) -> None:
    from arena.forecast import forecast
    from arena.tournament import check_cluster

    if cluster is not None:  # how many cores others have is not known before they are there
        config = config.model_copy(update={"concurrency": cluster.workers if cluster.is_local else 1})
    plan = forecast(config, ctx.obj)
    if cluster is not None:
        check_cluster(cluster)
    if as_json:
        document("plan", asdict(plan))
        return
    rows = [
        (v.variant, v.players, _number(v.games), _number(v.blocks), v.games_a_block, v.kept, _sigma(v))
        for v in plan.variants
    ]
    show(columns(["variant", "players", "games", "blocks", "games a block", "kept", "sigma"], rows))
    who = f"referee processes: {plan.processes}" if cluster is None else f"played by {cluster}"
    show(f"\n{_extent(plan, config)}; {who}\nbots: {', '.join(map(str, plan.bots))}")
    show(_expectation(plan, shared=cluster is not None and not cluster.is_local))
    warn_of_crowd(config, cluster)
    warn_of_opening(config)
    for line in plan.left_out:
        note(line)
    note(f"nothing was started\n  next: {again(ctx, dry_run=None)}")


def _number(games: int | None) -> int | str:
    return "open" if games is None else games


def _sigma(variant: VariantForecast) -> str:
    return "unknown" if variant.sigma is None else f"{variant.sigma:.2f}"


def _extent(plan: Forecast, config: Tournament) -> str:
    """`280 games, 0 kept, 280 to play`."""
    if plan.games is None:
        return f"as many games as it takes, {plan.kept:,} kept"
    stop = config.stop
    sooner = (
        plan.schedule not in ("round_robin", "gauntlet", "newcomer") or stop.minutes or stop.tau or stop.first
    )
    most = "at most " if sooner else ""
    return f"{most}{count(plan.games, 'game')}, {plan.kept:,} kept, {plan.games - plan.kept:,} to play"


def _expectation(plan: Forecast, shared: bool) -> str:
    """How long it takes, and how exact ratings will be. `shared`: by one core, and there are others."""
    if plan.seconds is not None:
        took = f"about {duration(plan.seconds)} of play{' for all cores together' if shared else ''}, as long as bots thought in the newest games there are"
    elif plan.games is None:
        took = "a rule in [stop] ends it, so how long it takes cannot be said"
    else:
        took = "how long it takes can be said once there are games of each variant"
    return f"{took}\nsigma: to be expected of a bot with an average number of games, by rule of thumb (arena simulate tells more)"
