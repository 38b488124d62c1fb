"""From accounts of games and outcomes of tests to one row a threat, and to the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap

from tests.hostile.accounts import Account, matches
from tests.hostile.threats import (
    ATTACKS,
    COVERED,
    ESCAPES,
    GOT_AWAY,
    NEVER,
    OF_NAMESPACES,
    PROBE,
    RIVALS,
    Attack,
    Covered,
    Escape,
    Threat,
)  # fmt: skip

LATE = 0.25
"""Seconds after the deadline in which the verdict must be known."""
BUSY = 0.02
"""Seconds that the host took from a bot or its referee, from which on a verdict may be its doing."""
GROWTH_KIB = 32 * 1024
WIDTH = 120
TITLE, EXPECTED, GOT = 34, 27, 25
CAPTION = "Verdict: the time from the question to the news of it; it had until 250 ms after the deadline."
PUBLISHED = {
    "drip": ("61 s, then `illegal move`", "60 s, same"),
    "silence": ("1.1 s, and 60 s for its end", "16.6 s in all"),
    "600 MB": ("6.4 s, 1,236 MB of memory", "not tried"),
    "grandchild": ("it lives on", "it lives on"),
}
"""What fastchess alpha 1.8.2 and cutechess-cli 1.5.1 did of the same, with 1 s + 0 on the clock."""


@dataclass(frozen=True)
class Part:
    """What was expected and what came, in modes in which it is the same."""

    modes: tuple[str, ...]
    expected: str
    got: str


@dataclass(frozen=True)
class Row:
    """What came of one threat."""

    threat: str
    title: str
    parts: tuple[Part, ...]
    milliseconds: int | None
    """Of the verdict that came latest, seen from its deadline; None where there is none to wait for."""
    grew_kib: int | None
    """The most that the referee grew."""
    left: int | None
    """Things that were left over."""
    wrong: tuple[str, ...]
    """All that is not as it should be, a line each."""
    notes: tuple[str, ...] = ()
    """What else is to be known."""

    @property
    def right(self) -> bool:
        """Whether it was shown, and nothing is wrong."""
        return bool(self.parts) and not self.wrong


def is_slow(account: Account) -> bool:
    """Whether the verdict came too late: what the host took from the bot is not counted."""
    return account.got != "nothing" and account.seconds > account.deadline + account.lag + LATE


def is_disturbed(account: Account) -> bool:
    """Whether it is wrong, and other programs of this machine may be to blame."""
    return is_slow(account) or (account.lag > BUSY and not matches(account.got, account.expected))


def flaws(account: Account) -> Iterator[str]:
    """What is wrong in an account."""
    if not matches(account.got, account.expected):
        yield f"got {account.got}, not {account.expected}"
    if is_slow(account):
        yield f"took {account.seconds:.3f} s, and it had {account.deadline:.3f}"
    if account.grew >= GROWTH_KIB:
        yield f"the referee grew by {account.grew} KiB"
    yield from account.trouble
    yield from (f"left {one}" for one in account.left)


def rows(accounts: Sequence[Account], tested: Mapping[str, str], threats: Sequence[str]) -> list[Row]:
    """One for each threat of the table, or for `threats` alone, in the order of their numbers."""
    table: list[Threat] = [*ATTACKS, *ESCAPES, *COVERED, *RIVALS]
    wanted = [one for one in table if not threats or one.threat in threats]
    wanted.sort(key=lambda one: int(one.threat[1:]) if one.threat[1:].isdigit() else len(table))
    return [_row(one, accounts, tested) for one in wanted]


def _row(threat: Threat, accounts: Sequence[Account], tested: Mapping[str, str]) -> Row:
    match threat:
        case Attack():
            return _of_attack(
                threat, [one for one in accounts if one.attack == f"{threat.threat} {threat.bot}"]
            )
        case Escape():
            return _of_escape(
                threat, [one for one in accounts if one.attack == f"{PROBE.threat} {PROBE.bot}"]
            )
        case Covered():
            return _of_tests(threat, tested)


def _of_attack(attack: Attack, accounts: list[Account]) -> Row:
    wrong = tuple(f"{one.mode}: {flaw}" for one in accounts for flaw in flaws(one))
    judged = [one for one in accounts if one.got != "nothing"]
    latest = max(judged, key=lambda one: one.seconds - one.deadline - one.lag, default=None)
    parts = _parts([(one.mode, _word(one.expected), _word(one.got)) for one in accounts])
    milliseconds = None if latest is None else round(1000 * latest.seconds)
    grew = max((one.grew for one in accounts), default=None)
    return Row(
        attack.threat, attack.title, parts, milliseconds, grew, sum(len(one.left) for one in accounts), wrong
    )


def _word(verdict: str) -> str:
    return verdict.replace(GOT_AWAY, "gets it")


def _of_escape(escape: Escape, accounts: list[Account]) -> Row:
    done = {mode: _successes(escape, mode, accounts) for mode in dict.fromkeys(one.mode for one in accounts)}
    count = len(escape.attempts)
    parts = [(mode, _promise(escape, mode), f"{len(names)} of {count} done") for mode, names in done.items()]
    wrong = [
        f"{mode}: did: {name}"
        for mode, names in done.items()
        for name in names
        if mode != "none" or name in NEVER
    ]
    for one in accounts:
        wrong += [f"{one.mode}: not tried: {name}" for name in escape.attempts if name not in one.did]
        wrong += [f"{one.mode}: {flaw}" for flaw in flaws(one)]
    tried = done.get("none", escape.attempts)
    vain = [name for name in escape.attempts if name not in tried and name not in NEVER]
    notes = tuple(f"cannot be done here without a sandbox either: {name}" for name in vain)
    return Row(escape.threat, escape.title, _parts(parts), None, None, 0, tuple(wrong), notes)


def _successes(escape: Escape, mode: str, accounts: list[Account]) -> list[str]:
    """What was done and matters: filters alone, where they have to do, let some things pass."""
    own = [one for one in accounts if one.mode == mode]
    passing = OF_NAMESPACES if mode != "none" and not all(one.whole for one in own) else frozenset()
    names = [name for name in escape.attempts if name not in passing]
    return [name for name in names if any(one.did.get(name) == "yes" for one in own)]


def _promise(escape: Escape, mode: str) -> str:
    return "0 done" if mode != "none" or NEVER.issuperset(escape.attempts) else "not promised"


def _of_tests(covered: Covered, tested: Mapping[str, str]) -> Row:
    wrong = tuple(f"{id}: {tested.get(id, 'not run')}" for id in covered.tests if tested.get(id) != "passed")
    count = len(covered.tests)
    part = Part((), _tests(count), f"{count - len(wrong)} passed")
    return Row(covered.threat, covered.title, (part,), None, None, None, wrong)


def _tests(count: int) -> str:
    return "1 test of the project" if count == 1 else f"{count} tests of the project"


def _parts(found: list[tuple[str, str, str]]) -> tuple[Part, ...]:
    """Modes together in which the same was expected and came."""
    same = dict.fromkeys((expected, got) for _, expected, got in found)
    return tuple(Part(tuple(mode for mode, *pair in found if tuple(pair) == one), *one) for one in same)


# the table


def show(table: Sequence[Row], accounts: Sequence[Account], notes: Sequence[str], seconds: float) -> str:
    """The rows as plain text of at most 120 columns, with what is wrong below."""
    threats = [row for row in table if row.threat not in PUBLISHED]
    lines = [line for note in notes for line in wrap(note, WIDTH, subsequent_indent="  ")]
    lines += ["", CAPTION]
    lines += ["", _line("", "threat", "expected", "got", "verdict", "growth", "left", "")]
    lines += [line for row in threats for line in _lines(row)]
    lines += _rivals([row for row in table if row.threat in PUBLISHED])
    lines += ["", *(f"{row.threat} {text}" for row in table for text in (*row.wrong, *row.notes))]
    again = sum(one.tries > 1 for one in accounts)
    wrong = sum(not row.right for row in table)
    lines.append(
        f"{len(table)} rows, {wrong} wrong; {len(accounts)} attacks, {again} played again on a busy machine"
    )
    return "\n".join([*lines, f"{seconds:.0f} s"])


def _lines(row: Row) -> Iterator[str]:
    """One, and one more for each group of modes where they differ."""
    time = "" if row.milliseconds is None else f"{row.milliseconds:,} ms"
    growth = "" if row.grew_kib is None else f"{row.grew_kib / 1024:.1f} MiB"
    left = "" if row.left is None else f"{row.left or 'nothing'}"
    numbers = time, growth, left, "ok" if row.right else "WRONG"
    if len(row.parts) == 1:
        yield _line(row.threat, row.title, row.parts[0].expected, row.parts[0].got, *numbers)
        return
    yield _line(row.threat, row.title, "", "", *numbers)
    for part in row.parts:
        yield _line("", f"  in {', '.join(part.modes)}", part.expected, part.got, "", "", "", "")


def _line(
    threat: str, title: str, expected: str, got: str, time: str, growth: str, left: str, right: str
) -> str:
    words = f"{threat:<4}{_cut(title, TITLE)}{_cut(expected, EXPECTED)}{_cut(got, GOT)}"
    return f"{words}{time:>8}{growth:>8} {left:<7} {right}".rstrip()


def _cut(text: str, width: int) -> str:
    short = text if len(text) < width else text[: width - 2] + "…"
    return short.ljust(width)


def _rivals(table: Sequence[Row]) -> list[str]:
    """What others did of the same, beside what was measured just now."""
    if not table:
        return []
    lines = [
        "", "With 1 s on the clock, here now, and as published of other runners (another day, 1 s + 0):",
        f"{'':<12}{'here':<60}{'fastchess 1.8.2':<28}cutechess 1.5.1",
    ]  # fmt: skip
    for row in table:
        got = row.parts[0].got if row.parts else "not played"
        seconds, growth = (row.milliseconds or 0) / 1000, (row.grew_kib or 0) / 1024
        here = f"{seconds:.2f} s, {got}, {growth:.1f} MiB, left: {row.left or 'nothing'}"
        fastchess, cutechess = PUBLISHED[row.threat]
        lines.append(f"{row.threat:<12}{here:<60}{fastchess:<28}{cutechess}")
    return lines
