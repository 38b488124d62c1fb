"""The site of a tournament out of the ledger: what it is made of, found there; then written, whole or not at all.

While a tournament is not over its deals are open: what tells of one that is still to be played (replays, the
evidence of faults, the seed) is held back.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from arena import reporting
from arena.bracket import rounds
from arena.config import Tournament
from arena.errors import StorageError
from arena.home import Home
from arena.ledger import Begun, Ledger, Link
from arena.measures import Measures, measured
from arena.planning import Course, course_of
from arena.publishing import check_ours, publish
from arena.reading import begun, notes, opened, ratable, rate, said_of
from arena.scripts import make, placeless
from arena.suspension import left_out, suspended
from leaderboards.history import ending, history
from leaderboards.measured import FaultSeen
from leaderboards.selection import kind_of
from leaderboards.site import addresses
from leaderboards.site import build as building
from leaderboards.site.contest import (
    About,
    Contest,
    Kept,
    Ranking,
    Report,
    Terms,
    Version,
    entries,
    ranked_games,
)
from leaderboards.site.meetings import spread
from leaderboards.standings import Standings
from leaderboards.words import count
from protocol.result import GameResult
from protocol.vocabulary import BotId, GameId
from referee.games import GAMES

REPLAYS = 1000
"""Of the newest games, unless something else is asked for."""
HELD_EVIDENCE = "held back: games on this deal are still to be played"
_ID = re.compile(r"[0-9a-f]{4,64}")
_STEP = 250
"""Replays between two words of progress."""


class Built(NamedTuple):
    """A site that was written."""

    page: Path
    """The page to open."""
    files: int
    size: int
    """Bytes of all files."""
    replays: int
    broken: int
    """Games of which there is no replay, since this version's rules cannot play their records."""
    pairs: int
    """Two bots that met; there are no pages of them where they are more than MOST_PAIRS."""
    held: int
    """Games whose moves nobody may see yet, since their deals are still to be played with."""


def build(
    reference: str,
    folder: Path,
    *,
    replays: int | None = REPLAYS,
    lang: str = "en",
    logs: bool = False,
    home: Home | None = None,
    told: Callable[[str], None] = lambda line: None,
) -> Built:
    """Write the site of a tournament into a folder, in the place of an older one.

    `replays`: of so many of the newest games (None: of all); `logs`: with what bots printed in them; `told` hears
    how far it is. Raises ArenaError.
    """
    check_ours(folder)
    home = home or Home.default()
    with opened(home) as ledger, ratable():
        known = begun(reference, ledger)
        told("reading the games")
        source = Source(ledger, known, lang)
        site = _Site(
            source,
            source.shown(replays),
            told,
            home.path / "logs" / home.called(known.name) if logs else None,
        )
        written = publish(folder, site.files())
    return Built(
        folder / addresses.INDEX,
        written.files,
        written.size,
        len(site.made),
        site.broken,
        site.pairs,
        len(source.games) - len(source.shown(None)),
    )


def report(reference: str, *, lang: str = "en", home: Home | None = None) -> bytes:
    """The report of a tournament as one HTML file that needs no other. Raises ArenaError."""
    with opened(home or Home.default()) as ledger, ratable():
        return building.report(Source(ledger, begun(reference, ledger), lang).contest())


@dataclass(slots=True)
class _Site:
    """The files of a site as they are made: replays first, so that the pages know which there are."""

    source: Source
    games: Sequence[GameId]
    told: Callable[[str], None]
    logs: Path | None = None
    """Where what bots printed is, if it is to be told."""
    made: set[GameId] = field(default_factory=set)
    broken: int = 0
    pairs: int = 0

    def files(self) -> Iterator[building.File]:
        for number, replay in enumerate(make(self.source.packed(self.games), self.logs), 1):
            if replay.script:
                self.made.add(replay.game)
                yield addresses.replay(replay.game), replay.script
            else:
                self.broken += 1
            if number % _STEP == 0:
                self.told(f"replays: {number:,} of {len(self.games):,}")
        self.told("rating, then pages")
        contest = self.source.contest(frozenset(self.made))
        meetings = building.meetings_of(contest)
        self.pairs = len(meetings.between)
        yield from building.files(contest, meetings)


