"""How much of a state lies in a proposition: the squared length of its projection."""

from __future__ import annotations

import numpy as np

from qismc.subspace.engine import Vector
from qismc.subspace.expansion import stabiliser_generators
from qismc.subspace.propositions import Nothing, Perp, Proposition, SpanOf, Stabilised, Whole
from qismc.subspace.registry import Numeric
from qismc.subspace.states import make

SMALLEST = 1e-12


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
    return None


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
