"""Games played twice, on different workers: do bots that say they are deterministic do the same?

A share of the games is held back until another worker has played them, too. Where both agree bit for bit in all that
was done (the `play` of their records; times are no part of it), the first is kept. Where they do not, and a fault on
one side alone is a difference, a third decides, of another machine than both where they are of two: what two have found
is kept, and the odd one has a strike, which is taken back where the same bot makes another worker the odd one: then the
bot is not what it says. Where all differ nobody lied but a bot: the one that first answered differently to the same
questions. Where there is no third it was that bot, or one of the two. Either way its games are not audited any more, and
the game is played again and counts as that of any other bot. What a worker that is refused has played in open trials is
forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Any

from arena.executors.orders import Came
from arena.executors.units import without
from protocol.codec import read_strictly
from protocol.record import unpack
from protocol.vocabulary import BotId, GameId, Verdict
from referee.jobs import GameDone, Job

_LOG = re.compile(r"([^/\0]+-\d+)(?:\.\d+)?\.log")
TOLD = 5
"""Games that are told of one by one."""


class Play:
    """What a worker made of some games."""

    def __init__(self, worker: str, host: str, came: Came) -> None:
        self.worker, self.host, self.came = worker, host, came

    @cached_property
    def games(self) -> dict[GameId, GameDone]:
        """Those that were played to their end, whatever that was: what is void is nobody's doing."""
        return {done.planned.id: done for done in self.came.games if done.result.verdict is not Verdict.VOID}

    @cached_property
    def logs(self) -> dict[str, list[str]]:
        """Names of logs of what bots printed in them, by job and seat: `JOB-0` has `JOB-0.log`, `JOB-0.2.log` and so on."""
        found: dict[str, list[str]] = {}
        for told in filter(None, map(_LOG.fullmatch, self.came.logs)):
            found.setdefault(told[1], []).append(told[0])
        return found


@dataclass(frozen=True, slots=True)
class Finding:
    """A game on which workers do not agree."""

    game: GameId
    plays: tuple[tuple[str, str], ...]
    """Each worker with the digest of what was done there."""
    bot: BotId
    """Who first did something else."""
    action: int
    """Which one of the game that was, from 1."""

    @property
    def in_doubt(self) -> bool:
        """Whether it may be one of two workers as well."""
        return len(self.plays) < 3

    def __str__(self) -> str:
        doubt = ", or one of the two workers is broken" if self.in_doubt else ""
        said = ", ".join(f"{digest[:12]} on {worker}" for worker, digest in self.plays)
        return (
            f"game {self.game[:12]} was played differently: {said}; {self.bot.name}, which says that it is "
            f"deterministic, first answered differently at action {self.action}{doubt}"
        )


@dataclass(slots=True)
class Settled:
    """What is to be done after a play of a trial."""

    keep: list[tuple[Play, GameDone]] = field(default_factory=list)
    again: list[Job] = field(default_factory=list)
    """To be played again, without being audited."""
    odd: set[tuple[str, BotId]] = field(default_factory=set)
    """Workers that two others contradict, each with the bot that first did something else there."""
    findings: list[Finding] = field(default_factory=list)
    undecided: list[Finding] = field(default_factory=list)
    """Those of which no two agree."""
    alone: int = 0
    """Games that nobody else has played to their end, so that there was nothing to compare."""


@dataclass(slots=True)
class Trial:
    """Games that are played more than once. Nothing of them is kept meanwhile."""

    jobs: tuple[Job, ...]
    """What the next worker is to play."""
    plays: list[Play]

    @property
    def workers(self) -> set[str]:
        """Who has played them,"""
        return {play.worker for play in self.plays}

    @property
    def hosts(self) -> set[str]:
        """and on which machines."""
        return {play.host for play in self.plays}

    def forget(self, worker: str) -> None:
        """What it has played proves nothing."""
        self.plays = [play for play in self.plays if play.worker != worker]

    def take(self, play: Play) -> Settled:
        """Another worker's play. Where something is in `jobs` then, another is needed."""
        self.plays.append(play)
        return (self._first, self._second, self._third)[len(self.plays) - 1]()

    @property
    def _open(self) -> set[GameId]:
        return {game.id for job in self.jobs for game in job.games}

    def _first(self) -> Settled:
        """Those before were forgotten: what is not in this one is played as any other game."""
        lacking = self._open - self.plays[0].games.keys()
        settled = Settled(again=list(without(self.jobs, self._open - lacking)), alone=len(lacking))
        self.jobs = without(self.jobs, lacking)
        return settled

    def _second(self) -> Settled:
        first, second = self.plays
        over = self._open - set(self._disputed())
        kept = [(first, done) for id, done in first.games.items() if id in over]
        self.jobs = without(self.jobs, over)
        return Settled(kept, alone=len(over - second.games.keys()))

    def _third(self) -> Settled:
        *before, last = self.plays
        settled = Settled()
        for job in self.jobs:
            for game in job.games:
                found = last.games.get(game.id)
                same = [play for play in before if found and _digest(play.games[game.id]) == _digest(found)]
                if same:
                    settled.keep.append((same[0], same[0].games[game.id]))
                    bot = self._finding(game.id).bot
                    settled.odd |= {(play.worker, bot) for play in before if play is not same[0]}
        self._give_up(settled)
        return settled

    def undecided(self) -> Settled:
        """What is to be done where there is nobody (else) to ask."""
        settled = Settled()
        if len(self.plays) > 1:
            self._give_up(settled)
            return settled
        here, there = self._open, [(play, done) for play in self.plays for done in play.games.values()]
        settled.keep = [(play, done) for play, done in there if done.planned.id in here]
        settled.again = list(without(self.jobs, {done.planned.id for _, done in settled.keep}))
        self.jobs, settled.alone = (), len(here)
        return settled

    def _give_up(self, settled: Settled) -> None:
        """Whatever is not kept of it is played again, and counts."""
        left = without(self.jobs, {done.planned.id for _, done in settled.keep})
        settled.findings = [self._finding(game.id) for job in self.jobs for game in job.games]
        again = {game.id for job in left for game in job.games}
        settled.undecided = [one for one in settled.findings if one.game in again]
        settled.again, self.jobs = list(left), ()

    def _disputed(self) -> Iterator[GameId]:
        first, second = self.plays[:2]
        for id, done in first.games.items():
            other = second.games.get(id)
            if other and _digest(other) != _digest(done):
                yield id

    def _finding(self, game: GameId) -> Finding:
        there = [play for play in self.plays if game in play.games]
        one, other = (_play(play.games[game])["actions"] for play in there[:2])
        differ = (n for n, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1])
        at, longer = next(differ, min(len(one), len(other))), max(one, other, key=len)
        seats = [seat for play in there for seat in play.games[game].result.seats]
        failed = next((seat for seat in seats if seat.fault), seats[0])
        bot = seats[longer[at][0]].bot if at < len(longer) else failed.bot
        plays = tuple((play.worker, _digest(play.games[game])) for play in there)
        return Finding(game, plays, bot, at + 1)


