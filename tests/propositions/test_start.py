"""Starts, compared with subspaces that NumPy makes."""

from __future__ import annotations

import numpy as np
import pytest
from qiskit import ClassicalRegister, QuantumRegister
from qiskit.circuit.random import random_circuit
from qiskit.quantum_info import Operator, Statevector

import qismc
from qismc import Model, QuantumCircuit, SpecError, UsageError, Verdict

from .. import reference

ZERO, ONE = reference.ket("0"), reference.ket("1")
PLUS = (ZERO + ONE) / np.sqrt(2)
BELL = (reference.ket("00") + reference.ket("11")) / np.sqrt(2)
FREE = np.eye(2)


def registers() -> QuantumCircuit:
    """data[0], data[1], anc."""
    return QuantumCircuit(QuantumRegister(2, "data"), QuantumRegister(1, "anc"), ClassicalRegister(1, "c"))


def kron(*factors: reference.Matrix) -> reference.Matrix:
    found = np.eye(1)
    for factor in factors:
        found = np.kron(found, factor)
    return found


STARTS = {
    "|++> on data": kron(PLUS, PLUS, ZERO),
    "|1> on anc": kron(ZERO, ZERO, ONE),
    "|1> on data[1]": kron(ZERO, ONE, ZERO),
    "full on data": kron(FREE, FREE, ZERO),
    "full": kron(FREE, FREE, FREE),
    "full on anc, data[0]": kron(FREE, ZERO, FREE),
    "(|+> on data[0]) /\\ (full on anc)": kron(PLUS, ZERO, FREE),
    "(|00> + |11>) on data": kron(BELL, ZERO),
    "(|00> + |11>) on anc, data[1]": kron(ZERO, BELL),
    "stab(XX, ZZ) on data": kron(BELL, ZERO),
    "~|1> on data[0]": kron(ZERO, ZERO, ZERO),
    "~(|00> on data)": kron(reference.complement(reference.ket("00")), ZERO),
    "(|1> on anc) \\/ (|1> on data[0])": reference.join(
        kron(FREE, ZERO, ONE)[:, [0, 1]], kron(ONE, ZERO, FREE)
    ),
    "span(|01>, |10>) on data": kron(reference.join(reference.ket("01"), reference.ket("10")), ZERO),
}


@pytest.mark.parametrize("engine", ["exact", "float"])
@pytest.mark.parametrize("init", STARTS)
def test_qubits_that_are_not_mentioned_start_in_zero(init: str, engine: str) -> None:
    expected = STARTS[init]
    model = Model(registers(), init=init, numbers=engine)
    assert model.sp("init").dimension == expected.shape[1]
    columns = [Statevector(column.reshape((2,) * 3).transpose().reshape(-1)) for column in expected.T]
    assert qismc.check(registers(), "expected", init=init, props={"expected": columns}, numbers=engine)


def test_items_of_a_list_are_starts_of_their_own() -> None:
    model = Model(registers(), init=["|1> on anc", "|1> on data[0]"])
    assert model.sp("init").dimension == 2
    assert model.check("span(|001>, |100>)")


def test_the_report_says_what_is_left_free() -> None:
    result = qismc.check(registers(), "EF leaf", init="full on data")
    assert result.notes == (
        "init leaves data free: every state",
        "init does not mention anc, which starts in |0>",
    )
    assert "note: init leaves data free" in str(result)
    assert qismc.check(registers(), "EF leaf").notes == ()


def test_few_of_many_qubits() -> None:
    wide = QuantumCircuit(80)
    wide.h(7)
    assert qismc.check(wide, "AG (leaf -> |00> on q[7], q[8])", init="|+> on q[7]")
    assert (
        qismc.check(wide, "AG (init -> |0^72> on q[8:80])", init="full on q[0:6]").statistics.max_dimension
        == 64
    )


@pytest.mark.parametrize("seed", range(6))
def test_any_agrees_with_every_state(seed: int) -> None:
    """`any` and `full` decide alike what speaks of the program's own qubits."""
    circuit = random_circuit(3, 4, max_operands=2, seed=seed, measure=False)
    program = QuantumCircuit(3, 1)
    program.compose(circuit, inplace=True)
    program.measure(0, 0)
    image = Operator(circuit).data @ kron(ZERO, FREE, FREE)  # Qiskit's order: qubit 2 is the first factor
    target = Statevector(image[:, 0] + 1j * image[:, 3])
    for formula in ("AG (leaf -> |0> on q[0])", "AG (leaf & c == 1 -> ~target)", "EF (leaf & c == 1)"):
        verdicts = {
            qismc.check(program, formula, init=init, props={"target": target}).verdict
            for init in ("any on q[0], q[1]", "full on q[0], q[1]")
        }
        assert len(verdicts) == 1


