"""Clifford programs with Pauli feed-forward, at sizes that only stabiliser groups reach."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Literal

from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from benchmarks.case import Case, at_least, case, ket
from qismc.faults.model import Faults

Letters = dict[int, str]
"""A Pauli: letters by qubit."""
Gate = tuple[str, tuple[int, ...]]
PRODUCTS = {frozenset("XY"): "Z", frozenset("YZ"): "X", frozenset("XZ"): "Y"}
INVERSES = {"h": "h", "s": "sdg", "cx": "cx"}
GATES_BETWEEN = 10
"""Random gates between two coins."""


def cluster_wire(n: int, broken: Literal["correction"] | None = None) -> Case:
    """|r> sent along a cluster state of n qubits: all but the last are measured in the basis of X.

    Each measurement applies H and, if the outcome is 1, an X; that is undone at once, together with the Z
    that it became behind the next CZ. `broken` forgets the last correction.
    """
    at_least(3, n=n)
    qc = QuantumCircuit(n, n - 1)
    qc.h(range(n))
    qc.s(0)
    for k in range(n - 1):
        qc.cz(k, k + 1)
    for k in range(n - 1):
        qc.h(k)
        qc.measure(k, k)
        if broken is None or k < n - 2:
            with qc.if_test((qc.clbits[k], 1)):
                qc.x(k + 1)
                if k + 2 < n:
                    qc.z(k + 2)
    letter = "r" if n % 2 else "l"
    return case(f"cluster-wire-{n}", qc, {"target": f"|{letter}> on q[{n - 1}]"}, broken=broken)


def cluster_grid(side: int, broken: Literal["cz"] | None = None) -> Case:
    """A square cluster state whose every second column is measured: the others fall apart into chains.

    Outcomes turn signs of the columns beside them, which is undone. `broken` misses one CZ.
    """
    at_least(3, side=side)
    place = [[row * side + column for column in range(side)] for row in range(side)]
    qc = QuantumCircuit(side * side, side * side)
    qc.h(range(side * side))
    for row in range(side):
        for column in range(side):
            if column + 1 < side:
                qc.cz(place[row][column], place[row][column + 1])
            if row + 1 < side and not (broken and row == column == 0):
                qc.cz(place[row][column], place[row + 1][column])
    for column in range(1, side, 2):
        for row in range(side):
            qc.measure(place[row][column], place[row][column])
            for beside in (column - 1, column + 1):
                if beside < side:
                    with qc.if_test((qc.clbits[place[row][column]], 1)):
                        qc.z(place[row][beside])
    kept = [place[row][0] for row in range(side)]
    chain = ", ".join("I" * (k - 1) + "ZXZ"[k == 0 :] + "I" * (side - k - 2) for k in range(side - 1))
    last = "I" * (side - 2) + "ZX"
    on = ", ".join(f"q[{qubit}]" for qubit in kept)
    return case(f"cluster-grid-{side}", qc, {"target": f"stab({chain}, {last}) on {on}"}, broken=broken)


def teleported_plus(hops: int, broken: Literal["correction"] | None = None) -> Case:
    """|r> teleported again and again, two qubits on each time; `broken` forgets the last phase correction."""
    at_least(1, hops=hops)
    qc = QuantumCircuit(2 * hops + 1, 2 * hops)
    qc.h(0)
    qc.s(0)
    for hop in range(hops):
        near, far = 2 * hop + 1, 2 * hop + 2
        qc.h(near)
        qc.cx(near, far)
        qc.cx(near - 1, near)
        qc.h(near - 1)
        qc.measure([near - 1, near], [near - 1, near])
        with qc.if_test((qc.clbits[near], 1)):
            qc.x(far)
        if broken is None or hop < hops - 1:
            with qc.if_test((qc.clbits[near - 1], 1)):
                qc.z(far)
    return case(f"teleported-{hops}", qc, {"target": f"|r> on q[{2 * hops}]"}, broken=broken)


def repetition_table(distance: int, broken: Literal["flips"] | None = None) -> Case:
    """Half of a Bell pair in a repetition code, whose decoder is a table: a lightest flip for each syndrome.

    The environment flips any qubits, as many as the code corrects; `broken` allows one more.
    """
    at_least(3, distance=distance)
    data, ref, probe = QuantumRegister(distance, "d"), QuantumRegister(1, "ref"), QuantumRegister(1, "p")
    qc = QuantumCircuit(data, ref, probe, ClassicalRegister(distance - 1, "s"))
    qc.h(ref)
    qc.cx(ref[0], data)
    qc.barrier(label="encoded")
    for k in range(distance - 1):
        qc.cx([data[k], data[k + 1]], probe[0])
        qc.measure(probe[0], k)
        qc.reset(probe)
    corrected = (distance - 1) // 2
    for weight in range(1, corrected + 1):
        for flipped in combinations(range(distance), weight):
            syndrome = sum(((k in flipped) != (k + 1 in flipped)) << k for k in range(distance - 1))
            with qc.if_test((qc.cregs[0], syndrome)):
                qc.x([data[k] for k in flipped])
    faults = Faults(("X",), corrected if broken is None else corrected + 1, where=("d", "encoded"))
    kept = {"kept": "AG (leaf -> sp(encoded))"}
    return case(f"repetition-table-{distance}", qc, {}, kept, broken, faults=faults)


def random_dynamic(n: int, coins: int, seed: int = 1, broken: Literal["undo"] | None = None) -> Case:
    """Random Clifford gates with a random Pauli frame, all of it undone in the end: |0…0> again.

    A coin decides about a random Pauli; behind some random gates the same coin decides about what it has
    become. So the frame is gone whatever the coins show, and the inverse of all gates leads back. `broken`
    undoes another Pauli than the last one.
    """
    at_least(2, n=n)
    rng = random.Random(seed)
    data, coin = QuantumRegister(n, "d"), QuantumRegister(1, "coin")
    qc = QuantumCircuit(data, coin, ClassicalRegister(coins, "c"))
    gates: list[Gate] = []
    for k in range(coins):
        qc.h(coin)
        qc.measure(coin, [k])
        qc.reset(coin)
        frame: Letters = {q: rng.choice("XYZ") for q in rng.sample(range(n), min(3, n))}
        _if(qc, k, frame)
        for _ in range(GATES_BETWEEN):
            gates.append(_random_gate(n, rng))
            _append(qc, gates[-1])
            frame = moved(frame, gates[-1])
        if broken and k == coins - 1:
            frame = {q: "X" if letter != "X" else "Z" for q, letter in frame.items()}
        _if(qc, k, frame)
    for name, qubits in reversed(gates):
        _append(qc, (INVERSES[name], qubits))
    props = {"target": f"{ket('0' * n)} on d"}
    return case(f"random-dynamic-{n}-{coins}", qc, props, broken=broken)


def _random_gate(n: int, rng: random.Random) -> Gate:
    name = rng.choice(("h", "s", "cx", "cx"))
    return name, tuple(rng.sample(range(n), 2 if name == "cx" else 1))


def _append(qc: QuantumCircuit, gate: Gate) -> None:
    getattr(qc, gate[0])(*gate[1])


def _if(qc: QuantumCircuit, coin: int, pauli: Letters) -> None:
    with qc.if_test((qc.clbits[coin], 1)):
        for qubit, letter in pauli.items():
            getattr(qc, letter.lower())(qubit)


def moved(pauli: Letters, gate: Gate) -> Letters:
    """What a Pauli before a gate is behind it, up to a sign.

    >>> moved({0: "X"}, ("cx", (0, 1))), moved({0: "X"}, ("s", (0,)))
    ({0: 'X', 1: 'X'}, {0: 'Y'})
    """
    name, qubits = gate
    found = {qubit: letter for qubit, letter in pauli.items() if qubit not in qubits}
    images: list[Letters] = []
    for qubit in qubits:
        letter = pauli.get(qubit)
        if name == "h" and letter:
            images.append({qubit: {"X": "Z", "Z": "X", "Y": "Y"}[letter]})
        elif name == "s" and letter:
            images.append({qubit: {"X": "Y", "Y": "X", "Z": "Z"}[letter]})
        elif name == "cx" and letter:
            control, target = qubits
            spreads = "XY" if qubit == control else "ZY"
            other = {target: "X"} if qubit == control else {control: "Z"}
            images += [{qubit: letter}, other if letter in spreads else {}]
    for image in images:
        for qubit, letter in image.items():
            _multiply(found, qubit, letter)
    return dict(sorted(found.items()))


def _multiply(pauli: Letters, qubit: int, letter: str) -> None:
    before = pauli.pop(qubit, None)
    if before is None:
        pauli[qubit] = letter
    elif before != letter:
        pauli[qubit] = PRODUCTS[frozenset((before, letter))]
