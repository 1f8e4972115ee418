"""Which attempt answers which question: a table that changes only on purpose.

`python -m tests.deciders.attempts` compares all of it, `--write` writes it anew. The suite compares the rows
that take little time (`test_attempts.py`).
"""

from __future__ import annotations

import random
import runpy
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from qiskit import ClassicalRegister

import qismc
from benchmarks.measure import measure
from benchmarks.row import Bounds, Job
from benchmarks.suites import suite

ROOT = Path(__file__).parents[2]
TABLE = Path(__file__).with_name("attempts.txt")
BOUNDS = Bounds(seconds=120.0)
QUICK_SECONDS = 0.1
"""Rows that took less, when they were written, are compared by the suite."""
RANDOM_PROGRAMS = 60
FORMULAS = (
    "AF leaf",
    "AG (leaf -> |0> on q[0])",
    "EF (leaf & c == 1)",
    "AG (leaf -> c < 2)",
    "P>=1/2 [F c == 0]",
)


class Row(NamedTuple):
    """A line of the table."""

    name: str
    attempt: str
    """The store and the engine that answered."""
    quick: bool

    @property
    def text(self) -> str:
        return f"{self.name} => {self.attempt}{'' if self.quick else '  (slow)'}"


def read() -> dict[str, Row]:
    """The rows of the file, by name."""
    rows = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        text, slow, _ = line.partition("  (slow)")
        name, _, attempt = text.partition(" => ")
        rows[name] = Row(name, attempt, not slow)
    return rows


def cases() -> Iterator[tuple[str, Callable[[], str]]]:
    """Every question with a function that says which attempt answers it."""
    for name in ("qai", "dynamic", "clifford", "quantities", "frontend"):
        for job in suite(name):
            yield f"{name}: {_label(job)}", lambda job=job: _measured(job)  # type: ignore[misc]
    for file in sorted((ROOT / "examples").rglob("*.py")):
        if not file.stem.startswith("test_"):
            yield f"example: {file.stem}", lambda file=file: _example(file)  # type: ignore[misc]
    for file in sorted((ROOT / "examples").rglob("*.qasm")):
        yield f"example: {file.name}", lambda file=file: answered(qismc.check(str(file)))  # type: ignore[misc]
    for seed in range(RANDOM_PROGRAMS):
        yield f"random: {seed}", lambda seed=seed: _random(seed)  # type: ignore[misc]


def _label(job: Job) -> str:
    """The construction with all of its arguments; long numbers are cut."""
    return " ".join([job.construction, *(f"{key}={str(value)[:12]}" for key, value in job.arguments.items())])


def _measured(job: Job) -> str:
    row = measure(job, BOUNDS)
    return f"{row.store or '-'} {row.engine or '-'}"


def _example(file: Path) -> str:
    return ", ".join(
        dict.fromkeys(answered(result) for result in runpy.run_path(str(file))["run"]().values())
    )


def _random(seed: int) -> str:
    text = program(random.Random(seed))
    found = (answered(qismc.check(text, formula, seed=1)) for formula in FORMULAS)
    return ", ".join(found)


def answered(result: qismc.Result) -> str:
    """The store and the engine of a result."""
    return f"{result.statistics.store} {result.engine}"


def program(choose: random.Random) -> qismc.QuantumCircuit:
    """A dynamic program: Clifford or not, small or wide, with loops or without."""
    qubits, bits = choose.choice((2, 3, 5, 14)), choose.choice((2, 8))
    circuit = qismc.QuantumCircuit(qubits)
    circuit.add_register(ClassicalRegister(bits, "c"))
    angle = choose.choice((None, 0.3))
    for _ in range(choose.randrange(4, 14)):
        _statement(circuit, choose, angle)
    if choose.random() < 0.4:
        with circuit.while_loop((circuit.clbits[0], 1)):
            circuit.h(0)
            circuit.measure(0, 0)
    return circuit


def _statement(circuit: qismc.QuantumCircuit, choose: random.Random, angle: float | None) -> None:
    first, second = choose.sample(range(circuit.num_qubits), 2)
    bit = choose.randrange(circuit.num_clbits)
    match choose.randrange(7):
        case 0:
            circuit.h(first)
        case 1:
            circuit.cx(first, second)
        case 2 if angle is not None:
            circuit.ry(angle, first)
        case 2 | 3:
            circuit.s(first)
        case 4 | 5:
            circuit.measure(first, bit)
        case 6:
            with circuit.if_test((circuit.clbits[bit], 1)):
                circuit.x(second)


def rows() -> Iterator[Row]:
    """The rows as they are now."""
    for name, ask in cases():
        start = time.process_time()
        attempt = ask()
        yield Row(name, attempt, time.process_time() - start < QUICK_SECONDS)


def main() -> int:
    write = "--write" in sys.argv
    before = {} if write else read()
    found = []
    for row in rows():
        found.append(row)
        if not write and (row.name not in before or before[row.name].attempt != row.attempt):
            print(f"{row.name}: {before[row.name].attempt if row.name in before else 'new'} -> {row.attempt}")  # noqa: T201
    if write:
        TABLE.write_text("".join(f"{row.text}\n" for row in found), encoding="utf-8")
        return 0
    return int(any(before.get(row.name, row).attempt != row.attempt for row in found))


if __name__ == "__main__":
    sys.exit(main())
