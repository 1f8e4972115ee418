"""Gates that stand one after the other in a program, and their places as flat arrays that are made once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import overload

import numpy as np
import numpy.typing as npt

from qismc.program.columns import Columns, columns
from qismc.program.operators import Base, Operator
from qismc.program.program import Program
from qismc.program.statements import Apply
from qismc.system.edges import Application

Integers = npt.NDArray[np.int32]
Long = npt.NDArray[np.int64]
LONG = 8
"""Stretches of so many points are worth being kept."""
VERY_LONG = 64
"""Stretches of so many points are laid out by whole arrays."""


@dataclass(frozen=True, eq=False)
class Layout:
    """Where the factors of operators act: the controls of factor j end at control_ends[j + 1], and so on.

    It knows no numbers and no order of levels, so it serves every engine.
    """

    controls: Integers
    values: npt.NDArray[np.uint8]
    control_ends: Integers
    targets: Integers
    target_ends: Integers
    chosen: Integers
    """The base of each factor, by its place in `bases`."""
    bases: tuple[Base, ...]
    counts: tuple[tuple[Operator, int], ...]
    """The different operators, and how often each is applied."""


def layout_of(applications: Iterable[Application]) -> Layout:
    """The factors of all operators, first one first."""
    controls, values, control_counts = list[int](), list[int](), [0]
    targets, target_counts = list[int](), [0]
    numbers: dict[Base, int] = {}
    chosen = list[int]()
    places: dict[int, list[int]] = {}
    counts: Counter[int] = Counter()
    operators: dict[int, Operator] = {}
    for operator, qubits in applications:
        key = id(operator)
        counts[key] += 1
        if key not in places:
            operators[key] = operator
            places[key] = [numbers.setdefault(factor.base, len(numbers)) for factor in operator.factors]
        chosen += places[key]
        for factor in operator.factors:
            control_counts.append(len(factor.controls))
            for control, value in factor.controls:
                controls.append(qubits[control])
                values.append(value)
            target_counts.append(len(factor.targets))
            targets += [qubits[t] for t in factor.targets]
    return Layout(
        np.array(controls, dtype=np.int32),
        np.array(values, dtype=np.uint8),
        np.array(list(accumulate(control_counts)), dtype=np.int32),
        np.array(targets, dtype=np.int32),
        np.array(list(accumulate(target_counts)), dtype=np.int32),
        np.array(chosen, dtype=np.int32),
        tuple(numbers),
        tuple((operators[key], count) for key, count in counts.items()),
    )


def layout_between(table: Columns, first: int, last: int) -> Layout:
    """The same of the gates at the points first <= p < last, array by array."""
    gates = table.between(first, last)
    present, places, which, counts = np.unique(
        table.numbers[gates], return_index=True, return_inverse=True, return_counts=True
    )
    operators = [table.operators[k] for k in present.tolist()]
    each = layout_of(Application(operator, tuple(range(operator.width))) for operator in operators)
    in_operator = np.array([len(operator.factors) for operator in operators], dtype=np.int64)
    many = in_operator[which]
    factors = _rows(np.cumsum(in_operator) - in_operator, in_operator, which)
    starts = np.repeat(table.starts[:-1][gates], many)
    controls, control_ends = _placed(each.control_ends, factors)
    targets, target_ends = _placed(each.target_ends, factors)
    order = np.argsort(places).tolist()
    return Layout(
        table.qubits[np.repeat(starts, np.diff(control_ends)) + each.controls[controls]].astype(np.int32),
        each.values[controls],
        control_ends,
        table.qubits[np.repeat(starts, np.diff(target_ends)) + each.targets[targets]].astype(np.int32),
        target_ends,
        each.chosen[factors],
        each.bases,
        tuple((operators[k], int(counts[k])) for k in order),
    )


def _rows(starts: Long, lengths: Long, chosen: Long) -> Long:
    """The places of the chosen rows, one row after the other; row k is at starts[k] and has lengths[k]."""
    many = lengths[chosen]
    ends = np.cumsum(many)
    found: Long = np.repeat(starts[chosen] - ends + many, many) + np.arange(many.sum())
    return found


def _placed(ends: Integers, factors: Long) -> tuple[Long, Integers]:
    """The places of what chosen factors have, and where that of each ends."""
    lengths = np.diff(ends).astype(np.int64)
    after = np.concatenate(([0], np.cumsum(lengths[factors]))).astype(np.int32)
    return _rows(ends[:-1].astype(np.int64), lengths, factors), after


class Stretch(Sequence[Application]):
    """The gates at the points first <= p < last of a program."""

    def __init__(self, program: Program, first: int, last: int) -> None:
        self._program = program
        self.key = (first, last)

    @property
    def is_long(self) -> bool:
        """Is it worth being kept?"""
        return self.key[1] - self.key[0] >= LONG

    @property
    def layout(self) -> Layout:
        first, last = self.key
        if not self.is_long:
            return layout_of(self)
        return self._program.once(("layout", first, last), self._laid_out)

    def _laid_out(self, program: Program) -> Layout:
        first, last = self.key
        return layout_of(self) if last - first < VERY_LONG else layout_between(columns(program), first, last)

    @property
    def listed(self) -> list[Application]:
        first, last = self.key
        return [Application(*s) for s in self._program.code[first:last] if type(s) is Apply]

    def __iter__(self) -> Iterator[Application]:
        return iter(self.listed)

    def __len__(self) -> int:
        first, last = self.key
        code = self._program.code
        return sum(type(s) is Apply for s in code[first:last])

    def __bool__(self) -> bool:
        first, last = self.key
        return any(type(s) is Apply for s in self._program.code[first:last])

    @overload
    def __getitem__(self, index: int) -> Application: ...
    @overload
    def __getitem__(self, index: slice) -> list[Application]: ...
    def __getitem__(self, index: int | slice) -> Application | list[Application]:
        return self.listed[index]

    def __add__(self, others: Iterable[Application]) -> list[Application]:
        return list(chain(self, others))
