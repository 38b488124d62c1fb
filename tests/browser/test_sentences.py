"""An event is the same sentence in the viewer as in the terminal, in every language."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from protocol.vocabulary import LANGS
from referee.games import GAMES
from referee.wording import sentence
from tests.browser.conftest import WEB
from tests.every_game.game_walks import ended

pytestmark = pytest.mark.web

PROGRAM = """
import { readFileSync } from "node:fs";
import { sentence, termsOf } from "./src/replay/words";

const { terms, events } = JSON.parse(readFileSync(0, "utf8"));
const t = termsOf(terms);
console.log(JSON.stringify(events.map(([kind, body]) => sentence({ kind, body, audience: null }, t))));
"""
SOME = {
    "claim": ["claim", "claim/2p/NA-WTS", "claim/3p/GK-UWXTD", "claim/4p/NA-UWXTS"],
    "aristoocrazy": ["aristoocrazy/2p/classic", "aristoocrazy/3p/quick2013", "aristoocrazy/4p/classic"],
}


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", SOME)
def test_a_sentence_is_the_same_in_the_viewer(
    name: str, lang: str, node: str, bundled: Callable[[str], Path]
) -> None:
    terms = GAMES[name].terms(lang)
    events = [
        event for id in SOME[name] for seed in (1, 2) for event in ended(GAMES[name], id, seed).events()
    ]
    given = json.dumps({"terms": terms, "events": [[kind, dict(body)] for kind, body, _ in events]})
    said = subprocess.run(
        [node, bundled(PROGRAM)], input=given.encode(), stdout=subprocess.PIPE, check=True
    ).stdout
    expected = [sentence(terms, kind, json.loads(json.dumps(body))) for kind, body, _ in events]
    assert json.loads(said) == expected
    assert len({kind for kind, *_ in events}) > 8


@pytest.mark.parametrize("name", SOME)
def test_every_word_that_a_picture_asks_for_is_in_the_catalogue(name: str) -> None:
    source = WEB / "src"
    files = [
        source / "games" / f"{name}.ts",
        *(source / "games" / name).glob("*.ts"),
        *(source / "replay").glob("*.ts"),
    ]
    asked = {
        key for file in files for key in re.findall(r'\bt\("((?:word|kind|ask)\.\w+)"\)', file.read_text())
    }
    assert len(asked) > 20 and asked <= set(GAMES[name].terms("en"))
