"""A small game with a secret simultaneous choice: every seat bids 0 to 2, most wins, `rounds` times."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from protocol.vocabulary import Outcome, Seat, Team
from referee.game import Event, Game, IllegalAction, State, Variant, VariantError


class Bids(State):
    def __init__(self, variant: Variant, rounds: int) -> None:
        self.variant, self.left = variant, rounds
        self.points = [0] * variant.players
        self.bids: dict[Seat, int] = {}
        self.log: list[Event] = []

    @property
    def to_act(self) -> tuple[Seat, ...]:
        return tuple(map(Seat, range(self.variant.players))) if self.left else ()

    def legal(self, seat: Seat) -> list[int]:
        return [0, 1, 2] if self.left and seat not in self.bids else []

    def apply(self, seat: Seat, action: int) -> None:
        if action not in self.legal(seat):
            raise IllegalAction(str(action))
        self.bids[seat] = action
        if len(self.bids) == self.variant.players:
            for bidder, bid in self.bids.items():
                self.points[bidder] += bid
            self.log.append(Event("bids", {"bids": [self.bids[Seat(i)] for i in range(len(self.bids))]}))
            self.bids, self.left = {}, self.left - 1

    def text(self, action: int) -> str:
        return f"bid:{action}"

    def default(self, seat: Seat) -> int:
        return 0

    def events(self, start: int = 0) -> list[Event]:
        return self.log[start:]

    @property
    def outcome(self) -> Outcome | None:
        if self.left:
            return None
        ranks = tuple(sum(p > mine for p in self.points) for mine in self.points)
        return Outcome(ranks, tuple(self.points), self.variant.teams)

    def view(self, seat: Seat) -> dict[str, Any]:
        return {"seat": seat, "points": list(self.points)}

    def public(self) -> dict[str, Any]:
        return {"points": list(self.points)}

    def clone(self) -> State:
        raise NotImplementedError


class BiddingGame(Game):
    name, title, rules = "bids", "Bids", 1

    def variants(self) -> Sequence[str]:
        return ["bids/2", "bids/3"]

    def aliases(self) -> Mapping[str, str]:
        return {}

    def variant(self, id: str) -> Variant:
        if id not in self.variants():
            raise VariantError(id)
        return Variant(id, tuple(map(Team, range(int(id[-1])))))

    def matching(self, pattern: str) -> list[str]:
        return [self.variant(pattern).id]

    def rules_id(self, variant: Variant) -> str:
        return "1-0"

    def setup(self, variant: Variant, seed: str) -> State:
        return Bids(variant, 3)

    def deal(self, variant: Variant, literal: Sequence[str]) -> State:
        return Bids(variant, len(literal))

    def literal(self, variant: Variant, seed: str) -> list[str]:
        return []

    def setup_info(self, variant: Variant) -> dict[str, Any]:
        return {}

    def sample(self, view: Mapping[str, Any], rng: random.Random) -> State:
        raise NotImplementedError

    def render(self, state: State, seat: Seat | None = None, lang: str = "en") -> str:
        return ""
