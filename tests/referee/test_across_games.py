"""Non-interference across the games of a tournament: what a process receives is the same bytes whatever
was dealt in games that it did not play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from arena.schedules.blocks import Pairing, Plan
from protocol.vocabulary import Seat
from referee.clocks import Limits
from referee.games import game_of
from referee.jobs import Job, Launch, PlannedGame
from referee.match import MatchSpec
from referee.score import spec_of
from tests.arena.made import round_robin
from tests.referee.driving import bot_ids, drive, random_player

VARIANTS = ("claim/2p/GK-UWX", "claim/2p/NA-TDS", "claim/3p/GK-UWXTD", "claim/4p/NA-UWXTS")
PLAN = Plan("cup", "secret", VARIANTS, 3)
Process = tuple[int, Seat]
"""A pairing of the schedule, and the seat in it."""


def job(pairing: Pairing) -> Job:
    seating = tuple(Launch(bot, ("bot",), ".") for bot in pairing.seating)
    limits = Limits(timedelta(seconds=1), timedelta(seconds=1))
    return Job("job", pairing.variant, seating, pairing.games, limits, PLAN.seed, "logs")


def received(schedule: list[Pairing]) -> dict[Process, list[bytes]]:
    """All that each process of a tournament is sent; every bot plays by its `bot_seed` as it came."""
    result: dict[Process, list[bytes]] = {}
    for number, pairing in enumerate(schedule):
        for planned in pairing.games:
            spec = spec_of(job(pairing), planned)
            players = [random_player(seat) for seat in range(len(pairing.seating))]
            for seat, messages in enumerate(drive(spec, players)[1]):
                result.setdefault((number, Seat(seat)), []).extend(messages)
    return result


def other_deals(schedule: list[Pairing], spared: Pairing) -> Iterator[Pairing]:
    """The same tournament where everything was dealt otherwise, but for what `spared` plays."""
    same = {game.deal for game in spared.games}
    for pairing in schedule:
        yield replace(
            pairing, games=tuple(g if g.deal in same else redealt(pairing, g) for g in pairing.games)
        )


def redealt(pairing: Pairing, planned: PlannedGame) -> PlannedGame:
    game = game_of(pairing.variant)
    cards = game.literal(game.variant(pairing.variant), planned.seed)
    random.Random(planned.id).shuffle(cards)
    return replace(planned, seed="", literal=tuple(cards))


def differences() -> Iterator[Process]:
    """Processes that could tell what was dealt in games that they did not play."""
    schedule = list(round_robin(PLAN, bot_ids(4)))
    before = received(schedule)
    for number in range(0, len(schedule), 7):
        after = received(list(other_deals(schedule, schedule[number])))
        yield from (p for p in before if p[0] == number and before[p] != after[p])


def test_no_process_can_tell_what_was_dealt_in_games_that_it_did_not_play() -> None:
    assert list(differences()) == []


@pytest.mark.parametrize("where", ["wire", "nonce", "bot 0"])
def test_a_planted_leak_of_the_game_before_is_found(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real, dealt = MatchSpec.derive, ["", ""]

    def leaking(spec: MatchSpec, what: str) -> str:
        if what == "wire":  # the first that a game derives
            dealt.append(spec.seed or " ".join(spec.literal))
        return real(spec, what + dealt[-2] if what == where else what)

    monkeypatch.setattr(MatchSpec, "derive", leaking)
    assert any(True for _ in differences())
