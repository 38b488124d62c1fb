"""When a tournament has told enough: a budget is used up, or the ranking is sure enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from arena.schedules.blocks import Progress
from arena.schedules.strengths import strengths
from leaderboards.inference import expected_tau, first_and_top, posterior
from protocol.vocabulary import BotId

ENOUGH = 20
"""Games of each bot, before which nothing is said of the ranking: chance looks sure of itself at first."""


@dataclass(frozen=True, slots=True)
class Stop:
    """The rules of a tournament; one that is 0 is not in force. They are looked at between two steps."""

    games: int = 0
    """A budget of games that count."""
    minutes: float = 0
    """A budget of time."""
    tau: float = 0
    """Kendall's tau that the ranking is expected to have with the true one."""
    first: float = 0
    """The chance that one bot is the best of all."""

    @property
    def rates(self) -> bool:
        """Whether it goes by results: by how sure the ranking is."""
        return bool(self.tau or self.first)

    def reached(self, progress: Progress, seconds: float, bots: Collection[BotId] = ()) -> str:
        """The rule that is fulfilled, in words; empty: none is.

        `seconds` were played so far. The ranking is that of `bots`; else of all that have played.
        Raises NotConverged.
        """
        if self.games and progress.games >= self.games:
            return f"{progress.games} games that count are played, of {self.games}"
        if self.minutes and seconds >= self.minutes * 60:
            return f"{seconds / 60:.0f} minutes are over, of {self.minutes:g}"
        return self._sure(progress, bots) if self.rates else ""

    def _sure(self, progress: Progress, bots: Collection[BotId]) -> str:
        played = Counter(bot for result in progress.results for bot in {seat.bot for seat in result.seats})
        bots = bots or played.keys()
        if any(played[bot] < ENOUGH for bot in bots) or (found := strengths(progress, bots)) is None:
            return ""
        if found.deals < 2:  # its luck may be all that there is to see
            return ""
        known = posterior(found)
        if self.tau and (tau := expected_tau(known)) >= self.tau:
            return f"Kendall's tau to the true order is expected to be {_words(tau)}"
        chances = first_and_top(known, seed=0).first
        best = int(chances.argmax())
        if self.first and chances[best] >= self.first:
            return f"P(first) of {known.bots[best].name} is {_words(chances[best])}"
        return ""


def _words(share: float) -> str:
    """Never that something is certain.

    >>> _words(0.987), _words(0.9999)
    ('0.99', 'above 0.99')
    """
    return f"{share:.2f}" if share <= 0.99 else "above 0.99"
