"""What was given: starts in all forms, annotations and their places."""

from __future__ import annotations

import pytest
from qiskit.quantum_info import Statevector

from qismc import Model, QuantumCircuit, SpecError

from ..compare import agrees
from ..reference import ket


def test_init_forms_agree(engine: str) -> None:
    """Text, a Statevector in Qiskit's order, a circuit, and a subspace of another model."""
    circuit = QuantumCircuit(2)
    prepare = QuantumCircuit(2)
    prepare.x(1)
    recorded = Model(prepare, numbers=engine).sp("leaf")
    for init in ("|01>", Statevector.from_label("10"), prepare, recorded, ["|01>", "|01>"]):
        assert agrees(Model(circuit, init=init, numbers=engine).sp("leaf"), ket("01"))


def test_wrong_width_of_init() -> None:
    with pytest.raises(SpecError, match="3 letters"):
        Model(QuantumCircuit(2), init="|000>")


def test_a_line_of_the_program_gives_the_start_unless_the_caller_does() -> None:
    text = "OPENQASM 2.0;\n//@ init |1>\nqreg q[1];\n"
    assert agrees(Model(text).sp("leaf"), ket("1"))
    assert agrees(Model(text, init="|0>").sp("leaf"), ket("0"))


def test_a_wrong_start_is_found_in_the_line_that_gives_it() -> None:
    with pytest.raises(SpecError, match="<text>:2:1"):
        Model("OPENQASM 2.0;\n//@ init |11>\nqreg q[1];\n")


def test_annotations_of_the_text_and_of_the_caller_are_both_kept() -> None:
    text = "OPENQASM 2.0;\nqreg q[2];\n//@ mark here\n//@ annotate here = |0> on q[0]\nh q[0];\n"
    model = Model(text, annotations={"leaf": "|0> on q[1]"}, init="full")
    assert [str(where) for where, _ in model.setting.annotations][-1] == "leaf"
    assert len(model.setting.annotations) == 2


def test_annotations_need_a_place_that_exists() -> None:
    with pytest.raises(SpecError, match="nowhere"):
        Model(QuantumCircuit(1), annotations={"nowhere": "|0>"})
