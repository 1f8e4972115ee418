"""Angles that depend on each other in ways that no linear relation shows: floating point decides."""

from __future__ import annotations

import math
import random

import pytest
from qiskit import QuantumCircuit, QuantumRegister, transpile
from qiskit.circuit.library import UGate
from qiskit.quantum_info import Operator, Statevector
from qiskit.synthesis import OneQubitEulerDecomposer

import qismc
from qismc import Model, Verdict
from qismc.limits import Budget, Limits

FLOAT = "decided in floating point"


def undone() -> QuantumCircuit:
    """Two rotations and their inverse as one gate, whose angles are no sums of theirs; then a measurement."""
    rotations = QuantumCircuit(1, 1)
    rotations.rx(0.3, 0)
    rotations.ry(0.4, 0)
    merged = OneQubitEulerDecomposer("U")(Operator(rotations.copy()))
    rotations.compose(merged.inverse(), [0], inplace=True)
    rotations.measure(0, 0)
    return rotations


@pytest.mark.parametrize(
    ("formula", "truth"),
    [
        ("EF c == 1", False),
        ("AG (leaf -> c == 0)", True),
        ("AF (leaf & c == 0)", True),
        ("P>0 [F c == 1]", False),
        ("P=1 [F (leaf & c == 0)]", True),
        ("EF (leaf & |0>)", True),
        ("AG !(c == 1 & reached)", True),
    ],
)
def test_impossible_outcomes_stay_impossible(formula: str, truth: bool) -> None:
    result = qismc.check(undone(), formula)
    assert result.verdict is (Verdict.HOLDS if truth else Verdict.VIOLATED)
    assert result.engine == "float" and any(FLOAT in note for note in result.notes)


def test_the_exact_engine_by_name_does_not_guess() -> None:
    result = qismc.check(undone(), "EF c == 1", numbers="exact")
    assert result.verdict is Verdict.UNKNOWN and (result.reason or "").startswith("numeric")


@pytest.mark.parametrize("level", range(4))
@pytest.mark.parametrize("basis", [["u", "cx"], ["rz", "sx", "x", "cx"], ["rx", "ry", "rz", "cz"]])
def test_transpiled_circuits_prepare_the_same_state(level: int, basis: list[str]) -> None:
    circuit = QuantumCircuit(3)
    for k, angle in enumerate((0.3, 1.25, 0.7)):
        circuit.rx(angle, k)
        circuit.ry(angle / 2, k)
    circuit.cx(0, 1)
    circuit.crz(0.4, 1, 2)
    circuit.h(2)
    other = transpile(circuit, basis_gates=basis, optimization_level=level, seed_transpiler=7)
    assert Statevector(other).equiv(Statevector(circuit))
    assert qismc.check(other, "AG (leaf -> same)", props={"same": circuit})
    other.ry(1e-3, 0)
    assert qismc.check(other, "AG (leaf -> same)", props={"same": circuit}).verdict is Verdict.VIOLATED


def test_a_recorded_subspace_of_such_a_program_is_what_it_does() -> None:
    """The outcome 1 of `undone` is impossible, so that its sp accepts |0> and nothing else."""
    space = Model(undone()).sp("leaf")
    assert space.dimension == 1
    flip = QuantumCircuit(1)
    flip.x(0)
    assert qismc.check(QuantumCircuit(1), "AG (leaf -> P)", props={"P": space})
    assert qismc.check(flip, "AG (leaf -> P)", props={"P": space}).verdict is Verdict.VIOLATED


def test_the_system_of_such_a_program_has_its_real_edges() -> None:
    stores = {location.store for location in Model(undone()).locations}
    assert stores == {0}


def test_what_holds_for_all_angles_says_so() -> None:
    circuit = QuantumCircuit(1)
    circuit.ry(0.7, 0)
    circuit.ry(-0.7, 0)
    result = qismc.check(circuit, {"back": "AG (leaf -> |0>)", "some": "EF (leaf & |0>)"})
    assert result and result.engine == "exact"
    assert result.notes == ("back holds for all values of its angles, related ones kept in relation",)


