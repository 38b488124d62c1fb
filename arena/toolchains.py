"""What the kit of each language is built and run with, and what of it is missing on this machine."""

from __future__ import annotations

import shutil
import subprocess

PROGRAMS: dict[str, tuple[str, ...]] = {
    "bash": ("bash", "jq"),
    "c": ("gcc", "make"),
    "cpp": ("g++", "make"),
    "csharp": ("make", "mcs", "mono"),
    "go": ("go",),
    "java": ("javac", "mvn"),
    "javascript": ("node", "npm"),
    "lua": ("lua5.4",),
    "perl": ("perl",),
    "python": (),
    "ruby": ("ruby",),
    "rust": ("cargo",),
    "typescript": ("node", "npm"),
}
HEADERS = {"c": ("zmq.h", "cjson/cJSON.h"), "cpp": ("zmq.hpp", "simdjson.h")}


def missing(language: str) -> list[str]:
    """Programs, or else headers, that a kit needs and that are not here."""
    absent = [program for program in PROGRAMS[language] if shutil.which(program) is None]
    return absent or [header for header in HEADERS.get(language, ()) if not _finds(language, header)]


def _finds(language: str, header: str) -> bool:
    compiler, kind = ("g++", "c++") if language == "cpp" else ("gcc", "c")
    source = f"#if !__has_include(<{header}>)\n#error\n#endif\n"
    command = [compiler, "-fsyntax-only", "-x", kind, "-"]
    return subprocess.run(command, input=source, text=True, capture_output=True).returncode == 0
