"""Is a tournament such that it could begin? Found out without taking a bot in or building one."""

from __future__ import annotations

from arena.bundles import look_at
from arena.config import Tournament
from arena.errors import InputError
from arena.home import Home
from arena.lineup import check_file
from arena.reading import opened


def check(tournament: Tournament, home: Home) -> None:
    """Raise InputError with all that is wrong: bots that don't exist or don't play, tables too large."""
    bots, troubles = [], []
    with opened(home) as ledger:
        for reference in tournament.bots:
            try:
                bots.append(look_at(home, ledger, reference))
            except InputError as error:
                troubles.append(error)
        if len(troubles) == 1:
            raise troubles[0]
        if troubles:
            lines = [f"{trouble} ({trouble.fix})" if trouble.fix else str(trouble) for trouble in troubles]
            raise InputError("\n  ".join(["bots:", *lines]), "mend each of them", troubles[0].code)
        check_file(tournament, bots, ledger)
