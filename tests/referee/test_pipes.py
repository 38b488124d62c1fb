"""Messages in lines over real pipes, with the transport that a worker uses."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from protocol.codec import MAX_MESSAGE
from referee.transports import Address, Gone, Parcel
from referee.transports.endpoints import CHUNK, Endpoints
from referee.transports.peer import UNSENT


class Bot:
    """The bot's ends of two pipes, in this process."""

    def __init__(self, endpoints: Endpoints, endpoint: str = "stdio:here") -> None:
        self.log: list[bytes] = []
        self.stdin, ours_in = os.pipe()
        ours_out, self.stdout = os.pipe()
        self.ours = (ours_out, ours_in)
        self.address: Address = endpoints.join(ours_out, ours_in, endpoint, self.log.append)

    def say(self, data: bytes) -> None:
        assert os.write(self.stdout, data) == len(data)

    def close(self) -> None:
        for fd in (self.stdin, self.stdout):
            with suppress(OSError):
                os.close(fd)


@pytest.fixture
def endpoints() -> Iterator[Endpoints]:
    made = Endpoints(0.01)
    yield made
    made.close()


@pytest.fixture
def join(endpoints: Endpoints) -> Iterator[Callable[..., Bot]]:
    bots: list[Bot] = []

    def make(endpoint: str = "stdio:here") -> Bot:
        bots.append(Bot(endpoints, endpoint))
        return bots[-1]

    yield make
    for bot in bots:
        bot.close()


def arrival(endpoints: Endpoints) -> Parcel:
    """The next parcel, within some seconds."""
    for _ in range(500):
        if (parcel := endpoints.receive()) is not None:
            return parcel
    raise AssertionError("nothing arrived")


def descriptors() -> set[str]:
    """Without that of the listing itself."""
    return {path.name for path in list(Path("/proc/self/fd").iterdir()) if path.is_symlink()}


def test_lines_go_both_ways(endpoints: Endpoints, join: Callable[..., Bot]) -> None:
    bot = join()
    for number in range(3):
        bot.say(b"thinking\n" + b'{"n":%d}\n' % number)
        assert arrival(endpoints) == Parcel(bot.address, b'{"n":%d}' % number)
        endpoints.send(bot.address, b'{"heard":true}')
        assert os.read(bot.stdin, 100) == b'{"heard":true}\n'
    assert b"".join(bot.log) == 3 * b"thinking\n"


def test_a_question_may_come_first(endpoints: Endpoints, join: Callable[..., Bot]) -> None:
    """There is an address before anything has arrived."""
    bot = join()
    endpoints.send(bot.address, b"{}")
    assert os.read(bot.stdin, 100) == b"{}\n"


def test_messages_of_several_bots_are_told_apart(endpoints: Endpoints, join: Callable[..., Bot]) -> None:
    bots = [join(f"stdio:{number}") for number in range(5)]
    random.Random(1).shuffle(bots)
    for number, bot in enumerate(bots):
        bot.say(b'{"n":%d}\n' % number)
    parcels = [arrival(endpoints) for _ in bots]
    assert {parcel.address: parcel.payload for parcel in parcels} == {
        bot.address: b'{"n":%d}' % number for number, bot in enumerate(bots)
    }


def test_what_came_before_the_end_arrives(endpoints: Endpoints, join: Callable[..., Bot]) -> None:
    bot = join()
    bot.say(b'{"last":1}\n{"words":')
    bot.close()
    assert arrival(endpoints).payload == b'{"last":1}'
    assert [endpoints.receive() for _ in range(3)] == [None] * 3
    assert endpoints.unfinished(bot.address) == b'{"words":'
    with pytest.raises(Gone):
        endpoints.send(bot.address, b"anybody?")


def test_who_closes_its_input_is_gone_when_it_is_told_something(
    endpoints: Endpoints, join: Callable[..., Bot]
) -> None:
    bot = join()
    os.close(bot.stdin)
    with pytest.raises(Gone):
        endpoints.send(bot.address, b"anybody?")


def test_who_closes_its_input_while_much_is_unsent_is_gone(
    endpoints: Endpoints, join: Callable[..., Bot]
) -> None:
    bot = join()
    endpoints.send(bot.address, b"x" * 500_000)
    os.close(bot.stdin)
    endpoints.receive()
    with pytest.raises(Gone, match="cut off"):
        endpoints.send(bot.address, b"")


def test_what_the_kernel_does_not_take_at_once_follows(
    endpoints: Endpoints, join: Callable[..., Bot]
) -> None:
    bot = join()
    os.set_blocking(bot.stdin, False)
    said = [random.Random(size).randbytes(size).replace(b"\n", b"") for size in (300_000, 10, 400_000)]
    for payload in said:
        endpoints.send(bot.address, payload)
    wanted = b"".join(payload + b"\n" for payload in said)
    assert read(bot, len(wanted), endpoints) == wanted
    endpoints.send(bot.address, said[0])
    assert read(bot, len(said[0]) + 1, endpoints) == said[0] + b"\n"


