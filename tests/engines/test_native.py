"""Complex trains over many qubits: nothing may need 2^n numbers."""

from __future__ import annotations

import random
from itertools import product
from math import pi

import pytest
from qiskit import transpile
from qiskit.circuit.library import DCXGate, SwapGate, iSwapGate
from qiskit.quantum_info import Statevector

import qismc
from qismc import Model, QuantumCircuit, _core
from qismc.engines.core import TooManyOperations
from qismc.engines.exact import ExactEngine
from qismc.engines.native import NativeEngine
from qismc.errors import LimitReached
from qismc.limits import Budget, Limits
from qismc.numbers.forms import ComplexForm
from qismc.program import read_program
from qismc.program.statements import Apply
from qismc.propositions.propositions import Whole
from qismc.propositions.spanning import expand
from qismc.propositions.states import zeros
from qismc.system.edges import Application


@pytest.mark.parametrize(
    ("proposition", "holds"),
    [
        ("|0> on q[39]", False),
        ("|+0> on q[7], q[20]", True),
        ("(|00> + |11>) on q[39], q[0]", True),
        ("(|01> + |10>) on q[39], q[0]", False),
        ("|r> on q[7]", False),
    ],
)
def test_some_of_many_qubits(engine: str, proposition: str, holds: bool) -> None:
    circuit = QuantumCircuit(40)
    circuit.h(0)
    circuit.cx(0, 39)
    circuit.h(7)
    assert bool(qismc.check(circuit, f"AG (leaf -> ({proposition}))", numbers=engine)) == holds


def counting(count: int, operations: int | None = None) -> ExactEngine:
    model = Model(QuantumCircuit(count))
    made = model.engine
    assert isinstance(made, ExactEngine)
    native = NativeEngine(made.native.form, range(count), Budget(Limits()), operations=operations)
    return ExactEngine(native)


@pytest.mark.parametrize("qubits", [(0,), (1, 2), (0, 2)])
def test_disjoint_by_its_definition(qubits: tuple[int, ...]) -> None:
    exact = counting(3)
    kets = expand(exact, Whole())
    one = exact.ring.rational(1)
    sums = [(0, 3), (1, 6), (2, 7), (4, 5), (0, 6)]
    vectors = [exact.combine([one, one], [kets[a], kets[b]]) for a, b in sums]

    def seen(pair: tuple[int, int]) -> set[tuple[int, ...]]:
        return {tuple(index >> (2 - q) & 1 for q in qubits) for index in pair}

    for (a, u), (b, v) in product(zip(sums, vectors, strict=True), repeat=2):
        assert exact.disjoint(u, v, qubits) == seen(a).isdisjoint(seen(b))
    assert exact.ledger.chance > 0


def entangling(count: int) -> list[Application]:
    circuit = QuantumCircuit(count)
    for k in range(30):
        circuit.h(k % count)
        circuit.cx(k % count, (7 * k + 11) % count if (6 * k + 11) % count != 0 else (k + 1) % count)
    return [Application(*s) for s in Model(circuit).program.code if isinstance(s, Apply)]


def test_operations_are_counted_until_told_otherwise() -> None:
    gates = entangling(30)
    exact = counting(30, operations=1)
    block = exact.compile(gates * 40)
    with pytest.raises(TooManyOperations):
        exact.run(block, zeros(exact))
    exact.native.unhurried()
    exact.run(exact.compile(gates), zeros(exact))


@pytest.mark.parametrize("work", ["gates", "span"])
@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (Limits(memory_mb=1), r"the memory limit of 1 MB was reached during .*gates \(.*\d+ MB are"),
        (Limits(seconds=1e-9), "the time limit of 1e-09 s passed"),
    ],
)
def test_the_native_core_quotes_what_was_asked_for(work: str, limits: Limits, message: str) -> None:
    free = counting(12).native
    gates = entangling(12)
    vectors = [free.run(free.compile(gates[k:]), zeros(free)) for k in range(0, 60, 3)]
    bound = NativeEngine(free.form, range(12), Budget(limits))
    with pytest.raises(LimitReached, match=message):
        if work == "gates":
            bound.run(bound.compile(gates), vectors[0])
        else:
            span = bound.span()
            for vector in vectors:
                span.add(vector)


def test_rounding_of_many_gates_is_no_distance() -> None:
    """A state is as far from itself as its length is from what the overlaps say, were that computed apart."""
    circuit = QuantumCircuit(30)
    for i in range(30):
        for j in range(i):
            angle = float(f"{pi * 2.0 ** (j - i):.8g}")
            circuit.rz(angle, i)
            circuit.cx(i, j)
            circuit.rz(-angle, j)
            circuit.cx(i, j)
            circuit.rz(angle, j)
        circuit.rz(pi / 2, i)
        circuit.sx(i)
        circuit.rz(pi / 2, i)
    assert Model(circuit, numbers="float").sp("leaf").dimension == 1


