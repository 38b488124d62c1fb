# expect: protocol_error/out_of_turn
"""Moves twice."""

from tests.bad_bots.bare import follow, hello, move, say


def answer(heard):
    say(move(heard))
    say(move(heard))


say(hello())
follow(answer)
