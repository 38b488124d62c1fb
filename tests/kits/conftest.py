"""Kits of other languages need their toolchains: they are tried by `make test-kits`, and by nobody else.

A kit whose toolchain is missing here is skipped, and the report says what is missing; one that does not build
though its tools are there fails.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.home import Home
from arena.manifests import kits

PROGRAMS = {
    "bash": ["bash", "jq"], "c": ["gcc", "make"], "cpp": ["g++", "make"], "csharp": ["mcs", "mono"],
    "go": ["go"], "java": ["javac", "mvn"], "javascript": ["node", "npm"], "lua": ["lua5.4"], "perl": ["perl"],
    "python": ["python3"], "ruby": ["ruby"], "rust": ["cargo"], "typescript": ["node", "npm"],
}  # fmt: skip
"""What a kit is built and run with."""
HEADERS = {"c": ["zmq.h", "cjson/cJSON.h"], "cpp": ["zmq.hpp", "simdjson.h"]}
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.kits)
            item.add_marker(pytest.mark.xdist_group("kits"))
            item.add_marker(pytest.mark.timeout(900))  # a first build fetches and compiles libraries


def missing(language: str) -> list[str]:
    """Programs and headers that a kit needs and this machine has not."""
    absent = [program for program in PROGRAMS[language] if shutil.which(program) is None]
    for header in HEADERS.get(language, ()) if not absent else ():
        probe = [
            "g++" if language == "cpp" else "gcc",
            "-fsyntax-only",
            "-x",
            "c++" if language == "cpp" else "c",
            "-",
        ]
        if subprocess.run(probe, input=f"#include <{header}>\n", text=True, capture_output=True).returncode:
            absent.append(header)
    return absent


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
