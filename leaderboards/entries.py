"""What the JSON document of a leaderboard is made of: a dataclass for each object, a line for each key.

The published schema is read off these. Numbers are rounded to 1e-4, but those of the settings; null is what is
not known, does not apply, or was not asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar


class Documented:
    """Its schema has what stands below each field."""

    __slots__ = ()
    __pydantic_config__: ClassVar[dict[str, Any]] = {"use_attribute_docstrings": True}


@dataclass(frozen=True, slots=True)
class BotEntry(Documented):
    """A bot in one exact version."""

    name: str
    digest: str
    """Of its files, in hex; empty where it has none."""


@dataclass(frozen=True, slots=True)
class RowEntry(Documented):
    """One bot in one table."""

    rank: int | None
    """In its group: 1 is best, ties share the better place; null without a rating."""
    rank_low: int | None
    """The best place that it may have, 95 % sure;"""
    rank_high: int | None
    """and the worst one."""
    group: int | None
    """Bots that met, directly or through others, have one number; ratings compare only inside a group."""
    bot: BotEntry
    mu: float | None
    """The rating: TrueSkill's mean, of all games at once."""
    sigma: float | None
    """TrueSkill's standard deviation."""
    interval_low: float | None
    """mu less 1.96 standard deviations of its difference to the middle of its group, or to the anchor;"""
    interval_high: float | None
    """and mu with as much more: a 95 % interval, in which games on one deal count as one observation."""
    exposure: float | None
    """mu − 3 sigma."""
    first: float | None
    """Probability that it is the strongest of its group."""
    top3: float | None
    """Probability that it is one of the strongest three of its group."""
    letters: str
    """Bots of a group without a letter in common are told apart (Holm over all pairs, 5 %)."""
    games: int
    wins: int
    """First places alone (with its team)."""
    draws: int
    """First places that are shared."""
    losses: int
    win_share: float
    """First places of all games, a shared one divided by those that share it."""
    expected_share: float
    """The same for a bot as good as its opponents: 1/k of k sides."""
    fault_share: float
    """Games of all in which it made a fault."""
    faults: dict[str, int]
    """In how many games it made a fault, by kind."""
    provisional: bool
    """Fewer than 100 games, or a sigma above 0.8."""
    missing: list[str]
    """Labels of the variants that it has no rated game of: then it has no overall rating."""


@dataclass(frozen=True, slots=True)
class GroupEntry(Documented):
    """Bots that met, directly or through others."""

    bots: list[BotEntry]
    """Best first."""
    deals: int
    """That their order rests on; of several variants, the fewest."""
    tau: float
    """Kendall's tau that is to be expected between their order and the true one; 1 is the same order."""
    neighbours: float
    """Share of the bots next to each other that are told apart."""


@dataclass(frozen=True, slots=True)
class MatrixEntry(Documented):
    """Who does how well against whom; a row a bot, in the order of `bots`."""

    bots: list[BotEntry]
    """Best first."""
    games: list[list[int]]
    """How often the two met; where more than two sides play, every two of them did."""
    wins: list[list[float]]
    """How often the bot of the row came in ahead; a tie is a half."""
    expected: list[list[float]]
    """The share of wins that the strengths promise."""
    z: list[list[float]]
    """Wins above the expected ones, in standard deviations."""


@dataclass(frozen=True, slots=True)
class SurpriseEntry(Documented):
    """Two bots that play otherwise against each other than their strengths say."""

    bot: BotEntry
    """Who does better."""
    against: BotEntry
    share: float
    """Of the wins, for `bot`."""
    expected: float
    z: float


@dataclass(frozen=True, slots=True)
class NashEntry(Documented):
    """A bot in the mixture of bots that no bot beats."""

    bot: BotEntry
    weight: float
    """How much of the mixture it is."""
    included: float
    """In which share of the resamples of the deals it is in the mixture at all."""


@dataclass(frozen=True, slots=True)
class FitEntry(Documented):
    """Whether one strength a bot explains what each does against each."""

    says: str
    """That in words."""
    chi2: float | None
    """Squared residuals of the pairs, in units of their variance; null where nothing can be tested."""
    dof: int
    """Degrees of freedom: pairs less what the strengths took."""
    p: float | None
    """How likely a misfit as large is, were the strengths all there is."""
    dispersion: float | None
    """Variance of the scores of blocks, in parts of that of as many games on deals of their own; null where it is
    not measured."""
    fires: bool
    """p is below 0.01: look at who beats whom."""
    surprises: list[SurpriseEntry]
    """The largest differences, largest first."""
    nash: list[NashEntry] | None
    """The mixture of bots that no bot beats, where the test fires."""


