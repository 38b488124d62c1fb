"""From accounts of games and outcomes of tests to one row a threat, and to the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.hostile.accounts import Account, matches
from tests.hostile.threats import (
    ATTACKS,
    COVERED,
    ESCAPES,
    NEVER,
    PROBE,
    RIVALS,
    Attack,
    Covered,
    Escape,
    Threat,
)

LATE = 0.25
"""Seconds after the deadline in which the verdict must be known."""
GROWTH_KIB = 32 * 1024
WIDTH = 120
PUBLISHED = {
    "drip": ("61 s, illegal move", "60 s, illegal move"),
    "silence": ("1.1 s, then 60 s for its end", "16.6 s in all"),
    "600 MB": ("5.4 s late, 1,236 MB of memory", "not tried"),
    "grandchild": ("lives on", "lives on"),
}
"""What fastchess alpha 1.8.2 and cutechess-cli 1.5.1 did of the same, each with 1 s + 0 on the clock."""


@dataclass(frozen=True)
class Row:
    """What came of one threat, over all modes."""

    threat: str
    title: str
    expected: str
    got: str
    milliseconds: int | None
    """The slowest verdict; None where there is none to wait for."""
    late: int | None
    """By how much that was after the bot's deadline; below 0: before."""
    grew_kib: int | None
    left: str
    right: bool
    detail: tuple[str, ...] = ()
    """What is wrong, a line each."""


def is_slow(account: Account) -> bool:
    """Whether the verdict came too late: what the host took from the bot is not counted."""
    return account.seconds > account.deadline + account.lag + LATE


def is_disturbed(account: Account) -> bool:
    """Whether other programs of this machine may be to blame, so that it is fair to play it again."""
    return is_slow(account) or account.got.startswith("void/host_lag")


def faults_of(account: Account) -> list[str]:
    """What is wrong in an account."""
    wrong = [f"{account.mode}: {text}" for text in account.trouble]
    if not matches(account.got, account.expected):
        wrong.append(f"{account.mode}: got {account.got}, not {account.expected}")
    if is_slow(account):
        wrong.append(f"{account.mode}: {account.seconds:.3f} s, and it had {account.deadline:.3f}")
    if account.grew >= GROWTH_KIB:
        wrong.append(f"{account.mode}: the referee grew by {account.grew} KiB")
    return wrong + [f"{account.mode}: left {one}" for one in account.left]


def rows(accounts: Sequence[Account], tested: Mapping[str, str], threats: Sequence[str]) -> list[Row]:
    """One for each threat of the table, or for `threats` alone."""
    table: list[Threat] = [*ATTACKS, *ESCAPES, *COVERED, *RIVALS]
    wanted = [one for one in table if not threats or one.threat in threats]
    wanted.sort(key=lambda one: int(one.threat[1:]) if one.threat[1:].isdigit() else 100)
    return [_row(one, accounts, tested) for one in wanted]


def _row(threat: Threat, accounts: Sequence[Account], tested: Mapping[str, str]) -> Row:
    match threat:
        case Attack():
            return _of_attack(
                threat, [one for one in accounts if one.attack == threat.threat + " " + threat.bot]
            )
        case Escape():
            return _of_escape(threat, [one for one in accounts if one.attack.endswith(PROBE.bot)])
        case Covered():
            return _of_tests(threat, tested)


def _of_attack(attack: Attack, accounts: list[Account]) -> Row:
    wrong = [text for account in accounts for text in faults_of(account)]
    slowest = max(accounts, key=lambda one: one.seconds - one.deadline)
    judged = [one for one in accounts if one.got != "nothing"]
    return Row(
        attack.threat, attack.title, _by_mode([(one.mode, one.expected) for one in accounts]),
        _by_mode([(one.mode, one.got) for one in accounts]),
        round(1000 * slowest.seconds) if judged else None,
        round(1000 * (slowest.seconds - slowest.deadline)) if judged else None,
        max(one.grew for one in accounts), "nothing" if not any(one.left for one in accounts) else "see below",
        bool(accounts) and not wrong, tuple(wrong),
    )  # fmt: skip


