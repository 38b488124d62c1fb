"""Before anything is played: does every bot start and say hello?"""

from __future__ import annotations

from pathlib import Path
from time import monotonic

from arena.bundles import Bot
from arena.errors import CannotStart
from protocol.vocabulary import BotId
from referee.clocks import Limits
from referee.faults import Misstep
from referee.players.remote import GRACE, RemotePlayer
from referee.processes import become_subreaper
from referee.transports import Parcel
from referee.transports.endpoints import Endpoints

LINES = 15
"""Of what a bot printed, shown where it does not start."""


def greet(bots: list[Bot], folder: Path, limits: Limits, logs: Path) -> None:
    """Start each bot once and take its `hello`. Raises CannotStart with the first that fails and why."""
    for error in failures(bots, folder, limits, logs).values():
        raise error


def hello_log(logs: Path, bot: Bot) -> Path:
    """What a bot printed when it was started here last; missing where that was nothing."""
    return logs / f"hello-{bot.id.name}.log"


def failures(bots: list[Bot], folder: Path, limits: Limits, logs: Path) -> dict[BotId, CannotStart]:
    """Start each bot once and take its `hello`; those that fail, and why.

    `folder` is for their sockets alone: the last keeper removes it, also where this process was killed.
    What they print goes to `logs`.
    """
    become_subreaper()
    for bot in bots:
        hello_log(logs, bot).unlink(missing_ok=True)
    endpoints = Endpoints()
    players = [RemotePlayer(bot.launch, endpoints, folder, hello_log(logs, bot)) for bot in bots]
    try:
        for player in players:
            player.start(limits.startup_seconds)
        while any(player.greeting for player in players):
            parcel = endpoints.receive()
            for player in players:
                if parcel and player.greeting and _is_of(parcel, player):
                    player.take(parcel, monotonic())
                    parcel = None
                player.look(monotonic(), parcel is None)
            if parcel is not None:
                endpoints.cut(parcel.address)
        return {
            bot.id: not_started(bot, player.misstep)
            for bot, player in zip(bots, players, strict=True)
            if player.misstep is not None
        }
    finally:
        leaving = [kept for player in players if (kept := player.leave("that was all")) is not None]
        for kept in leaving:
            kept.stop(GRACE)
        endpoints.close()


def _is_of(parcel: Parcel, player: RemotePlayer) -> bool:
    """Whether a message is this player's: it came over its own pipe, or has its token."""
    return parcel.address == player.address or player.token.encode() in parcel.payload


def not_started(bot: Bot, misstep: Misstep) -> CannotStart:
    """What kept a bot from its `hello`, as an error."""
    said = misstep.evidence.strip().splitlines()[-LINES:]
    tail = "\n".join(f"  | {line}" for line in said) or "  (it printed nothing on stderr)"
    return CannotStart(
        f"bot {bot.id.name!r} does not start: {misstep.reason.replace('_', ' ')}\n{tail}",
        bot.manifest.needs or f"try it alone: arena bot check {bot.id}",
        "E301",
    )
