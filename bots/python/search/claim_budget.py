"""How long to think: a number of playouts, or a time, or what comes first of both."""

from __future__ import annotations

import time

PLAYOUT = 30
"""What a playout costs; a position that a search looks at costs one."""
LOOK = 96
"""How much is spent between two looks at the clock."""


class Budget:
    """What one move may cost; infinite numbers mean no limit."""

    def __init__(self, playouts: float, seconds: float) -> None:
        self.units = playouts * PLAYOUT
        self.seconds = seconds
        self.begin = time.monotonic()
        self.left = 1.0
        """The share that is left; negative where more was spent than there was."""
        self.spent = 0
        self.looked = 0

    def spend(self, units: int) -> bool:
        """Take note of a cost; whether anything is left."""
        self.spent += units
        if self.spent - self.looked >= LOOK:
            self.looked = self.spent
            by_time = 1 - (time.monotonic() - self.begin) / self.seconds
            self.left = min(1 - self.spent / self.units, by_time)
        return self.left > 0
