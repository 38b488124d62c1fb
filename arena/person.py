"""A person in a seat, at a terminal: the board as that seat sees it, what happened, and what may be played."""

from __future__ import annotations

import random
from collections.abc import Callable
from time import monotonic
from typing import Any

from arena.notation import WIDTH, event_line, folded
from protocol.messages import Move, Ready
from protocol.vocabulary import LANGS, Seat
from referee.game import Game
from referee.games import GAMES
from referee.match import Ask, Reply
from referee.wording import Terms

NAME = "human"
"""Names a person where `arena play` expects a bot."""
HELP = "a move, or its number; ? the moves again, b the board again, q to stop"


class Stopped(Exception):
    """The person does not play on."""


class Person:
    """Reads a line from `read` (empty at the end of input) and writes with `say`."""

    wants_events = True

    def __init__(self, read: Callable[[str], str], say: Callable[[str], None], lang: str = LANGS[0]) -> None:
        self._read, self._say, self._lang = read, say, lang
        self._terms: Terms = {}
        self._game: Game | None = None
        self._seat = Seat(0)

    def reply(self, ask: Ask) -> Reply:
        """What the person chooses. Raises Stopped."""
        message, begin = ask.message, monotonic()
        if not ask.turn:
            self._hear(message)
            return Reply(Ready(type="ready", game_id=message["game_id"]), 0.0)
        action = self._choose(message)
        move = Move(type="move", game_id=message["game_id"], turn=ask.turn, action=action)
        return Reply(move, monotonic() - begin)

    def _hear(self, message: dict[str, Any]) -> None:
        if message["type"] == "start":
            self._game, self._seat = GAMES[message["game"]], Seat(message["seat"])
            self._terms = self._game.terms(self._lang)
            self._say(f"{message['variant']}: you have seat {self._seat} of {len(message['players'])}")
            self._say(f"{HELP}\nthe rules: arena games {message['game']}")
        self._tell(message.get("events", []))

    def _tell(self, events: list[dict[str, Any]]) -> None:
        for event in events:
            for line in folded(event_line(self._terms, event["kind"], event["body"]), "  "):
                self._say(line)

    def _choose(self, turn: dict[str, Any]) -> str:
        legal: list[str] = turn["legal"]
        self._say("")
        self._tell(turn["events"])
        self._say(self._board(turn["view"]))
        self._list(legal)
        while True:
            line = self._read("your move: ")
            word = line.strip()
            if not line or word == "q":
                raise Stopped
            if found := chosen(word, legal):
                return found
            if word == "b":
                self._say(self._board(turn["view"]))
            elif word not in ("", "?"):
                self._say(f"{word!r} is none of them; {HELP}")
            self._list(legal)

    def _board(self, view: dict[str, Any]) -> str:
        """A board of what the seat knows: any full state that agrees with its view looks like that to it."""
        assert self._game is not None
        state = self._game.sample(view, random.Random(0))
        return "\n" + self._game.render(state, self._seat, self._lang) + "\n"

    def _list(self, legal: list[str]) -> None:
        for line in columns(_numbered(legal)):
            self._say(f"  {line}")


def chosen(word: str, legal: list[str]) -> str | None:
    """The move that is meant: as it is written, in any case of letters, or its number in the list.

    >>> chosen("k7", ["G3", "K7"]), chosen("1", ["G3", "K7"]), chosen("2", ["0", "1"])
    ('K7', 'G3', None)
    """
    alike = [action for action in legal if action.lower() == word.lower()]
    if word in legal or len(alike) == 1:
        return word if word in legal else alike[0]
    if word.isdecimal() and not _has_numbers(legal) and 1 <= int(word) <= len(legal):
        return legal[int(word) - 1]
    return None


def _has_numbers(legal: list[str]) -> bool:
    """Whether a move is itself a number, so that a number means nothing else."""
    return any(action.isdecimal() for action in legal)


def _numbered(legal: list[str]) -> list[str]:
    if _has_numbers(legal):
        return legal
    return [f"{number:>{len(str(len(legal)))}} {action}" for number, action in enumerate(legal, 1)]


def columns(items: list[str], width: int = WIDTH - 2) -> list[str]:
    """Items in as many columns as fit, from left to right.

    >>> columns(["1 G0", "2 G10", "3 K2"], 12)
    ['1 G0   2 G10', '3 K2']
    """
    each = max(map(len, items)) + 2
    across = max(1, (width + 2) // each)
    rows = [items[start : start + across] for start in range(0, len(items), across)]
    return ["".join(f"{item:<{each}}" for item in row).rstrip() for row in rows]
