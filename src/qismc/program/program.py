"""The program that the rest of the pipeline sees: flat code with source positions and a classical layout."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from qismc.common.lazily import cached_property
from qismc.common.source import Source
from qismc.program.classical import Store, Variable
from qismc.program.rendering import render
from qismc.program.statements import Jump, Leaf, Statement
from qismc.program.virtual import PHYSICAL, Virtual

T = TypeVar("T")


@dataclass(frozen=True)
class Annotation:
    """A line such as `//@ spec safe: AG (leaf -> ok)` in the program's own text."""

    kind: str
    name: str | None
    text: str
    source: Source | None = None


@dataclass(frozen=True)
class Program:
    """Flat code. Point p is code[p]; `sources[p]` and `texts[p]` say what the user wrote there."""

    name: str
    qubits: tuple[str, ...]
    quantum_registers: Mapping[str, tuple[int, ...]]
    variables: Mapping[str, Variable]
    store_width: int
    code: Sequence[Statement]
    sources: Sequence[Source | None]
    texts: Sequence[str | None]
    initial_store: Store = 0
    annotations: tuple[Annotation, ...] = ()
    warnings: tuple[str, ...] = ()
    lines: Mapping[str, Sequence[str]] = field(default_factory=dict)
    include: tuple[str, ...] = ()
    """Folders of files that the text may include, besides its own."""
    marked: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """The marks that name each point."""
    glue: frozenset[int] = frozenset()
    """Points that no text stands for and that do nothing to the qubits: reports leave steps there out."""
    absent_marks: frozenset[str] = frozenset()
    """Marks of the text that no point has: those of a `for` without turns, of a subroutine without calls."""
    ancillas: frozenset[int] = frozenset()
    """Qubits that the program declares as ancillas."""
    inputs: tuple[int, ...] = ()
    """Qubits that stand for all their states (`any on q`): the last qubits are their partners, in order."""
    virtual: Virtual | None = None
    """The qubits of the circuit that this one was transpiled from."""

    _known: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def once(self, key: Hashable, find: Callable[[Program], T]) -> T:
        """What `find` finds out about the program, found once; a changed program starts anew."""
        if key not in self._known:
            self._known[key] = find(self)
        found: T = self._known[key]
        return found

    def __getstate__(self) -> dict[str, Any]:
        """What can be found out again does not travel."""
        return {**vars(self), "_known": {}}

    def __repr__(self) -> str:
        return f"<Program {self.name}: {len(self.qubits)} qubits, {self.num_statements} statements>"

    @property
    def own_qubits(self) -> tuple[int, ...]:
        """The qubits of the text, without partners."""
        return tuple(range(self.num_qubits - len(self.inputs)))

    @property
    def partners(self) -> dict[int, int]:
        """The partner of each input."""
        return {q: self.num_qubits - len(self.inputs) + k for k, q in enumerate(self.inputs)}

    @property
    def num_qubits(self) -> int:
        return len(self.qubits)

    @cached_property
    def named_registers(self) -> Mapping[str, tuple[int, ...]]:
        """The quantum registers by name; those of a transpiled circuit also as `physical_q`."""
        if self.virtual is None:
            return self.quantum_registers
        said = {f"{PHYSICAL}{name}": qubits for name, qubits in self.quantum_registers.items()}
        return {**said, **self.quantum_registers}

    @cached_property
    def entry(self) -> int:
        return self.settle(0)

    def settle(self, point: int) -> int:
        """The point where control really arrives: jumps are followed."""
        statement = self.code[point]
        while type(statement) is Jump:
            point = statement.target
            statement = self.code[point]
        return point

    @property
    def joined(self) -> frozenset[int]:
        """The points that some statement names as its successor."""
        return self.once("joined", lambda p: frozenset(target for s in p.code for target in s.targets))

    @property
    def goes_forwards(self) -> bool:
        """Does control never go back to an earlier point? Then there are no loops."""
        return all(target > point for point, s in enumerate(self.code) for target in s.targets)

    @cached_property
    def marks(self) -> frozenset[str]:
        return self.absent_marks.union(name for names in self.marked.values() for name in names)

    @cached_property
    def num_statements(self) -> int:
        """How many statements the user sees (jumps and the end are not)."""
        return sum(not isinstance(s, Jump | Leaf) for s in self.code)

    def text(self, point: int) -> str:
        """The statement at `point` as the user would write it."""
        text = self.texts[point]
        return text if text is not None else render(self, self.code[point])


@dataclass(frozen=True, eq=False, repr=False)
class Values(Mapping[str, int]):
    """name -> value; long executions of programs with many variables share nothing but the store."""

    program: Program
    store: Store

    def __getitem__(self, name: str) -> int:
        variable = self.program.variables[name]
        if variable.hidden:
            raise KeyError(name)
        return variable.value(self.store)

    def __iter__(self) -> Iterator[str]:
        return (name for name, variable in self.program.variables.items() if not variable.hidden)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Values) and other.program is self.program and other.store == self.store:
            return True
        return isinstance(other, Mapping) and dict(self.items()) == dict(other.items())

    def __hash__(self) -> int:
        return hash(self.store)

    def __repr__(self) -> str:
        return repr(dict(self))


REGISTER = "ref"


def with_partners(program: Program, inputs: tuple[int, ...]) -> Program:
    """The same program beside a register of idle qubits, the partners, which comes last: one for each input.

    The vector |00> + |11> of a qubit and its partner stands for all states of the qubit at once: projecting
    the partner on the conjugate of a state leaves that state. Nothing ever acts on partners. So every
    execution from a state is such a projection of an execution of the pairs, and what the program does to
    all states, with their relative phases, is what it does to one vector.
    """
    if not inputs:
        return program
    name, first, count = partner_register(program), program.num_qubits, len(inputs)
    return replace(
        program,
        qubits=(*program.qubits, *(f"{name}[{k}]" for k in range(count))),
        quantum_registers={**program.quantum_registers, name: tuple(range(first, first + count))},
        inputs=inputs,
    )


def partner_register(program: Program) -> str:
    """What the register of partners is called: `ref`, or a variant that no register of the program has."""
    virtual = program.virtual.first if program.virtual else ()
    taken: Sequence[str] = [*program.quantum_registers, *program.variables, *virtual]
    name = REGISTER
    while name in taken:
        name += "_"
    return name
