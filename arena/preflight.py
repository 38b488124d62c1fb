"""Before anything is played: does every bot start and say hello?"""

from __future__ import annotations

import os
from pathlib import Path
from time import monotonic

from arena.bundles import Bot
from arena.errors import CannotStart
from protocol.vocabulary import BotId
from referee.clocks import Limits
from referee.faults import Misstep
from referee.players.remote import GRACE, OTHER_TOKEN, RemotePlayer, turn_away
from referee.processes import become_subreaper, spawner
from referee.transports import Parcel
from referee.transports.endpoints import Endpoints

AT_ONCE = 4
"""Bots that start at a time on each core that we may use: each has its time for that, however many there are."""
LINES = 15
"""Of what a bot printed, shown where it does not start."""
REASONS = {
    "not_json": "write one JSON object for each message, with a JSON library, and nothing else beside it",
    "bad_utf8": "write UTF-8, without a byte order mark",
    "too_large": "a message has at most 65,536 bytes: send the move, not the view",
    "too_deep": "a message is at most 8 deep: a move is a flat object",
    "not_finite": "leave out NaN and Infinity: a move has no such number",
    "int_range": "integers are within ±2^53",
    "duplicate_key": "write each key once in an object",
    "wrong_type": "give each field the type that SPEC.md says: `turn` is an integer, as it came",
    "unknown_field": "leave that field out; what people shall read goes into `note`",
    "out_of_turn": "answer each message once, with the `game_id` and `turn` that it has",
    "bad_version": "`protocol` in `hello` lists the versions that it speaks: [1]",
    "bad_token": "send the value of ARENA_TOKEN in `hello`",
    "flood": "print less on stdout: what is no message belongs on stderr",
}
"""What to do about each reason of a protocol error."""


def greet(bots: list[Bot], folder: Path, limits: Limits, logs: Path) -> None:
    """Start each bot once and take its `hello`. Raises CannotStart with the first that fails and why."""
    for error in failures(bots, folder, limits, logs).values():
        raise error


def hello_log(logs: Path, bot: Bot) -> Path:
    """What a bot printed when it was started here last; missing where that was nothing."""
    return logs / f"hello-{bot.id.name}.log"


def failures(bots: list[Bot], folder: Path, limits: Limits, logs: Path) -> dict[BotId, CannotStart]:
    """Start each bot once, a few at a time, and take its `hello`; those that fail, and why. Raises CannotStart: a
    sandbox fails.

    `folder` is for their sockets alone: the last keeper removes it, also where this process was killed.
    What they print goes to `logs`.
    """
    become_subreaper()
    folder = folder / f"p{os.getpid()}"
    spawner.sweep(os.fsencode(folder))
    many, failed = AT_ONCE * len(os.sched_getaffinity(0)), dict[BotId, CannotStart]()
    for first in range(0, len(bots), many):
        failed |= _failures(bots[first : first + many], folder, limits, logs)
    return failed


def _failures(bots: list[Bot], folder: Path, limits: Limits, logs: Path) -> dict[BotId, CannotStart]:
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
                turn_away(parcel, players, endpoints)
        if ours := next((player.alibi[1] for player in players if player.alibi), ""):
            raise CannotStart(f"no bot can be started: {ours}", "arena doctor", "E303")
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
    what = f"bot {bot.id.name!r} does not start: {misstep.reason.replace('_', ' ')}"
    return CannotStart(f"{what}\n{tail}", _cure(bot, misstep), "E301")


def _cure(bot: Bot, misstep: Misstep) -> str:
    if misstep.reason in REASONS:
        return REASONS[misstep.reason]
    if OTHER_TOKEN in misstep.evidence:
        return REASONS["bad_token"]
    if bot.manifest.needs:
        return f"it needs: {bot.manifest.needs}"
    if misstep.reason == "not_started":
        return "mend `run` in its bot.toml: a program on the PATH, or ./ and a file of the bot"
    return f"try it alone: arena bot check {bot.id}"
