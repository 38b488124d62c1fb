"""What the arena knows of a tournament beside its games, in words: how it was played, and how to check it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from arena.config import StopTable, Tournament
from arena.ledger import Begun
from arena.measures import Account
from leaderboards.pages import Fact, Section
from leaderboards.standings import Standings
from leaderboards.words import count

_STOPS = {
    "games": "{:,} games that count",
    "minutes": "{:,} minutes of a run",
    "tau": "an expected Kendall tau of {:g}",
    "first": "a probability of {:g} to know the best bot",
}
_CLOCK = {
    "startup_ms": "to start",
    "bank_ms": "for all moves of a game",
    "increment_ms": "more after each move",
    "move_ms": "for one move at most",
    "margin_ms": "later is still in time",
}


def state(ended: str, over: int, most: int | None) -> str:
    """How far a tournament is, a sentence; `most`: games that there will be at most."""
    if ended:
        return f"The tournament is over: {ended}."
    return f"{over:,} of {most:,} games are over." if most else f"{over:,} games are over; more are to come."


def facts(known: Begun, config: Tournament, games: int, bots: int, kept: str) -> tuple[Fact, ...]:
    """The tournament in short."""
    return (
        Fact("games", f"{games:,}"),
        Fact("bots", f"{bots:,}"),
        Fact("variants", f"{len(config.variant_ids):,}"),
        Fact("schedule", config.schedule.kind.replace("_", " ")),
        Fact("begun", f"{known.begun[:16].replace('T', ' ')} UTC"),
        Fact("isolation", kept or "none yet"),
    )


def said(manifest: Mapping[str, Any]) -> tuple[Fact, ...]:
    """What a bot says of itself."""
    told = {key: manifest.get(key) for key in ("version", "language")}
    told["authors"] = ", ".join(map(str, manifest.get("authors", ())))
    return tuple(Fact(key, str(value)) for key, value in told.items() if value)


def held(name: str, replays: int, seen: int, games: int) -> str:
    """Why a site has no replay of other games: it has `replays`, and `seen` of all may be seen; empty: it has all."""
    parts = []
    if replays < seen:
        parts.append(
            f"Replays are here of {count(replays, 'game')} of the {seen:,} that may be seen; any other of them is shown "
            f"by arena replay ID, and all are here after arena site build {name} -o DIR --replays all."
        )
    if seen < games:
        left = count(games - seen, "game")
        parts.append(f"The moves of {left} are held back until their deals are played with no more.")
    return " ".join(parts)


def before(
    known: Begun, config: Tournament, ended: str, accounts: Counter[Account], lines: Iterable[str]
) -> tuple[Section, ...]:
    """How it was played; `ended`: why it is over, if it is; `lines`: the rounds of the schedule, in words."""
    return (
        Section("schedule", "Schedule", tuple(lines), tuple(_schedule(known, config, ended))),
        Section("clock", "Clock", facts=tuple(_clock(accounts, config))),
        Section("isolation", "How bots were kept apart", (_ISOLATION,), tuple(_apart(accounts, config))),
        Section("software", "Software", facts=tuple(_software(accounts))),
    )


_ISOLATION = (
    "Layers are those that were seen to hold when the games were played; each record says which it had."
)


def _schedule(known: Begun, config: Tournament, ended: str) -> Iterator[Fact]:
    said = config.schedule
    yield Fact("schedule", said.kind.replace("_", " "))
    yield Fact("variants", ", ".join(config.variant_ids))
    yield Fact(
        "deals", f"{config.deals:,}", says="for each pairing and variant, each played in every seating"
    )
    if said.bots:
        yield Fact("its bots", ", ".join(said.bots))
    if config.stop != StopTable():
        rules = [text.format(value) for key, text in _STOPS.items() if (value := getattr(config.stop, key))]
        yield Fact("stops at", "; or ".join(rules))
    yield Fact("ended", ended or "not yet")
    yield Fact("partners", config.partners, says="in games of two teams")
    yield Fact(
        "faults in a row that suspend", f"{config.suspend_after}" if config.suspend_after else "no number"
    )
    yield Fact("names of opponents", config.names)
    yield Fact("seed", known.seed if ended else "held back until the tournament is over")


def _clock(accounts: Counter[Account], config: Tournament) -> Iterator[Fact]:
    """Of the records, where there are any; else what is to be."""
    found = Counter[tuple[tuple[str, Any], ...]]()
    for account, games in accounts.items():
        found[account.limits] += games
    found = found or Counter({tuple(config.clock.limits.recorded().items()): 0})
    for limits, games in sorted(found.items(), key=lambda item: (-item[1], str(item[0]))):
        said = ", ".join(f"{_ms(ms)} {_CLOCK.get(key, key)}" for key, ms in limits)
        yield Fact(f"{games:,} games" if games else "planned", said)
    yield Fact("thinking in others' turns", "allowed" if config.clock.pondering == "on" else "not allowed")


def _ms(value: int | None) -> str:
    """A limit.

    >>> _ms(20_000), _ms(100), _ms(None)
    ('20 s', '100 ms', 'no limit')
    """
    if value is None:
        return "no limit"
    return f"{value / 1000:g} s" if value >= 1000 else f"{value:,} ms"


def _apart(accounts: Counter[Account], config: Tournament) -> Iterator[Fact]:
    yield from _isolation(accounts)
    modes = {account.isolation for account in accounts} or {config.sandbox}
    if modes == {"none"}:
        yield Fact("memory", "no limit")
    else:
        yield Fact("memory", f"{config.memory_mb:,} MiB", says="for all processes of a bot together")


def _isolation(accounts: Counter[Account]) -> Iterator[Fact]:
    found = Counter[tuple[str, tuple[str, ...], tuple[str, ...]]]()
    for account, games in accounts.items():
        found[account.isolation, account.layers, account.missing] += games
    for (mode, layers, missing), games in sorted(found.items(), key=lambda item: (-item[1], item[0])):
        lack = f"missing: {', '.join(missing)}" if missing else "nothing of it missing"
        layered = f"{', '.join(layers)}; {lack}" if layers else "no layers: bots were trusted"
        yield Fact(f"{games:,} games", f"{mode} ({layered})")


def _software(accounts: Counter[Account]) -> Iterator[Fact]:
    found = Counter[str]()
    for account, games in accounts.items():
        found[", ".join(f"{name} {version}" for name, version in account.versions)] += games
    for versions, games in sorted(found.items(), key=lambda item: (-item[1], item[0])):
        yield Fact(f"{games:,} games", versions)


def after(known: Begun, standings: Standings, head: str) -> tuple[Section, ...]:
    """How all of it can be checked."""
    file = f"{known.name}.jsonl"
    commands = (
        f"arena verify {known.name}", f"arena record export {known.name} -o {file}",
        f"arena verify {file}{' --head ' + head if head else ''}", f"arena ratings --from {file}",
    )  # fmt: skip
    said = (
        "Every game has a link in a chain: SHA-256 over the link before it, the game, its time and its record. Whoever "
        "has this page can tell from the head whether a game was changed, added or left out since. Ratings are a function "
        "of the games and the settings that the digests name.",
    )
    return (Section("verify", "How to check it", said, marks(standings, head), commands=commands),)


def marks(standings: Standings, head: str) -> tuple[Fact, ...]:
    """What it can be checked against."""
    return (
        Fact("Head of the chain", head or "no game is over"),
        Fact("Leaderboard", standings.digest),
        Fact("Rated games", standings.games_digest),
        Fact("Settings", standings.settings.digest),
    )
