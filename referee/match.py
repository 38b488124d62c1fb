"""One game from deal to verdict, as a generator without input or output.

It yields what it asks of which seat (`Ask`) and is sent what came back (`Reply`); sockets, processes
and clocks are somebody else's. Seats of a simultaneous decision are asked one after the other, and
nothing is applied or told until the last has answered.

    reply = None
    game = play(spec)
    while True:
        try:
            ask = game.send(reply)
        except StopIteration as stop:
            return stop.value            # Played
        reply = ...                      # send ask.message to ask.seat, wait up to ask.budget

A bot's fault is a value in the reply; an exception out of the generator is our own fault (void).
"""

from __future__ import annotations

import hmac
from collections.abc import Collection, Generator, Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from mypy_extensions import mypyc_attr

from protocol.messages import Move, Ready
from protocol.vocabulary import BotId, Fault, FaultKind, GameId, Outcome, Seat, Verdict
from referee.clocks import Clock, Limits, floor_ms
from referee.faults import Misstep, demoted, forfeited, plays_on
from referee.game import Event, Game, IllegalAction, State, Variant


@mypyc_attr(native_class=False)  # tests plant leaks in it, compiled or not
@dataclass(frozen=True, slots=True)
class MatchSpec:
    """Everything that was settled before the first message."""

    id: GameId
    game: Game
    variant: Variant
    bots: tuple[BotId, ...]
    """The bot in each seat."""
    limits: Limits
    secret: str
    """The tournament's seed: what a bot must not guess is derived from it by HMAC."""
    seed: str
    """The deal's seed; empty with a literal deal."""
    literal: tuple[str, ...] = ()
    """A deal given card by card."""
    show_names: bool = False

    def derive(self, what: str) -> str:
        """32 hex digits that nobody without the secret can tell from noise."""
        return hmac.digest(self.secret.encode(), f"{what}|{self.id}".encode(), "sha256").hex()[:32]

    @property
    def wire_id(self) -> str:
        """The game's id as bots see it."""
        return self.derive("wire")

    @property
    def nonce(self) -> str:
        """Keeps two games on one deal unlike each other until the record is published."""
        return self.derive("nonce")

    @property
    def commitment(self) -> str:
        """What binds us to the deal before play: see `commitment`."""
        return commitment(self.seed or " ".join(self.literal), self.id, self.nonce)

    def state(self) -> State:
        """The game as it was dealt."""
        if self.literal:
            return self.game.deal(self.variant, self.literal)
        return self.game.setup(self.variant, self.seed)


def commitment(seed: str, game_id: GameId, nonce: str) -> str:
    """SHA-256 of `<deal seed>|<game id>|<nonce>` in hex; a literal deal stands for its seed."""
    return sha256(f"{seed}|{game_id}|{nonce}".encode()).hexdigest()


@dataclass(slots=True)
class Ask:
    """A message to a seat's bot, which owes an answer."""

    seat: Seat
    message: dict[str, Any]
    turn: int
    """The number of the turn; 0: a `start` or `end`, answered by `ready`."""
    budget: float | None
    """Seconds until the answer must be there; None: no limit."""


@dataclass(slots=True)
class Reply:
    """What came of an Ask."""

    answer: Move | Ready | Misstep
    seconds: float
    """From the request handed over to the reply taken in."""
    cpu: float | None = None
    """Seconds of CPU time that the bot's processes took for it; None: not known."""


@dataclass(slots=True)
class Action:
    """One line of the score."""

    seat: Seat
    text: str
    ms: float
    """Thinking time; 0 for a house player."""
    cpu_ms: float | None = None
    """CPU time of the bot's processes; None: not known, or a house player."""
    note: str | None = None


@dataclass(slots=True)
class Played:
    """A game that is over."""

    verdict: Verdict
    outcome: Outcome
    actions: list[Action]
    faults: list[Fault]
    faults_at: list[int]
    """How many actions had been taken when each fault happened."""

    @property
    def detail(self) -> str:
        """Why it ended so, in a word or two."""
        return ", ".join(f"seat {fault.seat}: {fault}" for fault in self.faults)


Asking = Generator[Ask, Reply, None]


@dataclass(slots=True)
class _Place:
    """A seat in this game."""

    clock: Clock
    turn: int = 0
    heard: int = 0
    """Events up to here were told to it, or not for it."""
    seen: int = 0
    """Events that it was told."""
    gone: bool = False
    """Its process is not to be spoken to any more in this game."""


