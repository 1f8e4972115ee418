"""Generated files against Qiskit's loader and simulator."""

from __future__ import annotations

import pytest
from qiskit import qasm2
from qiskit.quantum_info import Statevector

import qismc
from benchmarks.measure import load_text
from benchmarks.texts import (
    TextCase,
    kept_coins,
    many_gates,
    many_ifs,
    many_turns,
    tiny_measured,
    tiny_pair,
)
from qismc.common.choices import METHOD_OF_STORE


@pytest.mark.parametrize("seed", range(3))
def test_the_target_is_the_basis_state_that_qiskit_finds(seed: int) -> None:
    case = many_gates(200, n=6, seed=seed)
    circuit = qasm2.loads(case.text)
    assert len(circuit.data) == 200
    probabilities = Statevector(circuit).probabilities_dict()
    (digits, one) = max(probabilities.items(), key=lambda item: item[1])
    assert one == pytest.approx(1)
    assert case.props["target"] == f"span(|{digits[::-1]}>)"


def test_as_many_ifs_and_registers_as_asked_for() -> None:
    circuit = qasm2.loads(many_ifs(7).text)
    assert circuit.count_ops()["if_else"] == 7
    assert [register.size for register in circuit.cregs] == [1] * 7


@pytest.mark.parametrize(
    "case",
    [
        many_gates(100),
        many_ifs(20),
        many_turns(20),
        kept_coins(4),
        tiny_pair(),
        tiny_pair("target"),
        tiny_measured(),
        tiny_measured("target"),
    ],
    ids=lambda case: case.name,
)
def test_expected_verdicts(case: TextCase) -> None:
    program, seconds = load_text(case.text)
    assert set(seconds) == {"load", "qiskit"} if case.text.startswith("OPENQASM 2") else {"load"}
    result = qismc.check(program, case.formulas, props=case.props, method=METHOD_OF_STORE[case.store])
    assert result.verdict.value == case.expected


def test_every_combination_of_kept_coins_has_a_location() -> None:
    case = kept_coins(4)
    result = qismc.check(
        load_text(case.text)[0], case.formulas, props=case.props, method=METHOD_OF_STORE[case.store]
    )
    # the tosses, each with the gate before it, for all outcomes so far; then the ends
    assert result.locations == 2 * (2**4 - 1) + 2**4


def test_sizes_are_checked() -> None:
    with pytest.raises(ValueError, match="count is 0"):
        many_ifs(0)
