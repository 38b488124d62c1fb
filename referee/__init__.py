"""Plays games: the rules, the match, and the processes and sockets of the bots in it."""
