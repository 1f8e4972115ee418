"""Damaged versions of known inputs: bytes, tokens of others, repetitions, numbers at the edges."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

TOKEN = re.compile(rb"\w+|\s+|[^\w\s]")
EDGES = [
    b"0", b"-1", b"1", b"2", b"4300", b"65536", b"2147483648", b"1e309", b"1e-400", b"0x" + b"f" * 3000,
    b"9" * 401, b"9" * 4400, b"nan", b"inf", b"pi", b"\xff", b"\xe2\x80\x8b", "ψ".encode(), b"\x00", b'"',
    b"//@ spec ", b"//@ mark ", b"//@ init ", b"{}", b"[]", b"null", b"true", b"()", b"**", b"<<",
]  # fmt: skip
LONGEST = 20_000


def mutated(data: bytes, others: Sequence[bytes], random: Random) -> bytes:
    """One to four changes."""
    for _ in range(random.randrange(1, 5)):
        data = random.choice((_bytes, _tokens, _tokens, _repeated, _spliced))(data, others, random)
    return data[:LONGEST]


def _bytes(data: bytes, _: Sequence[bytes], random: Random) -> bytes:
    found = bytearray(data or b" ")
    place = random.randrange(len(found))
    found[place : place + random.randrange(3)] = random.randbytes(random.randrange(3))
    return bytes(found)


def _tokens(data: bytes, others: Sequence[bytes], random: Random) -> bytes:
    """A token is dropped, or becomes another one."""
    tokens = TOKEN.findall(data) or [b" "]
    place = random.randrange(len(tokens))
    choices = [b"", random.choice(EDGES), random.choice(tokens), random.choice(_all(random.choice(others)))]
    tokens[place] = random.choice(choices)
    return b"".join(tokens)


def _all(data: bytes) -> list[bytes]:
    return TOKEN.findall(data) or [b" "]


def _repeated(data: bytes, _: Sequence[bytes], random: Random) -> bytes:
    """A stretch stands there many times, or inside itself."""
    first, last = sorted(random.randrange(len(data) + 1) for _ in range(2))
    times = random.choice((2, 2, 3, 50, 400))
    return data[:first] + data[first : min(last, first + 40)] * times + data[last:]


def _spliced(data: bytes, others: Sequence[bytes], random: Random) -> bytes:
    other = random.choice(others)
    return data[: random.randrange(len(data) + 1)] + other[random.randrange(len(other) + 1) :]
