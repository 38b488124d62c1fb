"""Messages in lines: the framing as pure bytes, and over real pipes with the transport that a worker uses."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from protocol.codec import MAX_MESSAGE
from referee.transports import Address, Gone, Parcel
from referee.transports.endpoints import CHUNK, Endpoints
from referee.transports.lines import NOISE, Pipes
from referee.transports.peer import UNSENT, Malformed

# the framing


class Heard(NamedTuple):
    """What came of a stream of bytes."""

    parcels: list[tuple[bytes, str]]
    log: bytes
    cut: bool
    held: int
    """Bytes of an unfinished line, at most, between two pieces."""


def hear(*pieces: bytes) -> Heard:
    parcels: list[tuple[bytes, str]] = []
    log: list[bytes] = []
    cut, held = False, 0
    pipes = Pipes(*os.pipe(), "", log.append)
    with suppress(Malformed):
        cut = True
        for piece in pieces:
            for parcel in pipes.feed(piece):
                parcels.append(parcel)
            held = max(held, len(pipes.unfinished()))
        cut = False
    pipes.close()
    return Heard(parcels, b"".join(log), cut, held)


def message(size: int) -> bytes:
    return b'{"":"' + b"x" * (size - 7) + b'"}'


def noise(size: int) -> bytes:
    """A line, of so many bytes with its end."""
    return b"n" * (size - 1) + b"\n"


LINES = st.one_of(
    st.sampled_from([b'{"a":1}', b" \t{", b"{}\r", b"", b"\r", b"  ", b"noise", b"\xef\xbb\xbf{}", b"\xff"]),
    st.binary(max_size=20).map(lambda line: line.replace(b"\n", b"")),
    st.sampled_from([MAX_MESSAGE - 1, MAX_MESSAGE, MAX_MESSAGE + 1, MAX_MESSAGE + 2]).flatmap(
        lambda size: st.sampled_from(
            [message(size), message(size) + b"\r", b"n" * size, b" " * size + b"{", b" " * (size - 1) + b"{"]
        )
    ),
)


@given(st.lists(LINES, max_size=5), st.booleans(), st.lists(st.integers(0, 1 << 18), max_size=9))
@example([b" " * NOISE + b"{}"], True, [10])
@example([b"n" * 60_000, message(50_000)], True, [100_000])
@example([b"n" * 60_000, b" " * 9000 + b"{}"], True, [65_000, 69_010])
@example([b"n" * (NOISE - 1), b"n", b"{}"], True, [NOISE + 1])
@example([message(MAX_MESSAGE + 1), b"{}"], True, [MAX_MESSAGE])
@example([message(MAX_MESSAGE) + b"\r"], True, [MAX_MESSAGE + 1])
def test_messages_do_not_depend_on_how_the_stream_is_cut(
    lines: list[bytes], ended: bool, cuts: list[int]
) -> None:
    stream = b"\n".join(lines) + b"\n" * ended
    places = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    pieces = [stream[begin:end] for begin, end in pairwise(places) if begin < end]
    whole, cut = hear(stream), hear(*pieces)
    assert cut[:3] == whole[:3]
    assert cut.held <= MAX_MESSAGE + CHUNK or len(max(pieces, key=len)) > CHUNK


@given(st.lists(st.binary(max_size=50).map(lambda tail: b"{" + tail.replace(b"\n", b"")), max_size=9))
def test_a_byte_at_a_time_gives_every_message(messages: list[bytes]) -> None:
    stream = b"".join(one + b"\n" for one in messages)
    got = hear(*(bytes([byte]) for byte in stream))
    assert got.parcels == [(one.removesuffix(b"\r"), "") for one in messages]
    assert got.log == b"" and not got.cut


@pytest.mark.parametrize("before", [b"", b" ", b"\t", b" \r\t "])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_line_that_begins_with_a_brace_is_a_message(before: bytes, end: bytes) -> None:
    line = before + b'{"type":"ready"}'
    assert hear(line + end) == ([(line, "")], b"", False, 0)


@pytest.mark.parametrize(
    "line",
    [b"\n", b"\r\n", b"hello, user\n", b"[1]\n", b'"x"\n', b"x{}\n", b"\xef\xbb\xbf{}\n", b"\xff\xfe\n"],
)
def test_any_other_line_goes_to_the_log(line: bytes) -> None:
    assert hear(line + b"{}\n" + line) == ([(b"{}", "")], 2 * line, False, 0)


def test_what_has_no_newline_is_no_message() -> None:
    assert hear(b'{"type":', b'"ready"}').parcels == []


def test_what_has_no_newline_goes_to_the_log_with_the_end() -> None:
    assert hear(b"noise\nlast words", b"") == ([], b"noise\nlast words", False, len(b"last words"))


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_message_of_exactly_the_limit_is_whole(end: bytes) -> None:
    line = message(MAX_MESSAGE)
    for pieces in ([line + end], [line, end], [line, end[:1], end[1:]]):
        got = hear(*pieces, b"{}\n")
        assert got.parcels == [(line, ""), (b"{}", "")] and not got.cut


@pytest.mark.parametrize("size", [MAX_MESSAGE + 1, MAX_MESSAGE + 2, 10 * MAX_MESSAGE])
def test_a_longer_one_arrives_one_byte_above_the_limit_and_is_the_last(size: int) -> None:
    got = hear(message(size) + b"\n{}\n")
    assert got.parcels == [(message(size)[: MAX_MESSAGE + 1], "")] and got.cut


def test_no_more_is_held_of_a_line_without_an_end() -> None:
    got = hear(b"{", *[b"x" * 1000] * 100)
    assert got.cut and got.held <= MAX_MESSAGE
    assert [(len(payload), flaw) for payload, flaw in got.parcels] == [(MAX_MESSAGE + 1, "")]


def test_noise_of_exactly_the_limit_is_borne_before_every_message() -> None:
    got = hear(*[noise(NOISE) + b"{}\n", noise(NOISE // 2) * 2 + b"{}\n", noise(NOISE)])
    assert len(got.parcels) == 2 and not got.cut
    assert len(got.log) == 3 * NOISE


@pytest.mark.parametrize(
    "stream",
    [
        noise(NOISE + 1),
        noise(NOISE) + b"\n",
        b"\n" * (NOISE + 1),
        b"n" * (NOISE + 1),
        b" " * (NOISE + 1),
        noise(NOISE) + b"n" + b"{}\n",
        noise(100) * 700 + b"{}\n",
    ],
    ids=lambda stream: f"{len(stream)} bytes from {stream[:1]!r}",
)
def test_more_noise_is_a_flood_and_cuts_off(stream: bytes) -> None:
    got = hear(stream + b"{}\n")
    assert [flaw for _, flaw in got.parcels] == ["flood"] and got.cut
    assert len(got.log) <= NOISE and len(got.parcels[0][0]) <= MAX_MESSAGE + 1


def test_noise_counts_before_its_line_ends() -> None:
    got = hear(noise(60_000), b"n" * 6_000)
    assert got.parcels == [(b"n" * (NOISE - 60_000 + 1), "flood")] and got.cut


# over pipes


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
        for _ in range(100):
            bot.say(noise(10_000))
            parcels.append(endpoints.receive())
    assert [parcel.flaw for parcel in parcels if parcel] == ["flood"]


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
    bot.say(b"{" * MAX_MESSAGE)
    endpoints.receive()
    bot.say(b"{")
    assert len(arrival(endpoints).payload) == MAX_MESSAGE + 1


ENDS: dict[str, Callable[[Endpoints, Bot], None]] = {
    "shut": lambda endpoints, bot: endpoints.shut("stdio:here"),
    "cut": lambda endpoints, bot: endpoints.cut(bot.address),
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
    old.say(b"{}\n{}\n")
    arrival(endpoints)
    endpoints.shut("stdio:old")
    old.close()
    new = join("stdio:new")
    assert new.ours == old.ours
    late = arrival(endpoints)
    assert late.address == old.address
    endpoints.cut(late.address)
    with pytest.raises(Gone):
        endpoints.send(late.address, b"{}")
    endpoints.send(new.address, b"{}")
    assert os.read(new.stdin, 100) == b"{}\n"
