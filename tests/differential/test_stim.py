"""Clifford programs with feed-forward: every stabiliser state that stim can reach, followed exhaustively."""

from __future__ import annotations

import numpy as np
import stim
from hypothesis import given, settings

from qismc import Model

from ..compare import columns, places
from ..reference import Matrix, Place, Walker, span
from ..strategies import toys
from ..toy import Gate, Measure, Reset, Toy

STIM_NAMES = {
    "h": "H",
    "x": "X",
    "y": "Y",
    "z": "Z",
    "s": "S",
    "sdg": "S_DAG",
    "cx": "CX",
    "cz": "CZ",
    "swap": "SWAP",
}
SINGLE_PRECISION = 1e-4


def fork(simulator: stim.TableauSimulator, qubit: int) -> list[tuple[int, stim.TableauSimulator]]:
    """The possible outcomes of measuring a qubit, each with the collapsed state."""
    known = simulator.peek_z(qubit)
    found = []
    for outcome in (0, 1):
        if known in (0, 1 - 2 * outcome):
            collapsed = simulator.copy()
            collapsed.postselect_z(qubit, desired_value=bool(outcome))
            found.append((outcome, collapsed))
    return found


def follow(
    walker: Walker, place: Place, simulator: stim.TableauSimulator
) -> list[tuple[Place, stim.TableauSimulator]]:
    """Everything that can happen in one step."""
    statement = walker.statement(place[0])
    targets = [edge.target for edge in walker.edges(place)]
    if isinstance(statement, Measure):
        return [(targets[outcome], after) for outcome, after in fork(simulator, statement.qubit)]
    if isinstance(statement, Reset):
        found = fork(simulator, statement.qubit)
        for outcome, after in found:
            if outcome:
                after.x(statement.qubit)
        return [(targets[0], after) for _, after in found]
    if isinstance(statement, Gate):
        simulator = simulator.copy()
        simulator.do(stim.CircuitInstruction(STIM_NAMES[statement.operation.name], statement.qubits))
    return [(targets[0], simulator)]


def explore(toy: Toy) -> tuple[dict[Place, Matrix], set[tuple[Place, Place]]]:
    """The states at each location, as columns, and the edges that some state takes."""
    walker = Walker(toy)
    start = stim.TableauSimulator()
    start.set_num_qubits(toy.num_qubits)
    pending: list[tuple[Place, stim.TableauSimulator]] = [((walker.settled((0,)), 0), start)]
    seen: set[tuple[Place, str]] = set()
    states: dict[Place, list[Matrix]] = {}
    edges = set()
    while pending:
        place, simulator = pending.pop()
        key = place, str(simulator.canonical_stabilizers())
        if key in seen:
            continue
        seen.add(key)
        states.setdefault(place, []).append(simulator.state_vector(endian="big").reshape(-1, 1))
        for target, after in follow(walker, place, simulator):
            edges.add((place, target))
            pending.append((target, after))
    return {place: np.hstack(found).astype(complex) for place, found in states.items()}, edges


def rank(vectors: Matrix) -> int:
    return int(np.sum(np.linalg.svd(vectors, compute_uv=False) > SINGLE_PRECISION))


@settings(max_examples=40)
@given(toy=toys(clifford=True))
def test_reachable_stabiliser_states_span_sp(engine: str, toy: Toy) -> None:
    model = Model(toy.circuit(), numbers=engine, keep_dead=True)
    found, edges = explore(toy)
    names = places(toy, model)
    assert set(names) == set(found)
    assert {(names[a], names[b]) for a, b in model.edges} == edges
    for index, place in enumerate(names):
        post = model.sp(index)
        assert post.dimension == rank(found[place])
        if engine == "float":
            assert rank(np.hstack([span(columns(post)), found[place]])) == post.dimension
