"""(g) Others on the nearest same work: packages from PyPI, and fastchess where there is a binary."""

from __future__ import annotations

from functools import partial

from tests.benchmarks.fastchess import plies
from tests.benchmarks.harness import Bar, Case, Row, Session, at_least
from tests.benchmarks.peers import PACKAGES, peer
from tests.benchmarks.report import Part
from tests.benchmarks.stage import VARIANT

TURNS = 300
ZOO = ("leduc_holdem_v4", "connect_four_v3")
ABOUT = f"""
A move, turn, step or ply is that of each one's own game, so this says what a runner or an environment takes beside it.
Pelita's referee asks Python bots in processes of their own over pyzmq, on one core. kaggle-environments calls functions
in its own process. fastchess is compared where `FASTCHESS=` names a binary: with engines that answer at once, on one core
for a ply, two games at a time on both cores for its best. A step of PettingZoo's is `last()` and `step()` with a random
action out of the mask, the same loop for all; one of RLCard's is a step with the state that it gives. These are CPU time.

Each is installed in an environment of its own under `build/peers`:
{", ".join(sorted({package for packages in PACKAGES.values() for package in packages}))}.
"""


def part() -> Part:
    """What is compared with rows of other parts is measured there."""
    cases = [
        peer("pelita", "pelita", "pelita_turns.py", str(TURNS), pinned=True),
        peer("kaggle", "kaggle", "kaggle_steps.py", pinned=True),
        peer("pettingzoo", "pettingzoo", "pettingzoo_steps.py", *ZOO),
        peer("ours", "", "pettingzoo_steps.py", VARIANT),
        peer("rlcard", "rlcard", "rlcard_steps.py"),
        Case("fastchess", partial(plies, 1), pinned=True),
        Case("fastchess best", partial(plies, 2)),
    ]
    return Part("(g) Beside others", ABOUT, cases, _rows)


def _rows(session: Session) -> list[Row]:
    row, ratio = session.row, session.ratio
    stdio, ipc, step = "whole stdio none µs", "whole ipc none µs", "plain claim µs"
    return [
        ratio("per_fastchess", stdio, "fastchess µs", "whole referee, stdio, µs a move / fastchess a ply", Bar(0.75)),
        ratio("ipc_per_fastchess", ipc, "fastchess µs", "the same over ZeroMQ, stock libzmq bots / fastchess a ply", Bar(1.4)),
        ratio("moves_per_fastchess", "Claim for two 2 moves/s", "fastchess best plies/s", "moves/s of 2 cores with storage / fastchess's plies/s", at_least(1.5)),
        ratio("per_pelita", stdio, "pelita µs", "whole referee, stdio, µs a move / Pelita a turn", Bar(0.1)),
        ratio("per_kaggle", stdio, "kaggle connectx µs", "the same / kaggle-environments a step", Bar(0.02)),
        ratio("python_per_pelita", "python µs", "pelita µs", "with Python bots over ZeroMQ / Pelita a turn"),
        ratio("per_pettingzoo", f"ours {VARIANT} µs", f"pettingzoo {ZOO[0]} µs", "PettingZoo environment of Claim / of PettingZoo's Leduc hold'em, a step"),
        ratio("per_rlcard", step, "rlcard bridge µs", "Claim, plain, a decision / RLCard's bridge a step"),
        row("fastchess_us", "fastchess µs", "µs a ply: fastchess, one core"),
        row("fastchess_plies", "fastchess best plies/s", "plies/s: fastchess, two games at a time"),
        row("pelita_us", "pelita µs", "µs a turn: Pelita"),
        row("kaggle_us", "kaggle connectx µs", "µs a step: kaggle-environments, connectx"),
        row("kaggle_rps_us", "kaggle rps µs", "µs a step: kaggle-environments, rps"),
        row("aec_us", f"ours {VARIANT} µs", "µs a step: PettingZoo environment of Claim, base game for two"),
        row("pettingzoo_leduc_us", f"pettingzoo {ZOO[0]} µs", "µs a step: PettingZoo, Leduc hold'em"),
        row("pettingzoo_four_us", f"pettingzoo {ZOO[1]} µs", "µs a step: PettingZoo, connect four"),
        row("rlcard_bridge_us", "rlcard bridge µs", "µs a step: RLCard, bridge"),
        row("rlcard_leduc_us", "rlcard leduc µs", "µs a step: RLCard, Leduc hold'em"),
    ]  # fmt: skip
