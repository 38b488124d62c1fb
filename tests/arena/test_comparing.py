"""`arena compare` without a process: its rounds, when it asks for which, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.cli.watching import Watch
from arena.comparing import Question, settle
from arena.events import GamesKept, RunStarted
from arena.home import Home
from arena.schedules.blocks import Block, Field, Plan, Progress, pairings_of, spread
from arena.schedules.comparison import Comparison, Rounds
from leaderboards.sprt import Sprt
from protocol.result import GameResult, SeatResult
from protocol.vocabulary import BotId, Verdict
from referee.games import game_of

ANN, BOB, CAT, DAN = (BotId(name, name[0] * 40) for name in ("ann", "bob", "cat", "dan"))
PAIR, THREE, TEAMS = "claim/2p/GK-UWX", "claim/3p/GK-UWXTD", "claim/4p/GK-UWXTD"
Winner = Callable[[str, int, Sequence[BotId]], Sequence[int]]
"""The ranks of a game: of its variant, deal and seating."""


def field_of(variants: Sequence[str], *bots: BotId) -> Field:
    return Field(Plan("cmp", "a seed", tuple(variants), 1, all_seatings=True), bots)


def play(
    field: Field, blocks: Sequence[Block], ranks: Winner, void: Sequence[int] = ()
) -> Iterator[GameResult]:
    """All games of some blocks; those of a deal in `void` are void."""
    for pairing in pairings_of(field.plan, blocks):
        game = game_of(pairing.variant)
        known = game.variant(pairing.variant)
        for planned in pairing.games:
            deal = int(planned.deal.rpartition("#")[2])
            places = ranks(pairing.variant, deal, pairing.seating)
            seats = tuple(
                SeatResult(bot, team, rank, 0)
                for bot, team, rank in zip(pairing.seating, known.teams, places, strict=True)
            )
            verdict = Verdict.VOID if deal in void else Verdict.FINISHED
            yield GameResult(
                planned.id, game.name, pairing.variant, game.rules_id(known), planned.deal, planned.block,
                planned.block_size, seats, verdict,
            )  # fmt: skip


def first_seat(variant: str, deal: int, seating: Sequence[BotId]) -> Sequence[int]:
    return [int(bot != seating[0]) for bot in seating]


def ann_first(variant: str, deal: int, seating: Sequence[BotId]) -> Sequence[int]:
    return [int(bot != ANN) for bot in seating]


def scores(rounds: Rounds, progress: Progress) -> dict[float, int]:
    counts = rounds.counts(progress)
    return {place / (rounds.places - 1): int(counts[place]) for place in np.flatnonzero(counts)}


def test_a_round_has_every_variant_in_every_seating() -> None:
    field = field_of([PAIR, THREE, TEAMS], ANN, BOB, CAT)
    rounds = Rounds(ANN, BOB, field)
    assert rounds.games == 2 + 6 + 2
    met = [block.meeting for block in rounds.blocks(5)]
    assert [meeting.variant for meeting in met] == [PAIR, THREE, TEAMS]
    assert [meeting.sides for meeting in met] == [
        ((ANN,), (BOB,)),
        ((ANN,), (BOB,), (CAT,)),
        ((ANN, ANN), (BOB, BOB)),
    ]
    assert {block.deal for block in rounds.blocks(5)} == {5}


def test_opponents_take_turns() -> None:
    rounds = Rounds(ANN, BOB, field_of([THREE], ANN, BOB, CAT, DAN))
    third = [rounds.blocks(n)[0].meeting.bots - {ANN, BOB} for n in range(4)]
    assert third == [{CAT}, {DAN}, {CAT}, {DAN}]


def test_each_variant_counts_for_as_much_as_another() -> None:
    field = field_of([PAIR, THREE], ANN, BOB, CAT)
    rounds, progress = Rounds(ANN, BOB, field), Progress()

    def ranks(variant: str, deal: int, seating: Sequence[BotId]) -> Sequence[int]:
        if variant == PAIR:
            return ann_first(variant, deal, seating)
        return [{ANN: 1, BOB: 0, CAT: 0}[bot] for bot in seating] if deal else [0] * len(seating)

    progress.take(play(field, rounds.blocks(0) + rounds.blocks(1), ranks))
    assert scores(rounds, progress) == {0.75: 1, 0.5: 1}


def test_rounds_count_in_the_order_of_their_deals_and_whole() -> None:
    field = field_of([PAIR], ANN, BOB)
    rounds, progress = Rounds(ANN, BOB, field), Progress()
    late = list(play(field, rounds.blocks(1), ann_first))
    early = list(play(field, rounds.blocks(0), first_seat))
    progress.take([*late, early[0]])
    assert (rounds.over(progress), scores(rounds, progress)) == (0, {})
    progress.take(early[1:])
    assert (rounds.over(progress), scores(rounds, progress)) == (2, {0.5: 1, 1.0: 1})


def test_a_round_with_a_void_game_is_over_and_has_no_score() -> None:
    field = field_of([PAIR], ANN, BOB)
    rounds, progress = Rounds(ANN, BOB, field), Progress()
    blocks = [block for n in range(3) for block in rounds.blocks(n)]
    progress.take(play(field, blocks, ann_first, void=[1]))
    assert (rounds.over(progress), scores(rounds, progress)) == (3, {1.0: 2})


def played_out(field: Field, schedule: Comparison, ranks: Winner) -> tuple[Progress, list[int]]:
    """All steps of a schedule, and how many blocks each had."""
    progress, steps = Progress(), []
    while blocks := list(schedule.step(field, progress)):
        assert not any(block in progress for block in blocks) and len(set(blocks)) == len(blocks)
        progress.take(play(field, blocks, ranks))
        steps.append(len(blocks))
    return progress, steps


@pytest.mark.parametrize("best", [ANN, BOB])
def test_who_always_wins_needs_few_rounds_and_no_more(best: BotId) -> None:
    field = field_of([PAIR], ANN, BOB)
    schedule = Comparison(ANN, BOB, games=1_000)
    progress, steps = played_out(field, schedule, lambda v, d, seating: [int(bot != best) for bot in seating])
    counts = Rounds(ANN, BOB, field).counts(progress)
    assert schedule.test.better(float(schedule.test.ratio(counts))) is (best == ANN)
    before = counts.copy()
    before[before.argmax()] -= 2
    assert schedule.test.better(float(schedule.test.ratio(before))) is None
    assert steps[0] > 20 and len(steps) < 6


def test_a_comparison_that_decides_nothing_ends_with_its_games() -> None:
    field = field_of([PAIR, THREE], ANN, BOB, CAT)
    schedule = Comparison(ANN, BOB, Sprt(0.49, 0.51), games=1_003)
    progress, steps = played_out(field, schedule, lambda v, d, seating: [0] * len(seating))
    assert len(progress.results) == 1_000 == sum(games for games, _ in schedule.most(field).values())
    assert len(steps) < 20
    assert schedule.unkept(field, progress) == []


def test_steps_grow_with_what_was_played_also_close_to_a_bound() -> None:
    field = field_of([PAIR], ANN, BOB)
    schedule, progress, rounds = Comparison(ANN, BOB), Progress(), Rounds(ANN, BOB, field)
    played = [block for n in range(400) for block in rounds.blocks(n)]
    progress.take(
        play(field, played, lambda v, deal, s: (ann_first if deal < 17 else first_seat)(v, deal, s))
    )
    ratio = float(schedule.test.ratio(rounds.counts(progress)))
    assert 0 < schedule.test.rounds_left(ratio) < 20
    assert len(list(schedule.step(field, progress))) == 40


def test_an_interrupted_step_is_filled_up() -> None:
    field = field_of([PAIR], ANN, BOB)
    schedule, progress = Comparison(ANN, BOB, games=1_000), Progress()
    step = list(schedule.step(field, progress))
    progress.take(play(field, [*step[:2], step[5]], first_seat))
    assert set(step) - set(schedule.step(field, progress)) == {step[0], step[1], step[5]}


def test_few_jobs_are_spread_over_many_workers() -> None:
    field = field_of([PAIR], ANN, BOB)
    whole = list(pairings_of(field.plan, list(Comparison(ANN, BOB).step(field, Progress()))))
    for workers, jobs in ((1, 2), (2, 2), (3, 4), (8, 8), (99, 2 * len(whole[0].games))):
        split = spread(whole, workers)
        assert len(split) == jobs
        assert len({one.games[0].id for one in split}) == jobs
        for seating in {one.seating for one in whole}:
            games = [
                {game for one in parts if one.seating == seating for game in one.games}
                for parts in (whole, split)
            ]
            assert games[0] == games[1]


# what is refused


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def call(*words: str) -> Result:
    return CliRunner().invoke(main, ["--home", "home", "compare", *words])


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("random", "random"), "E244", "same bot"),
        (("random", "greedy", "--variant", "claim/3p/GK-UWXTD"), "E245", "--opponents"),
        (("random", "greedy", "--opponents", "greedy-bash"), "E245", "leave the option out"),
        (("random", "greedy", "--s0", "0.6"), "E246", "0.6 and 0.55"),
        (("random", "greedy", "--alpha", "0.7"), "E246", "0.7 and 0.05"),
        (("random", "greedy", "--variant", "claim/2p/*", "--max-games", "9"), "E246", "one round has"),
        (("random", "nobody"), "E210", "no bot 'nobody'"),
        (("random", "greedy", "--variant", "chess"), "E219", "chess"),
        (("random", "greedy", "--s0", "0.4", "--elo1", "9"), "", "--elo"),
    ],
)
def test_what_is_refused(words: tuple[str, ...], code: str, said: str) -> None:
    refused = call(*words)
    assert refused.exit_code == 2 and code in refused.stderr and said in refused.stderr
    assert refused.stdout == ""


# what is shown


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.usefixtures("here")
def test_a_line_comes_every_ten_seconds_or_five_percent(capsys: pytest.CaptureFixture[str]) -> None:
    comparing, clock = settle(Question("random", "greedy"), Home("home")), Clock()
    first, second = comparing.bots
    field = field_of([PAIR], first, second)
    games = list(play(field, [block for n in range(4) for block in comparing.rounds.blocks(n)], first_seat))
    watch = Watch(comparing, lambda name: games[:2], live=False, clock=clock)
    watch(RunStarted(comparing.tournament.name, "5eed", ("random", "greedy"), games=100, kept=2, left_out=()))
    assert "at most 100 games, 2 of them kept" in capsys.readouterr().err
    said = []
    for seconds, results in ((4, games[2:3]), (4, []), (4, []), (0.5, games[3:]), (1, [])):
        clock.now += seconds
        watch(GamesKept(tuple(results), 0, 100))
        said.append(capsys.readouterr().err)
    assert [bool(text) for text in said] == [False, False, True, False, True]
    assert said[-1].startswith("4 rounds, score 0.500, LLR ") and said[-1].endswith(", 0.4 games/s\n")
