"""Stretches of points, against a search point by point."""

from __future__ import annotations

from random import Random

import pytest

from qismc.program import read_program
from qismc.program.program import Program
from qismc.program.statements import Apply, Jump
from qismc.stabiliser.control import ControlFacts
from qismc.stabiliser.gates import Gates
from qismc.system.flow import successors

from .programs import CliffordWriter


def reachable(program: Program, starts: tuple[int, ...]) -> set[int]:
    pending, found = list(starts), set(starts)
    while pending:
        new = set(successors(program, pending.pop())) - found
        found |= new
        pending += new
    return found


@pytest.mark.parametrize("seed", range(15))
def test_stretches(seed: int) -> None:
    program = read_program(CliffordWriter(Random(seed), size=8).circuit)
    control = ControlFacts(program, Gates())
    points = reachable(program, (program.entry,))
    assert control.size == (len(points), sum(len(successors(program, p)) for p in points))
    for point in points:
        behind = [p for stretch in control.after(point) for p in stretch]
        assert sorted(behind) == sorted(reachable(program, successors(program, point)))


@pytest.mark.parametrize("seed", range(15))
def test_gates_end_where_something_else_may_happen(seed: int) -> None:
    program = read_program(CliffordWriter(Random(seed), size=8).circuit)
    control = ControlFacts(program, Gates())
    for point in reachable(program, (program.entry,)):
        stop = control.pause(point)
        assert all(isinstance(program.code[p], Apply) for p in range(point, stop))
        assert not any(p in program.marked or p + 1 in control.joins for p in range(point, stop))
        assert not any(isinstance(program.code[p + 1], Jump) for p in range(point, stop))
        assert control.pause(stop) == stop
