"""Which games are to be played: pure functions of the bots, the variants and the number of deals."""
