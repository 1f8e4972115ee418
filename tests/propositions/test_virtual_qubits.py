"""Formulas about the qubits of the circuit that was transpiled."""

from __future__ import annotations

import random

import pytest
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister, transpile
from qiskit.quantum_info import Statevector, partial_trace
from qiskit.transpiler import CouplingMap

import qismc
from qismc.errors import SpecError, UsageError
from qismc.program.virtual import virtual_qubits
from qismc.verdict import Verdict

LINE = CouplingMap.from_line(5)
BASIS = ["cx", "h", "s", "t", "rz", "sx", "x"]
LETTERS = {"0": [1, 0], "1": [0, 1], "+": [1, 1], "-": [1, -1]}


def drawn(rng: random.Random, names: tuple[str, str] = ("data", "rest")) -> QuantumCircuit:
    """Product states of X and Z, turned and permuted: many letters are true of single qubits."""
    circuit = QuantumCircuit(QuantumRegister(2, names[0]), QuantumRegister(2, names[1]))
    for qubit in range(4):
        for gate in rng.sample(("x", "h", "z"), 2):
            getattr(circuit, gate)(qubit)
    for _ in range(7):
        a, b = rng.sample(range(4), 2)
        rng.choice((circuit.swap, circuit.cx, circuit.cz))(a, b)
    return circuit


def compiled(circuit: QuantumCircuit, level: int, seed: int) -> QuantumCircuit:
    return transpile(
        circuit, coupling_map=LINE, basis_gates=BASIS, optimization_level=level, seed_transpiler=seed
    )


def questions(*registers: str) -> dict[str, str]:
    """Every letter of every qubit, at the end."""
    return {
        f"{name}{k}{'m' if letter == '-' else 'p' if letter == '+' else letter}": (
            f"AG (leaf -> |{letter}> on {name}[{k}])"
        )
        for name in registers
        for k in range(2)
        for letter in LETTERS
    }


def verdicts(program: QuantumCircuit, **options: object) -> list[str]:
    result = qismc.check(program, questions("data", "rest"), **options)
    return [result[name].verdict.value for name in questions("data", "rest")]


@pytest.mark.parametrize("level", range(4))
def test_the_end_is_that_of_the_original(level: int) -> None:
    rng = random.Random(level)
    routed = held = 0
    for seed in range(4):
        original = drawn(rng)
        program = compiled(original, level, seed)
        found = virtual_qubits(program, ["q"])
        assert found is not None
        routed += found.first != found.last
        expected = verdicts(original)
        held += expected.count("holds")
        assert verdicts(program) == expected
        assert expected == [_truth(original, text) for text in questions("data", "rest").values()]
    assert routed and held


def _truth(circuit: QuantumCircuit, question: str) -> str:
    """The verdict by Qiskit's own simulation: the probability of the letter is 1."""
    letter, target = question[question.index("|") + 1], question[:-1].rpartition(" on ")[2]
    qubit = (0 if target.startswith("data") else 2) + int(target[-2])
    others = [q for q in range(4) if q != qubit]
    state = partial_trace(Statevector(circuit), others)
    ket = Statevector(LETTERS[letter])
    chance = state.expectation_value((ket / ket.data.dot(ket.data) ** 0.5).to_operator()).real
    return "holds" if chance > 1 - 1e-9 else "violated"


@pytest.mark.parametrize("level", range(4))
def test_starts_are_at_the_first_places(level: int) -> None:
    rng = random.Random(10 + level)
    for seed in range(3):
        original = drawn(rng)
        program = compiled(original, level, seed)
        for init in ("|+> on data[1]", "(|-> on rest[0]) /\\ (full on data[0])"):
            assert verdicts(program, init=init) == verdicts(original, init=init)


def test_every_input_arrives() -> None:
    original = QuantumCircuit(QuantumRegister(3, "data"), QuantumRegister(1, "rest"))
    for a, b in ((0, 1), (0, 2), (0, 3), (1, 3), (0, 3), (1, 3), (0, 2), (0, 1)):
        original.cz(a, b)
        original.cx(a, b)
    kept = "AG (leaf -> (|00> + |11>) on data[0], ref)"
    expected = bool(qismc.check(original, kept, init="any on data[0]"))
    for level in range(4):
        assert bool(qismc.check(compiled(original, level, 1), kept, init="any on data[0]")) == expected


def test_measured_programs_and_propositions() -> None:
    original = drawn(random.Random(3))
    original.add_register(ClassicalRegister(1, "c"))
    original.h(0)
    original.measure(0, 0)
    spec = {"one": "AG (leaf & c == 1 -> up)", "all": "AG (leaf -> up)", "some": "EF (up & leaf)"}
    props = {"up": "|1> on data[0]"}
    before = qismc.check(original, spec, props=props)
    for level in range(4):
        after = qismc.check(compiled(original, level, 2), spec, props=props)
        assert [r.verdict for r in after] == [r.verdict for r in before]
    assert before["one"] and not before["all"] and before["some"]


def test_expectation_values_and_equivalence() -> None:
    original = drawn(random.Random(5))
    program = compiled(original, 2, 0)
    for text in ("Z on data[0]", "XX on data[1], rest[0]"):
        expected = qismc.Model(original).expectation(text)
        assert qismc.Model(program).expectation(text) == pytest.approx(expected, abs=1e-9)
    with pytest.raises(SpecError, match="routing moves"):
        qismc.Model(program).expectation("Z on data[0]", at="init")
    assert qismc.equivalent(program, original, on="data, rest")


@pytest.fixture(scope="module")
def routed() -> QuantumCircuit:
    return compiled(drawn(random.Random(5)), 1, 0)


