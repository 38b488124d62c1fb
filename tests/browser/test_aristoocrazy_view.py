"""The picture of Aristoocrazy in the viewer: every board draws, and a seat's picture holds what the seat knew, no more."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

from referee.game import Seat, State
from referee.games import GAMES
from referee.games.aristoocrazy.terms import TERMS
from referee.replay import Step
from referee.telling import Teller
from tests.browser.conftest import WEB
from tests.every_game.game_walks import walk

pytestmark = pytest.mark.web

BASES = GAMES["aristoocrazy"].variants()
VARIANTS = [
    *BASES,
    "aristoocrazy/2p/classic+trait_set=rulebook9",
    "aristoocrazy/3p/classic+take_visibility=closed",
    "aristoocrazy/4p/classic+setup_traits=fixed+vp_visibility=public",
]
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; "
    "form-action 'none'"
)
GAME = "0" * 32
HOSTILE = "<img src=x onerror=document.title='taken'>"
SHOW = """async (fragment) => {
    const viewer = document.querySelector("arena-replay");
    history.replaceState(null, "", fragment);
    dispatchEvent(new Event("hashchange"));
    await viewer.updateComplete;
    return viewer.shadowRoot.querySelector(".ar").outerHTML.replace(/<!--.*?-->/g, "");
}"""
LOAD = """async (replay) => {
    document.querySelector("arena-replay")?.remove();
    const viewer = Object.assign(document.createElement("arena-replay"), { replay });
    document.body.append(viewer);
    await viewer.updateComplete;
}"""


def fights(id: str, seed: int) -> Iterator[State]:
    """A game of houses that use their abilities, attack when they can, and commit all they may."""
    rng = random.Random(seed)
    game = GAMES["aristoocrazy"]
    state = game.setup(game.variant(id), f"fights {seed}")
    yield state
    while state.to_act:
        seat = rng.choice(state.to_act)
        texts = state.legal_text(seat)
        eager = [text for text in texts if text.startswith(("attack", "use:"))] or texts
        most = max(texts, key=committed) if texts[0].startswith("commit:") else rng.choice(eager)
        state.apply(seat, state.parse(seat, most))
        yield state


def committed(text: str) -> int:
    return sum(map(int, text.split(":")[1].split(",")))


class Film:
    """A game as the viewer gets it, and what each seat knew and what happened at every step."""

    def __init__(self, id: str, states: Iterator[State]) -> None:
        variant = GAMES["aristoocrazy"].variant(id)
        self.players, told = variant.players, 0
        self.views: list[list[dict[str, Any]]] = []
        self.kinds: list[list[str]] = []
        events: list[Any] = []
        teller = Teller(self.players)
        for number, state in enumerate(states):
            new = state.events(told)
            told += len(new)
            self.kinds.append([event.kind for event in new])
            events += map(list, teller.tell(Step(number, None, "", False, state, new, [])))
            self.views.append([state.view(Seat(seat)) for seat in range(self.players)])
        self.replay: dict[str, Any] = {
            "id": GAME, "game": "aristoocrazy", "variant": id, "deal": "", "events": events, "limits": {},
            "setup": GAMES["aristoocrazy"].setup_info(variant), "steps": len(self.views) - 1,
            "seats": [{"bot": HOSTILE, "digest": "0" * 64, "team": seat} for seat in range(self.players)],
        }  # fmt: skip

    def seen_by(self, eye: int | None) -> dict[str, Any]:
        """The replay without the events that a seat may not see; None: without those that not all may see."""
        audiences = [None] if eye is None else [None, eye]
        events = [
            event
            for event in self.replay["events"]
            if event[1] is None or any(eye in event[1] for eye in audiences)
        ]
        return self.replay | {"events": events}

    def sample(self, rng: random.Random, steps: int) -> list[int]:
        return [0, *sorted(rng.sample(range(len(self.views)), steps)), len(self.views) - 1]

    def decides(self, kind: str) -> int:
        """The first step at which a decision of that kind is to be made."""
        return next(
            at for at, views in enumerate(self.views) if (views[0]["decision"] or {}).get("kind") == kind
        )

    def tells(self, kind: str) -> int:
        """The first step at which that happened."""
        return next(at for at, kinds in enumerate(self.kinds) if kind in kinds)


@pytest.fixture
def stage(page: Page, tmp_path: Path) -> Page:
    """A page with the viewer's script, its words and the site's policy."""
    (tmp_path / "replay.js").write_bytes((WEB / "dist" / "replay.js").read_bytes())
    (tmp_path / "site.css").write_bytes((WEB / "dist" / "site.css").read_bytes())
    (tmp_path / "page.html").write_text(
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>viewer</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"><link rel="stylesheet" href="site.css">'
        f'<script src="replay.js"></script></head><body></body></html>'
    )
    page.goto((tmp_path / "page.html").as_uri())
    words = {key: terms[0] for key, terms in TERMS.items()}
    page.evaluate("words => kingmaker('terms', 'en', { aristoocrazy: words })", words)
    return page


@pytest.fixture
def draw(stage: Page) -> Callable[..., str]:
    """What is drawn at a step for an eye, of the replay that is loaded."""

    def draw(step: int, eye: int | None = None) -> str:
        seat = "" if eye is None else f"&seat={eye}"
        html: str = stage.evaluate(SHOW, f"#game={GAME}&step={step}{seat}")
        return html

    return draw


def texts(found: Locator) -> list[str]:
    """What stands in each of some elements, in one line."""
    return [" ".join(text.split()) for text in found.all_inner_texts()]


def field(stage: Page, name: str) -> Locator:
    return stage.get_by_role("img", name=f"{name},")


@pytest.mark.parametrize("id", VARIANTS)
def test_every_variant_draws_what_stands_on_the_board(stage: Page, draw: Callable[..., str], id: str) -> None:
    film = Film(id, walk(GAMES["aristoocrazy"], id, 5))
    stage.evaluate(LOAD, film.replay)
    for step in film.sample(random.Random(id), 3):
        draw(step)
        view = film.views[step][0]
        assert stage.locator(".ar .person").count() == len(view["characters"])
        assert stage.locator(".ar .field").count() == len(view["fields"])
        for one in view["characters"]:
            label = field(stage, one["field"]).get_attribute("aria-label") or ""
            assert f"house {one['id'][0]}" in label
            assert f"{one['id']}, {'man' if one['id'][1] == 'M' else 'woman'}" in label
            assert f"age {one['red']} of 5" in label
    assert stage.title() == "viewer"
    assert stage.locator(".ar .house h3").first.inner_text() == f"{HOSTILE[:12]}…{HOSTILE[-11:]}"


@pytest.mark.parametrize("id", VARIANTS)
def test_the_picture_of_a_seat_is_made_of_what_it_saw(stage: Page, draw: Callable[..., str], id: str) -> None:
    rng = random.Random(id)
    film = Film(id, fights(id, 3))
    steps, eye = film.sample(rng, 6), rng.randrange(film.players)
    stage.evaluate(LOAD, film.replay)
    whole = [draw(step, eye) for step in steps]
    assert whole != [draw(step) for step in steps]
    stage.evaluate(LOAD, film.seen_by(eye))
    assert [draw(step, eye) for step in steps] == whole


@pytest.mark.parametrize(
    ("option", "what"), [("", "stash"), ("+take_visibility=closed", "unknown")], ids=["open", "closed"]
)
def test_tokens_and_cards_of_another_house_are_those_that_the_seat_can_tell(
    stage: Page, draw: Callable[..., str], option: str, what: str
) -> None:
    id = f"aristoocrazy/3p/classic{option}"
    film = Film(id, fights(id, 1))
    stage.evaluate(LOAD, film.replay)
    held = []
    for step in film.sample(random.Random(2), 6):
        draw(step, 0)
        for other in (1, 2):
            house = film.views[step][0]["houses"][other]
            panel = stage.locator(f".ar .house.seat{other}")
            known = [f"{trait} {n}" for trait, n in house["known"]["stash"].items()]
            assert sorted(texts(panel.locator(".token"))) == sorted(known)
            names = [TERMS[f"card.{card}"][0] for card in house["known"]["hand"]]
            assert texts(panel.locator(".chip.card")) == names
            assert panel.locator(".line.secret").count() == 0
            held.append(house["known"][what])
    assert any(held)


def test_a_game_of_which_only_the_public_part_is_told_is_drawn(stage: Page, draw: Callable[..., str]) -> None:
    id = "aristoocrazy/4p/classic"
    film = Film(id, fights(id, 4))
    stage.evaluate(LOAD, film.seen_by(None))
    for step in film.sample(random.Random(3), 4):
        draw(step)
        assert stage.locator(".ar .person").count() == len(film.views[step][0]["characters"])


def test_a_battle_is_shown_clash_by_clash(stage: Page, draw: Callable[..., str]) -> None:
    id = "aristoocrazy/2p/classic"
    films = (Film(id, fights(id, seed)) for seed in range(20))
    film = next(film for film in films if any("laid" in kinds for kinds in film.kinds))
    stage.evaluate(LOAD, film.replay)
    step = film.decides("lay")
    decision = film.views[step][0]["decision"]
    battle = stage.locator(".ar .battle")
    attacker, defender = decision["attacker"], decision["defender"]
    draw(step)
    for side, seat in (("left", attacker), ("right", defender)):
        committed = film.views[step][seat]["committed"]
        shown = texts(battle.locator(f".side.{side} .stake .token"))
        assert [f"{trait} {n}" for trait, n in committed.items()] == shown[: len(committed)]
    draw(step, attacker)
    assert battle.locator(".side.right .stake .back").inner_text() == f"? {decision['playable'][1]}"
    assert field(stage, decision["field"]).locator(".rim").count() == 1
    draw(film.tells("laid"))
    assert battle.locator(".clash").count() == 1


def test_an_event_is_shown_with_what_counts_and_what_it_gives(stage: Page, draw: Callable[..., str]) -> None:
    id = "aristoocrazy/4p/classic"
    film = Film(id, walk(GAMES["aristoocrazy"], id, 5))
    stage.evaluate(LOAD, film.replay)
    step = film.tells("measures")
    bodies = {event[2]: event[3] for event in film.replay["events"] if event[0] == step}
    draw(step)
    contest = stage.locator(".ar .contest")
    assert contest.locator(".title").inner_text() == TERMS[f"card.{bodies['event']['event']}"][0]
    assert contest.locator(".measure text").all_text_contents() == [
        str(n) for n in bodies["measures"]["measures"]
    ]
    assert contest.locator(".prize").count() == sum(
        event[:1] == [step] and event[2] == "award" for event in film.replay["events"]
    )


def test_an_answer_is_shown_to_its_house_alone_while_others_owe_theirs(
    stage: Page, draw: Callable[..., str]
) -> None:
    id = "aristoocrazy/2p/classic"
    film = Film(id, walk(GAMES["aristoocrazy"], id, 5))
    stage.evaluate(LOAD, film.replay)
    step = next(at for at, views in enumerate(film.views) if any(view["sealed"] for view in views))
    seat = next(seat for seat, view in enumerate(film.views[step]) if view["sealed"])
    chosen = film.views[step][seat]["sealed"].split(":")[1].split("+")
    draw(step, seat)
    assert texts(stage.locator(f".ar .house.seat{seat} .line.secret .token")) == chosen
    draw(step, 1 - seat)
    assert stage.locator(".ar .secret").count() == 0
