"""Inputs: for each qubit a letter, or all of its states at once; and a product of letters that tells."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from qismc.errors import LimitReached
from qismc.program import Base, Factor, Operator, single
from qismc.system import Application

EVERY = "*"
LETTERS = "0+1r"
"""Their projectors span all operators of a qubit, so that what differs for every state differs for one."""
GATES = {"0": "", "1": "x", "+": "h", "r": "hs"}
SEARCH_SECONDS = 20.0
"""A search for a product of letters ends after this time."""

Answer = TypeVar("Answer")


def telling_input(
    count: int, ask: Callable[[str], Answer], differs: Callable[[Answer], bool], deadline: float = math.inf
) -> tuple[str, Answer] | None:
    """Letters on which the two sides differ, given that they do on all inputs together; None if not in time.

    The obvious ones first. Then one qubit after the other is fixed such that the rest still differs: of
    two operations that differ, some letter of the first qubit leaves two that differ on the others.
    """
    end = min(deadline, time.monotonic() + SEARCH_SECONDS)

    def first(inputs: Iterable[str]) -> tuple[str, Answer] | None:
        for letters in inputs:
            if time.monotonic() > end:
                return None
            answer = ask(letters)
            if differs(answer):
                return letters, answer
        return None

    try:
        found = first(dict.fromkeys(letter * count for letter in LETTERS))
        for k in range(0 if found else count):
            fixed, rest = found[0][:k] if found else "", EVERY * (count - k - 1)
            found = first(fixed + letter + rest for letter in LETTERS)
            if found is None:
                return None
    except LimitReached:
        return None
    return found


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
