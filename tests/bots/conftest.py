"""Bots that can think for longer or shorter think shortly here."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _few_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEARCH_PLAYOUTS", "5")
