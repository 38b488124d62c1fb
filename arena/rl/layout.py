"""Where each number of an observation stands, and what it is called. Knows no game."""

from __future__ import annotations

from collections.abc import Iterable


class Layout:
    """Blocks of numbers one after the other, each number with a name.

    >>> layout = Layout()
    >>> layout.block("hand", ["K7", "K8"]), layout.block("deck")
    (0, 2)
    >>> layout.names
    ['hand.K7', 'hand.K8', 'deck']
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        """By index."""

    def block(self, name: str, entries: Iterable[object] = ()) -> int:
        """Room for a number for each of `entries`, or for one; where it begins."""
        start = len(self.names)
        self.names += [f"{name}.{entry}" for entry in entries] or [name]
        return start

    def by_seat(self, name: str, seats: Iterable[int], entries: Iterable[object] = ()) -> dict[int, int]:
        """A block for each of some seats, counted from the observer's own; where each begins."""
        found = list(entries)
        return {seat: self.block(f"{name}[{seat}]", found) for seat in seats}
