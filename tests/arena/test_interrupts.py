"""Ctrl-C in order, then at once. Whole programs: tests/e2e/test_interrupts.py."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from threading import Thread

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.interrupts import CODE, twice


def ended_by(body: str, *, ignoring: bool = False) -> int:
    """The exit code of a program that interrupts itself by `hit()`; 77: it got to its end."""
    script = f"""
import os, signal
from arena.interrupts import twice
{"signal.signal(signal.SIGINT, signal.SIG_IGN)" if ignoring else ""}
def hit():
    os.kill(os.getpid(), signal.SIGINT)
{textwrap.dedent(body)}
os._exit(77)
"""
    return subprocess.run([sys.executable, "-c", script]).returncode


IN_ORDER = """
try:
    with twice(signal.SIGINT):
        {inner}
        hit()
except KeyboardInterrupt:
    {after}
"""
NESTED = """
with twice(signal.SIGINT):
    try:
        with twice(signal.SIGINT):
            hit()
    except KeyboardInterrupt:
        hit()
"""


def test_the_first_is_in_order_and_the_second_at_once() -> None:
    assert ended_by(IN_ORDER.format(inner="pass", after="pass")) == 77
    tidied = "try:\n            hit()\n        except KeyboardInterrupt:\n            pass"
    assert ended_by(IN_ORDER.format(inner=tidied, after="pass")) == CODE


def test_the_second_is_at_once_also_where_the_first_was_heard_further_in() -> None:
    assert ended_by(NESTED) == CODE


def test_what_a_process_was_started_to_ignore_it_ignores() -> None:
    assert ended_by(NESTED, ignoring=True) == 77


@pytest.fixture
def before() -> Iterator[object]:
    handler = signal.getsignal(signal.SIGINT)
    yield handler
    assert signal.getsignal(signal.SIGINT) is handler


def test_handlers_are_put_back(before: object) -> None:
    with pytest.raises(KeyboardInterrupt), twice(signal.SIGINT):
        os.kill(os.getpid(), signal.SIGINT)


def test_a_command_runs_in_any_thread() -> None:
    found: list[Result] = []
    thread = Thread(target=lambda: found.append(CliRunner().invoke(main, ["explain", "E204"])))
    thread.start()
    thread.join()
    assert [result.exit_code for result in found] == [0], found[0].exception
