"""QisMC: a model checker that debugs Qiskit programs.

Public names load when they are first asked for, so that `qismc --help` needs no Qiskit.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from qismc.common.loading import loading

if TYPE_CHECKING:
    from qismc.campaigns.campaign import campaign
    from qismc.certify.soundness import Soundness
    from qismc.check import assert_holds, check
    from qismc.equivalence.equivalent import assert_equivalent, equivalent
    from qismc.errors import ProgramError, QismcError, SpecError, Undecided, UnsupportedError, UsageError
    from qismc.evidence.execution import Execution, Step
    from qismc.evidence.hints.hint import Hint
    from qismc.faults.model import Faults
    from qismc.limits import Limits
    from qismc.model.model import Model
    from qismc.program import QuantumCircuit, trace
    from qismc.propositions.subspace import Subspace
    from qismc.repairs.repairs import Repair, repair
    from qismc.result import FormulaResult, PropertyViolated, Result, SaysLittle
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
    "qismc.campaigns.campaign": ("campaign",),
    "qismc.certify.soundness": ("Soundness",),
    "qismc.check": ("assert_holds", "check"),
    "qismc.equivalence.equivalent": ("assert_equivalent", "equivalent"),
    "qismc.errors": (
        "ProgramError",
        "QismcError",
        "SpecError",
        "Undecided",
        "UnsupportedError",
        "UsageError",
    ),
    "qismc.evidence.execution": ("Execution", "Step"),
    "qismc.evidence.hints.hint": ("Hint",),
    "qismc.faults.model": ("Faults",),
    "qismc.limits": ("Limits",),
    "qismc.model.model": ("Model",),
    "qismc.program": ("QuantumCircuit", "trace"),
    "qismc.repairs.repairs": ("Repair", "repair"),
    "qismc.result": ("FormulaResult", "PropertyViolated", "Result", "SaysLittle"),
    "qismc.propositions.subspace": ("Subspace",),
    "qismc.system.transition": ("Location",),
    "qismc.verdict": ("Verdict",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def _loaded(home: str) -> ModuleType:
    with loading():
        return import_module(home)


class _Package(ModuleType):
    """A module whose public names load on demand; no submodule (`qismc.check`) hides one of the same name."""

    def __getattr__(self, name: str) -> Any:
        if name not in _HOME_OF:
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")
        thing = getattr(_loaded(_HOME_OF[name]), name)
        setattr(self, name, thing)
        return thing

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOME_OF and isinstance(value, ModuleType)):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *__all__})


sys.modules[__name__].__class__ = _Package
