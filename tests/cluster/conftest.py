"""A stage for each test, in a folder with a short path: sockets' names are short."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cluster.stage import Stage, lacking


@pytest.fixture
def folder() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="km", dir="/tmp"))
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def stage(folder: Path) -> Iterator[Stage]:
    if os.getuid() != 0:
        pytest.skip("network namespaces are made by root")
    if why := lacking():
        pytest.fail(f"these tests cannot be run here: {why}")
    stage = Stage(folder)
    try:
        stage.open()
        yield stage
    finally:
        stage.close()