@pytest.mark.parametrize("seed", range(6))
def test_partners_tell_what_becomes_of_every_input(seed: int) -> None:
    """The state at the end is U|x>|x> summed over x: so says NumPy of the matrix of the circuit."""
    circuit = random_circuit(2, 3, max_operands=2, seed=seed)
    choi = np.asarray(Operator(circuit).data).T.reshape(-1)  # the partners are the first factor
    program = QuantumCircuit(2)
    program.compose(circuit, inplace=True)
    props = {"same": Statevector(choi / 2), "other": Statevector(np.eye(4).reshape(-1) / 2)}
    result = qismc.check(
        program, ["AG (leaf -> same on q, ref)", "AG (leaf -> other on q, ref)"], init="any", props=props
    )
    is_identity = Operator(circuit).equiv(np.eye(4))
    assert [bool(answer) for answer in result] == [True, is_identity]


def test_wide_circuits_with_partners_stay_small() -> None:
    circuit = QuantumCircuit(40)
    for k in [*range(39), *reversed(range(39))]:
        circuit.cx(k, k + 1)
    assert qismc.check(circuit, "AG (leaf -> sp(init))", init="any")
    circuit.cz(3, 30)
    assert not qismc.check(circuit, "AG (leaf -> sp(init))", init="any")


def test_any_on_levels() -> None:
    program = QuantumCircuit(
        QuantumRegister(1, "data"), QuantumRegister(1, "anc"), ClassicalRegister(20, "c")
    )
    for k in range(20):
        program.cx(0, 1)
        program.cx(0, 1)
        program.measure(1, k)
    result = qismc.check(
        program, "AG (leaf -> stab(XX, ZZ) on data, ref)", init="any on data", method="levels"
    )
    assert result.verdict is Verdict.HOLDS and result.statistics.store == "levels"
    program.cx(0, 1)
    program.measure(1, 0)
    assert not qismc.check(
        program, "AG (leaf -> stab(XX, ZZ) on data, ref)", init="any on data", method="levels"
    )


def test_a_register_called_ref_keeps_its_name() -> None:
    program = QuantumCircuit(QuantumRegister(1, "ref"))
    program.x(0)
    assert qismc.check(program, "AG (leaf -> (|01> + |10>) on ref, ref_)", init="any")


@pytest.mark.parametrize("init", ["~(any on data)", "(any on data) \\/ |000>", ["any on data", "|000>"]])
def test_any_is_no_part_of_sums(init: object) -> None:
    with pytest.raises(SpecError, match="'any' stands alone"):
        Model(registers(), init=init)


def test_any_is_a_start_and_no_proposition() -> None:
    with pytest.raises(SpecError, match="unknown atom 'any'"):
        qismc.check(registers(), "AG any")
    with pytest.raises(SpecError, match="reserved"):
        qismc.check(registers(), "AG leaf", props={"any": "full"})
    with pytest.raises(SpecError, match="twice"):
        Model(registers(), init="(any on data) /\\ (any on data[0])")


def test_certificates_do_not_cover_partners(tmp_path) -> None:
    with pytest.raises(UsageError, match="any"):
        qismc.check(registers(), "EF leaf", init="any on data", certificate=tmp_path / "c.json")


def spread(*names: str) -> QuantumCircuit:
    circuit = QuantumCircuit(*(QuantumRegister(2, name) for name in names))
    circuit.x(0)
    return circuit


@pytest.mark.parametrize(
    ("init", "free"),
    [
        ("(|+> on data[0]) /\\ (full on rest)", ["data[1]", "anc[0]", "anc[1]"]),
        ("(full on rest) /\\ (|0> on data[0]) /\\ (|1> on anc[1])", ["data[1]", "anc[0]"]),
        ("full on rest", ["data[0]", "data[1]", "anc[0]", "anc[1]"]),
    ],
)
def test_the_rest_is_what_the_text_does_not_mention(init: str, free: list[str]) -> None:
    circuit = spread("data", "anc")
    for name in ("data[0]", "data[1]", "anc[0]", "anc[1]"):
        fixed = any(qismc.check(circuit, f"AG (init -> |{a}> on {name})", init=init) for a in "01+")
        assert fixed == (name not in free)


def test_every_state_of_the_rest() -> None:
    circuit = spread("data", "anc")
    kept = "(|00> + |11>) on anc[1], ref[2]"
    assert qismc.check(circuit, f"AG (leaf -> {kept})", init="(|0> on data[0]) /\\ (any on rest)")


def test_registers_called_rest_are_meant() -> None:
    circuit = spread("data", "rest", "more")
    assert qismc.check(circuit, "AG (init -> |0> on more[0])", init="(|+> on data[0]) /\\ (full on rest)")


def test_an_empty_rest_is_an_error() -> None:
    with pytest.raises(SpecError, match="'rest' is empty"):
        qismc.check(spread("data"), "AF leaf", init="|00> /\\ (full on rest)")


@pytest.mark.parametrize("count", [4, 5, 9])
def test_any_in_any_order_is_one_vector(count: int) -> None:
    """Inputs in another order than the program's: no more than one vector, on any number of qubits."""
    order = [1, 0, *range(2, count)]
    named = ", ".join(f"q[{k}]" for k in order)
    nothing = QuantumCircuit(count)
    pairs = " /\\ ".join(f"((|00> + |11>) on q[{k}], ref[{order.index(k)}])" for k in range(count))
    assert qismc.check(nothing, f"AG (leaf -> {pairs})", init=f"any on {named}")
