"""Inputs: for each qubit a letter, or all of its states at once; and a product of letters that tells."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence

from qismc.errors import LimitReached
from qismc.program import Base, Factor, Operator, single
from qismc.system import Application

EVERY = "*"
LETTERS = "0+1r"
"""Their projectors span all operators of a qubit, so that what differs for every state differs for one."""
GATES = {"0": "", "1": "x", "+": "h", "r": "hs"}
SEARCH_SECONDS = 20.0
"""A search for a product of letters ends after this time."""

Differs = Callable[[str], bool]
"""Do the two sides differ on an input?"""


def telling_input(count: int, differs: Differs, deadline: float = math.inf) -> str | None:
    """Letters on which the two sides differ, given that they do on all inputs together; None if not in time.

    The obvious ones first. Then one qubit after the other is fixed such that the rest still differs: of
    two operations that differ, some letter of the first qubit leaves two that differ on the others.
    """
    try:
        return _telling_input(count, differs, min(deadline, time.monotonic() + SEARCH_SECONDS))
    except LimitReached:
        return None


def _telling_input(count: int, differs: Differs, deadline: float) -> str | None:
    for letters in dict.fromkeys(letter * count for letter in LETTERS):
        if time.monotonic() > deadline:
            return None
        if differs(letters):
            return letters
    fixed = ""
    while len(fixed) < count:
        rest = EVERY * (count - len(fixed) - 1)
        for letter in LETTERS:
            if time.monotonic() > deadline:
                return None
            if differs(fixed + letter + rest):
                fixed += letter
                break
        else:
            return None
    return fixed


def prepared(letters: str, qubits: Sequence[int], width: int) -> Iterator[Application]:
    """What makes an input on some of `width` qubits in |0>; partners of free ones come behind, in order."""
    cx = Operator("cx", 2, (Factor(Base("x"), (1,), ((0, 1),)),))
    partner = width
    for k, letter in zip(qubits, letters, strict=True):
        if letter == EVERY:
            yield Application(single("h", 1), (k,))
            yield Application(cx, (k, partner))
            partner += 1
        else:
            yield from (Application(single(name, 1), (k,)) for name in GATES[letter])
