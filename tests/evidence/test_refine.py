"""Paths whose measurements contradict each other decide nothing."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given

import qismc
from qismc import Model, QuantumCircuit, Verdict
from qismc.evidence import refine
from qismc.evidence.refine import Unfolding
from qismc.limits import Effort

from ..compare import places
from ..executions import Tree
from ..reference import Reference, ket
from ..strategies import toys
from ..toy import Toy

CONTRADICTION = """OPENQASM 3.0;
include "stdgates.inc";
qubit[1] q;
bit[1] c;
h q[0];
c[0] = measure q[0];
if (c[0]) {
  //@ mark A
  z q[0];
}
c[0] = 0;
//@ mark M
c[0] = measure q[0];
if (c[0]) {
  //@ mark B
  z q[0];
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("programs") / "contradiction.qasm"
    path.write_text(CONTRADICTION)
    return str(path)


@pytest.mark.parametrize(
    ("formula", "executions", "graph"),
    [
        ("E[!A U B]", False, True),
        ("A[!B W A]", True, False),
        ("AG (B -> AX true)", True, True),
        ("EF (A & EF B)", True, True),
        ("EF (c == 0 & M & EF B)", True, True),
        ("EF (!A & M & !EF B)", True, False),
        ("AG (M -> EF B)", False, True),
        ("AG EF leaf", True, True),
        ("A[!B U A] | !E[!A U B]", True, False),
    ],
)
def test_executions_decide(engine: str, program: str, formula: str, executions: bool, graph: bool) -> None:
    found = qismc.check(program, formula, numbers=engine)["spec"]
    assert found.verdict is (Verdict.HOLDS if executions else Verdict.VIOLATED)
    theirs = qismc.check(program, formula, numbers=engine, paths="all")["spec"]
    assert theirs.verdict is (Verdict.HOLDS if graph else Verdict.VIOLATED)
    shown = found.witness or found.counterexample
    assert shown is None or not shown.steps or shown.replayed


def test_what_stays_undecided_says_so(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refine, "STATES", (0,))
    result = qismc.check(program, "E[!A U B]")["spec"]
    assert result.verdict is Verdict.UNKNOWN
    assert result.reason.startswith("path: ")
    assert "paths='all'" in result.reason


def test_effort_ends_the_telling_apart(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refine, "MOST_WORK", 0)
    result = qismc.check(program, "E[!A U B]")["spec"]
    assert result.reason.startswith("path: ") and "more effort" in result.reason


def test_probability_needs_no_paths(program: str) -> None:
    assert not qismc.check(program, "P>0 [!A U B]")
    assert qismc.check(program, "P=1 [F leaf]")


MOST = 300


def unfolded(model: Model, most: int) -> Unfolding:
    return Unfolding(model.solved(), Effort(inf, ""), most)


@given(toys(most=2, clifford=True))
def test_rays_are_the_states_of_executions(engine: str, toy: Toy) -> None:
    """As many states at every place, the start itself being the root, and as many ways onwards."""
    tree = Tree(Reference(toy), ket("0" * toy.num_qubits)[:, 0], MOST)
    model = Model(toy.circuit(), numbers=engine, keep_dead=True)
    found = unfolded(model, MOST)
    if not tree.finite:
        return
    assert found.complete
    names = places(toy, model)
    numbers = range(found.root, found.nowhere)
    reached = {found.root}
    pending = [found.root]
    while pending:
        for target in found.certain.successors.of(pending.pop()).tolist():
            if target not in reached:
                reached.add(target)
                pending.append(target)
    assert reached == set(numbers)
    ours = sorted(names[found.places[k]] for k in numbers if k != found.root)
    theirs = sorted(place for place, _ in tree.states[1:])
    again = [place for place, _ in tree.states].count(tree.states[0][0]) > 1 or any(
        0 in row for row in tree.successors
    )
    assert again or ours == theirs


@given(toys(most=2))
def test_certain_edges_can_be_taken_by_every_ray(engine: str, toy: Toy) -> None:
    """Where all of sp can go on, so can each state of an execution."""
    model = Model(toy.circuit(), numbers=engine, keep_dead=True)
    coarse, fine = unfolded(model, 0), unfolded(model, 40)
    size = model.system.num_locations
    edges = set(coarse._certain)
    for ray in fine.rays:
        if ray.last not in {source for source, _ in fine._certain}:
            continue
        after = {int(fine.places[t]) for s, t in fine._certain if s == ray.last}
        source = int(fine.places[ray.last])
        assert {t for s, t in edges if s == source < size} <= after


def test_several_starts_leave_superpositions_open() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    found = unfolded(Model(circuit, init="full"), 100)
    assert not found.complete
    assert len(found.possible.successors.of(found.root)) > len(found.certain.successors.of(found.root))


def test_states_of_numbers() -> None:
    circuit = QuantumCircuit(1)
    circuit.x(0)
    circuit.h(0)
    found = unfolded(Model(circuit, numbers="float"), 10)
    assert found.state(0) is None and found.state(found.root) is None
    first, second = (found.state(found.rays[k].first) for k in (0, 1))
    assert all(map(found.solved.engine.aligned, (first, second), ([0, 1], [1, -1])))
    assert not found.solved.engine.aligned(first, second)
