"""The engine and a plain reading of the rules agree on random games; and they would not, were a rule wrong."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import pytest

from tests.reference import claim, claim_games, claim_votes
from tests.reference.claim_decks import OPTIONS, faction, rule_2_1_variants, rule_2_2_id, rule_2_2_options
from tests.reference.claim_games import ENGINE, Disagreement, compared, main
from tests.reference.claim_powers import rule_5_8
from tests.reference.claim_table import Asked, Play, Table, played
from tests.reference.claim_views import view

GAMES = 300
"""By default; with them every deck is there, and each option with each of its values."""
LETTERS = "GKUWXNATDS"


def test_2_1_the_variants_and_options_are_those_of_the_rules() -> None:
    assert list(ENGINE.variants()) == rule_2_1_variants()
    assert {name: list(values) for name, values in ENGINE.options().items()} == {
        name: values for name, (_, values) in OPTIONS.items()
    }


def test_engine_and_reference_agree() -> None:
    ids = [compared(number, "default") for number in range(GAMES)]
    assert {id.split("+")[0] for id in ids} == set(rule_2_1_variants())
    assert {(name, chosen) for id in ids for name, chosen in rule_2_2_id(id)[2].items()} == {
        (name, value) for name, values in rule_2_2_options(LETTERS).items() for value in values
    }


@pytest.mark.long
def test_engine_and_reference_agree_on_thousands_of_games() -> None:
    for number in range(5_000):
        compared(number, "long")


def later(plays: list[Play]) -> list[Play]:
    """3.5, but of equal cards the later is the better."""
    return claim.highest_first([p for p in plays[::-1] if claim.rule_3_3(p[1], faction(plays[0][1]))])


def in_order_of_play(plays: list[Play], options: dict[str, str]) -> list[Play]:
    """3.6, but below the winner nothing counts."""
    winner = claim.rule_3_5(plays)[0]
    return [winner, *(play for play in plays if play != winner)]


def any_seer(table: Table) -> None:
    """5.4, but a Doppelganger that wins on a led Seer looks, too."""
    now = table.tricks[-1]
    won = faction(dict(now.plays)[now.ranking[0]])
    if won == "S" or (won == "X" and faction(now.plays[0][1]) == "S"):
        table.look = table.deck[0]


def first_dragon(table: Table) -> int | None:
    """5.5, but the first Dragon leads."""
    return next((seat for seat, card in table.tricks[-1].plays if faction(card) == "D"), None)


def all_trolls(table: Table) -> list[str]:
    """5.6, but the winner gets what was out, whatever it wins."""
    trolls = sorted(card for card in played(table) if faction(card) == "T")
    won, table.out = sorted(table.out + trolls[-1:]), trolls[:-1]
    return won


def own_too(table: Table, giants: list[str]) -> Generator[Any, str, None]:
    """5.8, but a captor's own Gnomes are not safe."""
    yield from rule_5_8(table, giants)
    row = table.rows[table.tricks[-1].ranking[0]]
    for gnome in {f"N{giant[1]}" for giant in giants}.intersection(row):
        row.remove(gnome)


def one_side_each(table: Table, team: int) -> list[str]:
    """7.2, but partners do not pool."""
    seat = table.teams.index(team)
    return table.piles[seat] + table.rows[seat]


WRONG: dict[str, tuple[str, Callable[..., Any]]] = {
    "3.2 a Doppelganger must follow, too": (
        "rule_3_2",
        lambda hand, led: [c for c in hand if c[0] == led] or hand,
    ),
    "3.3 a Doppelganger does not follow": ("rule_3_3", lambda card, led: faction(card) == led),
    "3.4 Knights have no power": ("rule_3_4", lambda plays, followed, options: None),
    "3.5 of equal cards the later": ("rule_3_5", later),
    "3.6 in order of play below the winner": ("rule_3_6", in_order_of_play),
    "5.2 Undead are discarded": ("rule_5_2", lambda table: None),
    "5.3 the winner takes Dwarves": ("rule_5_3", lambda table: table.tricks[-1].ranking[0]),
    "5.4 a Doppelganger looks, too": ("rule_5_4_look", any_seer),
    "5.4 the loser never draws": ("rule_5_4_draws", lambda table: False),
    "5.5 the first Dragon leads": ("rule_5_5", first_dragon),
    "5.6 what is out goes at once": ("rule_5_6", all_trolls),
    "5.6 none left over": ("rule_5_6_leftover", lambda table: None),
    "5.7 Gnomes do not join": ("rule_5_7_end", lambda table: None),
    "5.8 own Gnomes are not safe": ("rule_5_8", own_too),
}
"""A rule that is wrong, by what is wrong with it: the function of `claim`, and what stands in for it."""


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_rule_is_found(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claim, *WRONG[wrong])
    with pytest.raises(Disagreement):
        for number in range(GAMES):
            compared(number, "default")


@pytest.mark.parametrize("waits", [True, False], ids=["waiting", "deciding"])
@pytest.mark.parametrize("begins", [True, False], ids=["as a trick begins", "within a trick"])
def test_8_a_wrong_view_is_found(waits: bool, begins: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(table: Table, seat: int, asked: Asked | None) -> dict[str, Any]:
        told = view(table, seat, asked)
        if asked and (asked[0] != seat, not table.tricks[-1].plays) == (waits, begins):
            told["deck"] += 1
        return told

    monkeypatch.setattr(claim_games, "view", wrong)
    with pytest.raises(Disagreement, match=r"deck, as seat \d knows it"):
        compared(0, "default")


def test_7_wrong_votes_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claim_votes, "rule_7_2_pool", one_side_each)
    with pytest.raises(Disagreement):
        for number in range(GAMES):
            compared(number, "default")


def test_the_program_says_what_it_played(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--games", "64", "--processes", "1"]) == 0
    said = capsys.readouterr().out
    assert "games          64\n" in said
    assert "(64 without options)" in said
    assert "disagreements  0\n" in said


def test_the_program_shows_the_shortest_disagreement(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claim, *WRONG["3.4 Knights have no power"])
    assert main(["--games", "20", "--seed", "shown", "--processes", "1"]) == 1
    said = capsys.readouterr().out
    assert "of seed 'shown': claim/2p/GK-" in said
    assert "reference: " in said
    assert "engine: " in said
