"""sp and wp by mark, by number and by name."""

from __future__ import annotations

import pytest

import qismc
from qismc import Model, QuantumCircuit, SpecError

from ..compare import agrees
from ..reference import ket, span, whole


def marked() -> QuantumCircuit:
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.mark("half")
    circuit.cx(0, 1)
    circuit.measure(0, 0)
    return circuit


def test_sp_by_mark_number_and_name(engine: str) -> None:
    model = Model(marked(), numbers=engine)
    plus = span(ket("00") + ket("10"))
    for where in ("half", 1, "l1", "@1"):
        assert agrees(model.sp(where), plus)
    assert agrees(model.sp("init"), ket("00"))
    assert model.sp("leaf").dimension == 2
    assert agrees(model.wp("half"), whole(4))


@pytest.mark.parametrize(
    ("where", "message"),
    [("hal", "did you mean 'half'"), (99, "no location l99"), ("l99", "the last one is l")],
)
def test_unknown_places(where: str | int, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        Model(marked(), numbers="float").sp(where)


def test_sp_of_a_mark_in_formulas(engine: str) -> None:
    circuit = marked()
    assert qismc.check(circuit, "AG (half -> sp(half))", numbers=engine)
    assert not qismc.check(circuit, "AG (leaf -> sp(half))", numbers=engine)


def test_wp_excludes_what_breaks_an_annotation(engine: str) -> None:
    """Before H, the states that it takes to |0> are the multiples of |+>."""
    circuit = QuantumCircuit(1)
    circuit.mark("before")
    circuit.h(0)
    model = Model(circuit, annotations={"leaf": "|0>"}, init="full", numbers=engine)
    assert agrees(model.wp("before"), span(ket("0") + ket("1")))
    assert agrees(model.wp("leaf"), ket("0"))


def test_conditions_travel_to_other_engines() -> None:
    """A subspace that one engine computed means the same in a check by another."""
    recorded = Model(marked(), numbers="exact").sp("half")
    for engine in ("float", "exact", "auto"):
        assert qismc.check(marked(), "AG (half -> recorded)", props={"recorded": recorded}, numbers=engine)
        assert not qismc.check(
            marked(), "AG (leaf -> recorded)", props={"recorded": recorded}, numbers=engine
        )
