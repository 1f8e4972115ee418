"""The flat code of a program: what each program point does and where control goes next.

Control falls through to the next point unless the statement names its successors. `Jump` is glue of the
flattening: it is no location of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from qismc.program.classical import Expression
from qismc.program.operators import Operator


class Apply(NamedTuple):
    """A unitary operator; the hot case, hence a tuple."""

    operator: Operator
    qubits: tuple[int, ...]


@dataclass(frozen=True)
class Measure:
    """Measure a qubit in the computational basis into position `bit` of the store."""

    qubit: int
    bit: int


@dataclass(frozen=True)
class Reset:
    """Put one qubit to |0>."""

    qubit: int


@dataclass(frozen=True)
class Initialize:
    """Reset the qubits, then prepare: `preparation` maps |0..0> to the wanted state."""

    qubits: tuple[int, ...]
    preparation: Operator


@dataclass(frozen=True)
class Channel:
    """A Kraus family on some qubits."""

    qubits: tuple[int, ...]
    kraus: tuple[Operator, ...]


@dataclass(frozen=True)
class Assign:
    """Write the value of an expression to positions of the store, least significant first."""

    bits: tuple[int, ...]
    value: Expression


@dataclass(frozen=True)
class AssignAt:
    """Write one bit to the position that `index` selects among `bits`; out of range writes nothing."""

    bits: tuple[int, ...]
    index: Expression
    value: Expression


@dataclass(frozen=True)
class Havoc:
    """Any value at these positions: inputs and uninitialised variables."""

    bits: tuple[int, ...]


@dataclass(frozen=True)
class Branch:
    """To `then` if the condition is not 0, else to `otherwise`. `loop` marks the entry of a loop."""

    condition: Expression
    then: int
    otherwise: int
    loop: bool = False


@dataclass(frozen=True)
class Switch:
    """To the case of the target's value, else to `default`."""

    target: Expression
    default: int
    cases: dict[int, int] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Goto:
    """break, continue and the head of an unrolled `for`: a visible step to another point."""

    target: int
    loop: bool = False


@dataclass(frozen=True)
class Jump:
    """Invisible glue between points."""

    target: int


@dataclass(frozen=True)
class Mark:
    """A named program point."""

    name: str


@dataclass(frozen=True)
class Leaf:
    """The end of the program; control stays here for ever."""


Statement = (
    Apply
    | Measure
    | Reset
    | Initialize
    | Channel
    | Assign
    | AssignAt
    | Havoc
    | Branch
    | Switch
    | Goto
    | Jump
    | Mark
    | Leaf
)
