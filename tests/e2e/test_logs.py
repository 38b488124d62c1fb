"""What real bots print, by the game in which they printed it."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

from arena.config import parse
from arena.home import Home
from arena.ledger import Ledger
from arena.printed import printed
from arena.tournament import run
from referee.replay import read

TALKER = """\
import sys
from protocol.client import Bot, run

class Talker(Bot):
    games = 0

    def say(self, *words):
        print(*words, file=sys.stderr, flush=True)

    def started(self, start):
        self.games += 1
        self.say("begins", self.games)

    def choose(self, turn):
        if self.games == 3 and turn["turn"] == 4:
            raise ValueError("a stone")
        return turn["legal"][0]

    def ended(self, end):
        self.say("ends", self.games)

print("wakes", file=sys.stderr, flush=True)
run(Talker())
print("sleeps", file=sys.stderr, flush=True)
"""


def test_each_game_has_what_was_printed_in_it(home: Home, short: Path) -> None:
    (short / "talker.py").write_text(TALKER)
    cup = {"name": "cup", "bots": [str(short / "talker.py"), "greedy"], "variants": ["claim"], "deals": 4}
    run(parse(cup | {"seed": "s", "suspend_after": 0}, "test"), home)
    logs = home.path / "logs" / "cup"
    with closing(Ledger(home.ledger)) as ledger:
        games = [read(ledger.record(id)) for id in ledger.ids("cup")]
    said = [text for game in games for text in printed(game, [logs]).values()]
    assert len(said) == len(games) == 8, "greedy prints nothing"
    # On a busy machine the last words of a game may be in the part of the next.
    begun = sorted(re.sub(r"ends \d\n", "", text.partition("Traceback")[0]) for text in said)
    first = "wakes\nbegins 1\n"
    assert begun == sorted([first, "begins 2\n", "begins 3\n", f"{first}sleeps\n"] * 2)
    assert all(text.rstrip().endswith("a stone") for text in said if "begins 3" in text)
    assert sum(map(len, said)) == sum(path.stat().st_size for path in logs.glob("claim*.log")), (
        "all of it, once"
    )
