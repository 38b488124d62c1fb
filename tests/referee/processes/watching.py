"""What the tests look at from outside, with a deadline that only a hang would reach."""

import os
import time
from collections.abc import Callable

import psutil

from referee.processes import Kept

SOON = 20.0
"""Seconds."""


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SOON
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def wait_for_log(bot: Kept, text: str) -> None:
    log = bot.command.log
    until(lambda: log.exists() and text in log.read_text())


def keeper_of(bot: Kept) -> psutil.Process:
    keeper = psutil.Process(bot.pid).parent()
    assert keeper is not None
    assert keeper.pid != os.getpid()
    return keeper
