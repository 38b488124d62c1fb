"""Kits of other languages need their toolchains: they are tried by `make test-kits`, and by nobody else.

A kit whose toolchain is missing here is skipped, and the report says what is missing; one that does not build
though its tools are there fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.home import Home
from arena.manifests import kits
from arena.toolchains import missing

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.kits)
            item.add_marker(pytest.mark.xdist_group("kits"))
            item.add_marker(pytest.mark.timeout(900))  # a first build fetches and compiles libraries


@pytest.fixture(params=sorted(kits()))
def language(request: pytest.FixtureRequest) -> str:
    """Each that has a kit, where its toolchain is here."""
    name: str = request.param
    if absent := missing(name):
        pytest.skip(f"the kit in {name} needs {', '.join(absent)}")
    return name


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """One home for all, so that each kit is built once."""
    yield Home(tmp_path_factory.mktemp("kits") / "home")
