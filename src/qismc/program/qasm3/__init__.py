"""OpenQASM 3 -> flat code: words, syntax trees, then statement after statement."""

from qismc.program.qasm3.reader import read_qasm3

__all__ = ["read_qasm3"]
