"""Projections of states on propositions, and how long they are."""

from __future__ import annotations

import numpy as np

from qismc.engines import DenseEngine, Numeric, Vector
from qismc.limits import Budget, Limits
from qismc.program import Base, Factor, Operator
from qismc.propositions import (
    Nothing,
    Perp,
    Proposition,
    SpanOf,
    Stabilised,
    Whole,
    expand,
    make,
    relabel,
    stabiliser_generators,
    support,
)
from qismc.system import Application

SMALLEST = 1e-12
RANK_FROM = 1e-9
DENSE_WIDTH = 8
TRAIN_WIDTH = 4
"""Local propositions on so many qubits have their projector written out as a matrix."""


def overlap(engine: Numeric, proposition: Proposition, vector: Vector) -> float | None:
    """|| P v ||^2 for a unit vector v, or None where the projection is not at hand."""
    found = projected(engine, proposition, vector)
    return None if found is None else engine.length(found) ** 2


def projected(engine: Numeric, proposition: Proposition, vector: Vector) -> Vector | None:
    """P v for the unit vector v along a vector, or None where the projection is not at hand."""
    unit = engine.run(engine.compile([]), vector)
    if isinstance(proposition, Whole | Nothing):
        return unit if isinstance(proposition, Whole) else engine.combine([0.0], [unit])
    if isinstance(proposition, Perp):
        inside = projected(engine, proposition.operand, unit)
        return None if inside is None else engine.combine([1.0, -1.0], [unit, inside])
    if isinstance(proposition, Stabilised):
        return _on_code(engine, proposition, unit)
    if isinstance(proposition, SpanOf) and proposition.qubits in (None, tuple(range(engine.num_qubits))):
        return _on_span(engine, proposition, unit)
    return _on_few(engine, proposition, unit)


def _on_span(engine: Numeric, proposition: SpanOf, unit: Vector) -> Vector:
    """With the Gram matrix G of the states and b_j = <s_j, v>: the sum of the s_j with coefficients G^+ b."""
    states = [make(engine, state) for state in proposition.states]
    gram = np.array([[engine.inner(a, b) for b in states] for a in states])
    products = np.array([engine.inner(a, unit) for a in states])
    coefficients = np.linalg.pinv(gram, hermitian=True) @ products
    return engine.combine([complex(c) for c in coefficients], states)


def _on_code(engine: Numeric, proposition: Stabilised, unit: Vector) -> Vector:
    """The product of the projectors (1 + g)/2, one generator after the other."""
    vector, length = unit, 1.0
    for generator in stabiliser_generators(proposition):
        same = engine.run(engine.compile([]), vector)
        image = engine.run(engine.compile([generator]), vector)
        vector = engine.combine([0.5, 0.5], [same, image])
        length *= engine.length(vector)
        if length < SMALLEST:
            return engine.combine([0.0], [unit])
    return engine.combine([length], [engine.run(engine.compile([]), vector)])


def _on_few(engine: Numeric, proposition: Proposition, unit: Vector) -> Vector | None:
    """The projector of a proposition about few qubits, applied to them as one small matrix."""
    qubits = tuple(sorted(support(proposition, engine.num_qubits)))
    if not 0 < len(qubits) <= (DENSE_WIDTH if engine.dense else TRAIN_WIDTH):
        return None
    places = {qubit: k for k, qubit in enumerate(qubits)}
    local = DenseEngine(len(qubits), Budget(Limits()))
    spanned = np.array(expand(local, relabel(proposition, places)), dtype=complex)
    columns = spanned.reshape(-1, 2 ** len(qubits)).T
    left, lengths, _ = np.linalg.svd(columns, full_matrices=False)
    basis = left[:, lengths > RANK_FROM]
    entries = tuple(tuple(complex(z) for z in row) for row in basis @ basis.conj().T)
    base = Base("projector", (), entries)
    targets = tuple(reversed(range(len(qubits))))  # the first target is the least significant
    operator = Operator("projector", len(qubits), (Factor(base, targets),), unitary=False)
    return engine.run(engine.compile([Application(operator, qubits)]), unit)
