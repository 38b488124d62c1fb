"""What a seat can tell of things behind other seats' screens (Aristoocrazy R36, R37, R37a).

A *trace* is what one seat saw happen, in order, to things of some kinds (traits, action cards) in some
places (houses; the deck). `contents` draws what the places may hold in the end. A `Ledger` keeps the plain
counts, and a trace only while something is in doubt. Nothing here knows the rules of the game.

Things of a kind are alike, so a place's story is a flow: units of a kind enter at an arrival, wait from
step to step, and leave at a departure.

    step         0 came a|b     1 came a      2 went a|b     3 counted a = 1
    kind a     ----(+)---stock---(+)---stock---(-)---stock---[1]----> end
    kind b     ----(+)---stock----------stock---(-)---stock----------> end

A `_Line` is a place's flow with one story that fits; pushing one unit along another way gives another
story, and where there is no way there is no such story. That is exact for one place. What ties two steps
together (a thing that went unseen from place to place, two things alike) is settled first.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

CAME: Final = "came"
TWINS: Final = "twins"
WENT: Final = "went"
MOVED: Final = "moved"
COUNTED: Final = "counted"
HOLDS: Final = "holds"

ANY: Final = -1
"""The domain of a thing that may be of any kind."""
ATTEMPTS: Final = 200
"""Orders of settling that are tried before a trace counts as impossible."""
IMPOSSIBLE: Final = "no world agrees with the view"


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
            case ["counted", int(place), str(kind), int(number)]:
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
        row = [self.what, self.place, *(names[kind] for kind in _kinds(self.domain, len(names)))]
        return [*row, self.number] if self.what == COUNTED else row

    @property
    def kind(self) -> int:
        """The kind where it is certain, else -1."""
        return -1 if self.domain & self.domain - 1 else self.domain.bit_length() - 1

    @property
    def places(self) -> tuple[int, ...]:
        """The places that it tells of."""
        return (self.place, self.other) if self.what == MOVED else (self.place,)


def _kinds(domain: int, kinds: int) -> list[int]:
    return [kind for kind in range(kinds) if domain >> kind & 1]


class _Line:
    """The story of one place: a flow of kinds through steps that keeps every bound.

    For each step and kind: what waits before + what arrives = what departs + `stock`.
    """

    __slots__ = ("bound", "domain", "gain", "kind", "kinds", "stock")

    def __init__(self, kinds: int) -> None:
        self.kinds = kinds
        self.gain: list[int] = []
        """By step: 1 an arrival, -1 a departure, 0 a look."""
        self.domain: list[int] = []
        """By step, the kinds that are still open."""
        self.kind: list[int] = []
        """By step, the kind in the present story."""
        self.stock: list[list[int]] = []
        """By step and kind, what waits after it."""
        self.bound: list[tuple[int, int, int]] = []
        """By step: a kind, the least and the most that may wait of it."""

    def _step(self) -> list[int]:
        self.stock.append(self.stock[-1][:] if self.stock else [0] * self.kinds)
        self.gain.append(0)
        self.domain.append(0)
        self.kind.append(-1)
        self.bound.append((-1, 0, 0))
        return self.stock[-1]

    def _happen(self, gain: int, domain: int, kind: int) -> int:
        self.gain[-1], self.domain[-1], self.kind[-1] = gain, domain, kind
        return len(self.gain) - 1

    def arrive(self, domain: int, rng: random.Random) -> int:
        """A thing comes in at a new step, which is returned."""
        kind = rng.choice(_kinds(domain, self.kinds))
        self._step()[kind] += 1
        return self._happen(1, domain, kind)

    def depart(self, domain: int, rng: random.Random) -> int:
        """A thing goes away at a new step, which is returned. Raises ValueError where none can."""
        stock = self._step()
        there = [kind for kind, count in enumerate(stock) if count]
        rng.shuffle(there)
        taken, kind = self._turn(there, domain)
        stock[taken] -= 1
        return self._happen(-1, domain, kind)

    def look(self, kind: int, least: int, most: int) -> None:
        """From `least` to `most` of a kind wait at a new step. Raises ValueError where they can't."""
        stock = self._step()
        while not least <= stock[kind] <= most:
            few = stock[kind] < least
            others = [other for other, count in enumerate(stock) if other != kind and (count or not few)]
            if few:
                lost, won = self._turn(others, 1 << kind)
            else:
                lost, won = self._turn([kind], ~(1 << kind))
            stock[lost] -= 1
            stock[won] += 1
        self.bound[-1] = (kind, least, most)

    def _turn(self, starts: Sequence[int], goals: int) -> tuple[int, int]:
        """At the last step, a unit of one of `starts` turned into one of `goals`: which, and into which."""
        ends = self._reroute(len(self.gain) - 1, starts, goals)
        if ends is None:
            raise ValueError(IMPOSSIBLE)
        return ends

    def settle(self, step: int, kind: int) -> bool:
        """The thing of `step` is of that kind from now on; False, and nothing changes, where it can't be."""
        old, domain = self.kind[step], self.domain[step]
        self.kind[step], self.domain[step] = kind, 1 << kind
        surplus, lack = (kind, old) if self.gain[step] > 0 else (old, kind)
        if kind == old or self._reroute(step, [surplus], 1 << lack) is not None:
            return True
        self.kind[step], self.domain[step] = old, domain
        return False

    def ranking(self, step: int, rng: random.Random) -> list[int]:
        """The open kinds of a step in a random order; what goes is more likely of a kind with more things."""
        kinds = _kinds(self.domain[step], self.kinds)
        if self.gain[step] > 0:
            rng.shuffle(kinds)
            return kinds
        stock = self.stock[step]
        return sorted(kinds, key=lambda kind: rng.random() ** (1 / (stock[kind] + 0.2)), reverse=True)

    def settle_all(self, rng: random.Random) -> None:
        """Give every step a kind at random among those that leave a story."""
        steps = [step for step, domain in enumerate(self.domain) if domain & domain - 1]
        rng.shuffle(steps)
        for step in steps:
            any(self.settle(step, kind) for kind in self.ranking(step, rng))

    def _reroute(self, step: int, starts: Sequence[int], goals: int) -> tuple[int, int] | None:
        """Push a unit that is too much of one of `starts` at `step` to where one of `goals` lacks there.

        The first and last kind of the way; None, and nothing changes, where there is no way.
        """
        kinds = self.kinds
        before = {step * kinds + kind: -1 for kind in starts}
        queue = list(before)
        for node in queue:
            at, kind = divmod(node, kinds)
            if at == step and goals >> kind & 1:
                return self._push(node, before), kind
            for next in self._ways(at, kind):
                if next not in before:
                    before[next] = node
                    queue.append(next)
        return None

    def _ways(self, step: int, kind: int) -> list[int]:
        """Where a unit too much may go: it waits, was not waited for, or takes another's part at `step`."""
        kinds, node = self.kinds, step * self.kinds + kind
        ways = []
        if step + 1 < len(self.stock):
            bound, _, most = self.bound[step]
            if bound != kind or self.stock[step][kind] < most:
                ways.append(node + kinds)
        if step:
            bound, least, _ = self.bound[step - 1]
            if self.stock[step - 1][kind] > (least if bound == kind else 0):
                ways.append(node - kinds)
        gain = self.gain[step]
        if gain > 0 and self.kind[step] == kind:
            ways.extend(step * kinds + other for other in _kinds(self.domain[step], kinds))
        elif gain < 0 and self.domain[step] >> kind & 1:
            ways.append(step * kinds + self.kind[step])
        return ways

    def _push(self, node: int, before: dict[int, int]) -> int:
        """Change the story along the way that ends at `node`; the kind that it starts with."""
        while (last := before[node]) >= 0:
            (step, kind), (to, other) = divmod(last, self.kinds), divmod(node, self.kinds)
            if to > step:
                self.stock[step][kind] += 1
            elif to < step:
                self.stock[to][kind] -= 1
            else:
                self.kind[step] = other if self.gain[step] > 0 else kind
            node = last
        return node % self.kinds