@pytest.mark.parametrize("seed", range(4))
def test_gates_under_one_control_are_the_product_of_each(engine: str, seed: int) -> None:
    """Runs of controlled gates of two qubits, undone by Qiskit's decompositions of each."""
    rng, width = random.Random(seed), 26
    circuit = QuantumCircuit(width)
    circuit.h(range(0, width, 3))
    circuit.t(range(0, width, 2))
    for q in range(1, width - 1, 4):
        circuit.cx(q - 1, q)
    for _ in range(3):
        control, value = rng.randrange(width), rng.randrange(2)
        others = [q for q in range(width) if q != control]
        for k in rng.sample(range(0, width - 2, 2), 5):
            gate = rng.choice([SwapGate(), iSwapGate(), DCXGate()]).control(1, ctrl_state=value)
            circuit.append(gate, [control, *rng.sample(others[k : k + 2], 2)])
    undone = circuit.compose(transpile(circuit.inverse(), basis_gates=["h", "cx", "u"], optimization_level=0))
    zeros = f"AG (leaf -> |{'0' * width}>)"
    assert qismc.check(undone, zeros, numbers=engine, order="natural")
    undone.x(rng.randrange(width))
    assert not qismc.check(undone, zeros, numbers=engine, order="natural")


@pytest.mark.parametrize("last", range(0, 16, 3))
@pytest.mark.parametrize("seed", [1, 2])
def test_the_terms_of_a_train_are_its_amplitudes(last: int, seed: int) -> None:
    """Wherever the last gate has left its centre; Qiskit knows all amplitudes of some 200 basis states."""
    draw, count = random.Random(seed), 16
    circuit = QuantumCircuit(count)
    for _ in range(8):
        circuit.ry(draw.uniform(0.3, 1.2), draw.randrange(count))
    for _ in range(60):
        circuit.cx(*draw.sample(range(count), 2))
    circuit.cx(last, (last + 1) % count)
    circuit.t(last)
    engine = NativeEngine(ComplexForm(), range(count), Budget(Limits()))
    operators = [s for s in read_program(circuit).code if isinstance(s, Apply)]
    start = engine.product([(1, 0)] * count)
    state = engine.run(engine.compile([Application(*s) for s in operators]), start)
    every = {text[::-1]: value for text, value in Statevector(circuit).to_dict().items() if abs(value) > 1e-6}
    terms, left_out = engine.largest(state, len(every))
    assert left_out == 0 and {text for text, _ in terms} == every.keys()
    assert all(amplitude == pytest.approx(every[text], abs=1e-12) for text, amplitude in terms)
    few, _ = engine.largest(state, 1)
    assert abs(few[0][1]) <= max(map(abs, every.values())) + 1e-12


def test_terms_of_many_qubits_take_linear_effort_that_is_watched() -> None:
    work = []
    for count in (20_000, 40_000):
        engine = NativeEngine(ComplexForm(), range(count), Budget(Limits()))
        state = engine.product([(1, 1)] * 2 + [(1, 0)] * (count - 2))
        before = engine.statistics()["work"]
        terms, left_out = engine.largest(state, 4)
        assert left_out == 0
        assert [text[:2] for text, _ in terms] == ["00", "01", "10", "11"] and "1" not in terms[0][0][2:]
        work.append(engine.statistics()["work"] - before)
    assert 0 < work[0] < work[1] < 3 * work[0]
    engine._space.limits = _core.Limits(operations=1)
    with pytest.raises(LimitReached):
        engine.largest(state, 4)


def test_the_terms_of_products_are_counted() -> None:
    """A state of many tiny amplitudes is no zero: QFT of |0...0>, against its closed form."""
    circuit = QuantumCircuit(40)
    for j in range(40):
        circuit.h(j)
        for k in range(j + 1, 40):
            circuit.cp(pi / 2 ** (k - j), k, j)
    circuit.x(39)
    result = qismc.check(circuit, "AG (leaf -> |1> on q[0])")
    last = result["spec"].counterexample.steps[-1]  # type: ignore[union-attr]
    assert last.terms is not None and len(last.terms) + last.terms_left_out == 1 << 40
    assert all(abs(abs(amplitude) - 2.0**-20) < 1e-12 for _, amplitude in last.terms)
    assert "2^40 terms of 2^-20: |" in str(result)


def test_spans_of_complex_vectors_look_at_the_budget() -> None:
    """The native core does not, in inner products."""
    now = [0.0]
    budget = Budget(Limits(seconds=7), clock=lambda: now[0])
    engine = NativeEngine(ComplexForm(), range(7), budget)
    vectors = [engine.product([((1, 0), (0, 1))[bit] for bit in bits]) for bits in product((0, 1), repeat=7)]
    span = engine.span()
    assert all(span.add_all(vectors[:60])) and not any(span.add_all(vectors[:60]))
    now[0] = 8.0
    with pytest.raises(LimitReached, match="the time limit of 7 s passed during comparing states"):
        span.add_all(vectors[60:])
    assert span.dimension == 60
