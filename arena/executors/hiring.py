"""A tournament and a cluster put together: the executor whose workers play it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cache
from math import inf
from pathlib import Path

from arena.bundles import Bot
from arena.cluster import Cluster
from arena.config import Tournament
from arena.executors.calibration import computing
from arena.executors.crew import Care
from arena.executors.dask import DaskLink
from arena.executors.distant import DistantExecutor
from arena.executors.orders import Entrant, Speed, Terms
from arena.home import Home
from arena.isolation import words
from arena.shipping import carried
from referee.games import game_of
from referee.processes import Sandbox

log = logging.getLogger("arena.cluster")
EXPOSED = (
    "warning: %s is not encrypted and not on this machine alone: whoever reaches its scheduler runs programs on every "
    "worker, as its user, and reads and forges results; use TLS (docs/clusters.md)"
)


def hired(
    cluster: Cluster,
    tournament: Tournament,
    home: Home,
    bots: Sequence[Bot],
    box: Sandbox,
    folder: Path,
    logs: Path,
    transport: str,
) -> DistantExecutor:
    """An executor for `tournament`; workers are to keep its `bots` as `box` does here. `folder`: for scratch."""
    if cluster.exposed:
        log.warning(EXPOSED, cluster.address or f"the cluster ({cluster.kind})")
    told = home.unless_told(tournament.sandbox)
    terms = Terms(
        _rules(tournament), tuple(Entrant(bot.id, bot.manifest.model_dump(exclude_defaults=True)) for bot in bots),
        tournament.clock.limits, told.mode, told.allow_missing, words(box), tournament.memory_mb,
        cluster.encrypted, transport,
    )  # fmt: skip
    files = {bot.id.digest: bot for bot in bots}

    @cache  # packed once, however many workers lack it
    def bundle(digest: str) -> bytes:
        return carried(files[digest])

    return DistantExecutor(
        DaskLink(cluster, str(home.path), folder, home.path / "clusters" / home.called(tournament.name)),
        terms,
        bundle,
        logs,
        _care(cluster),
        _own(cluster),
    )


def _rules(tournament: Tournament) -> dict[str, str]:
    variants = {id: game_of(id) for id in tournament.variant_ids}
    return {id: game.rules_id(game.variant(id)) for id, game in variants.items()}


def _care(cluster: Cluster) -> Care:
    """As the cluster file says; the cores of this machine are what they are."""
    return Care(
        0.0 if cluster.is_local else cluster.slowest, 0.0 if cluster.is_local else cluster.busiest,
        cluster.audit, cluster.silent_seconds, cluster.lease_seconds, cluster.patience, cluster.unit_seconds,
    )  # fmt: skip


def _own(cluster: Cluster) -> Speed:
    """How quick this machine is."""
    return Speed(inf) if cluster.is_local else computing()
