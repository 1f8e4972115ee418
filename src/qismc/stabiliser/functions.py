"""Boolean functions of symbols: the signs of stabilisers and the classical bits of a program.

A *symbol* is a coin that a measurement tossed, a value that the start left open, or a choice of the
environment. Signs are sums modulo 2 of *atoms*, kept as masks of bits; an atom is the constant 1 (bit 0), a
symbol, or a conjunction that some condition needed. So the group itself never has to know what conditions
say; that is worked out where a question is asked: by linear equations where a function is a conjunction of
sums of symbols, else by a decision diagram.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

from typing_extensions import assert_never

from qismc import _core
from qismc._core import Diagrams, TooManyNodes
from qismc.common.parity import consistent, reduced, remainder
from qismc.limits import Budget, out_of_time
from qismc.symbolic import And, Bool, Literal, Logic, NotSymbolic, Xor, evaluate, levels_of, positions

ONE = 1
"""The mask of the constant 1."""


class SymbolKind(Enum):
    """Where a symbol comes from."""

    COIN = "coin"
    """A fair coin, independent of all others."""
    OPEN = "open"
    """What a measurement finds where the start leaves it open."""
    CHOICE = "choice"
    """A value that the environment chooses."""


@dataclass
class Functions:
    """Hands out symbols and atoms."""

    budget: Budget
    logic: Logic = field(default_factory=Logic)
    solutions: Solutions = field(init=False)
    kinds: list[SymbolKind] = field(default_factory=list)
    """Of each symbol."""
    _atoms: list[Literal | And] = field(default_factory=list)
    _numbers: dict[Literal | And, int] = field(default_factory=dict)
    _made: dict[int, Bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.solutions = Solutions(self.budget)

    def symbol(self, kind: SymbolKind) -> int:
        """The mask of a new symbol."""
        self.kinds.append(kind)
        return self.mask(self.logic.literal(len(self.kinds) - 1))

    @property
    def next_atom(self) -> int:
        """The number that a new atom would have."""
        return len(self._atoms) + 1

    def mask(self, function: Bool) -> int:
        """The function as a sum of atoms."""
        match function:
            case bool():
                return ONE if function else 0
            case Literal(level, value):
                return self._atom(self.logic.literal(level)) ^ (0 if value else ONE)
            case And():
                return self._atom(function)
            case Xor(parts, flipped):
                total = ONE if flipped else 0
                for part in parts:
                    total ^= self.mask(part)
                return total
        assert_never(function)

    def _atom(self, node: Literal | And) -> int:
        if node not in self._numbers:
            self._atoms.append(node)
            self._numbers[node] = len(self._atoms)
        return 1 << self._numbers[node]

    def function(self, mask: int) -> Bool:
        """The sum of atoms as a function."""
        if mask not in self._made:
            atoms = (self._atoms[k - 1] if k else True for k in positions(mask))
            self._made[mask] = self.logic.parity(*atoms)
        return self._made[mask]

    def true_atoms(self, values: Mapping[int, int], known: dict[Bool, bool]) -> int:
        """The mask of all atoms that are 1 where symbols have these values; those that are missing have 0.

        A sum of atoms is then the parity of what it shares with this mask. `known` keeps what was found out.
        """
        digits = ("1" if evaluate(atom, values, known) else "0" for atom in reversed(self._atoms))
        return int("".join((*digits, "1")), 2)

    def check_coins(self, *wanted: Bool) -> None:
        """Raise NotSymbolic unless all functions depend on coins alone."""
        symbols = (symbol for function in wanted for symbol in levels_of(function))
        if any(self.kinds[symbol] is not SymbolKind.COIN for symbol in symbols):
            raise NotSymbolic("a probability depends on inputs or on the state of the start")


def mask_of(atoms: list[int]) -> int:
    """The sum of atoms that the native tableau gives."""
    return sum(1 << atom for atom in atoms)


# --- which symbols make a function true ------------------------------------------------------------------

FEW_NODES = 1 << 18
MOST_NODES = 1 << 23
"""Decision diagrams with more nodes are not made: another engine has to decide."""
STAGE = "decision diagrams"
BY_LEVEL, BY_APPEARANCE = False, True
"""The order of the variables: that of the levels, or that in which a function mentions them, which puts the
digits of two numbers side by side."""
SETTINGS = (
    (BY_LEVEL, FEW_NODES),
    (BY_APPEARANCE, FEW_NODES),
    (BY_LEVEL, MOST_NODES),
    (BY_APPEARANCE, MOST_NODES),
)
"""What is tried, one after the other."""
FALSE, TRUE = 0, 1
Solution = dict[int, int]
"""Values of symbols; those that are missing may be anything."""


@dataclass
class Solutions:
    """Solves functions of symbols; raises NotSymbolic where that takes too much."""

    budget: Budget
    _setting: int = 0
    _alone: Bool | None = None
    """The function for which all began anew."""
    _diagrams: Diagrams = field(default_factory=lambda: Diagrams(FEW_NODES))
    _variables: dict[int, int] = field(default_factory=dict)
    """Levels to variables, where these have an order of their own."""
    _nodes: dict[Bool, int] = field(default_factory=dict)
    _shares: dict[int, Fraction] = field(default_factory=lambda: {FALSE: Fraction(0), TRUE: Fraction(1)})

    @property
    def num_nodes(self) -> int:
        """How many nodes diagrams have so far."""
        return len(self._diagrams) - 2

    def some(self, function: Bool) -> Solution | None:
        """Values for which the function is true, if there are some."""
        if isinstance(function, bool):
            return {} if function else None
        equations = as_equations(function)
        if equations is not None:
            return _solved(equations)
        return self._path(self.node(function))

    def share(self, function: Bool) -> Fraction:
        """Which part of all values make the function true."""
        if isinstance(function, bool):
            return Fraction(int(function))
        equations = as_equations(function)
        if equations is not None:
            rows = consistent(equations)
            return Fraction(0) if rows is None else Fraction(1, 1 << len(rows))
        return self._share(self.node(function))

    # --- decision diagrams -------------------------------------------------------------------------------

    def node(self, function: Bool) -> int:
        """The diagram of a function; where it grows too large, all begin anew with the next setting."""
        while True:
            self._diagrams.limits = _core.Limits(seconds=self.budget.remaining_seconds)
            try:
                return self._built(function)
            except TooManyNodes:
                self._begin_anew(function)
            except _core.LimitReached:
                raise out_of_time(self.budget.limits, STAGE) from None

    def _begin_anew(self, function: Bool) -> None:
        """Forget earlier functions, which take room that this one may need."""
        self._setting += self._alone is function
        self._alone = function
        if self._setting == len(SETTINGS):
            raise NotSymbolic(f"conditions take decision diagrams of more than {MOST_NODES} nodes")
        order, most = SETTINGS[self._setting]
        self._diagrams = Diagrams(most)
        self._variables = by_appearance(function) if order is BY_APPEARANCE else {}
        self._nodes.clear()
        self._shares = {FALSE: Fraction(0), TRUE: Fraction(1)}

    def _built(self, function: Bool) -> int:
        pending = [function]
        while pending:
            top = pending[-1]
            parts = top.parts if isinstance(top, And | Xor) else ()
            missing = [part for part in parts if part not in self._nodes]
            if missing and top not in self._nodes:
                pending += missing
                continue
            pending.pop()
            if top not in self._nodes:
                self.budget.spend(STAGE)
                self._nodes[top] = self._combined(top)
        return self._nodes[function]

    def _variable(self, level: int) -> int:
        if SETTINGS[self._setting][0] is BY_LEVEL:
            return level
        return self._variables.setdefault(level, len(self._variables))

    def _combined(self, function: Bool) -> int:
        """A function whose parts have diagrams."""
        diagrams = self._diagrams
        match function:
            case bool():
                return TRUE if function else FALSE
            case Literal(level, value):
                variable = diagrams.variable(self._variable(level))
                return variable if value else diagrams.parity(variable, TRUE)
            case And(parts):
                nodes = sorted(self._nodes[part] for part in parts)
                found = TRUE
                for node in nodes:
                    found = diagrams.conjunction(found, node)
                return found
            case Xor(parts, flipped):
                found = self._sum([self._nodes[part] for part in parts])
                return diagrams.parity(found, TRUE) if flipped else found

    def _sum(self, nodes: list[int]) -> int:
        """The parity of many diagrams: neighbours first, so that most sums stay small."""
        while len(nodes) > 1:
            self.budget.spend(STAGE)
            pairs = zip(nodes[::2], nodes[1::2], strict=False)
            rest = nodes[-1:] if len(nodes) % 2 else []
            nodes = [self._diagrams.parity(left, right) for left, right in pairs] + rest
        return nodes[0] if nodes else FALSE

    def _path(self, node: int) -> Solution | None:
        """Zeros where that is possible: most faults do not happen."""
        if node == FALSE:
            return None
        found: Solution = {}
        level_of = {variable: level for level, variable in self._variables.items()}
        while node != TRUE:
            low, variable = self._diagrams.low(node), self._diagrams.asked(node)
            found[level_of.get(variable, variable)] = int(low == FALSE)
            node = low if low != FALSE else self._diagrams.high(node)
        return found

    def _share(self, node: int) -> Fraction:
        pending = [node]
        while pending:
            top = pending[-1]
            if top in self._shares:
                pending.pop()
                continue
            branches = (self._diagrams.low(top), self._diagrams.high(top))
            missing = [branch for branch in branches if branch not in self._shares]
            if missing:
                pending += missing
                continue
            self._shares[pending.pop()] = sum(self._shares[branch] for branch in branches) / Fraction(2)
        return self._shares[node]


def by_appearance(function: Bool) -> dict[int, int]:
    """The levels that a function looks at, numbered as they are met."""
    return {level: number for number, level in enumerate(levels_of(function))}


# --- linear equations ---------------------------------------------------------------------------------


def as_equations(function: Bool) -> list[int] | None:
    """Sums that must be 0 together (bit 0 is the constant, bit k + 1 symbol k); None if not linear."""
    parts = function.parts if isinstance(function, And) else (function,)
    found = [linear_sum(part) for part in parts]
    return None if any(row is None for row in found) else [row ^ 1 for row in found if row is not None]


def linear_sum(function: Bool) -> int | None:
    """A sum of symbols (bit 0 is the constant, bit k + 1 symbol k); None if it is no sum as it is written."""
    match function:
        case bool():
            return int(function)
        case Literal(level, value):
            return 2 << level | (0 if value else 1)
        case Xor(parts, flipped) if all(isinstance(part, Literal) for part in parts):
            rows = (linear_sum(part) or 0 for part in parts)
            total = int(flipped)
            for row in rows:
                total ^= row
            return total
    return None


def _solved(equations: Iterable[int]) -> Solution | None:
    """Symbols that no equation decides are 0."""
    rows = consistent(equations)
    if rows is None:
        return None
    found = {k - 1: 0 for row in rows.values() for k in positions(row) if k}
    return found | {pivot - 1: row & 1 for pivot, row in rows.items()}


# --- affine spaces -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AffineSpace:
    """The values that sums of symbols take together: origin + span of the directions, as vectors of bits."""

    origin: int
    directions: tuple[int, ...]

    def truncated(self, width: int) -> AffineSpace:
        """The first coordinates alone."""
        mask = (1 << width) - 1
        return AffineSpace(self.origin & mask, tuple(d & mask for d in self.directions))

    def __le__(self, other: AffineSpace) -> bool:
        basis = reduced(other.directions)
        return not any(remainder(v, basis) for v in (self.origin ^ other.origin, *self.directions))


def eliminate(sums: Sequence[int], equations: Iterable[int]) -> list[int]:
    """Sums of symbols (bit 0 is the constant 1) where the sums of `equations` are 0."""
    basis = reduced(equations)
    return [remainder(total, basis) for total in sums]


def space_of(sums: Sequence[int]) -> AffineSpace:
    """The values that sums take together: coordinate k is that of the k-th."""
    columns: dict[int, int] = {}
    for k, total in enumerate(sums):
        for symbol in positions(total):
            columns[symbol] = columns.get(symbol, 0) | 1 << k
    return AffineSpace(columns.pop(0, 0), tuple(columns.values()))
