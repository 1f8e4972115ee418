"""The order of the qubits, by trial: the order that gets farthest with a limited number of operations.

An order is guessed from which qubits interact, and for most circuits the guess is good. Where it takes too
many operations, a few other orders are tried on the gates of the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from qismc.engines import NativeEngine, TooManyOperations, interactions, nearest
from qismc.limits import Budget
from qismc.numbers import NumberForm
from qismc.program import Apply, Branch, Goto, Jump, Program, Switch
from qismc.propositions import zeros
from qismc.system import Application, crossed

UNREHEARSED = 30_000_000
"""Scalar operations that the guessed order may take before others are tried (a fraction of a second)."""
HASTY, HASTY_POINTS = 120_000, 240
"""Operations that an order found without a search may take, about as many as the search takes; and the most
points of a program for which this is tried, since longer ones take more in any order."""
REHEARSED = 60_000_000
"""Scalar operations for each order that is tried."""
FEW_QUBITS = 24
"""Most qubits for which the order matters little, because trains with large bonds become arrays."""
CLEARLY = 1.25
"""Factor by which another order must beat the guessed one."""
BLOCK = 16
"""Gates between two looks at how far an order has got."""


CHOOSING = (Branch, Switch, Goto, Jump)


def is_plain(program: Program) -> bool:
    """Do the same gates act whatever is measured? Then a rehearsal shows what they cost."""
    return program.once("plain", lambda p: not any(isinstance(s, CHOOSING) for s in crossed(p)))


class Progress(NamedTuple):
    """How far an order got, and with how many operations; the larger tuple is better."""

    gates: int
    saved: int
    """Minus the operations."""

    def beats(self, guess: Progress) -> bool:
        """Is it clearly better than the guessed order?"""
        if self.gates > guess.gates:
            return self.gates > CLEARLY * guess.gates
        return self.gates == guess.gates and self.saved * CLEARLY > guess.saved


def best_order(
    program: Program, form: NumberForm, budget: Budget, guess: Sequence[int], seed: int
) -> Sequence[int]:
    """The order that gets farthest with the gates of a program: the guess, or one that is clearly better."""
    gates = [Application(*s) for s in program.code if isinstance(s, Apply)]
    orders = dict.fromkeys(
        map(tuple, (guess, _first_used(program.num_qubits, gates), _pulled(program, seed)))
    )
    found = {
        order: _rehearse(NativeEngine(form, order, budget, operations=REHEARSED), gates) for order in orders
    }
    best = max(found, key=lambda order: found[order])
    return best if found[best].beats(found[tuple(guess)]) else guess


def _pulled(program: Program, seed: int) -> list[int]:
    """Qubits pulled towards the middle of those that they interact with."""
    return nearest(program.num_qubits, interactions(program), seed, "force")


def _first_used(count: int, gates: Iterable[Application]) -> list[int]:
    """The qubits in the order in which gates first act on several of them."""
    used = dict.fromkeys(qubit for gate in gates if len(gate.qubits) > 1 for qubit in gate.qubits)
    return [*used, *(qubit for qubit in range(count) if qubit not in used)]


def _rehearse(engine: NativeEngine, gates: Sequence[Application]) -> Progress:
    vector, done = zeros(engine), 0
    try:
        for done in range(0, len(gates), BLOCK):
            vector = engine.run(engine.compile(gates[done : done + BLOCK]), vector)
    except TooManyOperations:
        return Progress(done, -REHEARSED)
    return Progress(len(gates), -int(engine.statistics()["work"]))
