"""Quantum Fourier transforms and phase estimation, coherent and with measurement and feed-forward."""

from __future__ import annotations

from fractions import Fraction
from math import pi
from typing import Literal

from qiskit import QuantumCircuit

from benchmarks.case import Case, at_least, bits, case, fits, ket


def qft(n: int, value: int) -> Case:
    """The transform of |value>, a product of single-qubit phases (no final swaps)."""
    at_least(1, n=n)
    fits(value, n)
    qc = _basis_state(n, value, QuantumCircuit(n))
    for i in range(n):
        qc.h(i)
        for j in range(i + 1, n):
            qc.cp(pi / 2 ** (j - i), i, j)
    phases = [_phase_ket(_turns(value, i, n)) for i in range(n)]
    props = {f"phase{i}": f"span({state}) on q[{i}]" for i, state in enumerate(phases)}
    return case(f"qft-{n}-{value}", qc, props, {"phases": f"AG (leaf -> {' & '.join(props)})"})


def phase_estimation(n: int, numerator: int) -> Case:
    """The phase numerator / 2^n of a diagonal gate, found exactly in n qubits, lowest bit first."""
    qc = _kicked_back(n, numerator, QuantumCircuit(n + 1))
    for j in range(n):
        for i in range(j):
            qc.cp(-pi / 2 ** (j - i), i, j)
        qc.h(j)
    target = f"span({ket(bits(numerator, n) + '1')})"
    return case(f"pe-{n}-{numerator}", qc, {"target": target})


def distributed_qft(n: int, value: int) -> Case:
    """The transform of |value>, each qubit measured and fed forward: all 2^n outcomes are possible."""
    at_least(1, n=n)
    fits(value, n)
    qc = _basis_state(n, value, QuantumCircuit(n, n))
    for i in range(n):
        qc.h(i)
        qc.measure(i, i)
        _feed_forward(qc, i, range(i + 1, n), sign=1)
    props = {
        f"{name}{i}": f"span(|{bit}>) on q[{i}]" for i in range(n) for bit, name in enumerate(("zero", "one"))
    }
    agree = " & ".join(f"(c[{i}] -> one{i}) & (!c[{i}] -> zero{i})" for i in range(n))
    formulas = {"agree": f"AG (leaf -> {agree})", "all_ones": f"EF (leaf & c == {2**n - 1})"}
    return case(f"dqft-{n}-{value}", qc, props, formulas)


def distributed_phase_estimation(n: int, numerator: int, broken: Literal["feedback"] | None = None) -> Case:
    """Phase estimation with corrections conditioned on measured bits; the outcome is certain: the numerator.

    `broken` forgets the correction of the last qubit by the first bit, which an odd numerator sets.
    """
    if broken and (n < 2 or numerator % 2 == 0):
        raise ValueError(f"numerator {numerator} needs no correction by bit 0; choose an odd one and n >= 2")
    qc = _kicked_back(n, numerator, QuantumCircuit(n + 1, n))
    for j in range(n):
        qc.h(j)
        qc.measure(j, j)
        _feed_forward(qc, j, range(j + 1, n - 1 if broken and j == 0 else n), sign=-1)
    return case(f"dpe-{n}-{numerator}", qc, {}, {"found": f"AG (leaf -> c == {numerator})"}, broken)


def _basis_state(n: int, value: int, qc: QuantumCircuit) -> QuantumCircuit:
    for k in range(n):
        if value >> k & 1:
            qc.x(k)
    return qc


def _kicked_back(n: int, numerator: int, qc: QuantumCircuit) -> QuantumCircuit:
    """Qubit j carries the phase of numerator / 2^(j + 1); qubit n holds the eigenstate |1>."""
    at_least(1, n=n)
    fits(numerator, n)
    qc.h(range(n))
    qc.x(n)
    for j in range(n):
        qc.cp(2 * pi * (numerator % 2 ** (j + 1)) / 2 ** (j + 1), j, n)
    return qc


def _feed_forward(qc: QuantumCircuit, measured: int, later: range, sign: int) -> None:
    for j in later:
        with qc.if_test((qc.clbits[measured], 1)):
            qc.p(sign * pi / 2 ** (j - measured), j)


def _turns(value: int, i: int, n: int) -> Fraction:
    """Half turns of qubit i: bit j >= i of the value adds 2^(i - j)."""
    return sum((Fraction(value >> j & 1, 2 ** (j - i)) for j in range(i, n)), Fraction(0)) % 2


def _phase_ket(turns: Fraction) -> str:
    return f"|0> + exp({turns.numerator}/{turns.denominator}*i*pi)*|1>"
