"""Exact and complex tensor trains: the native core of QisMC."""

from collections.abc import Sequence
import enum
from typing import Annotated, Any, overload

import numpy
import numpy.typing
from numpy.typing import NDArray

# ruff: noqa

class Field:
    """
    F_p on residues; on pairs (re, im) its extension F_p(i), for p = 3 mod 4.
    """

    def __init__(self, prime: int) -> None: ...
    @property
    def prime(self) -> int: ...
    @overload
    def add(self, a: int, b: int) -> int: ...
    @overload
    def add(self, a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]: ...
    @overload
    def sub(self, a: int, b: int) -> int: ...
    @overload
    def sub(self, a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]: ...
    @overload
    def mul(self, a: int, b: int) -> int: ...
    @overload
    def mul(self, a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]: ...
    @overload
    def inv(self, a: int) -> int: ...
    @overload
    def inv(self, a: tuple[int, int]) -> tuple[int, int]: ...
    @overload
    def pow(self, a: int, exponent: int) -> int: ...
    @overload
    def pow(self, a: tuple[int, int], exponent: int) -> tuple[int, int]: ...
    def conj(self, a: tuple[int, int]) -> tuple[int, int]:
        """Frobenius: (re, im) to (re, -im)."""

    def is_square(self, a: int) -> bool: ...
    def sqrt(self, a: int) -> int | None:
        """The smaller square root in F_p, or None."""

def is_prime(n: int) -> bool:
    """Whether n < 2^64 is prime."""

def drawn_prime(
    random: bytes, low: int, count: int, step: int, residue: int, radicands: Sequence[int]
) -> int | None:
    """
    The first prime (low + x) step + residue, modulo which all radicands are squares, that random words
    of 8 bytes draw: x is the top bits of a word, and words that give no x < count draw nothing.
    """

def have_quarters(prime: int, cosines: Sequence[tuple[int, int]]) -> bool:
    """
    Whether e^{it/4} exists for all angles t with the given cos^2(t/2), fractions (top, bottom): with norm 1
    in F_p(i) if p = 3 mod 4, else in F_p.
    """

def is_long_prime(h: int) -> bool:
    """
    Whether h 2^64 + 1 is a prime between 2^125 and 2^126; says no to one prime in 250,000.
    """

def is_long_conjugating_prime(h: int) -> bool:
    """
    Whether h 2^64 - 1 is a prime between 2^125 and 2^126; says no to few primes.
    """

class Rows:
    """The space of the rows joined so far."""

    @property
    def rank(self) -> int: ...
    def extend(self, rows: numpy.typing.NDArray[Any]) -> list[bool]:
        """Joins rows, one after the other; which of them were outside."""

class Algebra:
    """
    Linear algebra on matrices of residues, of the kinds fp, fp2, twin, long and long2.
    """

    def __init__(self, kind: str, prime: int, second_prime: int = 0) -> None: ...
    def product(
        self, a: numpy.typing.NDArray[Any], b: numpy.typing.NDArray[Any]
    ) -> numpy.typing.NDArray[Any]:
        """a b."""

    def echelon(self, m: numpy.typing.NDArray[Any]) -> tuple[numpy.typing.NDArray[Any], list[int]]:
        """The reduced echelon form without zero rows, and the pivots."""

    def rows(self, cols: int) -> Rows:
        """An empty space of rows with so many entries."""

