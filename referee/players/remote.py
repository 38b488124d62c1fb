"""A bot's program in one seat of one job: started, greeted, asked, ended; started anew after a fault.

Everything that goes wrong on the bot's side comes out as a `Misstep`; OSError means that the machine
cannot do its part.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from math import inf
from pathlib import Path
from time import monotonic

from protocol.codec import encode
from protocol.errors import ProtocolError
from protocol.messages import NO_EVENTS, Hello, Move, Ready
from protocol.record import LogPart
from protocol.session import Phase, Session
from protocol.version import PROTOCOL
from protocol.vocabulary import Fault, FaultKind, VoidReason
from referee.faults import Misstep, printable
from referee.jobs import Launch
from referee.match import Ask
from referee.players.evidence import CLOSED, UNHEARD, WORDS, ended, joined, late
from referee.players.usage import Usage
from referee.processes import Command, Kept, SandboxError, StartError, clean_environment, keep
from referee.transports import Address, Gone, Parcel, Transport, lines

GRACE = 1.0
"""Seconds that a bot has to leave by itself after `bye`."""
UNREACHED = 0.25
"""Seconds in which the keeper of a bot that does not take a message may tell that it has ended."""
UNDER_WAY = 0.1
"""Seconds past a deadline in which an answer may be among what has not been taken in."""
STARVED = 0.05
"""Seconds for which the host keeps a bot from running in a move, above which it is not the bot that is late."""
FLAWS = {
    "not_json": "a message is one frame",
    "flood": f"more than {lines.NOISE} bytes on its standard output that are no message",
}
"""What a flaw of a parcel means."""
OTHER_TOKEN = "a hello with another token came and was cut off: is it the value of ARENA_TOKEN?"
"""Evidence of a bot whose own hello was heard in vain, as it seems."""
LOG = 256 * 1024
"""Bytes of a process's log; of one that was started anew in the same job for the MANYth time and more, less."""
MANY = 8
AT_HOME = "tcp://127.0.0.1:5555"
"""Where a bot with a loopback of its own connects to: nobody else is there."""
QUICK = 0.001
"""Mean seconds of thought below which several bots of a core may be asked at once."""


