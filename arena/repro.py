"""A recorded game fed back to a bot, message by message and without clocks, so that its author can debug it.

The bot is asked what it was asked then, and the game goes on with what was played then, whatever it answers
now. The other seats are played from the record.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import starmap
from pathlib import Path
from typing import Any

from arena.bundles import Bot
from arena.errors import CannotStart, InputError
from arena.home import Home
from arena.reading import opened
from arena.single import log_folder
from protocol.messages import Move, Ready
from protocol.record import GameRecord, RecordFault
from protocol.vocabulary import BotId, FaultKind, GameId
from referee.clocks import NO_LIMITS
from referee.driving import drive
from referee.faults import Misstep
from referee.match import Ask, MatchSpec, Reply
from referee.players import Player
from referee.players.local import LocalPlayer
from referee.players.waiting import WaitingPlayer
from referee.processes import become_subreaper
from referee.replay import Broken, table_of


@dataclass(slots=True)
class Reproduction:
    """What came of it."""

    same: int = 0
    """Moves that it played again."""
    other: int = 0
    fault: Misstep | None = None
    """What it did wrong now; the record may have it, too."""
    log: Path | None = None


Said = Callable[[str, dict[str, Any] | str], None]
"""Told of each message, after `<` from the referee, `>` from the bot, and of remarks after `!`."""


def reproduce(
    home: Home, record: GameRecord, seat: int, bot: Bot, said: Said,
    by_hand: Callable[[dict[str, str]], None] | None = None,
) -> Reproduction:  # fmt: skip
    """Feed seat `seat` of a game to `bot`; where `by_hand`, it is told the environment of a bot to be started.

    Raises CannotStart where the bot does not start, and Broken where the record does not hold.
    """
    if by_hand and bot.manifest.transport == "stdio":
        fix = "write what it is told with --save FILE, and let it read that: ./mybot < FILE"
        raise InputError("--by-hand: a bot over stdio can't be started by somebody else", fix, "E200")
    become_subreaper()
    result = Reproduction(log=log_folder(home) / f"repro-{bot.id.name}.log")
    result.log.unlink(missing_ok=True)  # type: ignore[union-attr]
    with tempfile.TemporaryDirectory(prefix="kingmaker-") as folder:
        player = WaitingPlayer(bot.launch, Path(folder), result.log)  # type: ignore[arg-type]
        try:
            misstep = player.expect(by_hand) if by_hand else player.start(None)
            if misstep is not None:
                raise CannotStart(
                    f"{bot.id.name} does not start: {misstep.reason}\n{misstep.evidence}", code="E301"
                )
            players: list[Player] = [_scripted(record, n) for n in range(len(record.play.seats))]
            players[seat] = _Watched(player, players[seat], result, said)
            with suppress(_Gone):
                drive(_spec(home, record, said), players)
        finally:
            player.leave()
    return result


def messages(
    record: GameRecord, seat: int, home: Home, said: Said = lambda mark, text: None
) -> list[dict[str, Any]]:
    """All that the referee says to a seat in a game, with the `bye` at its end. `said` hears remarks.

    Raises Broken where the record does not hold.
    """
    heard: list[dict[str, Any]] = []
    players: list[Player] = [_scripted(record, n) for n in range(len(record.play.seats))]
    script = players[seat]

    class Listening:
        wants_events = True

        def reply(self, ask: Ask) -> Reply:
            heard.append(ask.message)
            return script.reply(ask)

    players[seat] = Listening()
    drive(_spec(home, record, said), players)
    return [*heard, {"type": "bye", "reason": "that was all"}]


class _Gone(Exception):
    """The bot can't be asked any more."""


class _Watched:
    """Asks the bot, and answers what stands in the record."""

    def __init__(self, player: WaitingPlayer, script: Player, result: Reproduction, said: Said) -> None:
        self._player, self._script, self._result, self._said = player, script, result, said

    @property
    def wants_events(self) -> bool:
        return self._player.wants_events

    def reply(self, ask: Ask) -> Reply:
        self._said("<", ask.message)
        now, then = self._player.reply(ask).answer, self._script.reply(ask)
        if isinstance(now, Misstep):
            self._result.fault = now
            self._said("!", f"{now.kind}{'/' * bool(now.reason)}{now.reason}: {now.evidence}")
            raise _Gone
        self._said(">", now.model_dump(exclude_none=True))
        if isinstance(now, Move):
            self._compare(now, then.answer, ask.message["legal"])
        return then

    def _compare(self, now: Move, then: Move | Ready | Misstep, legal: list[str]) -> None:
        if now.action not in legal:
            self._result.fault = Misstep(FaultKind.ILLEGAL_MOVE, "", now.action)
            self._said("!", f"illegal_move: legal were {' '.join(legal)}")
        if isinstance(then, Misstep):
            self._said("!", f"in the record: {then.kind}{'/' * bool(then.reason)}{then.reason}")
        elif isinstance(then, Move) and then.action != now.action:
            self._result.other += 1
            self._said("!", f"in the record: {then.action}")
        else:
            self._result.same += 1


def _scripted(record: GameRecord, seat: int) -> Player:
    """Answers as the record has it, with its fault where it had one. Raises Broken where it has no such move."""
    actions = iter([action for who, action in record.play.actions if who == seat])
    fault = next((fault for fault in record.play.faults if fault.seat == seat), None)

    def choose(turn: dict[str, Any]) -> str:
        action = next(actions, "")
        if action not in turn["legal"]:
            what = f"{action!r} was not legal" if action else "the record ends before it"
            raise Broken(f"turn {turn['turn']} of seat {seat}", what)
        return action

    return _Scripted(LocalPlayer(choose), fault)


class _Scripted:
    wants_events = True

    def __init__(self, player: Player, fault: RecordFault | None) -> None:
        self._player, self._fault = player, fault

    def reply(self, ask: Ask) -> Reply:
        fault = self._fault
        if fault and ask.turn == fault.turn and ask.message["type"] != "end":
            return Reply(Misstep(fault.kind, fault.reason), 0.0)
        return self._player.reply(ask)


def _spec(home: Home, record: GameRecord, said: Said) -> MatchSpec:
    play = record.play
    game, variant = table_of(play)
    bots = tuple(BotId(seat.bot, seat.digest) for seat in play.seats)
    cards = tuple(play.cards)

    def spec(secret: str, show_names: bool = False) -> MatchSpec:
        return MatchSpec(
            GameId(play.id), game, variant, bots, NO_LIMITS, secret, play.seed, cards, show_names
        )

    found = next((it for it in starmap(spec, _secrets(home, play.seed)) if it.nonce == play.nonce), None)
    if found is None:
        said(
            "!", "its tournament's seed is not known here: game_id and bot_seed are others than in that game"
        )
    return found or spec(play.seed)


def _secrets(home: Home, seed: str) -> Iterable[tuple[str, bool]]:
    """What a game's ids and bots' seeds may have been derived from, and whether names were shown then."""
    yield seed, False
    with opened(home) as ledger:
        known = [ledger.tournament(name) for name in ledger.names()]
    yield from [(one.seed, one.config["names"] == "shown") for one in known]


def check_seat(record: GameRecord, seat: int) -> None:
    """Raise InputError where a game has no such seat."""
    if seat >= len(record.play.seats):
        raise InputError(f"--seat {seat}: there is none", f"0 to {len(record.play.seats) - 1}", "E225")


def as_line(message: dict[str, Any]) -> str:
    """A message as it goes over the wire."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))
