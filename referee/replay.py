"""A record played again: its states and events, and whether all of it holds.

Actions are numbered from 1, so that step `n` is the state after `n` actions and step 0 the deal. What is
checked needs nothing but the record and the rules of this version:

    hashes        links, play_hash and account_hash are those of the content; the first link that is not
                  says which part was changed: what was settled, an action, or how it ended
    commitment    SHA-256 of `<deal seed>|<id>|<nonce>`
    the play      variant, rules and seats; every action by a seat whose turn it was, and legal; house
                  players where a bot was gone; the ending, ranks and scores that follow

A record whose every hash was made anew after a legal change holds: only the chain of an export, or a
published `play_hash`, can tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import zip_longest
from typing import Any, NamedTuple

from pydantic import ValidationError

from protocol.codec import encode, read_strictly
from protocol.errors import ProtocolError
from protocol.record import FORMAT, LINK, GameRecord, RecordFault, RecordPlay, chain
from protocol.vocabulary import GameId, Outcome, Seat, Verdict
from referee.faults import demoted, forfeited, plays_on
from referee.game import Event, Game, GameError, State, Variant
from referee.games import GAMES
from referee.match import commitment


class Break(NamedTuple):
    """Something in a record that does not hold."""

    where: str
    """`action 23 (seat 1, K7)`, `settings`, `result`, `commitment`, `account`, …"""
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


class Broken(GameError):
    """A record cannot be played on from here."""

    def __init__(self, where: str, what: str) -> None:
        self.place = Break(where, what)
        super().__init__(str(self.place))


class Step(NamedTuple):
    """The game after one more action; the first step is the deal."""

    number: int
    """Actions taken so far."""
    seat: Seat | None
    """Who took the last of them; None for the deal."""
    action: str
    house: bool
    """Whether a house player took it, in a faulty bot's place."""
    state: State
    """Changed in place by the next step."""
    events: list[Event]
    """What happened since the step before, for all audiences."""
    faults: list[tuple[int, RecordFault]]
    """What went wrong before the next action, each with its number (the key of its evidence)."""


def check(data: bytes) -> list[Break]:
    """Everything that does not hold in a record (JSON), the first thing first; empty for a good one.

    Never raises, whatever the bytes are.
    """
    try:
        raw = read_strictly(data)
        record = GameRecord.model_validate_json(data)
    except ProtocolError as error:
        return [_unreadable(error)]
    except ValidationError as error:
        return [_misshapen(error)]
    return [*_hash_breaks(raw, record), *_play_breaks(record.play)]


def _unreadable(error: ProtocolError) -> Break:
    hint = "; nor is it the text form, which begins with its first line, KGN 1"
    return Break("format", f"no record: {error}{hint if error.reason == 'not_json' else ''}")


def read(data: bytes) -> GameRecord:
    """The record in `data` (JSON), its form alone checked. Raises Broken."""
    try:
        read_strictly(data)
        return GameRecord.model_validate_json(data)
    except ProtocolError as error:
        raise Broken(*_unreadable(error)) from None
    except ValidationError as error:
        raise Broken(*_misshapen(error)) from None


def replay(play: RecordPlay) -> Iterator[Step]:
    """Each step of a game in turn. Raises Broken at the first thing that the rules do not allow."""
    game, variant = table_of(play)
    state = _dealt(game, variant, play)
    for n, fault in enumerate(play.faults):
        if not 0 <= fault.at <= len(play.actions):
            raise Broken(f"fault {n}", f"after {fault.at} actions; there are {len(play.actions)}")
    told = 0
    for number in range(len(play.actions) + 1):
        seat, text, house = _advance(state, variant, play, number) if number else (None, "", False)
        events = state.events(told)
        told += len(events)
        faults = [(n, fault) for n, fault in enumerate(play.faults) if fault.at == number]
        _check_faults(state, play, number, faults)
        yield Step(number, seat, text, house, state, events, faults)


def table_of(play: RecordPlay) -> tuple[Game, Variant]:
    """The game and variant of a record, its seats checked. Raises Broken where this version has not got them."""
    game = GAMES.get(play.game)
    if game is None:
        raise Broken("game", f"this version does not know {play.game!r}: it cannot check this record")
    try:
        variant = game.variant(play.variant)
    except GameError as error:
        raise Broken("variant", str(error)) from None
    if variant.id != play.variant:
        raise Broken("variant", f"{play.variant!r} is written {variant.id!r}")
    if (rules := game.rules_id(variant)) != play.rules:
        raise Broken("rules", f"played by {play.rules}, this version plays by {rules}: it cannot check it")
    if [seat.team for seat in play.seats] != list(variant.teams):
        raise Broken("seats", f"teams are not those of the variant, {list(variant.teams)}")
    return game, variant


def named(play: RecordPlay, number: int) -> str:
    """Action `number` (from 1) as a place: `action 23 (seat 1, K7)`."""
    if not 0 < number <= len(play.actions):
        return f"action {number}"
    seat, text = play.actions[number - 1]
    return f"action {number} (seat {seat}, {text})"


def _misshapen(error: ValidationError) -> Break:
    first = error.errors(include_url=False)[0]
    path = ".".join(map(str, first["loc"])) or "format"
    if path == "format":
        return Break("format", f"this version reads {FORMAT!r}: {first['msg']}")
    return Break(path, first["msg"])


