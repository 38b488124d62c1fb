"""Tournaments played in memory by bots of known strength: how a game ends follows from its id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from random import Random

from arena.schedules import Schedule
from arena.schedules.blocks import Block, Field, Plan, Progress, pairings_of, teams_of
from protocol.result import GameResult, SeatResult
from protocol.vocabulary import BotId, Verdict

TWO, THREE, FOUR = "claim/2p/GK-UWX", "claim/3p/GK-UWXTD", "aristoocrazy/4p/classic"
TEAMS = "claim/4p/GK-UWXTD"


def field_of(count: int, *variants: str, seed: str = "s", deals: int = 1, partners: str = "same") -> Field:
    """Bots whose names say where they stand in the file: 0, 1, …"""
    bots = tuple(BotId(f"b{n}", f"{n:064x}") for n in range(count))
    return Field(Plan("cup", seed, variants, deals, partners=partners), bots)


def falling(field: Field, gap: float = 100.0) -> dict[BotId, float]:
    """Each bot so much stronger than the next; without chance by default."""
    return {bot: -gap * place for place, bot in enumerate(field.bots)}


def played(field: Field, blocks: Iterable[Block], strength: Mapping[BotId, float]) -> Iterator[GameResult]:
    """The games of these blocks; performances have a standard deviation of 1."""
    for pairing in pairings_of(field.plan, blocks):
        teams = teams_of(pairing.variant)
        for game in pairing.games:
            luck = Random(game.id)
            score = {team: luck.gauss() for team in sorted(set(teams))}
            for team, bot in zip(teams, pairing.seating, strict=True):
                score[team] += strength[bot]
            order = sorted(score.values(), reverse=True)
            seats = tuple(
                SeatResult(bot, team, order.index(score[team]), 0)
                for team, bot in zip(teams, pairing.seating, strict=True)
            )
            name = pairing.variant.split("/")[0]
            yield GameResult(
                game.id, name, pairing.variant, "1", game.deal, game.block, game.block_size, seats,
                Verdict.FINISHED,
            )  # fmt: skip


def progress_of(results: Iterable[GameResult]) -> Progress:
    progress = Progress()
    progress.take(results)
    return progress


def run(
    schedule: Schedule,
    field: Field,
    strength: Mapping[BotId, float],
    *,
    steps: int = 1000,
    progress: Progress | None = None,
) -> tuple[Progress, list[list[Block]]]:
    """Play step after step; a block that is asked for twice fails."""
    progress = progress or Progress()
    every: list[list[Block]] = []
    while len(every) < steps and (blocks := list(schedule.step(field, progress))):
        assert len(set(blocks)) == len(blocks) and not any(block in progress for block in blocks)
        progress.take(played(field, blocks, strength))
        every.append(blocks)
    return progress, every
