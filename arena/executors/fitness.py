"""Whether a worker is fit to play, by what it reports of itself."""

from __future__ import annotations

from math import inf
from statistics import median_low

from arena.executors.orders import Report, Speed, Terms

CLOCK = 1e-3
"""Seconds; a clock with larger steps does not time moves."""
JITTER = 1e-3
"""Seconds by which an exchange may take longer than elsewhere, however quick those are."""


def unfit(terms: Terms, report: Report) -> str:
    """Why a worker cannot play by these terms at all; nothing where it can."""
    if others := [variant for variant, rules in terms.rules.items() if report.rules.get(variant) != rules]:
        return f"it has other rules of {', '.join(others)}"
    if report.clock > CLOCK:
        return f"its clock moves in steps of {report.clock * 1e3:.3g} ms"
    if report.flaw:
        return f"it cannot keep bots in mode {terms.mode}: {report.flaw}"
    lacking = [name for name in terms.layers if name not in (*report.layers, *terms.allow_missing)]
    if lacking:
        return f"it cannot keep bots in mode {terms.mode} as the runner does; it lacks {', '.join(lacking)}"
    if terms.mode != "none" and not terms.encrypted and "namespaces" not in report.layers:
        return "without a network of their own bots could reach a scheduler that is not encrypted"
    return ""


def poor(speed: Speed, all: list[Speed], slowest: float, busiest: float) -> str:
    """Why a core is too slow beside all, or too loaded, to time moves on; nothing where it is neither.

    `slowest` and `busiest`: as `crew.Care` has them.
    """
    work = median_low(one.work for one in all)
    exchanges = [one.exchange for one in all if one.exchange]
    exchange = median_low(exchanges) if exchanges else inf
    if speed.share < busiest:
        return f"it is too loaded: of a core's time we got {speed.share:.0%}, and {busiest:.0%} are needed"
    if speed.work * slowest > work:
        return f"it is too slow: it computes at {work / speed.work:.0%} of the median's speed"
    if speed.exchange * slowest > exchange + JITTER:
        return (
            f"it is too slow: a question to a bot and its answer take {speed.exchange * 1e3:.2g} ms there, "
            f"and {exchange * 1e3:.2g} ms at the median"
        )
    return ""