def _hash_breaks(raw: dict[str, Any], record: GameRecord) -> Iterator[Break]:
    hashes = list(chain(raw["play"]))
    expected = [hash[:LINK] for hash in hashes]
    links = [record.links[i : i + LINK] for i in range(0, len(record.links), LINK)]
    wrong = next((n for n, (a, b) in enumerate(zip_longest(expected, links)) if a != b), None)
    intact = record.play_hash == hashes[-1]
    if wrong is not None and intact:
        yield Break("links", f"{len(links)} for {len(expected)} pieces; number {wrong} (from 0) is wrong")
    elif wrong is not None:
        yield _changed(record.play, wrong)
    elif not intact:
        yield Break("play_hash", "it is not the hash of this play, though every link is right")
    if record.account_hash != sha256(encode(raw["account"])).hexdigest():
        yield Break("account", "it was changed: account_hash is another's")


def _changed(play: RecordPlay, link: int) -> Break:
    if link == 0:
        return Break("settings", "what was settled before the game was changed: its link is another's")
    if link <= len(play.actions):
        return Break(named(play, link), "it was changed, or one is missing here: its link is another's")
    return Break("result", "how it ended (verdict, ranks, scores, faults) was changed: its link is another's")


def _play_breaks(play: RecordPlay) -> Iterator[Break]:
    seed = play.seed or " ".join(play.cards)
    if play.commitment != commitment(seed, GameId(play.id), play.nonce):
        yield Break("commitment", "it is not SHA-256 of deal seed, id and nonce: this deal was not promised")
    if bool(play.seed) == bool(play.cards):
        yield Break("seed", "one of seed and cards is given, not both")
        return
    if play.verdict is Verdict.VOID:
        yield from _void_breaks(play)
        return
    try:
        *_, last = replay(play)
        yield from _ending_breaks(last.state, table_of(play)[1], play)
    except Broken as broken:
        yield broken.place


def _void_breaks(play: RecordPlay) -> Iterator[Break]:
    if play.void is None or play.actions or play.ranks or play.scores or play.faults:
        yield Break("result", "a void game has a reason, and no actions, ranks, scores or faults")


def _dealt(game: Game, variant: Variant, play: RecordPlay) -> State:
    try:
        return game.deal(variant, play.cards) if play.cards else game.setup(variant, play.seed)
    except GameError as error:
        raise Broken("cards", str(error)) from None


def _advance(state: State, variant: Variant, play: RecordPlay, number: int) -> tuple[Seat, str, bool]:
    """Take action `number`. Raises Broken where it could not be taken."""
    at, text = play.actions[number - 1]
    seat, faulty = Seat(at), _faulty(play, number - 1)
    try:
        _check_turn(state, variant, seat, faulty)
        action = state.parse(seat, text)
        if seat in faulty and action != (default := state.default(seat)):
            raise GameError(f"a house player sat there, and plays {state.text(default)}")
        state.apply(seat, action)
    except GameError as error:
        raise Broken(named(play, number), str(error)) from None
    return seat, text, seat in faulty


def _check_turn(state: State, variant: Variant, seat: Seat, faulty: set[Seat]) -> None:
    if not state.to_act:
        raise GameError("the game was over")
    if not plays_on(variant.teams, faulty):
        raise GameError("a fault had ended the game")
    if seat not in state.to_act:
        raise GameError(f"it was the turn of seat {', '.join(map(str, state.to_act))}")


def _faulty(play: RecordPlay, taken: int) -> set[Seat]:
    """The seats whose bots were gone when `taken` actions had been taken."""
    return {Seat(fault.seat) for fault in play.faults if fault.at <= taken}


def _check_faults(state: State, play: RecordPlay, number: int, faults: list[tuple[int, RecordFault]]) -> None:
    """Each seat has one fault at most, before the game or when it was to act (`turn` counts its requests)."""
    for n, fault in faults:
        seat = Seat(fault.seat)
        turn = sum(actor == seat for actor, _ in play.actions[:number]) + 1
        before = number == 0 and fault.turn == 0 and 0 <= seat < len(play.seats)
        if not before and not (seat in state.to_act and fault.turn == turn):
            raise Broken(f"fault {n}", f"seat {seat} did not owe an answer in turn {fault.turn} then")
        if any(other.seat == seat for other in play.faults[:n]):
            raise Broken(f"fault {n}", f"seat {seat} was gone already")


def _ending_breaks(state: State, variant: Variant, play: RecordPlay) -> Iterator[Break]:
    taken = len(play.actions)
    faulty = _faulty(play, taken)
    outcome = state.outcome
    if outcome is None and plays_on(variant.teams, faulty):
        yield Break("result", f"the game goes on after action {taken}, where the record ends")
        return
    verdict = Verdict.FINISHED if outcome else Verdict.FORFEIT
    yield from _result_breaks(play, verdict, _final(outcome, variant, faulty))


def _final(outcome: Outcome | None, variant: Variant, faulty: set[Seat]) -> Outcome:
    if outcome is None:
        return forfeited(variant.teams, faulty)
    return demoted(outcome, faulty) if faulty else outcome


def _result_breaks(play: RecordPlay, verdict: Verdict, outcome: Outcome) -> Iterator[Break]:
    if (play.verdict, play.void) != (verdict, None):
        void = f" ({play.void})" if play.void else ""
        yield Break("verdict", f"it says {play.verdict}{void}; by the play it is {verdict}")
    for name, said, found in (
        ("ranks", play.ranks, outcome.ranks),
        ("scores", play.scores, outcome.scores),
    ):
        if said != list(found):
            yield Break(name, f"it says {said}; by the play they are {list(found)}")
