"""A ledger with games that nobody played, so that what reads it is tested without processes."""

from __future__ import annotations

from contextlib import closing
from itertools import islice

from arena.config import Tournament
from arena.home import Home
from arena.ledger import Ledger
from arena.planning import plan_of
from protocol.result import GameResult, SeatResult
from protocol.vocabulary import BotId, FaultKind, Verdict
from referee.games import game_of
from referee.jobs import GameDone, PlannedGame
from tests.arena.made import keep, round_robin

ANN, BOB = BotId("ann", "a" * 40), BotId("bob", "b" * 40)


def fill(home: Home, name: str, variants: list[str], games: int, *, deals: int = 2, faulty: int = 0) -> None:
    """Enter tournament `name` of ann and bob, with its first `games`; ann wins, bob spoils `faulty` of them."""
    config = Tournament(name=name, bots=["ann", "bob"], variants=variants, deals=deals)
    home.folder()
    with closing(Ledger(home.ledger)) as ledger:
        ledger.begin(name, "a seed", config.model_dump(mode="json"), [ANN, BOB], ["carl is left out"])
        planned = (
            (pairing.variant, pairing.seating, game)
            for pairing in round_robin(plan_of(config, "a seed"), [ANN, BOB])
            for game in pairing.games
        )
        keep(ledger, name, [done(*one, n < faulty) for n, one in enumerate(islice(planned, games))])


def done(variant: str, seating: tuple[BotId, ...], planned: PlannedGame, spoilt: bool) -> GameDone:
    game = game_of(variant)
    known = game.variant(variant)
    seats = tuple(
        SeatResult(bot, team, int(bot != ANN), 0, FaultKind.TIMEOUT if spoilt and bot == BOB else None)
        for bot, team in zip(seating, known.teams, strict=True)
    )
    verdict = Verdict.FORFEIT if spoilt else Verdict.FINISHED
    result = GameResult(
        planned.id, game.name, variant, game.rules_id(known), planned.deal, planned.block,
        planned.block_size, seats, verdict,
    )  # fmt: skip
    return GameDone(planned, "job", result, b"")
