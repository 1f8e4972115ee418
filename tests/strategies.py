"""Random small programs, subspaces and formulas."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from math import pi

import numpy as np
from hypothesis import strategies as st
from qiskit.circuit import Gate as QiskitGate
from qiskit.circuit import library as gates

from qismc.language.syntax import And, Atom, Compare, Formula, Iff, Implies, Not, Or, Ref, Temporal

from .reference import Matrix, complement, embed, join, kernel, meet, nothing, projector, span, whole
from .toy import Block, Break, Gate, If, Mark, Measure, Reset, Statement, Test, Toy, While

CLIFFORD = [gates.HGate, gates.XGate, gates.YGate, gates.ZGate, gates.SGate, gates.SdgGate, gates.SXGate]
ONE = [*CLIFFORD, gates.TGate, gates.TdgGate]
ROTATIONS = [gates.RXGate, gates.RYGate, gates.RZGate, gates.PhaseGate]
TWO = [gates.CXGate, gates.CZGate, gates.SwapGate, gates.CHGate, gates.iSwapGate, gates.DCXGate]
TWO_ANGLED = [gates.CPhaseGate, gates.CRYGate, gates.RZZGate, gates.RXXGate]
OPEN = [gates.HGate, gates.XGate, gates.TGate]


@st.composite
def operations(draw: st.DrawFn, most: int) -> QiskitGate:
    """A gate on at most `most` qubits."""
    turn = draw(st.integers(-15, 16)) * pi / 8
    kinds = [st.sampled_from(ONE).map(lambda g: g()), st.sampled_from(ROTATIONS).map(lambda g: g(turn))]
    if most >= 2:
        kinds += [st.sampled_from(TWO).map(lambda g: g()), st.sampled_from(TWO_ANGLED).map(lambda g: g(turn))]
        kinds.append(st.sampled_from(OPEN).map(lambda g: g().control(1, ctrl_state=0)))
    if most >= 3:
        kinds.append(st.just(gates.CCXGate()))
        kinds.append(st.integers(0, 3).map(lambda state: gates.XGate().control(2, ctrl_state=state)))
    return draw(st.one_of(kinds))


@st.composite
def unitaries(draw: st.DrawFn, num_qubits: int) -> Gate:
    operation = draw(operations(num_qubits))
    order = draw(st.permutations(range(num_qubits)))
    return Gate(operation, tuple(order[: operation.num_qubits]))


@st.composite
def cliffords(draw: st.DrawFn, num_qubits: int) -> Gate:
    """H, S, CX and their like."""
    two = [gates.CXGate, gates.CZGate, gates.SwapGate] if num_qubits > 1 else []
    operation = draw(st.sampled_from([*CLIFFORD[:-1], *two]))()
    order = draw(st.permutations(range(num_qubits)))
    return Gate(operation, tuple(order[: operation.num_qubits]))


@st.composite
def tests(draw: st.DrawFn, num_bits: int) -> Test:
    if num_bits > 1 and draw(st.integers(0, 3)) == 0:
        return Test(None, draw(st.integers(0, 2**num_bits - 1)))
    return Test(draw(st.integers(0, num_bits - 1)), draw(st.integers(0, 1)))


@dataclass
class _Writer:
    """Draws statements; marks are numbered in the order of the text."""

    draw: st.DrawFn
    num_qubits: int
    num_bits: int
    clifford: bool
    loops: bool = True
    marks: int = 0

    def block(self, depth: int, inside: bool, least: int = 1, most: int = 4) -> Block:
        count = self.draw(st.integers(least, most))
        return tuple(self.statement(depth, inside) for _ in range(count))

    def statement(self, depth: int, inside: bool) -> Statement:
        qubit = st.integers(0, self.num_qubits - 1)
        deeper = ("iww" if self.loops else "ii") if depth else ""
        kind = self.draw(st.sampled_from("ggggmmrk" + deeper + ("b" if inside else "")))
        match kind:
            case "g":
                return self.draw((cliffords if self.clifford else unitaries)(self.num_qubits))
            case "m":
                return Measure(self.draw(qubit), self.draw(st.integers(0, self.num_bits - 1)))
            case "r":
                return Reset(self.draw(qubit))
            case "k":
                self.marks += 1
                return Mark(f"m{self.marks}")
            case "i":
                then = self.block(depth - 1, inside)
                otherwise = self.block(depth - 1, inside, least=0, most=2)
                return If(self.draw(tests(self.num_bits)), then, otherwise)
            case "w":
                return self.loop(depth)
        return If(self.draw(tests(self.num_bits)), (Break(),))

    def loop(self, depth: int) -> While:
        """The body often measures the bit that decides about the next turn."""
        test = self.draw(tests(self.num_bits))
        body = self.block(depth - 1, True)
        if test.bit is not None and self.draw(st.integers(0, 3)):
            body = (*body, Measure(self.draw(st.integers(0, self.num_qubits - 1)), test.bit))
        return While(test, body)

    def prelude(self) -> Block:
        """Superpositions and a measured bit, so that what follows has something to act on."""
        superpose = st.sampled_from([gates.HGate(), gates.RYGate(3 * pi / 8), gates.XGate()])
        if self.clifford:
            superpose = st.sampled_from([gates.HGate(), gates.XGate()])
        first = [Gate(self.draw(superpose), (q,)) for q in range(self.num_qubits)]
        if self.num_qubits > 1:
            first.append(Gate(gates.CXGate(), (0, 1)))
        return (*first, Measure(self.draw(st.integers(0, self.num_qubits - 1)), 0))


@st.composite
def toys(
    draw: st.DrawFn,
    most: int = 3,
    depth: int = 2,
    *,
    clifford: bool = False,
    size: int = 6,
    loops: bool = True,
) -> Toy:
    """A program with gates, measurements, resets, nested ifs and, unless they are not wanted, loops."""
    num_qubits, num_bits = draw(st.integers(1, most)), draw(st.integers(1, 2))
    writer = _Writer(draw, num_qubits, num_bits, clifford, loops)
    prelude = writer.prelude() if draw(st.integers(0, 5)) else ()
    return Toy(num_qubits, num_bits, (*prelude, *writer.block(depth, False, most=size)))


@st.composite
def lines(draw: st.DrawFn, num_qubits: int, size: int = 6) -> Block:
    """A straight line of gates."""
    return tuple(draw(st.lists(unitaries(num_qubits), max_size=size)))


# --- subspaces ---------------------------------------------------------------------------------------------

LETTERS = {0: "", 1: "+ ", -1: "- ", 1j: "+ i ", -1j: "- i "}


@dataclass(frozen=True, eq=False)
class Vectors:
    """Vectors with entries 0, 1, -1, i, -i; as columns and as text."""

    columns: Matrix

    @property
    def space(self) -> Matrix:
        return span(self.columns) if self.columns.shape[1] else nothing(len(self.columns))

    @property
    def text(self) -> str:
        items = [self._ket(column) for column in self.columns.T]
        return f"span({', '.join(items)})" if items else "zero"

    @staticmethod
    def _ket(column: Matrix) -> str:
        width = len(column).bit_length() - 1
        terms = [f"{LETTERS[complex(z)]}|{k:0{width}b}>" for k, z in enumerate(column) if z]
        return " ".join(terms).removeprefix("+ ")

    def __repr__(self) -> str:
        return self.text


@st.composite
def vectors(draw: st.DrawFn, num_qubits: int, least: int = 0, most: int = 3) -> Vectors:
    """A few sparse vectors; they may depend on each other, none is zero."""
    size = 2**num_qubits
    entry = st.sampled_from([0, 0, 1, 1, -1, 1j, -1j])
    column = st.lists(entry, min_size=size, max_size=size).filter(any)
    drawn = draw(st.lists(column, min_size=least, max_size=min(most, size)))
    return Vectors(np.array(drawn, dtype=complex).reshape(-1, size).T)


# --- formulas ----------------------------------------------------------------------------------------------


def _extend(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    quantifier = st.sampled_from("AE")
    return st.one_of(
        st.builds(Not, inner),
        *(st.builds(kind, inner, inner) for kind in (And, Or, Implies, Iff)),
        st.builds(lambda q, op, p: Temporal(q, op, (p,)), quantifier, st.sampled_from("XFG"), inner),
        st.builds(Temporal, quantifier, st.sampled_from("UWR"), st.tuples(inner, inner)),
    )


def formulas(names: list[str], num_bits: int) -> st.SearchStrategy[Formula]:
    """Formulas over named atoms and comparisons of the register c."""
    compare = st.builds(
        Compare, st.just(Ref("c")), st.sampled_from(["==", "!=", "<", ">="]), st.integers(0, 2**num_bits - 1)
    )
    return st.recursive(st.one_of(st.sampled_from(names).map(Atom), compare), _extend, max_leaves=5)


# --- propositions ------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Proposition:
    """The text of a subspace and what it means."""

    text: str
    space: Matrix

    def __repr__(self) -> str:
        return self.text


PAULI = {
    "I": np.eye(2),
    "X": np.array([[0, 1], [1, 0]]),
    "Y": np.array([[0, -1j], [1j, 0]]),
    "Z": np.diag([1, -1]),
}


@st.composite
def local(draw: st.DrawFn, num_qubits: int) -> Proposition:
    """A span on some qubits, in any order, tensor everything on the others."""
    count = draw(st.integers(1, num_qubits))
    qubits = draw(st.permutations(range(num_qubits)))[:count]
    small = draw(vectors(count, least=1, most=2))
    names = ", ".join(f"q[{q}]" for q in qubits)
    onto = embed(projector(small.space), tuple(reversed(qubits)), num_qubits)
    return Proposition(f"({small.text} on {names})", span(onto))


@st.composite
def stabilised(draw: st.DrawFn, num_qubits: int) -> Proposition:
    """The +1 eigenspace of one signed Pauli string."""
    string = draw(st.text("IXYZ", min_size=num_qubits, max_size=num_qubits))
    sign = draw(st.sampled_from(["", "-"]))
    matrix = reduce(np.kron, [PAULI[letter] for letter in string]) * (-1 if sign else 1)
    return Proposition(f"stab({sign}{string})", kernel(matrix - np.eye(len(matrix))))


def propositions(num_qubits: int) -> st.SearchStrategy[Proposition]:
    """Spans, local spans and codes under ~, /\\ and \\/."""
    spans = vectors(num_qubits, least=1).map(lambda v: Proposition(v.text, v.space))
    constants = st.sampled_from(
        [Proposition("full", whole(2**num_qubits)), Proposition("zero", nothing(2**num_qubits))]
    )

    def extend(inner: st.SearchStrategy[Proposition]) -> st.SearchStrategy[Proposition]:
        return st.one_of(
            inner.map(lambda p: Proposition(f"~{p.text}", complement(p.space))),
            st.builds(
                lambda p, q: Proposition(f"({p.text} /\\ {q.text})", meet(p.space, q.space)), inner, inner
            ),
            st.builds(
                lambda p, q: Proposition(f"({p.text} \\/ {q.text})", join(p.space, q.space)), inner, inner
            ),
        )

    atoms = st.one_of(spans, local(num_qubits), stabilised(num_qubits), constants)
    return st.recursive(atoms, extend, max_leaves=3)
