"""What every engine does with vectors, compared with matrices of NumPy."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import qismc
from qismc import QuantumCircuit, Verdict
from qismc.engines.dense import DenseEngine
from qismc.model import choice
from qismc.program.operators import PROJECT, single
from qismc.propositions.states import zeros
from qismc.system.edges import Application

from ..all_engines import make_engine

H = np.array([[1, 1], [1, -1]]) / np.sqrt(2)
X = np.array([[0, 1], [1, 0]])
ZERO, ONE = np.diag([1, 0]), np.diag([0, 1])
GATES = {"h": H, "x": X}
STARTS = [(), ("x",), ("h",), ("x", "h")]


@pytest.mark.parametrize("prefix", [None, "h", "x"])
def test_forks_are_images_that_are_not_zero(engine: str, prefix: str | None) -> None:
    arena = make_engine(engine, 1)
    gates = {name: Application(single(name, 1), (0,)) for name in GATES}
    vectors = [arena.run(arena.compile([gates[name] for name in start]), zeros(arena)) for start in STARTS]
    blocks = [arena.compile([Application(p, (0,))]) for p in PROJECT] + [arena.compile([gates["x"]])]
    first = None if prefix is None else arena.compile([gates[prefix]])
    forked = arena.fork(first, blocks, vectors)
    before = np.eye(2) if prefix is None else GATES[prefix]
    for (row, matrix), (j, start) in product(zip(forked, (ZERO, ONE, X), strict=True), enumerate(STARTS)):
        state = np.array([1.0, 0.0])
        for name in start:
            state = GATES[name] @ state
        image = matrix @ before @ state
        assert (row[j] is None) == bool(np.allclose(image, 0))
        if row[j] is not None:
            amplitudes = arena.amplitudes(image.astype(complex))
            assert arena.aligned(row[j], amplitudes)
        alone = arena.fork(first, blocks, [vectors[j]])
        assert [r[0] is None for r in alone] == [r[j] is None for r in forked]


def test_multiples_are_aligned_and_nothing_else(engine: str) -> None:
    arena = make_engine(engine, 2)
    rational = arena.ring.rational
    digits = (rational(1), rational(0)), (rational(0), rational(1))
    kets = [arena.product(pair) for pair in product(digits, repeat=2)]
    rng = np.random.default_rng(5)
    answers = set()
    for _ in range(40):
        rows = rng.integers(0, 2, (2, 4))
        if rows.any(axis=1).all():
            left, right = (arena.combine([rational(int(x)) for x in row], kets) for row in rows)
            answers.add(arena.aligned(left, right))
            assert arena.aligned(left, right) == (np.linalg.matrix_rank(rows) == 1)
            assert arena.aligned(left, arena.combine([rational(-3)], [left]))
    assert answers == {False, True}


class Wrapped:
    """Another engine in one file: none of the known classes, with arrays inside."""

    def __init__(self, task: choice.EngineTask) -> None:
        self._inside = DenseEngine(task.program.num_qubits, task.budget, task.tolerance)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inside, name)

    @property
    def numeric(self) -> Wrapped:
        return self


def test_an_engine_is_a_class_and_a_line_of_the_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(choice.ENGINES, "float", Wrapped)
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.measure(0, 0)
    formulas = {
        "bell": "AG (leaf -> (|00> \\/ |11>))",
        "one": "AG (leaf -> |11>)",
        "half": "P>=1/3 [F (leaf & c == 1)]",
    }
    found = qismc.check(circuit, formulas, numbers="float")
    verdicts = [found[name].verdict for name in formulas]
    assert verdicts == [Verdict.HOLDS, Verdict.VIOLATED, Verdict.HOLDS]
    assert "state" in str(found)


def test_nobody_asks_which_class_an_engine_has() -> None:
    sources = Path(qismc.__file__).parent
    asking = re.compile(r"isinstance\([^)]*\w+Engine\b")
    files = [f for f in sources.rglob("*.py") if f.parent.name != "engines"]
    assert not [f for f in files if asking.search(f.read_text(encoding="utf-8"))]
