"""Descriptions of states, free of any engine, and how an engine makes vectors of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, Protocol

import numpy as np
from typing_extensions import assert_never

from qismc.common.lazily import hashed_once
from qismc.common.scalars import COMPLEX, Scalars
from qismc.engines import Amplitudes, Engine, Vector
from qismc.errors import SpecError
from qismc.language import ONE, Coefficient, syntax, to_text
from qismc.program import single
from qismc.system import Application


@hashed_once
@dataclass(frozen=True)
class KetSum:
    """A linear combination of product kets; letter k is qubit k."""

    terms: tuple[tuple[Coefficient, str], ...]

    @property
    def width(self) -> int:
        return len(self.terms[0][1])

    @property
    def text(self) -> str:
        """A text that tells it apart from other states, as all states have one."""
        return repr(self)


@dataclass(frozen=True, eq=False)
class Listed:
    """2^n literal amplitudes; qubit 0 is the most significant digit of the index."""

    values: Amplitudes

    @property
    def width(self) -> int:
        return int(self.values.size).bit_length() - 1

    @property
    def text(self) -> str:
        return f"listed {digest_of(self.values.tobytes())}"


@dataclass(frozen=True, eq=False)
class Prepared:
    """What gates make of |0..0>."""

    width: int
    gates: tuple[Application, ...]

    @property
    def text(self) -> str:
        return f"prepared {self.width} {[(gate.operator.factors, gate.qubits) for gate in self.gates]}"


class RecordedStates(Protocol):
    """A list of vectors that some model computed, and that any engine can have."""

    width: int
    text: str
    conjugating: bool
    independent: bool
    """Are the vectors known to be independent for the very angles of the program?"""

    def vectors(self, engine: Engine) -> Sequence[Vector]: ...

    @property
    def note(self) -> Callable[[Any], None]:
        """Tells a recorder which numbers are used."""


@dataclass(frozen=True, eq=False)
class Recorded:
    """Number `number` of the vectors of an origin."""

    origin: RecordedStates
    number: int

    @property
    def width(self) -> int:
        return self.origin.width

    @property
    def text(self) -> str:
        return f"recorded {self.origin.text} {self.number}"


State = KetSum | Listed | Prepared | Recorded


def digest_of(data: bytes) -> str:
    """A short text instead of long data."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def letter(ring: Scalars[Any], name: str) -> tuple[Any, Any]:
    """The unnormalised amplitudes of a one-qubit state: 0 1 + - and r l = |0> +- i|1>."""
    zero, one = ring.rational(0), ring.rational(1)
    if name in "01":
        return (one, zero) if name == "0" else (zero, one)
    turn = {"+": 0, "r": 1, "-": 2, "l": 3}[name]
    return one, ring.turn(Fraction(turn, 4))


def make(engine: Engine, state: State) -> Vector:
    """The vector of a state; letters + - r l count with their factor 1/sqrt(2) in sums."""
    if isinstance(state, Listed):
        return engine.amplitudes(state.values)
    if isinstance(state, Prepared):
        return engine.run(engine.compile(state.gates), zeros(engine))
    if isinstance(state, Recorded):
        return state.origin.vectors(engine)[state.number]
    if isinstance(state, KetSum):
        return _ket_sum(engine, state)
    assert_never(state)


def zeros(engine: Engine) -> Vector:
    """|0..0>."""
    return engine.kets({"0": letter(engine.ring, "0")}, ["0" * engine.num_qubits])[0]


def _ket_sum(engine: Engine, state: KetSum) -> Vector:
    ring, words = engine.ring, [letters for _, letters in state.terms]
    made = {name: letter(ring, name) for name in sorted(set("".join(words)))}
    if len(words) == 1 and state.terms[0][0] == ONE:  # a product of letters, none of which is zero
        return engine.kets(made, words)[0]
    values: dict[int, Any] = {}  # by identity: terms share their coefficients, which the state keeps
    for coefficient, _ in state.terms:
        if id(coefficient) not in values:
            values[id(coefficient)] = coefficient.value(ring)
    coefficients = [normalised(ring, values[id(c)], letters) for c, letters in state.terms]
    if ring is COMPLEX:  # rounding is judged at unit scale
        largest = max(map(abs, coefficients))
        coefficients = [c / largest if largest else c for c in coefficients]
    found = engine.superposition(made, words, coefficients)
    if engine.is_zero(found):
        ket = syntax.Ket(tuple(syntax.Term(c, letters) for c, letters in state.terms))
        raise SpecError(f"{to_text(syntax.Quantum(ket))} is the zero vector", hint="the zero space is 'zero'")
    return engine.kets(made, words)[0] if len(words) == 1 else found


def normalised(ring: Scalars[Any], coefficient: Any, letters: str) -> Any:
    """The coefficient times what the letters + - r l lack to have length 1."""
    superposed = len(letters) - letters.count("0") - letters.count("1")
    return coefficient * ring.sqrt(Fraction(1, 2**superposed)) if superposed else coefficient


def embed(state: State, qubits: Sequence[int], width: int) -> list[State]:
    """States over `width` qubits that span (line of the state on `qubits`) (x) (all of the others)."""
    if tuple(qubits) == tuple(range(width)):
        return [state]
    others = [k for k in range(width) if k not in set(qubits)]
    return [
        _place(state, qubits, dict(zip(others, digits, strict=True)), width)
        for digits in product("01", repeat=len(others))
    ]


def _place(state: State, qubits: Sequence[int], fixed: dict[int, str], width: int) -> State:
    """The state on `qubits`, basis letters elsewhere."""
    if isinstance(state, KetSum):
        return KetSum(tuple((c, _spread(letters, qubits, fixed, width)) for c, letters in state.terms))
    if isinstance(state, Listed):
        rest = np.zeros(2 ** len(fixed), dtype=complex)
        rest[int("".join(fixed.values()) or "0", 2)] = 1
        tensor = np.kron(state.values, rest).astype(complex).reshape((2,) * width)
        return Listed(np.moveaxis(tensor, range(width), [*qubits, *fixed]).reshape(-1))
    flips = tuple(Application(single("x", 1), (k,)) for k, digit in fixed.items() if digit == "1")
    if isinstance(state, Prepared):
        gates = tuple(Application(g.operator, tuple(qubits[q] for q in g.qubits)) for g in state.gates)
        return Prepared(width, gates + flips)
    if isinstance(state, Recorded):
        raise TypeError("a recorded state always speaks of all qubits")
    assert_never(state)


def _spread(letters: str, qubits: Sequence[int], fixed: dict[int, str], width: int) -> str:
    placed = dict(zip(qubits, letters, strict=True)) | fixed
    return "".join(placed[k] for k in range(width))
