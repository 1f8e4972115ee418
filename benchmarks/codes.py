"""Error correction: rounds of syndrome measurement must bring a code state back from a Pauli error.

The state is prepared by measuring the generators; a look-up table says how to correct each syndrome.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Literal

from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit.circuit import Clbit, Qubit

from benchmarks.case import Case, at_least, case

Broken = Literal["decoder"]


@dataclass(frozen=True)
class Code:
    """Generators and the logical operator that fixes the state; strings read as data qubits 0, 1, 2, …"""

    name: str
    generators: tuple[str, ...]
    logical: str
    errors: str = "XYZ"  # the kinds of single-qubit errors that the code corrects

    @property
    def length(self) -> int:
        return len(self.logical)

    def syndrome(self, error: str) -> int:
        """Bit k is set if the error anticommutes with generator k."""
        return sum(_anticommute(generator, error) << k for k, generator in enumerate(self.generators))

    def table(self) -> dict[int, str]:
        """The correction of every syndrome that a single error can cause."""
        table: dict[int, str] = {}
        for kind, position in product(self.errors, range(self.length)):
            error = _single(kind, position, self.length)
            table.setdefault(self.syndrome(error), error)
        return table


def repetition_code(
    distance: int, rounds: int = 1, position: int = 0, error: str = "X", broken: Broken | None = None
) -> Case:
    """|0…0> + |1…1>, protected against bit flips."""
    at_least(3, distance=distance)
    pairs = tuple("I" * k + "ZZ" + "I" * (distance - k - 2) for k in range(distance - 1))
    code = Code(f"repetition-{distance}", pairs, "X" * distance, errors="X")
    return memory(code, rounds, position, error, broken)


def five_qubit_code(
    rounds: int = 1, position: int = 0, error: str = "Y", broken: Broken | None = None
) -> Case:
    """Logical zero of the [[5,1,3]] code."""
    code = Code("five-qubit", ("XZZXI", "IXZZX", "XIXZZ", "ZXIXZ"), "ZZZZZ")
    return memory(code, rounds, position, error, broken)


def steane_code(rounds: int = 1, position: int = 0, error: str = "Y", broken: Broken | None = None) -> Case:
    """Logical zero of Steane's [[7,1,3]] code: the parity checks of the Hamming code, in X and in Z."""
    checks = ["".join("1" if (q + 1) >> k & 1 else "0" for q in range(7)) for k in range(3)]
    generators = tuple(check.replace("0", "I").replace("1", kind) for kind in "XZ" for check in checks)
    return memory(Code("steane", generators, "Z" * 7), rounds, position, error, broken)


def surface_code(
    distance: int, rounds: int = 1, position: int = 0, error: str = "Y", broken: Broken | None = None
) -> Case:
    """Logical zero of the rotated surface code on distance x distance data qubits, row by row."""
    at_least(3, distance=distance)
    if distance % 2 == 0:
        raise ValueError(f"distance is {distance}; it must be odd")
    logical = "Z" * distance + "I" * (distance * (distance - 1))
    code = Code(f"surface-{distance}", plaquettes(distance), logical)
    return memory(code, rounds, position, error, broken)


def memory(code: Code, rounds: int, position: int, error: str, broken: Broken | None) -> Case:
    """Prepare, inject `error` on data qubit `position`, correct; `broken` forgets just this correction."""
    at_least(1, rounds=rounds)
    if not 0 <= position < code.length or len(error) != 1 or error not in code.errors:
        options = f"positions 0 to {code.length - 1} and errors {', '.join(code.errors)}"
        raise ValueError(
            f"error {error!r} at {position} is not corrected by this code; choose from {options}"
        )
    data, checks = QuantumRegister(code.length, "d"), QuantumRegister(len(code.generators), "a")
    syndrome, flip = ClassicalRegister(len(code.generators), "s"), ClassicalRegister(1, "f")
    qc = QuantumCircuit(data, checks, syndrome, flip)
    injected = _single(error, position, code.length)
    table = code.table()
    if broken:
        del table[code.syndrome(injected)]
    _prepare(qc, code)
    _apply(qc, injected)
    for _ in range(rounds):
        _correct(qc, code, table)
    props = {"code": f"stab({', '.join([*code.generators, code.logical])}) on d"}
    return case(f"{code.name}-{rounds}", qc, props, {"restored": "AG (leaf -> code)"}, broken)


