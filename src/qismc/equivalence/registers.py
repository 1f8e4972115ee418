"""Which registers of two programs are compared: those of the reference, each with one of the program.

A reference that never gives a bit a value says nothing about bits, whatever registers it declares.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from qismc.common.arguments import shown
from qismc.common.wording import counted, quoted
from qismc.equivalence.sides import Side
from qismc.errors import UsageError, suggestion
from qismc.program import Variable

BY_NAME = "registers are compared by name; bits= (--bits) says which of other names belong together"


EndValues = tuple[int, ...]
"""The values of compared registers."""


class Registers(NamedTuple):
    """The registers that are compared, of the program and of the reference, and what to say about them."""

    own: Sequence[Variable] = ()
    other: Sequence[Variable] = ()
    notes: tuple[str, ...] = ()

    def of(self, side: int) -> Sequence[Variable]:
        """Those of a side: 0 is the program."""
        return self.other if side else self.own

    @property
    def names(self) -> tuple[str, ...]:
        """As the program calls them."""
        return tuple(variable.name for variable in self.own)


def compared_registers(own: Side, other: Side, bits: Any) -> Registers:
    """By `bits`, then by name, then the rest in order if they have the same sizes."""
    mine, theirs = _visible(own), _visible(other)
    given = _given(bits, mine, theirs)
    if not (given or other.writes or not own.outputs):
        return Registers()
    partner = {**{name: name for name in theirs if name in mine and name not in given}, **given}
    found = {b: a for a, b in partner.items()}
    taken = set(found.values())
    rest = [v for name, v in mine.items() if name not in taken]
    left = [v for name, v in theirs.items() if name not in found]
    notes: tuple[str, ...] = ()
    if left and [_shape(v) for v in rest] == [_shape(v) for v in left]:
        pairs = list(zip(rest, left, strict=True))
        found |= {b.name: a.name for a, b in pairs}
        notes = tuple(f"'{a.name}' is compared with the reference's '{b.name}'" for a, b in pairs)
    matched = [(_matching(mine, found.get(name), v), v) for name, v in theirs.items()]
    if not matched and not own.outputs:
        raise UsageError("there is nothing to compare: no result, and no register of the reference")
    return Registers([a for a, _ in matched], [b for _, b in matched], notes)


def _visible(side: Side) -> dict[str, Variable]:
    return {name: v for name, v in side.program.variables.items() if not v.hidden}


def _shape(variable: Variable) -> tuple[int, bool]:
    return len(variable.bits), variable.signed


def _given(bits: Any, mine: Mapping[str, Variable], theirs: Mapping[str, Variable]) -> dict[str, str]:
    """`bits` as names of the program's registers and the reference's."""
    if bits is None:
        return {}
    if not isinstance(bits, Mapping):
        raise UsageError(f"bits is {shown(bits)}; it must be a dictionary", hint='as in {"c": "meas"}')
    given = {_named(a, mine, "the program"): _named(b, theirs, "the reference") for a, b in bits.items()}
    if len(given) < len(bits) or len(set(given.values())) < len(given):
        raise UsageError(f"bits = {quoted(bits)} names a register twice")
    return given


def _named(register: Any, known: Mapping[str, Variable], whose: str) -> str:
    """A register's name, given as text or as Qiskit's object."""
    name = register if isinstance(register, str) else getattr(register, "name", None)
    if not isinstance(name, str) or name not in known:
        near = suggestion(name, known) if isinstance(name, str) else None
        hint = near or f"its registers: {', '.join(known) or 'none'}"
        raise UsageError(f"bits names {quoted(register)}, which {whose} does not have", hint=hint)
    return name


def _matching(mine: Mapping[str, Variable], name: str | None, theirs: Variable) -> Variable:
    """The program's register for one of the reference's; they have the same size."""
    found = None if name is None else mine[name]
    if found is not None and len(found.bits) == len(theirs.bits):
        return found
    has = "has none of that name" if found is None else f"has {counted(len(found.bits), 'bit')} there"
    register = f"a register '{theirs.name}' of {counted(len(theirs.bits), 'bit')}"
    raise UsageError(f"the reference has {register}, the program {has}", hint=BY_NAME)
