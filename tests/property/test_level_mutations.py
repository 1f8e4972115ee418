"""Seeded bugs of the store on levels: the comparison with the explicit store must reveal each of them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import qismc
from qismc import QuantumCircuit
from qismc.engines.native import NativeEngine
from qismc.levels import spread, writer
from qismc.levels.script import Exit
from qismc.levels.writer import Levels
from qismc.program import Operator
from qismc.symbolic import BitArithmetic

from ..differential.circuits import Writer
from ..differential.test_levels import PROPS, some_formulas

PROGRAMS = (0, 3, 9, 17, 48, *range(10, 40))
"""Seeds of random programs; the first ones are known to be revealing."""


def forget_to_forget(patch: pytest.MonkeyPatch) -> None:
    """Old values stay on the levels that the next turn of a loop takes for fresh ones."""
    patch.setattr(Exit, "forgotten", property(lambda _: (), lambda *_: None))


def forget_only_zeros(patch: pytest.MonkeyPatch) -> None:
    """Of an old value that may be 0 or 1 only the 0 is followed."""
    patch.setattr(spread, "RESET", spread.RESET[:1])


def pack_whatever_comes(patch: pytest.MonkeyPatch) -> None:
    """Two vectors are added even if they share a store."""
    patch.setattr(NativeEngine, "disjoint", lambda *_: True)


def copy_the_wrong_way(patch: pytest.MonkeyPatch) -> None:
    """A copy of a record flips the record instead."""

    def own(self: writer.Writer, qubit: int) -> None:
        record = self.frame.qubits[qubit]
        copy = self.levels.fresh(record)
        self.emit(writer.FLIP, (record,), ((copy, 1),))
        self.frame.qubits[qubit] = copy
        self.frame.records.discard(qubit)

    patch.setattr(writer.Writer, "own", own)


def negate_conditions(patch: pytest.MonkeyPatch) -> None:
    """A branch goes the other way."""
    original = BitArithmetic.ways

    def ways(self: BitArithmetic, *args: Any) -> dict[int, Any]:
        return {point: self.logic.negation(way) for point, way in original(self, *args).items()}

    patch.setattr(BitArithmetic, "ways", ways)


def ask_records_themselves(patch: pytest.MonkeyPatch) -> None:
    """A measured qubit is looked at on its record, where a superposition of records passes for its state."""
    patch.setattr(Levels, "view", lambda _, __, record: record)
    original = writer.Writer.emit

    def emit(self: Any, base: Any, targets: Any, controls: Any) -> None:
        if not (controls and base == writer.FLIP and targets[0] == controls[0][0]):
            original(self, base, targets, controls)

    patch.setattr(writer.Writer, "emit", emit)


def leave_flags_set(patch: pytest.MonkeyPatch) -> None:
    """Flags are not put back before they are computed anew."""
    patch.setattr(writer.Writer, "clear_flags", lambda self: self._flags.clear())


def act_on_records(patch: pytest.MonkeyPatch) -> None:
    """Gates change a measured qubit on the level that holds its outcome."""
    patch.setattr(Operator, "keeps_basis", lambda *_: True)


MUTATIONS: list[Callable[[pytest.MonkeyPatch], None]] = [
    forget_to_forget,
    forget_only_zeros,
    pack_whatever_comes,
    copy_the_wrong_way,
    negate_conditions,
    ask_records_themselves,
    leave_flags_set,
    act_on_records,
]


def resets_in_a_loop() -> QuantumCircuit:
    """Until a coin shows 0, the first qubit is entangled with the second one and reset."""
    circuit = QuantumCircuit(2, 2)
    circuit.x(0)
    circuit.measure(0, 0)
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.reset([0, 1])
        circuit.h(1)
        circuit.cx(1, 0)
        circuit.reset(0)
        circuit.h(0)
        circuit.measure(0, 0)
    circuit.h(1)
    return circuit


def differs(seed: int) -> bool:
    """Does the store on levels give another verdict, or fail where it should not?"""
    random = Random(seed)
    circuit, formulas = Writer(random).circuit, some_formulas(random)
    if seed == 0:
        circuit, formulas = resets_in_a_loop(), {"sure": "AG (leaf -> sure)"}
    props = {**PROPS, "sure": "span(|0>) on q[1]"}
    explicit = qismc.check(circuit, formulas, props=props, method="graph")
    try:
        levels = qismc.check(
            circuit, formulas, props=props, method="levels", limits=qismc.Limits(dimension=64)
        )
    except (AssertionError, StopIteration, ValueError, KeyError, IndexError, RuntimeError):
        return True
    return [r.verdict for r in levels] != [r.verdict for r in explicit]


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_seeded_bugs_are_seen(monkeypatch: pytest.MonkeyPatch, mutation: Callable[..., None]) -> None:
    mutation(monkeypatch)
    assert any(differs(seed) for seed in PROGRAMS)


def test_bits_left_out_of_the_order_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """An order must name every level once."""
    from qismc.levels import decide

    original = decide.candidates
    monkeypatch.setattr(decide, "candidates", lambda *a, **k: ([*o[:-1]] for o in original(*a, **k)))
    assert differs(0)
