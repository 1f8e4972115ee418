"""Programs whose probabilities mathematics knows: bounds that hold, or, broken, that just do not."""

from __future__ import annotations

from fractions import Fraction
from math import asin, cos, pi, prod, sin, sqrt
from typing import Literal

import numpy as np
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from benchmarks.case import Case, at_least, case

MARGIN = 1e-7
"""Bounds around numbers that are no fractions."""
Broken = Literal["bound"] | None


def _bounded(name: str, circuit: QuantumCircuit, path: str, value: Fraction | float, broken: Broken) -> Case:
    """The probability of a path is the value; the broken bound asks for a little more."""
    if isinstance(value, Fraction):
        low, high = str(value), str(value)
        if broken:
            low = str(value + Fraction(1, 10**6))
    else:
        shift = 2 * MARGIN if broken else 0.0
        low, high = f"{value - MARGIN + shift:.12f}", f"{value + MARGIN + shift:.12f}"
    formulas = {"at least": f"P>={low} [{path}]", "at most": f"P<={high} [{path}]"}
    return case(name, circuit, {}, formulas, broken)


def success_beside_ghz(n: int, broken: Broken = None) -> Case:
    """A repeat-until-success loop beside n entangled qubits, one of which is measured at the end: 1/2."""
    at_least(2, n=n)
    ghz, pair = QuantumRegister(n, "ghz"), QuantumRegister(2, "pair")
    again, seen = ClassicalRegister(1, "again"), ClassicalRegister(1, "seen")
    qc = QuantumCircuit(ghz, pair, again, seen)
    qc.h(ghz[0])
    for k in range(n - 1):
        qc.cx(ghz[k], ghz[k + 1])
    qc.x(pair[0])
    qc.measure(pair[0], again[0])
    with qc.while_loop((again, 1)):
        qc.reset(pair[0])
        qc.h(pair[0])
        qc.t(pair[0])
        qc.cx(pair[0], pair[1])
        qc.h(pair[0])
        qc.cx(pair[0], pair[1])
        qc.t(pair[0])
        qc.h(pair[0])
        qc.measure(pair[0], again[0])
    qc.measure(ghz[n - 1], seen[0])
    return _bounded(f"success-beside-ghz-{n}", qc, "F (leaf & seen)", Fraction(1, 2), broken)


def coin_race(broken: Broken = None) -> Case:
    """Two coins, heads with 1/4 and 1/2, thrown in turn until one shows heads: the first one wins 2/5."""
    qc = QuantumCircuit(2, 2)
    with qc.while_loop((qc.cregs[0], 0)):
        qc.reset([0, 1])
        qc.ry(pi / 3, 0)
        qc.measure(0, 0)
        with qc.if_test((qc.clbits[0], 0)):
            qc.h(1)
            qc.measure(1, 1)
    return _bounded("coin-race", qc, "F (leaf & c[0])", Fraction(2, 5), broken)


def coins(count: int, broken: Broken = None) -> Case:
    """A long program: entangled qubits, measured and put right, again and again; the last bit is fair."""
    at_least(1, count=count)
    qc = QuantumCircuit(2, 1)
    for _ in range(count):
        qc.h(0)
        qc.cx(0, 1)
        qc.measure(0, 0)
        with qc.if_test((qc.clbits[0], 1)):
            qc.x([0, 1])
    return _bounded(f"coins-{count}", qc, "F (leaf & c == 1)", Fraction(1, 2), broken)


def search(n: int, turns: int, broken: Broken = None) -> Case:
    """Grover's search for 1..1 among 2^n: sin^2((2 k + 1) t) with sin t = 2^(-n/2)."""
    at_least(2, n=n)
    qc = QuantumCircuit(n, n)
    every = list(range(n))
    qc.h(every)
    for _ in range(turns):
        _reflect(qc, every)
        qc.h(every)
        qc.x(every)
        _reflect(qc, every)
        qc.x(every)
        qc.h(every)
    qc.measure(every, every)
    value = sin((2 * turns + 1) * asin(2 ** (-n / 2))) ** 2
    return _bounded(f"search-{n}-{turns}", qc, f"F (leaf & c == {2**n - 1})", value, broken)


def _reflect(qc: QuantumCircuit, qubits: list[int]) -> None:
    qc.h(qubits[-1])
    qc.mcx(qubits[:-1], qubits[-1])
    qc.h(qubits[-1])


