"""A match in this process, one question after the other: no worker, no poller."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.vocabulary import Seat
from referee.match import MatchSpec, Played, Reply, play
from referee.players import Player


def drive(spec: MatchSpec, players: Sequence[Player]) -> Played:
    """Play one game, `players` by seat. Raises GameError where the deal does not fit the variant."""
    deaf = [Seat(seat) for seat, player in enumerate(players) if not player.wants_events]
    match = play(spec, deaf)
    reply: Reply | None = None
    while True:
        try:
            ask = match.send(reply) if reply else next(match)
        except StopIteration as stop:
            played: Played = stop.value
            return played
        reply = players[ask.seat].reply(ask)  # outside the try: what a player raises is no end of the game
