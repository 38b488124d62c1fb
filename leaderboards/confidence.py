"""How sure the places of a table are: for bots that met, and for them alone.

Everything here compares bots with each other, so it rests on the covariance of their strengths
(`estimates`), and not on the sigma of each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from leaderboards import inference
from leaderboards.estimates import Estimate
from leaderboards.normal import LEVEL
from leaderboards.settings import Settings
from protocol.vocabulary import BotId

FEW_DEALS = 2
"""With fewer nothing is said: how much luck games on one deal share is measured from deal to deal."""


@dataclass(frozen=True, slots=True)
class Confidence:
    """How sure a bot's place is."""

    interval: tuple[float, float]
    """95 %: of its mu against the middle of its group, or against the anchor."""
    ranks: tuple[int, int]
    """The places it may have, 95 %."""
    first: float
    """Probability that it is the best of its group."""
    top3: float
    """Probability that it is one of the best three."""
    letters: str
    """Bots without a letter in common are told apart (Holm over all pairs, 5 %)."""


@dataclass(frozen=True, slots=True)
class Group:
    """Bots that met, directly or through others: their order, and how sure it is."""

    bots: dict[BotId, Confidence]
    """Best first."""
    deals: int
    """That it rests on; of several variants, the fewest."""
    tau: float
    """Kendall's tau that is to be expected between this order and the true one."""
    neighbours: float
    """Share of the bots next to each other that are told apart."""


def confidence(
    estimate: Estimate, mus: Mapping[BotId, float], anchor: BotId | None, settings: Settings
) -> Group:
    """How sure the order by `mus` is, which has each bot of the estimate, best first.

    The estimate is of FEW_DEALS deals or more, and is wide enough for the normal distribution.
    """
    prior = inference.posterior(estimate)
    chances = inference.first_and_top(prior, settings.seed, settings.draws)
    ranks = inference.rank_ranges(estimate, settings.seed)
    apart = inference.separated(estimate)
    place = {bot: n for n, bot in enumerate(estimate.bots)}
    order = [place[bot] for bot in mus]
    spread = _spread(estimate, anchor)
    letters = inference.letters(order, apart)
    rows = {
        bot: Confidence(
            interval=(round(mu - LEVEL * spread[n], 4), round(mu + LEVEL * spread[n], 4)),
            ranks=ranks[n],
            first=round(float(chances.first[n]), 4),
            top3=round(float(chances.top3[n]), 4),
            letters=letter,
        )
        for (bot, mu), n, letter in zip(mus.items(), order, letters, strict=True)
    }
    tau, neighbours = inference.expected_tau(prior), inference.neighbours_apart(order, apart)
    return Group(rows, estimate.deals, round(tau, 4), round(neighbours, 4))


def _spread(estimate: Estimate, anchor: BotId | None) -> list[float]:
    """The sd of each strength: against the middle, or against the anchor where it is one of them."""
    if anchor not in estimate.bots:
        return [float(sd) for sd in estimate.sd]
    _, spread = estimate.differences()
    return [float(sd) for sd in spread[estimate.bots.index(anchor)]]


def by_bot(groups: Iterable[Group]) -> dict[BotId, Confidence]:
    """How sure the place of each bot is, of whichever group."""
    return {bot: found for group in groups for bot, found in group.bots.items()}
