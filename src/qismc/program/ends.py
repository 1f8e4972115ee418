"""How programs end: measurements that nothing reads any more, and programs that end at a mark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from qismc.program.program import Program
from qismc.program.rewriting import Piece, rewritten
from qismc.program.statements import Jump, Leaf, Mark, Measure

MEASURED = "(final measurements)"
"""The mark that stands in the place of final measurements."""


@dataclass(frozen=True)
class Final:
    """A program that ends by measuring: what stands before, and which qubit each bit tells at the end."""

    before: Program
    place: str
    """The name of the mark that stands in `before` in place of the measurements."""
    qubit_of: Mapping[int, int]


def final_measurements(program: Program) -> Final | None:
    """The longest run of measurements at the end that control passes as a whole; None if there is none."""
    run = _final_run(program)
    if not run:
        return None
    place = MEASURED
    while place in program.marks:
        place += "'"
    begin = run[0]
    named = replace(program, marked={**program.marked, begin: (*program.marked.get(begin, ()), place)})
    before = rewritten(named, {**dict.fromkeys(run, ()), begin: [Piece(Mark(place))]})
    last = {s.bit: s.qubit for s in program.code[begin:] if isinstance(s, Measure)}
    return Final(before, place, last)


def _final_run(program: Program) -> range:
    """The points of the final measurements."""
    end = len(program.code) - 1
    if not isinstance(program.code[end], Leaf) or sum(isinstance(s, Leaf) for s in program.code) > 1:
        return range(0)
    begin = end
    while begin > 0 and isinstance(program.code[begin - 1], Measure) and begin not in program.joined:
        begin -= 1
    return range(0) if any(point in program.marked for point in range(begin + 1, end)) else range(begin, end)


def reading_only(program: Program, observed: int) -> Program | None:
    """The program without those measurements at its end whose bits are not in `observed`; None if all are.

    All of them are diagonal in the same basis, so they commute, and a measurement after everything else whose
    outcome nobody looks at changes no probability of the others.
    """
    run = _final_run(program)
    last = {s.bit: point for point in run if isinstance(s := program.code[point], Measure)}
    kept = {point for bit, point in last.items() if observed >> bit & 1}
    dropped = [point for point in run if point not in kept]
    return rewritten(program, dict.fromkeys(dropped, ())) if dropped else None


def measured_at_the_end(program: Program) -> frozenset[int]:
    """The qubits of all final measurements, also of those whose bits are overwritten."""
    return frozenset(s.qubit for p in _final_run(program) if isinstance(s := program.code[p], Measure))


def ending_at(program: Program, mark: str) -> Program | None:
    """The program that goes to its end once the mark was visited; None if the mark stands nowhere else.

    Up to there executions are the same, states and probabilities included. The mark keeps a place of its own:
    other ways to the end do not visit it.
    """
    end = next((point for point, s in enumerate(program.code) if isinstance(s, Leaf)), None)
    points = [point for point, names in program.marked.items() if mark in names and point != end]
    if end is None or not points:
        return None
    return rewritten(program, {p: [Piece(Mark(mark), program.sources[p]), Piece(Jump(end))] for p in points})
