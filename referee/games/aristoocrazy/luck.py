"""Where dice and thefts fall: each occasion has a stream of its own (Aristoocrazy R38).

    <red|black|thief>/<round>/<seat>/<number of that kind in that turn, from 1>

Nothing is kept between two dice of an occasion: what has fallen is told, and drawn again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from referee.chance import Stream

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Luck:
    """All that a deal has of luck after the decks are shuffled."""

    seed: str
    fixed: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Occasions of a literal deal: faces from 1 to 6, or for thefts a place in the stash from 0."""

    def faces(self, occasion: str, start: int, count: int) -> tuple[int, ...]:
        """The faces, 1 to 6, of the dice number `start` to `start + count - 1` of an occasion."""
        fixed = self.fixed.get(occasion, ())
        stream = Stream(self.seed, occasion)
        wanted = range(max(start + count - len(fixed), 0))
        faces = fixed + tuple([1 + stream.below(6) for _ in wanted])
        return faces[start : start + count]

    def pick(self, occasion: str, count: int) -> int:
        """One of `count` things, from 0."""
        if occasion in self.fixed:
            return self.fixed[occasion][0] % count
        return Stream(self.seed, occasion).below(count)

    def reshuffled(self, items: Sequence[T], earlier: Sequence[int]) -> list[T]:
        """`items` shuffled by stream `actions` after it has shuffled decks of `earlier` sizes."""
        stream = Stream(self.seed, "actions")
        for size in earlier:
            stream.shuffle(list(range(size)))
        shuffled = list(items)
        stream.shuffle(shuffled)
        return shuffled