class Source:
    """A tournament as it stands in the ledger at one moment; what takes long is found when it is asked for."""

    def __init__(self, ledger: Ledger, known: Begun, lang: str = "en") -> None:
        """Raises StorageError."""
        self._ledger, self.known, self._lang = ledger, known, lang
        self.config = Tournament.model_validate(known.config)
        results = ledger.results(known.name)
        self.course: Course = course_of(self.config, known.seed, known.bots, left_out(ledger, known))
        self.course.take(results)
        self.ended = self.course.over()
        self._closed = self.course.closed({result.deal for result in results})
        self._head = ""
        self._isolations = Counter[str]()
        self.games, self._measures = self._read(results)

    def _read(self, results: Iterable[GameResult]) -> tuple[tuple[Kept, ...], Measures]:
        """What was kept since `results` were read is passed over, so that all of it tells of one moment."""
        by_id: dict[str, GameResult] = {result.id: result for result in results}
        kept: list[Kept] = []

        def noted() -> Iterator[Link]:
            for link in self._ledger.links(self.known.name):
                if result := by_id.get(link.game):
                    _check_id(link.game, self.known.name)
                    kept.append(Kept(result, link.finished or ""))
                    self._head = link.link
                    self._isolations[link.isolation or ""] += 1
                    yield link

        measures = measured(noted(), self.known.name)
        return tuple(kept), measures

    def may_be_seen(self, game: GameResult) -> bool:
        """Whether no game is to come on its deal."""
        return game.deal in self._closed

    def shown(self, most: int | None) -> list[GameId]:
        """The newest games of each variant that may be seen, the oldest first; None: all of them."""
        games = [game for game in self.games if self.may_be_seen(game.result)]
        return [game.result.id for game in (games if most is None else spread(games, most))]

    def packed(self, games: Iterable[GameId]) -> Iterator[tuple[GameId, bytes]]:
        """Their records, in the order in which they were kept."""
        wanted: set[str] = set(games)
        for link in self._ledger.links(self.known.name) if wanted else ():
            if link.game in wanted and link.record:
                yield GameId(link.game), link.record

    def contest(self, replays: frozenset[GameId] = frozenset()) -> Contest:
        """What its site is made of, with the replays of these games. Raises ArenaError, NotConverged."""
        known, standings = self.known, self.standings
        return Contest(
            name=known.name,
            version=f"kingmaker {version('kingmaker')}",
            state=reporting.state(self.ended, len(self.games), self.course.most()),
            over=bool(self.ended),
            facts=reporting.facts(
                known, self.config, len(self.games), len(known.bots), said_of(self._isolations)
            ),
            marks=reporting.marks(standings, self._head),
            rankings=tuple(self._rankings()),
            entered=known.bots,
            games=self.games,
            timing=self._measures.timing,
            timing_by_variant=self._measures.by_variant,
            faults=tuple(map(self._told, self._measures.faults)),
            about=self._about(),
            versions=self._versions(),
            replays=replays,
            held=reporting.held(known.name, len(replays), len(self.shown(None)), len(self.games)),
            report=self._report(),
            terms=self._terms(),
            lang=self._lang,
            held_back=frozenset(g.result.id for g in self.games if not self.may_be_seen(g.result)),
        )

    @cached_property
    def standings(self) -> Standings:
        """Of all variants. Raises StorageError."""
        results, kept = [game.result for game in self.games], said_of(self._isolations)
        return rate(results, notes(self._ledger, self.known), kept, planned=self.config.variant_ids)

    def _rankings(self) -> Iterator[Ranking]:
        """In the order of the site's navigation; the first is of all that is rated."""
        boards = self.standings.boards
        games, labels = sorted({board.kind.game for board in boards}), [board.label for board in boards]
        parts = [boards] if len(boards) != 1 else []
        parts += [tuple(b for b in boards if b.kind.game == game) for game in ranked_games(games, labels)]
        parts += [(board,) for board in boards]
        found = entries(games, labels)
        for entry, part in zip(found, parts, strict=True):
            kinds = {board.kind for board in part}
            is_all = entry is found[0]
            results = [game.result for game in self.games if is_all or kind_of(game.result) in kinds]
            standings = self.standings if is_all else self.standings.part(kinds, results)
            yield Ranking(entry, standings, ending(history(results), standings.rows))

    def _told(self, fault: FaultSeen) -> FaultSeen:
        """What may be seen of a fault now."""
        held = fault.evidence and fault.deal not in self._closed
        return replace(fault, evidence=HELD_EVIDENCE if held else placeless(fault.evidence))

    def _about(self) -> dict[BotId, About]:
        away = suspended(self._ledger, self.known)
        manifests = {known.id: known.manifest for known in self._ledger.bots(listed=False)}
        bots = {*self.known.bots, *(seat.bot for game in self.games for seat in game.result.seats)}
        return {
            bot: About(reporting.said(manifests.get(bot, {})), str(away[bot]) if bot in away else "")
            for bot in bots
        }  # fmt: skip

    def _versions(self) -> dict[str, tuple[Version, ...]]:
        found: defaultdict[str, list[Version]] = defaultdict(list)
        for known in self._ledger.bots(listed=False):
            found[known.id.name].append(
                Version(known.id, str(known.manifest.get("version", "")), known.added)
            )
        return {name: tuple(versions) for name, versions in found.items()}

    def _report(self) -> Report:
        known, course = self.known, self.course
        lines = rounds(course.schedule, course.field, course.progress)
        lead = [reporting.state(self.ended, len(self.games), course.most())]
        if self.games:
            times = sorted(game.finished for game in self.games)
            first, last = (moment[:16].replace("T", " ") for moment in (times[0], times[-1]))
            lead.append(
                f"{count(len(self.games), 'game')}, the first over on {first} UTC, the last on {last} UTC."
            )
        before = reporting.before(known, self.config, self.ended, self._measures.accounts, lines)
        return Report(tuple(lead), before, reporting.after(known, self.standings, self._head))

    def _terms(self) -> Terms:
        names = sorted({variant.split("/")[0] for variant in self.config.variant_ids})
        return {name: dict(GAMES[name].terms(self._lang)) for name in names if name in GAMES}


def _check_id(game: str, tournament: str) -> None:
    """Ids name files. Raises StorageError where one is none of ours."""
    if not _ID.fullmatch(game):
        fix = f"see what else is: arena verify {tournament}"
        raise StorageError(f"the row of a game is damaged: its id is {game!r}", fix, "E407")
