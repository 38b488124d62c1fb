"""Pelita's turns: its referee, its players' processes over pyzmq, bots that think of nothing.

`pelita_turns.py TURNS` prints `µs`, on the clock, of a turn, once both teams have been started and asked.
"""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from pelita.game import (  # type: ignore[import-not-found, unused-ignore]
    cleanup_remote_teams,
    exit_remote_teams,
    play_turn,
    setup_game,
)
from pelita.maze_generator import generate_maze  # type: ignore[import-not-found, unused-ignore]

BOT = """
TEAM_NAME = "still"
def move(bot, state):
    return bot.legal_positions[bot.random.randrange(len(bot.legal_positions))]
"""
WARM = 8


def main(turns: int) -> None:
    """Play so many turns of one game, or all that it has."""
    with TemporaryDirectory() as folder:
        bot = Path(folder, "still.py")
        bot.write_text(BOT)
        game = setup_game([str(bot)] * 2, layout_dict=generate_maze(), max_rounds=turns, print_result=False)
        for _ in range(WARM):
            game = play_turn(game)
        began, played = monotonic(), 0
        while played < turns and game["game_phase"] == "RUNNING":
            game, played = play_turn(game), played + 1
        seconds = monotonic() - began
        exit_remote_teams(game)
        cleanup_remote_teams(game)
    print(json.dumps({"µs": seconds / played * 1e6}))


if __name__ == "__main__":
    main(int(sys.argv[1]))