class _Table:
    """A game under way. Invariant: whoever is asked has been told of nothing that is not decided."""

    def __init__(self, spec: MatchSpec, deaf: Collection[Seat], score: list[Action]) -> None:
        self.spec = spec
        self.deaf = deaf
        self.wire_id = spec.wire_id
        self.state = spec.state()
        self.places = [_Place(Clock(spec.limits)) for _ in spec.bots]
        self.actions = score
        self.faults: list[Fault] = []
        self.faults_at: list[int] = []
        self.faulty: set[Seat] = set()
        self.events: list[Event] = []
        """What has been decided."""

    def goes_on(self) -> bool:
        return plays_on(self.spec.variant.teams, self.faulty) and bool(self.state.to_act)

    def blame(self, seat: Seat, misstep: Misstep) -> None:
        self.faults.append(misstep.at(seat, self.places[seat].turn))
        self.faults_at.append(len(self.actions))
        self.faulty.add(seat)
        self.places[seat].gone = misstep.kind is not FaultKind.ILLEGAL_MOVE

    # the three parts of a game

    def start(self) -> Asking:
        spec = self.spec
        common = {
            "type": "start", "game_id": self.wire_id, "game": spec.game.name, "variant": spec.variant.id,
            "rules": spec.game.rules_id(spec.variant), "players": self._players(),
            "setup": spec.game.setup_info(spec.variant), "clock": spec.limits.wire(),
            "commitment": spec.commitment,
        }  # fmt: skip
        for seat in map(Seat, range(len(self.places))):
            message = common | {"seat": seat, "bot_seed": spec.derive(f"bot {seat}")}
            reply = yield Ask(seat, message, 0, spec.limits.startup_seconds)
            if isinstance(reply.answer, Misstep):
                self.blame(seat, reply.answer)

    def decide(self) -> Asking:
        """One decision: of one seat, or of several at once."""
        self._hear()
        state = self.state
        choices: list[tuple[int, Action]] = []
        for seat in state.to_act:
            choice = None
            if seat not in self.faulty:
                legal = {state.text(code): code for code in state.legal(seat)}
                choice = self._choice(seat, legal, (yield self._turn(seat, list(legal))))
            choices.append(choice or self._house(seat))
        if self.faulty and not self.goes_on():
            return
        for code, action in choices:
            state.apply(action.seat, code)
            self.actions.append(action)

    def finish(self) -> Asking:
        self._hear()
        played = self.played()
        common = {
            "type": "end", "game_id": self.wire_id, "result": self._result(played.outcome),
            "verdict": played.verdict, "detail": played.detail,
        }  # fmt: skip
        for seat in map(Seat, range(len(self.places))):
            if not self.places[seat].gone:
                message = common | {"events": self._news(seat)}
                yield Ask(seat, message, 0, self.spec.limits.farewell_seconds)

    def played(self) -> Played:
        verdict, outcome = Verdict.FINISHED, self.state.outcome
        if outcome is None:
            verdict, outcome = Verdict.FORFEIT, forfeited(self.spec.variant.teams, self.faulty)
        elif self.faults:
            outcome = demoted(outcome, self.faulty)
        return Played(verdict, outcome, self.actions, self.faults, self.faults_at)

    # one seat

    def _turn(self, seat: Seat, legal: list[str]) -> Ask:
        place = self.places[seat]
        place.turn += 1
        clock = place.clock
        message = {
            "type": "turn", "game_id": self.wire_id, "turn": place.turn, "view": self.state.view(seat),
            "events": self._news(seat), "legal": legal, "clock": clock.wire(),
        }  # fmt: skip
        return Ask(seat, message, place.turn, clock.patience)

    def _choice(self, seat: Seat, legal: dict[str, int], reply: Reply) -> tuple[int, Action] | None:
        """The seat's own choice, inside and as text; None after a fault."""
        answer, clock = reply.answer, self.places[seat].clock
        clock.charge(reply.seconds)
        if isinstance(answer, Move) and answer.action in legal:
            cpu_ms = None if reply.cpu is None else floor_ms(reply.cpu)
            return legal[answer.action], Action(seat, answer.action, clock.last_ms, cpu_ms, answer.note)
        self.blame(seat, answer if isinstance(answer, Misstep) else _illegal(answer, legal))
        return None

    def _house(self, seat: Seat) -> tuple[int, Action]:
        code = self.state.default(seat)
        return code, Action(seat, self.state.text(code), 0.0)

    def _hear(self) -> None:
        """Take in what has happened, where a seat wants to know it."""
        if len(self.deaf) < len(self.places):
            self.events += self.state.events(len(self.events))

    def _news(self, seat: Seat) -> list[dict[str, Any]]:
        if seat in self.deaf:
            return []
        place = self.places[seat]
        news = [e for e in self.events[place.heard :] if e.audience is None or seat in e.audience]
        first = place.seen + 1
        place.heard, place.seen = len(self.events), place.seen + len(news)
        return [{"n": n, "kind": kind, "body": body} for n, (kind, body, _) in enumerate(news, first)]

    def _players(self) -> list[dict[str, Any]]:
        teams, bots = self.spec.variant.teams, self.spec.bots
        names = [{"name": bot.name} if self.spec.show_names else {} for bot in bots]
        return [{"seat": seat, "team": teams[seat]} | name for seat, name in enumerate(names)]

    def _result(self, outcome: Outcome) -> list[dict[str, Any]]:
        kinds = {fault.seat: {"fault": fault.kind} for fault in self.faults}
        return [
            {"seat": seat, "rank": rank, "score": score} | kinds.get(Seat(seat), {})
            for seat, (rank, score) in enumerate(zip(outcome.ranks, outcome.scores, strict=True))
        ]


def _illegal(answer: Move | Ready, legal: Iterable[str]) -> Misstep:
    action = getattr(answer, "action", "")
    return Misstep(FaultKind.ILLEGAL_MOVE, "", f"played {action!r}; legal were: {' '.join(legal)}"[:2048])


def play(
    spec: MatchSpec, deaf: Collection[Seat] = (), score: list[Action] | None = None
) -> Generator[Ask, Reply, Played]:
    """Play one game; seats in `deaf` are told no events.

    `score`: an empty list, which gets each action as it is taken, for whoever looks at a game under way.

    Raises GameError before the first Ask where the deal does not fit the variant.
    """
    table = _Table(spec, deaf, [] if score is None else score)
    yield from table.start()
    while table.goes_on():
        yield from table.decide()
    yield from table.finish()
    return table.played()


__all__ = ["Action", "Ask", "IllegalAction", "MatchSpec", "Played", "Reply", "commitment", "play"]
