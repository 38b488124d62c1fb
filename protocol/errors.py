"""What can go wrong on the wire.

ProtocolError          the other side broke the protocol
    `reason` is the finer fault: too_large, bad_utf8, too_deep, not_json, not_finite, int_range,
    duplicate_key, wrong_type, unknown_field (in the order in which `codec.decode` looks for them);
    out_of_turn, bad_token, bad_version (`session.Session`); flood (the endpoint)
"""

from __future__ import annotations

from protocol.escape import visible

MAX_DETAIL = 200


class ProtocolError(ValueError):
    """A message that may not stand there. Whose mistake: the sender's.

    Invariant: its texts are short and printable, whatever bytes they quote.
    """

    def __init__(self, reason: str, detail: str, path: str = "") -> None:
        self.reason = reason
        """The finer kind of a `protocol_error` fault."""
        self.detail = printable(detail)
        """What is wrong, for the bot's author."""
        self.path = printable(path)
        """Where in the message: `move.action`; empty: the message as a whole."""
        super().__init__(f"{reason}: {self.detail}" + (f" (at {self.path})" if path else ""))


def printable(text: str, limit: int = MAX_DETAIL) -> str:
    r"""The first `limit` characters of `text`, in one visible line.

    >>> printable("knight\x1b[2J\ud800"), printable("knight", 4)
    ('knight\\x1b[2J\\ud800', 'kni…')
    """
    return visible(text if len(text) <= limit else text[: limit - 1] + "…")
