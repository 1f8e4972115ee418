"""Annotations by place, and what bounds wp."""

from __future__ import annotations

import pytest

from qismc import Model, QuantumCircuit, SpecError

from ..compare import agrees
from ..reference import ket, whole


def line() -> QuantumCircuit:
    circuit = QuantumCircuit(1, 1)
    circuit.x(0)
    circuit.mark("middle")
    circuit.x(0)
    return circuit


@pytest.mark.parametrize("where", ["middle", "l1", "@1", 1])
def test_places_of_annotations(engine: str, where: str | int) -> None:
    model = Model(line(), annotations={where: "|1>"}, numbers=engine)
    assert agrees(model.wp("middle"), ket("1"))
    assert agrees(model.wp("init"), ket("0"))
    assert agrees(model.wp("leaf"), whole(2))
    assert agrees(model.sp("leaf"), ket("0"))


def test_several_annotations_meet_in_wp(engine: str) -> None:
    model = Model(line(), annotations={"middle": "|1>", "leaf": "|1>"}, numbers=engine)
    assert model.wp("init").dimension == 0
    assert model.sp("leaf").dimension == 2


@pytest.mark.parametrize(
    ("where", "message"), [("midle", "did you mean 'middle'"), ("l17", "no location l17")]
)
def test_unknown_places(where: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        Model(line(), annotations={where: "|1>"}, numbers="float").solved()


def test_nothing_starts() -> None:
    with pytest.raises(SpecError, match="no start"):
        Model(line(), init="zero", numbers="float").solved()


def test_annotated_loops_bound_every_turn(engine: str) -> None:
    """wp at the start of a loop that flips the qubit: |0> is not kept by an odd number of flips."""
    circuit = QuantumCircuit(2, 1)
    circuit.h(1)
    circuit.measure(1, 0)
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.x(0)
        circuit.h(1)
        circuit.measure(1, 0)
    bounded = Model(circuit, annotations={"loop": "|0> on q[0]"}, numbers=engine, keep_dead=True)
    turn = next(x for x in bounded.locations if x.text.startswith("while") and x.values["c"] == 1)
    assert bounded.wp(turn.index).dimension == 0
    done = next(x for x in bounded.locations if x.text.startswith("while") and x.values["c"] == 0)
    assert bounded.wp(done.index).dimension == 2


def test_an_init_that_is_the_whole_space_keeps_phases(engine: str) -> None:
    circuit = QuantumCircuit(1)
    circuit.sx(0)
    init = "(|0> \\/ |1>) /\\ span(|0>, |1>)"
    model = Model(circuit, init=init, numbers=engine)
    assert not model.check("AG (leaf -> |+>)")
    assert agrees(model.sp("leaf"), whole(2))
