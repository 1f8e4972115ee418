"""QisMC: a model checker that debugs Qiskit programs."""

from qismc.check import assert_holds, check
from qismc.errors import ProgramError, QismcError, SpecError, UnsupportedError, UsageError
from qismc.evidence.execution import Execution, Step
from qismc.limits import Limits
from qismc.model import Model
from qismc.program import QuantumCircuit, trace
from qismc.result import FormulaResult, PropertyViolated, Result
from qismc.subspace.subspace import Subspace
from qismc.verdict import Verdict

__version__ = "0.1.0"

__all__ = [
    "Execution",
    "FormulaResult",
    "Limits",
    "Model",
    "ProgramError",
    "PropertyViolated",
    "QismcError",
    "QuantumCircuit",
    "Result",
    "SpecError",
    "Step",
    "Subspace",
    "UnsupportedError",
    "UsageError",
    "Verdict",
    "assert_holds",
    "check",
    "trace",
]
