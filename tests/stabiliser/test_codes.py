"""Propositions as codes, against dense vectors."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector, random_clifford

from qismc import Model, check
from qismc.common.choices import method_and_numbers
from qismc.propositions.propositions import Whole
from qismc.stabiliser.amplitudes import generators, partners, powers_of_floats
from qismc.stabiliser.codes import Across, Codes, Impossible, Requirement, Within
from qismc.stabiliser.gates import pauli_matrix
from qismc.symbolic import NotSymbolic

from .test_strings import paulis_of


def requirements(meaning: object, qubits: int) -> tuple[Requirement, ...]:
    model = Model(QuantumCircuit(qubits), props={"p": meaning})
    return Codes(qubits).requirements(model.scope.prop("p"))


@pytest.mark.parametrize(("qubits", "seed"), [*product(range(1, 5), range(4))])
def test_random_stabiliser_states(qubits: int, seed: int) -> None:
    circuit = random_clifford(qubits, seed=seed).to_circuit()
    state = Statevector(circuit)
    for meaning in (state, circuit):
        (found,) = requirements(meaning, qubits)
        assert isinstance(found, Within) and len(found.generators) == qubits
        for pauli in paulis_of(found.generators):
            assert np.allclose(pauli_matrix(pauli, qubits) @ state.data, state.data)


@pytest.mark.parametrize(
    "values", [[1, 1, 1, 0], [1, 1, 1, 1j], [1, 2, 0, 0], [1, 0, 0, np.exp(0.25j * np.pi)]]
)
def test_other_states_are_refused(values: list[complex]) -> None:
    assert generators(powers_of_floats(dict(enumerate(values))), 2) is None


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("span(|000>, |111>)", 2), ("span(|00+>, |11+>, |01->, |10->)", 1), ("|0+r>", 3),
        ("stab(XXX, ZZI)", 2), ("|000> - i*|011>", 3), ("full", 0),
    ],
)  # fmt: skip
def test_codes_have_the_right_rank(text: str, rank: int) -> None:
    found = requirements(text, 3)
    assert sum(len(r.generators) for r in found if isinstance(r, Within)) == rank
    assert Model(QuantumCircuit(3), init=text).sp("init").dimension == 2 ** (3 - rank)


@pytest.mark.parametrize("text", ["span(|00>, |01>, |10>)", "|00> + 2*|11>", "span(|00>, |++>)"])
def test_spans_that_are_no_codes(text: str) -> None:
    with pytest.raises(NotSymbolic):
        requirements(text, 2)


@pytest.mark.parametrize("factor", ["1000000000001/1000000000000", "exp(i*1/1000000000000)", "(-1)"])
def test_sums_of_kets_are_recognised_exactly(factor: str) -> None:
    """However near: |0...0> + x |1...1> is the state of the circuit for x = 1 alone."""
    qubits = 13
    circuit = QuantumCircuit(qubits)
    circuit.h(0)
    for k in range(qubits - 1):
        circuit.cx(k, k + 1)
    near = f"|{'0' * qubits}> + {factor}*|{'1' * qubits}>"
    result = check(circuit, {"itself": f"AG (leaf -> |{'0' * qubits}> + |{'1' * qubits}>)"})
    assert result and result.engine == "stabiliser"
    assert not check(circuit, {"near": f"AG (leaf -> {near})"})


def test_complements_and_meets() -> None:
    across, within = requirements("~|00> /\\ stab(XX)", 2)
    assert isinstance(across, Across) and isinstance(within, Within)


@pytest.mark.parametrize("strings", ["ZZI, -ZZI", "ZZI, IZZ, -ZIZ", "XXI, ZZI, YYI"])
def test_strings_that_contradict_each_other_stabilise_nothing(strings: str) -> None:
    """XX ZZ = -YY: everything is orthogonal to no state."""
    assert requirements(f"stab({strings})", 3) == (Impossible(),)
    assert requirements(f"~stab({strings})", 3) == ()
    circuit = QuantumCircuit(3)
    circuit.h(0)
    for engine in ("stabiliser", "exact"):
        specs = {"within": f"AG stab({strings})", "across": f"AG ~stab({strings})"}
        result = check(circuit, specs, **method_and_numbers(engine, "auto"))
        assert [bool(one) for one in result] == [False, True]


def test_partners_turn_one_sign_each() -> None:
    state = Statevector(random_clifford(4, seed=3).to_circuit())
    (found,) = requirements(state, 4)
    assert isinstance(found, Within)
    group = list(paulis_of(found.generators))
    for k, partner in enumerate(partners(group, 4)):
        commuting = [partner.commutes(other) for other in group]
        assert commuting == [j != k for j in range(4)]


def test_a_tableau_that_does_not_fit_is_refused() -> None:
    """A square of bits: a million qubits would be 500 GB."""
    with pytest.raises(NotSymbolic, match="65,536 qubits"):
        Codes(1_000_000).start(Whole())
    assert Codes(3).start(Whole()).qubits == 3
