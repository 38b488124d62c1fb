"""Which deals of a meeting are over: a byte each, so that a million of them weigh one megabyte."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

MOST = 1_000_000
"""Deals that a meeting can have: those of a tournament file are no more."""


class Deals(Set[int]):
    """Numbers from 0 below MOST, to which others may be added."""

    __slots__ = ("_over",)

    def __init__(self, deals: Iterable[int] = ()) -> None:
        self._over = bytearray()
        for deal in deals:
            self.add(deal)

    def add(self, deal: int) -> None:
        """One more. Raises ValueError where there can be no such deal."""
        if not 0 <= deal < MOST:
            raise ValueError(f"there is no deal {deal}")
        if deal >= len(self._over):
            self._over.extend(bytes(deal + 1 - len(self._over)))
        self._over[deal] = 1

    def below(self, end: int) -> int:
        """How many of the first `end` deals are over."""
        return self._over.count(1, 0, end)

    def lacking(self, first: int, end: int) -> Iterator[int]:
        """Those from `first` on and below `end` that are not over, as they are when it comes to them."""
        deal = first
        while (deal := self._next(deal)) < end:
            yield deal
            deal += 1

    def _next(self, deal: int) -> int:
        """The first one from `deal` on that is not over."""
        found = self._over.find(0, deal)
        return found if found >= 0 else max(deal, len(self._over))

    def __contains__(self, deal: object) -> bool:
        return isinstance(deal, int) and 0 <= deal < len(self._over) and self._over[deal] == 1

    def __iter__(self) -> Iterator[int]:
        return (deal for deal, over in enumerate(self._over) if over)

    def __len__(self) -> int:
        return self._over.count(1)

    def __repr__(self) -> str:
        return f"Deals({list(self)})"


NONE = Deals()
"""Of a meeting of which nothing is over; nothing is added to it."""
