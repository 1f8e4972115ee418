"""The part of a program that the first visit of a place depends on: what comes later need not be solved."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from weakref import WeakKeyDictionary

from qismc.model import Model
from qismc.program import Program, ending_at, reading_only

_PARTS: WeakKeyDictionary[Model, dict[Hashable, Model | None]] = WeakKeyDictionary()
"""Models of parts, by what was asked: the next question about the same place finds them solved."""


def up_to(model: Model, at: str | int) -> Model:
    """A model with the same first visits of a place and, where that is a mark, with nothing behind them."""
    if isinstance(at, int):
        return model
    return _part(model, at, lambda program: ending_at(program, at))


def read_by(model: Model, observed: int) -> Model:
    """A model with the same probabilities of some bits at the end, which measures no others there.

    Its states at the end are others: measurements that are left out do not dephase their qubits.
    """
    return _part(model, observed, lambda program: reading_only(program, observed))


def _part(model: Model, key: Hashable, cut: Callable[[Program], Program | None]) -> Model:
    """The same start and options with a part of the program; the model itself where there is no such part.

    Nothing is cut where faults count statements or annotations speak of places that no execution reaches.
    """
    if model.faults is not None or model.needs_graph:
        return model
    parts = _PARTS.setdefault(model, {})
    if key not in parts:
        program = cut(model.given_program)
        parts[key] = None if program is None else Model(program, **model.options)
    found = parts[key] or model
    found.budget.restart()
    return found
