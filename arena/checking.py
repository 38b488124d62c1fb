"""Is a tournament such that it could begin? Found out without taking a bot in or building one."""

from __future__ import annotations

from pathlib import Path

from arena.building import digest
from arena.bundles import Bot, found_at, resolve
from arena.config import Tournament, is_path
from arena.errors import InputError
from arena.home import Home
from arena.ledger import Ledger
from arena.manifests import house_bots
from arena.reading import opened
from arena.tournament import check_lineup
from protocol.vocabulary import BotId


def check(tournament: Tournament, home: Home) -> None:
    """Raise InputError with all that is wrong: bots that don't exist or don't play, tables too large."""
    bots, troubles = [], []
    with opened(home) as ledger:
        for reference in tournament.bots:
            try:
                bots.append(_look_at(home, ledger, reference))
            except InputError as error:
                troubles.append(error)
    if len(troubles) == 1:
        raise troubles[0]
    if troubles:
        lines = [f"{trouble} ({trouble.fix})" if trouble.fix else str(trouble) for trouble in troubles]
        raise InputError("\n  ".join(["bots:", *lines]), "mend each of them", troubles[0].code)
    check_lineup(tournament, bots)


def _look_at(home: Home, ledger: Ledger, reference: str) -> Bot:
    """The bot that is meant; one that is not taken in yet stands at its path."""
    houses = house_bots()
    if is_path(reference):
        path = Path(reference)
    elif reference in houses and not ledger.bots(reference):
        path = houses[reference]
    else:
        return resolve(home, ledger, reference)
    with found_at(home, path) as found:
        return Bot(BotId(found.manifest.name, digest(found.files())), found.manifest, path)
