"""Virtual qubits: those of the circuit that was transpiled, and where the transpiled one keeps them.

A transpiler places every qubit of the original on a physical one and moves it on when it routes. Its layout
tells where each qubit is at the start and at the end. In between the swaps may be decomposed and merged into
gates, so nothing tells where a qubit is there, even if it ends where it started.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

PREFIX = "virtual_"
"""Stands before the name of an original register where the transpiled circuit has one of that name."""
PHYSICAL = "physical_"
"""Stands before the name of a transpiled circuit's own register, for those who want to say so."""


class Moment(Enum):
    """When a virtual qubit's place is known, whatever the routing does."""

    START = "init"
    END = "leaf"


def moment_of(where: str | int) -> Moment | None:
    """The moment at a place of a program; None for the start, too, which may be visited again."""
    return Moment.END if where == Moment.END.value else None


@dataclass(frozen=True)
class Virtual:
    """Registers of the original: their physical qubits at the start and at the end."""

    first: Mapping[str, tuple[int, ...]]
    last: Mapping[str, tuple[int, ...]]
    still: bool
    """True if nothing was routed: the places are the same all the time."""
    moved: tuple[tuple[int, int], ...] = ()
    """For each qubit of the original, in its order, where it starts and where it ends."""

    def places(self, moment: Moment | None) -> Mapping[str, tuple[int, ...]] | None:
        """Where the qubits of the registers are; None where that is not known."""
        match moment:
            case Moment.START:
                return self.first
            case Moment.END:
                return self.last
            case None:
                return self.last if self.still else None


def virtual_qubits(circuit: Any, taken: Collection[str]) -> Virtual | None:
    """What a circuit's layout says; `taken` are the circuit's own names, which keep their meaning."""
    layout = circuit.layout
    if layout is None or layout._input_qubit_count is None:
        return None
    first, last = (
        tuple(places(filter_ancillas=True))
        for places in (layout.initial_index_layout, layout.final_index_layout)
    )
    if any(place not in range(circuit.num_qubits) for place in (*first, *last)):
        return None  # the layout of some other circuit
    names = _names(circuit, len(first), taken)
    return Virtual(
        {name: tuple(first[k] for k in members) for name, members in names.items()},
        {name: tuple(last[k] for k in members) for name, members in names.items()},
        still=layout.final_layout is None,
        moved=tuple(zip(first, last, strict=True)),
    )


def _names(circuit: Any, count: int, taken: Collection[str]) -> dict[str, tuple[int, ...]]:
    """The registers of the original with their qubits' numbers there; loose qubits as `qubit7`."""
    layout = circuit.layout
    numbers = layout.input_qubit_mapping
    # Layouts made without a device, or read from QPY, list no registers: the circuit or the qubits know them.
    owners = (getattr(qubit, "_register", None) for qubit in numbers)
    owned = [register for register in owners if register is not None]
    found: dict[str, tuple[int, ...]] = {}
    for register in (*layout.initial_layout.get_registers(), *circuit.qregs, *owned):
        members = tuple(numbers.get(qubit, count) for qubit in register)
        if all(k < count for k in members):
            found[register.name] = members
    covered = {k for members in found.values() for k in members}
    found.update({f"qubit{k}": (k,) for k in range(count) if k not in covered})
    named: dict[str, tuple[int, ...]] = {}
    for name, members in sorted(found.items(), key=lambda item: item[1]):
        free = name
        while free in taken or (free != name and free in found):
            free = PREFIX + free
        named[free] = members
    return named
