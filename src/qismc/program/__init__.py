"""Qiskit circuits and OpenQASM files become flat code with source positions."""

from qismc.program.load import load
from qismc.program.program import Program
from qismc.program.read import read_program
from qismc.program.recording import QuantumCircuit, trace

__all__ = ["Program", "QuantumCircuit", "load", "read_program", "trace"]
