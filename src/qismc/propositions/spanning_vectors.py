"""Propositions as few spanning vectors on all qubits: what seeds of sp and wp need.

On many qubits a meet is a code (Pauli strings, and kets whose letters Paulis stabilise) beside one other
piece: a span, or anything on few qubits. It is spanned by that piece's vectors, beside basis states that are
projected to the code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qismc.engines import Engine, Vector
from qismc.errors import NoCompactForm
from qismc.program import single
from qismc.propositions.codes import Representatives
from qismc.propositions.expansion import EXPANSION_LIMIT, expand, on_qubits, stabilised_part
from qismc.propositions.propositions import (
    Join,
    Meet,
    Nothing,
    Proposition,
    SpanOf,
    Stabilised,
    Whole,
    meet,
    relabel,
    support,
)
from qismc.propositions.states import KetSum, embed, make, zeros
from qismc.system import Application

START = "init"
"""What a start is called."""
MOST_SPANNING = 1024
"""On more qubits than can be expanded, a space is written out if it has at most so many dimensions."""
PAULIS = {"0": (1, "Z"), "1": (-1, "Z"), "+": (1, "X"), "-": (-1, "X"), "r": (1, "Y"), "l": (-1, "Y")}
"""The signed Pauli that stabilises a letter."""


def spanning(engine: Engine, proposition: Proposition, what: str) -> list[Vector]:
    """Vectors that span the proposition, in an order that does not depend on the engine."""
    if isinstance(proposition, Nothing):
        return []
    if isinstance(proposition, SpanOf) and len(_qubits(proposition, engine)) == engine.num_qubits:
        placed = (embed(s, _qubits(proposition, engine), engine.num_qubits) for s in proposition.states)
        return [make(engine, state) for (state,) in placed]
    if engine.num_qubits <= EXPANSION_LIMIT:
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


# --- meets on many qubits -----------------------------------------------------------------------------------


def _pieces(engine: Engine, proposition: Proposition) -> list[Vector] | None:
    """The vectors of a meet of a code with something beside it; None if it is none, or too large."""
    width = engine.num_qubits
    codes, other = _parted(list(_parts(proposition)), width)
    inner = tuple(sorted(support(other, width)))
    if any(support(code, width).intersection(inner) for code in codes):
        return None
    beside = [q for q in range(width) if q not in inner]
    code = Stabilised(tuple(pauli for one in codes for pauli in on_qubits(one, beside)), tuple(beside))
    choices = Representatives(code.paulis, len(beside))
    vectors = _inner(engine, other, inner) if 0 < choices.dimension <= MOST_SPANNING else []
    if vectors is None or choices.dimension * max(len(vectors), 1) > MOST_SPANNING:
        return None
    found = [_flipped(engine, v, word, beside) for word in choices.words() for v in vectors]
    projected = [stabilised_part(engine, code, vector) for vector in found]
    return [vector for vector in projected if vector is not None]


def _parts(proposition: Proposition) -> Iterator[Proposition]:
    """The sides of the meets at the top."""
    if isinstance(proposition, Meet):
        yield from _parts(proposition.left)
        yield from _parts(proposition.right)
    else:
        yield proposition


def _parted(parts: Sequence[Proposition], width: int) -> tuple[list[Stabilised], Proposition]:
    """The codes that share no qubit with anything else, and the meet of all the rest."""
    read = [(part, _code(part, width)) for part in parts]
    codes = [code for _, code in read if code is not None]
    rest: Proposition = Whole()
    for part in (part for part, code in read if code is None):
        rest = meet(rest, part)
    while touching := [code for code in codes if support(code, width) & support(rest, width)]:
        codes = [code for code in codes if code not in touching]
        for code in touching:
            rest = meet(rest, code)
    return codes, rest


def _code(part: Proposition, width: int) -> Stabilised | None:
    """The part as a code, if it is one: strings of Paulis, or one ket whose letters are stabilised."""
    if isinstance(part, Stabilised):
        return part
    if isinstance(part, SpanOf) and len(part.states) == 1 and isinstance(part.states[0], KetSum):
        terms, qubits = part.states[0].terms, part.qubits or tuple(range(width))
        if len(terms) == 1:
            letters = terms[0][1]
            named = [PAULIS[letter] for letter in letters]
            strings = ("I" * k + p + "I" * (len(letters) - k - 1) for k, (_, p) in enumerate(named))
            return Stabilised(
                tuple((sign, string) for (sign, _), string in zip(named, strings, strict=True)), qubits
            )
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