def _of_escape(escape: Escape, accounts: list[Account]) -> Row:
    modes = list(dict.fromkeys(one.mode for one in accounts))
    done = {mode: _successes(escape, [one for one in accounts if one.mode == mode]) for mode in modes}
    wrong = [
        f"{mode}: it could: {name}"
        for mode in modes
        for name in done[mode]
        if mode != "none" or name in NEVER
    ]
    wrong += [
        f"{one.mode}: no attempt was made: {name}"
        for one in accounts
        for name in escape.attempts
        if name not in one.did
    ]
    wrong += [text for account in accounts for text in faults_of(account)]
    count = len(escape.attempts)
    got = " · ".join(f"{mode} {len(done[mode])}/{count}" for mode in modes)
    return Row(
        escape.threat, escape.title, "0 but in none", got, None, None, None, "nothing",
        bool(accounts) and not wrong, tuple(wrong),
    )  # fmt: skip


def _successes(escape: Escape, accounts: list[Account]) -> list[str]:
    return [name for name in escape.attempts if any(one.did.get(name) == "yes" for one in accounts)]


def _of_tests(covered: Covered, tested: Mapping[str, str]) -> Row:
    wrong = [f"{id}: {tested.get(id, 'not run')}" for id in covered.tests if tested.get(id) != "passed"]
    count = len(covered.tests)
    got = f"{count - len(wrong)} of {count} passed"
    return Row(
        covered.threat, covered.title, f"{count} tests pass" if count > 1 else "1 test passes", got, None, None, None,
        "", not wrong, tuple(wrong),
    )  # fmt: skip


def _by_mode(words: list[tuple[str, str]]) -> str:
    """The word of all modes, or those of each that differs from the last."""
    different = list(dict.fromkeys(word for _, word in words))
    if len(different) < 2:
        return "".join(different)
    return " · ".join(f"{'/'.join(mode for mode, w in words if w == word)}: {word}" for word in different)


def show(table: Sequence[Row], accounts: Sequence[Account], notes: Sequence[str], seconds: float) -> str:
    """The table as plain text of at most 120 columns, with what is wrong below."""
    threats = [row for row in table if row.threat.startswith("T")]
    lines = [*notes, "", _line("", "threat", "expected", "got", "verdict", "growth", "left", "")]
    lines += [_text(row) for row in threats]
    lines += _rivals([row for row in table if row not in threats])
    wrong = [row for row in table if not row.right]
    lines += ["", *(f"{row.threat} {text}"[:WIDTH] for row in wrong for text in row.detail)]
    seats = f"{len(accounts)} attacks, {len(table)} rows, {len(wrong)} wrong, {seconds:.0f} s"
    return "\n".join([*lines, seats])


def _text(row: Row) -> str:
    time = "" if row.milliseconds is None else f"{row.milliseconds} ms"
    growth = "" if row.grew_kib is None else f"{row.grew_kib / 1024:.1f} MiB"
    return _line(
        row.threat, row.title, row.expected, row.got, time, growth, row.left, "ok" if row.right else "WRONG"
    )


def _line(
    threat: str, title: str, expected: str, got: str, time: str, growth: str, left: str, right: str
) -> str:
    cells = (
        f"{threat:<4}{_cut(title, 32):<33}{_cut(expected, 25):<26}{_cut(got, 25):<26}{time:>8}{growth:>9} "
        f"{left:<8}{right}"
    )
    return cells.rstrip()[:WIDTH]


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _rivals(table: Sequence[Row]) -> list[str]:
    """What others did of the same, beside what was measured just now."""
    if not table:
        return []
    head = (
        "Beside other runners, with 1 s on the clock (theirs: figures published of another day and its load)"
    )
    lines = ["", head, f"{'':<14}{'here':<44}{'fastchess 1.8.2':<32}{'cutechess-cli 1.5.1'}"]
    for row in table:
        fastchess, cutechess = PUBLISHED[row.threat]
        here = f"{(row.milliseconds or 0) / 1000:.2f} s, {row.got}, {(row.grew_kib or 0) / 1024:.1f} MiB more, left: {row.left}"
        lines.append(f"{row.threat:<12}{here:<52}{fastchess:<32}{cutechess}"[:WIDTH])
    return lines
