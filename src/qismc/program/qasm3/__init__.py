"""OpenQASM 3 -> flat code, from the syntax trees of the `openqasm3` package."""

from qismc.program.qasm3.reader import read_qasm3

__all__ = ["read_qasm3"]
