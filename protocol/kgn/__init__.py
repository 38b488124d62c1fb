r"""KGN, the text form of a record, for people and for any program: what PGN and PBN are for chess and bridge.

A line names a field and gives its value; indented lines continue it. What a bot noted stands behind its action, and
a fault where it happened. Texts are quoted as `escape.visible` shows them, and a quotation mark and a backslash take
a backslash before them: nothing in a text ends a line or moves a cursor, and it is read back as it was. The grammar
is in docs/records.md.

Text and record are each other's: `encode` of what is read gives the bytes that were written, hashes among them.
Nothing here knows a game; whether actions are legal and hashes right is for others to say.
"""

from typing import Final

from protocol.kgn.reading import is_kgn, read
from protocol.kgn.tokens import Malformed
from protocol.kgn.writing import write

__all__ = ["ENDING", "MEDIA_TYPE", "Malformed", "is_kgn", "read", "write"]

ENDING: Final = ".kgn"
MEDIA_TYPE: Final = "text/x-kgn; charset=utf-8"
