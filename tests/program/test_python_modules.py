"""Which names of a module are circuits, without calling anything."""

from __future__ import annotations

import importlib.util
import itertools
from pathlib import Path

import pytest

from qismc import UsageError
from qismc.program.load import load
from qismc.program.python_modules import Candidates, candidates

HEAD = """
import qiskit
from pathlib import Path
from qiskit import QuantumCircuit, transpile

CALLED = []
"""
SURE = {
    "annotated": "def f() -> QuantumCircuit:\n    CALLED.append(1)\n    return make()",
    "annotated by a text": 'def f() -> "qiskit.QuantumCircuit":\n    return make()',
    "returned at once": "def f():\n    return QuantumCircuit(2)",
    "built": "def f(n=2):\n    qc = qiskit.QuantumCircuit(n)\n    qc.h(0)\n    return qc",
    "changed on the way": "def f():\n    qc = QuantumCircuit(1)\n    qc = qc.compose(qc)\n    return qc",
    "transpiled": "def f():\n    qc = QuantumCircuit(1)\n    return transpile(qc, basis_gates=['u'])",
    "a copy": "def f():\n    qc = QuantumCircuit(1)\n    return qc.copy()",
    "one that another function builds": "def f():\n    return _g()\ndef _g():\n    return QuantumCircuit(1)",
    "a global": "_made = QuantumCircuit(1)\ndef f():\n    return _made",
    "a subclass": "class _Mine(QuantumCircuit):\n    pass\ndef f():\n    return _Mine(1)",
    "a function inside": "def f():\n    def g():\n        return 3\n    return QuantumCircuit(g())",
}
NEVER = {
    "nothing returned": "def f():\n    qc = QuantumCircuit(1)\n    print(qc)",
    "an empty return": "def f():\n    CALLED.append(1)\n    return",
    "another annotation": "def f() -> int:\n    return make()",
    "a pair": "def f() -> tuple[QuantumCircuit, int]:\n    return make(), 3",
    "a number": "def f():\n    return 3",
    "a list": "def f():\n    return [QuantumCircuit(1)]",
    "another class": "def f():\n    return Path('x')",
    "arguments": "def f(n):\n    return QuantumCircuit(n)",
    "a generator": "def f():\n    yield QuantumCircuit(1)\n    return QuantumCircuit(1)",
    "private": "def _f():\n    return QuantumCircuit(1)",
    "only inside": "def f():\n    def g():\n        return QuantumCircuit(1)",
}
PERHAPS = {
    "unknown": "def f():\n    return make()",
    "by itself": "def f():\n    return f()",
    "of a list": "def f():\n    return [QuantumCircuit(1)][0]",
}
number = itertools.count()


def found(folder: Path, text: str) -> Candidates:
    file = folder / f"module{next(number)}.py"
    file.write_text(f"{HEAD}\n{text}\n")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    answer = candidates(module)
    assert not module.CALLED, "nothing is called to find out"
    return answer


@pytest.mark.parametrize("text", SURE.values(), ids=SURE)
def test_functions_that_return_circuits(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, text) == Candidates(("f",), ())


@pytest.mark.parametrize("text", NEVER.values(), ids=NEVER)
def test_functions_that_do_not(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, text) == Candidates((), ())


@pytest.mark.parametrize("text", PERHAPS.values(), ids=PERHAPS)
def test_functions_of_which_nobody_knows(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, text) == Candidates((), ("f",))


def test_circuits_come_first(tmp_path: Path) -> None:
    text = "\n".join([SURE["built"], "qc = QuantumCircuit(1)", "def g():\n    return make()"])
    assert found(tmp_path, text) == Candidates(("qc", "f"), ("g",))


def test_a_file_with_one_circuit_needs_no_name(tmp_path: Path) -> None:
    file = tmp_path / "only.py"
    file.write_text(f"{HEAD}\n{SURE['built']}\n\ndef main():\n    print(f())\n")
    assert load(file).num_qubits == 2
    file.write_text(f"{file.read_text()}\nqc = QuantumCircuit(1)\n\ndef g():\n    return make()\n")
    with pytest.raises(UsageError) as error:
        load(file)
    assert f"(as in {file}:qc; there are qc, f; perhaps g)" in str(error.value)
    file.write_text("x = 3\n")
    with pytest.raises(UsageError, match="has no circuit, nor a function that returns one"):
        load(file)