class _Link(NamedTuple):
    """Two steps whose things are of one kind."""

    lines: tuple[_Line, _Line]
    steps: tuple[int, int]
    domain: int

    def settle(self, rng: random.Random) -> bool:
        """Give both steps a kind that leaves each line a story; False where no kind does."""
        return any(self._agree(kind) for kind in self.lines[0].ranking(self.steps[0], rng))

    def _agree(self, kind: int) -> bool:
        agreed = all(line.settle(step, kind) for line, step in zip(self.lines, self.steps, strict=True))
        if not agreed:
            self.release()
        return agreed

    def release(self) -> None:
        """Both steps are open again."""
        for line, step in zip(self.lines, self.steps, strict=True):
            line.domain[step] = self.domain


def contents(trace: Iterable[Entry], places: int, kinds: int, rng: random.Random) -> list[list[int]]:
    """What each place may hold at the end of a trace: counts by kind, drawn with `rng`.

    Every possibility has a chance; they are not equally likely. Raises ValueError where there is none.
    """
    lines = [_Line(kinds) for _ in range(places)]
    links = [link for entry in trace for link in _told(lines, entry, rng)]
    _settle(links, rng)
    for line in lines:
        line.settle_all(rng)
    return [line.stock[-1] if line.stock else [0] * kinds for line in lines]


