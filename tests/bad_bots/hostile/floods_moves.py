# expect: protocol_error/out_of_turn
"""Sends its move 100,000 times."""

from tests.bad_bots.bare import move
from tests.bad_bots.hostile.raw import Wire


def answer(heard):
    wire.send(wire.pack(move(heard)) * 100_000)


wire = Wire()
wire.follow(answer)
