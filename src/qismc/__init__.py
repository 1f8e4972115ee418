"""QisMC: a model checker that debugs Qiskit programs.

Public names load when they are first asked for, so that `qismc --help` needs no Qiskit.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from qismc.common.loading import loading
from qismc.common.showing import shown_by
from qismc.common.version import VERSION

if TYPE_CHECKING:
    from qismc.api.checking import assert_holds, check
    from qismc.api.comparing import assert_equivalent, equivalent
    from qismc.api.model import Model
    from qismc.api.repairing import repair
    from qismc.api.result import Result
    from qismc.campaigns import campaign
    from qismc.certify import Soundness
    from qismc.errors import ProgramError, QismcError, SpecError, Undecided, UnsupportedError, UsageError
    from qismc.evidence import Execution, Hint, Step
    from qismc.faults import Faults
    from qismc.limits import Limits
    from qismc.program import QuantumCircuit, trace
    from qismc.propositions import Subspace
    from qismc.repairs import Repair
    from qismc.results import FormulaResult, PropertyViolated, SaysLittle
    from qismc.system import Location
    from qismc.verdict import Verdict

__version__ = VERSION

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
    "SaysLittle",
    "Soundness",
    "SpecError",
    "Step",
    "Subspace",
    "Undecided",
    "UnsupportedError",
    "UsageError",
    "Verdict",
    "assert_equivalent",
    "assert_holds",
    "campaign",
    "check",
    "equivalent",
    "repair",
    "trace",
]

_HOMES = {
    "qismc.campaigns.running": ("campaign",),
    "qismc.certify.assurance": ("Soundness",),
    "qismc.api.checking": ("assert_holds", "check"),
    "qismc.api.comparing": ("assert_equivalent", "equivalent"),
    "qismc.errors": (
        "ProgramError",
        "QismcError",
        "SpecError",
        "Undecided",
        "UnsupportedError",
        "UsageError",
    ),
    "qismc.evidence.execution": ("Execution", "Hint", "Step"),
    "qismc.faults.model": ("Faults",),
    "qismc.limits": ("Limits",),
    "qismc.api.model": ("Model",),
    "qismc.program": ("QuantumCircuit", "trace"),
    "qismc.api.repairing": ("repair",),
    "qismc.repairs.repairs": ("Repair",),
    "qismc.api.result": ("Result",),
    "qismc.results.result": ("FormulaResult", "PropertyViolated", "SaysLittle"),
    "qismc.propositions.subspace": ("Subspace",),
    "qismc.system.transition": ("Location",),
    "qismc.verdict": ("Verdict",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def _loaded(home: str) -> ModuleType:
    with loading():
        return import_module(home)


def __getattr__(name: str) -> Any:
    """Public names load on demand."""
    if name not in _HOME_OF:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    thing = globals()[name] = getattr(_loaded(_HOME_OF[name]), name)
    return thing


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


shown_by(lambda: _loaded("qismc.report"))
