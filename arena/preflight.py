"""Before anything is played: does every bot start and say hello?"""

from __future__ import annotations

from pathlib import Path
from time import monotonic

from arena.bundles import Bot
from arena.errors import CannotStart
from referee.clocks import Limits
from referee.players.remote import GRACE, RemotePlayer
from referee.processes import become_subreaper
from referee.transports.router import Router

LINES = 15
"""Of what a bot printed, shown where it does not start."""


def greet(bots: list[Bot], folder: Path, limits: Limits, logs: Path | None = None) -> None:
    """Start each bot once and take its `hello`. Raises CannotStart with the first that fails and why.

    What they print goes to `logs`, or to `folder`, where their sockets are.
    """
    become_subreaper()
    router = Router()
    players = [
        RemotePlayer(bot.launch, router, folder, (logs or folder) / f"hello-{bot.id.name}.log")
        for bot in bots
    ]
    try:
        for player in players:
            player.start(limits.startup_seconds)
        while any(player.greeting for player in players):
            parcel = router.receive()
            for player in players:
                if parcel and player.greeting and player.token.encode() in parcel.payload:
                    player.take(parcel, monotonic())
                player.look(monotonic())
        _complain(players)
    finally:
        leaving = [kept for player in players if (kept := player.leave("that was all")) is not None]
        for kept in leaving:
            kept.stop(GRACE)
        router.close()


def _complain(players: list[RemotePlayer]) -> None:
    for player in players:
        if player.misstep is not None:
            said = player.misstep.evidence.strip().splitlines()[-LINES:]
            tail = "\n".join(f"  | {line}" for line in said) or "  (it printed nothing on stderr)"
            reason = player.misstep.reason.replace("_", " ")
            raise CannotStart(
                f"bot {player.launch.bot.name!r} does not start: {reason}\n{tail}",
                f"try it alone: arena bot check {player.launch.bot.name}",
                "E301",
            )
