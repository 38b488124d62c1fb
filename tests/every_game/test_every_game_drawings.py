"""What a terminal shows of a position: it fits, says all that is there in every language, and needs no colour."""

from __future__ import annotations

import random
import re

import pytest

from protocol.vocabulary import LANGS, Seat
from referee.game import Game, State
from referee.games import GAMES, game_of
from referee.games.aristoocrazy.data import FIELDS
from referee.games.aristoocrazy.game import AristoocrazyState
from referee.games.aristoocrazy.state import NOBODY
from referee.games.aristoocrazy.variants import variant_of
from referee.games.claim.cards import NAMES
from referee.games.claim.game import ClaimState
from referee.wording import sentence

WIDEST = [
    "claim/2p/NA-TDS",
    "claim/3p/GK-UWXTD",
    "claim/4p/NA-UWXDS",
    "aristoocrazy/3p/classic",
    "aristoocrazy/4p/quick2013",
]
SIZES = ["aristoocrazy/2p/classic", "aristoocrazy/3p/quick2013", "aristoocrazy/4p/classic"]


def positions(variant: str, every: int) -> list[State]:
    """Some of a random game, its last one among them."""
    game, rng = game_of(variant), random.Random(variant)
    state, found = game.setup(game.variant(variant), "drawn"), []
    for number in range(10_000):
        if number % every == 0 or not state.to_act:
            found.append(state.clone())
        if not state.to_act:
            return found
        seat = state.to_act[0]
        state.apply(seat, rng.choice(state.legal(seat)))
    raise AssertionError("it does not end")


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("variant", WIDEST)
def test_every_position_fits_80_columns_in_every_language(variant: str, lang: str) -> None:
    game = game_of(variant)
    for state in positions(variant, 9):
        for eye in (None, Seat(0)):
            text = game.render(state, eye, lang)
            assert max(map(len, text.split("\n"))) <= 80 and "\x1b" not in text
            assert (text == game.render(state, eye)) is (lang == "en")


@pytest.mark.parametrize("variant", WIDEST[:3])
def test_every_card_of_claim_that_is_known_stands_on_the_table(variant: str) -> None:
    for state in positions(variant, 7):
        assert isinstance(state, ClaimState)
        public, text = state.table.public, state_text(state)
        cards = [*public.plays, *public.faceup, *public.out, *(card for row in public.rows for card in row)]
        for private in state.table.private:
            cards += private.hand + ([] if public.favour else private.recruited)
        assert {NAMES[card] for card in cards} <= set(re.findall(r"\b[A-Z]\d\b", text))
        if any(public.piles):
            assert piles_shown(text) == [sorted(NAMES[card] for card in pile) for pile in public.piles]


def piles_shown(text: str) -> list[list[str]]:
    """The cards of each pile, out of the one table that has a line a faction."""
    (table,) = re.findall(r"^ +votes .*pile 0.*\n(?:.+\n)+", text, re.MULTILINE)
    head, *lines = table.splitlines()
    starts = [found.start() for found in re.finditer(r"pile \d", head)]
    cells = [[line[at:].split(" ")[0] for line in lines] for at in starts]
    return [sorted(cell[0] + value for cell in pile for value in cell[1:]) for pile in cells]


def state_text(state: State) -> str:
    game = GAMES["claim" if isinstance(state, ClaimState) else "aristoocrazy"]
    return game.render(state)


@pytest.mark.parametrize("variant", SIZES)
def test_fields_that_touch_on_the_map_are_neighbours(variant: str) -> None:
    """Boxes touch where they share a wall, or a part of one."""
    lines = [line for line in state_text(positions(variant, 10_000)[0]).split("\n") if "│" in line][::2]
    place = {
        FIELDS.index(box[1]): (y, box.start())
        for y, line in enumerate(lines)
        for box in re.finditer(r"│ ([a-e]\d)", line)
    }
    last = sorted(x for y, x in place.values() if y == len(lines) - 1)
    pitch = last[1] - last[0]
    board = variant_of(variant).board
    assert set(place) == set(board.fields)
    for field, (y, x) in place.items():
        beside = {f for f, (v, u) in place.items() if (v == y and abs(u - x) == pitch)}
        over = {f for f, (v, u) in place.items() if abs(v - y) == 1 and abs(u - x) < pitch}
        assert beside | over == set(board.adjacent[field])


@pytest.mark.parametrize("variant", SIZES)
def test_owner_and_people_stand_in_the_box_of_their_field(variant: str) -> None:
    for state in positions(variant, 23):
        assert isinstance(state, AristoocrazyState)
        public = state.table.public
        lines = [line for line in state_text(state).split("\n") if "│" in line]
        heads, stands = (
            [cell.split() for line in lines[at::2] for cell in line.split("│")[1:-1]] for at in (0, 1)
        )
        found = {head[0][:2]: (head[1:], people) for head, people in zip(heads, stands, strict=True)}
        assert set(found) == {FIELDS[field] for field in public.variant.board.fields}
        for field in public.variant.board.fields:
            owner, people = found[FIELDS[field]]
            palisade = ["#"] if field in public.palisades else []
            assert (
                owner
                == ([] if public.owner[field] == NOBODY else ["seat", str(public.owner[field])]) + palisade
            )
            assert len(people) == public.variant.board.places[field]
            assert len([one for one in people if one != "·"]) == len(public.at[field])


def test_whatever_is_under_way_is_told() -> None:
    """Each kind of task comes up in a few random games, and has its line."""
    labels = {
        "Battle": "battle",
        "Courtship": "courtship",
        "Birth": "heir",
        "Roll": "dice",
        "Hazard": "hazard",
    }
    seen = set()
    for variant in ("aristoocrazy/2p/classic", "aristoocrazy/3p/classic"):
        for state in positions(variant, 1):
            assert isinstance(state, AristoocrazyState)
            if (task := state.table.public.task) is not None and type(task).__name__ not in seen:
                seen.add(type(task).__name__)
                assert f"\n  {labels[type(task).__name__]} " in state_text(state)
    assert seen == set(labels)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("variant", WIDEST)
def test_every_event_is_told_in_a_sentence(variant: str, lang: str) -> None:
    game = game_of(variant)
    for event in positions(variant, 10_000)[-1].events():
        said = sentence(game.terms(lang), event.kind, event.body)
        assert said and not re.search(r"[{}]|None|True|False|\[|'[a-z]", said), said


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_inks_are_colours_that_a_terminal_has(game: Game) -> None:
    names = {"red", "green", "yellow", "blue", "magenta", "cyan"}
    for pattern, ink in game.inks().items():
        assert re.compile(pattern).groups == 0
        *_, colour = ink.split()
        assert colour in {*names, "strong"} and set(ink.split()[:-1]) <= {"bright", "strong"}
