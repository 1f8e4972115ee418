"""Systems that go as one execution goes."""

from __future__ import annotations

import pytest
from qiskit.circuit.classical import expr, types

import qismc
from qismc import QuantumCircuit
from qismc.engines.dense import DenseEngine
from qismc.fixpoint.solving import solve_along
from qismc.language.coefficients import ONE
from qismc.limits import Budget, Limits
from qismc.program import read_program
from qismc.propositions.propositions import SpanOf
from qismc.propositions.states import KetSum
from qismc.system.edges import next_point, next_store
from qismc.system.steered import Course, SteeredExplorer, Step


def coins(count: int) -> QuantumCircuit:
    circuit = QuantumCircuit(count, count)
    circuit.h(range(count))
    circuit.measure(range(count), range(count))
    return circuit


def follow(program: qismc.program.Program, outcomes: list[int]) -> list[Step]:
    """The execution with these outcomes, to the end."""
    from qismc.program.statements import Havoc, Leaf, Measure

    point, store, left, steps = program.entry, program.initial_store, list(outcomes), []
    while True:
        statement = program.code[point]
        outcome = left.pop(0) if isinstance(statement, Measure | Havoc) else None
        steps.append(Step(point, store, outcome))
        if isinstance(statement, Leaf):
            return steps
        point, store = next_point(program, point, store), next_store(statement, store, outcome)


@pytest.mark.parametrize("outcomes", [[0, 0, 0], [1, 0, 1]])
def test_only_the_chosen_outcomes_are_followed(outcomes: list[int]) -> None:
    program = read_program(coins(3))
    engine = DenseEngine(3, Budget(Limits()))
    init = SpanOf((KetSum(((ONE, "000"),)),))
    solved = solve_along(program, init, engine, Budget(Limits()), Course(0, follow(program, outcomes)))
    ends = [at.store for at in solved.system if program.text(at.point) == "end"]
    assert ends == [sum(bit << k for k, bit in enumerate(outcomes))]
    assert solved.system.num_edges == solved.system.num_locations


def test_an_execution_that_stops_early_goes_on_for_ever() -> None:
    program = read_program(coins(2))
    engine = DenseEngine(2, Budget(Limits()))
    init = SpanOf((KetSum(((ONE, "00"),)),))
    steps = follow(program, [1, 1])[:3]
    solved = solve_along(program, init, engine, Budget(Limits()), Course(0, steps))
    targets = {edge[0] for edge in solved.system.edges}
    assert targets == set(range(solved.system.num_locations))
    assert solved.posts.spread.max_dimension == 1


def test_wide_inputs_are_not_enumerated() -> None:
    circuit = QuantumCircuit(1, 1)
    chosen = circuit.add_input("i", types.Uint(40))
    with circuit.if_test(expr.equal(chosen, 5)):
        circuit.x(0)
    program = read_program(circuit)
    explorer = SteeredExplorer(program, Budget(Limits()), follow(program, [5]))
    assert len(explorer.reachable()) == len({step.point for step in follow(program, [5])})
