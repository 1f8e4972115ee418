"""Layouts place every factor of every gate where the program has it, and are made once."""

from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import replace

import qismc
from qismc import QuantumCircuit
from qismc.program import read_program
from qismc.program.statements import Apply
from qismc.system.edges import Application
from qismc.system.stretch import LONG, Layout, Stretch, layout_of


def some_circuit() -> QuantumCircuit:
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
    program = read_program(some_circuit())
    gates = Stretch(program, 0, len(program.code))
    assert list(gates) == [Application(*s) for s in program.code if isinstance(s, Apply)]
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
    circuit = some_circuit()
    circuit.barrier(label="middle")
    for _ in range(5):
        circuit.compose(some_circuit().remove_final_measurements(inplace=False), range(4), inplace=True)
    program = read_program(circuit)
    for first in (0, 3, 8):
        for count in (0, 1, LONG - 1, LONG, 40):
            gates = Stretch(program, first, first + count)
            check_factors(gates, gates.layout)
            check_factors(gates, layout_of(list(gates)))
            applied = Counter(operator.factors for operator, _ in gates)
            assert [(operator.factors, n) for operator, n in gates.layout.counts] == list(applied.items())


def test_long_ones_are_kept_with_the_program_and_only_there() -> None:
    program = read_program(some_circuit())
    assert Stretch(program, 0, LONG).layout is Stretch(program, 0, LONG).layout
    changed = replace(program, code=[*program.code[1:]])
    assert Stretch(changed, 0, LONG).layout is not Stretch(program, 0, LONG).layout
    travelled = pickle.loads(pickle.dumps(program))
    assert travelled == program and Stretch(travelled, 0, LONG).layout is not Stretch(program, 0, LONG).layout


def test_no_gates() -> None:
    program = read_program(some_circuit())
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
    program = read_program(some_circuit())
    gates = Stretch(program, 0, len(program.code))
    again = read_program(some_circuit())
    assert gates.common_points(Stretch(again, 0, len(again.code))) == gates.points
    other = replace(again, code=tuple(again.code) if isinstance(again.code, list) else list(again.code))
    assert gates.common_points(Stretch(other, 0, len(other.code))) == gates.points
    assert gates.common_points(gates.part(0, 3)) == 3
    assert gates.part(4, 5).common_points(gates) == 1  # both are h(0)
    assert gates.part(1, 5).common_points(gates) == 0
    edited = replace(program, code=(*program.code[:4], program.code[5], *program.code[5:]))
    assert gates.common_points(Stretch(edited, 0, len(edited.code))) == 4
    assert gates.part(1, 9).common_points(Stretch(edited, 1, 9)) == 3
