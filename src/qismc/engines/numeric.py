"""The plain simulator in floating point: it replays executions and confirms exact numbers."""

from __future__ import annotations

from collections.abc import Sequence

from qismc.engines.dense import DenseEngine
from qismc.engines.engine import Numeric
from qismc.engines.native import NativeEngine
from qismc.engines.ordering import level_order
from qismc.limits import REPLAYS, Budget
from qismc.numbers import ComplexForm, NumberForm
from qismc.program import Program

SMALL = 12
"""Most qubits for which floating point takes arrays; beyond, it takes trains, which may become arrays."""
SMALL_ENOUGH = 18
"""The same where nothing may be dropped: trains drop what is small beside the whole state."""


def numeric_engine(
    program: Program,
    budget: Budget,
    order: Sequence[int] | None = None,
    form: NumberForm | None = None,
    *,
    careful: bool = False,
) -> Numeric:
    """The simulator for replays: arrays of few qubits, else trains in the given order, or in one of its own.

    A careful one drops nothing that is larger than rounding.
    """
    if program.num_qubits <= (SMALL_ENOUGH if careful else SMALL):
        return DenseEngine(program.num_qubits, budget, form=form)
    order = order or level_order(program, 0)
    tolerance = None if careful else REPLAYS
    return NativeEngine(form or ComplexForm(), order, budget, tolerance=tolerance)