def read(bot: Bot, size: int, endpoints: Endpoints) -> bytes:
    """The input of a bot that takes it bit by bit."""
    got = b""
    while len(got) < size:
        endpoints.receive()
        with suppress(BlockingIOError):
            got += os.read(bot.stdin, CHUNK)
    return got


def test_a_bot_that_does_not_read_is_heard_all_the_same(
    endpoints: Endpoints, join: Callable[..., Bot]
) -> None:
    bot = join()
    endpoints.send(bot.address, b"x" * 500_000)
    bot.say(b"{}\n")
    assert arrival(endpoints).payload == b"{}"


def test_who_does_not_read_is_gone_and_takes_no_more_than_a_bound(
    endpoints: Endpoints, join: Callable[..., Bot]
) -> None:
    bot, other = join("stdio:deaf"), join("stdio:other")
    sent = 0
    with pytest.raises(Gone):
        while sent < 2 * UNSENT:
            endpoints.send(bot.address, b"x" * 50_000)
            sent += 50_000
    assert sent >= UNSENT
    with pytest.raises(Gone):
        endpoints.send(bot.address, b"")
    other.say(b"{}\n")
    assert arrival(endpoints) == Parcel(other.address, b"{}")


def test_a_flood_arrives_as_one_parcel_and_the_rest_is_not_read(
    endpoints: Endpoints, join: Callable[..., Bot]
) -> None:
    bot = join()
    os.set_blocking(bot.stdout, False)
    parcels = []
    with pytest.raises(BrokenPipeError):
        for _ in range(1000):
            with suppress(BlockingIOError):
                os.write(bot.stdout, b"n" * 9_999 + b"\n")
            parcels.append(endpoints.receive())
    assert [parcel.flaw for parcel in parcels if parcel] == ["flood"]


def shut(endpoints: Endpoints, bot: Bot) -> None:
    endpoints.shut("stdio:here")


def cut(endpoints: Endpoints, bot: Bot) -> None:
    endpoints.cut(bot.address)


@pytest.mark.parametrize("end", [shut, cut])
def test_nothing_more_is_heard_of_who_was_cut_off(
    end: Callable[[Endpoints, Bot], None], endpoints: Endpoints, join: Callable[..., Bot]
) -> None:
    bot, other = join(), join("stdio:other")
    bot.say(b"{\n" * 1000)
    assert arrival(endpoints).address == bot.address
    other.say(b"{}\n")
    end(endpoints, bot)
    assert arrival(endpoints).address == other.address


def test_a_shut_endpoint_closes_both_pipes_and_no_other(
    endpoints: Endpoints, join: Callable[..., Bot]
) -> None:
    before = descriptors()
    bot, other = join("stdio:one"), join("stdio:other")
    endpoints.shut("stdio:one")
    endpoints.shut("stdio:one")
    assert os.read(bot.stdin, 100) == b"", "the end of its input"
    with pytest.raises(BrokenPipeError):
        os.write(bot.stdout, b"{}\n")
    other.say(b"{}\n")
    assert arrival(endpoints).address == other.address
    endpoints.shut("stdio:other")
    bot.close()
    other.close()
    assert descriptors() == before


def leave(endpoints: Endpoints, bot: Bot) -> None:
    bot.close()
    endpoints.receive()


def be_deaf(endpoints: Endpoints, bot: Bot) -> None:
    with pytest.raises(Gone):
        endpoints.send(bot.address, b"x" * 2 * UNSENT)


def say_too_much(endpoints: Endpoints, bot: Bot) -> None:
    endpoints.settle(bot.address)
    bot.say(b"{" * MAX_MESSAGE)
    endpoints.receive()
    bot.say(b"{")
    assert len(arrival(endpoints).payload) == MAX_MESSAGE + 1
    endpoints.receive()


ENDS: dict[str, Callable[[Endpoints, Bot], None]] = {
    "shut": shut,
    "cut": cut,
    "closed": lambda endpoints, bot: endpoints.close(),
    "the bot leaves": leave,
    "the bot does not read": be_deaf,
    "the bot says too much": say_too_much,
}


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_no_descriptor_is_left(end: Callable[[Endpoints, Bot], None]) -> None:
    before = descriptors()
    endpoints = Endpoints(0.01)
    bot = Bot(endpoints)
    assert set(map(str, bot.ours)) <= descriptors()
    end(endpoints, bot)
    assert not set(map(str, bot.ours)) & descriptors() and not endpoints._peers
    bot.close()
    endpoints.close()
    assert descriptors() == before


def test_who_comes_after_one_that_was_cut_off_is_not_taken_for_it(
    endpoints: Endpoints, join: Callable[..., Bot]
) -> None:
    """The kernel gives the numbers of closed pipes to the next."""
    old = join("stdio:old")
    endpoints.shut("stdio:old")
    old.close()
    new = join("stdio:new")
    assert new.ours == old.ours
    endpoints.cut(old.address)
    with pytest.raises(Gone):
        endpoints.send(old.address, b"{}")
    endpoints.send(new.address, b"{}")
    assert os.read(new.stdin, 100) == b"{}\n"
