"""A person in a seat, with what is typed in a list. A whole game at the command line: tests/e2e/test_bots.py."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.person import Person, Stopped, chosen
from protocol.vocabulary import Seat
from referee.driving import drive
from referee.games import game_of
from referee.match import Ask, Played, Reply
from referee.players.local import LocalPlayer
from tests.referee.driving import spec_for

VARIANTS = ["claim", "claim/3p/GK-UWXTD", "claim/4p/GK-UWXTD", "aristoocrazy", "aristoocrazy/4p/quick2013"]
Typed = str | Callable[[list[str]], str]
"""A line, or one that depends on what is legal."""


class Desk:
    """A person who types `lines`, and then always `then`."""

    wants_events = True

    def __init__(self, *lines: Typed, then: Typed = "") -> None:
        self.said: list[str] = []
        self.asked: list[Ask] = []
        self._lines, self._then = list(lines), then
        self._person = Person(self._read, self.said.append)

    def reply(self, ask: Ask) -> Reply:
        self.asked.append(ask)
        return self._person.reply(ask)

    def _read(self, prompt: str) -> str:
        self.said.append(prompt)
        line = self._lines.pop(0) if self._lines else self._then
        typed = line if isinstance(line, str) else line(self.legal(-1))
        return typed and typed + "\n"

    def legal(self, turn: int) -> list[str]:
        found: list[str] = [ask for ask in self.asked if ask.turn][turn].message["legal"]
        return found

    def turns(self) -> list[str]:
        """What was said before each prompt, since the one before it."""
        return "\n".join(self.said).split("your move: ")


def game(desk: Desk, variant: str = "claim") -> Played:
    """One in which others play the same each time."""

    def other(seat: int) -> LocalPlayer:
        rng = random.Random(seat)
        return LocalPlayer(lambda turn: str(rng.choice(turn["legal"])))

    spec = spec_for(variant)
    return drive(spec, [desk, *(other(seat) for seat in range(1, spec.variant.players))])


def stopped(*lines: Typed) -> Desk:
    desk = Desk(*lines)
    with pytest.raises(Stopped):
        game(desk)
    return desk


def moves(played: Played) -> list[str]:
    return [action.text for action in played.actions if action.seat == 0]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_is_played_by_numbers_or_by_words_in_any_case(variant: str) -> None:
    desk = Desk(then=lambda legal: str(len(legal)))
    numbers = moves(game(desk, variant))
    assert numbers == [desk.legal(turn)[-1] for turn in range(len(numbers))]
    assert numbers == moves(game(Desk(then=lambda legal: legal[-1]), variant))
    assert numbers == moves(game(Desk(then=lambda legal: f"  {legal[-1].lower()} "), variant))


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_move_is_listed_with_its_number(variant: str) -> None:
    desk = Desk(then="1")
    game(desk, variant)
    for number, told in enumerate(desk.turns()[:-1]):
        listed = " ".join(told[told.rindex("\n\n") :].split())
        assert listed == " ".join(f"{n} {action}" for n, action in enumerate(desk.legal(number), 1))


@pytest.mark.parametrize("variant", VARIANTS[:4])
def test_nothing_is_shown_that_the_seat_does_not_know(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A board is drawn out of any full state that agrees with the view: all must look the same."""
    worlds, shown = set(), set()
    rules = game_of(variant)
    sample = type(rules).sample
    for world in range(3):
        monkeypatch.setattr(
            "arena.person.random", SimpleNamespace(Random=lambda _, n=world: random.Random(n))
        )
        desk = Desk(then=lambda legal: legal[len(legal) // 2])
        game(desk, variant)
        shown.add("\n".join(desk.said))
        views = [ask.message["view"] for ask in desk.asked if ask.turn]
        states = [sample(rules, view, random.Random(world)) for view in views]
        worlds.add("".join(rules.render(state, Seat(1)) for state in states))
    assert len(worlds) == 3 and len(shown) == 1


def test_what_happened_is_told_before_the_next_move() -> None:
    desk = Desk(then="1")
    played = game(desk)
    first, second = desk.turns()[:2]
    assert "you have seat 0 of 2" in first and "arena games claim" in first
    assert f"seat 0 plays {moves(played)[0]}" in second
    assert "the end: votes of Goblins" in desk.turns()[-1]


def test_a_line_that_is_no_move_is_told_so_and_asked_again() -> None:
    for line in ("K99", "0", "99", "-1", "1 2", "q q", "Q"):
        desk = stopped(line, "q")
        told = desk.turns()[1]
        assert f"{line!r} is none of them" in told and " 1 " in told


def test_a_question_mark_and_an_empty_line_show_the_moves_and_b_the_board() -> None:
    first, moves_again, also, board, _ = stopped("?", " ", "b", "q").turns()
    assert moves_again == also and "hand" not in moves_again and moves_again.strip() in first
    assert "hand" in board and moves_again.strip() in board and "none of them" not in board


@pytest.mark.parametrize("last", ["q", ""], ids=["q", "end of input"])
def test_who_does_not_play_on_stops(last: str) -> None:
    assert len(stopped("1", "1", last).turns()) == 4


@pytest.mark.parametrize(
    ("word", "legal", "meant"),
    [
        ("2", ["G3", "K7"], "K7"),
        ("2", ["0", "2", "1"], "2"),
        ("3", ["0", "2", "1"], None),
        ("1", ["G3", "7"], None),
        ("7", ["G3", "7"], "7"),
        ("02", ["G3", "K7"], "K7"),
        ("0", ["G3"], None),
        ("²", ["G3", "K7"], None),
        ("k7", ["K7", "k7"], "k7"),
        ("kA", ["Ka", "ka"], None),
        ("", ["G3"], None),
    ],
)
def test_a_number_means_a_place_in_the_list_unless_numbers_are_moves(
    word: str, legal: list[str], meant: str | None
) -> None:
    assert chosen(word, legal) == meant


def test_moves_that_are_numbers_are_listed_without_others() -> None:
    desk = Desk("0")
    turn = next(ask for ask in stopped("q").asked if ask.turn)
    start = stopped("q").asked[0]
    desk.reply(start)
    numbers = Ask(turn.seat, turn.message | {"legal": ["5", "0"]}, 1, None)
    assert desk.reply(numbers).answer.action == "0"  # type: ignore[union-attr]
    assert "\n  5  0" in desk.turns()[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["human", "human"], "human has one seat"),
        (["human"], "is for 2 players, not 1"),
        (["human", "random", "--variant", "claim/4p/GK-UWXTD"], "human has one seat; name one"),
    ],
)
def test_there_is_one_person_at_a_table(tmp_path: Path, words: list[str], said: str) -> None:
    done = CliRunner().invoke(main, ["--home", str(tmp_path), "play", *words])
    told = done.stderr.replace("\n  fix: ", "; ")
    assert done.exit_code == 2 and said in told and "E231" in told and "your move" not in told
