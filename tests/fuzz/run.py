"""Fuzz one target for a while: `python -m tests.fuzz.run TARGET SECONDS`, with atheris installed (`make fuzz`).

What is found new goes into build/fuzz/TARGET and is where the next run begins. A failure is shown with its
traceback, and its input is kept as build/fuzz/TARGET-crash-DIGEST: `python -m tests.fuzz.run TARGET FILE` runs it
again, which needs no atheris.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

FOLDER = Path("build", "fuzz")
UNDER_TEST = ("protocol", "referee", "arena", "tests.fuzz.targets", "tomllib", "zipfile")
"""Modules whose branches steer the fuzzer."""
LONGEST = 1 << 14
"""Bytes of an input."""
SLOW = 10
"""Seconds for one input, from which on it is a failure."""
LARGE = 1024
"""MiB, likewise."""


def main(target: str, what: str) -> None:
    """Fuzz so many seconds, or run one input again."""
    if not what.isdigit():
        from tests.fuzz.targets import TARGETS

        TARGETS[target](Path(what).read_bytes())
        return
    import atheris  # type: ignore[import-untyped]

    with atheris.instrument_imports(include=list(UNDER_TEST)):
        from tests.fuzz.targets import TARGETS
    words = {
        "max_total_time": what, "max_len": LONGEST, "timeout": SLOW, "rss_limit_mb": LARGE, "print_final_stats": 1,
        "keep_seed": 1, "len_control": 0,  # what C code does with a seed steers nothing
        "artifact_prefix": f"{FOLDER}/{target}-",
    }  # fmt: skip
    argv = [target, *(f"-{name}={value}" for name, value in words.items()), str(_corpus(target))]
    atheris.Setup(argv, TARGETS[target])
    atheris.Fuzz()


def _corpus(target: str) -> Path:
    """The folder of a target's inputs, with the seeds in it."""
    from tests.fuzz.seeds import SEEDS

    folder = FOLDER / target
    folder.mkdir(parents=True, exist_ok=True)
    for seed in SEEDS[target]():
        (folder / hashlib.sha1(seed, usedforsecurity=False).hexdigest()).write_bytes(seed)
    return folder


if __name__ == "__main__":
    main(*sys.argv[1:])
