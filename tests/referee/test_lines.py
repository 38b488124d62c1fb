"""What is a message, in lines: the framing as pure bytes. Over real pipes: test_pipes.py."""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from protocol.codec import MAX_MESSAGE
from referee.transports.lines import NOISE, Pipes
from referee.transports.peer import Malformed


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
            parcels += pipes.feed(piece)
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
    assert cut.held <= MAX_MESSAGE + 1


@given(st.lists(st.binary(max_size=50).map(lambda tail: b"{" + tail.replace(b"\n", b"")), max_size=9))
def test_a_byte_at_a_time_gives_every_message(messages: list[bytes]) -> None:
    stream = b"".join(one + b"\n" for one in messages)
    got = hear(*(bytes([byte]) for byte in stream))
    assert got.parcels == [(one.removesuffix(b"\r"), "") for one in messages]
    assert got.log == b"" and not got.cut


@pytest.mark.parametrize("before", [b"", b" ", b"\t", b" \r\t ", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_line_that_begins_with_a_brace_is_a_message(before: bytes, end: bytes) -> None:
    line = before + b'{"type":"ready"}'
    assert hear(line + end) == ([(line, "")], b"", False, 0)


@pytest.mark.parametrize(
    "line",
    [b"\n", b"\r\n", b"hello, user\n", b"[1]\n", b'"x"\n', b"x{}\n", b"\xef\xbb\xbfx\n", b"\xff\xfe\n"],
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


def test_lines_of_one_piece_that_are_no_message_are_told_together() -> None:
    told: list[bytes] = []
    pipes = Pipes(*os.pipe(), "", told.append)
    assert list(pipes.feed(b"\n" * 60_000 + b"{}\nnoise\nunfini")) == [(b"{}", "")]
    assert list(pipes.feed(b"shed\n{}\n")) == [(b"{}", "")]
    pipes.close()
    assert told == [b"\n" * 60_000, b"noise\n", b"unfinished\n"]
