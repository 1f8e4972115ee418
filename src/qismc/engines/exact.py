"""The exact engine with an account: every vector knows how large its numbers are, every decision is noted.

Vectors stand for states up to a scalar; sizes are those of the multiple without needless denominators.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from qismc import _core
from qismc.engines.core import layout_for
from qismc.engines.engine import Amplitudes, Letters
from qismc.engines.native import NativeEngine
from qismc.engines.runs import PastRuns
from qismc.errors import UnluckyDraw
from qismc.numbers import (
    PRIME_BITS,
    UNIT,
    CoordinateRow,
    FieldForm,
    LargestProducts,
    Ledger,
    Matrix,
    Size,
    SizedField,
    SizedNumber,
    SizeScalars,
    both,
    power,
    product,
    stacked,
    total,
)
from qismc.system import Application

FEW_OTHERS = 10
"""Most other qubits whose basis states a careful engine enumerates in slices; beyond, it draws at random."""


@dataclass(eq=False, slots=True)
class SizedVector:
    """A vector of the native core and a bound on its numbers."""

    vector: _core.Vector
    size: Size
    nonzero: bool = False
    """Is it known, whatever the prime, that it is not zero? Then no decision about that can err."""


@dataclass(frozen=True, eq=False)
class SizedBlock:
    """Compiled operators, and by how much they can make numbers larger."""

    block: _core.Block
    size: Size
    invertible: bool = False
    """Are all of them invertible, whatever the prime?"""


def size_of(thing: Any) -> Size:
    """The size of a vector or block; UNIT in floating point, which keeps none."""
    return thing.size if isinstance(thing, SizedVector | SizedBlock) else UNIT


def has_unit(factor: tuple[SizedNumber, SizedNumber]) -> bool:
    """Is an entry of absolute value 1? Then no prime makes it zero."""
    one, other = factor[0].size, factor[1].size
    return one is UNIT or other is UNIT or one.square == 1 or other.square == 1


def _elements(letters: Letters) -> dict[str, tuple[Any, Any]]:
    """Letters without the sizes of their numbers."""
    return {name: (a.element, b.element) for name, (a, b) in letters.items()}


class ExactSpan:
    """A span whose tests are determinants: of the vectors that enlarged it, and one more."""

    def __init__(self, engine: ExactEngine) -> None:
        self._engine = engine
        self._span = engine.native.span()
        self._kept: list[SizedVector] = []
        self._names: set[int] = set()
        self._bits = 0.0
        self._degree = 0.0

    @property
    def dimension(self) -> int:
        return self._span.dimension

    def add(self, vector: SizedVector) -> bool:
        return self.add_all([vector])[0]

    def add_all(self, vectors: Sequence[SizedVector]) -> list[bool]:
        if self._engine.careful:
            return [self._add_carefully(vector) for vector in vectors]
        if len(vectors) == 1 and id(vectors[0]) in self._names:  # as where control stays
            return [not self._decided(True, vectors[0])]
        fresh = self._span.add_all([vector.vector for vector in vectors])
        return [
            self._note(vector, not self._decided(not new, vector))
            for vector, new in zip(vectors, fresh, strict=True)
        ]

    def _add_carefully(self, vector: SizedVector) -> bool:
        if id(vector) in self._names:
            return not self._decided(True, vector)
        return self._note(vector, not self.contains(vector) and self._span.add(vector.vector))

    def _note(self, vector: SizedVector, added: bool) -> bool:
        """Take note of a vector that was added."""
        if added:
            vector.nonzero = True
            self._kept.append(vector)
            self._names.add(id(vector))
            self._bits += vector.size.bits
            self._degree += vector.size.degree
        return added

    def contains(self, vector: SizedVector) -> bool:
        if self._engine.careful:
            return self.coordinates(vector) is not None
        return self._decided(self._span.contains(vector.vector), vector)

    def coordinates(self, vector: SizedVector) -> CoordinateRow | None:
        found = self._span.coordinates(vector.vector)
        if found is not None and self._engine.careful:
            self._confirm(vector.vector, found)
        self._decided(found is not None, vector)
        return found

    def _decided(self, inside: bool, vector: SizedVector) -> bool:
        """No prime errs about a vector that was kept, nor about the first one if it is not zero.

        All kept vectors count, not those of a block: another prime may see other blocks, because an amplitude
        that is not zero can vanish modulo one of them.
        """
        bits, degree, engine = 0.0, 0.0, self._engine
        if id(vector) not in self._names and (self._kept or not vector.nonzero):
            bits, degree = self._bits + vector.size.bits, self._degree + vector.size.degree
        chance = 0.0 if engine.careful else engine.chance_of_missing(len(self._kept))
        return engine.ledger.decided_on(inside, bits, degree, chance=chance)

    def _confirm(self, vector: _core.Vector, coordinates: CoordinateRow) -> None:
        """The vector is the combination that random points say it is, entry by entry; else raise."""
        native = self._engine.native
        used = np.unique(np.nonzero(coordinates)[0])  # few, if the span falls into blocks
        minus, numbers = -native.ring.rational(1), self._engine.form.numbers(coordinates[used])
        rest = native.combine([minus, *numbers], [vector, *(self._kept[k].vector for k in used)])
        if not native.is_zero(rest):
            raise UnluckyDraw("random points misled", hint="run again with another --seed")


class ExactEngine:
    """A native engine over a field, with an account.

    If it is `careful`, random points decide only where there is no other way.
    """

    numeric = None

    def __init__(
        self,
        native: NativeEngine,
        ledger: Ledger | None = None,
        sizes: SizeScalars | None = None,
        ring: SizedField | None = None,
        *,
        careful: bool = False,
    ) -> None:
        assert isinstance(native.form, FieldForm)
        self.native = native
        self.form = native.form
        self.field = native.form.ring
        self.primes = self.field.moduli
        self.ledger = ledger or Ledger()
        self.careful = careful
        self.name = native.name
        self.num_qubits = native.num_qubits
        self.runs = PastRuns()
        self.formal = native.formal
        self.assumed = native.assumed
        self.order, self.arithmetic = native.order, native.arithmetic
        self.hurried, self.unhurried = native.hurried, native.unhurried
        self._sizes = sizes or SizeScalars(self.field.needs)
        self.ring = ring or SizedField(self.field, self._sizes)
        self._chance_of_point = native.num_qubits / 2.0**PRIME_BITS
        self._subs: dict[NativeEngine, ExactEngine] = {}
        self._letters: dict[tuple[int, int], tuple[tuple[Size, Size], Size]] = {}
        """By the identity of sizes, which are kept so that no other ones get it."""
        self._singles: dict[tuple[int, int], tuple[tuple[SizedNumber, SizedNumber], SizedVector]] = {}

    @property
    def exact(self) -> ExactEngine:
        return self

    @property
    def peak_bond(self) -> int | None:
        return self.native.peak_bond

    def chance_of_missing(self, dimension: int) -> float:
        """That k + 3 random points do not tell a vector from a span of k dimensions.

        A point that does not raise the rank hits a zero of a fixed polynomial of degree n: three must.
        """
        return math.comb(dimension + 3, 3) * self._chance_of_point**3

    # --- making vectors ----------------------------------------------------------------------------------

    def product(self, factors: Sequence[tuple[SizedNumber, SizedNumber]]) -> SizedVector:
        vector = self.native.product([(a.element, b.element) for a, b in factors])
        sizes: dict[int, list[Size]] = {}  # many factors are alike
        for factor in factors:
            found = self._size_of(factor)
            sizes.setdefault(id(found), []).append(found)
        size = product(power(alike[0], len(alike)) for alike in sizes.values())
        return SizedVector(vector, size, all(has_unit(factor) for factor in factors))

    def kets(self, letters: Letters, words: Sequence[str]) -> list[SizedVector]:
        if self.num_qubits == 1:
            return [self._single(letters[word]) for word in words]
        known: dict[tuple[int, ...], tuple[Size, bool]] = {}
        units = {name for name, factor in letters.items() if has_unit(factor)}
        found = []
        for word, vector in zip(words, self.native.kets(_elements(letters), words), strict=True):
            counts = tuple([word.count(name) for name in letters])
            if counts not in known:  # the words of a sum are often alike
                used = [name for name, count in zip(letters, counts, strict=True) if count]
                known[counts] = self._size_of_word(letters, counts), units.issuperset(used)
            found.append(SizedVector(vector, *known[counts]))
        return found

    def superposition(
        self, letters: Letters, words: Sequence[str], coefficients: Sequence[SizedNumber]
    ) -> SizedVector:
        elements = [coefficient.element for coefficient in coefficients]
        vector = self.native.superposition(_elements(letters), words, elements)
        alike: dict[tuple[int, ...], int] = {}  # terms by what decides their sizes
        sized = {id(coefficient): coefficient.size for coefficient in coefficients}
        for word, coefficient in zip(words, coefficients, strict=True):
            key = (id(coefficient), *[word.count(name) for name in letters])
            alike[key] = alike.get(key, 0) + 1
        sizes = []
        for (number, *counts), times in alike.items():
            size = both(sized[number], self._size_of_word(letters, counts))
            sizes.append(Size(size.denominator, size.height + math.log2(times), size.degree))
        return SizedVector(vector, total(sizes))

    def _size_of_word(self, letters: Letters, counts: Sequence[int]) -> Size:
        """The size of a product in which each letter occurs so often."""
        factors = zip(letters.values(), counts, strict=True)
        return product([power(self._size_of(factor), count) for factor, count in factors if count])

    def _single(self, letter: tuple[SizedNumber, SizedNumber]) -> SizedVector:
        """Kept: all questions about single qubits share one engine and ask for the same few letters."""
        key = id(letter[0]), id(letter[1])
        if key not in self._singles:
            self._singles[key] = letter, self.product([letter])
        return self._singles[key][1]

    def _size_of(self, letter: tuple[SizedNumber, SizedNumber]) -> Size:
        """Kept, because kets are made of numbers of few different sizes."""
        one, other = letter[0].size, letter[1].size
        key = id(one), id(other)
        if key not in self._letters:
            self._letters[key] = (one, other), stacked((one, other))
        return self._letters[key][1]

    def combine(self, coefficients: Sequence[SizedNumber], vectors: Sequence[SizedVector]) -> SizedVector:
        vector = self.native.combine([c.element for c in coefficients], [v.vector for v in vectors])
        pairs = zip(coefficients, vectors, strict=True)
        return SizedVector(vector, total(product([c.size, v.size]) for c, v in pairs))

    def amplitudes(self, values: Amplitudes) -> SizedVector:
        counts = Counter(complex(z) for z in values.tolist())
        parts = []
        for number, count in counts.items():
            size = self._sizes.number(number).size
            parts.append(Size(size.denominator, size.height + math.log2(count) / 2, size.degree))
        return SizedVector(self.native.amplitudes(values), stacked(parts))

    # --- maps --------------------------------------------------------------------------------------------

    def compile(self, applications: Sequence[Application]) -> SizedBlock:
        layout = layout_for(applications)
        size, invertible = self._sizes.of_layout(layout)
        return SizedBlock(self.native.placed(layout), UNIT if size.changes_nothing else size, invertible)

    def run(self, block: SizedBlock, vector: SizedVector) -> SizedVector:
        image = self.native.run(block.block, vector.vector)
        return SizedVector(image, both(block.size, vector.size), block.invertible and vector.nonzero)

    def run_all(self, block: SizedBlock, vectors: Sequence[SizedVector]) -> list[SizedVector]:
        images = self.native.run_all(block.block, [vector.vector for vector in vectors])
        return [
            SizedVector(image, both(block.size, vector.size), block.invertible and vector.nonzero)
            for vector, image in zip(vectors, images, strict=True)
        ]

    def fork(
        self, prefix: SizedBlock | None, blocks: Sequence[SizedBlock], vectors: Sequence[SizedVector]
    ) -> list[list[SizedVector | None]]:
        first = None if prefix is None else prefix.block
        images = self.native.fork(first, [b.block for b in blocks], [v.vector for v in vectors])
        found: list[list[SizedVector | None]] = [[] for _ in blocks]
        for j, vector in enumerate(vectors):
            size, nonzero = vector.size, vector.nonzero
            if prefix is not None:
                size, nonzero = both(prefix.size, size), nonzero and prefix.invertible
            for k, block in enumerate(blocks):
                found[k].append(self._noted(images[k][j], block, size, nonzero))
        return found

    def _noted(
        self, image: _core.Vector | None, block: SizedBlock, size: Size, nonzero: bool
    ) -> SizedVector | None:
        """Take note of whether the image of a vector of this size is zero."""
        size = both(block.size, size)
        doubted = UNIT if nonzero and block.invertible else size
        self.ledger.decided_on(image is None, doubted.bits, doubted.degree)
        return None if image is None else SizedVector(image, size, True)

    def bytes_of(self, vector: SizedVector) -> int:
        return vector.vector.bytes

    # --- tests -------------------------------------------------------------------------------------------

    def is_zero(self, vector: SizedVector) -> bool:
        size = UNIT if vector.nonzero else vector.size
        found = self.ledger.decided_on(self.native.is_zero(vector.vector), size.bits, size.degree)
        vector.nonzero = not found
        return found

    def first(self, vector: SizedVector) -> list[int] | None:
        """Nothing is noted: what is not zero modulo a prime is not zero."""
        return self.native.first(vector.vector)

    def possible(self, vector: SizedVector) -> npt.NDArray[np.bool_]:
        words = self.native.listed(vector.vector).reshape(1 << self.num_qubits, -1)
        return np.asarray(np.any(words != 0, axis=1))

    def gram(self, vectors: Sequence[SizedVector]) -> Matrix:
        return self.native.gram([vector.vector for vector in vectors])

    def equal(self, left: SizedVector, right: SizedVector) -> bool:
        size = total([left.size, right.size])
        if self.careful:
            one = self.field.rational(1)
            rest = self.native.combine([one, -one], [left.vector, right.vector])
            return self.ledger.decided(self.native.is_zero(rest), [size])
        chance = (self.num_qubits / 2.0**PRIME_BITS) ** 2
        return self.ledger.decided(self.native.equal(left.vector, right.vector), [size], chance=chance)

    def aligned(self, left: SizedVector, right: SizedVector) -> bool:
        """Whether all minors of two rows are zero."""
        if self.careful:
            return not self.span().add_all([left, right])[1]
        bits, degree = left.size.bits + right.size.bits, left.size.degree + right.size.degree
        found = self.native.aligned(left.vector, right.vector)
        return self.ledger.decided_on(found, bits, degree, chance=self.chance_of_missing(1))

    def inner_is_zero(self, left: SizedVector, right: SizedVector) -> bool:
        zero = self.native.inner_is_zero(left.vector, right.vector)
        return self.ledger.decided(zero, [left.size, right.size])

    def span(self) -> ExactSpan:
        return ExactSpan(self)

    # --- parts -------------------------------------------------------------------------------------------

    def sub(self, qubits: Sequence[int]) -> ExactEngine:
        native = self.native.sub(qubits)
        if native not in self._subs:
            shared = self.ledger, self._sizes, self.ring
            self._subs[native] = ExactEngine(native, *shared, careful=self.careful)
        return self._subs[native]

    def slices(self, vector: SizedVector, qubits: Sequence[int]) -> list[SizedVector]:
        """A part is a combination of Schmidt vectors whose coefficients are further unknowns of degree 1."""
        others, target = self.num_qubits - len(qubits), self.sub(qubits)
        if self.careful and others <= FEW_OTHERS:
            parts = [SizedVector(p, vector.size) for p in self.native.basis_slices(vector.vector, qubits)]
            return [part for part in parts if not target.is_zero(part)]
        found = self.native.slices(vector.vector, qubits)
        self.ledger.decided(not found, [vector.size], chance=(others / 2.0**PRIME_BITS) ** 2)
        return [SizedVector(part, vector.size) for part in found]

    def embedded(self, vector: SizedVector, qubits: Sequence[int]) -> SizedVector:
        return SizedVector(self.native.embedded(vector.vector, qubits), vector.size)

    def disjoint(self, left: SizedVector, right: SizedVector, qubits: Sequence[int]) -> bool:
        """What is tested is the pointwise product of two functionals, at one random point."""
        apart = self.native.disjoint(left.vector, right.vector, qubits)
        chance = 3 * self.num_qubits / 2.0**PRIME_BITS
        return self.ledger.decided(apart, [left.size, right.size], chance=chance)

    def complement(self, vectors: Sequence[SizedVector]) -> list[SizedVector]:
        """Vectors of minors: the reduced echelon form is found if no leading minor of the rows vanishes."""
        found = self.native.complement([v.vector for v in vectors])
        rank = 2**self.num_qubits - len(found)
        sizes = LargestProducts(v.size for v in vectors)
        rows, tested = sizes.of(rank), sizes.of(rank + 1)
        for _ in range(rank + 1):
            self.ledger.decided(False, [tested])
        for vector in found:
            self.ledger.noted(np.packbits(vector.to_numpy() != 0).tobytes())
        size = Size(rows.denominator, rows.height + math.log2(rank + 1) / 2, rows.degree)
        return [SizedVector(vector, size) for vector in found]

    # --- the rest ----------------------------------------------------------------------------------------

    def adopted(self, vectors: Sequence[SizedVector], maker: object) -> Sequence[SizedVector] | None:
        """They rest on what the other engine decided, so its account is taken over, too.

        A careful engine makes them anew: the runs of a proof must all take the same way.
        """
        if maker is self:
            return vectors
        if self.careful or not isinstance(maker, ExactEngine):
            return None
        if not self.field.needs.has_numbers_of(maker.field.needs):
            return None
        found = self.native.adopted([vector.vector for vector in vectors], maker.native)
        if found is None:
            return None
        self.ledger.take_over(maker.ledger)
        pairs = zip(found, vectors, strict=True)
        return [SizedVector(own, vector.size, vector.nonzero) for own, vector in pairs]

    def statistics(self) -> dict[str, Any]:
        return {**self.native.statistics(), "decisions": self.ledger.decisions}
