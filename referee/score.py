"""From a game that is over to what is kept of it: the result to rate and the record to replay."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from platform import python_version
from typing import Any

from protocol.record import LogPart, pack, seal
from protocol.result import GameResult, SeatResult
from protocol.vocabulary import Seat, Verdict, VoidReason
from referee.clocks import floor_ms
from referee.games import game_of
from referee.jobs import GameDone, Job, PlannedGame
from referee.match import MatchSpec, Played


@cache
def versions() -> dict[str, str]:
    """What ran the game."""
    return {"kingmaker": version("kingmaker"), "python": python_version()}


def spec_of(job: Job, planned: PlannedGame) -> MatchSpec:
    """A planned game as a match."""
    game = game_of(job.variant)
    bots = tuple(launch.bot for launch in job.seating)
    return MatchSpec(
        planned.id, game, game.variant(job.variant), bots, job.limits, job.secret, planned.seed,
        planned.literal, job.show_names,
    )  # fmt: skip


def finished(
    job: Job,
    planned: PlannedGame,
    played: Played,
    lag: float | None = None,
    logs: Mapping[Seat, LogPart] = {},
) -> GameDone:
    """A game that came to a verdict of its own; `lag`: the worst of its moves, in seconds (None: not known)."""
    spec = spec_of(job, planned)
    outcome, teams = played.outcome, spec.variant.teams
    kinds = {fault.seat: fault.kind for fault in reversed(played.faults)}
    seats = tuple(
        SeatResult(bot, teams[i], outcome.ranks[i], outcome.scores[i], kinds.get(i))  # type: ignore[call-overload]
        for i, bot in enumerate(spec.bots)
    )
    play = _settled(spec, planned) | {
        "actions": [[action.seat, action.text] for action in played.actions],
        "verdict": played.verdict,
        "void": None,
        "ranks": list(outcome.ranks),
        "scores": list(outcome.scores),
        "faults": [
            {"seat": f.seat, "kind": f.kind, "reason": f.reason, "turn": f.turn, "at": at}
            for f, at in zip(played.faults, played.faults_at, strict=True)
        ],
    }
    account = _account(job, spec, planned) | {
        "ms": [action.ms for action in played.actions],
        "cpu_ms": [action.cpu_ms for action in played.actions],
        "lag_ms": None if lag is None else floor_ms(lag),
        "oversubscribed": job.oversubscribed,
        "notes": {str(i): action.note for i, action in enumerate(played.actions) if action.note},
        "evidence": {str(i): f.evidence for i, f in enumerate(played.faults) if f.evidence},
        "logs": {str(seat): part.model_dump() for seat, part in logs.items()},
    }
    record = pack(seal(play, account))
    return GameDone(
        planned, job.id, _result(spec, planned, seats, played.verdict), record, isolation=_kept_in(job)
    )


def void(job: Job, planned: PlannedGame, reason: VoidReason, trouble: str) -> GameDone:
    """A game that we spoilt."""
    spec = spec_of(job, planned)
    seats = tuple(SeatResult(bot, spec.variant.teams[i], 0, 0) for i, bot in enumerate(spec.bots))
    play = _settled(spec, planned) | {
        "actions": [], "verdict": Verdict.VOID, "void": reason, "ranks": [], "scores": [], "faults": [],
    }  # fmt: skip
    account = _account(job, spec, planned) | {"ms": [], "notes": {}, "evidence": {}, "trouble": trouble}
    record = pack(seal(play, account))
    result = _result(spec, planned, seats, Verdict.VOID)
    return GameDone(planned, job.id, result, record, trouble, _kept_in(job))


def _kept_in(job: Job) -> str:
    """What its bots were kept in, which is the same for all."""
    return str(job.seating[0].sandbox)


def _settled(spec: MatchSpec, planned: PlannedGame) -> dict[str, Any]:
    return {
        "id": spec.id, "game": spec.game.name, "variant": spec.variant.id,
        "rules": spec.game.rules_id(spec.variant), "deal": planned.deal, "seed": spec.seed,
        "cards": list(spec.literal), "nonce": spec.nonce, "commitment": spec.commitment,
        "block": planned.block, "block_size": planned.block_size,
        "seats": [
            {"bot": bot.name, "digest": bot.digest, "team": team}
            for bot, team in zip(spec.bots, spec.variant.teams, strict=True)
        ],
    }  # fmt: skip


def _account(job: Job, spec: MatchSpec, planned: PlannedGame) -> dict[str, Any]:
    box = job.seating[0].sandbox
    return {
        "isolation": box.mode, "layers": list(box.layers), "missing": list(box.missing), "attempt": planned.attempt, "limits": spec.limits.recorded(),
        "pondering": "on" if spec.limits.pondering else "off", "versions": versions(),
    }  # fmt: skip


def _result(
    spec: MatchSpec, planned: PlannedGame, seats: tuple[SeatResult, ...], verdict: Verdict
) -> GameResult:
    return GameResult(
        id=spec.id, game=spec.game.name, variant=spec.variant.id, rules=spec.game.rules_id(spec.variant),
        deal=planned.deal, block=planned.block, block_size=planned.block_size, seats=seats, verdict=verdict,
    )  # fmt: skip
