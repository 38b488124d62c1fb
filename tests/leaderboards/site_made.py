"""Sites made in memory, and what stands in their pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

from leaderboards.history import history
from leaderboards.measured import FaultSeen, Timing
from leaderboards.pages import Fact
from leaderboards.site.build import files, meetings_of
from leaderboards.site.contest import About, Contest, Kept, Ranking, Report, Version, entries
from leaderboards.standings import standings
from protocol.result import GameResult
from protocol.vocabulary import BotId, FaultKind, GameId


def contest(results: Sequence[GameResult], replays: Iterable[GameId] = ()) -> Contest:
    """Games of one variant, as the arena hands them over; each bot has thought, made a fault and says who it is."""
    found = standings(results)
    bots = sorted({seat.bot for result in results for seat in result.seats})
    entry = entries(["claim"], [board.label for board in found.boards])[0]
    times = {bot: Timing(10, 1.0, 2.0, 3.0, 4.0) for bot in bots}
    return Contest(
        name="cup", version="kingmaker 1", state="It is over.", over=True, facts=(Fact("games", str(len(results))),),
        marks=(Fact("head", "ab" * 32),), rankings=(Ranking(entry, found, history(results)),), entered=tuple(bots),
        games=tuple(Kept(result, "2026-11-30T17:04:05+00:00") for result in results), timing=times,
        timing_by_variant={results[0].variant: times} if results else {},
        faults=tuple(_fault(results[0], bot) for bot in bots), about={bot: _about(bot) for bot in bots},
        versions={bot.name: (Version(bot, bot.name, "2026-11-30"), Version(BotId(bot.name, "0" * 64), "", "2026")) for bot in bots},
        replays=frozenset(replays), held="", report=Report(("It was played.",), (), ()), terms={},
    )  # fmt: skip


def _fault(result: GameResult, bot: BotId) -> FaultSeen:
    return FaultSeen(
        result.id, result.deal, result.variant, "2026-11-30", bot, FaultKind.CRASH, bot.name, 3, bot.name
    )


def _about(bot: BotId) -> About:
    return About((Fact("authors", bot.name),), f"{bot.name} is suspended")


def built(made: Contest) -> dict[str, bytes]:
    """All files of its site but the replays."""
    return dict(files(made, meetings_of(made)))


@dataclass
class Seen(HTMLParser):
    """A page, taken apart."""

    text: str = ""
    tags: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    inline: list[str] = field(default_factory=list)
    """What stands inside of script and style."""

    def __post_init__(self) -> None:
        super().__init__()
        self._within = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        self._within = tag

    def handle_endtag(self, tag: str) -> None:
        self._within = ""

    def handle_data(self, data: str) -> None:
        if self._within in ("script", "style"):
            self.inline.append(data)
        else:
            self.text += data

    def all(self, name: str) -> list[str]:
        """The values of an attribute, in order."""
        return [attributes[name] for _, attributes in self.tags if name in attributes]


def seen(page: bytes) -> Seen:
    """A page, taken apart."""
    found = Seen()
    found.feed(page.decode())
    return found


def pages(site: dict[str, bytes]) -> dict[str, Seen]:
    """Those of a site."""
    return {path: seen(data) for path, data in site.items() if path.endswith(".html")}
