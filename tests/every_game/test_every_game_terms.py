"""Every word that a view, a setup or an event can hold has its term, in every language, and events their sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from protocol.vocabulary import LANGS
from referee.game import Game
from referee.games import GAMES
from referee.games.aristoocrazy import wire as aristoocrazy
from referee.games.aristoocrazy.data import data
from referee.games.claim import wire as claim
from referee.games.claim.cards import LETTERS
from referee.wording import sentence

ALL = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
IN_ALL = pytest.mark.parametrize("lang", LANGS)
TABLE = data()


def kinds(game: Game) -> dict[str, type[BaseModel]]:
    found: dict[str, type[BaseModel]] = import_module(f"referee.games.{game.name}.wire").EVENTS
    return found


def literals(annotation: Any) -> Iterator[str]:
    """The strings of all Literals in an annotation."""
    for part in get_args(annotation):
        if isinstance(part, str):
            yield part
        elif isinstance(part, type) and issubclass(part, BaseModel):
            yield from literals(part.model_fields["kind"].annotation)
        else:
            yield from literals(part)


WORDS = [
    ("claim", "faction", set(LETTERS)),
    ("claim", "phase", set(literals(claim.View.model_fields["phase"].annotation))),
    ("claim", "decision", set(literals(claim.View.model_fields["decision"].annotation))),
    ("claim", "source", set(literals(claim.Recruit.model_fields["source"].annotation))),
    ("claim", "to", set(literals(claim.Capture.model_fields["to"].annotation))),
    ("aristoocrazy", "trait", set(get_args(aristoocrazy.Trait))),
    ("aristoocrazy", "sex", set(get_args(aristoocrazy.Sex))),
    ("aristoocrazy", "phase", set(literals(aristoocrazy.View.model_fields["phase"].annotation))),
    ("aristoocrazy", "decision", set(literals(aristoocrazy.View.model_fields["decision"].annotation))),
    ("aristoocrazy", "why", set(literals(aristoocrazy.Moved.model_fields["why"].annotation))),
    ("aristoocrazy", "why", set(literals(aristoocrazy.Taken.model_fields["why"].annotation))),
    ("aristoocrazy", "why", set(literals(aristoocrazy.Born.model_fields["why"].annotation)) | {"reroll"}),
    ("aristoocrazy", "die", set(literals(aristoocrazy.Rolled.model_fields["die"].annotation))),
    ("aristoocrazy", "card", {card.id for card in TABLE.actions}),
    ("aristoocrazy", "card", {card.id for card in (*TABLE.symbols, *TABLE.events("seed10"))}),
]  # fmt: skip


@IN_ALL
@pytest.mark.parametrize(("name", "family", "words"), WORDS)
def test_every_word_of_the_wire_has_a_term(name: str, family: str, words: set[str], lang: str) -> None:
    terms = GAMES[name].terms(lang)
    assert words and {word for word in words if not terms.get(f"{family}.{word}")} == set()


@ALL
@IN_ALL
def test_every_kind_of_event_has_a_name_and_a_sentence_of_what_the_wire_gives(game: Game, lang: str) -> None:
    terms = game.terms(lang)
    for kind, model in kinds(game).items():
        fields = {field.alias or name for name, field in model.model_fields.items()}
        plain = {field.alias or name for name, field in model.model_fields.items() if not _nullable(field)}
        used = set(re.findall(r"\{(\w+)", terms[f"say.{kind}"]))
        assert terms[f"kind.{kind}"] and used <= fields
        assert used <= plain or set(re.findall(r"\{(\w+)", terms[f"say.{kind}.none"])) <= plain
    assert {key.split(".")[1] for key in terms if key.startswith(("say.", "kind."))} == set(kinds(game))


def _nullable(field: Any) -> bool:
    return type(None) in get_args(field.annotation)


@ALL
def test_languages_say_the_same_of_the_same_things(game: Game) -> None:
    first, *others = (game.terms(lang) for lang in LANGS)
    for other in others:
        assert first.keys() == other.keys() and first != other
        for key, term in first.items():
            assert set(re.findall(r"\{.*?\}", term)) == set(re.findall(r"\{.*?\}", other[key])), key


@ALL
def test_a_language_that_there_is_not_is_refused(game: Game) -> None:
    with pytest.raises(ValueError):
        game.terms("la")


def test_a_sentence_does_without_what_its_reader_may_not_know() -> None:
    terms = GAMES["claim"].terms("en")
    known = {"seat": 1, "card": "K7", "source": "deck"}
    assert sentence(terms, "recruit", known) == "seat 1 recruits K7 (from the deck)"
    assert (
        sentence(terms, "recruit", known | {"card": None}) == "seat 1 recruits a hidden card (from the deck)"
    )
    assert sentence(terms, "unheard_of", known) is None
    house = {"seat": 0, "why": "E25", "tokens": {"valour": 1, "rule": 1}}
    czech = GAMES["aristoocrazy"].terms("cs")
    assert sentence(czech, "spent", house) == "hráč 0 vydává udatnost 1, vláda 1 (královská přízeň)"
    award = {"event": "E30", "seat": 1, "vp": 1}
    assert sentence(czech, "award", award) == "hráč 1 získává 1 VB (E30 mor)"
    over = {"winner": 0, "wins": [1, 0], "committed": [{"bow": 1, "magic": 2}, {}]}
    assert sentence(czech, "battle", over) == "hráč 0 vyhrává bitvu 1:0; nasazeno: luk 1+magie 2, nic"
