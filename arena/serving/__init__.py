"""Tournaments in the browser, while they run: what `arena serve` is made of. The one home of starlette and uvicorn.

    server      a socket, a server on it, and its end
    guard       who is let in, and what each answer lets a browser do
    application which address is answered by what
    sites       the static site of each tournament, built anew when its chain has moved
    shown       games whose records may be shown, and their replays
    channel     what is told to all who watch a tournament, once a second
    remaking    a value that is made anew, and how much of the time that may take

Nothing here writes to a ledger, starts a game or reaches a bot. What is shown is what the static site shows, games of
closed deals, and what `arena.live` lets be seen of the others.
"""
