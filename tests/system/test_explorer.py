"""Nodes on the fly."""

from __future__ import annotations

import pytest
from qiskit.circuit.library import HGate

from qismc.errors import LimitReached
from qismc.limits import Budget, Limits
from qismc.program import read_program
from qismc.program.program import Program
from qismc.system.explorer import Explorer

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
        again = second.find(node.start, node.store)
        assert (again.start, again.end, again.store) == (node.start, node.end, node.store)
        assert second.find(node.start, node.store) is again


def test_locations_are_counted() -> None:
    with pytest.raises(LimitReached, match="more than 4 locations"):
        Explorer(program(), Budget(Limits(locations=4)), 0).reachable()