@dataclass(frozen=True, slots=True)
class SeatEntry(Documented):
    """What a seat, or the seats of a team, is worth."""

    seat: int
    """Its number, or that of the team, from 0."""
    games: int
    share: float
    """Of the first places; a shared one is divided."""
    expected: float
    """Where seats do not matter: 1/k of k."""
    low: float | None
    """With `high` a 95 % interval, clustered by deal; null where there are too few deals."""
    high: float | None
    equals: float | None
    """Of the first of two seats: its share between bots of one strength;"""
    equals_low: float | None
    """with a 95 % interval."""
    equals_high: float | None


@dataclass(frozen=True, slots=True)
class LuckEntry(Documented):
    """What the variance of a game's score is made of, and how many blocks it takes to tell bots apart."""

    blocks: int
    """That it rests on; with fewer than 30 nothing else is told."""
    deals: int
    skill: float | None
    """Share of the variance that is who plays whom. It, seat, deal and rest make 1."""
    seat: float | None
    """The share of the seat."""
    deal: float | None
    """The share of the deal: the luck that mirroring cancels."""
    rest: float | None
    """Luck that is not in the deal, and how the bots happened to play."""
    correlation: float | None
    """Of the scores of one side in two games of a block."""
    saving: float | None
    """How many games on deals of their own say as much as one of a block."""
    blocks_55: int | None
    """Blocks to tell two bots apart of which one gets 55 % of the first places (two-sided 5 %, power 80 %)."""
    blocks_60: int | None
    """The same for 60 %."""
    blocks_70: int | None
    """The same for 70 %."""
    notes: list[str]
    """What is missing, rough, or was cut at 0."""


@dataclass(frozen=True, slots=True)
class VariantEntry(Documented):
    """The table of one variant, and what was asked for about it."""

    label: str
    """The variant, with the rules where there are several, and marked where partners are rated beside copies."""
    game: str
    variant: str
    rules: str
    partners: bool
    """Different bots share a team, and are rated each."""
    weight: float
    """Its share of the overall rating."""
    games: int
    """That are rated."""
    draw_probability: float
    """Share of ties among adjacent places."""
    draw_margin: float
    """That follows for a game of two, in units of mu."""
    groups: list[GroupEntry]
    rows: list[RowEntry]
    """Best first, one group after the other."""
    matrix: MatrixEntry | None
    fit: FitEntry | None
    seats: list[SeatEntry] | None
    luck: LuckEntry | None


@dataclass(frozen=True, slots=True)
class SettingsEntry(Documented):
    """All that the numbers depend on besides the games."""

    anchor: list[str | float] | None
    """A bot and the mu that it has, with which all others are shifted."""
    without_forfeits: bool
    """Blocks in which a bot made a fault are left out."""
    method: str
    mu: float
    """The middle of a field without an anchor, and the mean of a skill before any game."""
    sigma: float
    """The standard deviation of a skill before any game."""
    beta: float
    """The standard deviation of a performance around its skill."""
    tau: float
    """Drift of a skill from game to game."""
    draw_floor: float
    """The least share of ties that is taken for possible."""
    tolerance: float
    """The ratings have settled when none moves by more."""
    weights: str
    """Of the variants in the overall rating."""
    draws: int
    """Of the fields of strengths that `first` and `top3` are counted in."""
    seed: int
    """Of these draws."""


@dataclass(frozen=True, slots=True)
class LeaderboardEntry(Documented):
    """`arena leaderboard`, `arena ratings`."""

    digest: str
    """SHA-256 of the next two, in hex, a line each: equal for equal ratings."""
    settings_digest: str
    """SHA-256 of the settings as JSON with sorted keys."""
    games_digest: str
    """SHA-256 of the rated games, sorted, a line of JSON each: id, game, variant, rules, deal, block, verdict, and
    of each team, sorted, its seats: rank, name, digest, score, fault."""
    settings: SettingsEntry
    games: int
    """That are rated."""
    blocks: int
    """Whole blocks."""
    incomplete_blocks: int
    incomplete_games: int
    """Left out because their block lacks others."""
    void: int
    """Games that have no result yet but a void or an aborted one."""
    unratable: int
    """Games in which a bot met itself, or sides that are not on one scale."""
    faulty_blocks: int
    faulty_games: int
    """Left out because a bot made a fault in their block."""
    isolation: str
    """What kept the bots apart."""
    notes: list[str]
    """Suspended bots, for example."""
    unrated: list[str]
    """Labels of variants of which nobody has a rated game: the overall table is without them."""
    idle: list[BotEntry]
    """Bots that there are results of, but no rated game: they are in no table."""
    groups: list[GroupEntry]
    """Of several bots, in the overall table; not there where it rests on one deal, which says nothing of how sure it is."""
    rows: list[RowEntry]
    """The overall table: best first, one group after the other, at the end bots that a variant is missing of."""
    variants: list[VariantEntry]
