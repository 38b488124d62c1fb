"""What a match really sends is what the published schema says, in every game."""

import json

import pytest
from jsonschema import Draft202012Validator

from protocol.codec import encode
from protocol.messages import Move, Ready, referee_messages
from protocol.schema import documents
from protocol.vocabulary import BotId, GameId
from referee.clocks import NO_LIMITS, Limits
from referee.games import GAMES
from referee.match import Ask, MatchSpec, Played, Reply, play

VALIDATOR = Draft202012Validator(documents()["from_referee.json"])


def spec(game: str, variant: str, limits: Limits) -> MatchSpec:
    rules = GAMES[game]
    known = rules.variant(variant)
    bots = tuple(BotId(f"bot{seat}", "") for seat in range(known.players))
    return MatchSpec(GameId("0" * 32), rules, known, bots, limits, "secret", "seed", show_names=True)


def first(ask: Ask) -> Move | Ready:
    """The answer of a bot that takes the first legal action."""
    game = ask.message["game_id"]
    if ask.message["type"] != "turn":
        return Ready(type="ready", game_id=game)
    return Move(type="move", game_id=game, turn=ask.turn, action=ask.message["legal"][0])


def check(ask: Ask) -> None:
    """The message as sent: by the models, by the schema, and readable for a bot."""
    data = encode(ask.message)
    message = referee_messages.validate_json(data, strict=True)
    VALIDATOR.validate(json.loads(data))
    assert getattr(message, "turn", 0) == ask.turn


@pytest.mark.parametrize("limits", [Limits(), NO_LIMITS], ids=["clocks", "no_clocks"])
@pytest.mark.parametrize(
    ("game", "variant"), [(name, game.variants()[at]) for name, game in GAMES.items() for at in (0, -1)]
)
def test_all_that_a_match_sends_is_valid(game: str, variant: str, limits: Limits) -> None:
    match = play(spec(game, variant, limits))
    ask, kinds = next(match), set()
    while True:
        check(ask)
        kinds.add(ask.message["type"])
        try:
            ask = match.send(Reply(first(ask), 0.0015))
        except StopIteration as stop:
            assert isinstance(stop.value, Played)
            break
    assert kinds == {"start", "turn", "end"}