class RemotePlayer:
    """Invariant: `misstep` is set exactly where the program can't be asked any more."""

    def __init__(
        self, launch: Launch, transport: Transport, folder: Path, log: Path, may_ponder: bool = True
    ) -> None:
        self.launch = launch
        self.address: Address = ()
        self.token = ""
        self.misstep: Misstep | None = None
        self.wants_events = True
        self.asked_at = 0.0
        self.deadline: float | None = None
        self.cpu: float | None = None
        """Seconds of CPU time that its last answer took; None: not known."""
        self.lag = 0.0
        """Seconds for which the host kept it from running before that answer, as far as is known."""
        self.alibi: tuple[VoidReason, str] | None = None
        """Whose fault a misstep is if not its own, and why: the host's, or its sandbox's."""
        self._may_ponder = may_ponder
        self._transport = transport
        self._folder = folder
        self._log = log
        self._starts = 0
        self._logged = 0
        """Bytes of its process's log that are of games before this."""
        self._session = Session("")
        self._kept: Kept | None = None
        self._usage: Usage | None = None
        """Since its hello."""
        self._lost = 0.0
        """Seconds of this move that were given back."""
        self._endpoint = ""
        self._seen_dead = False
        self._hint = ""
        """What may have kept its hello from being taken."""
        self._thought = QUICK
        """Running mean of its seconds a move; begins as slow."""

    # life

    def expect(self) -> dict[str, str]:
        """Listen for a program that somebody else starts; what must be in its environment."""
        return self._listen(_own_folder(self._folder))

    def start(self, startup: float | None) -> None:
        """Start the program; it has `startup` seconds for its `hello`. One that is suspended is not started."""
        if self.launch.suspended is not None:
            self.misstep, self.wants_events = self.launch.suspended, False
            return
        own = _own_folder(self._folder)
        arena = self._listen(own)
        piped = self.launch.transport == "stdio"
        self._starts, self._logged = self._starts + 1, 0
        log = self._log.with_suffix(f".{self._starts}.log") if self._starts > 1 else self._log
        env = clean_environment(own, {**self.launch.env, **arena})
        try:
            command = Command(
                self.launch.argv, Path(self.launch.cwd), env, own, log, LOG if self._starts <= MANY else LOG // 32,
                piped=piped, sandbox=self.launch.sandbox, port=_port(arena["ARENA_ENDPOINT"]),
            )  # fmt: skip
            self._kept = kept = keep(command)
            if piped:
                self.address = self._transport.join(*kept.pipes, self._endpoint, kept.log)
            elif self._is_at_home:
                self._transport.adopt(kept.listener, self._endpoint)
        except StartError as error:
            self.misstep = Misstep(FaultKind.NO_START, "not_started", str(error))
        except SandboxError as error:
            self.alibi = VoidReason.SANDBOX_FAILED, str(error)
            self.misstep = Misstep(FaultKind.NO_START, "no_sandbox", str(error))
        self.asked_at = monotonic()
        self.deadline = None if startup is None else self.asked_at + startup

    def _listen(self, own: Path) -> dict[str, str]:
        if self.launch.transport == "stdio":
            told, self._endpoint = lines.ENDPOINT, f"{lines.ENDPOINT}{own}"
        elif self._is_at_home:
            told, self._endpoint = AT_HOME, f"{AT_HOME} of {own}"
        else:
            # Without namespaces a filter can tell a port from all others, but no socket file.
            kind = "tcp" if self.launch.sandbox.network == "port" else self.launch.transport
            told = self._endpoint = self._transport.open(own, kind)
        self.token = secrets.token_hex(16)
        self._session, self.misstep, self.address = Session(self.token), None, ()
        self._seen_dead, self._hint, self.alibi = False, "", None
        return {"ARENA_ENDPOINT": told, "ARENA_TOKEN": self.token, "ARENA_PROTOCOL": str(PROTOCOL)}

    @property
    def _is_at_home(self) -> bool:
        """Whether it comes over a loopback of its own, on which the arena listens through its keeper."""
        return self.launch.transport == "tcp" and self.launch.sandbox.network == "loopback"

    def leave(self, reason: str) -> Kept | None:
        """Say `bye` where it listens, and let go. What is returned is to be polled until it is gone."""
        if self._usage:
            self._usage.wake()
        if self._session.phase is Phase.IDLE and self.address:
            self._send({"type": "bye", "reason": reason})
        return self._let_go()

    def fail(self, misstep: Misstep) -> Misstep:
        """It can't be asked any more; the caller ends it with `leave`."""
        self.misstep = misstep
        self._session.close()
        self._transport.shut(self._endpoint)
        self.deadline = None
        return misstep

    def _let_go(self) -> Kept | None:
        kept, self._kept, self._usage = self._kept, None, None
        self.fail(Misstep(FaultKind.NO_START, "left"))
        return kept

    def cpu_seconds(self) -> float | None:
        """CPU time of its processes; None once it has ended."""
        return self._kept.cpu_seconds() if self._kept else None

    # conversation

    @property
    def greeting(self) -> bool:
        """Whether its `hello` is still to come."""
        return self._session.phase is Phase.GREETING and self.misstep is None

    @property
    def asked(self) -> bool:
        """Whether it owes an answer."""
        return self._session.phase is Phase.ASKED

    @property
    def quick(self) -> bool:
        """Whether it has been found to answer at once."""
        return self._thought < QUICK

    def ask(self, ask: Ask, game_id: str) -> Misstep | None:
        """Send a message that is to be answered in time; what stands in the way, if anything."""
        if self.misstep is not None:
            return self.misstep
        self.cpu, self.lag, self._lost, self.alibi = None, 0.0, 0.0, None
        self._session.ask(game_id, ask.turn)
        if self._usage:
            self._usage.asked(monotonic())
        reached = self._send(ask.message)
        self.deadline = None if ask.budget is None else self.asked_at + ask.budget
        if not reached:  # its keeper is about to tell how it ended, and whether that was its own doing
            self.deadline = min(self.deadline or inf, self.asked_at + UNREACHED)
        return None

    def take(self, parcel: Parcel, now: float) -> Hello | Move | Ready | Misstep:
        """What the bot sent, or what was wrong with it."""
        if self.misstep is not None:
            return self.misstep
        if self.asked:
            self._thought += (now - self.asked_at - self._thought) / 16
            if (usage := self._usage) is not None:
                if usage.is_watched or self._lost:
                    self._see_lag()
                self.cpu = usage.answered()
        if self.deadline is not None and now > self.deadline:
            return self.fail(self._late(now))
        if parcel.flaw:
            evidence = f"{FLAWS[parcel.flaw]}\n{printable(parcel.payload)}"
            return self.fail(Misstep(FaultKind.PROTOCOL_ERROR, parcel.flaw, evidence))
        try:
            message = self._session.receive(parcel.payload)
        except ProtocolError as error:
            evidence = f"{error}\n{printable(parcel.payload)}"
            return self.fail(Misstep(FaultKind.PROTOCOL_ERROR, error.reason, evidence))
        self.address, self.deadline = parcel.address, None
        if isinstance(message, Hello):
            self.wants_events, self._hint = NO_EVENTS not in message.features, ""
            self._transport.settle(parcel.address)
            self._usage = Usage(self._kept, self._may_ponder) if self._kept else None
        return message

    def _see_lag(self) -> None:
        if self._usage:  # what was seen before may have been a thread's that has ended since
            self.lag = max(self.lag, self._lost, self._usage.starved())

    def suspect(self, parcel: Parcel) -> None:
        """Remember a stranger's message, for the evidence, where it may be this bot's hello with a wrong token."""
        here = self._transport.endpoint(parcel.address) == self._endpoint
        if self.greeting and here and b'"hello"' in parcel.payload:
            self._hint = OTHER_TOKEN

    def excuse(self, since: float, seconds: float) -> None:
        """Give back so many seconds from `since` on to a bot that was asked, or started, before they were over.

        But for those in which it ran all the same.
        """
        missed = min(seconds, since + seconds - self.asked_at)
        if self.deadline is not None and missed > 0:
            back = max(0.0, missed - (self._usage.ran() if self._usage else 0.0))
            self._lost += back
            self.asked_at += back
            self.deadline += back

    def look(self, now: float, heard_all: bool) -> Misstep | None:
        """What has gone wrong since: it died, or is late. To be called once a tick.

        `heard_all`: whatever it may have sent before `now` has been taken in; else it may still be under way.
        """
        if self.misstep is not None:
            return None
        if self._usage:
            look_at = self._usage.waited_for if self.asked else self._usage.rest
            look_at(now)
        if self.deadline is not None and now > self.deadline + (0 if heard_all else UNDER_WAY):
            self._see_lag()
            if not self._is_excused(now):
                return self.fail(self._late(now))
        if self.asked and not self._transport.holds(
            self.address
        ):  # no answer can come; it may be about to end
            self.deadline = min(self.deadline or inf, now + GRACE)
        if self._kept is None or (how := self._kept.poll()) is None:
            return None
        if not self._seen_dead:  # its last message may still be under way
            self._seen_dead = True
            return None
        if how.lost and self.launch.sandbox.isolates:  # without one it may have killed its keeper itself
            self.alibi = VoidReason.SANDBOX_FAILED, f"the keeper of {self.launch.bot.name} was lost"
        return self.fail(ended(how, self.greeting, self.launch.sandbox, self._hint))

    def _is_excused(self, now: float) -> bool:
        """Whether it is late by no more than the host kept it from running, and that was long."""
        assert self.deadline is not None
        return self.asked and self.lag > STARVED and now <= self.deadline + self.lag

    def _late(self, now: float) -> Misstep:
        if self._is_excused(now):
            self.alibi = (
                VoidReason.HOST_LAG,
                f"{self.launch.bot.name} was late, and for {self.lag * 1000:,.0f} ms of that move the host "
                "kept it, or its referee, from running",
            )
        assert self.deadline is not None
        kind, reason, what = FaultKind.TIMEOUT, "", late(self.deadline - self.asked_at)
        if self.greeting:
            kind, reason = FaultKind.NO_START, "no_hello"
        elif not self._transport.holds(self.address):
            kind, reason, what = FaultKind.CRASH, "closed", CLOSED
        return Misstep(kind, reason, joined(what, self._half_a_word(), self._last_words(), self._hint))

    def printed(self, leaves: bool) -> LogPart | None:
        """The part of its log since the last call: of a game, asked for at its end. None: there is none.

        `leaves`: its process plays no other game.
        """
        if self._kept is None:
            return None
        command, start = self._kept.command, self._logged
        with contextlib.suppress(OSError):  # there is no file before the first byte
            os.sched_yield()  # on a core that both share its keeper has still to write what came last
            self._logged = command.log.stat().st_size
        if start >= command.log_cap // 2 or (self._logged == start and not leaves):
            return None
        return LogPart(file=command.log.name, start=start, end=None if leaves else self._logged)

    def testify(self, fault: Fault) -> Fault:
        """Its fault of this game with the name of its log, and what it printed last, where it printed anything."""
        if self._kept is None or not (tail := self._kept.tail()):
            return fault
        words = tail[-WORDS:] if fault.kind in UNHEARD else ""
        log = f"log of its process: {self._kept.command.log.name}"
        return replace(fault, evidence=joined(log, words, fault.evidence))

    def _last_words(self) -> str:
        """How it ended, if it has, and what it printed last."""
        if self._kept is None:
            return ""
        how = self._kept.poll()
        tail = self._kept.tail()[-WORDS:]
        return f"{how}\n{tail}" if how else tail

    def _half_a_word(self) -> str:
        """What may help the author of a bot that talks in lines, and did not."""
        if self.launch.transport != "stdio":
            return ""
        if half := self._transport.unfinished(self.address):
            return f"a line of {len(half)} bytes came that did not end: did it forget the newline?\n{printable(half)}"
        if not self._transport.holds(self.address):
            return "its standard output was closed"
        return "no line that begins with { came on its standard output: did it forget to flush?"

    def _send(self, message: object) -> bool:
        data = encode(message)
        self.asked_at = monotonic()  # before: on a core that both share the bot may think before we go on
        try:
            self._transport.send(self.address, data)
        except Gone:
            return False
        return True


def turn_away(parcel: Parcel, players: Iterable[RemotePlayer], transport: Transport) -> None:
    """Hang up on a stranger; whichever of `players` it may have been remembers it."""
    for player in players:
        player.suspect(parcel)
    transport.cut(parcel.address)


def _port(endpoint: str) -> int:
    """The port of a TCP endpoint; 0 of another."""
    return int(endpoint.rpartition(":")[2]) if endpoint.startswith("tcp:") else 0


def _own_folder(parent: Path) -> Path:
    """A new folder for one process. Its keeper removes it, and the parent with it where that is empty."""
    while True:
        with contextlib.suppress(FileNotFoundError):  # a keeper has just removed the parent
            for folder in (parent.parent, parent):
                folder.mkdir(mode=0o700, exist_ok=True)
            return Path(tempfile.mkdtemp(prefix="b", dir=parent))
