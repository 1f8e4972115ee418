"""Fault-tolerant error correction of the [[5,1,3]] code with two extra qubits, a probe and a flag.

Each check is measured by a probe that touches four data qubits. A flip of the probe half-way spreads to two
of them, more than the code can undo. A flag, coupled to the probe after the first and before the last of
the four, notices. The first check with a flag or an outcome 1 is followed by a plain measurement of all
four, and with a flag their outcomes are looked up in a table of their own.

`kept`: if at most one thing goes wrong in all of this, a perfect correction afterwards finds the encoded
state again, for every state of the encoded qubit. The bug: the flag is measured and not listened to.
"""

from __future__ import annotations

from itertools import product

from qiskit import ClassicalRegister, QuantumRegister
from qiskit.circuit import Clbit
from qiskit.synthesis import synth_circuit_from_stabilizers

import qismc
from qismc import Faults, QuantumCircuit

CHECKS = ("XZZXI", "IXZZX", "XIXZZ", "ZXIXZ")
SPECS = {"kept": "AG (leaf -> sp(encoded))"}
EXPECTED = {
    "flagged": {"kept": "holds"},
    "deaf": {"kept": "violated"},
}


def flagged() -> QuantumCircuit:
    """The flag chooses the table."""
    return _circuit("flagged", listen=True)


def deaf() -> QuantumCircuit:
    """The bug: the table of single errors, whatever the flag says."""
    return _circuit("deaf", listen=False)


def _circuit(name: str, *, listen: bool) -> QuantumCircuit:
    registers = [QuantumRegister(n, text) for text, n in (("data", 5), ("ref", 1), ("probe", 1), ("flag", 1))]
    bits = [ClassicalRegister(n, text) for text, n in (("done", 1), ("outcome", 1), ("raised", 1), ("s", 4))]
    qc = QuantumCircuit(*registers, *bits, name=name)
    stabilisers = [*(f"{check}I" for check in CHECKS), "XXXXXX", "ZZZZZZ"]
    qc.compose(synth_circuit_from_stabilizers([text[::-1] for text in stabilisers]), range(6), inplace=True)
    qc.mark("encoded")
    done, outcome, raised, syndrome = bits
    for check in CHECKS:
        with qc.if_test((done, 0)):
            _measure(qc, check, outcome[0], raised[0])
            with qc.if_test((raised, 1)):
                _measure_all(qc, syndrome)
                _correct(qc, syndrome, _spread(check) if listen else _singles())
                qc.store(done, 1)
            with qc.if_test((done, 0)), qc.if_test((outcome, 1)):
                _measure_all(qc, syndrome)
                _correct(qc, syndrome, _singles())
                qc.store(done, 1)
    qc.mark("perfect")
    _measure_all(qc, syndrome)
    _correct(qc, syndrome, _singles())
    qc.reset([*registers[2], *registers[3]])
    return qc


def _measure(qc: QuantumCircuit, check: str, outcome: Clbit, raised: Clbit | None = None) -> None:
    """One check with the probe, and with the flag if there is a bit for it."""
    data, _, (probe,), (flag,) = qc.qregs
    gates = {"X": qc.cx, "Z": qc.cz}
    qc.reset(probe)
    qc.h(probe)
    if raised is not None:
        qc.reset(flag)
    for step, (k, letter) in enumerate(_letters(check)):
        if raised is not None and step in (1, 3):
            qc.cx(probe, flag)
        gates[letter](probe, data[k])
    qc.h(probe)
    qc.measure(probe, outcome)
    if raised is not None:
        qc.measure(flag, raised)


def _measure_all(qc: QuantumCircuit, syndrome: ClassicalRegister) -> None:
    for check, bit in zip(CHECKS, syndrome, strict=True):
        _measure(qc, check, bit)


def _correct(qc: QuantumCircuit, syndrome: ClassicalRegister, table: dict[int, str]) -> None:
    for value, error in table.items():
        with qc.if_test((syndrome, value)):
            for k, letter in _letters(error):
                getattr(qc, letter.lower())(k)


def _letters(pauli: str) -> list[tuple[int, str]]:
    return [(k, letter) for k, letter in enumerate(pauli) if letter != "I"]


def _singles() -> dict[int, str]:
    """From syndromes to errors on one qubit."""
    errors = ("I" * k + kind + "I" * (4 - k) for k, kind in product(range(5), "XYZ"))
    return {_syndrome(error): error for error in errors}


def _spread(check: str) -> dict[int, str]:
    """From syndromes to what a flip of the probe makes of the data: the rest of the check."""
    places = [k for k, _ in _letters(check)]
    rests = ("".join(letter if k > at else "I" for k, letter in enumerate(check)) for at in places[:3])
    return _singles() | {_syndrome(rest): rest for rest in rests}


def _syndrome(error: str) -> int:
    """Bit k is set if the error anticommutes with check k."""
    clashes = [sum(a != b and "I" not in (a, b) for a, b in zip(error, c, strict=True)) for c in CHECKS]
    return sum((count % 2) << k for k, count in enumerate(clashes))


def run() -> dict[str, qismc.Result]:
    """Both programs with their verdicts."""
    anything = Faults(at_most=1, where=("encoded..perfect",))
    return {circuit.__name__: qismc.check(circuit(), SPECS, faults=anything) for circuit in (flagged, deaf)}


if __name__ == "__main__":
    for name, result in run().items():
        print(f"--- {name}\n{result}\n")
