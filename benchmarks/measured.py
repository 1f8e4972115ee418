"""Programs with hundreds of live classical bits: outcomes that are kept, compared and fed forward."""

from __future__ import annotations

from math import pi
from typing import Literal

from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from benchmarks.case import Case, at_least, case, ket
from benchmarks.codes import plaquettes


def all_measured(n: int, broken: Literal["flip"] | None = None) -> Case:
    """Fair coins and one that shows 1: the outcome is never 0. `broken` forgets to flip the one."""
    at_least(2, n=n)
    qc = QuantumCircuit(n, n)
    if broken is None:
        qc.x(0)
    qc.h(range(1, n))
    qc.measure(range(n), range(n))
    formulas = {"never": "AG (leaf -> c != 0)", "ones": f"EF (leaf & c == {2**n - 1})"}
    if broken is not None:
        formulas["ones"] = f"EF (leaf & c == {2**n - 2})"
    return case(f"coins-{n}", qc, {}, formulas, broken)


def ghz_measured(n: int, broken: Literal["cx"] | None = None) -> Case:
    """|0…0> + |1…1>, measured: all outcomes agree. `broken` misses the last CX."""
    at_least(2, n=n)
    qc = QuantumCircuit(n, n)
    qc.h(0)
    for k in range(n - 1 if broken is None else n - 2):
        qc.cx(k, k + 1)
    qc.measure(range(n), range(n))
    return case(f"ghz-measured-{n}", qc, {}, {"agree": f"AG (leaf -> c == 0 | c == {2**n - 1})"}, broken)


def dynamic_ghz(n: int, broken: Literal["correction"] | None = None) -> Case:
    """|0…0> + |1…1> from parities of neighbours: each odd one flips all qubits to its right.

    `broken` forgets the last correction.
    """
    at_least(2, n=n)
    data, parity = QuantumRegister(n, "d"), QuantumRegister(n - 1, "a")
    qc = QuantumCircuit(data, parity, ClassicalRegister(n - 1, "s"))
    qc.h(data)
    for k in range(n - 1):
        qc.cx(data[k], parity[k])
        qc.cx(data[k + 1], parity[k])
        qc.measure(parity[k], k)
    for k in range(n - 1 if broken is None else n - 2):
        with qc.if_test((qc.clbits[k], 1)):
            qc.x(data[k + 1 :])
    target = f"span({ket('0' * n)} + {ket('1' * n)}) on d"
    return case(f"dynamic-ghz-{n}", qc, {"target": target}, broken=broken)


PATTERN = 0b1010
"""The four highest digits of values that are looked for; floating-point angles hold few digits exactly."""


def _value(n: int) -> int:
    return PATTERN << (n - 4)


def _corrections(qc: QuantumCircuit, j: int, qubit: int, swapped: bool) -> None:
    """Take the phases of digits 0 .. j-1, as measured, off a qubit; or those of the last two swapped."""
    for i in range(j):
        read = {j - 1: j - 2, j - 2: j - 1}.get(i, i) if swapped else i
        with qc.if_test((qc.clbits[read], 1)):
            qc.p(-pi / 2 ** (j - i), qubit)


def semiclassical_qft(n: int, broken: Literal["swap"] | None = None) -> Case:
    """The inverse transform of a transformed |value>, qubit by qubit: the outcomes are the value's digits.

    Each outcome corrects the qubits behind it. `broken` swaps the bits of the last qubit's two largest
    corrections.
    """
    at_least(4, n=n)
    value, qc = _value(n), QuantumCircuit(n, n)
    for j in range(n):
        qc.h(j)
        qc.p(2 * pi * ((value % 2 ** (j + 1)) / 2 ** (j + 1)), j)
    for j in range(n):
        _corrections(qc, j, j, swapped=broken is not None and j == n - 1)
        qc.h(j)
        qc.measure(j, j)
    return case(f"semiclassical-qft-{n}", qc, {}, {"found": f"AG (leaf -> c == {value})"}, broken)


def all_outcomes_qft(n: int) -> Case:
    """The transform of |0…0>, measured qubit by qubit: every outcome is possible."""
    at_least(2, n=n)
    qc = QuantumCircuit(n, n)
    for j in range(n):
        _corrections(qc, j, j, swapped=False)
        qc.h(j)
        qc.measure(j, j)
    return case(f"all-outcomes-qft-{n}", qc, {}, {"ones": f"EF (leaf & c == {2**n - 1})"})


def iterative_phase_estimation(n: int, broken: Literal["swap"] | None = None) -> Case:
    """The phase of a diagonal gate, digit by digit on one qubit that is reset in between.

    `broken` swaps the bits of the last digit's largest corrections.
    """
    at_least(4, n=n)
    value, qc = _value(n), QuantumCircuit(2, n)
    qc.x(1)
    for j in range(n):
        qc.h(0)
        qc.cp(2 * pi * ((value % 2 ** (j + 1)) / 2 ** (j + 1)), 0, 1)
        _corrections(qc, j, 0, swapped=broken is not None and j == n - 1)
        qc.h(0)
        qc.measure(0, j)
        qc.reset(0)
    return case(f"iterative-pe-{n}", qc, {}, {"found": f"AG (leaf -> c == {value})"}, broken)


