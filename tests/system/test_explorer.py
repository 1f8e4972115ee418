"""Nodes on the fly."""

from __future__ import annotations

import pytest
from qiskit.circuit.classical import expr, types
from qiskit.circuit.library import HGate

import qismc
from qismc import QuantumCircuit
from qismc.engines.dense import DenseEngine
from qismc.errors import LimitReached
from qismc.fixpoint.solving import solve_along
from qismc.language.coefficients import ONE
from qismc.limits import Budget, Limits
from qismc.program import read_program
from qismc.program.program import Program
from qismc.propositions.propositions import SpanOf
from qismc.propositions.states import KetSum
from qismc.system.edges import next_point, next_store
from qismc.system.explorer import Course, Explorer, SteeredExplorer, Waypoint

from ..toy import Gate, Measure, Test, Toy, While


def program() -> Program:
    gate = Gate(HGate(), (0,))
    loop = While(Test(0, 1), (gate, gate, Measure(0, 0)))
    return read_program(Toy(1, 2, (gate, Measure(0, 0), Measure(0, 1), loop)).circuit())


def explorer(observed: int = 0) -> Explorer:
    return Explorer(program(), Budget(Limits()), observed)


def test_nodes_appear_when_somebody_arrives() -> None:
    found = explorer()
    hop = found.entry.hops[1]
    assert hop.target is None
    assert not hop.taken
    assert found.target(hop) is found.target(hop)
    assert hop.target is not None


def test_unread_bits_are_merged_unless_kept() -> None:
    """c[1] is never read; without it there is one node per value of c[0]."""
    merged = {(n.start, n.store) for n in explorer().reachable()}
    kept = {(n.start, n.store) for n in explorer(observed=0b11).reachable()}
    observed = {(n.start, n.store) for n in explorer(observed=0b10).reachable()}
    assert all(not store & 0b10 for _, store in merged)
    assert len(merged) < len(kept)
    assert {store & 0b10 for _, store in observed} == {0, 0b10}


def test_nodes_are_shared_and_found_again() -> None:
    first, second = explorer(), explorer()
    for node in first.reachable():
        again = second.node(node.start, node.store)
        assert (again.start, again.end, again.store) == (node.start, node.end, node.store)
        assert second.node(node.start, node.store) is again


def test_locations_are_counted() -> None:
    with pytest.raises(LimitReached, match="more than 4 locations"):
        Explorer(program(), Budget(Limits(locations=4)), 0).reachable()


def coins(count: int) -> QuantumCircuit:
    circuit = QuantumCircuit(count, count)
    circuit.h(range(count))
    circuit.measure(range(count), range(count))
    return circuit


def follow(program: qismc.program.Program, outcomes: list[int]) -> list[Waypoint]:
    """The execution with these outcomes, to the end."""
    from qismc.program.statements import Havoc, Leaf, Measure

    point, store, left, steps = program.entry, program.initial_store, list(outcomes), []
    while True:
        statement = program.code[point]
        outcome = left.pop(0) if isinstance(statement, Measure | Havoc) else None
        steps.append(Waypoint(point, store, outcome))
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
