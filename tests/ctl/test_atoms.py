"""Which atoms hold where."""

from __future__ import annotations

import numpy as np
import pytest

from qismc import Model, QuantumCircuit, SpecError
from qismc.ctl.atoms import Labels
from qismc.fixpoint.float_check import FloatReplay
from qismc.language.parser import parse_formula


def looped() -> QuantumCircuit:
    circuit = QuantumCircuit(1, 2)
    circuit.h(0)
    circuit.measure(0, 0)
    circuit.mark("seen")
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.x(0)
        circuit.measure(0, 0)
    return circuit


def labels(model: Model) -> Labels:
    solved = model.solved()
    return Labels(solved, model.names, FloatReplay(solved, model.simulation.engine))


def where(model: Model, atom: str) -> list[int]:
    everywhere = np.ones(model.system.num_locations, dtype=bool)
    return [int(k) for k in np.flatnonzero(labels(model)(parse_formula(atom), everywhere))]


@pytest.mark.parametrize(
    ("name", "text"), [("leaf", "end"), ("loop", "while (c[0] == 1)"), ("seen", "mark seen")]
)
def test_named_points(name: str, text: str) -> None:
    model = Model(looped(), numbers="float", keep_dead=True)
    expected = [x.index for x in model.locations if x.text == text]
    assert expected
    assert where(model, name) == expected


def test_single_locations() -> None:
    model = Model(looped(), numbers="float")
    assert where(model, "init") == where(model, "l0") == [0]
    assert where(model, "l3") == where(model, "@3") == [3]
    with pytest.raises(SpecError, match="no location l99"):
        where(model, "l99")


@pytest.mark.parametrize(
    ("atom", "test"),
    [
        ("c == 1", lambda c: c == 1),
        ("c != 1", lambda c: c != 1),
        ("c < 1", lambda c: c < 1),
        ("c >= 1", lambda c: c >= 1),
        ("c[0]", lambda c: bool(c & 1)),
        ("c[1]", lambda c: bool(c & 2)),
        ("c == 0b01", lambda c: c == 1),
    ],
)
def test_classical_comparisons(atom: str, test: object) -> None:
    model = Model(looped(), numbers="float", keep_dead=True)
    assert where(model, atom) == [x.index for x in model.locations if test(x.values["c"])]  # type: ignore[operator]


def test_reached() -> None:
    """|0> is never measured as 1, so nothing enters the branch, though it is kept."""
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.mark("never")
    model = Model(circuit, numbers="float", paths="all", keep_dead=True)
    assert where(model, "reached") == [x.index for x in model.locations if model.sp(x.index).dimension]
    assert where(model, "never")
    assert not set(where(model, "never")) & set(where(model, "reached"))


def test_quantum_atoms_are_asked_only_where_they_matter(engine: str) -> None:
    circuit = QuantumCircuit(1)
    for _ in range(20):
        circuit.h(0)
    model = Model(circuit, numbers=engine)
    found = labels(model)
    mask = np.zeros(model.system.num_locations, dtype=bool)
    mask[[0, 20]] = True
    assert found(parse_formula("|0>"), mask)[[0, 20]].all()
    assert found.asked == 2
    found(parse_formula("|0>"), mask)
    assert found.asked == 2
