"""Games that nobody plays, since suspended bots have lost them before they begin: no program is started."""

from __future__ import annotations

from collections.abc import Iterator

from protocol.messages import Ready
from protocol.vocabulary import Seat
from referee import score
from referee.driving import drive
from referee.faults import Misstep, plays_on
from referee.games import game_of
from referee.jobs import GameDone, Job
from referee.match import Ask, Reply


class Absent:
    """In a seat whose bot is not started: suspended, or one of those whom that makes the winners."""

    wants_events = False

    def __init__(self, misstep: Misstep | None) -> None:
        self._misstep = misstep

    def reply(self, ask: Ask) -> Reply:
        """What the bot is suspended for; of another bot that it has heard."""
        ready = Ready(type="ready", game_id=ask.message["game_id"])
        return Reply(self._misstep or ready, 0.0)


def is_lost(job: Job) -> bool:
    """Whether no game of a job is to be played."""
    away = {Seat(seat) for seat, launch in enumerate(job.seating) if launch.suspended}
    return not plays_on(game_of(job.variant).variant(job.variant).teams, away)


def forfeits(job: Job) -> Iterator[GameDone]:
    """The games of a job that is lost."""
    players = [Absent(launch.suspended) for launch in job.seating]
    for planned in job.games:
        yield score.finished(job, planned, drive(score.spec_of(job, planned), players))
