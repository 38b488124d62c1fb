"""Small programs in C that the benchmarks need, built where they are not yet."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
BUILT = HERE.parents[2] / "build/bench"
COMPILE = ("cc", "-std=c11", "-O2", "-Wall", "-Wextra")


def built(name: str) -> Path:
    """The program `name.c`, as it is now. Raises CalledProcessError where it does not build."""
    source, program = HERE / f"{name}.c", BUILT / name
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        BUILT.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=BUILT) as folder:  # another process may build or run it just now
            made = Path(folder, name)
            subprocess.run([*COMPILE, source, "-o", made, "-lzmq"], check=True)
            made.replace(program)
    return program


def bot(folder: Path, name: str, transport: str) -> Path:
    """A folder with the bot that thinks of nothing, as a user would hand it in."""
    folder.mkdir(parents=True)
    folder.joinpath("bot.c").write_bytes((HERE / "bot.c").read_bytes())
    build = ", ".join(f'"{word}"' for word in (*COMPILE, "bot.c", "-o", "bot", "-lzmq"))
    folder.joinpath("bot.toml").write_text(
        f'name = "{name}"\nversion = "1.0.0"\nlanguage = "c"\ngames = ["claim", "aristoocrazy"]\n'
        f'build = [{build}]\nrun = ["./bot"]\ntransport = "{transport}"\n'
    )
    return folder