def _told(lines: Sequence[_Line], entry: Entry, rng: random.Random) -> list[_Link]:
    """Take an entry into the lines; the link that it makes, if any."""
    line, every = lines[entry.place], (1 << lines[entry.place].kinds) - 1
    match entry.what:
        case "came":
            line.arrive(entry.domain, rng)
        case "went":
            line.depart(entry.domain, rng)
        case "counted":
            line.look(entry.kind, entry.number, entry.number)
        case "holds":
            line.look(entry.kind, 1, sum(line.stock[-1]) if line.stock else 0)
        case "twins":
            steps = line.arrive(entry.domain, rng), line.arrive(entry.domain, rng)
            return [_Link((line, line), steps, entry.domain)]
        case _:
            other = lines[entry.other]
            return [_Link((line, other), (line.depart(every, rng), other.arrive(every, rng)), every)]
    return []


def _settle(links: Sequence[_Link], rng: random.Random) -> None:
    """Settle all links. One that gets stuck is settled first in the next attempt."""
    order = rng.sample(links, len(links))
    for _ in range(ATTEMPTS):
        stuck = next((at for at, link in enumerate(order) if not link.settle(rng)), None)
        if stuck is None:
            return
        order.insert(0, order.pop(stuck))
        for link in order:
            link.release()
    raise ValueError(IMPOSSIBLE)


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
        self._traced = 0

    @classmethod
    def rebuilt(
        cls,
        known: Sequence[Sequence[int]],
        unknown: Sequence[int],
        trace: Iterable[Sequence[Any]],
        names: Sequence[str],
    ) -> Ledger:
        """The ledger of these counts and of what `trace_json` wrote.

        Raises ValueError for a row that it cannot have written, or counts that are not those of the trace.
        """
        ledger = cls(len(known), len(names))
        for row in trace:
            ledger.note(Entry.from_json(row, names))
        for place, counts in enumerate(known):
            if not ledger._traced >> place & 1:
                ledger.known[place] = list(counts)
        if ledger.known != [list(counts) for counts in known] or ledger.unknown != list(unknown):
            raise ValueError(IMPOSSIBLE)
        return ledger

    def trace_json(self, names: Sequence[str]) -> list[list[Any]]:
        """The trace as short lists (see `Entry.to_json`), kinds by name."""
        return [entry.to_json(names) for entry in self.trace]

    def clone(self) -> Ledger:
        """An independent copy."""
        copy = object.__new__(Ledger)
        copy.kinds, copy._traced = self.kinds, self._traced
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
            if not sum(self.known[place]) + self.unknown[place]:
                self._sure[place] = (1 << self.kinds) - 1
                self.known[place], self.unknown[place] = [0] * self.kinds, 0
        if self.trace and all(sure == (1 << self.kinds) - 1 for sure in self._sure):
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
                self._add(place, kind if known[kind] else -1, -1)
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
        return [
            drawn[place] if self._traced >> place & 1 else self.known[place][:]
            for place in range(len(self.known))
        ]
