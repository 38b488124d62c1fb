"""A match in this process, one question after the other: no worker, no poller."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.vocabulary import Seat
from referee.match import MatchSpec, Played, play
from referee.players import Player


def drive(spec: MatchSpec, players: Sequence[Player]) -> Played:
    """Play one game, `players` by seat. Raises GameError where the deal does not fit the variant."""
    deaf = [Seat(seat) for seat, player in enumerate(players) if not player.wants_events]
    match = play(spec, deaf)
    try:
        ask = next(match)
        while True:
            ask = match.send(players[ask.seat].reply(ask))
    except StopIteration as stop:
        played: Played = stop.value
        return played
