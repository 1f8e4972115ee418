"""Columns say what the code says; layouts place every factor of every gate where the program has it."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest

import qismc
from qismc import QuantumCircuit, _core
from qismc.program import read_program
from qismc.program.gates import Base
from qismc.program.operators import Factor, Operator, single
from qismc.program.statements import Apply, Leaf
from qismc.system.gates import (
    LONG,
    Columns,
    Layout,
    Stretch,
    columns,
    crossed,
    crossings,
    identity,
    layout_of,
)
from tests.program.test_program import CHANGES, start


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


def long_circuit() -> QuantumCircuit:
    circuit = QuantumCircuit(4, 1)
    circuit.h(0)
    circuit.mcx([0, 2], 3, ctrl_state="01")
    circuit.cswap(1, 0, 3)
    circuit.rxx(0.25, 2, 1)
    circuit.h(0)
    for k in range(LONG):
        circuit.t(k % 4)
    circuit.measure(0, 0)
    return circuit


def test_factors_are_where_the_gates_are() -> None:
    program = read_program(long_circuit())
    gates = Stretch(program, 0, len(program.code))
    assert list(gates) == [s for s in program.code if isinstance(s, Apply)]
    assert len(gates) == 5 + LONG and gates[-1].operator.name == "t" and gates[:1] == [gates[0]]
    check_factors(gates, gates.layout)
    assert {operator.name: count for operator, count in gates.layout.counts}["h"] == 2


def check_factors(gates: Stretch, layout: Layout) -> None:
    factors = [f.on(qubits) for operator, qubits in gates for f in operator.factors]
    for j, factor in enumerate(factors):
        places = slice(*layout.control_ends[j : j + 2])
        assert tuple(zip(layout.controls[places], layout.values[places], strict=True)) == factor.controls
        assert tuple(layout.targets[slice(*layout.target_ends[j : j + 2])]) == factor.targets
        assert layout.bases[layout.chosen[j]] == factor.base
    assert len(layout.chosen) == len(factors)
    assert layout.bases == tuple(dict.fromkeys(factor.base for factor in factors))


def test_parts_of_a_program_are_laid_out_alike() -> None:
    circuit = long_circuit()
    circuit.barrier(label="middle")
    for _ in range(5):
        circuit.compose(long_circuit().remove_final_measurements(inplace=False), range(4), inplace=True)
    program = read_program(circuit)
    for first in (0, 3, 8):
        for count in (0, 1, LONG - 1, LONG, 40):
            gates = Stretch(program, first, first + count)
            check_factors(gates, gates.layout)
            check_factors(gates, layout_of(list(gates)))
            applied = Counter(operator.factors for operator, _ in gates)
            assert [(operator.factors, n) for operator, n in gates.layout.counts] == list(applied.items())


def test_long_ones_are_kept_with_the_program_and_only_there() -> None:
    program = read_program(long_circuit())
    assert Stretch(program, 0, LONG).layout is Stretch(program, 0, LONG).layout
    changed = replace(program, code=[*program.code[1:]])
    assert Stretch(changed, 0, LONG).layout is not Stretch(program, 0, LONG).layout
    travelled = pickle.loads(pickle.dumps(program))
    assert travelled == program and Stretch(travelled, 0, LONG).layout is not Stretch(program, 0, LONG).layout


def test_empty_stretches() -> None:
    program = read_program(long_circuit())
    assert not Stretch(program, 3, 3) and not len(Stretch(program, 3, 3))
    assert len(layout_of([]).chosen) == 0


def test_stores_share_blocks_but_not_states() -> None:
    """The same gates after different outcomes, on different states."""
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    circuit.cx(0, 1)
    circuit.h(0)
    assert qismc.check(
        circuit, ["AG (leaf & c == 0 -> |+0>)", "AG (leaf & c == 1 -> |-1>)", "EF (leaf & c == 1)"]
    )


def test_common_points_end_where_statements_differ() -> None:
    program = read_program(long_circuit())
    gates = Stretch(program, 0, len(program.code))
    again = read_program(long_circuit())
    assert gates.common_points(Stretch(again, 0, len(again.code))) == gates.points
    other = replace(again, code=tuple(again.code) if isinstance(again.code, list) else list(again.code))
    assert gates.common_points(Stretch(other, 0, len(other.code))) == gates.points
    assert gates.common_points(gates.part(0, 3)) == 3
    assert gates.part(4, 5).common_points(gates) == 1  # both are h(0)
    assert gates.part(1, 5).common_points(gates) == 0
    edited = replace(program, code=(*program.code[:4], program.code[5], *program.code[5:]))
    assert gates.common_points(Stretch(edited, 0, len(edited.code))) == 4
    assert gates.part(1, 9).common_points(Stretch(edited, 1, 9)) == 3
