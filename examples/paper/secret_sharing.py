"""Verifiable quantum secret sharing: is the secret still there after it was verified?

The dealer encodes the secret in n shares and a verifier, the uniform superposition, in n others (mark
`enc`). CNOTs from each share of the secret to the same share of the verifier, then the verifier is
measured. For a CSS code the CNOTs make a CNOT of the encoded qubits, the uniform superposition does not
notice it, and neither does the secret. The [[5,1,3]] code is not CSS: the CNOTs entangle the shares, and
the measurement tears the secret out of the code.

C is what the shares of the secret can be at `enc`. `kept`: it is true at the end. `next`: after `enc`,
whatever the next step does, it becomes true again. `again`: verified in an endless loop, the secret is in
the code again and again. The secret is any state: `init` leaves it open.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from qiskit import ClassicalRegister, QuantumRegister

import qismc
from qismc import QuantumCircuit


class Code(NamedTuple):
    """An encoder of the qubit at `input`, and the checks of the code."""

    checks: tuple[str, ...]
    input: int
    encode: Callable[[QuantumCircuit, QuantumRegister], None]


def encode_five(qc: QuantumCircuit, share: QuantumRegister) -> None:
    """Share k < 4, in |0>, turns into the control of the rest of check k."""
    gates = {"X": qc.cx, "Y": qc.cy, "Z": qc.cz}
    for k, check in enumerate(FIVE.checks):
        qc.h(share[k])
        if check[k] == "Y":
            qc.s(share[k])
        for j, letter in enumerate(check):
            if j != k and letter != "I":
                gates[letter](share[k], share[j])


def encode_steane(qc: QuantumCircuit, share: QuantumRegister) -> None:
    """CNOTs alone: checks of one kind make a CSS code."""
    qc.cx(share[2], [share[4], share[5]])
    for pivot, row in zip((0, 1, 3), ROWS, strict=True):
        qc.h(share[pivot])
        qc.cx(share[pivot], [share[k] for k in row if k != pivot])


ROWS = ((0, 2, 4, 6), (1, 2, 5, 6), (3, 4, 5, 6))
FIVE = Code(("YZIZY", "IXZZX", "ZZXIX", "ZIZYY"), 4, encode_five)
STEANE = Code(
    tuple("".join(kind if k in row else "I" for k in range(7)) for kind in "XZ" for row in ROWS),
    2,
    encode_steane,
)
ONCE = {
    "encoded": "AG (enc -> C)",
    "kept": "AG (leaf -> C)",
    "next": "AG (enc -> AX AF C)",
    "sent": "AG (sent -> code)",
}
FOR_EVER = {"encoded": "AG (enc -> C)", "again": "AG AF C"}
EXPECTED = {
    "five": {"encoded": "holds", "kept": "violated", "next": "violated", "sent": "violated"},
    "steane": {"encoded": "holds", "kept": "holds", "next": "holds", "sent": "holds"},
    "five_for_ever": {"encoded": "holds", "again": "violated"},
    "steane_for_ever": {"encoded": "holds", "again": "holds"},
}


def five() -> QuantumCircuit:
    """The protocol with the [[5,1,3]] code."""
    return _once(FIVE, "five")


def steane() -> QuantumCircuit:
    """The protocol with Steane's code."""
    return _once(STEANE, "steane")


def five_for_ever() -> QuantumCircuit:
    """The same secret verified again and again, with the [[5,1,3]] code."""
    return _for_ever(FIVE, "five_for_ever")


def steane_for_ever() -> QuantumCircuit:
    """The same secret verified again and again, with Steane's code."""
    return _for_ever(STEANE, "steane_for_ever")


def _once(code: Code, name: str) -> QuantumCircuit:
    qc = _shares(code, name)
    secret, verifier = qc.qregs
    code.encode(qc, secret)
    qc.h(verifier[code.input])
    code.encode(qc, verifier)
    qc.mark("enc")
    _verify(qc)
    return qc


def _for_ever(code: Code, name: str) -> QuantumCircuit:
    qc = _shares(code, name)
    secret, verifier = qc.qregs
    code.encode(qc, secret)
    qc.mark("enc")
    never = ClassicalRegister(1, "never")
    qc.add_register(never)
    with qc.while_loop((never, 0)):
        qc.h(verifier[code.input])
        code.encode(qc, verifier)
        _verify(qc)
        qc.store(qc.cregs[0], 0)
    return qc


def _shares(code: Code, name: str) -> QuantumCircuit:
    size = len(code.checks[0])
    return QuantumCircuit(
        QuantumRegister(size, "secret"),
        QuantumRegister(size, "verifier"),
        ClassicalRegister(size, "seen"),
        name=name,
    )


def _verify(qc: QuantumCircuit) -> None:
    secret, verifier = qc.qregs
    qc.cx(secret, verifier)
    qc.mark("sent")
    for share, bit in zip(verifier, qc.cregs[0], strict=True):
        qc.measure(share, bit)
        qc.reset(share)


def _check(circuit: QuantumCircuit, code: Code, specs: dict[str, str], c: str) -> qismc.Result:
    props = {"C": c, "code": f"stab({', '.join(code.checks)}) on secret"}
    return qismc.check(circuit, specs, init=f"full on secret[{code.input}]", props=props)


def run() -> dict[str, qismc.Result]:
    """The four programs with their verdicts. In the loop, C is given by the checks of the code."""
    return {
        "five": _check(five(), FIVE, ONCE, "sp(enc) on secret"),
        "steane": _check(steane(), STEANE, ONCE, "sp(enc) on secret"),
        "five_for_ever": _check(five_for_ever(), FIVE, FOR_EVER, "code"),
        "steane_for_ever": _check(steane_for_ever(), STEANE, FOR_EVER, "code"),
    }


if __name__ == "__main__":
    for name, result in run().items():
        print(f"--- {name}\n{result}\n")
