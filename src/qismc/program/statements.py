"""The flat code of a program: what each program point does and where control goes next.

Control falls through to the next point unless the statement names its successors. `Jump` is glue of the
flattening: it is no location of its own.

Every statement says what it touches:

- `qubits`: the qubits that it acts on;
- `operators`: the operators that it states itself;
- `bits`: the positions of the store that it may change;
- `sets`: a mask of the positions that it overwrites for sure;
- `reads`: a mask of the positions that it reads;
- `targets`: the points that it names as its successors;
- `loop`: whether it is the head of a loop.

`moved` is the statement on other qubits, `retargeted` the statement with other successors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import ClassVar, NamedTuple, TypeVar

from typing_extensions import Self

from qismc.common.lazily import Frozen
from qismc.program.classical import Expression, mask_of
from qismc.program.operators import Operator

S = TypeVar("S")
Renumbering = Callable[[int], int]


class _NoQubits:
    """Part of a statement that acts on no qubits."""

    __slots__ = ()

    qubits: ClassVar[tuple[int, ...]] = ()
    operators: ClassVar[tuple[Operator, ...]] = ()

    def moved(self: S, places: Mapping[int, int]) -> S:  # noqa: ARG002
        return self


class _NoStore:
    """Part of a statement that neither reads nor changes the store."""

    __slots__ = ()

    bits: ClassVar[tuple[int, ...]] = ()
    sets: ClassVar[int] = 0
    reads: ClassVar[int] = 0


class _NoTargets:
    """Part of a statement that names no successors."""

    __slots__ = ()

    targets: ClassVar[tuple[int, ...]] = ()
    loop: ClassVar[bool] = False

    def retargeted(self: S, new: Renumbering) -> S:  # noqa: ARG002
        return self


class _Applied(NamedTuple):
    operator: Operator
    qubits: tuple[int, ...]


class Apply(_Applied, _NoStore, _NoTargets):
    """A unitary operator. It is a tuple, because long programs consist of these."""

    __slots__ = ()

    @property
    def operators(self) -> tuple[Operator, ...]:
        return (self.operator,)

    def moved(self, places: Mapping[int, int]) -> Apply:
        return Apply(self.operator, tuple(places[q] for q in self.qubits))


class _OnQubit(Frozen):
    """Part of a statement that acts on one qubit."""

    qubit: int

    operators: ClassVar[tuple[Operator, ...]] = ()

    @property
    def qubits(self) -> tuple[int, ...]:
        return (self.qubit,)

    def moved(self, places: Mapping[int, int]) -> Self:
        return replace(self, qubit=places[self.qubit])


class Measure(_OnQubit, _NoTargets):
    """Measure a qubit in the computational basis into position `bit` of the store."""

    bit: int

    reads: ClassVar[int] = 0

    @property
    def bits(self) -> tuple[int, ...]:
        return (self.bit,)

    @property
    def sets(self) -> int:
        return 1 << self.bit


class Reset(_OnQubit, _NoStore, _NoTargets):
    """Put one qubit to |0>."""


class _OnQubits(Frozen, _NoStore, _NoTargets):
    """A statement that acts on some qubits."""

    qubits: tuple[int, ...]

    def moved(self, places: Mapping[int, int]) -> Self:
        return replace(self, qubits=tuple(places[q] for q in self.qubits))


class Initialize(_OnQubits):
    """Reset the qubits, then prepare: `preparation` maps |0..0> to the wanted state."""

    preparation: Operator

    @property
    def operators(self) -> tuple[Operator, ...]:
        return (self.preparation,)


class Channel(_OnQubits):
    """A Kraus family on some qubits."""

    kraus: tuple[Operator, ...]

    @property
    def operators(self) -> tuple[Operator, ...]:
        return self.kraus


class Assign(Frozen, _NoQubits, _NoTargets):
    """Write the value of an expression to positions of the store, least significant first."""

    bits: tuple[int, ...]
    value: Expression

    @property
    def sets(self) -> int:
        return mask_of(self.bits)

    @property
    def reads(self) -> int:
        return self.value.reads


class AssignAt(Frozen, _NoQubits, _NoTargets):
    """Write one bit to the position that `index` selects among `bits`; out of range writes nothing."""

    bits: tuple[int, ...]
    index: Expression
    value: Expression

    sets: ClassVar[int] = 0

    @property
    def reads(self) -> int:
        return self.value.reads | self.index.reads


class Havoc(Frozen, _NoQubits, _NoTargets):
    """Any value at these positions: inputs and uninitialised variables."""

    bits: tuple[int, ...]

    reads: ClassVar[int] = 0

    @property
    def sets(self) -> int:
        return mask_of(self.bits)


class Branch(Frozen, _NoQubits):
    """To `then` if the condition is not 0, else to `otherwise`. `loop` marks the entry of a loop."""

    condition: Expression
    then: int
    otherwise: int
    loop: bool = False

    bits: ClassVar[tuple[int, ...]] = ()
    sets: ClassVar[int] = 0

    @property
    def reads(self) -> int:
        return self.condition.reads

    @property
    def targets(self) -> tuple[int, ...]:
        return self.then, self.otherwise

    def retargeted(self, new: Renumbering) -> Branch:
        return replace(self, then=new(self.then), otherwise=new(self.otherwise))


class Switch(Frozen, _NoQubits):
    """To the case of the target's value, else to `default`."""

    target: Expression
    default: int
    cases: dict[int, int] = field(default_factory=dict, hash=False)

    bits: ClassVar[tuple[int, ...]] = ()
    sets: ClassVar[int] = 0
    loop: ClassVar[bool] = False

    @property
    def reads(self) -> int:
        return self.target.reads

    @property
    def targets(self) -> tuple[int, ...]:
        return *self.cases.values(), self.default

    def retargeted(self, new: Renumbering) -> Switch:
        cases = {value: new(point) for value, point in self.cases.items()}
        return Switch(self.target, new(self.default), cases)


class Goto(Frozen, _NoQubits, _NoStore):
    """break, continue and the head of an unrolled `for`: a visible step to another point."""

    target: int
    loop: bool = False

    @property
    def targets(self) -> tuple[int, ...]:
        return (self.target,)

    def retargeted(self, new: Renumbering) -> Goto:
        return Goto(new(self.target), self.loop)


class Jump(Frozen, _NoQubits, _NoStore):
    """Invisible glue between points."""

    target: int

    loop: ClassVar[bool] = False

    @property
    def targets(self) -> tuple[int, ...]:
        return (self.target,)

    def retargeted(self, new: Renumbering) -> Jump:
        return Jump(new(self.target))


class Mark(Frozen, _NoQubits, _NoStore, _NoTargets):
    """A named program point."""

    name: str


class Leaf(Frozen, _NoQubits, _NoStore, _NoTargets):
    """The end of the program; control stays here for ever."""


Classical = Assign | AssignAt | Havoc
"""Statements that change classical values alone."""
Control = Branch | Switch | Goto | Jump | Mark | Leaf
"""Statements that change nothing: they only say where control goes on."""
Statement = Apply | Measure | Reset | Initialize | Channel | Classical | Control
