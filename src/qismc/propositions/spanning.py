"""Propositions as vectors that span them: what starts, recorded states and tests of sums are made of.

On few qubits every proposition is written out. On many qubits a meet is a code (Pauli strings, and kets whose
letters Paulis stabilise) beside one other piece: a span, or anything on few qubits. It is spanned by that
piece's vectors, beside basis states that are projected to the code.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from itertools import product
from typing import Literal

from typing_extensions import assert_never

from qismc.engines import DenseEngine, Engine, Vector
from qismc.errors import NoCompactForm, Undecided
from qismc.limits import Budget, Limits
from qismc.program import single
from qismc.propositions.codes import Representatives, stabilised_part
from qismc.propositions.propositions import (
    WHOLE,
    Join,
    Meet,
    Nothing,
    Perp,
    Proposition,
    SpanOf,
    Stabilised,
    Support,
    Whole,
    meet,
    relabel,
    states_of,
    support,
)
from qismc.propositions.states import KetSum, Recorded, embed, letter, make, zeros
from qismc.system import Application

START = "init"
"""What a start is called."""
EXPANSION_LIMIT = 8
"""Up to this many qubits a subspace of any kind can be written out as a basis."""
MOST_SPANNING = 1024
"""On more qubits than can be expanded, a space is written out if it has at most so many dimensions."""
PAULIS = {"0": (1, "Z"), "1": (-1, "Z"), "+": (1, "X"), "-": (-1, "X"), "r": (1, "Y"), "l": (-1, "Y")}
"""The signed Pauli that stabilises a letter."""


def spanning(engine: Engine, proposition: Proposition, what: str) -> list[Vector]:
    """Vectors that span the proposition, in an order that does not depend on the engine."""
    span_of_all = isinstance(proposition, SpanOf) and len(_qubits(proposition, engine)) == engine.num_qubits
    if engine.num_qubits <= EXPANSION_LIMIT or span_of_all or isinstance(proposition, Nothing):
        return expand(engine, proposition)
    if isinstance(proposition, Join):
        return spanning(engine, proposition.left, what) + spanning(engine, proposition.right, what)
    found = _pieces(engine, proposition)
    if found is None:
        raise NoCompactForm(
            f"{what} has no small spanning set over {engine.num_qubits} qubits",
            hint=_hint(proposition, engine.num_qubits, what),
        )
    return found


def _hint(proposition: Proposition, num_qubits: int, what: str) -> str:
    """What to do; of a start that leaves qubits free, one vector with partners carries all states."""
    kets = f"give at most {MOST_SPANNING} kets on all qubits (up to {EXPANSION_LIMIT} qubits anything goes)"
    free = what == START and len(support(proposition, num_qubits)) < num_qubits
    return f"write 'any on ...' in the place of 'full on ...', or {kets}" if free else kets


def _qubits(proposition: SpanOf, engine: Engine) -> tuple[int, ...]:
    """The qubits of a span, in the order of its letters."""
    return proposition.qubits or tuple(range(engine.num_qubits))


# --- on few qubits -----------------------------------------------------------------------------------------


def expand(engine: Engine, proposition: Proposition) -> list[Vector]:
    """Vectors of the engine that span the proposition (they need not be independent)."""
    match proposition:
        case Whole():
            return _kets(engine, ["".join(digits) for digits in product("01", repeat=engine.num_qubits)])
        case Nothing():
            return []
        case SpanOf(states):
            qubits, width = _qubits(proposition, engine), engine.num_qubits
            return [make(engine, placed) for state in states for placed in embed(state, qubits, width)]
        case Support():
            hint = "join it as a whole, without `on`, or ask the parts in formulas of their own"
            raise NoCompactForm("sp(…) on some qubits is part of a \\/ or a start", hint=hint)
        case Stabilised():
            words = Representatives(proposition.on(range(engine.num_qubits))).words()
            return _projected(engine, proposition, _kets(engine, words))
        case Perp(operand):
            return engine.complement(expand(engine, operand))
        case Join(left, right):
            return expand(engine, left) + expand(engine, right)
        case Meet(left, right):
            complements = [engine.complement(expand(engine, side)) for side in (left, right)]
            return engine.complement(complements[0] + complements[1])
    assert_never(proposition)


def _kets(engine: Engine, words: list[str]) -> list[Vector]:
    return engine.kets({name: letter(engine.ring, name) for name in "01"}, words) if words else []


def _projected(engine: Engine, code: Stabilised, vectors: Iterable[Vector]) -> list[Vector]:
    """The images under the code's projector that are not zero."""
    parts = (stabilised_part(engine, code, vector) for vector in vectors)
    return [part for part in parts if part is not None]


# --- meets on many qubits -----------------------------------------------------------------------------------


