"""What a seat can tell of things behind other seats' screens (Aristoocrazy R36, R37, R37a).

A *trace* is what one seat saw happen, in order, to things of some kinds (traits, action cards) in some
places (houses; the deck). `contents` draws what the places may hold in the end. A `Ledger` keeps the plain
counts, and a trace only while something is in doubt. Nothing here knows the rules of the game.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from referee.games.aristoocrazy.flows import Line, Link, kinds_of, settle

CAME: Final = "came"
TWINS: Final = "twins"
WENT: Final = "went"
MOVED: Final = "moved"
COUNTED: Final = "counted"
HOLDS: Final = "holds"

ANY: Final = -1
"""The domain of a thing that may be of any kind."""


class Entry(NamedTuple):
    """One thing that a seat saw. A domain is a set of kinds as bits."""

    what: str
    place: int
    other: int
    """The place that a thing moved to; elsewhere -1."""
    domain: int
    """The kinds that the thing may be of; of a look at a place, the one kind looked for."""
    number: int
    """How many were counted; elsewhere 0."""

    @classmethod
    def came(cls, place: int, domain: int) -> Entry:
        """A thing came in."""
        return cls(CAME, place, -1, domain, 0)

    @classmethod
    def twins(cls, place: int, domain: int) -> Entry:
        """Two things of the same kind came in."""
        return cls(TWINS, place, -1, domain, 0)

    @classmethod
    def went(cls, place: int, domain: int) -> Entry:
        """A thing went away."""
        return cls(WENT, place, -1, domain, 0)

    @classmethod
    def moved(cls, source: int, target: int) -> Entry:
        """A thing went from place to place, and its kind was not seen."""
        return cls(MOVED, source, target, ANY, 0)

    @classmethod
    def counted(cls, place: int, kind: int, number: int) -> Entry:
        """The place held exactly that many of a kind."""
        return cls(COUNTED, place, -1, 1 << kind, number)

    @classmethod
    def holds(cls, place: int, kind: int) -> Entry:
        """The place held at least one of a kind."""
        return cls(HOLDS, place, -1, 1 << kind, 0)

    @classmethod
    def from_json(cls, row: Sequence[Any], names: Sequence[str]) -> Entry:
        """What `to_json` wrote. Raises ValueError for a word or kind that is not known."""
        match row:
            case ["moved", int(source), int(target)]:
                return cls.moved(source, target)
            case ["counted", int(place), str(kind), int(number)] if number >= 0:
                return cls.counted(place, names.index(kind), number)
            case ["holds", int(place), str(kind)]:
                return cls.holds(place, names.index(kind))
            case ["came" | "twins" | "went" as what, int(place), str(first), *rest]:
                return cls(what, place, -1, sum(1 << names.index(kind) for kind in {first, *rest}), 0)
        raise ValueError(f"not an entry of a trace: {row!r}")

    def to_json(self, names: Sequence[str]) -> list[Any]:
        """The word, the place, then kinds by name; of a move the two places; of a count its number last.

        >>> Entry.came(1, 0b101).to_json(["bow", "sword", "magic"])
        ['came', 1, 'bow', 'magic']
        """
        if self.what == MOVED:
            return [MOVED, self.place, self.other]
        row = [self.what, self.place, *(names[kind] for kind in kinds_of(self.domain, len(names)))]
        return [*row, self.number] if self.what == COUNTED else row

    @property
    def kind(self) -> int:
        """The kind where it is certain, else -1."""
        return -1 if self.domain & self.domain - 1 else self.domain.bit_length() - 1

    @property
    def places(self) -> tuple[int, ...]:
        """The places that it tells of."""
        return (self.place, self.other) if self.what == MOVED else (self.place,)


def contents(trace: Iterable[Entry], places: int, kinds: int, rng: random.Random) -> list[list[int]]:
    """What each place may hold at the end of a trace: counts by kind, drawn with `rng`.

    Every possibility has a chance; they are not equally likely. Raises ValueError where there is none.
    """
    lines = [Line(kinds) for _ in range(places)]
    links = [link for entry in trace for link in _told(lines, entry, rng)]
    for line in lines:
        line.close()
    settle(links, rng)
    for line in lines:
        line.settle_all(rng)
    return [line.stock[-1] for line in lines]


def _told(lines: Sequence[Line], entry: Entry, rng: random.Random) -> list[Link]:
    """Take an entry into the lines; the link that it makes, if any."""
    line = lines[entry.place]
    every = (1 << line.kinds) - 1
    match entry.what:
        case "came":
            line.arrive(entry.domain, rng.choice(kinds_of(entry.domain, line.kinds)))
        case "went":
            line.depart(entry.domain, rng)
        case "counted":
            line.look(entry.kind, entry.number, entry.number)
        case "holds":
            line.look(entry.kind, 1, sum(line.stock[-1]) if line.stock else 0)
        case "twins":
            kind = rng.choice(kinds_of(entry.domain, line.kinds))
            steps = line.arrive(entry.domain, kind), line.arrive(entry.domain, kind)
            return [Link((line, line), steps, entry.domain)]
        case _:
            step, other = line.depart(every, rng), lines[entry.other]
            return [Link((line, other), (step, other.arrive(every, line.kind[step])), every)]
    return []


@cache
def _json(entry: Entry, names: tuple[str, ...]) -> list[Any]:
    """Of the few thousand entries that there can be, each is written once."""
    return entry.to_json(names)


class Ledger:
    """What one seat can tell of each place, kept up to date while it watches.

    A kind is *sure* at a place while its count in `known` is exact, a place is clear while all its kinds
    are. The trace begins where a place stops being clear, with what it held then, and ends where all are.
    """

    __slots__ = ("_sure", "_traced", "kinds", "known", "trace", "unknown")

    def __init__(self, places: int, kinds: int, known: Sequence[Sequence[int]] = ()) -> None:
        self.kinds = kinds
        self.known = [list(counts) for counts in known] or [[0] * kinds for _ in range(places)]
        """By place and kind, things that were seen to come and not to go."""
        self.unknown = [0] * places
        """By place, things of unseen kind; negative: so many of those in `known` have gone unseen."""
        self.trace: list[Entry] = []
        self._sure = [(1 << kinds) - 1] * places
        """By place, the kinds that are sure, as bits."""
        self._traced = 0
        """The places that the trace tells of, as bits."""

    @classmethod
    def rebuilt(
        cls, known: Sequence[Sequence[int]], trace: Iterable[Sequence[Any]], names: Sequence[str]
    ) -> Ledger:
        """The ledger of what `trace_json` wrote, and of `known` for places of which the trace tells nothing.

        Raises ValueError for a row that it cannot have written.
        """
        ledger = cls(len(known), len(names))
        for row in trace:
            entry = Entry.from_json(row, names)
            if not all(0 <= place < len(known) for place in entry.places):
                raise ValueError(f"no such place: {row!r}")
            ledger.note(entry)
        for place, counts in enumerate(known):
            if ledger.clear(place):
                ledger.known[place] = list(counts)
        return ledger

    def clear(self, place: int) -> bool:
        """Whether `known` says all of the place that there is to say."""
        return self._sure[place] == (1 << self.kinds) - 1

    def trace_json(self, names: tuple[str, ...]) -> list[list[Any]]:
        """The trace as short lists (see `Entry.to_json`), kinds by name; equal entries share a list."""
        return [_json(entry, names) for entry in self.trace]

    def clone(self) -> Ledger:
        """An independent copy."""
        copy = Ledger(0, self.kinds)
        copy._traced = self._traced
        copy.known = [counts[:] for counts in self.known]
        copy.unknown, copy.trace, copy._sure = self.unknown[:], self.trace[:], self._sure[:]
        return copy

    def came(self, place: int, domain: int) -> None:
        """A thing of a kind in the domain came in."""
        self.note(Entry.came(place, domain))

    def twins(self, place: int, domain: int) -> None:
        """Two things of the same kind in the domain came in."""
        self.note(Entry.twins(place, domain))

    def went(self, place: int, domain: int) -> None:
        """A thing of a kind in the domain went away."""
        self.note(Entry.went(place, domain))

    def moved(self, source: int, target: int) -> None:
        """A thing went from place to place, and its kind was not seen."""
        self.note(Entry.moved(source, target))

    def counted(self, place: int, kind: int, number: int) -> None:
        """The place was seen to hold exactly that many of a kind."""
        self.note(Entry.counted(place, kind, number))

    def holds(self, place: int, kind: int) -> None:
        """The place was seen to hold at least one of a kind."""
        self.note(Entry.holds(place, kind))

    def seen(self, place: int, counts: Sequence[int]) -> None:
        """All that the place holds was seen."""
        for kind, number in enumerate(counts):
            self.counted(place, kind, number)

    def note(self, entry: Entry) -> None:
        """Keep what the seat saw: in the counts, and in the trace where that tells more."""
        unseen = entry.kind < 0
        for place in entry.places:
            if unseen:
                self._doubt(place, entry.domain)
        if self._traced >> entry.place & 1:
            self.trace.append(entry)
        self._count(entry)
        for place in entry.places:
            if not self.clear(place) and sum(self.known[place]) + self.unknown[place] == 0:
                self._sure[place] = (1 << self.kinds) - 1
                self.known[place], self.unknown[place] = [0] * self.kinds, 0
        if self.trace and all(map(self.clear, range(len(self.known)))):
            self.trace, self._traced = [], 0

    def _doubt(self, place: int, domain: int) -> None:
        """The kinds of a domain are no longer sure; the trace begins with what the place held."""
        if not self._traced >> place & 1:
            self._traced |= 1 << place
            for kind, count in enumerate(self.known[place]):
                self.trace += [Entry.came(place, 1 << kind)] * count
        self._sure[place] &= ~domain

    def _count(self, entry: Entry) -> None:
        place, kind, known = entry.place, entry.kind, self.known[entry.place]
        match entry.what:
            case "came" | "twins":
                self._add(place, kind, 2 if entry.what == TWINS else 1)
            case "went":
                self._add(place, kind if kind >= 0 and known[kind] else -1, -1)
            case "moved":
                self._add(place, -1, -1)
                self._add(entry.other, -1, 1)
            case "counted":
                self.unknown[place] += known[kind] - entry.number
                known[kind] = entry.number
                self._sure[place] |= entry.domain
            case _ if not known[kind]:
                known[kind] = 1
                self.unknown[place] -= 1

    def _add(self, place: int, kind: int, number: int) -> None:
        """So many things more, of a kind or (-1) of an unseen one."""
        if kind < 0:
            self.unknown[place] += number
        else:
            self.known[place][kind] += number

    def draw(self, rng: random.Random) -> list[list[int]]:
        """What each place may hold, by kind. Raises ValueError where nothing agrees with the trace."""
        drawn = contents(self.trace, len(self.known), self.kinds, rng)
        for place, known in enumerate(self.known):
            if self.clear(place):
                drawn[place] = known[:]
        return drawn
