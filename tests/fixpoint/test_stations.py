"""Cuts inside nodes, and adjoints of products."""

from __future__ import annotations

from qismc.fixpoint.stations import At, Cuts, adjoint
from qismc.program.operators import single
from qismc.system.edges import Application
from qismc.system.explorer import Node


def test_cuts_separate_stations() -> None:
    node = Node(10, 20, 0)
    cuts = Cuts([5, 12, 15, 15, 30])
    assert [cuts.after(node, p) for p in (10, 12, 15)] == [12, 15, None]
    assert [cuts.before(node, p) for p in (11, 13, 19)] == [None, 12, 15]
    assert cuts.station_at_or_before(node, 11) == At(node, 10)
    assert cuts.station_at_or_before(node, 12) == At(node, 12)
    assert cuts.station_at_or_after(node, 12) == At(node, 12)
    assert cuts.station_at_or_after(node, 13) == At(node, 15)
    assert cuts.station_at_or_after(node, 16) == At(node, 19)


def test_adjoint_of_a_product() -> None:
    found = adjoint([Application(single("s", 1), (0,)), Application(single("rx", 1, 0.5), (1,))])
    bases = [(a.operator.factors[0].base.name, a.operator.factors[0].base.angles, a.qubits) for a in found]
    assert bases == [("rx", (-0.5,), (1,)), ("sdg", (), (0,))]
