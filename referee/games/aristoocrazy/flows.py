"""Stories of things of some kinds that come and go, in which everything seen fits (for `traces`).

Things of a kind are alike, so what happens at a place is a flow: units of a kind enter at an arrival, wait
from step to step, and leave at a departure.

    step          0 came a|b    1 came a    2 went a|b    3 counted a = 1
    kind a     ------(+)---------(+)---------(-)-------------[1]-------> end
    kind b     ------(+)---------------------(-)-----------------------> end

A `Line` is such a flow with one story that fits. To push a unit along another way gives another story, and
where there is no way there is no such story: that is exact for one line. A `Link` ties two steps whose
things are of one kind (one thing that went unseen from place to place, or two that came together); links
are settled first, and only they can get stuck.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final, NamedTuple

ATTEMPTS: Final = 5000
"""How often links are settled before a trace counts as impossible."""
FAITH: Final = 0.75
"""How often the present story is asked first for the kind of a link: it seldom gets stuck."""
IMPOSSIBLE: Final = "no world agrees with the view"


def kinds_of(domain: int, kinds: int) -> list[int]:
    """The kinds in a domain (a set of kinds as bits), ascending."""
    return [kind for kind in range(kinds) if domain >> kind & 1]


class Line:
    """The story of one place: a flow of kinds through steps that keeps every bound.

    For each step and kind: what waits before + what arrives = what departs + `stock`.
    """

    __slots__ = ("bound", "closed", "domain", "gain", "kind", "kinds", "reached", "stock")

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
        self.reached: set[int] = set()
        """Step times `kinds` plus kind: where units got to that found no way (see `bars`)."""
        self.closed = False
        """Whether the story is told: what waits after the last step may then be of other kinds."""

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

    def arrive(self, domain: int, kind: int) -> int:
        """A thing comes in at a new step, which is returned; for the present it is of that kind."""
        self._step()[kind] += 1
        return self._happen(1, domain, kind)

    def depart(self, domain: int, rng: random.Random) -> int:
        """A thing goes away at a new step, which is returned. Raises ValueError where none can."""
        stock = self._step()
        there = [kind for kind, count in enumerate(stock) for _ in range(count)]
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

    def close(self) -> None:
        """No step comes after this one."""
        self._step()
        self.closed = True

    def settle(self, step: int, kind: int) -> bool:
        """The thing of `step` is of that kind from now on; False, and nothing changes, where it can't be."""
        old, domain = self.kind[step], self.domain[step]
        self.kind[step], self.domain[step] = kind, 1 << kind
        surplus, lack = (kind, old) if self.gain[step] > 0 else (old, kind)
        if kind == old or self._reroute(step, [surplus], 1 << lack) is not None:
            return True
        self.kind[step], self.domain[step] = old, domain
        return False

    def bars(self, step: int) -> bool:
        """Whether units that found no way could have gone on if `step` were open."""
        nodes = range(step * self.kinds, (step + 1) * self.kinds)
        return not self.reached.isdisjoint(nodes if self.gain[step] < 0 else [nodes[self.kind[step]]])

    def ranking(self, step: int, rng: random.Random) -> list[int]:
        """The open kinds of a step in a random order; what goes is more likely of a kind with more things."""
        kinds = kinds_of(self.domain[step], self.kinds)
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
        self.reached.update(queue)
        return None

    def _ways(self, step: int, kind: int) -> list[int]:
        """Where a unit too much may go: it waits, was not waited for, or takes another's part at `step`."""
        kinds, node = self.kinds, step * self.kinds + kind
        ways = []
        if step + 1 < len(self.stock):
            bound, _, most = self.bound[step]
            if bound != kind or self.stock[step][kind] < most:
                ways.append(node + kinds)
        elif self.closed:
            ways.extend(step * kinds + other for other, count in enumerate(self.stock[step]) if count)
        if step:
            bound, least, _ = self.bound[step - 1]
            if self.stock[step - 1][kind] > (least if bound == kind else 0):
                ways.append(node - kinds)
        gain = self.gain[step]
        if gain > 0 and self.kind[step] == kind:
            ways.extend(step * kinds + other for other in kinds_of(self.domain[step], kinds))
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
            elif self.gain[step]:
                self.kind[step] = other if self.gain[step] > 0 else kind
            else:
                self.stock[step][kind] += 1
                self.stock[step][other] -= 1
            node = last
        return node % self.kinds


class Link(NamedTuple):
    """Two steps whose things are of one kind."""

    lines: tuple[Line, Line]
    steps: tuple[int, int]
    domain: int

    def settle(self, rng: random.Random) -> bool:
        """Give both steps a kind that leaves each line a story; False where no kind does."""
        for line in self.lines:
            line.reached.clear()
        ranking = self.lines[0].ranking(self.steps[0], rng)
        if rng.random() < FAITH:
            ranking.insert(0, self.lines[1].kind[self.steps[1]])
        return any(self._agree(kind) for kind in ranking)

    def _agree(self, kind: int) -> bool:
        agreed = all(line.settle(step, kind) for line, step in zip(self.lines, self.steps, strict=True))
        if not agreed:
            self.release()
        return agreed

    def release(self) -> None:
        """Both steps are open again."""
        for line, step in zip(self.lines, self.steps, strict=True):
            line.domain[step] = self.domain

    def bars(self, stuck: Link) -> bool:
        """Whether `stuck`, which could not be settled, might be if this one were open."""
        return any(
            line.bars(step) for line, step in zip(self.lines, self.steps, strict=True) if line in stuck.lines
        )


def settle(links: Sequence[Link], rng: random.Random) -> None:
    """Settle all links in turn. For one that gets stuck, others that bar its way are opened, one by one.

    Raises ValueError where that leads nowhere.
    """
    still = [*reversed(links)]
    done: list[Link] = []
    for _ in range(ATTEMPTS):
        if not still:
            return
        if still[-1].settle(rng):
            done.append(still.pop())
            continue
        bars = [at for at, link in enumerate(done) if link.bars(still[-1])]
        if not bars:
            break
        still.insert(0, done.pop(rng.choice(bars)))
        still[0].release()
    raise ValueError(IMPOSSIBLE)
