"""What each language costs: from nothing to the first rated game, and a move.

    python tests/benchmarks/languages.py [LANGUAGE ...] [--deals 100]

For each kit whose toolchain is here: `arena bot new`, `arena bot add` (build, start, a game of each size) and
`arena run` of two games against `random`, one after the other, with an empty home folder. Packages that
registries have to send are in their caches where they have been built before. Then the bot plays against
`random-cpp` on `--deals` deals of claim/2p/GK-UWX, and what a move is charged is read from the records:
median and 95th percentile, with the socket or pipe, the runtime and JSON, and next to no thought.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles
from time import monotonic

from arena.manifests import kits, read_manifest

ARENA = Path(sys.executable).with_name("arena")


def timed(home: Path, *words: str) -> float:
    """Seconds of a command; CalledProcessError where it fails."""
    begin = monotonic()
    subprocess.run([ARENA, "--home", home, *words], cwd=home.parent, check=True, capture_output=True)
    return monotonic() - begin


def moves(home: Path, bot: str, deals: int) -> list[float]:
    """Milliseconds of each move of `bot` against `random-cpp`."""
    file = home.parent / "moves.toml"
    file.write_text(
        f'bots = ["{bot}", "random-cpp"]\nvariants = ["claim"]\ndeals = {deals}\nseed = "languages"\n'
    )
    timed(home, "run", str(file))
    timed(home, "record", "export", "moves", "-o", "moves.jsonl")
    return list(_moves(home.parent / "moves.jsonl", bot))


def _moves(export: Path, bot: str) -> Iterator[float]:
    for line in export.read_text().splitlines():
        record = json.loads(line).get("record")
        if record is None:
            continue
        seats = [seat["bot"] for seat in record["play"]["seats"]]
        for (seat, _), ms in zip(record["play"]["actions"], record["account"]["ms"], strict=True):
            if seats[seat] == bot:
                yield ms


def row(language: str, deals: int) -> str:
    """One line of the table."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        file = home.parent / "first.toml"
        file.write_text('bots = ["fresh", "random"]\nvariants = ["claim"]\ndeals = 1\nseed = "languages"\n')
        timed(home, "bot", "list")
        steps = [timed(home, "bot", "new", "fresh", "--lang", language), timed(home, "bot", "add", "./fresh")]
        steps.append(timed(home, "run", str(file)))
        times = moves(home, "fresh", deals)
        transport = read_manifest(home.parent / "fresh").transport
    new, add, run = steps
    p95 = quantiles(times, n=20)[-1]
    return (
        f"| {language} | {transport} | {new:.1f} | {add:.1f} | {run:.1f} | **{sum(steps):.1f}** | "
        f"{1000 * median(times):,.0f} | {1000 * p95:,.0f} |"
    )


def main() -> None:
    """See the module's docstring."""
    parser = argparse.ArgumentParser(description="what each language costs")
    parser.add_argument("languages", nargs="*", default=sorted(kits()))
    parser.add_argument("--deals", type=int, default=100)
    options = parser.parse_args()
    print(
        "| language | transport | new, s | add, s | run, s | first rated game, s | a move, µs | 95 % within, µs |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for language in options.languages:
        try:
            print(row(language, options.deals), flush=True)
        except subprocess.CalledProcessError as error:
            print(f"| {language} | {error.stderr.decode().strip().splitlines()[:1]} |", flush=True)


if __name__ == "__main__":
    main()
