"""Circuits whose angles are no fractions of pi: decimals, as learning and simulation have them."""

from __future__ import annotations

import random
from math import pi
from typing import Literal

from qiskit import QuantumCircuit

from benchmarks.case import Case, at_least, case, ket

DIGITS = 7
"""Of an angle behind the point."""


def _angles(seed: int, count: int) -> list[float]:
    rng = random.Random(seed)
    return [round(rng.uniform(0.1, pi), DIGITS) for _ in range(count)]


def ising_chain(n: int, seed: int = 1, broken: Literal["field"] | None = None) -> Case:
    """The Ising chain in |+…+>, even bonds first, and back, odd bonds last: all terms commute.

    `broken` forgets the field of the last qubit on the way back.
    """
    at_least(2, n=n)
    fields, bonds = _angles(seed, n), _angles(seed + 1, n - 1)
    qc = QuantumCircuit(n)
    qc.h(range(n))
    for start in (0, 1):
        for k in range(start, n - 1, 2):
            _coupled(qc, bonds[k], k)
    for k in range(n):
        qc.rz(fields[k], k)
    for k in range(n - 1):
        _coupled(qc, -bonds[k], k)
    for k in range(n if broken is None else n - 1):
        qc.rz(-fields[k], k)
    qc.h(range(n))
    return case(f"ising-{n}", qc, {"target": f"span({ket('0' * n)})"}, broken=broken)


def _coupled(qc: QuantumCircuit, angle: float, k: int) -> None:
    """exp(-i angle/2 ZZ) on neighbours."""
    qc.cx(k, k + 1)
    qc.rz(angle, k + 1)
    qc.cx(k, k + 1)


def swap_test(n: int, seed: int = 1, broken: Literal["angle"] | None = None) -> Case:
    """Two equal products of n qubits, exchanged under a control: it ends in |0>.

    `broken` turns the last qubit of one of them by another angle.
    """
    at_least(1, n=n)
    qc = QuantumCircuit(2 * n + 1)
    for k, angle in enumerate(_angles(seed, n)):
        for first in (1, n + 1):
            qc.ry(angle, first + k)
    return _exchanged(f"swap-test-{n}", qc, n, broken)


def layered_swap_test(n: int, seed: int = 1, broken: Literal["angle"] | None = None) -> Case:
    """A swap test of two equal entangled states: rotations, couplings, controlled rotations along a chain.

    `broken` turns the last qubit of one of them by another angle.
    """
    at_least(2, n=n)
    qc = QuantumCircuit(2 * n + 1)
    for first in (1, n + 1):
        angles = iter(_angles(seed, 4 * n))
        for k in range(first, first + n):
            qc.ry(next(angles), k)
            qc.rz(next(angles), k)
        for k in range(first, first + n - 1):
            qc.rzz(next(angles), k, k + 1)
            qc.cry(next(angles), k, k + 1)
    return _exchanged(f"layered-swap-test-{n}", qc, n, broken)


def _exchanged(name: str, qc: QuantumCircuit, n: int, broken: str | None) -> Case:
    if broken is not None:
        qc.ry(0.25, 2 * n)
    qc.h(0)
    for k in range(1, n + 1):
        qc.cswap(0, k, n + k)
    qc.h(0)
    return case(name, qc, {"target": "span(|0>) on q[0]"}, broken=broken)