def repetition_memory(
    distance: int, rounds: int, overwritten: bool = False, broken: Literal["cx"] | None = None
) -> Case:
    """|+…+> through rounds of parity checks of neighbours, all by one reused qubit.

    The first round projects to a random syndrome, and every further one must find it again: each outcome says
    what the parity is, and X…X still stabilises. The outcomes of all rounds are kept, or overwrite
    those of the round before. `broken` misses a CX in the last round.
    """
    at_least(3, distance=distance)
    at_least(1, rounds=rounds)
    data, helper = QuantumRegister(distance, "d"), QuantumRegister(1, "a")
    registers = [ClassicalRegister(distance - 1, f"s{k}") for k in range(1 if overwritten else rounds)]
    qc = QuantumCircuit(data, helper, *registers)
    qc.h(data)
    for turn in range(rounds):
        for k in range(distance - 1):
            qc.cx(data[k], helper[0])
            if not (broken and turn == rounds - 1 and k == distance // 2):
                qc.cx(data[k + 1], helper[0])
            qc.measure(helper[0], registers[turn % len(registers)][k])
            qc.reset(helper[0])
    middle, last = distance // 2, registers[-1].name
    props = {
        "logical": f"stab({'X' * distance}) on d",
        "even": f"stab(ZZ) on d[{middle}], d[{middle + 1}]",
        "odd": f"stab(-ZZ) on d[{middle}], d[{middle + 1}]",
    }
    told = f"({last}[{middle}] -> odd) & (!{last}[{middle}] -> even)"
    formulas = {"told": f"AG (leaf -> logical & {told})"}
    if len(registers) > 1:
        formulas["agree"] = f"AG (leaf -> {' & '.join(f's0 == {r.name}' for r in registers[1:])})"
    name = f"repetition-{distance}-{rounds}-{'overwritten' if overwritten else 'kept'}"
    return case(name, qc, props, formulas, broken)


def surface_memory(distance: int, rounds: int, broken: Literal["cx", "bits"] | None = None) -> Case:
    """|0…0> through rounds of the rotated surface code's checks, all by one reused qubit.

    The first round projects: its X outcomes are random, the Z outcomes 0. Every further round must agree with
    it, and the state is stabilised by the checks with these signs. `broken` misses a CX of the last round's
    first check, or writes two of its outcomes into each other's bits.
    """
    at_least(3, distance=distance)
    at_least(2 if broken else 1, rounds=rounds)
    checks = plaquettes(distance)
    data, helper = QuantumRegister(distance**2, "d"), QuantumRegister(1, "a")
    registers = [ClassicalRegister(len(checks), f"s{k}") for k in range(rounds)]
    qc = QuantumCircuit(data, helper, *registers)
    for turn in range(rounds):
        faulty = broken if turn == rounds - 1 else None
        for k, check in enumerate(checks):
            place = {0: 1, 1: 0}.get(k, k) if faulty == "bits" else k
            _check(qc, check, skip=faulty == "cx" and k == 0)
            qc.measure(helper[0], registers[turn][place])
            qc.reset(helper[0])
    z_checks = [check for check in checks if "Z" in check]
    logical = "Z" * distance + "I" * (distance * (distance - 1))
    props = {"code": f"stab({', '.join([*z_checks, logical])}) on d"}
    formulas = {"code": "AG (leaf -> code)"}
    if rounds > 1:
        formulas["agree"] = f"AG (leaf -> {' & '.join(f's0 == s{k}' for k in range(1, rounds))})"
    return case(f"surface-memory-{distance}-{rounds}", qc, props, formulas, broken)


def _check(qc: QuantumCircuit, check: str, skip: bool) -> None:
    """Bring the parity of a check to the last qubit; `skip` leaves out the first data qubit."""
    helper = qc.num_qubits - 1
    touched = [q for q, letter in enumerate(check) if letter != "I"]
    qc.h(helper)
    for q in touched[1:] if skip else touched:
        (qc.cx if check[q] == "X" else qc.cz)(helper, q)
    qc.h(helper)


def loop_among_live_bits(n: int, broken: Literal["correction"] | None = None) -> Case:
    """n outcomes are kept while a coin is thrown until it shows 0; then each undoes its own flip.

    `broken` corrects the last qubit by the bit of the first.
    """
    at_least(2, n=n)
    data, coin = QuantumRegister(n, "d"), QuantumRegister(1, "coin")
    qc = QuantumCircuit(data, coin, ClassicalRegister(n, "c"), ClassicalRegister(1, "go"))
    qc.h(data)
    qc.measure(data, qc.cregs[0])
    qc.x(coin)
    qc.measure(coin, qc.cregs[1])
    with qc.while_loop((qc.cregs[1], 1)):
        qc.reset(coin)
        qc.h(coin)
        qc.measure(coin, qc.cregs[1])
    for k in range(n):
        with qc.if_test((qc.clbits[0 if broken and k == n - 1 else k], 1)):
            qc.x(data[k])
    return case(f"loop-among-{n}", qc, {"target": f"span({ket('0' * n)}) on d"}, broken=broken)