class Layout:
    """
    Where the factors of operators act: the controls of factor j are controls[control_ends[j] :
    control_ends[j + 1]] and have `values`, targets likewise; its matrix is bases[chosen[j]]. It knows
    no numbers and no order of levels, so it serves every engine.
    """

    @property
    def controls(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...
    @property
    def values(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)]: ...
    @property
    def control_ends(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...
    @property
    def targets(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...
    @property
    def target_ends(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...
    @property
    def chosen(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...
    @property
    def bases(self) -> tuple[Any, ...]: ...
    @property
    def counts(self) -> tuple[Any, ...]:
        """The different operators, and how often each is applied."""

class Columns:
    """
    The gates of a program as arrays: gate k stands at points[k] and applies operators[numbers[k]] to
    qubits[starts[k]:starts[k + 1]]. Operators with equal factors have one number.
    """

    def __init__(self, code: object, gate: object | None) -> None:
        """
        Of statements, of which those of the type `gate` (all, if it is None) are pairs of an operator
        and its qubits.
        """

    @property
    def points(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...
    @property
    def numbers(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...
    @property
    def starts(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...
    @property
    def qubits(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...
    @property
    def crossings(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """The points where no gate stands."""

    @property
    def firsts(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """Where each operator stands first."""

    @property
    def spelled(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """
        What all operators do: widths, and the bases (by number), targets and controls of factors.
        """

    @property
    def operators(self) -> tuple[Any, ...]: ...
    @property
    def bases(self) -> tuple[Any, ...]:
        """The small matrices of all factors."""

    def between(self, first: int, last: int) -> tuple[int, int]:
        """
        The gates at the points first <= p < last: from which one to before which one.
        """

    def layout(self, first: int, last: int) -> Layout:
        """
        Where the factors of the gates at the points first <= p < last act: controls, their values and
        ends, targets and their ends, the base of each factor by its place among the bases, the bases,
        and the different operators with how often each is applied.
        """

    def interactions(
        self,
    ) -> tuple[
        Annotated[NDArray[numpy.int32], dict(shape=(None,))],
        Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    ]:
        """
        Ends and members of the sets of qubits that factors act on together, gate by gate.
        """

class Phases:
    """e^(i angle) of many angles, and gates that are sums of them."""

    def __init__(
        self,
        kind: str,
        prime: int,
        second_prime: int,
        generators: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        ends: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        which: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        exponents: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None:
        """
        Phase k is the product of generators[which[j]] ^ exponents[j] for the j before ends[k].
        """

    def __len__(self) -> int: ...
    def matrices(
        self,
        phases: int,
        coefficients: numpy.typing.NDArray[numpy.uint64],
        product_ends: numpy.typing.NDArray[numpy.int32],
        products: numpy.typing.NDArray[numpy.int32],
        sum_ends: numpy.typing.NDArray[numpy.int32],
        terms: numpy.typing.NDArray[numpy.int32],
        entries: numpy.typing.NDArray[numpy.int32],
        places: numpy.typing.NDArray[numpy.int32],
    ) -> numpy.typing.NDArray[numpy.uint64]:
        """The matrices of gates of one shape, a row for each."""

def spread(
    offsets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    neighbours: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    inside: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", device="cpu")],
    missing: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    expand: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> None:
    """
    The least set that contains `inside`, and l as soon as missing[l] of the edges that leave members
    in `expand` lead to it; the neighbours of l are neighbours[offsets[l]:offsets[l + 1]]. `inside`
    becomes that set, `missing` is used up.
    """

def rows_are_total(
    offsets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    neighbours: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> bool:
    """
    Do all rows follow one another, none of them empty, and do all edges stay in the graph?
    """

def reversed_rows(
    offsets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    neighbours: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> tuple[
    Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]
]:
    """The rows of all edges turned round, in order."""

def chain_rows(
    starts: Sequence[int], left: Sequence[int], entered: Sequence[int]
) -> tuple[
    Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]
]:
    """
    Offsets and neighbours of locations in chains: chain k has the numbers starts[k] .. starts[k + 1],
    each leads to the next one, the last one to the first ones of the chains entered[j] with
    left[j] = k, each once; `left` ascends.
    """

class Limits:
    """What a computation may use; None means no limit."""

    def __init__(
        self, seconds: float | None = None, memory_bytes: int | None = None, operations: int | None = None
    ) -> None: ...
    @property
    def seconds(self) -> float | None: ...
    @property
    def memory_bytes(self) -> int | None: ...
    @property
    def operations(self) -> int | None:
        """Of a space, since it was made."""

class LimitReached(RuntimeError):
    """A limit was hit."""

    kind: str
    message: str

class NumericDoubt(RuntimeError):
    """A float fell between zero and clearly not zero."""

class PrimesDisagree(RuntimeError):
    """A number is zero modulo one of two primes only."""

class Vector:
    """
    An immutable vector: an exact or complex tensor train, or a dense array.
    """

    def __init__(self, data: bytes) -> None:
        """The vector that dump() stored."""

    @property
    def levels(self) -> int: ...
    @property
    def bonds(self) -> list[int]:
        """The bonds r_0 = 1, ..., r_n = 1 of a train; empty if dense."""

    @property
    def dense(self) -> bool: ...
    @property
    def nodes(self) -> int:
        """Sum of r_k * r_{k+1}; 2^levels if dense."""

    def to_numpy(self) -> numpy.typing.NDArray[Any]:
        """All amplitudes; level 0 is the most significant bit of the index."""

    def dump(self) -> bytes:
        """Everything, as bytes in this machine's byte order."""

    def __reduce__(self) -> tuple[type[Vector], tuple[bytes]]: ...
    @property
    def bytes(self) -> int: ...

class Block:
    """A compiled run of gates."""

    def __len__(self) -> int: ...

class Span:
    """The span of the vectors added so far."""

    def add(self, v: Vector) -> bool:
        """Keeps v if it enlarges the span; whether it did."""

    def add_all(self, vectors: Sequence[Vector]) -> list[bool]:
        """The same for one after the other."""

    def contains(self, v: Vector) -> bool: ...
    def coordinates(self, v: Vector) -> numpy.typing.NDArray[Any] | None:
        """The coefficients of v on the kept vectors, or None if it is outside."""

    @property
    def dimension(self) -> int: ...

class Space:
    """The vectors over ordered two-valued levels, over one field."""

    def __init__(
        self,
        kind: str,
        levels: int,
        prime: int = 0,
        seed: int = 0,
        zero: float = 1e-10,
        clear: float = 1e-07,
        measured: float = 0.0,
        truncation: float = 1e-12,
        dense_limit: int = 24,
        dense_fraction: float = 0.25,
        second_prime: int = 0,
        first_look: int = 1000000,
    ) -> None: ...
    @property
    def kind(self) -> str: ...
    @property
    def levels(self) -> int: ...
    @property
    def prime(self) -> int: ...
    @property
    def seed(self) -> int: ...
    @property
    def limits(self) -> Limits:
        """What computations may use; the clock starts when they are set."""

    @limits.setter
    def limits(self, arg: Limits, /) -> None: ...
    @property
    def threads(self) -> int:
        """
        How many threads may work on independent vectors; no result depends on it.
        """

    @threads.setter
    def threads(self, arg: int, /) -> None: ...
    @property
    def statistics(self) -> dict[str, int]:
        """Peaks and counts since the space was made."""

    def span(self) -> Span:
        """An empty span."""

    def product(self, pairs: numpy.typing.NDArray[Any]) -> Vector:
        """The product of the one-level states pairs[k] = (a_k, b_k)."""

    def kets(
        self,
        alphabet: str,
        pairs: numpy.typing.NDArray[Any],
        text: str,
        order: numpy.typing.NDArray[numpy.int32],
    ) -> list[Vector]:
        """
        The products of one-level states that the words of a text spell: letter j of the alphabet is
        pairs[j], letter q of a word stands for qubit q, and order[k] is the qubit at level k.
        """

    def superposition(
        self,
        alphabet: str,
        pairs: numpy.typing.NDArray[Any],
        text: str,
        order: numpy.typing.NDArray[numpy.int32],
        coefficients: numpy.typing.NDArray[Any],
    ) -> Vector:
        """The linear combination of such products."""

    def from_amplitudes(self, amplitudes: numpy.typing.NDArray[Any]) -> Vector:
        """The vector with these amplitudes; level 0 is the most significant bit."""

    def array(self, amplitudes: numpy.typing.NDArray[Any]) -> Vector:
        """The same, kept as an array whatever its rank."""

    def combine(self, coefficients: numpy.typing.NDArray[Any], vectors: Sequence[Vector]) -> Vector:
        """The linear combination."""

    def compile(
        self,
        controls_ptr: numpy.typing.NDArray[numpy.int32],
        controls: numpy.typing.NDArray[numpy.int32],
        control_values: numpy.typing.NDArray[numpy.uint8],
        targets_ptr: numpy.typing.NDArray[numpy.int32],
        targets: numpy.typing.NDArray[numpy.int32],
        matrix_index: numpy.typing.NDArray[numpy.int32],
        matrix_ptr: numpy.typing.NDArray[numpy.int64],
        entries: numpy.typing.NDArray[Any],
    ) -> Block:
        """
        A block of gates from flat arrays. Gate j: if all controls match, matrix matrix_index[j] on
        its targets (the first is the lowest bit of row and column numbers), else the identity.
        """

    def place(
        self,
        layout: Layout,
        level_of: numpy.typing.NDArray[numpy.int32],
        matrix_ptr: numpy.typing.NDArray[numpy.int64],
        entries: numpy.typing.NDArray[Any],
    ) -> Block:
        """
        The block of a layout: qubit q stands at level level_of[q], and matrix j, that of its base j,
        has the entries from matrix_ptr[j] to before matrix_ptr[j + 1].
        """

    def run(self, block: Block, v: Vector, first: int = 0, last: int = -1) -> Vector:
        """
        The image of v under the gates first..last-1 of the block (last = -1: up to the end).
        """

    def run_all(self, block: Block, vectors: Sequence[Vector]) -> list[Vector]:
        """
        The images of the vectors under the whole block, on as many threads as there may be.
        """

    def is_zero(self, v: Vector) -> bool: ...
    def difference_is_zero(self, u: Vector, v: Vector) -> bool:
        """Whether u == v, by sketches (exact kinds) or by the norm (complex)."""

    def inner(self, u: Vector, v: Vector) -> numpy.typing.NDArray[Any]:
        """<u|v>, u conjugated; not for the kind fp."""

    def bilinear(self, u: Vector, v: Vector) -> numpy.typing.NDArray[Any]:
        """The sum over x of u(x) v(x)."""

    def amplitude(self, v: Vector, bits: numpy.typing.NDArray[numpy.uint8]) -> numpy.typing.NDArray[Any]:
        """The amplitude of the basis state with these bits."""

    def norm(self, v: Vector) -> float:
        """The length of v; complex only."""

    def largest(self, v: Vector, count: int) -> tuple[numpy.typing.NDArray[Any], numpy.typing.NDArray[Any]]:
        """
        About the `count` largest terms, largest first: (bits per term and level, amplitudes); complex only.
        """

    def first(self, v: Vector) -> list[int]:
        """
        The bits of the first basis state, level 0 most significant, whose amplitude is not zero; none for the zero vector. Exact kinds only.
        """

    def scale(self, v: Vector, factor: numpy.typing.NDArray[Any]) -> Vector:
        """factor * v."""

    def normalise(self, v: Vector) -> Vector:
        """v at length 1; complex only."""

    def conjugate(self, v: Vector) -> Vector: ...
    def adopt(self, v: Vector) -> Vector:
        """A copy of a vector of a like space, as one of this space."""

    def canonical(self, v: Vector) -> Vector:
        """v as a train; over a finite field equal vectors get equal trains."""

    def partial(self, v: Vector, kept: Sequence[int], target: Space, seed: int) -> Vector:
        """
        v at a random product functional on the levels that are not kept (increasing); exact kinds only.
        """

    def parts(self, v: Vector, kept: Sequence[int], target: Space, seeds: Sequence[int]) -> list[Vector]:
        """The same for several seeds; parts that are zero are left out."""

    def contract(self, v: Vector, levels: Sequence[int], bra: Vector, target: Space) -> Vector:
        """
        The sum over the given (increasing) levels of bra times v; bra is not conjugated.
        """

    def embed(self, v: Vector, levels: Sequence[int]) -> Vector:
        """
        v on the given (increasing) levels of this space, all others in state 0; exact kinds only.
        """

def meet(space: Space, a: Sequence[Vector], b: Sequence[Vector]) -> list[numpy.typing.NDArray[Any]]:
    """
    Coefficients on a of a basis of span(a) /\\ span(b); a must be independent.
    """

def level_order(
    levels: int,
    edges_ptr: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    edges: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None = None,
    seed: int = 0,
    method: str = "auto",
) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """
    An order with small cuts: entry k is the qubit that stands at level k. Hyperedge j joins
    edges[edges_ptr[j]:edges_ptr[j + 1]]; weights say how often it occurs. Methods: auto, natural,
    depth-first, force, bisection. The result depends on the arguments alone.
    """

def quick_order(
    levels: int, edges_ptr: numpy.typing.NDArray[numpy.int32], edges: numpy.typing.NDArray[numpy.int32]
) -> tuple[numpy.typing.NDArray[numpy.int32], bool]:
    """
    The first guess of `level_order`, and whether a search finds nothing better.
    """

def order_cost(
    levels: int,
    edges_ptr: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    edges: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> float:
    """
    log2 of the sum over all cuts of 2^(distinct hyperedges that cross it); -inf if there is no cut.
    """

class Strings:
    """
    Pauli strings with signs: generators of a group. Strings are lists of
    (qubit, letter) with letters 1 = X, 2 = Z, 3 = Y.
    """

    def __init__(self) -> None: ...
    @staticmethod
    def product(letters: str, qubits: Sequence[int]) -> Strings:
        """
        The generators of a product of the states 0 1 + - r l; letter k stands on qubits[k].
        """

    def append(self, letters: Sequence[tuple[int, int]], minus: bool = False) -> None: ...
    def read(self, paulis: Sequence[tuple[int, str]], qubits: Sequence[int]) -> None:
        """
        Append signs with strings of the letters I X Y Z; letter k of each stands on qubits[k].
        """

    def extend(self, more: Strings) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, number: int) -> tuple[list[tuple[int, int]], bool]:
        """Letters, and whether the sign is -1."""

    def common(self, other: Strings) -> tuple[Strings, Strings]:
        """
        Generators of what two groups share up to signs: as elements of this one and of the other.
        """

    @property
    def is_consistent(self) -> bool:
        """Is there a state that all strings stabilise?"""

    def compared(self, other: Strings) -> tuple[Strings, bool]:
        """
        Generators of the elements that two groups have with the same sign, and whether some have
        opposite signs.
        """

class Clifford:
    """
    Conjugation by a Clifford unitary: images of X0, Z0, X1, … as masks of the same
    letters, and the monomials of these bits whose sum is the sign.
    """

    def __init__(self, width: int, images: Sequence[int], monomials: Sequence[int]) -> None: ...
    @property
    def width(self) -> int: ...
    @property
    def images(self) -> list[int]: ...
    @property
    def monomials(self) -> list[int]: ...

class Repertoire:
    """What operators of a program do."""

    def __init__(self) -> None: ...
    def add(self, gate: object, steps: Sequence[tuple[Clifford, Sequence[int]]]) -> None:
        """
        The gate is these conjugations one after the other, each on some of its qubits.
        """

class Finding(enum.Enum):
    """What a measurement finds."""

    fixed = 0
    """The value is decided."""

    coin = 1
    """A fair coin."""

    open = 2
    """The start left it open."""

class Tableau:
    """
    A stabiliser group whose signs are sums modulo 2 of atoms; atom 0 is the constant 1.
    Paulis are lists of (qubit, letter) with letters 1 = X, 2 = Z, 3 = Y.
    """

    def __init__(self, qubits: int, open: bool = False) -> None:
        """All qubits in |0>, or in any state at all."""

    def copy(self) -> Tableau: ...
    @property
    def qubits(self) -> int: ...
    def apply(self, gate: Clifford, on: Sequence[int]) -> None: ...
    def run(self, gates: Repertoire, code: object, start: int, stop: int) -> int:
        """
        Apply code[start:stop], pairs of an operator and its qubits; where it came to: the first
        operator that is not known, or the end.
        """

    def flip(self, pauli: Sequence[tuple[int, int]], where: Sequence[int]) -> None:
        """Apply a Pauli where a function is true."""

    def measure(self, pauli: Sequence[tuple[int, int]], outcome: Sequence[int]) -> Finding:
        """
        Measure a Pauli; unless it is fixed, its sign is `outcome` from now on.
        """

    def sign(self, pauli: Sequence[tuple[int, int]]) -> list[int] | None:
        """The sign of a Pauli in the group; None if it is not."""

    def differences(self, strings: Strings) -> list[list[int] | None]:
        """
        Functions, none of them 0, of which one is true iff some string is not in the group with its
        own sign; None for strings that are not in the group at all.
        """

    @property
    def generators(self) -> list[int]:
        """The rows of the group's generators."""

    def generator(self, row: int) -> list[tuple[int, int]]: ...
    def beyond(self, other: Tableau) -> Strings:
        """
        The generators that are not in the group of another tableau; signs are constants.
        """

    @property
    def group(self) -> Strings:
        """All generators, signs left aside."""

    def generator_sign(self, row: int) -> list[int]: ...
    def set_sign(self, row: int, sign: Sequence[int]) -> None: ...

class TooManyNodes(RuntimeError):
    pass

class Diagrams:
    """
    Reduced ordered binary decision diagrams. Nodes are numbers: 0 is false, 1 is true, and
    equal functions are the same node. Variables are ordered by their numbers.
    """

    def __init__(self, most_nodes: int) -> None: ...
    @property
    def limits(self) -> Limits: ...
    @limits.setter
    def limits(self, arg: Limits, /) -> None: ...
    def variable(self, number: int) -> int: ...
    def conjunction(self, left: int, right: int) -> int: ...
    def parity(self, left: int, right: int) -> int: ...
    def asked(self, node: int) -> int:
        """The variable that an inner node asks."""

    def low(self, node: int) -> int: ...
    def high(self, node: int) -> int: ...
    def __len__(self) -> int: ...
