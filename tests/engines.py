"""Every engine passes the same tests."""

from __future__ import annotations

from qismc.limits import Budget, Limits
from qismc.subspace.dense import DenseEngine
from qismc.subspace.engine import Engine

ENGINES = ["float"]


def make_engine(name: str, num_qubits: int) -> Engine:
    """A fresh engine without limits."""
    return {"float": DenseEngine}[name](num_qubits, Budget(Limits()))