def parity_chain(n: int, broken: Broken = None) -> Case:
    """Biased qubits with decimals as angles, each added to the next, all measured: the last is a parity."""
    at_least(2, n=n)
    angles = [round(0.3 + k / 70, 4) for k in range(n)]
    qc = QuantumCircuit(n, n)
    for qubit, angle in enumerate(angles):
        qc.ry(angle, qubit)
    for qubit in range(n - 1):
        qc.cx(qubit, qubit + 1)
    qc.measure(range(n), range(n))
    value = (1 - prod(map(cos, angles))) / 2
    return _bounded(f"parity-chain-{n}", qc, f"F (leaf & c[{n - 1}])", value, broken)


def teleported_coin(hops: int, broken: Broken = None) -> Case:
    """A biased coin, teleported again and again, all outcomes kept; then it shows 1 as it did before."""
    at_least(1, hops=hops)
    angle, qc = 0.7, QuantumCircuit(2 * hops + 1, 2 * hops + 1)
    qc.ry(angle, 0)
    for here in range(0, 2 * hops, 2):
        between, there = here + 1, here + 2
        qc.h(between)
        qc.cx(between, there)
        qc.cx(here, between)
        qc.h(here)
        qc.measure([here, between], [here, between])
        with qc.if_test((qc.clbits[between], 1)):
            qc.x(there)
        with qc.if_test((qc.clbits[here], 1)):
            qc.z(there)
    qc.measure(2 * hops, 2 * hops)
    path = f"F (leaf & c[{2 * hops}])"
    return _bounded(f"teleported-coin-{hops}", qc, path, sin(angle / 2) ** 2, broken)


def walk_between_walls(width: int, turns: int | None = None, broken: Broken = None) -> Case:
    """A Hadamard walk on 2^width places that ends at the first or the last one: how often at the first?

    It starts beside the first place and turns away from it; with `turns` it takes so many steps at most.
    """
    at_least(2, width=width)
    coin, place, wall = (
        QuantumRegister(1, "coin"),
        QuantumRegister(width, "place"),
        QuantumRegister(1, "wall"),
    )
    ends = ClassicalRegister(2, "ends")
    qc = QuantumCircuit(coin, place, wall, ends)
    qc.x([coin[0], place[0]])
    if turns is None:
        with qc.while_loop((ends, 0)):
            _walk(qc, coin, place, wall, ends)
    else:
        for _ in range(turns):
            with qc.if_test((ends, 0)):
                _walk(qc, coin, place, wall, ends)
    name = f"walk-{2**width}" + ("" if turns is None else f"-{turns}-turns")
    return _bounded(name, qc, "F (leaf & ends == 1)", walk_value(2**width, turns), broken)


def _walk(
    qc: QuantumCircuit,
    coin: QuantumRegister,
    place: QuantumRegister,
    wall: QuantumRegister,
    ends: ClassicalRegister,
) -> None:
    """One step, and a look at both walls."""
    qc.h(coin)
    for k in reversed(range(1, len(place))):
        qc.mcx([coin[0], *place[:k]], place[k])
    qc.cx(coin[0], place[0])
    qc.x(coin)
    qc.cx(coin[0], place[0])
    for k in range(1, len(place)):
        qc.mcx([coin[0], *place[:k]], place[k])
    qc.x(coin)
    for bit, value in enumerate((0, 2 ** len(place) - 1)):
        qc.reset(wall)
        qc.mcx(list(place), wall[0], ctrl_state=value)
        qc.measure(wall[0], ends[bit])


MANY = 40_000


def walk_value(places: int, turns: int | None) -> float:
    """The same walk with plain arrays: amplitudes by (place, coin); what reaches a wall is taken out."""
    state = np.zeros((places, 2))
    state[1, 1] = 1.0
    total = 0.0
    for _ in range(MANY if turns is None else turns):
        left, right = (state[:, 0] + state[:, 1]) / sqrt(2), (state[:, 0] - state[:, 1]) / sqrt(2)
        state = np.stack([np.roll(left, -1), np.roll(right, 1)], axis=1)
        total += float(np.sum(state[0] ** 2))
        state[0], state[-1] = 0, 0
        if np.sum(state**2) < 1e-15:
            break
    return total
