"""Damaged programs: a typed, located error or a program, never anything else."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from qismc.errors import QismcError
from qismc.program.program import Program

from .qasm3.helpers import HEAD as HEAD3
from .qasm3.helpers import read as read3
from .qasm3.test_classical import CASES
from .qasm3.test_reader import IMPORTABLE
from .test_qasm2 import BROADCAST, DEFINITIONS, LIBRARY, TELEPORT
from .test_qasm2 import HEAD as HEAD2
from .test_qasm2 import read as read2

ALPHABET = '();{}[],=+-*/@q0129"ab$.:<>!&|^~ \n'
TEXTS2 = [HEAD2 + body for body in (TELEPORT, BROADCAST, DEFINITIONS, LIBRARY)]
TEXTS3 = [HEAD3 + body for body in (*IMPORTABLE.values(), *(f"qubit[2] q; {body}" for body in CASES))]


def damage(text: str, rng: random.Random) -> str:
    """Delete, insert, repeat or cut off something."""
    for _ in range(rng.randrange(1, 4)):
        place = rng.randrange(len(text) + 1)
        rest = text[place + rng.randrange(6) :]
        text = rng.choice(
            [
                text[:place] + rest,
                text[:place] + rng.choice(ALPHABET) + text[place:],
                text[:place] + text[max(0, place - 10) :],
                text[: place + 40],
            ]
        )
    return text


@pytest.mark.parametrize(
    ("read", "texts", "count"), [(read2, TEXTS2, 2000), (read3, TEXTS3, 300)], ids=["2", "3"]
)
def test_damaged_texts(read: Callable[[str], Program], texts: list[str], count: int) -> None:
    rng = random.Random(5)
    refused = 0
    for _ in range(count):
        text = damage(rng.choice(texts), rng)
        try:
            read(text)
        except QismcError as error:
            refused += 1
            assert error.source is not None and error.source.file == "p.qasm", text
            assert 1 <= error.source.line <= text.count("\n") + 1, text
    assert refused > count // 3
