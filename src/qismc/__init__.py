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
    from qismc.api.functions import (
        assert_equivalent,
        assert_holds,
        campaign,
        check,
        equivalent,
        outcomes,
        repair,
        verify_certificate,
    )
    from qismc.api.objects import Model, Result
    from qismc.api.options import CheckOptions, CompareOptions, ModelOptions
    from qismc.campaigns import MutantResult
    from qismc.certify import Soundness
    from qismc.common.source import Source
    from qismc.edits import Patch
    from qismc.errors import (
        LimitReached,
        ProgramError,
        QismcError,
        SpecError,
        Undecided,
        UnsupportedError,
        UsageError,
    )
    from qismc.evidence import Execution, Hint, Step
    from qismc.faults import Faults
    from qismc.limits import Limits
    from qismc.probability import Estimate, Likelihood, Loop, Outcomes
    from qismc.program import Program, QuantumCircuit, trace
    from qismc.propositions import Replaced, Subspace
    from qismc.repairs import Repair, Repairs
    from qismc.report import Diagram, Drawing
    from qismc.report.json import schema
    from qismc.results import FormulaResult, PropertyViolated, SaysLittle, Statistics, Tried
    from qismc.system import Location
    from qismc.verdict import Verdict
    from qismc.verifier import Accepted, NotChecked, Refused

__version__ = VERSION

__all__ = [
    "Accepted",
    "CheckOptions",
    "CompareOptions",
    "Diagram",
    "Drawing",
    "Estimate",
    "Execution",
    "Faults",
    "FormulaResult",
    "Hint",
    "Likelihood",
    "LimitReached",
    "Limits",
    "Location",
    "Loop",
    "Model",
    "ModelOptions",
    "MutantResult",
    "NotChecked",
    "Outcomes",
    "Patch",
    "Program",
    "ProgramError",
    "PropertyViolated",
    "QismcError",
    "QuantumCircuit",
    "Refused",
    "Repair",
    "Repairs",
    "Replaced",
    "Result",
    "SaysLittle",
    "Soundness",
    "Source",
    "SpecError",
    "Statistics",
    "Step",
    "Subspace",
    "Tried",
    "Undecided",
    "UnsupportedError",
    "UsageError",
    "Verdict",
    "assert_equivalent",
    "assert_holds",
    "campaign",
    "check",
    "equivalent",
    "outcomes",
    "repair",
    "schema",
    "trace",
    "verify_certificate",
]

_HOMES = {
    "qismc.api.functions": (
        "assert_equivalent",
        "assert_holds",
        "campaign",
        "check",
        "equivalent",
        "outcomes",
        "repair",
        "verify_certificate",
    ),
    "qismc.api.objects": ("Model", "Result"),
    "qismc.api.options": ("CheckOptions", "CompareOptions", "ModelOptions"),
    "qismc.campaigns": ("MutantResult",),
    "qismc.certify": ("Soundness",),
    "qismc.edits": ("Patch",),
    "qismc.errors": (
        "LimitReached",
        "ProgramError",
        "QismcError",
        "SpecError",
        "Undecided",
        "UnsupportedError",
        "UsageError",
    ),
    "qismc.evidence": ("Execution", "Hint", "Step"),
    "qismc.faults": ("Faults",),
    "qismc.limits": ("Limits",),
    "qismc.probability": ("Estimate", "Likelihood", "Loop", "Outcomes"),
    "qismc.program": ("Program", "QuantumCircuit", "trace"),
    "qismc.propositions": ("Replaced", "Subspace"),
    "qismc.repairs": ("Repair", "Repairs"),
    "qismc.report": ("Diagram", "Drawing", "schema"),
    "qismc.results": ("FormulaResult", "PropertyViolated", "SaysLittle", "Statistics", "Tried"),
    "qismc.system": ("Location",),
    "qismc.common.source": ("Source",),
    "qismc.verdict": ("Verdict",),
    "qismc.verifier": ("Accepted", "NotChecked", "Refused"),
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
