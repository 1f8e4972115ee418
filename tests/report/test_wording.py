"""States for people, against the states themselves."""

from __future__ import annotations

import re

import numpy as np
import pytest
from qiskit import QuantumRegister
from qiskit.quantum_info import random_statevector

import qismc
from qismc import QuantumCircuit
from qismc.evidence.execution import Execution
from qismc.report.wording import KetRegisters, registers_of


def all_terms(amplitudes: np.ndarray) -> list[tuple[str, complex]]:
    width = int(np.log2(len(amplitudes)))
    return [(format(k, f"0{width}b"), complex(a)) for k, a in enumerate(amplitudes) if abs(a) > 1e-12]


@pytest.mark.parametrize(("amplitudes", "text"), [
    ([0, 1], "|1>"),
    ([0.6, 0.8], "3/5 |0> + 4/5 |1>"),
    ([0.5, 0.5j, -0.5, 0.5], "1/2 (|00> + i |01> - |10> + |11>)"),
    ([0, 0.5**0.5, -(0.5**0.5), 0], "sqrt(1/2) (|01> - |10>)"),
])  # fmt: skip
def test_one_amplitude_is_written_once(amplitudes: list[complex], text: str) -> None:
    assert KetRegisters().text(all_terms(np.array(amplitudes))) == text


def test_random_states_have_no_common_amplitude() -> None:
    terms = all_terms(random_statevector(4, seed=3).data)
    assert "(|" not in KetRegisters().text(terms)


def test_many_equal_terms_are_counted() -> None:
    terms = [(format(k, "04b"), 0.25) for k in range(8)]
    assert KetRegisters().text(terms, 8) == "16 terms of 1/4: |0000> + |0001> + |0010> + |0011> + ..."
    unequal = [(format(k, "04b"), 0.3) for k in range(8)]
    assert KetRegisters().text(unequal, 8).endswith("+ 8 more terms")
    assert KetRegisters().text(unequal, -1).endswith("+ more terms")


def executed() -> Execution:
    data, spare, flag = QuantumRegister(2, "data"), QuantumRegister(3, "spare"), QuantumRegister(1, "flag")
    circuit = QuantumCircuit(data, spare, flag)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.x(flag)
    found = qismc.check(circuit, "AG (leaf -> |0> on flag[0])", numbers="float").counterexample
    assert found is not None
    return found


def test_registers_are_apart_and_unused_ones_hidden() -> None:
    found = executed()
    registers = registers_of(found)
    assert registers.title == "data flag; without spare"
    last = found.steps[-1]
    assert registers.text(last.terms or ()) == "sqrt(1/2) (|00 1> + |11 1>)"
    assert last.state == "sqrt(1/2)|000001> + sqrt(1/2)|110001>"  # the data themselves are as before


def test_registers_that_init_superposes_are_shown() -> None:
    data, ref = QuantumRegister(1, "data"), QuantumRegister(1, "ref")
    circuit = QuantumCircuit(data, ref)
    circuit.x(0)
    found = qismc.check(
        circuit, "AG (leaf -> |00> + |11>)", init="|00> + |11>", numbers="float"
    ).counterexample
    assert found is not None
    assert registers_of(found).hidden == ()
    assert re.fullmatch(
        r"sqrt\(1/2\) \(\|0 1> \+ \|1 0>\)", registers_of(found).text(found.steps[-1].terms or ())
    )


def test_without_a_program_letters_stand_together() -> None:
    assert registers_of(Execution("path")) == KetRegisters()


def test_many_terms_are_of_one_size_only_if_they_all_are() -> None:
    size = 2.0**-20
    shown = [(format(k, "040b"), size) for k in range(8)]
    assert KetRegisters().text(shown, (1 << 40) - 8).startswith("2^40 terms of 2^-20: |0")
    assert "terms of" not in KetRegisters().text(shown, (1 << 39) - 8)
