"""Is a new version better? Two bots play rounds until a sequential test knows: see `arena.schedules.comparison`.

A comparison is a tournament with a schedule of its own. Its name follows from what settles it, so whoever asks the
same again goes on with it, and it is read, verified and exported as any other.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from arena.bundles import look_at
from arena.config import Tournament, is_path, parse
from arena.errors import InputError
from arena.home import Home
from arena.planning import course_of
from arena.reading import FaultCount, opened
from arena.schedules.blocks import Progress, teams_of
from arena.schedules.comparison import Rounds, points
from leaderboards.sprt import Sprt, elo, score
from protocol.result import GameResult
from protocol.vocabulary import BotId, Verdict
from referee.games import game_of

MAX_GAMES = 20_000


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: is bot `a` better than bot `b`?"""

    a: str
    b: str
    variants: tuple[str, ...] = ("claim",)
    """Ids, aliases or patterns; each variant counts for as much as another."""
    opponents: tuple[str, ...] = ()
    """Fill up tables of three and four sides; where there are more of them than places, they take turns."""
    test: Sprt = Sprt()  # noqa: RUF009
    max_games: int = MAX_GAMES
    seed: str | None = None
    concurrency: int = 0


@dataclass(frozen=True, slots=True)
class Comparing:
    """A question whose bots are known in their exact versions."""

    tournament: Tournament
    """That plays it."""
    bots: tuple[BotId, ...]
    """The two, then the opponents."""
    test: Sprt

    @property
    def rounds(self) -> Rounds:
        """Of its games."""
        course = course_of(self.tournament, "", self.bots)
        return Rounds(self.bots[0], self.bots[1], course.field)


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a comparison is. Figures are None where there are too few rounds to say."""

    rounds: int
    """That count: of every variant, with no game void."""
    games: int
    """Of these rounds."""
    ratio: float
    """The log-likelihood ratio; between the bounds of the test nothing is decided."""
    score: float | None
    """Mean score of the rounds, a win being 1 and a tie ½; each variant counts alike. This and all that follows is as
    if the number of rounds had been fixed beforehand: a test that stops because of its score has one that is a
    little too far from even."""
    low: float | None
    high: float | None
    """The 95 % interval of `score`; none for fewer than four rounds, or where all are alike."""
    los: float | None
    """Likelihood of superiority: 1 less the one-sided p-value of a score of ½; null as the interval."""
    elo: float | None
    """The lead in Elo that has this score; null for 0 and 1."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The games of one variant, from the first bot's side."""

    variant: str
    wins: int
    """Games in which it came before the second bot, whoever else was there."""
    draws: int
    losses: int


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison as far as it is."""

    tournament: str
    """Its name in the ledger."""
    seed: str
    a: BotId
    b: BotId
    opponents: tuple[BotId, ...]
    better: bool | None
    """Whether `a` is better than `b`; None: that is not decided."""
    s0: float
    """The score of which at most is "not better"."""
    s1: float
    """The score of which at least is "better"."""
    alpha: float
    beta: float
    lower: float
    upper: float
    """Bounds of the ratio."""
    standing: Standing
    tallies: tuple[Tally, ...]
    faults: tuple[FaultCount, ...]
    """Sorted by bot and kind."""
    head: str
    """Of the chain over all games that are kept: 64 hex digits, or nothing where there is none."""


def settle(question: Question, home: Home) -> Comparing:
    """The tournament that answers a question; nothing is taken in or begun yet.

    Raises InputError: no such bot, two bots that are one, a test that is none, too few opponents or games; and
    VariantError.
    """
    _check_test(question.test)
    for pattern in question.variants:
        game_of(pattern).matching(pattern)
    references = (question.a, question.b, *question.opponents)
    with opened(home) as ledger:
        bots = tuple(look_at(home, ledger, reference).id for reference in references)
    if bots[0].digest == bots[1].digest:
        fix = "name the other version as name@digest; arena bot show NAME lists them"
        raise InputError(f"{question.a} and {question.b} are the same bot: {bots[0]}", fix, "E244")
    tournament = parse(_as_table(question, bots), "arena compare")
    _check_opponents(tournament, bots[2:])
    comparing = Comparing(tournament, bots, question.test)
    _check_games(question, comparing)
    return comparing


def _as_table(question: Question, bots: tuple[BotId, ...]) -> dict[str, object]:
    references = (question.a, question.b, *question.opponents)
    exact = [f"{bot.name}@{bot.digest}" for bot in bots]
    test = {key: getattr(question.test, key) for key in ("s0", "s1", "alpha", "beta")}
    settled = [exact, question.variants, test, question.seed]
    return {
        "name": "compare-" + sha256(json.dumps(settled).encode()).hexdigest()[:12],
        "bots": [str(Path(bot).absolute()) if is_path(bot) else bot for bot in references],
        "variants": list(question.variants),
        "seed": question.seed,
        "seatings": "all",
        "concurrency": question.concurrency,
        "schedule": {"kind": "compare", "bots": exact[:2], **test},
        "stop": {"games": question.max_games},
    }


def _check_test(test: Sprt) -> None:
    if not 0 < test.s0 < test.s1 < 1:
        raise InputError(
            f"the scores to tell apart are {test.s0:g} and {test.s1:g}",
            "both lie between 0 and 1, the first below the second: --s0 0.50 --s1 0.55",
            "E246",
        )
    if not (0 < test.alpha < 0.5 and 0 < test.beta < 0.5):
        raise InputError(
            f"the test may be wrong in {test.alpha:g} and {test.beta:g} of cases",
            "both lie between 0 and 0.5: --alpha 0.05 --beta 0.05",
            "E246",
        )


def _check_opponents(tournament: Tournament, opponents: tuple[BotId, ...]) -> None:
    sides = {variant: len(set(teams_of(variant))) for variant in tournament.variant_ids}
    variant = max(sides, key=lambda variant: sides[variant])
    if sides[variant] > 2 + len(opponents):
        fill = ",".join(("greedy", "random")[: sides[variant] - 2])
        text = f"{variant} has {sides[variant]} sides, and there are {2 + len(opponents)} bots"
        raise InputError(text, f"name others to fill the table: --opponents {fill}", "E245")
    if opponents and sides[variant] == 2:
        text = f"--opponents: nobody but the two sits in {', '.join(tournament.variants)}"
        raise InputError(text, "leave the option out, or add a variant of three or four sides", "E245")


def _check_games(question: Question, comparing: Comparing) -> None:
    games = comparing.rounds.games
    if question.max_games < games:
        raise InputError(
            f"one round has {games} games: each variant, in every seating",
            f"--max-games {games} at least, or fewer variants",
            "E246",
        )


def standing(comparing: Comparing, rounds: Rounds, progress: Progress) -> Standing:
    """What the rounds that are over say."""
    counts = rounds.counts(progress)
    ratio, found = float(comparing.test.ratio(counts)), score(counts)
    if found is None:
        return Standing(0, 0, ratio, None, None, None, None, None)
    low, high = found.interval or (None, None)
    return Standing(
        found.rounds, found.rounds * rounds.games, ratio, found.mean, low, high, found.los, elo(found.mean)
    )


def outcome(comparing: Comparing, home: Home) -> Compared:
    """How far a comparison in the ledger is. Raises ArenaError."""
    test, (a, b, *opponents) = comparing.test, comparing.bots
    with opened(home) as ledger:
        begun = ledger.tournament(comparing.tournament.name)
        results, head = ledger.results(begun.name), ledger.head(begun.name)
        faults = sorted(ledger.faults(begun.name).items())
    course = course_of(comparing.tournament, begun.seed, comparing.bots)
    course.take(results)
    now = standing(comparing, comparing.rounds, course.progress)
    return Compared(
        begun.name, begun.seed, a, b, tuple(opponents), test.better(now.ratio), test.s0, test.s1, test.alpha,
        test.beta, test.lower, test.upper, now, tallies(comparing, results),
        tuple(FaultCount(bot, kind, seats) for (bot, kind), seats in faults), head,
    )  # fmt: skip


def tallies(comparing: Comparing, results: Iterable[GameResult]) -> tuple[Tally, ...]:
    """Wins, draws and losses of the first bot in all games that are not void, by variant."""
    found: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for result in results:
        if result.verdict is not Verdict.VOID:
            found[result.variant][points(result, *comparing.bots[:2])] += 1
    return tuple(Tally(variant, *(found[variant][n] for n in (2, 1, 0))) for variant in sorted(found))
