"""The spawner of the process that runs the tests is there from the first: none of them has left it behind."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from referee.processes import spawner


@pytest.fixture(scope="session", autouse=True)
def warm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("swept")
    spawner.sweep(os.fsencode(folder))
    return folder
