"""Gates that are easily taken for one another: the inverse, another axis, another sign, other controls."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from qismc.program import (
    CONTROLLED,
    MAX_MATRIX_QUBITS,
    MULTI_CONTROLLED,
    Apply,
    Base,
    Factor,
    Operator,
    dense,
    named_gate,
    signature,
)

AXES = (
    ("x", "y", "z"), ("rx", "ry", "rz"), ("cx", "cy", "cz"), ("crx", "cry", "crz"), ("rxx", "ryy", "rzz"),
    ("ccx", "ccz"),
)  # fmt: skip
"""Families whose members differ in the axis only."""
INVERSES = {
    "s": "sdg", "t": "tdg", "sx": "sxdg", "cs": "csdg", "ct": "ctdg", "csx": "csxdg", "iswap": "iswapdg",
}  # fmt: skip
INVERSE_NAMES = {**INVERSES, **{inverse: name for name, inverse in INVERSES.items()}}


def inverse(gate: Apply) -> Iterator[Apply]:
    """The gate that undoes a gate, unless it undoes itself."""
    operator = gate.operator
    name = INVERSE_NAMES.get(operator.name)
    if name is not None and _does_what_it_says(operator):
        yield Apply(named_gate(name, (), operator.width), gate.qubits)
        return
    adjoint = operator.adjoint
    if adjoint.factors == operator.factors or same_map(operator, adjoint):
        return
    if len(operator.angles) == 1 and _does_what_it_says(operator):
        return  # another sign
    renamed = Operator(f"inv @ {operator.name}", operator.width, adjoint.factors, operator.angles)
    yield Apply(renamed, gate.qubits)


def other_axes(gate: Apply) -> Iterator[Apply]:
    """The same gate about another axis."""
    operator = gate.operator
    for family in AXES:
        if operator.name in family and _does_what_it_says(operator):
            for name in family:
                if name != operator.name:
                    yield Apply(named_gate(name, operator.angles, operator.width), gate.qubits)


def other_signs(gate: Apply) -> Iterator[Apply]:
    """One angle with the other sign."""
    operator = gate.operator
    if not _does_what_it_says(operator):
        return
    for k, angle in enumerate(operator.angles):
        if angle:
            angles = (*operator.angles[:k], -angle, *operator.angles[k + 1 :])
            yield Apply(named_gate(operator.name, angles, operator.width), gate.qubits)


def other_controls(gate: Apply) -> Iterator[Apply]:
    """One control that waits for the other value."""
    for control in shared_controls(gate.operator):
        yield Apply(_flipped(gate.operator, control), gate.qubits)


def shared_controls(operator: Operator) -> list[int]:
    """The local qubits that control every factor."""
    if not operator.factors:
        return []
    return sorted(set.intersection(*({c for c, _ in factor.controls} for factor in operator.factors)))


def _flipped(operator: Operator, control: int) -> Operator:
    factors = tuple(
        Factor(f.base, f.targets, tuple((c, v ^ (c == control)) for c, v in f.controls))
        for f in operator.factors
    )
    return Operator(_controlled_name(operator.name, factors), operator.width, factors, operator.angles)


def _controlled_name(name: str, factors: tuple[Factor, ...]) -> str:
    """`ctrl @ negctrl @ x`, in the words of OpenQASM 3; a plain name where all controls wait for 1."""
    base = factors[0].base
    controls = sorted(factors[0].controls)
    plain = len(factors) == 1 and [c for c, _ in controls] == list(range(len(controls)))
    if not plain or base.entries is not None:
        return f"{name}*"
    if all(value for _, value in controls):
        standard = _standard_name(base, len(controls))
        if standard is not None:
            return standard
    return "".join("ctrl @ " if value else "negctrl @ " for _, value in controls) + base.name


def _standard_name(base: Base, controls: int) -> str | None:
    return next((name for name, known in CONTROLLED.items() if known == (base.name, controls)), None)


def swapped_operands(gate: Apply) -> Iterator[Apply]:
    """Two qubits exchanged, where that matters."""
    for a, b in combinations(range(len(gate.qubits)), 2):
        order = list(range(len(gate.qubits)))
        order[a], order[b] = b, a
        factors = tuple(factor.on(tuple(order)) for factor in gate.operator.factors)
        exchanged = Operator("", gate.operator.width, factors)
        if not same_map(gate.operator, exchanged):
            yield Apply(gate.operator, tuple(gate.qubits[k] for k in order))


def same_map(left: Operator, right: Operator) -> bool:
    """Are the two surely the same up to a phase? Wide operators are compared factor by factor."""
    if left.width != right.width:
        return False
    if left.width > MAX_MATRIX_QUBITS:
        return set(left.factors) == set(right.factors) and len(left.factors) == 1
    first, second = dense(left.factors, left.width), dense(right.factors, right.width)
    return bool(np.isclose(abs(np.vdot(first, second)), len(first), atol=1e-12, rtol=0))


def _does_what_it_says(operator: Operator) -> bool:
    """Is it the known gate of its name? Programs may define their own gate `h`."""
    known = signature(operator.name, operator.width)
    if known != (len(operator.angles), operator.width):
        return False
    if operator.name in MULTI_CONTROLLED and operator.width < 2:
        return False
    return named_gate(operator.name, operator.angles, operator.width).factors == operator.factors
