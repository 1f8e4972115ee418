"""What every benchmark is: a circuit, a specification and the verdict that mathematics says it has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from qiskit import QuantumCircuit

from qismc.faults.model import Faults

Expected = Literal["holds", "violated"]

FINAL = {"target": "AG (leaf -> target)"}


@dataclass(frozen=True)
class Case:
    """`expected` is the verdict of all formulas together: violated if one of them is."""

    name: str
    circuit: QuantumCircuit
    formulas: Mapping[str, str]
    props: Mapping[str, str]
    expected: Expected
    faults: Faults | None = None


def case(
    name: str,
    circuit: QuantumCircuit,
    props: Mapping[str, str],
    formulas: Mapping[str, str] = FINAL,
    broken: str | None = None,
    *,
    faults: Faults | None = None,
) -> Case:
    """A case that holds, or, with the name of what is broken in it, one that is violated."""
    circuit.name = name if broken is None else f"{name}-broken-{broken}"
    expected: Expected = "holds" if broken is None else "violated"
    return Case(circuit.name, circuit, dict(formulas), dict(props), expected, faults)


def ket(letters: str) -> str:
    """The ket with these letters, long runs in short.

    >>> ket("0" * 100 + "11")
    '|0^100 11>'
    """
    short = re.sub(r"(.)\1{8,}", lambda run: f"{run.group(1)}^{len(run.group())} ", letters)
    return f"|{short.rstrip()}>"


def bits(value: int, width: int) -> str:
    """The binary digits of `value`, the least significant first, as qubits 0, 1, 2, … carry them."""
    return format(value, f"0{width}b")[::-1]


def at_least(minimum: int, **sizes: int) -> None:
    """Refuses sizes too small for a construction."""
    for name, size in sizes.items():
        if size < minimum:
            raise ValueError(f"{name} is {size}; it must be at least {minimum}")


def fits(value: int, width: int) -> None:
    """Refuses numbers that are no bit patterns of the given width."""
    if not 0 <= value < 1 << width:
        raise ValueError(f"{value} does not fit into {width} bits")


def power_of_two(name: str, size: int) -> None:
    """Refuses sizes that cannot be halved down to one."""
    if size < 2 or size & (size - 1):
        raise ValueError(f"{name} is {size}; it must be a power of two, 2 or more")
