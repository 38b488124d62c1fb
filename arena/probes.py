"""A bot on trial: games against house players, and what a tournament may do that a plain game does not.

A probe plays with the bot and returns what was wrong, as a text and its cure, or None; its docstring says
what a bot has passed.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import sleep
from typing import Any

from arena.bundles import Bot, limits_of
from arena.home import Home
from arena.notation import cause, evidence
from arena.preflight import REASONS, not_started
from arena.single import keep_record, log_folder, play_here, single_job
from protocol.record import unpack
from protocol.vocabulary import BotId, FaultKind
from referee.faults import Misstep
from referee.games import game_of
from referee.jobs import GameDone, Launch
from referee.match import Ask, Reply
from referee.players import Player
from referee.players.local import LocalPlayer
from referee.players.waiting import WaitingPlayer
from referee.processes import Exit
from referee.replay import read

HOUSE = Launch(BotId("house", ""), (), "")
"""Whoever plays against a bot on trial."""
SILENCE = 1.5
"""Seconds for which the arena says nothing."""
PADDING = 1_000_000
"""Characters that are added to a view."""
FIXES = {
    FaultKind.CRASH: "mend what its last lines name",
    FaultKind.ILLEGAL_MOVE: "answer with one of `legal`, character for character",
    FaultKind.PROTOCOL_ERROR: "answer each message in the form that the protocol gives",
    FaultKind.TIMEOUT: "answer sooner; `clock` in each turn says what is left",
    FaultKind.NO_START: "say `hello` sooner, and load what takes long later",
}
"""What to do about each kind of fault that a bot can make in a game."""

Complaint = tuple[str, str] | None


class Trial:
    """A bot that plays several games in one process, and in a new one after a fault."""

    def __init__(self, home: Home, bot: Bot, folder: Path, keeps: bool = True) -> None:
        """`keeps`: the records of its games."""
        self.bot = bot
        self._home = home
        self._limits = limits_of([bot])
        self._folder = folder
        self._keeps = keeps
        self._player: WaitingPlayer | None = None
        self._games = 0

    def play(
        self,
        variant: str,
        wrap: Callable[[Player], Player] = lambda player: player,
        other: Callable[[dict[str, Any]], str] | Player | None = None,
        again: int = 0,
    ) -> tuple[int, GameDone]:
        """A game on a deal of its own, in a seat that changes from game to game; the seat and the game.

        `again`: the very game, which is played for the first time so many games before this one.

        Raises CannotStart where its process does not start.
        """
        game = game_of(variant)
        kind = game.variant(variant)
        number = self._games - again
        self._games += 1
        seat, seed = number % kind.players, f"check {number + 1}"
        launches = [HOUSE] * kind.players
        launches[seat] = self.bot.launch
        players: list[Player] = [_house(seed, other) for _ in launches]
        players[seat] = wrap(self.player())
        job = single_job(game, kind, launches, seed, (), self._limits, self._home)
        done = play_here(job, players)
        if self._keeps:
            keep_record(done, self._home)
        return seat, done

    def player(self) -> WaitingPlayer:
        """Its process, started where it must be."""
        if self._player is None or self._player.remote.misstep is not None:
            self.end()
            log = log_folder(self._home) / f"check-{self.bot.id.name}.log"
            player = WaitingPlayer(self.bot.launch, self._folder, log)
            misstep = player.start(self._limits.startup_seconds)
            if misstep is not None:
                player.leave()
                raise not_started(self.bot, misstep)
            self._player = player
        return self._player

    @property
    def misstep(self) -> Misstep | None:
        """What keeps its process from being asked any more."""
        return self._player.remote.misstep if self._player else None

    def end(self) -> Exit | None:
        """Say `bye`; how its process ended."""
        player, self._player = self._player, None
        return player.leave() if player else None

    def cpu_seconds(self) -> float:
        """Of its process so far."""
        return (self._player and self._player.remote.cpu_seconds()) or 0.0

    @staticmethod
    def times_of(done: GameDone, seat: int) -> list[float]:
        """Milliseconds of each of its moves, without those that were made for it after a fault."""
        record = read(unpack(done.record))
        times = [
            ms for ms, (who, _) in zip(record.account.ms, record.play.actions, strict=True) if who == seat
        ]
        faults = [fault.turn for fault in record.play.faults if fault.seat == seat]
        return times[: max(0, faults[0] - 1)] if faults else times


def _house(seed: str, other: Callable[[dict[str, Any]], str] | Player | None) -> Player:
    """Somebody who plays any legal action, or `other`."""
    if other is not None and not callable(other):
        return other
    rng = random.Random(seed)
    return LocalPlayer(other or (lambda turn: rng.choice(turn["legal"])))


def advice(done: GameDone, seat: int, lines: int = 15) -> Complaint:
    """What a bot did wrong in a game, with the last `lines` of its evidence, and what to do about it."""
    record = read(unpack(done.record))
    for number, fault in enumerate(record.play.faults):
        if fault.seat == seat:
            said = [f"  | {line}" for line in evidence(record, number)[-lines:]]
            text = "\n".join([f"{cause(record, fault)} in its turn {fault.turn}", *said])
            return text, REASONS.get(fault.reason) or FIXES.get(fault.kind, "mend it")
    return None


class Changed:
    """Asks somebody else in another way."""

    def __init__(self, player: Player, change: Callable[[Ask], Ask]) -> None:
        self._player = player
        self._change = change

    @property
    def wants_events(self) -> bool:
        """As the other."""
        return self._player.wants_events

    def reply(self, ask: Ask) -> Reply:
        """Of the other."""
        return self._player.reply(self._change(ask))


def more_fields(trial: Trial, variant: str) -> Complaint:
    """Fields that it does not know are ignored."""
    news = {"x_later": {"deep": [1, None, {"more": "ž"}]}}

    def change(ask: Ask) -> Ask:
        message = ask.message | news
        for key in ("view", "clock", "setup"):
            if key in message:
                message[key] = message[key] | news
        return replace(ask, message=message)

    return _with(trial, variant, change, "it must ignore fields that it does not know: so the protocol grows")


def big_view(trial: Trial, variant: str) -> Complaint:
    """A message of a megabyte is read."""

    def change(ask: Ask) -> Ask:
        if ask.turn != 1:
            return ask
        return replace(ask, message=ask.message | {"view": ask.message["view"] | {"x_big": "x" * PADDING}})

    return _with(trial, variant, change, "read messages of any length: no line or buffer of a fixed size")


def late(trial: Trial, variant: str) -> Complaint:
    """The arena may let it wait."""

    def change(ask: Ask) -> Ask:
        if ask.turn == 2:
            sleep(SILENCE)
        return ask

    return _with(trial, variant, change, "wait for the next message as long as it takes: no time-out")


def ended_early(trial: Trial, variant: str) -> Complaint:
    """A game that others end is followed by the next one."""
    gone = Reply(Misstep(FaultKind.CRASH, "exit 1"), 0.0)

    class Leaves:
        wants_events = True

        def reply(self, ask: Ask) -> Reply:
            return gone if ask.turn == 2 else house.reply(ask)

    house = _house("early", None)
    seat, done = trial.play(variant, other=Leaves())
    found = advice(done, seat) or _gone(trial.misstep) or _with(trial, variant, lambda ask: ask, "")
    return found and (
        found[0],
        "`end` may come in place of any `turn`; then the next `start`: forget the last game",
    )


def _gone(misstep: Misstep | None) -> Complaint:
    """What went wrong at the very end of a game, which is no fault in it."""
    said = misstep and "".join(f"\n  | {line}" for line in misstep.evidence.strip().splitlines()[-5:])
    return misstep and (f"{misstep.kind} at `end`{said}", "")


def bye(trial: Trial, variant: str) -> Complaint:
    """It leaves by itself, with status 0, when it is told `bye`."""
    trial.play(variant)
    return _left(trial.end())


def bye_in_a_game(trial: Trial, variant: str) -> Complaint:
    """It leaves by itself also in the middle of a game."""

    def stop(ask: Ask) -> Ask:
        if ask.turn == 2:
            raise _Over
        return ask

    try:
        trial.play(variant, lambda player: Changed(player, stop))
    except _Over:
        return _left(trial.end())
    return None


def same_again(trial: Trial, variant: str) -> Complaint:
    """A game is played again as it was, also after another game and by a new process."""
    fix = "draw from `bot_seed` alone, and think by what is asked alone; or leave `deterministic` out"
    first = _actions(trial.play(variant))
    trial.play(variant)
    for after, again in (("after another game", 2), ("in a new process", 3)):
        if (found := _actions(trial.play(variant, again=again))) != first:
            at = next((n for n, pair in enumerate(zip(first, found, strict=False)) if pair[0] != pair[1]), 0)
            return f"the same game was played differently {after}, first at action {at + 1} of it", fix
        trial.end()
    return None


def _actions(played: tuple[int, GameDone]) -> list[tuple[int, str]]:
    _, done = played
    return list(read(unpack(done.record)).play.actions)


class _Over(Exception):
    """The arena stops in the middle of a game."""


def _left(ended: Exit | None) -> Complaint:
    if ended is None or (ended.code == 0 and not ended.killed):
        return None
    how = "it was still there a second after `bye`" if ended.killed else f"after `bye` it ended with {ended}"
    said = "".join(f"\n  | {line}" for line in ended.tail.strip().splitlines()[-5:])
    return how + said, "leave the loop at `bye`, close the socket (LINGER 0) and end with status 0"


def _with(trial: Trial, variant: str, change: Callable[[Ask], Ask], fix: str) -> Complaint:
    """A game in which the bot is asked otherwise."""
    seat, done = trial.play(variant, lambda player: Changed(player, change))
    found = advice(done, seat)
    return found and (found[0], fix or found[1])


PROBES: dict[str, Callable[[Trial, str], Complaint]] = {
    "unknown fields": more_fields,
    "big messages": big_view,
    "patience": late,
    "ended early": ended_early,
    "bye": bye,
    "bye in a game": bye_in_a_game,
}
DETERMINISTIC: dict[str, Callable[[Trial, str], Complaint]] = {"deterministic": same_again}
"""Of a bot that says that it is."""
