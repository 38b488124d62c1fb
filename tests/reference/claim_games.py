"""Random games of Claim by the engine and by the reference at once, compared at every decision.

    python -m tests.reference.claim_games --games 100000

plays them on all cores and says on how many the two disagree; the shortest of those is shown (exit code 1). It takes
the engine that Python finds. The compiled one (`make compiled`) needs -P, or the folder that one is in comes first:

    PYTHONPATH=build/compiled:. python -P -m tests.reference.claim_games
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import Pool
from typing import NamedTuple

import referee.games
from referee.game import Seat, State
from referee.games import GAMES, compiled
from tests.reference import claim, claim_votes
from tests.reference.claim_decks import rule_2_1_deck, rule_2_1_variants, rule_2_2_id, rule_2_2_options
from tests.reference.claim_table import Asked, Asking, Table, laid
from tests.reference.claim_views import view

ENGINE = GAMES["claim"]
VARIANTS = rule_2_1_variants()
SAYS = "Random games of Claim by the engine and by the reference at once: do they agree at every decision?"
CHUNK = 100
"""Games that a process is handed at once."""


class Disagreement(Exception):
    """The two say different things of one game, which the message has whole."""

    variant = ""
    actions = 0
    """How many had been taken."""


class Chunk(NamedTuple):
    """What became of some games."""

    games: int
    variants: set[str]
    """Ids, with options."""
    wrong: list[Disagreement]


def variant_of(number: int, rng: random.Random) -> str:
    """All decks in turn: every second time as most people play it, else with each option at any of its values."""
    id = VARIANTS[number % len(VARIANTS)]
    if rng.random() < 1 / 2:
        return id
    for name, values in rule_2_2_options(rule_2_2_id(id)[1]).items():
        chosen = rng.choice(values)
        id += f"+{name}={chosen}" * (chosen != values[0])
    return id


def compared(number: int, seed: str) -> str:
    """Play game `number` by both; its variant. Raises Disagreement at the first difference."""
    rng = random.Random(f"{seed}/{number}")
    id = variant_of(number, rng)
    deal = rule_2_1_deck(rule_2_2_id(id)[1])
    rng.shuffle(deal)
    actions: list[str] = []
    try:
        follow(id, deal, actions, rng)
    except Exception as error:
        told = f"game {number} of seed {seed!r}: {id}\ndeal: {' '.join(deal)}\nactions: {', '.join(actions)}"
        if not isinstance(error, Disagreement):
            error.add_note(told)
            raise
        whole = Disagreement(f"{told}\n{error}")
        whole.variant, whole.actions = id, len(actions)
        raise whole from None
    return id


def follow(id: str, deal: list[str], actions: list[str], rng: random.Random) -> None:
    """The engine plays at random, the reference is told what, and both are asked all the time; fills `actions`."""
    state = ENGINE.deal(ENGINE.variant(id), deal)
    table = laid(id, deal)
    game = claim.play(table)
    asked: Asked | None = next(game)
    while asked:
        seat, legal = Seat(asked[0]), asked[2]
        same("who decides", [seat], list(state.to_act))
        same(f"legal for seat {seat}", legal, state.legal_text(seat))
        for watcher in watched(table, asked, len(actions)):
            same_view(id, table, state, watcher, asked)
        action = rng.choice(state.legal(seat))
        actions.append(state.text(action))
        state.apply(seat, action)
        asked = answered(game, actions[-1])
    same("who decides", [], list(state.to_act))
    for place in range(table.players):
        same_view(id, table, state, Seat(place), None)
    same_outcome(table, state)


def watched(table: Table, asked: Asked, step: int) -> list[Seat]:
    """Whose views are compared: all when a trick begins; then, card by card, each in turn, and whoever chooses else."""
    if not table.tricks[-1].plays:
        return [Seat(seat) for seat in range(table.players)]
    return [Seat(step % table.players if asked[1] == "play" else asked[0])]


def answered(game: Asking, action: str) -> Asked | None:
    """What the reference asks after an action; None when the game is over."""
    try:
        return game.send(action)
    except StopIteration:
        return None


def same_view(id: str, table: Table, state: State, seat: Seat, asked: Asked | None) -> None:
    """All that a seat can know; when a trick begins it shows where each card of the last one went."""
    engine = state.view(seat)
    for field, expected in ({"variant": id} | view(table, seat, asked)).items():
        same(f"{field}, as seat {seat} knows it", expected, engine[field])


def same_outcome(table: Table, state: State) -> None:
    """Ranks, scores and teams."""
    outcome = state.outcome
    assert outcome
    same("ranks", claim_votes.rule_7_2_places(table), list(outcome.ranks))
    same("scores", [claim_votes.rule_7_3_votes(table, team) for team in table.teams], list(outcome.scores))
    same("teams", table.teams, list(outcome.teams))


def same(what: str, reference: object, engine: object) -> None:
    """Raises Disagreement where the two differ."""
    if reference != engine:
        raise Disagreement(f"{what}\n  reference: {reference}\n  engine:    {engine}")


def chunk(games: tuple[str, range]) -> Chunk:
    """Play the games of these numbers of a seed."""
    seed, numbers = games
    variants, wrong = set(), []
    for number in numbers:
        try:
            variants.add(compared(number, seed))
        except Disagreement as found:
            variants.add(found.variant)
            wrong.append(found)
    return Chunk(len(numbers), variants, wrong)


def played(seed: str, numbers: range, processes: int) -> Iterator[Chunk]:
    """All of them, in as many processes (1: in this one), a chunk at a time."""
    parts = [(seed, numbers[start : start + CHUNK]) for start in range(0, len(numbers), CHUNK)]
    if processes == 1:
        yield from map(chunk, parts)
        return
    with Pool(processes, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        yield from pool.imap_unordered(chunk, parts)


def asked_for(words: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.reference.claim_games", description=SAYS)
    parser.add_argument("--games", type=at_least(1), default=100_000, help="how many (default: 100000)")
    parser.add_argument(
        "--first", type=at_least(0), default=0, help="number of the first, to play one again (0)"
    )
    parser.add_argument("--seed", default="claim", help="with another one the games are others (claim)")
    parser.add_argument("--processes", type=at_least(1), default=os.cpu_count() or 1, help="(one a core)")
    return parser.parse_args(words)


def at_least(least: int) -> Callable[[str], int]:
    """Reads a number on the command line."""

    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is no number from {least} on")
        return int(text)

    return number


def main(words: Sequence[str]) -> int:
    """Play, say how it went, and give the exit code: 0 where the two agree on every game."""
    want = asked_for(words)
    began, games, variants, wrong = time.monotonic(), 0, set[str](), list[Disagreement]()
    numbers = range(want.first, want.first + want.games)
    for part in played(want.seed, numbers, want.processes):
        games += part.games
        variants |= part.variants
        wrong += part.wrong
        if games % (100 * CHUNK) == 0:
            print(f"{games:,} games, {len(wrong):,} disagreements", file=sys.stderr)
    took = time.monotonic() - began
    decks = len({id.split("+")[0] for id in variants})
    print(f"engine         {'compiled' if compiled() else 'plain Python'}, {referee.games.__file__}")
    print(f"games          {games:,}")
    print(f"variants       {len(variants):,} ({decks} without options)")
    print(f"seconds        {took:,.1f}")
    print(f"disagreements  {len(wrong):,}")
    if wrong:
        print(f"\nthe shortest of them is {min(wrong, key=lambda found: found.actions)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        sys.exit(130)
