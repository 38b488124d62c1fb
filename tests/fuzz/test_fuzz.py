"""Every target takes its seeds and what is near them. `KINGMAKER_EXAMPLES=1000` tries more, `make fuzz` goes on from there."""

import os
import re
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.seeds import SEEDS
from tests.fuzz.targets import TARGETS

ODD = [
    b"\0", b"\xff", b"\x01\x00\x00\x01{", b"\x04\x04PING", b"\x02\0\0\0\0\0\0\0\x01", b"\n", b"\r\n", b"{", b"}", b'"', b"[",
    b"\\u0000", b"\\ud800", b"\x7f", b"-0", b"1e999", b"null", b"../", b"PK\x05\x06", b"\ndrop\n", b"\nclose\n", b"ask g 1\n",
    b"\\u007f", "é".encode(), b'"\\u001b[2J":1,', b"[" * 3000,
]  # fmt: skip
TOKENS = re.compile(rb'[\[{,:"\n]')
"""Behind them what is put in has the best chance to be read."""
EXAMPLES = int(os.environ.get("KINGMAKER_EXAMPLES", "100"))


@cache
def seeds(target: str) -> list[bytes]:
    return list(SEEDS[target]())


@st.composite
def near(draw: st.DrawFn, target: str) -> bytes:
    """A seed with pieces cut out, doubled, or put in from elsewhere."""
    data = draw(st.sampled_from(seeds(target)))
    for _ in range(draw(st.integers(1, 4))):
        ends = [found.end() for found in TOKENS.finditer(data[:4096])]
        at = draw(st.sampled_from([0, *ends]) | st.integers(0, len(data)))
        upto = at + draw(st.sampled_from([0, 1, 2, 8, 100]))
        other = draw(st.sampled_from(seeds(target)))
        put = draw(st.sampled_from([b"", data[at:upto] * 2, other[at:upto], *ODD]) | st.binary(max_size=4))
        data = data[:at] + put + data[upto:]
    return data


@pytest.mark.parametrize("target", TARGETS)
def test_seeds(target: str) -> None:
    for seed in seeds(target):
        TARGETS[target](seed)


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_near_the_seeds(target: str) -> None:
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(near(target) | st.binary(max_size=300))
    def hold(data: bytes) -> None:
        TARGETS[target](data)

    hold()
