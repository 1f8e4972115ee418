"""How much of a state lies in a proposition: the squared length of its projection."""

from __future__ import annotations

import numpy as np

from qismc.limits import Budget, Limits
from qismc.program.operators import Base, Factor, Operator
from qismc.subspace.dense import DenseEngine
from qismc.subspace.engine import Vector
from qismc.subspace.expansion import expand, stabiliser_generators
from qismc.subspace.propositions import (
    Nothing,
    Perp,
    Proposition,
    SpanOf,
    Stabilised,
    Whole,
    relabel,
    support,
)
from qismc.subspace.registry import Numeric
from qismc.subspace.states import make
from qismc.system.edges import Application

SMALLEST = 1e-12
RANK_FROM = 1e-9
DENSE_WIDTH = 8
TRAIN_WIDTH = 4
"""Local propositions on so many qubits have their projector written out as a matrix."""


def overlap(engine: Numeric, proposition: Proposition, vector: Vector) -> float | None:
    """|| P v ||^2 for a unit vector v, or None where the projection is not at hand."""
    if isinstance(proposition, Whole | Nothing):
        return 1.0 if isinstance(proposition, Whole) else 0.0
    if isinstance(proposition, Perp):
        inside = overlap(engine, proposition.operand, vector)
        return None if inside is None else 1.0 - inside
    if isinstance(proposition, Stabilised):
        return _on_code(engine, proposition, vector)
    if isinstance(proposition, SpanOf) and proposition.qubits in (None, tuple(range(engine.num_qubits))):
        return _on_span(engine, proposition, vector)
    return _on_few(engine, proposition, vector)


def _on_span(engine: Numeric, proposition: SpanOf, vector: Vector) -> float:
    """With the Gram matrix G of the states and b_j = <s_j, v>: b^dagger G^+ b."""
    states = [make(engine, state) for state in proposition.states]
    gram = np.array([[engine.inner(a, b) for b in states] for a in states])
    products = np.array([engine.inner(a, vector) for a in states])
    length = engine.length(vector) ** 2
    return float(np.real(products.conj() @ np.linalg.pinv(gram, hermitian=True) @ products) / length)


def _on_code(engine: Numeric, proposition: Stabilised, vector: Vector) -> float:
    """The product of the projectors (1 + g)/2, one generator after the other."""
    weight = 1.0
    for generator in stabiliser_generators(proposition):
        same = engine.run(engine.compile([]), vector)
        image = engine.run(engine.compile([generator]), vector)
        vector = engine.combine([0.5, 0.5], [same, image])
        length = engine.length(vector)
        if length < SMALLEST:
            return 0.0
        weight *= length**2
    return weight


def _on_few(engine: Numeric, proposition: Proposition, vector: Vector) -> float | None:
    """The projector of a proposition about few qubits, applied to them as one small matrix."""
    qubits = tuple(sorted(support(proposition, engine.num_qubits)))
    if not 0 < len(qubits) <= (DENSE_WIDTH if isinstance(engine, DenseEngine) else TRAIN_WIDTH):
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
    unit = engine.run(engine.compile([]), vector)
    image = engine.run(engine.compile([Application(operator, qubits)]), vector)
    return (engine.length(image) / engine.length(unit)) ** 2
