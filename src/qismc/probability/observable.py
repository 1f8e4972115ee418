"""Observables: sums of Pauli strings such as `0.5 ZZ on q[0], q[1] - X on q[0]`, or Qiskit's own."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from qismc.common.loading import loading
from qismc.common.wording import counted
from qismc.errors import SpecError
from qismc.language import syntax
from qismc.program import single
from qismc.propositions import Scope
from qismc.system import Application

if TYPE_CHECKING:
    from qiskit.quantum_info import SparsePauliOp

HINT = "as in 'ZZ on q[0], q[1]' or '0.5 XX on q[0], q[1] - 1.5 ZI on q[0], q[1]'"
TERM = re.compile(
    r"\s*(?P<sign>[+-])?\s*(?P<number>\d+/\d*[1-9]\d*|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)?\s*\*?\s*(?P<paulis>[IXYZ]+)"
    r"(?:\s+on\s+(?P<qubits>[^+\-]+))?(?=\s*[+-]|\s*$)"
)
QUBIT = re.compile(r"\s*(?P<name>[^\W\d]\w*)\s*(?:\[\s*(?P<index>\d+)\s*\])?\s*\Z")


class Estimate(float):
    """A number with a bound on its error."""

    error: float

    def __new__(cls, value: float, error: float) -> Estimate:
        made = super().__new__(cls, value)
        made.error = error
        return made


@dataclass(frozen=True)
class PauliTerm:
    """coefficient times a product of Pauli matrices on some qubits."""

    coefficient: float
    paulis: str
    qubits: tuple[int, ...]

    @property
    def applications(self) -> list[Application]:
        """The operators that act; identities do not."""
        pairs = zip(self.paulis, self.qubits, strict=True)
        return [Application(single(letter.lower(), 1), (qubit,)) for letter, qubit in pairs if letter != "I"]

    @property
    def turned(self) -> set[int]:
        """The qubits whose basis is another than that of measurements."""
        return {qubit for letter, qubit in zip(self.paulis, self.qubits, strict=True) if letter in "XY"}


@dataclass(frozen=True)
class PauliSum:
    """A sum of terms."""

    terms: tuple[PauliTerm, ...]

    @property
    def norm(self) -> float:
        """A bound on its eigenvalues."""
        return sum(abs(term.coefficient) for term in self.terms)

    def dephased(self, qubits: Collection[int]) -> PauliSum:
        """What is expected of it after measurements of these qubits: X and Y of them have the mean 0.

        Whatever the outcomes of such measurements are said to be: sum over z of P(z) X P(z) = 0, and of Y.
        """
        return PauliSum(tuple(term for term in self.terms if not term.turned.intersection(qubits)))

    @property
    def width(self) -> int:
        """How many operators act in the longest term."""
        return max((len(term.applications) for term in self.terms), default=0)


def read_observable(observable: Any, scope: Scope) -> PauliSum:
    """The observable that a text, a Pauli or a SparsePauliOp stands for."""
    if isinstance(observable, str):
        return PauliSum(tuple(_terms(observable, scope)))
    with loading():
        from qiskit.quantum_info import Pauli, SparsePauliOp  # noqa: PLC0415 - texts do without

    if isinstance(observable, Pauli):
        observable = SparsePauliOp(observable)
    if isinstance(observable, SparsePauliOp):
        return _from_qiskit(observable, scope)
    raise SpecError(f"{type(observable).__name__} is no observable", hint=HINT)


def _from_qiskit(operator: SparsePauliOp, scope: Scope) -> PauliSum:
    """Qiskit's labels print qubit 0 last."""
    _check_width(operator.num_qubits, scope.program.num_qubits, "the operator")
    if max(abs(operator.coeffs.imag), default=0.0) > 0:
        raise SpecError("an observable has real coefficients")
    qubits = tuple(range(scope.program.num_qubits))
    return PauliSum(
        tuple(PauliTerm(float(c.real), label[::-1], qubits) for label, c in operator.simplify().to_list())
    )


def _terms(text: str, scope: Scope) -> list[PauliTerm]:
    found: list[PauliTerm] = []
    position = 0
    while position < len(text.rstrip()):
        term = TERM.match(text, position)
        if term is None or (found and not term["sign"]):
            raise SpecError(f"'{text[position:].strip()}' is no Pauli string", hint=HINT)
        position = term.end()
        number = _number(term["number"] or "1")
        qubits = _qubits(term["qubits"], scope)
        _check_width(len(term["paulis"]), len(qubits), f"'{term['paulis']}'")
        found.append(PauliTerm(-number if term["sign"] == "-" else number, term["paulis"], qubits))
    if not found:
        raise SpecError("the observable is empty", hint=HINT)
    return found


def _number(text: str) -> float:
    try:
        return float(Fraction(text))
    except OverflowError:
        raise SpecError(f"{text} is too large a coefficient", hint="multiply the result instead") from None


def _qubits(text: str | None, scope: Scope) -> tuple[int, ...]:
    if text is None:
        return tuple(range(scope.program.num_qubits))
    refs = []
    for word in text.split(","):
        matched = QUBIT.match(word)
        if matched is None:
            raise SpecError(f"'{word.strip()}' is no qubit", hint=HINT)
        refs.append(syntax.Ref(matched["name"], None if matched["index"] is None else int(matched["index"])))
    return scope.qubits(tuple(refs))


def _check_width(letters: int | None, qubits: int, what: str) -> None:
    if letters != qubits:
        raise SpecError(
            f"{what} has {counted(letters or 0, 'letter')} for {counted(qubits, 'qubit')}", hint=HINT
        )