@pytest.mark.parametrize("angle", [1e-9, 3e-8, 1e-4])
def test_tiny_decimals_are_not_zero(angle: float) -> None:
    """A decimal as written is no multiple of pi but 0, however small it is."""
    circuit = QuantumCircuit(1)
    circuit.ry(angle, 0)
    result = qismc.check(circuit, {"same": "AG (leaf -> |0>)", "moved": "AG (leaf -> !|0>)"})
    assert [r.verdict for r in result.results] == [Verdict.VIOLATED, Verdict.HOLDS]
    assert result.engine == "exact"


def test_unknown_names_the_rounded_angle_and_only_those() -> None:
    rounded = QuantumCircuit(1)
    rounded.ry(1.5707963, 0)
    reason = qismc.check(rounded, "AG (leaf -> |+>)").reason or ""
    assert "ry(1.5707963)" in reason and "1/2 pi" in reason
    near = QuantumCircuit(1)
    near.ry(0.71234567, 0)
    near.ry(-0.71234564, 0)
    assert qismc.check(near, "AG (leaf -> |0>)").verdict is Verdict.VIOLATED
    near.rx(0.7123456789012345, 0)
    near.rx(-0.7123456789012345, 0)
    reason = qismc.check(near, "AG (leaf -> |0>)").reason or ""
    assert reason.startswith("numeric") and "is near" not in reason


def test_generic_angles_that_cannot_be_confirmed_are_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    circuit = QuantumCircuit(1)
    circuit.rx(0.7123456789012345, 0)
    monkeypatch.setattr("qismc.model.model.ReplayBudget", lambda _: Budget(Limits(seconds=1e-9)))
    result = qismc.check(circuit, "AG (leaf -> |0>)")
    assert result.verdict is Verdict.UNKNOWN and "could not be confirmed" in (result.reason or "")


def test_a_chance_hit_of_recognition_is_noticed() -> None:
    """cos^2 t is within 1e-10 of a fraction, its image under h is not: no wrong VIOLATED."""
    t = 1.33670692684291
    circuit = QuantumCircuit(1)
    circuit.initialize([math.cos(t), math.sin(t)], 0)
    circuit.h(0)
    state = Statevector([math.cos(t), math.sin(t)]).evolve(Operator.from_label("H"))
    assert qismc.check(circuit, "AG (leaf -> same)", props={"same": state})


def test_merged_gates_in_loops() -> None:
    """A loop that can never end, because its body is the identity in disguise."""
    body = undone().remove_final_measurements(inplace=False)
    circuit = QuantumCircuit(1, 1)
    with circuit.while_loop((circuit.clbits[0], 0)):
        for instruction in body.data:
            circuit.append(instruction.operation, [0])
        circuit.measure(0, 0)
    result = qismc.check(circuit, {"ends": "P=1 [F leaf]", "may": "EF leaf", "possible": "P>0 [F leaf]"})
    assert [r.verdict for r in result.results] == [Verdict.VIOLATED] * 3
    assert isinstance(body.data[-1].operation, UGate)


# --- subspaces whose dimension depends on angles -----------------------------------------------------------


def line() -> QuantumCircuit:
    """|0>, made with angles that depend on each other in a way that no linear relation shows."""
    return undone().remove_final_measurements(inplace=False)


def verdicts_about(circuit: QuantumCircuit, formula: str, **options: object) -> Verdict:
    """Both engines agree."""
    found = [qismc.check(circuit, formula, numbers=engine, **options) for engine in ("auto", "float")]
    assert found[0].verdict is found[1].verdict
    return found[0].verdict


PLUS = QuantumCircuit(1)
PLUS.h(0)


