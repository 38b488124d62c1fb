"""A bot that is talked to by its standard input and output: what it has of us, and what its log has."""

import os
import resource
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from referee.processes import Command, Kept, StartError, keep
from referee.processes import trees as keepers

from .watching import SOON, keeper_of, until, wait_for_log

Start = Callable[..., Kept]


@pytest.fixture
def piped(python: Start) -> Iterator[Start]:
    """Start a bot, the Python program given as text, whose pipes are closed with the test."""
    bots: list[Kept] = []

    def begin(program: str, *args: str, **others: object) -> Kept:
        bots.append(python("import os, sys, time\n" + program, *args, piped=True, **others))
        return bots[-1]

    yield begin
    for bot in bots:
        for fd in bot.pipes:
            os.close(fd)


def said(bot: Kept) -> bytes:
    """All of its standard output, until it is closed."""
    data = b""
    while piece := os.read(bot.pipes[0], 1 << 16):
        data += piece
    return data


def descriptors() -> set[str]:
    """Without that of the listing itself."""
    return {path.name for path in list(Path("/proc/self/fd").iterdir()) if path.is_symlink()}


def test_it_is_heard_on_its_output_and_told_on_its_input(piped: Start, tmp_path: Path) -> None:
    bot = piped("print('heard', input(), flush=True)\nprint('noted', file=sys.stderr)")
    os.write(bot.pipes[1], b"this\n")
    assert said(bot) == b"heard this\n"
    assert bot.stop(SOON).tail == "noted\n" == (tmp_path / "bot.log").read_text()


def test_the_end_of_its_input_is_told(piped: Start) -> None:
    bot = piped("print(sys.stdin.read())")
    reader, writer = bot.pipes
    os.dup2(reader, writer)  # closes it, and leaves the number to the fixture
    assert bot.stop(SOON).code == 0


def test_only_the_three_standard_descriptors_all_of_them_pipes(piped: Start) -> None:
    other = piped("time.sleep(1000)")
    bot = piped(
        "for fd in sorted(map(int, os.listdir('/proc/self/fd'))):\n"
        "    try: print(fd, os.readlink(f'/proc/self/fd/{fd}'))\n"
        "    except OSError: pass  # the listing's own"
    )
    lines = said(bot).decode().splitlines()
    assert [line.split(":")[0] for line in lines] == ["0 pipe", "1 pipe", "2 pipe"]
    ours = {str(Path(f"/proc/self/fd/{fd}").readlink()) for one in (bot, other) for fd in one.pipes}
    theirs = [line.split()[1] for line in lines]
    assert len({*theirs}) == 3 and {*theirs[:2]} < ours and theirs[2] not in ours


def test_its_descriptors_block_as_others_do(piped: Start) -> None:
    """A program that writes much to its stderr would fail, else."""
    assert said(piped("print(*map(os.get_blocking, (0, 1, 2)))")) == b"True True True\n"


def test_another_bot_does_not_hold_its_pipes(piped: Start) -> None:
    bot, other = piped("input()"), piped("time.sleep(1000)")
    os.write(bot.pipes[1], b"\n")
    assert said(bot) == b"", "the end comes though the other lives"
    assert bot.stop(SOON).code == 0 and other.poll() is None


def test_the_keeper_does_not_hold_its_pipes(piped: Start) -> None:
    bot = piped("os.close(1)\ntime.sleep(1000)")
    assert said(bot) == b"" and bot.poll() is None


def test_our_lines_stand_in_its_log_among_its_own(piped: Start, tmp_path: Path) -> None:
    bot = piped("print('first', file=sys.stderr)\ninput()\nprint('third', file=sys.stderr)\ninput()")
    wait_for_log(bot, "first")
    bot.log(b"second\n")
    wait_for_log(bot, "second")
    os.write(bot.pipes[1], b"\n")
    wait_for_log(bot, "third")
    bot.log(b"last\n")
    os.write(bot.pipes[1], b"\n")
    assert bot.stop(SOON).tail == "first\nsecond\nthird\nlast\n" == (tmp_path / "bot.log").read_text()


