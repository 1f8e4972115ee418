"""Kets against Qiskit's."""

from __future__ import annotations

import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector

import qismc

LETTERS = "01+-rl"


def holding(engine: str, label: str, kets: dict[str, str]) -> set[str]:
    """The names of the kets that are the state with this label; Qiskit writes qubit 0 last."""
    state = Statevector.from_label(label[::-1])
    result = qismc.check(QuantumCircuit(len(label)), kets, init=state, numbers=engine)
    return {found.name for found in result if found}


@pytest.mark.parametrize("letter", LETTERS)
def test_letters_are_those_of_qiskit(engine: str, letter: str) -> None:
    assert holding(engine, letter, {other: f"|{other}>" for other in LETTERS}) == {letter}


def test_order_of_letters(engine: str) -> None:
    assert holding(engine, "0r-", {"right": "|0r->", "reversed": "|-r0>", "mirrored": "|0l->"}) == {"right"}


def test_sums_count_letters_with_their_lengths(engine: str) -> None:
    """|r> and |l> are (|0> +- i |1>)/sqrt(2)."""
    kets = {
        "right": "sqrt(2) |r> - |0>",
        "left": "sqrt(2) |l> - |0>",
        "long": "|r> - |0>",
        "both": "|r> - |l>",
    }
    assert holding(engine, "1", kets) == {"right", "left", "both"}
