"""How long to think: a number of playouts, or a time."""

from __future__ import annotations

import time

PLAYOUT = 10
"""What a playout costs; a node of a search costs one."""
LOOK = 32
"""How much is spent between two looks at the clock."""


class Budget:
    """What one move may cost."""

    def __init__(self, units: float, deadline: float) -> None:
        self.units = units
        """What is left; a node costs one."""
        self.deadline = deadline
        """As `time.monotonic` has it."""
        self.unlooked = 0

    def spend(self, units: int) -> bool:
        """Whether there was something left to spend."""
        self.units -= units
        self.unlooked += units
        if self.unlooked >= LOOK:
            self.unlooked = 0
            if time.monotonic() > self.deadline:
                self.units = -1
        return self.units >= 0
