"""QisMC: a model checker that debugs Qiskit programs."""

from qismc.campaign.campaign import campaign
from qismc.certify.soundness import Soundness
from qismc.check import assert_holds, check
from qismc.errors import ProgramError, QismcError, SpecError, Undecided, UnsupportedError, UsageError
from qismc.evidence.execution import Execution, Step
from qismc.evidence.hints.hint import Hint
from qismc.faults.model import Faults
from qismc.limits import Limits
from qismc.model import Model
from qismc.program import QuantumCircuit, trace
from qismc.repair.repairs import Repair, repair
from qismc.result import FormulaResult, PropertyViolated, Result
from qismc.subspace.subspace import Subspace
from qismc.system.transition import Location
from qismc.verdict import Verdict

__version__ = "0.1.0"

__all__ = [
    "Execution",
    "Faults",
    "FormulaResult",
    "Hint",
    "Limits",
    "Location",
    "Model",
    "ProgramError",
    "PropertyViolated",
    "QismcError",
    "QuantumCircuit",
    "Repair",
    "Result",
    "Soundness",
    "SpecError",
    "Step",
    "Subspace",
    "Undecided",
    "UnsupportedError",
    "UsageError",
    "Verdict",
    "assert_holds",
    "campaign",
    "check",
    "repair",
    "trace",
]
