"""Columns say what the code says."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest

from qismc import QuantumCircuit, _core
from qismc.program import read_program
from qismc.program.operators import Base, Factor, Operator, single
from qismc.program.statements import Apply, Leaf
from qismc.system.column_arrays import Columns, columns, crossed, crossings, identity
from tests.program.test_fingerprints import CHANGES, start


def gates_of(columns: Columns) -> list[tuple[int, tuple[Factor, ...], tuple[int, ...]]]:
    table = columns.table
    ends = table.starts.tolist()
    return [
        (point, columns.operators[number].factors, tuple(table.qubits[ends[k] : ends[k + 1]].tolist()))
        for k, (point, number) in enumerate(zip(table.points.tolist(), table.numbers.tolist(), strict=True))
    ]


def some_circuit() -> QuantumCircuit:
    circuit = QuantumCircuit(3, 2)
    circuit.h(0)
    circuit.ccx(2, 0, 1)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.h(2)
        circuit.rz(0.5, 1)
    circuit.cx(1, 2)
    return circuit


def test_every_gate_is_there() -> None:
    program = read_program(some_circuit())
    found = columns(program)
    expected = [(p, s.operator.factors, s.qubits) for p, s in enumerate(program.code) if isinstance(s, Apply)]
    assert gates_of(found) == expected and len(expected) == 5
    assert len(found.operators) == len({factors for _, factors, _ in expected})
    assert found.table.between(expected[1][0], expected[3][0]) == (1, 3)
    assert columns(program) is found


def test_every_other_statement_is_there() -> None:
    program = read_program(some_circuit())
    others = [point for point, statement in enumerate(program.code) if not isinstance(statement, Apply)]
    assert crossings(program) == others
    assert crossed(program) == [program.code[point] for point in others]


def test_operators_stand_where_they_occur_first() -> None:
    program = read_program(some_circuit())
    found = columns(program)
    where = [s.operator.factors if isinstance(s, Apply) else None for s in program.code]
    assert found.table.firsts.tolist() == [where.index(operator.factors) for operator in found.operators]


def test_operators_that_do_the_same_are_one() -> None:
    one, other, turned = (
        single("rz", 1, 0.5),
        replace(single("rz", 1, 0.5), name="mine"),
        single("rz", 1, 0.25),
    )
    assert one is not other
    table = _core.Columns([Apply(one, (0,)), Apply(other, (1,)), Apply(turned, (1,)), Leaf()], Apply)
    assert table.numbers.tolist() == [0, 0, 1] and table.operators == (one, turned)
    assert table.bases == (Base("rz", (0.5,)), Base("rz", (0.25,)))


def test_what_operators_do_is_spelled_differently() -> None:
    """Width, targets, controls, values and the order of factors all show."""
    base = Base("x")
    factors: list[tuple[Factor, ...]] = [
        (),
        (Factor(base, (0,)),),
        (Factor(base, (1,)),),
        (Factor(base, (0,), ((1, 1),)),),
        (Factor(base, (0,), ((1, 0),)),),
        (Factor(base, (0,), ((2, 1),)),),
        (Factor(base, (0, 1)),),
        (Factor(base, (1, 0)),),
        (Factor(base, (0,)), Factor(base, (1,))),
        (Factor(base, (1,)), Factor(base, (0,))),
        (Factor(Base("y"), (0,)),),
    ]
    operators = [Operator("some", width, each) for width in (3, 4) for each in factors]
    table = _core.Columns([Apply(operator, tuple(range(operator.width))) for operator in operators], Apply)
    assert table.numbers.tolist() == list(range(len(operators)))


def test_columns_outlive_their_table() -> None:
    numbers = _core.Columns([Apply(single("x", 1), (k % 7,)) for k in range(1000)], Apply).qubits
    assert np.array_equal(numbers, np.arange(1000) % 7) and not numbers.flags.writeable


def test_qubits_are_any_sequence() -> None:
    gates = [Apply(single("swap", 2), on) for on in ((1, 0), [1, 0], range(1, -1, -1))]  # type: ignore[arg-type]
    assert _core.Columns(gates, Apply).qubits.tolist() == [1, 0] * 3


def test_no_gates() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    found = columns(read_program(circuit))
    assert gates_of(found) == [] and found.operators == () and found.table.between(0, 1) == (0, 0)


@pytest.mark.parametrize(
    "gate",
    [
        Apply(single("x", 1), (-1,)),
        Apply(single("x", 1), (1 << 40,)),
        Apply(single("swap", 2), (0,)),
        Apply(Operator("odd", 1, (Factor(Base("x"), (1,)),)), (0,)),
        Apply(single("x", 1), ("0",)),  # type: ignore[arg-type]
        Apply(single("x", 1), 0),  # type: ignore[arg-type]
        Apply(None, (0,)),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_gate_is_refused(gate: Apply) -> None:
    with pytest.raises((ValueError, IndexError, TypeError, AttributeError)):
        _core.Columns([gate], Apply)


def made(change: Callable[[QuantumCircuit], object], name: str = "one") -> str:
    circuit = start()
    circuit.name = name
    change(circuit)
    return identity(read_program(circuit))


MORE: list[Callable[[QuantumCircuit], object]] = [
    *CHANGES,
    lambda c: c.cx(1, 0),
    lambda c: c.cx(0, 1),
    lambda c: c.cx(0, 1, ctrl_state=0),
    lambda c: (c.x(0), c.x(1)),
    lambda c: (c.x(1), c.x(0)),
    lambda c: (c.x(0), c.measure(0, 0), c.x(1)),
    lambda c: (c.measure(0, 0), c.x(0), c.x(1)),
]


def test_every_change_shows() -> None:
    assert len({made(change) for change in MORE}) == len(MORE)


@pytest.mark.parametrize("change", MORE)
def test_names_and_lines_do_not(change: Callable[[QuantumCircuit], object]) -> None:
    assert made(change) == made(change, "two")


def test_what_is_shared_does_not() -> None:
    """Whether equal gates are one object is an accident of who made them."""
    circuit = start()
    circuit.ry(0.3, 0)
    program = read_program(circuit)
    fresh = [
        Apply(deepcopy(s.operator), s.qubits) if isinstance(s, Apply) else deepcopy(s) for s in program.code
    ]
    assert identity(replace(program, code=fresh)) == identity(program)
