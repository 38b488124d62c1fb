"""What every page has: its place in the site and what it may load."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

from leaderboards.pages import Frame

_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'{}; img-src 'self' data:; base-uri 'none'; form-action 'none'"
CSP = _POLICY.format("")
"""Of a page of the site: whatever it needs is in files beside it."""


def frame(title: str, path: str, summary: str = "") -> Frame:
    """Of a page of the site, `path` from its root."""
    return Frame(title, path, "../" * path.count("/"), CSP, summary)


def alone(title: str, style: str, summary: str) -> Frame:
    """Of a page that is a file of its own: it has its style in it, which its digest allows, and loads nothing."""
    digest = b64encode(sha256(style.encode()).digest()).decode()
    csp = (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    return Frame(title, "", "", csp, summary, style)