def _prepare(qc: QuantumCircuit, code: Code) -> None:
    """Measures what |0…0> does not satisfy already, and flips wrong signs back by strings of Z."""
    open_checks = [pauli for pauli in (*code.generators, code.logical) if set(pauli) & set("XY")]
    ancilla, flip = qc.qubits[code.length], qc.clbits[-1]
    for pauli, fix in zip(open_checks, _sign_fixes(open_checks), strict=True):
        _measure_pauli(qc, pauli, ancilla, flip)
        with qc.if_test((flip, 1)):
            _apply(qc, fix)


def _correct(qc: QuantumCircuit, code: Code, table: dict[int, str]) -> None:
    for k, pauli in enumerate(code.generators):
        _measure_pauli(qc, pauli, qc.qubits[code.length + k], qc.clbits[k])
    for value, correction in table.items():
        with qc.if_test((qc.cregs[0], value)):
            _apply(qc, correction)


def _measure_pauli(qc: QuantumCircuit, pauli: str, ancilla: Qubit, outcome: Clbit) -> None:
    controlled = {"X": qc.cx, "Y": qc.cy, "Z": qc.cz}
    qc.h(ancilla)
    for k, letter in enumerate(pauli):
        if letter != "I":
            controlled[letter](ancilla, k)
    qc.h(ancilla)
    qc.measure(ancilla, outcome)
    qc.reset(ancilla)


def _apply(qc: QuantumCircuit, pauli: str) -> None:
    gates = {"X": qc.x, "Y": qc.y, "Z": qc.z}
    for k, letter in enumerate(pauli):
        if letter != "I":
            gates[letter](k)


def _sign_fixes(paulis: list[str]) -> list[str]:
    """For each Pauli string one of Z and I that anticommutes with it alone: Gauss-Jordan over GF(2)."""
    count = len(paulis)
    rows = [sum(1 << q for q, letter in enumerate(p) if letter in "XY") for p in paulis]
    made_of = [1 << k for k in range(count)]  # which of the original rows each row is the sum of
    pivots: list[int] = []
    for k in range(count):
        pivots.append((rows[k] & -rows[k]).bit_length() - 1)
        for other in range(count):
            if other != k and rows[other] >> pivots[k] & 1:
                rows[other] ^= rows[k]
                made_of[other] ^= made_of[k]
    length = len(paulis[0])
    hits = [{pivots[r] for r in range(count) if made_of[r] >> k & 1} for k in range(count)]
    return ["".join("Z" if q in chosen else "I" for q in range(length)) for chosen in hits]


def plaquettes(distance: int) -> tuple[str, ...]:
    """Squares between the data qubits, X and Z in turn; half squares of X at the ends, of Z at the sides."""
    generators = []
    for row, column in product(range(distance + 1), repeat=2):
        kind = "X" if (row + column) % 2 == 0 else "Z"
        at_end, at_side = row in (0, distance), column in (0, distance)
        if (at_end and (at_side or kind == "Z")) or (at_side and kind == "X"):
            continue
        corners = product((row - 1, row), (column - 1, column))
        inside = {r * distance + c for r, c in corners if 0 <= r < distance and 0 <= c < distance}
        generators.append("".join(kind if q in inside else "I" for q in range(distance**2)))
    return tuple(generators)


def _single(kind: str, position: int, length: int) -> str:
    return "I" * position + kind + "I" * (length - position - 1)


def _anticommute(a: str, b: str) -> bool:
    return sum(x != y and "I" not in (x, y) for x, y in zip(a, b, strict=True)) % 2 == 1
