"""Strings that are shown instead of amplitudes, against stim along the same outcomes."""

from __future__ import annotations

import pickle
from itertools import product
from random import Random

import numpy as np
import pytest
import stim
from qiskit import ClassicalRegister, QuantumCircuit
from qiskit.quantum_info import Pauli, Statevector

import qismc
from qismc import Model
from qismc._core import Tableau
from qismc.evidence.execution import Execution
from qismc.evidence.on_tableau import Ending
from qismc.language.parser import parse_formula
from qismc.stabiliser.codes import Codes
from qismc.symbolic import NotSymbolic

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
    witness = qismc.check(circuit, "EF leaf", method="stabiliser").results[0].witness
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
    witness = qismc.check(circuit, "EF leaf", method="stabiliser").results[0].witness
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


QUBITS_ENDING = 3


def random_clifford(random: Random) -> QuantumCircuit:
    circuit = QuantumCircuit(QUBITS_ENDING)
    for _ in range(12):
        name = random.choice(("h", "s", "x", "cx", "cz"))
        getattr(circuit, name)(*random.sample(range(QUBITS_ENDING), 2 if name.startswith("c") else 1))
    return circuit


def ended(circuit: QuantumCircuit, store: int = 0, point: int | None = None) -> Ending:
    """Where the gates of a circuit lead; by default its last point."""
    model = Model(circuit, props={"prop": "|000>"} if circuit.num_qubits == QUBITS_ENDING else None)
    codes, code = Codes(circuit.num_qubits), model.program.code
    tableau, last = Tableau(circuit.num_qubits), len(code) - 1
    codes.gates.run(tableau, code, 0, last)
    return Ending(model.names, codes, last if point is None else point, store, tableau)


@pytest.mark.parametrize("seed", range(4))
def test_strings_stabilise_the_states_that_they_stabilise(seed: int) -> None:
    circuit = random_clifford(Random(seed))
    ending, state = ended(circuit), Statevector(circuit)
    found = set()
    for letters in product("IXYZ", repeat=QUBITS_ENDING):
        value = state.expectation_value(Pauli("".join(reversed(letters)))).real
        for sign in (1, -1):
            text = f"stab({'-' if sign < 0 else ''}{''.join(letters)})"
            if set(letters) == {"I"} and sign < 0:
                continue
            holds = ending.holds(parse_formula(text))
            assert holds == np.isclose(value * sign, 1), text
            found.add(holds)
    assert found == {True, False}


@pytest.mark.parametrize("seed", range(4))
def test_kets_and_names_of_propositions(seed: int) -> None:
    circuit = random_clifford(Random(seed))
    ending, state = ended(circuit), Statevector(circuit)
    for bits in product("01", repeat=QUBITS_ENDING):
        weight = abs(state.data[int("".join(reversed(bits)), 2)]) ** 2
        assert ending.holds(parse_formula(f"|{''.join(bits)}>")) == np.isclose(weight, 1)
    assert ending.holds(parse_formula("prop")) == np.isclose(abs(state.data[0]), 1)
    assert ending.holds(parse_formula("full")) and not ending.holds(parse_formula("zero"))


def test_stores_and_points() -> None:
    circuit = QuantumCircuit(1)
    circuit.add_register(ClassicalRegister(3, "c"), ClassicalRegister(1, "d"))
    circuit.x(0)
    for store in range(16):
        ending, c, d = ended(circuit, store), store % 8, store // 8
        for text, expected in {
            "c == 5": c == 5,
            "c[1]": bool(c & 2),
            "d": bool(d),
            "leaf & c <= 3 -> d": c > 3 or bool(d),
            "c + d >= 5": c + d >= 5,
        }.items():
            assert ending.holds(parse_formula(text)) == expected, (text, store)
    assert not ended(circuit, point=0).holds(parse_formula("leaf"))


@pytest.mark.parametrize("text", ["~|000>", "init", "reached"])
def test_what_is_left_to_others(text: str) -> None:
    with pytest.raises(NotSymbolic):
        ended(QuantumCircuit(QUBITS_ENDING)).holds(parse_formula(text))