def _pieces(engine: Engine, proposition: Proposition) -> list[Vector] | None:
    """The vectors of a meet of a code with something beside it; None if it is none, or too large."""
    width = engine.num_qubits
    codes, other = _parted(_meet_sides(proposition), width)
    inner = tuple(sorted(support(other, width)))
    if any(support(code, width).intersection(inner) for code in codes):
        return None
    beside = [q for q in range(width) if q not in inner]
    code = Stabilised(tuple(pauli for one in codes for pauli in one.on(beside).paulis), tuple(beside))
    choices = Representatives(code)
    vectors = _inner(engine, other, inner) if 0 < choices.dimension <= MOST_SPANNING else []
    if vectors is None or choices.dimension * max(len(vectors), 1) > MOST_SPANNING:
        return None
    found = (_flipped(engine, v, word, beside) for word in choices.words() for v in vectors)
    return _projected(engine, code, found)


def _meet_sides(proposition: Proposition) -> tuple[Proposition, ...]:
    """The sides of the meets at the top."""
    if isinstance(proposition, Meet):
        return (*_meet_sides(proposition.left), *_meet_sides(proposition.right))
    return (proposition,)


def _parted(parts: Sequence[Proposition], width: int) -> tuple[list[Stabilised], Proposition]:
    """The codes that share no qubit with anything else, and the meet of all the rest."""
    read = [(part, _as_code(part, width)) for part in parts]
    codes = [code for _, code in read if code is not None]
    rest = reduce(meet, (part for part, code in read if code is None), WHOLE)
    while touching := [code for code in codes if support(code, width) & support(rest, width)]:
        codes = [code for code in codes if code not in touching]
        rest = reduce(meet, touching, rest)
    return codes, rest


def _as_code(part: Proposition, width: int) -> Stabilised | None:
    """The part as a code, if it is one: strings of Paulis, or one ket whose letters are stabilised."""
    if isinstance(part, Stabilised):
        return part
    if isinstance(part, SpanOf) and len(part.states) == 1 and isinstance(part.states[0], KetSum):
        terms, qubits = part.states[0].terms, part.qubits or tuple(range(width))
        if len(terms) == 1:
            signed, none = [PAULIS[name] for name in terms[0][1]], "I" * len(qubits)
            paulis = tuple((sign, none[:k] + p + none[k + 1 :]) for k, (sign, p) in enumerate(signed))
            return Stabilised(paulis, qubits)
    return None


def _inner(engine: Engine, other: Proposition, qubits: tuple[int, ...]) -> list[Vector] | None:
    """The vectors of the piece that is no code, with |0> beside it; None if nobody knows them."""
    if isinstance(other, Whole):
        return [zeros(engine)]
    if isinstance(other, SpanOf):
        local, order = engine.sub(_qubits(other, engine)), _qubits(other, engine)
        return [engine.embedded(make(local, state), order) for state in other.states]
    if len(qubits) > EXPANSION_LIMIT:
        return None
    found = expand(engine.sub(qubits), relabel(other, {q: k for k, q in enumerate(qubits)}))
    return [engine.embedded(vector, qubits) for vector in found]


def _flipped(engine: Engine, vector: Vector, word: str, qubits: Sequence[int]) -> Vector:
    """The vector with |1> in the place of |0> where a word says so."""
    gates = [Application(single("x", 1), (q,)) for q, digit in zip(qubits, word, strict=True) if digit == "1"]
    return engine.run(engine.compile(gates), vector) if gates else vector


# --- everything, or nothing ---------------------------------------------------------------------------------

Extent = Literal["whole", "zero"]
WIDEST = 6
"""Most qubits of a proposition that is written out to see whether it is everything or nothing."""
MOST_REMEMBERED = 1 << 10
"""Number of answers that are kept."""


@lru_cache(maxsize=MOST_REMEMBERED)
def extent(proposition: Proposition, num_qubits: int) -> Extent | None:
    """Is it everything, or nothing? None where it is neither, or where that takes long to tell."""
    if isinstance(proposition, Whole | Nothing):
        return "whole" if isinstance(proposition, Whole) else "zero"
    qubits = sorted(support(proposition, num_qubits))
    if not 0 < len(qubits) <= WIDEST or not _may_be_trivial(proposition, 1 << len(qubits)):
        return None
    local = DenseEngine(len(qubits), Budget(Limits()))
    span = local.span()
    try:
        for vector in expand(local, relabel(proposition, {qubit: k for k, qubit in enumerate(qubits)})):
            span.add(vector)
    except Undecided:  # rounding would decide
        return None
    return "zero" if not span.dimension else "whole" if span.dimension == 1 << len(qubits) else None


def _may_be_trivial(proposition: Proposition, dimension: int) -> bool:
    """Are there enough states, or several parts, so that it has to be computed?"""
    match proposition:
        case Perp(operand):
            return _may_be_trivial(operand, dimension)
        case SpanOf(states, qubits):
            needed = dimension if qubits is None else 1 << len(qubits)
            return len(states) >= needed and _is_written(proposition)
        case Stabilised(paulis):
            return len(paulis) > 1
        case Meet() | Join():
            return _is_written(proposition)
    return False


def _is_written(proposition: Proposition) -> bool:
    """Is it made of what the user wrote, and not of computed states?"""
    return not any(isinstance(state, Recorded) for state in states_of(proposition))
