"""What can go wrong on the wire.

    ProtocolError          the other side broke the protocol
        `reason` is the finer fault: not_json, bad_utf8, too_large, too_deep, not_finite, int_range,
        duplicate_key, wrong_type, unknown_field, bad_version, bad_token, out_of_turn, flood
"""

from __future__ import annotations


class ProtocolError(ValueError):
    """A message that may not stand there. Whose mistake: the sender's."""

    def __init__(self, reason: str, detail: str, path: str = "") -> None:
        super().__init__(f"{reason}: {detail}" + (f" (at {path})" if path else ""))
        self.reason = reason
        """The finer kind of a `protocol_error` fault."""
        self.detail = detail
        """What is wrong, for the bot's author."""
        self.path = path
        """Where in the message: `move.action`; empty: the message as a whole."""
