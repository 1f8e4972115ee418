"""Programs that measure and go on: repeat until success, a quantum walk, chains of teleportations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from benchmarks.case import FINAL, Case, at_least, case

STOPS = {"stops": "P=1 [F leaf]"}


def repeat_until_success(broken: Literal["reset"] | None = None) -> Case:
    """(I + i sqrt(2) X)/sqrt(3) on qubit 1, with probability 3/4 per attempt; a failure leaves qubit 1 alone.

    Without the reset of the ancilla, qubit 0, the second attempt starts from a wrong state.
    """
    qc = QuantumCircuit(3, 1)
    qc.x(2)
    qc.measure(2, 0)
    with qc.while_loop((qc.clbits[0], 1)):
        if broken is None:
            qc.reset(0)
        _attempt(qc)
        qc.measure(0, 0)
    target = "1/sqrt(3)*|001> + i*sqrt(2)/sqrt(3)*|011>"
    return case("repeat-until-success", qc, {"target": f"span({target})"}, {**FINAL, **STOPS}, broken)


def _attempt(qc: QuantumCircuit) -> None:
    qc.h(0)
    qc.t(0)
    qc.cx(0, 1)
    qc.h(0)
    qc.cx(0, 1)
    qc.t(0)
    qc.h(0)


def quantum_walk(n: int, broken: Literal["step"] | None = None) -> Case:
    """A walk on a cycle of 2^n places, two steps by a measured coin per round, until a fair qubit says stop.

    Two steps keep the parity of the place; a round that misses one of them does not.
    """
    at_least(1, n=n)
    place, coin, flag = QuantumRegister(n, "place"), QuantumRegister(1, "coin"), QuantumRegister(1, "flag")
    side, go = ClassicalRegister(1, "side"), ClassicalRegister(1, "go")
    qc = QuantumCircuit(place, coin, flag, side, go)
    qc.x(flag)
    qc.measure(flag, go)
    with qc.while_loop((go[0], 1)):
        for _ in range(2 if broken is None else 1):
            _step(qc, place, coin, side)
        qc.reset(flag)
        qc.h(flag)
        qc.measure(flag, go)
    props = {"even": "span(|0>) on place[0]"}
    return case(f"walk-{n}", qc, props, {"even": "AG (leaf -> even)", **STOPS}, broken)


def _step(qc: QuantumCircuit, place: QuantumRegister, coin: QuantumRegister, side: ClassicalRegister) -> None:
    qc.h(coin)
    qc.measure(coin, side)
    with qc.if_test((side[0], 1)) as otherwise:
        _carry(qc, place, reversed(range(1, len(place))))
        qc.x(place[0])
    with otherwise:
        qc.x(place[0])
        _carry(qc, place, range(1, len(place)))


def _carry(qc: QuantumCircuit, place: QuantumRegister, order: Iterable[int]) -> None:
    for k in order:
        qc.mcx(place[:k], place[k])


def teleportation_chain(hops: int, broken: Literal["correction"] | None = None) -> Case:
    """(|0> + exp(i pi/4) |1>)/sqrt(2) teleported again and again, two qubits on each time.

    `broken` forgets the last phase correction.
    """
    at_least(1, hops=hops)
    qc = QuantumCircuit(2 * hops + 1, 2)
    qc.h(0)
    qc.t(0)
    for hop in range(hops):
        _teleport(qc, 2 * hop, phase=broken is None or hop < hops - 1)
    props = {"target": f"span(|0> + exp(1/4*i*pi)*|1>) on q[{2 * hops}]"}
    return case(f"teleportation-{hops}", qc, props, broken=broken)


def _teleport(qc: QuantumCircuit, message: int, phase: bool) -> None:
    near, far = message + 1, message + 2
    qc.h(near)
    qc.cx(near, far)
    qc.cx(message, near)
    qc.h(message)
    qc.measure([message, near], [0, 1])
    with qc.if_test((qc.clbits[1], 1)):
        qc.x(far)
    if phase:
        with qc.if_test((qc.clbits[0], 1)):
            qc.z(far)
    qc.reset([message, near])