@pytest.mark.parametrize(
    "formula",
    [
        "AG |0> on data[0]",
        "AF |0> on data[0]",
        "init -> |0> on data[0]",
        "AG (leaf | |0> on data[0])",
        "AG (!leaf -> |0> on data[0])",
        "AG (leaf xor |0> on data[0])",
        "leaf -> EF |0> on data[0]",
        "AG up",
        "AG (leaf -> sp(init) on data)",
        "AG (leaf -> kept on data)",
        "P=1 [F |0> on data[0]]",
    ],
)
def test_elsewhere_no_place_is_known(routed: QuantumCircuit, formula: str) -> None:
    with pytest.raises(SpecError, match="routing moves 'data"):
        qismc.check(routed, formula, props={"up": "~(|0> on data[0])", "kept": "sp(init)"})


@pytest.mark.parametrize(
    "formula",
    [
        "AG (!leaf | |0> on data[0])",
        "AG (leaf & true -> !(|0> on data[0]) & up)",
        "P>0 [F (leaf & |0> on data[0])]",
        "AG !(leaf & up)",
        "AG (leaf -> sp(leaf) on data)",
        "AG (sp(init) | leaf)",
    ],
)
def test_at_the_end_places_are_known(routed: QuantumCircuit, formula: str) -> None:
    qismc.check(routed, formula, props={"up": "~(|0> on data[0])"})


def test_annotations_need_the_end(routed: QuantumCircuit) -> None:
    qismc.Model(routed, annotations={"leaf": "|0> on data[0]"})
    with pytest.raises(SpecError, match="routing moves"):
        qismc.Model(routed, annotations={"init": "|0> on data[0]"})


def test_without_routing_names_work_everywhere() -> None:
    original = QuantumCircuit(QuantumRegister(2, "data"))
    original.h(1)
    program = compiled(original, 1, 0)
    assert qismc.check(program, "AG |0> on data[0] & EF (|+> on data[1]) & AG (init -> |0> on data[1])")


def test_what_is_moved_and_moved_back_has_no_place_in_between() -> None:
    """At levels 2 and 3 swaps become names: start and end agree, the mark between them does not."""
    original = QuantumCircuit(QuantumRegister(2, "data"))
    original.x(0)
    original.swap(0, 1)
    original.barrier(label="between")
    original.swap(0, 1)
    known = 0
    for level in range(4):
        program = compiled(original, level, 1)
        assert qismc.check(program, "AG (leaf -> |10> on data)")
        try:
            assert qismc.check(program, "AG (between -> |01> on data)")
            known += 1
        except SpecError as error:
            assert "routing moves" in str(error)
    assert known
    named = transpile(original, basis_gates=BASIS, optimization_level=2)
    if named.layout is not None:  # swaps became names, and the registers are still there
        assert any("virtual_data" in w for w in qismc.check(named, "AG (between -> |01> on data)").warnings)


@pytest.mark.parametrize("level", range(4))
def test_branches_and_loops(level: int) -> None:
    original = drawn(random.Random(level))
    original.add_register(ClassicalRegister(1, "c"))
    original.h(0)
    original.measure(0, 0)
    with original.while_loop((original.clbits[0], 1)):
        original.h(0)
        original.cx(0, 3)
        original.cx(1, 2)
        original.measure(0, 0)
    with original.if_test((original.clbits[0], 0)):
        original.cx(1, 3)
        original.swap(0, 2)
    program = transpile(
        original,
        coupling_map=LINE,
        basis_gates=[*BASIS, "if_else", "while_loop"],
        optimization_level=level,
        seed_transpiler=level,
    )
    assert verdicts(program) == verdicts(original)


def test_clashing_names_are_physical_and_warned_of() -> None:
    original = drawn(random.Random(5), ("q", "rest"))
    program = transpile(
        original, coupling_map=LINE, basis_gates=BASIS, optimization_level=0, seed_transpiler=0
    )
    found = virtual_qubits(program, ["q"])
    assert found is not None
    moved = next(k for k in range(2) if found.last["virtual_q"][k] != k)
    own = qismc.check(program, f"AG (leaf -> !(|r> on q[{moved}]))")
    assert any(f"'virtual_q[{moved}]'" in warning for warning in own.warnings)
    strict = qismc.check(program, f"AG (leaf -> !(|r> on q[{moved}]))", strict=True)
    assert strict.verdict is Verdict.UNKNOWN and f"'physical_q[{moved}]'" in strict.reason
    said = qismc.check(program, f"AG (leaf -> !(|r> on physical_q[{moved}]))", strict=True)
    assert said.verdict is Verdict.HOLDS and not said.warnings
    for letter in LETTERS:
        before = qismc.check(original, f"AG (leaf -> |{letter}> on q[{moved}])")
        after = qismc.check(program, f"AG (leaf -> |{letter}> on virtual_q[{moved}])")
        assert before.verdict == after.verdict
        assert not any("transpiled" in warning for warning in after.warnings)


def test_unknown_names_are_still_unknown(routed: QuantumCircuit) -> None:
    with pytest.raises(SpecError, match="did you mean 'data'"):
        qismc.check(routed, "AG (leaf -> |0> on dta[0])")
    with pytest.raises(SpecError, match="out of range"):
        qismc.check(routed, "AG (leaf -> |0> on data[7])")


def test_certificates_refuse_them(routed: QuantumCircuit, tmp_path: object) -> None:
    with pytest.raises(UsageError, match="physical"):
        qismc.check(routed, "AG (leaf -> |0> on data[0])", certificate=f"{tmp_path}/c.json")