def test_a_log_has_room_for_ours_within_its_cap(piped: Start, tmp_path: Path) -> None:
    bot = piped("input()", log_cap=2000)
    for _ in range(100):
        bot.log(b"x" * 99 + b"\n")
    wait_for_log(bot, "x")
    os.write(bot.pipes[1], b"\n")
    bot.stop(SOON)
    assert 1500 < (tmp_path / "bot.log").stat().st_size <= 2000


def test_a_log_that_nobody_takes_holds_us_up_never(piped: Start) -> None:
    bot = piped("input()")
    keeper = keeper_of(bot)
    keeper.suspend()
    for _ in range(100):
        bot.log(b"x" * 10_000)
    keeper.resume()
    os.write(bot.pipes[1], b"\n")
    assert bot.stop(SOON).tail.startswith("xxx")


def test_after_the_end_nothing_is_logged_anywhere(piped: Start, tmp_path: Path) -> None:
    bot = piped("print('said', file=sys.stderr)")
    assert bot.stop(SOON).code == 0
    others = [
        end for _ in range(4) for end in socket.socketpair()
    ]  # one has the number that the log's pipe had
    bot.log(b"late\n")
    for end in others:
        end.setblocking(False)
        with pytest.raises(BlockingIOError):
            end.recv(10)
    for end in others:
        end.close()
    assert (tmp_path / "bot.log").read_text() == "said\n"


def test_a_command_that_is_not_piped_logs_only_what_it_says(start: Start, tmp_path: Path) -> None:
    bot = start("sh", "-c", "echo out; echo err >&2")
    bot.log(b"ours\n")
    assert bot.stop(SOON).tail == "out\nerr\n"


def test_the_death_of_its_keeper_ends_both_pipes(piped: Start) -> None:
    bot = piped("os.write(1, b'up')\ntime.sleep(1000)")
    assert os.read(bot.pipes[0], 10) == b"up"
    keeper_of(bot).kill()
    assert said(bot) == b""
    until(lambda: bot.poll() is not None)
    assert str(bot.poll()) == "keeper lost"
    until(lambda: not psutil.pid_exists(bot.pid))
    with pytest.raises(BrokenPipeError):
        os.write(bot.pipes[1], b"anybody?")
    assert not bot.command.folder.exists()
    bot.log(b"late\n")


def test_a_pipe_that_is_full_does_not_keep_it_from_being_ended(piped: Start) -> None:
    bot = piped("print('up', file=sys.stderr, flush=True)\nwhile True: os.write(1, b'x' * 10_000)")
    wait_for_log(bot, "up")
    assert bot.stop(0).killed


def test_no_descriptor_is_left(command: Callable[..., Command]) -> None:
    before = descriptors()
    bot = keep(command(sys.executable, "-ISc", "", piped=True))
    for fd in bot.pipes:
        os.close(fd)
    bot.stop(SOON)
    assert descriptors() == before
    with pytest.raises(StartError):
        keep(command("no-such-program", piped=True))
    assert descriptors() == before


@contextmanager
def only(free: int) -> Iterator[None]:
    """With so many descriptors free, and no more."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = max(map(int, descriptors()))
    taken: list[int] = []
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (highest + 1, limits[1]))
        with suppress(OSError):
            while True:
                taken.append(os.dup(0))
        resource.setrlimit(resource.RLIMIT_NOFILE, (highest + 1 + free, limits[1]))
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        for fd in taken:
            os.close(fd)


@pytest.mark.parametrize("free", range(9))
def test_no_descriptor_is_left_where_too_few_are_free(free: int, command: Callable[..., Command]) -> None:
    wanted = command("true", piped=True)
    before = descriptors()
    with only(free), pytest.raises(OSError, match="Too many open files"):
        keep(wanted)
    assert descriptors() == before


def test_no_process_is_left_of_one_that_does_not_start(command: Callable[..., Command]) -> None:
    before = keepers.children(os.getpid())
    with pytest.raises(StartError, match="cannot start 'no-such-program'"):
        keep(command("no-such-program", piped=True))
    assert keepers.children(os.getpid()) == before
