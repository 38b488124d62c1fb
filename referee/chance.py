"""Deterministic luck: shuffles and dice out of a seed, the same on every machine (Aristoocrazy R38).

Stream `s` of a seed is the blocks SHA-256 of the UTF-8 text `<seed>|<s>|<b>` for b = 0, 1, 2, …; each
block gives four big-endian words of 8 bytes. Published test vectors, for kits that rebuild a deal:

>>> stream = Stream("kingmaker", "deck")
>>> [stream.below(1000) for _ in range(8)]
[174, 807, 883, 613, 141, 260, 279, 133]
>>> shuffled("kingmaker", "deck", range(10))
[2, 5, 9, 7, 6, 1, 0, 8, 3, 4]
>>> deal_seed("kingmaker", "claim/2p/GK-UWX", 0)
'b815aeb8142ded5be3c59ae7caa8e6c397d41ecd726352c23f3e24578edc0527'
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")
_WORD = 1 << 64


class Stream:
    """One named stream of a seed's luck. Streams of other names don't disturb it."""

    __slots__ = ("_block", "_prefix", "_words")

    def __init__(self, seed: str, name: str) -> None:
        self._prefix = f"{seed}|{name}|"
        self._block = 0
        self._words: list[int] = []

    def _word(self) -> int:
        if not self._words:
            block = sha256(f"{self._prefix}{self._block}".encode()).digest()
            self._block += 1
            self._words = [int.from_bytes(block[i : i + 8], "big") for i in (24, 16, 8, 0)]
        return self._words.pop()

    def below(self, k: int) -> int:
        """A number from 0 to k-1, each as likely. `k` = 1 takes no luck. ValueError where k < 1."""
        if k < 1:
            raise ValueError(f"below({k}): there is no number from 0 to {k - 1}")
        if k == 1:
            return 0
        limit = _WORD - _WORD % k
        while (word := self._word()) >= limit:
            pass
        return word % k

    def shuffle(self, items: list[T]) -> None:
        """Put `items` in a random order, in place (Fisher-Yates from the end)."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


def shuffled(seed: str, name: str, items: Iterable[T]) -> list[T]:
    """`items` in the order that stream `name` of `seed` gives them."""
    result = list(items)
    Stream(seed, name).shuffle(result)
    return result


def deal_seed(tournament_seed: str, variant: str, number: int) -> str:
    """The seed of a tournament's deal `number` (from 0) of a variant: 64 hex digits."""
    return sha256(f"{tournament_seed}|{variant}|{number}".encode()).hexdigest()
