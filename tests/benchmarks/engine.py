"""The games at random, without a referee: what a search or a learner gets out of the rules in plain Python."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Sequence
from cProfile import Profile
from functools import partial
from pathlib import Path
from time import process_time
from types import CodeType

from referee.chance import deal_seed, shuffled
from referee.game import State
from referee.games import game_of
from referee.games.claim.game import Claim
from referee.games.claim.variants import ClaimVariant
from tests.benchmarks.harness import Case, Figures
from tests.benchmarks.stage import DISK

PEER = DISK / "bench-venv"
"""An environment with the peers; nothing is measured of those that can't be had."""
OPEN_SPIEL = "open_spiel==2.0.2"
DEALS = 5
"""Of each variant, in one sample."""
HEARTS = 500
HOUSES = {
    "for two": "aristoocrazy/2p/classic",
    "for four": "aristoocrazy/4p/classic",
    "quick": "aristoocrazy/2p/quick2013",
}
PARTS = {
    "legal lists and turns": ("rules", "turns", "people", "actions", "cards"),
    "what others can tell": ("traces", "flows", "tokens"),
    "courtship and battles": ("births", "battles", "luck", "chance"),
    "events": ("evaluation", "measures", "events"),
}
"""Of Aristoocrazy's engine, by module; the rest is the loop, the state's surface and Python's own functions."""


def engines() -> list[Case]:
    """All variants, those for two, and the peer."""
    claim = Claim()
    variants = [claim.variant(id) for id in claim.variants()]
    two = [variant for variant in variants if variant.players == 2]
    ours: list[Case] = [
        partial(_claim, "claim", variants),
        partial(_claim, "claim for two", two),
        _aristoocrazy,
        _aristoocrazy_profile,
    ]
    return [*ours, _hearts] if has_peers(OPEN_SPIEL) else [*ours]


def has_peers(*packages: str) -> bool:
    """Whether some peers are there; installs them where it can."""
    python = PEER / "bin/python"
    try:
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", PEER], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
    except subprocess.CalledProcessError as error:
        print(f"not measured: {', '.join(packages)}: {error}", file=sys.stderr)
        return False
    return True


def _claim(name: str, variants: Sequence[ClaimVariant]) -> Figures:
    game = game_of("claim")
    assert isinstance(game, Claim)
    began = process_time()
    seeds = [(variant, deal_seed("bench", variant.id, n)) for n in range(DEALS) for variant in variants]
    deals = [(variant, shuffled(seed, "deck", variant.deck)) for variant, seed in seeds]
    dealt = process_time()
    steps = sum(_play(game.deal_cards(variant, cards)) for variant, cards in deals)
    played = process_time()
    return {
        f"{name} games/s": len(deals) / (played - dealt),
        f"{name} µs": (played - dealt) / steps * 1e6,
        f"{name} deal µs": (dealt - began) / len(deals) * 1e6,
    }


def _aristoocrazy() -> Figures:
    game, figures = game_of("aristoocrazy"), Figures()
    for name, id in HOUSES.items():
        variant = game.variant(id)
        began = process_time()
        steps = sum(_play(game.setup(variant, deal_seed("bench", id, n))) for n in range(10 * DEALS))
        seconds = process_time() - began
        figures |= {
            f"houses {name} games/s": 10 * DEALS / seconds,
            f"houses {name} µs": seconds / steps * 1e6,
        }
    return figures


def _aristoocrazy_profile() -> Figures:
    """Where the time of games for four goes, in per cent of what the profiler sees."""
    game = game_of("aristoocrazy")
    variant = game.variant(HOUSES["for four"])
    profile = Profile()
    for n in range(2 * DEALS):
        profile.runcall(_play, game.setup(variant, deal_seed("profile", variant.id, n)))
    spent: dict[str, float] = {}
    for entry in profile.getstats():
        module = Path(entry.code.co_filename).stem if isinstance(entry.code, CodeType) else ""
        spent[module] = spent.get(module, 0.0) + entry.inlinetime
    whole = sum(spent.values())
    shares = {part: sum(spent.get(module, 0.0) for module in modules) for part, modules in PARTS.items()}
    return {f"houses % {part}": 100 * share / whole for part, share in shares.items()}


def _play(state: State) -> int:
    steps = 0
    while acting := state.to_act:
        state.apply(acting[0], random.choice(state.legal(acting[0])))
        steps += 1
    return steps


def _hearts() -> Figures:
    script = Path(__file__).with_name("open_spiel_hearts.py")
    done = subprocess.run([PEER / "bin/python", script, str(HEARTS)], check=True, capture_output=True)
    return {f"hearts {name}": value for name, value in json.loads(done.stdout).items()}
