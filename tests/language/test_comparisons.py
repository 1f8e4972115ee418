"""Sums, slices, members and counts of classical values, against Python's own arithmetic."""
# ruff: noqa: ARG005 - all meanings take the same values

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit import ClassicalRegister, QuantumRegister

import qismc
from qismc import QuantumCircuit
from qismc.language.parser import parse_formula
from qismc.language.printer import to_text


def fixed(value: int) -> QuantumCircuit:
    """Ends with c = value % 8 and d = value // 8."""
    circuit = QuantumCircuit(QuantumRegister(5, "q"), ClassicalRegister(3, "c"), ClassicalRegister(2, "d"))
    for k in range(5):
        if value >> k & 1:
            circuit.x(k)
        circuit.measure(k, k)
    return circuit


MEANINGS = {
    "c[0] + c[1] + c[2] <= 1": lambda c, d: bin(c).count("1") <= 1,
    "c == 2*d + 1": lambda c, d: c == 2 * d + 1,
    "3 < c + d": lambda c, d: c + d > 3,
    "c - d < 0": lambda c, d: c < d,
    "-c + 2*d >= -1": lambda c, d: 2 * d - c >= -1,
    "c[0:2] == 3": lambda c, d: c % 4 == 3,
    "c[1:3] != d": lambda c, d: c >> 1 != d,
    "c[:2] > d": lambda c, d: c % 4 > d,
    "c in {0, 3, 0b101}": lambda c, d: c in (0, 3, 5),
    "c + d in {2}": lambda c, d: c + d == 2,
    "c[0] xor d[0]": lambda c, d: (c ^ d) & 1 == 1,
    "c[0] xor c[1] xor c[2]": lambda c, d: bin(c).count("1") % 2 == 1,
    "at most 1 of (c[0], c[1], c[2])": lambda c, d: bin(c).count("1") <= 1,
    "at least 2 of (c[0], c[1], c[2], d[0])": lambda c, d: bin(c).count("1") + d % 2 >= 2,
    "exactly 2 of (c[0], d[0], d[1])": lambda c, d: c % 2 + bin(d).count("1") == 2,
    "at most 0 of (c == 1, d == 2)": lambda c, d: c != 1 and d != 2,
    "at least 0 of (c[0])": lambda c, d: True,
    "at least 3 of (c[0], c[1])": lambda c, d: False,
}


@pytest.mark.parametrize("store", ["graph", "levels"])
@pytest.mark.parametrize("text", MEANINGS)
def test_meanings(text: str, store: str) -> None:
    for value in (0, 5, 11, 22, 31) if store == "levels" else range(0, 32, 3):
        c, d = value % 8, value // 8
        found = qismc.check(fixed(value), f"AG (leaf -> ({text}))", method=store)
        assert bool(found) == MEANINGS[text](c, d), (c, d)


@pytest.mark.parametrize("text", MEANINGS)
def test_what_is_printed_reads_back(text: str) -> None:
    tree = parse_formula(f"EF ({text})")
    assert parse_formula(to_text(tree)) == tree


@settings(max_examples=40)
@given(
    kind=st.sampled_from(["at most", "at least", "exactly"]), number=st.integers(0, 5), size=st.integers(1, 4)
)
def test_counts_by_truth_tables(kind: str, number: int, size: int) -> None:
    tree = parse_formula(f"{kind} {number} of ({', '.join(f'x{k}' for k in range(size))})")
    for values in product((False, True), repeat=size):
        expected = {"at most": sum(values) <= number, "at least": sum(values) >= number}
        expected["exactly"] = sum(values) == number
        assert _value(tree, dict(zip((f"x{k}" for k in range(size)), values, strict=True))) == expected[kind]


def _value(tree: object, names: dict[str, bool]) -> bool:
    """The truth of a Boolean formula, by Python."""
    text = to_text(tree).replace("!", " not ").replace("&", " and ").replace("|", " or ")
    return bool(eval(text, {"true": True, "false": False, **names}))


def test_certificates_know_sums(tmp_path) -> None:
    from qismc.program import read_program
    from qismc.verifier import Accepted, verify
    from qismc.verifier.certificate import read_certificate

    path = tmp_path / "sum.json"
    circuit = fixed(11)
    qismc.check(circuit, "AG (leaf -> c[0] + c[1] + d == 3)", certificate=path)
    assert isinstance(verify(read_certificate(path), read_program(circuit)), Accepted)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("c * d == 3", "a product of two variables"),
        ("1 + 1 == 2", "a comparison of two numbers"),
        ("c + |0> == 1", "only registers"),
        ("c[2:1] == 1", "is empty"),
        ("c - c == 0", "cancels out"),
        (f"at most 8 of ({', '.join(f'c[{k}]' for k in range(30))})", "takes more than"),
    ],
)
def test_errors(text: str, complaint: str) -> None:
    with pytest.raises(qismc.SpecError, match=complaint):
        parse_formula(f"AG ({text})")


def test_no_warnings_about_what_was_not_written() -> None:
    assert qismc.check(fixed(0), "AG (leaf -> at most 1 of (c[0], c[1], c[2]))").warnings == ()


NAMED = {
    "|Phi+>": "|00> + |11>",
    "|Phi->": "|00> - |11>",
    "|Psi+>": "|01> + |10>",
    "|Ψ->": "|01> - |10>",
    "|GHZ4>": "|0000> + |1111>",
    "|W3>": "|001> + |010> + |100>",
    "|Phi+> |1>": "|001> + |111>",
    "sqrt(2) |Phi+> - |11>": "|00>",
}


@pytest.mark.parametrize("name", NAMED)
def test_named_states(name: str) -> None:
    width = NAMED[name].index(">") - 1
    circuit = QuantumCircuit(width + 1)
    qubits = f"q[0:{width}]"
    init = f"({NAMED[name]}) on {qubits}"
    assert qismc.check(circuit, f"AG (leaf -> ({name}) on {qubits})", init=init)
    assert not qismc.check(circuit, f"AG (leaf -> ({name}) on {qubits})", init=f"|{'+' * width}> on {qubits}")
