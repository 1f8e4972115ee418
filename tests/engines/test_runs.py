"""Runs that begin alike: the same images as without a memory, and what is common runs once."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import acos, sqrt
from typing import Any

import pytest

import qismc
from qismc import Model, QuantumCircuit
from qismc.edits import Edit, Insert, gate
from qismc.engines import runs
from qismc.engines.dense import DenseEngine
from qismc.engines.engine import Engine, Vector
from qismc.engines.runs import PIECE, LongRun
from qismc.program import Program, read_program
from qismc.system.gates import Stretch

from ..all_engines import make_engine

QUBITS = 3
GATES = 4 * PIECE


@pytest.fixture(scope="module")
def program() -> Program:
    draw, circuit = random.Random(4), QuantumCircuit(QUBITS)
    for _ in range(GATES):
        a, b = draw.sample(range(QUBITS), 2)
        draw.choice([lambda a, _: circuit.h(a), lambda a, _: circuit.t(a), circuit.cx])(a, b)
    return read_program(circuit)


def with_fault(program: Program, point: int) -> Program:
    """The program with an X on qubit 1 before a point."""
    return Edit("insert-pauli", (Insert(point, gate("x", 1)),)).apply(program)


class Watched:
    """An engine that counts the gates that it runs."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.gates = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def compile(self, gates: Sequence[Any]) -> Any:
        return len(gates), self._engine.compile(gates)

    def run_all(self, block: Any, vectors: Sequence[Vector]) -> list[Vector]:
        self.gates += block[0]
        return self._engine.run_all(block[1], vectors)


def starts_of(engine: Any) -> list[Vector]:
    zero, one = engine.ring.rational(0), engine.ring.rational(1)
    words = engine.kets({"0": (one, zero), "+": (one, one)}, ["0" * QUBITS, "+0+"])
    return engine.runs.starts("some", lambda: words)


def gone(engine: Any, program: Program, starts: Sequence[Vector]) -> Sequence[Vector]:
    return LongRun(engine, Stretch(program, 0, len(program.code))).images(starts)


@pytest.mark.parametrize("point", [5, PIECE + 1, GATES - 1])
def test_what_is_common_runs_once(program: Program, engine: str, point: int) -> None:
    """An edit at a point leaves the pieces before it as they are, whichever of the two is run first."""
    faulty = with_fault(program, point)
    plain = make_engine(engine, QUBITS)
    for first, second in ((program, faulty), (faulty, program)):
        watched = Watched(make_engine(engine, QUBITS))
        starts = starts_of(watched)
        images = [gone(watched, one, starts) for one in (first, second)]
        kept = point // PIECE * PIECE
        assert GATES + GATES - kept <= watched.gates <= 2 * (GATES + 1) - kept + 4
        for one, found in zip((first, second), images, strict=True):
            block = plain.compile(Stretch(one, 0, len(one.code)))
            for start, image in zip(starts, found, strict=True):
                assert watched.equal(image, plain_run(watched, block, start))


def plain_run(engine: Any, block: Any, vector: Vector) -> Vector:
    return engine._engine.run(block, vector)


def test_the_same_program_runs_once(program: Program, engine: str) -> None:
    watched = Watched(make_engine(engine, QUBITS))
    starts = starts_of(watched)
    once, twice = (gone(watched, program, starts) for _ in range(2))
    assert watched.gates == GATES
    assert all(a is b for a, b in zip(once, twice, strict=True))


def test_other_starts_have_nothing_in_common(program: Program, engine: str) -> None:
    """Not even equal ones, unless they have a name; nor do fewer of them."""
    watched = Watched(make_engine(engine, QUBITS))
    starts = starts_of(watched)
    gone(watched, program, starts)
    others = Watched(make_engine(engine, QUBITS))
    gone(watched, program, starts_of(others))
    gone(watched, program, starts[:1])
    assert watched.gates == 3 * GATES


def test_large_vectors_are_kept_at_the_end(
    program: Program, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "KEPT_BYTES", 0)
    watched = Watched(make_engine(engine, QUBITS))
    starts = starts_of(watched)
    gone(watched, program, starts)
    gone(watched, program, starts)
    assert watched.gates == GATES
    gone(watched, with_fault(program, GATES - 1), starts)
    assert watched.gates == 2 * GATES + 1


def test_starts_are_few() -> None:
    known = runs.PastRuns()
    first = known.starts(0, lambda: [object()])
    assert known.starts(0, lambda: [object()]) is first
    assert known.named(first)
    for name in range(1, runs.KEPT_STARTS + 1):
        known.starts(name, lambda: [object()])
    assert not known.named(first)


def test_recorded_ends_of_edited_programs(program: Program, engine: str) -> None:
    """What is shared decides nothing: the edit is found, and the program itself keeps what was recorded."""
    props = {"recorded": Model(program, numbers=engine).sp("leaf")}
    assert qismc.check(program, "AG (leaf -> recorded)", props=props, numbers=engine)
    faulty = with_fault(program, GATES // 2)
    assert not qismc.check(faulty, "AG (leaf -> recorded)", props=props, numbers=engine)


def test_violations_with_unknown_angles_are_simulated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shadow, replay and verdict in floating point go along the same run; so does the record's."""
    compiled: list[int] = []
    make = DenseEngine.compile

    def counted(self: DenseEngine, gates: Sequence[Any]) -> Any:
        compiled.append(len(gates))
        return make(self, gates)

    draw, circuit = random.Random(5), QuantumCircuit(QUBITS)
    for _ in range(PIECE // 2):
        a, b = draw.sample(range(QUBITS), 2)
        turn = draw.choice([0.3, 1.0 / 7, acos(sqrt(1 / 3)) / 2])
        draw.choice([lambda a, _, t=turn: circuit.ry(t, a), circuit.cx])(a, b)
    program = read_program(circuit)
    props = {"recorded": Model(program).sp("leaf")}
    faulty = with_fault(program, PIECE // 4)
    monkeypatch.setattr(DenseEngine, "compile", counted)
    result = qismc.check(faulty, "AG (leaf -> recorded)", props=props)
    assert not result and result.engine == "exact"
    assert sorted(count for count in compiled if count > runs.WORTH) == [PIECE // 2, PIECE // 2 + 1]


def test_what_is_behind_gates(program: Program, engine: str) -> None:
    plain = make_engine(engine, QUBITS)
    for points in (3, runs.WORTH - 1, runs.WORTH, GATES):
        stretch = Stretch(program, 0, points)
        for start in starts_of(plain):
            expected = plain.run(plain.compile(list(stretch)), start)
            assert plain.equal(runs.behind(plain, stretch, start), expected)
            assert runs.behind(plain, Stretch(program, 0, 0), start) is start