@pytest.mark.parametrize("wanted", ["|0> \\/ P", "~(~|0> /\\ ~P)", "span(P, |0>)", "Both"])
def test_a_join_that_is_a_line_for_the_angles_of_the_program(wanted: str) -> None:
    """For generic angles it is everything, so that |+> would be inside, "for all values of the angles"."""
    props = {"P": line(), "Both": ["|0>", line()]}
    assert verdicts_about(PLUS, f"AG (leaf -> {wanted})", props=props) is Verdict.VIOLATED
    assert verdicts_about(PLUS, f"AG (leaf -> !({wanted}))", props=props) is Verdict.HOLDS
    plain = {"init": "full", "props": props}  # the execution that is shown is real, what it shows is not
    assert verdicts_about(QuantumCircuit(1), f"AG (leaf -> !({wanted}))", **plain) is Verdict.HOLDS


def test_sp_that_has_fewer_dimensions_for_the_angles_of_the_program() -> None:
    circuit = qismc.QuantumCircuit(1, 1)
    circuit.compose(undone(), [0], [0], inplace=True)
    circuit.mark("m")
    circuit.h(0)
    result = qismc.check(circuit, "AG (leaf -> sp(m))")
    assert result.verdict is Verdict.VIOLATED and result.engine == "float"
    assert result.soundness is None  # no bound of a prime for what floating point decided


def test_a_start_that_is_zero_for_generic_angles() -> None:
    options = {"init": "~|0> /\\ ~P", "props": {"P": line()}}
    assert verdicts_about(PLUS, "AG (leaf -> |->)", **options) is Verdict.HOLDS
    assert verdicts_about(PLUS, "AG (leaf -> |+>)", **options) is Verdict.VIOLATED


def test_a_start_that_is_larger_for_the_angles_of_the_program() -> None:
    two, meant = QuantumCircuit(2), QuantumCircuit(2)
    meant.compose(line(), [0], inplace=True)
    options = {"init": "(P \\/ |11>) /\\ (|00> \\/ |11>)", "props": {"P": meant}}
    assert verdicts_about(two, "AG (leaf -> |11>)", **options) is Verdict.VIOLATED
    assert Model(two, **options).sp("leaf").dimension == 2


def test_wp_is_that_of_the_angles_of_the_program() -> None:
    circuit = qismc.QuantumCircuit(1)
    circuit.mark("a")
    circuit.compose(line(), [0], inplace=True)
    for formula in ("AG (a -> |0>)", "init -> |0>", "EF (a & |0>)"):
        assert verdicts_about(circuit, formula, annotations={"leaf": "|0>"}) is Verdict.HOLDS


def slightly_turned(count: int, measured: bool = False) -> QuantumCircuit:
    """|1…1> has an amplitude that is small and not zero; the angles are no decimals and independent."""
    circuit = QuantumCircuit(count, count)
    for k in range(count):
        circuit.ry(random.Random(k).uniform(0.1, 0.4), k)
        if k:
            circuit.cp(random.Random(-k).uniform(0.1, 0.4), k - 1, k)
    if measured:
        circuit.measure(range(count), range(count))
    return circuit


@pytest.mark.parametrize("count", [6, 10, 14, 30])
def test_what_is_tiny_is_not_taken_for_zero(count: int) -> None:
    """Six qubits are seen; of more, floating point sees nothing, and must not say that there is nothing."""
    ones, zeros = "1" * count, "0" * count
    specs = {"never": f"AG (leaf -> ~|{ones}>)", "ends": "AF leaf", "zeros": f"AG (leaf -> |{zeros}>)"}
    result = qismc.check(slightly_turned(count), specs)
    assert result["never"].verdict is (Verdict.VIOLATED if count == 6 else Verdict.UNKNOWN)
    assert count == 6 or "zero or tiny" in (result["never"].reason or "")
    assert result["ends"] and result["zeros"].verdict is Verdict.VIOLATED
    assert result.engine == "exact" and not any("depend on each other" in note for note in result.notes)


@pytest.mark.parametrize("store", ["graph", "levels"])
def test_unlikely_outcomes_are_not_taken_for_impossible(store: str) -> None:
    circuit = slightly_turned(8, measured=True)
    for formula in ("EF (leaf & c == 255)", "!AG (leaf -> c != 255)"):
        assert qismc.check(circuit, formula, method=store).verdict is not Verdict.VIOLATED  # type: ignore[arg-type]


