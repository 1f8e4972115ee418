"""Models: sp and wp by name, by number, and across programs."""

from __future__ import annotations

import pytest
from qiskit.quantum_info import Statevector

import qismc
from qismc import Model, QuantumCircuit, SpecError, UsageError, Verdict

from .compare import agrees
from .reference import ket, span, whole


def marked() -> QuantumCircuit:
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.mark("half")
    circuit.cx(0, 1)
    circuit.measure(0, 0)
    return circuit


def test_sp_by_mark_number_and_name(engine: str) -> None:
    model = Model(marked(), engine=engine)
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
        Model(marked(), engine="float").sp(where)


def test_init_forms_agree(engine: str) -> None:
    """Text, a Statevector in Qiskit's order, a circuit, and a subspace of another model."""
    circuit = QuantumCircuit(2)
    prepare = QuantumCircuit(2)
    prepare.x(1)
    recorded = Model(prepare, engine=engine).sp("leaf")
    for init in ("|01>", Statevector.from_label("10"), prepare, recorded, ["|01>", "|01>"]):
        assert agrees(Model(circuit, init=init, engine=engine).sp("leaf"), ket("01"))


def test_sp_of_a_mark_in_formulas(engine: str) -> None:
    circuit = marked()
    assert qismc.check(circuit, "AG (half -> sp(half))", engine=engine)
    assert not qismc.check(circuit, "AG (leaf -> sp(half))", engine=engine)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"paths": "some"}, "paths = 'some'"), ({"engine": "flaot"}, "flaot"), ({"init": "zero"}, "zero")],
)
def test_wrong_options(options: dict[str, str], message: str) -> None:
    with pytest.raises((UsageError, SpecError), match=message):
        Model(marked(), **options).solved()


@pytest.mark.parametrize("thing", [7, None, object()])
def test_not_a_program(thing: object) -> None:
    with pytest.raises(UsageError, match="not a program"):
        Model(thing)


def test_wrong_width_of_init() -> None:
    with pytest.raises(SpecError, match="3 letters"):
        Model(marked(), init="|000>")


def test_formulas_keep_the_bits_they_speak_of_apart(engine: str) -> None:
    """The measured bit is never read by the program, but by the formula."""
    result = qismc.check(marked(), ["AG (leaf & c == 1 -> |11>)", "EF (leaf & c[0])"], engine=engine)
    assert [r.verdict for r in result] == [Verdict.HOLDS, Verdict.HOLDS]
