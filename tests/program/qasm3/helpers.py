"""Reading OpenQASM 3 texts in tests."""

from __future__ import annotations

from qismc.program.program import Program
from qismc.program.qasm3 import read_qasm3
from qismc.program.qasm_text import read_annotations

HEAD = 'OPENQASM 3.0;\ninclude "stdgates.inc";\n'


def read(text: str, file: str = "p.qasm") -> Program:
    return read_qasm3(text, file, "p", read_annotations(text, file))


def texts(program: Program) -> list[str]:
    """The visible statements."""
    return [t for t in map(program.text, range(len(program.code))) if t not in ("jump",)]
