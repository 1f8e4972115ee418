"""Modules, gates and files that do anything but behave: an error of ours, with a place where there is one."""

from __future__ import annotations

import errno
import importlib.util
import io
import itertools
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from qiskit import QuantumCircuit, qpy
from qiskit.circuit.classical import expr
from qiskit.quantum_info import Statevector

import qismc
from qismc.cli import main
from qismc.errors import ProgramError, QismcError, UnsupportedError, UsageError
from qismc.program import read_program
from qismc.program.foreign import Candidates, candidates, is_circuit, is_statevector
from qismc.program.load import load

from ..fuzz.targets import accepts


def test_objects_of_qiskit_are_recognised() -> None:
    assert is_circuit(QuantumCircuit(1)) and is_circuit(qismc.QuantumCircuit(1))
    assert is_statevector(Statevector([1, 0]))
    assert not is_circuit("q.qasm") and not is_statevector([1, 0])


def test_a_file_is_checked_without_qiskit(tmp_path: Path) -> None:
    (tmp_path / "bell.qasm").write_text(
        'OPENQASM 2.0; include "qelib1.inc"; qreg q[2]; h q[0]; cx q[0], q[1];'
    )
    script = (
        "import sys, qismc\n"
        "assert qismc.check('bell.qasm', 'AG (leaf -> |00> + |11>)')\n"
        "assert not qismc.check('bell.qasm', 'AG (leaf -> |00>)')\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('qiskit', 'scipy')])\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]"


GATES = """
from qiskit import QuantumCircuit
from qiskit.circuit import Gate, Instruction

class {name}({base}):
    def __init__(self):
        super().__init__("g", 1, {rest})
{body}

def c():
    circuit = QuantumCircuit(1)
    circuit.append({name}(), [0])
    return circuit
"""
HOSTILE = {
    "definition": ("Gate", "[]", "    def _define(self):\n        raise RuntimeError('none')"),
    "number": ("Gate", "[]", "    def _define(self):\n        self.definition = 5"),
    "exit": ("Gate", "[]", "    def _define(self):\n        raise SystemExit(0)"),
    "instruction": ("Instruction", "0, []", "    def _define(self):\n        raise ZeroDivisionError"),
    "array": ("Gate", "[]", "    def __array__(self, *args, **more):\n        raise KeyError('array')"),
    "silent": (
        "Gate",
        "[]",
        "    def _define(self):\n        class Mute(Exception):\n            def __str__(self):\n"
        "                raise ValueError\n        raise Mute",
    ),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_gates(kind: str, tmp_path: Path) -> None:
    base, rest, body = HOSTILE[kind]
    (tmp_path / "gates.py").write_text(GATES.format(name="G", base=base, rest=rest, body=body))
    with pytest.raises(ProgramError, match=r"the instruction cannot be read|gives no matrix") as caught:
        read_program(f"{tmp_path}/gates.py:c")
    assert caught.value.source is not None and caught.value.source.line == 12 + body.count("\n")


MODULES = {
    "getattr": "def __getattr__(name):\n    raise RuntimeError('no')\n",
    "class": (
        "class Odd:\n    @property\n    def __class__(self):\n        raise RuntimeError('no')\n"
        "    def __call__(self):\n        return Odd()\n"
        "c = Odd()\n"
    ),
    "signature": "def c():\n    return 1\nc.__signature__ = 5\n",
    "property": (
        "from qiskit import QuantumCircuit\nclass Odd(QuantumCircuit):\n    @property\n"
        "    def ancillas(self):\n        raise SystemExit(0)\ndef c():\n    return Odd(1)\n"
    ),
    "path": "import sys\nsys.path = []\ndef c():\n    raise BaseException('all')\n",
}


@pytest.mark.parametrize("kind", MODULES)
@pytest.mark.parametrize("name", ["", ":c", ":missing"])
def test_modules(kind: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.path", ["before"])
    (tmp_path / "odd.py").write_text(MODULES[kind])
    with pytest.raises(QismcError):
        read_program(f"{tmp_path}/odd.py{name}")


@pytest.fixture(scope="module")
def bell() -> bytes:
    circuit = QuantumCircuit(2, 2, name="bell")
    circuit.h(0)
    circuit.rx(0.25, 1)
    circuit.measure([0, 1], [0, 1])
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(1)
    stream = io.BytesIO()
    qpy.dump(circuit, stream)
    return stream.getvalue()


def test_damaged_qpy(bell: bytes) -> None:
    """One byte after the other, then two at once; Qiskit's reader fails in many ways, and panics."""
    rng = random.Random(3)
    refused = 0
    for _ in range(60):
        damaged = bytearray(bell)
        for _ in range(rng.choice((1, 2))):
            damaged[rng.randrange(len(bell))] = rng.randrange(256)
        refused += not accepts("qpy", bytes(damaged))
    assert refused > 10


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")


@needs_fork
def test_sizes_that_end_qiskits_reader(bell: bytes, tmp_path: Path) -> None:
    """4278190082 qubits: the reader aborts its process, which is not this one."""
    (tmp_path / "large.qpy").write_bytes(bell[:34] + b"\xff" + bell[35:])
    with pytest.raises(ProgramError, match=r"large\.qpy' is not a readable QPY file"):
        read_program(tmp_path / "large.qpy")


@needs_fork
def test_the_address_space_of_this_process_stays(
    bell: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import resource

    seen, before, load = [], resource.getrlimit(resource.RLIMIT_AS), qpy.load
    monkeypatch.setattr(
        qpy, "load", lambda f: (seen.append(resource.getrlimit(resource.RLIMIT_AS)), load(f))[1]
    )
    (tmp_path / "bell.qpy").write_bytes(bell)
    read_program(tmp_path / "bell.qpy")
    assert seen == [before]


@needs_fork
def test_a_reader_that_does_not_end(bell: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time limit ends both processes."""
    monkeypatch.setattr(qpy, "load", lambda _: time.sleep(1000))
    (tmp_path / "bell.qpy").write_bytes(bell)
    children: list[int] = []
    fork = os.fork
    monkeypatch.setattr(os, "fork", lambda: children.append(fork()) or children[-1])
    found = CliRunner().invoke(main, ["check", f"{tmp_path}/bell.qpy", "--spec", "AF leaf", "--timeout", "1"])
    assert found.exit_code == 3 and "the time limit of 1 s passed" in found.output
    assert len(children) == 1
    with pytest.raises(ChildProcessError):
        os.waitpid(children[0], os.WNOHANG)


@needs_fork
def test_no_process_to_read_in(bell: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", refuse)
    (tmp_path / "bell.qpy").write_bytes(bell)
    with pytest.raises(UsageError, match="process of its own: Resource temporarily unavailable"):
        read_program(tmp_path / "bell.qpy")


def test_expressions_inside_each_other() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    condition = expr.lift(circuit.clbits[0])
    for depth in range(1, 901):
        condition = expr.Unary(expr.Unary.Op.LOGIC_NOT, condition, condition.type)
        if depth in (250, 900):
            deep = circuit.copy()
            with deep.if_test(condition):
                deep.x(0)
            if depth == 900:
                with pytest.raises(UnsupportedError, match="more than 300 terms"):
                    read_program(deep)
            else:
                result = qismc.check(deep, "AF leaf")
                assert "HOLDS" in str(result) and result.to_json() and result.to_html()


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