@pytest.mark.parametrize("qubits", [1, 14])
@pytest.mark.parametrize(
    ("apart", "verdict"), [(1e-8, Verdict.UNKNOWN), (1e-10, Verdict.UNKNOWN), (1e-15, Verdict.HOLDS)]
)
def test_angles_that_nearly_depend_on_each_other(qubits: int, apart: float, verdict: Verdict) -> None:
    """What is larger than rounding is not taken for it."""
    angle = random.Random(7).uniform(0.5, 1.5)
    circuit = QuantumCircuit(qubits)
    circuit.ry(angle, 0)
    circuit.ry(-(angle + apart), 0)
    zeros, one = "0" * qubits, "1" + "0" * (qubits - 1)
    formulas = {
        "inside": f"|{zeros}>",
        "apart": f"~|{one}>",
        "here": "|0> on q[0]",
        "not here": "~|1> on q[0]",
    }
    result = qismc.check(circuit, {name: f"AG (leaf -> {states})" for name, states in formulas.items()})
    assert {one.verdict for one in result} == {verdict}


def test_what_relations_make_zero_is_told_from_what_is_tiny() -> None:
    """Both in one check: the one is decided in floating point, the other by nobody."""
    turns = QuantumCircuit(1)
    turns.rx(0.3, 0)
    turns.ry(0.4, 0)
    merged = transpile(turns, basis_gates=["u"], optimization_level=1)
    circuit = slightly_turned(12)
    circuit.add_register(extra := QuantumRegister(1, "extra"))
    circuit.compose(merged, extra, inplace=True)
    circuit.compose(turns.inverse(), extra, inplace=True)
    specs = {"back": "AG (leaf -> |0> on extra[0])", "never": f"AG (leaf -> ~|{'1' * 12}> on q)"}
    for chosen in (specs, dict(reversed(specs.items()))):
        result = qismc.check(circuit, chosen)
        assert result["back"] and result["never"].verdict is Verdict.UNKNOWN


@pytest.mark.parametrize(
    "formula", ["EF c == 1", "P>0 [F c == 1]", "!P=1 [G c == 0]", "P>0 [F c == 1] & P<=1/2 [F c == 1]"]
)
def test_a_turn_that_is_too_small_is_none_that_cannot_be(formula: str) -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.ry(random.Random(1).random() * 1e-10, 0)
    circuit.measure(0, 0)
    assert qismc.check(circuit, formula).verdict is not Verdict.VIOLATED


@pytest.mark.parametrize("formula", ["P=1 [G (c == 0 xor leaf)]", "AG (c == 0 xor leaf)"])
def test_what_is_shown_is_an_execution(formula: str) -> None:
    """The verdict is the same for generic angles, for which other outcomes are possible."""
    result = qismc.check(undone(), formula)
    shown = result.counterexample
    assert result.verdict is Verdict.VIOLATED and shown is not None and shown.replayed
    assert [step.outcome for step in shown.steps if step.outcome is not None] == [0]


def w_state(size: int, wrong: int | None = None) -> QuantumCircuit:
    """Angles with more different square roots than a field has; perhaps one of them is another angle."""
    circuit = QuantumCircuit(size)
    circuit.x(0)
    for k in range(size - 1):
        circuit.cry(2 * math.acos(math.sqrt(1 / (size - k))) + (0.1 if k == wrong else 0), k, k + 1)
        circuit.cx(k + 1, k)
    return circuit


@pytest.mark.parametrize(("wrong", "verdict"), [(None, Verdict.HOLDS), (40, Verdict.VIOLATED)])
def test_more_square_roots_than_a_field_has(wrong: int | None, verdict: Verdict) -> None:
    kets = " + ".join("|" + "0" * k + "1" + "0" * (89 - k) + ">" for k in range(90))
    result = qismc.check(w_state(90, wrong), "AG (leaf -> w)", props={"w": kets})
    assert result.verdict is verdict
    assert verdict is Verdict.VIOLATED or FLOAT in result.notes[0]
