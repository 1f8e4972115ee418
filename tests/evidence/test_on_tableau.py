"""Strings that are shown instead of amplitudes, against stim along the same outcomes."""

from __future__ import annotations

import pickle
from random import Random

import pytest
import stim
from qiskit import QuantumCircuit

import qismc
from qismc.evidence.execution import Execution

QUBITS = 14
GATES = {"h": "H", "s": "S", "cx": "CX", "cz": "CZ", "x": "X"}


def random_circuit(random: Random) -> tuple[QuantumCircuit, list[tuple[str, list[int]]]]:
    """Gates and measurements, and the same as a list of names and qubits."""
    circuit, listed = QuantumCircuit(QUBITS, 6), []
    for k in range(60):
        if k % 10 == 9:
            qubit = random.randrange(QUBITS)
            circuit.measure(qubit, k // 10)
            listed.append(("measure", [qubit]))
        else:
            name = random.choice(list(GATES))
            qubits = random.sample(range(QUBITS), 2 if name.startswith("c") else 1)
            getattr(circuit, name)(*qubits)
            listed.append((name, qubits))
    return circuit, listed


def parsed(text: str) -> stim.PauliString:
    """-X q[0] Z q[3]"""
    words = text.removeprefix("-").split()
    found = stim.PauliString(QUBITS)
    for letter, qubit in zip(words[::2], words[1::2], strict=True):
        found[int(qubit[2:-1])] = letter
    return -found if text.startswith("-") else found


@pytest.mark.parametrize("seed", range(3))
def test_new_strings_stabilise_the_state_and_did_not_before(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qismc.evidence.on_tableau.MOST_LETTERS", QUBITS)
    circuit, listed = random_circuit(Random(seed))
    witness = qismc.check(circuit, "EF leaf", engine="stabiliser").results[0].witness
    assert witness is not None and len(witness.steps) == 61
    now, last = stim.TableauSimulator(), None
    now.set_num_qubits(QUBITS)
    for step, (name, qubits) in zip(witness.steps, [*listed, ("end", [])], strict=True):
        assert step.stabilisers is not None and step.terms is None
        for text in step.stabilisers:
            assert now.peek_observable_expectation(parsed(text)) == 1
            assert last is None or last.peek_observable_expectation(parsed(text)) != 1
        last = now.copy()
        if name == "measure":
            now.postselect_z(qubits[0], desired_value=bool(step.outcome))
        elif name != "end":
            now.do(stim.Circuit(f"{GATES[name]} {' '.join(map(str, qubits))}"))
    backwards = [list(step.stabilisers or ()) for step in reversed(fresh(circuit).steps)]
    assert backwards[::-1] == [list(step.stabilisers or ()) for step in witness.steps]


def fresh(circuit: QuantumCircuit) -> Execution:
    witness = qismc.check(circuit, "EF leaf", engine="stabiliser").results[0].witness
    assert witness is not None
    return witness


def test_reports_show_strings_and_failing_generators() -> None:
    circuit = QuantumCircuit(QUBITS, 1)
    circuit.h(0)
    for k in range(1, QUBITS):
        circuit.cx(0, k)
    circuit.z(3)
    result = qismc.check(circuit, "AG (leaf -> stab(XXXXXXXXXXXXXX, ZZIIIIIIIIIIII, IIIIIIIIIIIIIX))")
    (hint,) = result.counterexample.hints  # type: ignore[union-attr]
    letters = " ".join(f"X q[{k}]" for k in range(8))
    assert hint.text == (
        f"2 of 3 generators fail: {letters} ... (14 letters) (expectation -1), X q[13] (expectation 0)"
    )
    assert "Z q[0] Z q[1]" in str(result)
    steps = pickle.loads(pickle.dumps(result.counterexample)).steps
    assert steps[1].stabilisers == ("X q[0]",)
    shown = result.to_json()["results"][0]["counterexample"]["steps"]
    assert shown[2]["stabilisers"] == ["X q[0] X q[1]", "Z q[0] Z q[1]"]


def test_what_the_start_leaves_open_has_no_expectation() -> None:
    result = qismc.check(
        QuantumCircuit(QUBITS), "AG stab(ZZ, ZI) on q[0], q[1]", init="stab(ZZ) on q[0], q[1]"
    )
    (hint,) = result.counterexample.hints  # type: ignore[union-attr]
    assert hint.text == "1 of 2 generators fail: Z q[0] (left open by the start)"
