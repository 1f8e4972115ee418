"""Reading OpenQASM 3 texts in tests."""

from __future__ import annotations

from collections.abc import Sequence

from qismc.program.program import Annotation, Program
from qismc.program.qasm3 import read_qasm3
from qismc.program.qasm3.parser import Warn, parse
from qismc.program.qasm3.syntax import Node
from qismc.program.qasm_text import read_annotations

HEAD = 'OPENQASM 3.0;\ninclude "stdgates.inc";\n'


def read(text: str, file: str = "p.qasm") -> Program:
    return read_qasm3(text, file, "p", read_annotations(text, file))


def texts(program: Program) -> list[str]:
    """The visible statements."""
    return [t for t in map(program.text, range(len(program.code))) if t not in ("jump",)]


def tree(
    text: str, annotations: Sequence[Annotation] = (), warn: Warn = lambda _message, _source: None
) -> list[Node]:
    """The statements of a text."""
    return parse(text, "p.qasm", warn, annotations)
