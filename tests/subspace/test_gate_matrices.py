"""Matrices by sums of phases are those of the gates' formulas over the field."""

from __future__ import annotations

import math

import numpy as np
import pytest

from qismc.program.gates import FORMULAS, base_matrix
from qismc.program.operators import Base
from qismc.subspace.field import FieldScalars
from qismc.subspace.forms import FieldForm
from qismc.subspace.needs import Needs

THIRD = 2 * math.acos(math.sqrt(1 / 3))
ANGLES = [(0.7, -0.3, math.pi / 3), (-THIRD, THIRD, 0.0), (-math.pi / 2**50, 2.5, -0.123456789123)]
"""Decimals, turns, angles with an algebraic cosine, fine turns, and what stands for itself."""


@pytest.mark.parametrize("conjugating", [False, True])
@pytest.mark.parametrize("name", sorted(name for name, (_, angles, _) in FORMULAS.items() if angles))
def test_matrices(name: str, conjugating: bool) -> None:
    bases = [Base(name, angles[: FORMULAS[name][1]]) for angles in ANGLES]
    needs = Needs()
    for base in bases:
        base_matrix(base, needs)
    form = FieldForm(FieldScalars(needs, 3, conjugating=conjugating))
    for base in bases:
        entries = [entry for row in base_matrix(base, form.ring) for entry in row]
        np.testing.assert_array_equal(form.matrix(base), form.pack(entries, (len(entries),)))


def test_gates_without_angles_and_literal_ones() -> None:
    form = FieldForm(FieldScalars(Needs(), 3, conjugating=True))
    one, zero = [1, 0], [0, 0]
    assert form.matrix(Base("x")).tolist() == [zero, one, one, zero]
    assert form.matrix(Base("literal", (0.3,), ((0, 1), (1, 0)))).tolist() == [zero, one, one, zero]
