"""The engines by name, and which one `auto` means."""

from __future__ import annotations

from dataclasses import dataclass

from qismc.errors import UsageError, suggestion
from qismc.limits import Budget
from qismc.program.program import Program
from qismc.subspace.dense import DenseEngine
from qismc.subspace.engine import Engine

NAMES = ("auto", "float")


@dataclass(frozen=True)
class Choice:
    """An engine and, where `auto` had to decide, why it is this one."""

    engine: Engine
    note: str | None = None


def choose_engine(name: str, program: Program, budget: Budget) -> Choice:
    """The engine of that name for a program."""
    if name not in NAMES:
        raise UsageError(
            f"unknown engine '{name}'", hint=suggestion(name, NAMES) or f"one of {', '.join(NAMES)}"
        )
    return Choice(DenseEngine(program.num_qubits, budget))
