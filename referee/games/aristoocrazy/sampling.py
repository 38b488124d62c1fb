"""A full state that agrees with all that a seat knows, drawn from its view alone (Aristoocrazy R37a).

Stashes, hands and the action deck come from the seat's ledgers; answers that are sealed, cards still face
down and the luck to come are drawn. What the other seats can tell of each other is not known to anybody
here: in a drawn state they know what this seat knows for certain, and the number of the rest.
"""

from __future__ import annotations