class Audit:
    """Which games are played twice."""

    def __init__(self, share: float, deterministic: Iterable[BotId]) -> None:
        self._share, self._trusted = share, set(deterministic)
        self._odd: dict[BotId, set[str]] = {}
        """Workers that were contradicted about a bot's play."""
        self.sampled = self.alone = self.disputed = self.again = 0
        """Games: that were held back; of those, that could not be compared; on which two workers did not agree; of
        those, that no third decided."""
        self.liars: list[str] = []

    def trial(self, jobs: Iterable[Job], play: Play) -> Trial | None:
        """What of a unit that came is held back until it was played once more; the same for everybody who asks."""
        jobs = tuple(jobs)
        first = jobs[0].games[0].id
        if int(sha256(first.encode()).hexdigest()[:8], 16) >= self._share * 2**32:
            return None
        here = [
            job for job in jobs if all(one.bot in self._trusted and not one.suspended for one in job.seating)
        ]
        ids = {game.id for job in here for game in job.games}
        asked = without(here, ids - {id for id, done in play.games.items() if not _is_faulty(done)})
        if not asked:
            return None
        audited = {game.id for job in asked for game in job.games}
        self.sampled += len(audited)
        came = replace(play.came, games=tuple(done for id, done in play.games.items() if id in audited))
        return Trial(
            tuple(replace(job, id=f"{job.id}b") for job in asked), [Play(play.worker, play.host, came)]
        )

    def note(self, settled: Settled) -> Iterator[str]:
        """Take in what a trial has come to; what is to be told of it. No other game of a liar is audited."""
        self.alone += settled.alone
        self.again += len(settled.undecided)
        for finding in settled.findings:
            self.disputed += 1
            if self.disputed <= TOLD:
                yield str(finding)
        for worker, bot in sorted(settled.odd):
            self._odd.setdefault(bot, set()).add(worker)
            if len(self._odd[bot]) > 1 and self._disbelieve(bot):
                yield f"{bot.name} is not deterministic: of what it does now one worker is the odd one, and now another"
        for finding in sorted(settled.undecided, key=lambda one: one.in_doubt):
            doubt = ", or a worker is broken, and no third can tell" if finding.in_doubt else ""
            if self._disbelieve(finding.bot, " (or a worker)" if doubt else ""):
                yield f"{finding.bot.name} is not deterministic{doubt}: what is disputed is played again, and then counts"

    def _disbelieve(self, bot: BotId, doubt: str = "") -> bool:
        """Believe a bot no more; whether it was believed."""
        if bot not in self._trusted:
            return False
        self._trusted.discard(bot)
        self.liars.append(f"{bot.name}{doubt}")
        return True

    def believes(self, bot: BotId) -> bool:
        """Whether it is, for all that is known, deterministic as it says."""
        return bot in self._trusted

    def __str__(self) -> str:
        found = f"; not deterministic: {', '.join(self.liars)}" if self.liars else ""
        again = f", {self.again} of those once more" if self.again else ""
        alone = f"; {self.alone} could not be, as no other worker played them" if self.alone else ""
        twice = self.sampled - self.alone
        return f"{twice} games played twice, {self.disputed} of them differently{again}{alone}{found}"


def _is_faulty(done: GameDone) -> bool:
    """Whether a bot had a fault in it, which may be so by chance and counts in any case."""
    return any(seat.fault for seat in done.result.seats)


def _play(done: GameDone) -> dict[str, Any]:
    play: dict[str, Any] = read_strictly(unpack(done.record))["play"]
    return play


def _digest(done: GameDone) -> str:
    """Of all that was dealt and done in a game; see `protocol.record.seal`."""
    return str(read_strictly(unpack(done.record))["play_hash"])
