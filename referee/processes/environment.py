"""What a bot finds in its environment: a short published list, so that no setting of ours reaches it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path

ALLOWED_ENV = ("PATH", "LANG", "LC_*", "TZ")
"""Patterns of the names that a bot inherits. Besides them it has HOME and TMPDIR, its scratch folder."""


def clean_environment(folder: Path, extra: Mapping[str, str]) -> dict[str, str]:
    """The whole environment of a bot with scratch folder `folder`; `extra` wins over all else.

    >>> clean_environment(Path("/scratch"), {"PATH": "/bin", "TZ": "UTC"})["TMPDIR"]
    '/scratch'
    """
    inherited = {
        name: value
        for name, value in os.environ.items()
        if any(fnmatchcase(name, pattern) for pattern in ALLOWED_ENV)
    }
    return {"PATH": os.defpath} | inherited | {"HOME": str(folder), "TMPDIR": str(folder)} | dict(extra)
