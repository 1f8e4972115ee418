"""Every test of the native core is noted, with the sizes of what was tested."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import qismc
from qismc import Model, QuantumCircuit
from qismc.engines.engine import ledger_of
from qismc.engines.exact import ExactEngine, size_of
from qismc.engines.native import NativeEngine, NativeSpan
from qismc.errors import UnluckyDraw
from qismc.language.parser import parse_formula
from qismc.numbers.rows import FieldRows
from qismc.program import read_program
from qismc.program.operators import PROJECT
from qismc.program.statements import Apply
from qismc.propositions.states import letter, zeros
from qismc.system.edges import Application


def walk() -> QuantumCircuit:
    circuit = QuantumCircuit(3, 2)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.t(1)
    circuit.mark("paired")
    circuit.measure(0, 0)
    circuit.reset(1)
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.h(0)
        circuit.measure(0, 0)
    circuit.measure(2, 1)
    return circuit


SPECS = [
    "AG (leaf -> |000> \\/ |001>)",
    "AG (paired -> |00> + |11> on q[0], q[1])",
    "AG (leaf -> stab(ZZ) on q[0], q[1])",
    "AG (leaf -> ~|111>)",
    "AG (leaf -> (stab(ZII) \\/ ~|100>))",
    "P=1 [F leaf]",
    "P>0 [G !leaf]",
]


@pytest.mark.parametrize("annotations", [{}, {"leaf": "|0> on q[1]"}], ids=["sp", "wp"])
def test_no_test_of_the_core_goes_unnoted(
    monkeypatch: pytest.MonkeyPatch, annotations: dict[str | int, str]
) -> None:
    """108 decisions were counted once where 1,415 tests ran."""
    tests: Counter[str] = Counter()

    def counted(owner: type, name: str) -> None:
        honest = getattr(owner, name)

        def call(self: Any, *args: Any) -> Any:
            ran = len(args[0]) if name == "add_all" else 1
            tests[name] += 0 if isinstance(self, NativeEngine) and not self.exact else ran
            return honest(self, *args)

        monkeypatch.setattr(owner, name, call)

    for name in ("add", "add_all", "contains", "coordinates"):
        counted(NativeSpan, name)
    for name in ("is_zero", "equal", "inner_is_zero", "complement"):
        counted(NativeEngine, name)
    counted(FieldRows, "extend")
    result = qismc.check(walk(), SPECS, annotations=annotations)
    ran = tests.total()  # reports ask for hints, and those for checks of their own
    noted = result.to_json()["stats"]["decisions"]
    inside_slices = 2  # of each part that is taken of some qubits, one zero test is noted for both
    assert set(tests) >= {"add_all", "contains", "coordinates", "is_zero", "equal", "inner_is_zero"}
    assert noted * inside_slices >= ran and noted > 100


def solved(**options: Any) -> tuple[Model, ExactEngine]:
    model = Model(walk(), **options).asking([parse_formula(spec) for spec in SPECS])
    model.solved()
    engine = model.engine
    assert isinstance(engine, ExactEngine)
    return model, engine


def test_vectors_grow_by_what_acts_on_them() -> None:
    model, engine = solved()
    sizes = [size_of(vector) for vector in model.sp("leaf").vectors]
    assert all(size.height <= 0.0 and set(size.denominator) <= {2} for size in sizes)
    assert {size.denominator.get(2, 0.0) for size in sizes} == {0.5}  # one gate h on the way
    assert ledger_of(engine) is engine.ledger


def test_a_determinant_is_as_large_as_its_rows() -> None:
    model = Model(QuantumCircuit(2))
    engine = model.engine
    assert isinstance(engine, ExactEngine)
    ring = engine.ring
    rows = [
        engine.product([(ring.rational(2), ring.rational(2 * 10**k)), (ring.rational(1), ring.rational(0))])
        for k in (0, 30)
    ]
    span, before = engine.span(), engine.ledger.bits
    assert span.add(rows[0]) and engine.ledger.bits - before == pytest.approx(1.5)
    before = engine.ledger.bits
    assert span.add(rows[1])
    assert engine.ledger.bits - before == pytest.approx(2.5 + 30 * math.log2(10))


def test_kets_are_the_products_of_their_letters() -> None:
    engine = Model(QuantumCircuit(3)).engine
    assert isinstance(engine, ExactEngine)
    ring = engine.ring
    letters = {name: letter(ring, name) for name in "01+l"} | {
        "h": (ring.rational(Fraction(1, 2)), ring.rational(Fraction(-2, 3)))
    }
    words = ["01+", "lll", "h0h", "1h+"]
    for word, found in zip(words, engine.kets(letters, words), strict=True):
        alone = engine.product([letters[name] for name in word])
        assert engine.equal(found, alone)
        assert found.nonzero == alone.nonzero == ("h" not in word)
        assert found.size.bits == pytest.approx(alone.size.bits)
        assert found.size.denominator == pytest.approx(alone.size.denominator)
    assert not engine.equal(*engine.kets(letters, ["01+", "10+"]))


def test_what_cannot_err_costs_nothing() -> None:
    """Units stay units under unitary gates, and what was kept is inside; a projector may leave nothing."""
    circuit = QuantumCircuit(2)
    circuit.h(0)
    circuit.ry(0.3, 1)
    circuit.cp(0.2, 0, 1)
    gates = [Application(*s) for s in read_program(circuit).code if isinstance(s, Apply)]
    model = Model(circuit)
    model.solved()
    engine = model.engine
    assert isinstance(engine, ExactEngine)
    turned = engine.run(engine.compile(gates), zeros(engine))
    projected = engine.run(engine.compile([Application(PROJECT[0], (0,))]), turned)
    assert turned.nonzero and not projected.nonzero
    span, ledger = engine.span(), engine.ledger
    before, decisions = ledger.bits, ledger.decisions
    assert not engine.is_zero(turned) and span.add(turned) and not span.add(turned) and span.contains(turned)
    assert ledger.bits == before and ledger.decisions == decisions + 4
    assert not engine.is_zero(projected) and ledger.bits > before  # asked once, it is known
    before = ledger.bits
    assert not engine.is_zero(projected) and ledger.bits == before
    assert span.add(projected) and ledger.bits > before


def test_a_zero_vector_is_never_taken_for_another() -> None:
    engine = Model(QuantumCircuit(1)).engine
    assert isinstance(engine, ExactEngine)
    nothing = engine.run(engine.compile([Application(PROJECT[1], (0,))]), zeros(engine))
    assert engine.is_zero(nothing) and not nothing.nonzero and not engine.span().add(nothing)


def test_parts_share_the_account() -> None:
    _, engine = solved()
    assert engine.sub((0, 1)).ledger is engine.ledger
    assert engine.sub((0, 1)) is engine.sub([0, 1])


def test_careful_engines_take_the_same_way() -> None:
    """Basis states of the other qubits instead of random ones, combinations instead of sketches."""
    model, engine = solved()
    sibling = model.sibling(7)
    sibling.solved()
    careful = sibling.engine
    assert isinstance(careful, ExactEngine) and careful.careful and careful.primes != engine.primes
    assert careful.ledger.chance == 0.0 < engine.ledger.chance
    vectors = [found.vector for found in sibling.solved().posts.at(*sibling.solved().system.node_of(3))]
    parts = careful.slices(vectors[0], (0, 1))
    plain = engine.slices(model.solved().posts.at(*model.solved().system.node_of(3))[0].vector, (0, 1))
    assert len(parts) == 1 and len(plain) == 2
    span = careful.sub((0, 1)).span()
    assert span.add(parts[0]) and not span.add(parts[0]) and span.contains(parts[0])


def test_careful_spans_do_not_believe_sketches(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model(QuantumCircuit(1))
    engine = model.sibling(3).engine
    assert isinstance(engine, ExactEngine)
    one, zero = engine.ring.rational(1), engine.ring.rational(0)
    up, down = engine.product([(one, zero)]), engine.product([(zero, one)])
    span = engine.span()
    assert span.add(up)
    row = span.coordinates(up)
    monkeypatch.setattr(NativeSpan, "coordinates", lambda *_: row)
    with pytest.raises(UnluckyDraw):
        span.contains(down)


def test_careful_spans_combine_what_takes_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """64 outcomes with two states each: at most the two of its outcome make a state."""
    engine = Model(QuantumCircuit(7)).sibling(3).engine
    assert isinstance(engine, ExactEngine) and engine.careful
    ring, combined = engine.ring, list[int]()
    letters = {name: letter(ring, name) for name in "01"} | {
        "a": (ring.rational(1), ring.rational(2)),
        "b": (ring.rational(5), ring.rational(6)),  # 2 |0> + 3 a
    }
    words = [f"{k:06b}" for k in range(64)]
    span = engine.span()
    assert all(span.add_all(engine.kets(letters, [word + last for last in "0a" for word in words])))
    honest = NativeEngine.combine

    def combine(self: NativeEngine, coefficients: list[Any], vectors: list[Any]) -> Any:
        combined.append(len(vectors))
        return honest(self, coefficients, vectors)

    monkeypatch.setattr(NativeEngine, "combine", combine)
    for k, vector in enumerate(engine.kets(letters, [word + "b" for word in words])):
        row = span.coordinates(vector)
        assert row is not None
        numbers = engine.form.numbers(row)
        expected = {k: ring.rational(2).element, 64 + k: ring.rational(3).element}
        assert numbers == [expected.get(j, ring.rational(0).element) for j in range(128)]
    assert combined == [3] * 64


def test_careful_spans_notice_a_part_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Coefficients that are zero are left out of the sum, so a wrong zero leaves a rest."""
    engine = Model(QuantumCircuit(1)).sibling(3).engine
    assert isinstance(engine, ExactEngine)
    vectors = [engine.product([letter(engine.ring, name)]) for name in "01+"]
    span = engine.span()
    assert span.add_all(vectors[:2]) == [True, True]
    row = span.coordinates(vectors[2])
    assert row is not None and row.any()
    wrong = row.copy()
    wrong[1] = 0
    monkeypatch.setattr(NativeSpan, "coordinates", lambda *_: wrong)
    with pytest.raises(UnluckyDraw):
        span.contains(vectors[2])


@pytest.mark.parametrize("careful", [False, True])
def test_blocks_do_not_make_the_account_smaller(careful: bool) -> None:
    """Blocks are those of one prime, so the largest minor of all kept vectors and the asked one counts."""
    model = Model(QuantumCircuit(7))
    engine = (model.sibling(3) if careful else model).engine
    assert isinstance(engine, ExactEngine) and engine.careful == careful
    ring = engine.ring
    letters = {name: letter(ring, name) for name in "01"} | {
        "a": (ring.rational(1), ring.rational(2)),
        "b": (ring.rational(5), ring.rational(6)),
    }
    words = [f"{k:06b}" for k in range(64)]
    span = engine.span()
    assert all(span.add_all(engine.kets(letters, [word + "a" for word in words])))
    before = engine.ledger.bits
    assert not span.contains(engine.kets(letters, [words[0] + "b"])[0])
    rows = np.kron(np.eye(64), [1, 2])
    columns = np.array([0, *range(1, 128, 2)])  # both amplitudes of the first outcome, the larger of others
    minor = np.linalg.det(np.vstack([rows, np.kron(np.eye(64)[0], [5, 6])])[:, columns])
    assert engine.ledger.bits - before >= math.log2(abs(minor)) > 60
