"""A game as the list of its events with their audience: what a replay file holds, and nothing else.

Whoever shows a game folds these events into a picture, and needs no rule for it: the picture of a seat is the
fold of the events that it may see, and is its view; the picture of everything is all of these and what no seat
knows. An event is `[step, audience, kind, body]`: after how many actions, the seats that may see it (null: all;
none: only who watches), and

    @view     body: changes of what the audience knows, to be made one after the other in the view, at first {}
                 [path, value]          put it there: path is keys and indices from the view down
                 [path]                 take that key away
                 [path, from, values]   the list there ends before index `from`, and goes on with the values
    @unseen   the same for what no seat knows; only for who watches
    @turn     seat, house               who has acted (house: in the place of a bot that is gone)
    @action   seat, action, ms, cpu_ms, note    what it did, and how long it took
    @legal    seat, actions             what a seat may do now
    @fault    seat, kind, reason, turn, evidence
    @log      seat, text                what its bot printed in the game; once, at the end, where that is given
    @end      verdict, void, ranks, scores

and all others as the game tells them to its players.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple

from protocol.codec import as_json, encode
from protocol.record import GameRecord, RecordPlay
from protocol.vocabulary import Seat, Verdict
from referee.replay import Step, replay, table_of

FORMAT: Final = "kingmaker/replay-file/1"

Change = Sequence[Any]
Audience = tuple[Seat, ...] | None


class Told(NamedTuple):
    """An event of a replay."""

    step: int
    """Actions taken so far."""
    audience: Audience
    """The seats that may see it; None: all. Who watches the whole game sees it always."""
    kind: str
    body: Any
    """JSON-able."""


def document(record: GameRecord, logs: Mapping[Seat, str] = {}) -> dict[str, Any]:
    """A replay file, JSON-able; of a void game without events. Raises Broken.

    `logs`: by seat, what its bot printed in this game, as far as that is to be told.
    """
    play = record.play
    game, variant = table_of(play)
    return {
        "format": FORMAT,
        "id": play.id, "game": play.game, "variant": play.variant, "rules": play.rules, "deal": play.deal,
        "setup": game.setup_info(variant),
        "seats": [seat.model_dump() for seat in play.seats],
        "steps": len(play.actions),
        "limits": record.account.limits,
        "events": [list(event) for event in told(record, logs)],
    }  # fmt: skip


def told(record: GameRecord, logs: Mapping[Seat, str] = {}) -> Iterator[Told]:
    """All events of a game in order, `logs` as for `document`. Raises Broken where it cannot be played on."""
    if record.play.verdict is not Verdict.VOID:
        teller = Teller(len(record.play.seats))
        for step in replay(record.play):
            yield from chain(_account(record, step), teller.tell(step), _faults(record, step))
    last = len(record.play.actions)
    for seat, text in sorted(logs.items()):
        yield Told(last, (seat,), "@log", {"seat": seat, "text": text})
    yield Told(last, None, "@end", _ending(record.play))


class Teller:
    """What each step of a game adds to what is known, seat by seat."""

    def __init__(self, players: int) -> None:
        self._views: list[dict[str, Any]] = [{} for _ in range(players)]
        self._unseen: dict[str, Any] = {}

    def tell(self, step: Step) -> Iterator[Told]:
        """The game's own events of a step, then what has changed, then what may be done. Steps come in order."""
        state, seats = step.state, [Seat(seat) for seat in range(len(self._views))]
        for event in step.events:
            yield Told(step.number, event.audience, event.kind, dict(event.body))
        views = [as_json(state.view(seat)) for seat in seats]
        for audience, changes in _shared(
            [list(_changes((), old, new)) for old, new in zip(self._views, views, strict=True)]
        ):
            yield Told(step.number, audience, "@view", changes)
        unseen = as_json(state.unseen())
        if changes := list(_changes((), self._unseen, unseen)):
            yield Told(step.number, (), "@unseen", changes)
        self._views, self._unseen = views, unseen
        for seat in state.to_act:
            yield Told(step.number, (seat,), "@legal", {"seat": seat, "actions": state.legal_text(seat)})


def _account(record: GameRecord, step: Step) -> Iterator[Told]:
    """Who acted, which all may know, and what it did."""
    if step.seat is None:
        return
    number, account = step.number, record.account
    ms, cpu = account.ms[number - 1 : number], account.cpu_ms[number - 1 : number]
    yield Told(number, None, "@turn", {"seat": step.seat, "house": step.house})
    body = {
        "seat": step.seat, "action": step.action, "ms": ms[0] if ms and not step.house else None,
        "cpu_ms": cpu[0] if cpu else None, "note": account.notes.get(str(number - 1)),
    }  # fmt: skip
    yield Told(number, (step.seat,), "@action", body)


def _faults(record: GameRecord, step: Step) -> Iterator[Told]:
    for number, fault in step.faults:
        said = fault.model_dump(mode="json", exclude={"at"})
        evidence = record.account.evidence.get(str(number), "")
        yield Told(step.number, (Seat(fault.seat),), "@fault", said | {"evidence": evidence})


def _ending(play: RecordPlay) -> dict[str, Any]:
    return {
        "verdict": play.verdict.value,
        "void": play.void.value if play.void else None,
        "ranks": play.ranks,
        "scores": play.scores,
    }


def _shared(changes: Sequence[Sequence[Change]]) -> Iterator[tuple[Audience, list[Change]]]:
    """Changes of the seats' views, those that several seats see alike told once."""
    seers: dict[bytes, tuple[Change, list[Seat]]] = {}
    for seat, own in enumerate(changes):
        for change in own:
            seers.setdefault(encode(change), (change, []))[1].append(Seat(seat))
    groups: dict[Audience, list[Change]] = {}
    for change, seats in seers.values():
        audience = None if len(seats) == len(changes) else tuple(seats)
        groups.setdefault(audience, []).append(change)
    yield from groups.items()


def _changes(path: tuple[str | int, ...], old: Any, new: Any) -> Iterator[Change]:
    """What makes `old`, which lies at `path`, into `new`; the paths of two changes never lie in each other."""
    if old == new and type(old) is type(new):
        return
    if isinstance(old, dict) and isinstance(new, dict):
        yield from _in_object(path, old, new)
    elif isinstance(old, list) and isinstance(new, list) and old:
        yield from _in_list(path, old, new)
    else:
        yield [list(path), new]


def _in_object(
    path: tuple[str | int, ...], old: Mapping[str, Any], new: Mapping[str, Any]
) -> Iterator[Change]:
    for key in (key for key in old if key not in new):  # in the order of the view, as a set has none
        yield [[*path, key]]
    for key, value in new.items():
        if key in old:
            yield from _changes((*path, key), old[key], value)
        else:
            yield [[*path, key], value]


def _in_list(path: tuple[str | int, ...], old: list[Any], new: list[Any]) -> Iterator[Change]:
    """Item by item where there are as many things with parts as before, else from the first that differs on."""
    if len(old) == len(new) and all(isinstance(item, dict | list) for item in new):
        for index, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from _changes((*path, index), before, after)
        return
    pairs = zip(old, new, strict=False)
    start = next((index for index, (a, b) in enumerate(pairs) if a != b), min(len(old), len(new)))
    yield [list(path), start, new[start:]]
